//! Content safety of texts: finds forbidden words, also when their letters are separated, full-width or upper-case.

pub mod contacts;

use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use aho_corasick::{AhoCorasick, MatchKind};
use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{
    CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed,
};

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

/// What happens to a text that holds a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is not published.
    Refuse,
    /// It is published, and an operator reviews it.
    Review,
    /// The word is replaced by other characters.
    Replace,
}

/// A word of a list that operators edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub word: String,
    pub action: Action,
    /// For [`Action::Replace`]; empty: an asterisk for each character.
    pub replacement: String,
}

/// What the lists say of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judged {
    pub refused: Option<Finding>,
    pub review: Vec<Finding>,
    /// The text with the replacements.
    pub text: String,
}

/// Whether nothing is drawn for it by itself (Unicode's `Default_Ignorable_Code_Point`), joiners and variation selectors too.
pub fn is_ignorable(character: char) -> bool {
    const IGNORABLE: CodePointSetDataBorrowed<'static> =
        CodePointSetData::new::<DefaultIgnorableCodePoint>();
    character.is_control()
        || IGNORABLE.contains(character)
        // Line and paragraph separators, an empty Braille cell, marks of annotations and of an object.
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{2800}' | '\u{fff9}'..='\u{fffc}')
}

/// Characters that are invisible, or that turn the direction of what follows: `a\u{202e}gpj.glb` reads as a JPEG. Joiners,
/// variation selectors and tags are none of them: some scripts and emoji need them.
pub fn is_invisible(character: char) -> bool {
    let needed = matches!(character,
        '\u{200c}' | '\u{200d}' | '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}');
    is_ignorable(character) && !needed
}

/// Whether there is anything to be seen: not spaces, joiners, or marks without the letter that they belong to.
pub fn is_visible(text: &str) -> bool {
    const CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> =
        CodePointMapData::<GeneralCategory>::new();
    let marks = GeneralCategoryGroup::Mark;
    let seen =
        |c: char| !c.is_whitespace() && !is_ignorable(c) && !marks.contains(CATEGORIES.get(c));
    text.chars().any(seen)
}

/// The text without what is invisible; of `lines` the breaks stay.
pub fn visible(text: &str, lines: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let kept = |c: &char| !is_invisible(*c) || (lines && *c == '\n');
    text.chars().filter(kept).collect()
}

/// A word of a list, and the bytes of the text that it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub word: String,
    pub action: Action,
    pub place: Range<usize>,
}

/// Scans texts for a list of words. Building is linear in the list, scanning linear in the text.
pub struct Scanner {
    refuse: Words,
    review: Words,
    replace: Words,
}

impl Scanner {
    /// The built-in words and the lines of `more`; empty lines and lines starting with `#` are ignored.
    pub fn new(more: &str) -> Self {
        Self::with_rules(more, &[])
    }

    /// As [`Scanner::new`], with what operators have listed.
    pub fn with_rules(more: &str, rules: &[Rule]) -> Self {
        let lines = BUILT_IN.lines().chain(more.lines()).map(str::trim);
        let lines = lines.filter(|word| !word.starts_with('#'));
        let of = |action: Action| rules.iter().filter(move |rule| rule.action == action);
        let words = |action: Action| of(action).map(|rule| (rule.word.as_str(), ""));
        let replaced = of(Action::Replace);
        Self {
            refuse: Words::new(lines.map(|word| (word, "")).chain(words(Action::Refuse))),
            review: Words::new(words(Action::Review)),
            replace: Words::new(
                replaced.map(|rule| (rule.word.as_str(), rule.replacement.as_str())),
            ),
        }
    }

    /// The first forbidden word, if any, within the first [`MAX_CHARACTERS`] characters.
    pub fn find(&self, text: &str) -> Option<Finding> {
        self.refuse.findings(&Normal::of(text)).next()
    }

    /// All that the lists say, within the first [`MAX_CHARACTERS`] characters.
    pub fn judge(&self, text: &str) -> Judged {
        let normal = Normal::of(text);
        Judged {
            refused: self.refuse.findings(&normal).next(),
            review: self.review.findings(&normal).collect(),
            text: self.replace.replaced(text, &normal),
        }
    }

