//! Text as it is indexed and searched: one script, words, pinyin and initials.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use jieba_rs::Jieba;
use pinyin::ToPinyin;

/// Words that the dictionary cuts wrongly beside others.
const OWN: &[&str] = &[
    "齿轮",
    "齿轮组",
    "行星齿轮",
    "蜗轮蜗杆",
    "法兰盘",
    "机械臂",
    "机械手",
    "球阀",
    "闸阀",
    "滚珠轴承",
    "深沟球轴承",
    "六角螺栓",
    "低多边形",
    "流水线",
    "手办",
    "三维",
    "点云",
];
/// Words that follow each other and are found as one piece of pinyin.
const RUN: usize = 4;

static JIEBA: LazyLock<Jieba> = LazyLock::new(|| {
    let mut jieba = Jieba::new();
    for word in OWN {
        jieba.add_word(word, Some(20_000), None);
    }
    jieba
});

/// Traditional → simplified.
static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let rows: Vec<&str> = include_str!("simplified.txt").lines().skip(1).collect();
    let pairs = rows
        .chunks_exact(2)
        .flat_map(|rows| rows[0].chars().zip(rows[1].chars()));
    pairs.collect()
});

/// Each word's others.
static SYNONYMS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut found: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in include_str!("synonyms.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        for word in &words {
            let others = words.iter().filter(|other| *other != word);
            found.entry(word).or_default().extend(others);
        }
    }
    found
});

/// Words of the synonyms by their pinyin.
static SPOKEN: LazyLock<HashMap<String, Vec<&str>>> = LazyLock::new(|| {
    let mut found: HashMap<String, Vec<&str>> = HashMap::new();
    for word in SYNONYMS.keys().filter(|word| word.chars().all(is_han)) {
        found.entry(sound(word).0).or_default().push(word);
    }
    found
});

/// Syllables of pinyin.
static SYLLABLES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let all = ('\u{4e00}'..='\u{9fff}').filter(|c| c.to_pinyin().is_some());
    let all = all.map(|c| sound(&c.to_string()).0);
    all.filter(|one| one.contains(['a', 'e', 'i', 'o', 'u', 'v']))
        .collect()
});
/// Letters of the longest.
const SYLLABLE: usize = 6;

/// In lower case, half width and simplified characters; whatever is neither letter nor digit is a space.
pub fn plain(text: &str) -> String {
    let one = |c: char| {
        let c = match c {
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
            _ => c,
        };
        let c = SIMPLIFIED.get(&c).copied().unwrap_or(c);
        if c.is_alphanumeric() { c } else { ' ' }
    };
    text.chars().map(one).flat_map(char::to_lowercase).collect()
}

pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{20000}'..='\u{3134f}')
}

/// Words of a plain text as a user means them.
pub fn cut(plain: &str) -> Vec<String> {
    let words = JIEBA.cut(plain, true);
    let words = words.iter().map(|token| token.word.trim());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Words of a plain text, and the short ones within long ones.
pub fn pieces(plain: &str) -> Vec<String> {
    let words = JIEBA.cut_for_search(plain, true);
    let words = words.iter().map(|token| token.word.trim());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// All words under which a text is found: its pieces, and each character.
pub fn indexed(text: &str) -> Vec<String> {
    let mut found = pieces(&plain(text));
    let long: Vec<char> = found
        .iter()
        .filter(|word| word.chars().count() > 1)
        .flat_map(|word| word.chars())
        .filter(|c| is_han(*c))
        .collect();
    found.extend(long.into_iter().map(String::from));
    found
}

/// Pinyin and initials of a plain word.
pub fn sound(plain: &str) -> (String, String) {
    let (mut full, mut initials) = (String::new(), String::new());
    for c in plain.chars() {
        match c.to_pinyin() {
            Some(read) => {
                full.push_str(read.plain());
                initials.push_str(read.first_letter());
            }
            None if c.is_alphanumeric() => {
                full.push(c);
                initials.push(c);
            }
            None => {}
        }
    }
    (full.replace('ü', "v"), initials)
}

/// Pinyin and initials of each word of a text, of words within them, and of words that follow each other.
pub fn sounds(text: &str) -> Vec<String> {
    let plain = plain(text);
    let words: Vec<(String, String)> = cut(&plain)
        .iter()
        .filter(|word| word.chars().any(is_han))
        .map(|word| sound(word))
        .collect();
    let within = pieces(&plain)
        .into_iter()
        .filter(|word| word.chars().any(is_han));
    let mut found: Vec<String> = within.map(|word| sound(&word).0).collect();
    for start in 0..words.len() {
        let (mut full, mut initials) = (String::new(), String::new());
        for (more, short) in words.iter().skip(start).take(RUN) {
            full.push_str(more);
            initials.push_str(short);
            found.push(full.clone());
            // One letter is too ambiguous.
            if initials.len() > 1 {
                found.push(initials.clone());
            }
        }
    }
    found
}

/// Pinyin of each character of a text.
pub fn syllables(text: &str) -> Vec<String> {
    let characters = plain(text);
    let characters = characters.chars().filter(|c| is_han(*c));
    characters.map(|c| sound(&c.to_string()).0).collect()
}

/// Whether plain letters are pinyin: syllables one after the other.
pub fn is_spelled(letters: &str) -> bool {
    let mut reached = vec![false; letters.len() + 1];
    reached[0] = true;
    for end in 1..=letters.len() {
        reached[end] = (end.saturating_sub(SYLLABLE)..end).any(|start| {
            let syllable = letters.get(start..end);
            reached[start] && syllable.is_some_and(|one| SYLLABLES.contains(one))
        });
    }
    reached[letters.len()]
}

/// Pinyin without what many do not hear: zh and z, ch and c, sh and s, ng and n are one.
pub fn slurred(pinyin: &str) -> String {
    let pairs = [("zh", "z"), ("ch", "c"), ("sh", "s"), ("ng", "n")];
    let one = |text: String, (from, to): (&str, &str)| text.replace(from, to);
    pairs.into_iter().fold(pinyin.to_owned(), one)
}

/// Words with synonyms that are spoken like this.
pub fn spoken(pinyin: &str) -> &'static [&'static str] {
    SPOKEN.get(pinyin).map_or(&[], Vec::as_slice)
}

/// Words that mean the same.
pub fn synonyms(word: &str) -> &'static [&'static str] {
    SYNONYMS.get(word).map_or(&[], Vec::as_slice)
}
