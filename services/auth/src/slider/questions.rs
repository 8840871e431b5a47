//! Questions in words for users who cannot see the picture: short, without trick, with a number as answer.

use rand::{Rng, RngExt};

pub struct Question {
    pub text: String,
    /// Digits.
    pub answer: String,
}

const DIGITS: [&str; 10] = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

pub fn ask(rng: &mut impl Rng) -> Question {
    let (text, answer) = match rng.random_range(0..4_u8) {
        0 => sum(rng),
        1 => difference(rng),
        2 => greatest(rng),
        _ => place(rng),
    };
    Question {
        text,
        answer: answer.to_string(),
    }
}

fn sum(rng: &mut impl Rng) -> (String, usize) {
    let (a, b) = (rng.random_range(11..60), rng.random_range(2..10));
    (format!("{}加{}等于多少？", words(a), words(b)), a + b)
}

fn difference(rng: &mut impl Rng) -> (String, usize) {
    let (a, b) = (rng.random_range(12..60), rng.random_range(2..10));
    (format!("{}减{}等于多少？", words(a), words(b)), a - b)
}

fn greatest(rng: &mut impl Rng) -> (String, usize) {
    let mut numbers = [0; 3];
    while numbers[0] == numbers[1] || numbers[1] == numbers[2] || numbers[0] == numbers[2] {
        numbers = numbers.map(|_: usize| rng.random_range(10..100));
    }
    let greatest = numbers.into_iter().max().unwrap_or_default();
    let [a, b, c] = numbers.map(words);
    (format!("{a}、{b}、{c}，最大的数是多少？"), greatest)
}

fn place(rng: &mut impl Rng) -> (String, usize) {
    let digits: [usize; 4] = [0; 4].map(|_: usize| rng.random_range(0..10));
    let at = rng.random_range(0..digits.len());
    let [a, b, c, d] = digits.map(|digit| DIGITS[digit]);
    let which = DIGITS[at + 1];
    (
        format!("{a}、{b}、{c}、{d}，第{which}个数字是多少？"),
        digits[at],
    )
}

/// A number below 100 in words.
pub fn words(number: usize) -> String {
    let (tens, ones) = (number / 10, number % 10);
    let head = match tens {
        0 => return DIGITS[ones].to_owned(),
        1 => "十".to_owned(),
        _ => format!("{}十", DIGITS[tens]),
    };
    if ones == 0 { head } else { head + DIGITS[ones] }
}

/// Compares the number, in digits of any width or in words.
pub fn is_right(answer: &str, given: &str) -> bool {
    let plain: String = given
        .trim()
        .chars()
        .map(|c| match c {
            '０'..='９' => char::from_u32(c as u32 - '０' as u32 + '0' as u32).unwrap_or(c),
            _ => c,
        })
        .collect();
    let said = answer.parse().map(words).unwrap_or_default();
    plain == answer || plain == said
}
