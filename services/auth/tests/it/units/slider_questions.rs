//! Unit tests of `slider::questions`.

use rand::SeedableRng;
use rand::rngs::StdRng;

use xl_auth::internals::{ask, is_right, words};

#[test]
fn numbers_are_said_as_people_say_them() {
    assert_eq!(
        [7, 10, 15, 20, 47].map(words),
        ["七", "十", "十五", "二十", "四十七"]
    );
}

#[test]
fn an_answer_is_right_in_digits_and_in_words() {
    for given in ["47", " 47 ", "４７", "四十七"] {
        assert!(is_right("47", given), "{given}");
    }
    for given in ["", "4", "七十四", "74"] {
        assert!(!is_right("47", given), "{given}");
    }
}

#[test]
fn every_question_has_its_answer() {
    let mut rng = StdRng::seed_from_u64(1);
    for _ in 0..200 {
        let question = ask(&mut rng);
        assert!(question.text.ends_with("多少？"), "{}", question.text);
        assert!(is_right(&question.answer, &question.answer));
    }
}
