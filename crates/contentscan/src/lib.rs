//! Content safety of texts: finds forbidden words, also when their letters are separated, full-width or upper-case.

use aho_corasick::{AhoCorasick, MatchKind};

/// Words that no name or text may contain: offers of illegal goods, fraud, and abuse. An operator can add more.
const BUILT_IN: &str = include_str!("words.txt");

/// Longest text that is scanned, in characters; the rest is ignored.
pub const MAX_CHARACTERS: usize = 20_000;

/// A word that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The word as listed.
    pub word: String,
}

/// Scans texts for a list of words. Building is linear in the list, scanning linear in the text.
pub struct Scanner {
    words: Vec<String>,
    automaton: AhoCorasick,
}

impl Scanner {
    /// The built-in words and the lines of `more`; empty lines and lines starting with `#` are ignored.
    pub fn new(more: &str) -> Self {
        let mut words = Vec::new();
        let mut patterns = Vec::new();
        for line in BUILT_IN.lines().chain(more.lines()) {
            let word = line.trim();
            let pattern = normalise(word);
            if !word.starts_with('#') && !pattern.is_empty() {
                words.push(word.to_owned());
                patterns.push(pattern);
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(&patterns)
            // Building fails only for a list of many gigabytes; nothing is matched then.
            .unwrap_or_else(|_| empty_automaton());
        Self { words, automaton }
    }

    /// The first forbidden word, if any, within the first [`MAX_CHARACTERS`] characters.
    pub fn find(&self, text: &str) -> Option<Finding> {
        let short: String = text.chars().take(MAX_CHARACTERS).collect();
        let normal = normalise(&short);
        let found = self.automaton.find(&normal)?;
        let word = self.words.get(found.pattern().as_usize())?;
        Some(Finding { word: word.clone() })
    }
}

fn empty_automaton() -> AhoCorasick {
    AhoCorasick::new(std::iter::empty::<&str>()).expect("an automaton of no words can be built")
}

/// Lower case, half width, and without the characters people put between letters to hide a word.
fn normalise(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for letter in text.chars() {
        let letter = match letter {
            // Full-width forms are at a fixed offset from ASCII.
            '\u{FF01}'..='\u{FF5E}' => char::from_u32(letter as u32 - 0xFEE0).unwrap_or(letter),
            other => other,
        };
        if letter.is_alphanumeric() {
            normal.extend(letter.to_lowercase());
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_words_are_found() {
        let scanner = Scanner::new("# ours\n禁词甲\n");
        for text in [
            "代开发票",
            "代 开-发*票 找我",
            "ＢＡＩＪＩＡＬＥ 百家乐",
            "我的禁词甲模型",
        ] {
            assert!(scanner.find(text).is_some(), "{text}");
        }
    }

    #[test]
    fn honest_names_pass() {
        let scanner = Scanner::new("");
        for text in [
            "齿轮箱",
            "机械臂 v2",
            "城市街区",
            "Damaged Helmet",
            "",
            "发票打印机",
            "冰箱",
        ] {
            assert_eq!(scanner.find(text), None, "{text}");
        }
    }
}