    /// Every listed word in the text, in their order, within the first [`MAX_CHARACTERS`] characters.
    pub fn hits(&self, text: &str) -> Vec<Hit> {
        let normal = Normal::of(text);
        let lists = [
            (Action::Refuse, &self.refuse),
            (Action::Review, &self.review),
            (Action::Replace, &self.replace),
        ];
        let mut hits: Vec<Hit> = lists
            .into_iter()
            .flat_map(|(action, words)| words.hits(action, &normal))
            .collect();
        hits.sort_by_key(|hit| hit.place.start);
        hits
    }
}

/// Words of one kind.
struct Words {
    words: Vec<(String, String)>,
    automaton: AhoCorasick,
}

impl Words {
    fn new<'w>(listed: impl Iterator<Item = (&'w str, &'w str)>) -> Self {
        let mut words = Vec::new();
        let mut patterns = Vec::new();
        for (word, replacement) in listed {
            let pattern = Normal::of(word).text;
            if !pattern.is_empty() {
                words.push((word.to_owned(), replacement.to_owned()));
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

    fn findings<'n>(&'n self, normal: &'n Normal) -> impl Iterator<Item = Finding> + 'n {
        let found = self.automaton.find_iter(&normal.text);
        found.filter_map(|found| {
            let (word, _) = self.words.get(found.pattern().as_usize())?;
            Some(Finding { word: word.clone() })
        })
    }

    fn hits(&self, action: Action, normal: &Normal) -> Vec<Hit> {
        let found = self.automaton.find_iter(&normal.text);
        let hits = found.filter_map(|found| {
            let (word, _) = self.words.get(found.pattern().as_usize())?;
            let (start, end) = normal.place(found.range());
            Some(Hit {
                word: word.clone(),
                action,
                place: start..end,
            })
        });
        hits.collect()
    }

    fn replaced(&self, text: &str, normal: &Normal) -> String {
        let mut changed = String::with_capacity(text.len());
        let mut copied = 0;
        for found in self.automaton.find_iter(&normal.text) {
            let Some((word, replacement)) = self.words.get(found.pattern().as_usize()) else {
                continue;
            };
            let (start, end) = normal.place(found.range());
            changed.push_str(text.get(copied..start).unwrap_or_default());
            match replacement.as_str() {
                "" => changed.extend(word.chars().map(|_| '*')),
                replacement => changed.push_str(replacement),
            }
            copied = end;
        }
        changed.push_str(text.get(copied..).unwrap_or_default());
        changed
    }
}

fn empty_automaton() -> AhoCorasick {
    AhoCorasick::new(std::iter::empty::<&str>()).expect("an automaton of no words can be built")
}

/// A text in lower case, half width, and without the characters people put between letters to hide a word; with the original
/// place of each letter.
struct Normal {
    text: String,
    /// Of each byte of `text`: first byte of its letter in the original, and the one after it.
    places: Vec<(usize, usize)>,
}

impl Normal {
    fn of(text: &str) -> Self {
        let mut normal = Self {
            text: String::with_capacity(text.len()),
            places: Vec::with_capacity(text.len()),
        };
        for (at, original) in text.char_indices().take(MAX_CHARACTERS) {
            let letter = match original {
                // Full-width forms are at a fixed offset from ASCII.
                '\u{FF01}'..='\u{FF5E}' => {
                    char::from_u32(original as u32 - 0xFEE0).unwrap_or(original)
                }
                other => other,
            };
            if letter.is_alphanumeric() {
                normal.text.extend(letter.to_lowercase());
                let place = (at, at + original.len_utf8());
                normal.places.resize(normal.text.len(), place);
            }
        }
        normal
    }

    /// The bytes of the original that a range of the normal text came from.
    fn place(&self, range: Range<usize>) -> (usize, usize) {
        let start = self.places.get(range.start).map_or(0, |place| place.0);
        let last = self.places.get(range.end.saturating_sub(1));
        (start, last.map_or(start, |place| place.1))
    }
}

/// The scanner of the newest list that was seen; clones of a service share one. The version is stored in the service's
/// database, so that every replica scans by what was committed last.
pub struct Current {
    more: String,
    kept: RwLock<(i64, Arc<Scanner>)>,
}

impl Current {
    /// With the built-in words and those of a file alone, which is version 0.
    pub fn new(more: String) -> Self {
        let scanner = Arc::new(Scanner::new(&more));
        Self {
            kept: RwLock::new((0, scanner)),
            more,
        }
    }

    /// The scanner of a version, if that is the one that is kept.
    pub fn get(&self, version: i64) -> Option<Arc<Scanner>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        (kept.0 == version).then(|| kept.1.clone())
    }

    /// Builds the scanner of a version and keeps it, unless a newer one came meanwhile.
    pub fn put(&self, version: i64, rules: &[Rule]) -> Arc<Scanner> {
        let scanner = Arc::new(Scanner::with_rules(&self.more, rules));
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if version > kept.0 {
            *kept = (version, scanner.clone());
        }
        scanner
    }
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
    fn nothing_is_seen_of_what_draws_nothing() {
        for text in [
            "",
            " \u{3000}",
            "\u{200d}",
            "\u{fe0f}",
            "\u{301}",
            "\u{17b4}",
            "\u{1d173}",
            "\u{1bca0}",
            "\u{fffc}",
            "\u{3164}",
            "\u{e0041}",
            "\u{180e}",
            "\u{2800}",
        ] {
            assert!(!is_visible(text), "{text:?}");
        }
        for text in [
            "a\u{17b4}",
            "甲\u{1d173}",
            "甲\u{1bca0}",
            "甲\u{fffc}",
            "甲\u{202e}",
        ] {
            assert!(text.chars().any(is_invisible), "{text:?}");
        }
        // An emoji of several, a flag of tags, a variant of a character, a joined script.
        for text in [
            "❤\u{fe0f}",
            "👩\u{200d}💻",
            "🏴\u{e0067}\u{e0062}\u{e007f}",
            "葛\u{e0100}",
            "نامه\u{200c}ای",
            "é",
        ] {
            assert!(
                is_visible(text) && !text.chars().any(is_invisible),
                "{text:?}"
            );
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

    #[test]
    fn each_list_has_its_own_effect() {
        let rule = |word: &str, action, replacement: &str| Rule {
            word: word.to_owned(),
            action,
            replacement: replacement.to_owned(),
        };
        let scanner = Scanner::with_rules(
            "",
            &[
                rule("禁词乙", Action::Refuse, ""),
                rule("加微信", Action::Review, ""),
                rule("笨蛋", Action::Replace, ""),
                rule("VX", Action::Replace, "〔联系方式〕"),
            ],
        );
        let judged = scanner.judge("你这 笨*蛋，加 微 信 ｖx：123");
        assert_eq!(judged.refused, None);
        assert_eq!(
            judged.review,
            [Finding {
                word: "加微信".into()
            }]
        );
        assert_eq!(judged.text, "你这 **，加 微 信 〔联系方式〕：123");
        let text = "加 微 信看禁词乙";
        let hits = scanner.hits(text).into_iter();
        let hits: Vec<_> = hits.map(|hit| (&text[hit.place], hit.action)).collect();
        assert_eq!(
            hits,
            [("加 微 信", Action::Review), ("禁词乙", Action::Refuse)]
        );
        let judged = scanner.judge("禁词 乙");
        assert_eq!(
            judged.refused,
            Some(Finding {
                word: "禁词乙".into()
            })
        );
        assert_eq!(scanner.judge("齿轮箱 v2").text, "齿轮箱 v2");
    }

    #[test]
    fn the_newest_list_is_kept() {
        let current = Current::new("禁词甲".into());
        assert!(
            current
                .get(0)
                .is_some_and(|scanner| scanner.find("禁词甲").is_some())
        );
        let rules = [Rule {
            word: "禁词乙".into(),
            action: Action::Refuse,
            replacement: String::new(),
        }];
        assert!(current.put(2, &rules).find("禁词乙").is_some());
        current.put(1, &[]);
        assert!(
            current
                .get(2)
                .is_some_and(|scanner| scanner.find("禁词甲").is_some())
        );
        assert!(current.get(1).is_none());
    }
}
