//! The words of what is listed: what is suggested while a user types, and what may have been meant.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::words;

/// Words and names that are kept; later ones are not.
const MOST: usize = 100_000;
/// Keys that one suggestion looks at.
const LOOKED_AT: usize = 500;
/// Corrections that are named.
const MEANT: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Category,
    Label,
    Word,
    Listing,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::Label => "label",
            Self::Word | Self::Listing => "listing",
        }
    }
}

struct Entry {
    text: String,
    kind: Kind,
    count: u32,
}

#[derive(Default)]
pub struct Vocabulary {
    entries: Vec<Entry>,
    by_text: HashMap<String, u32>,
    /// Texts, their pinyin and initials.
    by_start: BTreeMap<String, Vec<u32>>,
    by_sound: HashMap<String, Vec<u32>>,
}

impl Vocabulary {
    /// Takes in a name, a label or a category, with its words.
    pub fn learn(&mut self, text: &str, kind: Kind) {
        self.add(text, kind);
        for word in words::pieces(&words::plain(text)) {
            if word.chars().count() > 1 {
                self.add(&word, Kind::Word);
            }
        }
    }

    fn add(&mut self, text: &str, kind: Kind) {
        let plain = words::plain(text).replace(' ', "");
        if plain.is_empty() {
            return;
        }
        if let Some(at) = self.by_text.get(&plain) {
            let entry = &mut self.entries[*at as usize];
            entry.count = entry.count.saturating_add(1);
            entry.kind = entry.kind.min(kind);
            return;
        }
        if self.entries.len() >= MOST {
            return;
        }
        let at = self.entries.len() as u32;
        let text = text.trim().to_owned();
        self.entries.push(Entry {
            text,
            kind,
            count: 1,
        });
        let (full, initials) = words::sound(&plain);
        for start in HashSet::from([plain.clone(), full.clone(), initials]) {
            self.by_start.entry(start).or_default().push(at);
        }
        if kind != Kind::Listing {
            self.by_sound.entry(full).or_default().push(at);
        }
        self.by_text.insert(plain, at);
    }

    /// Up to `most` texts that begin like this, the most frequent first. A name that was changed meanwhile may be among them.
    pub fn suggest(&self, typed: &str, most: usize) -> Vec<(String, Kind)> {
        let typed = words::plain(typed).replace(' ', "");
        if typed.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<u32> = self
            .by_start
            .range(typed.clone()..)
            .take(LOOKED_AT)
            .take_while(|(start, _)| start.starts_with(&typed))
            .flat_map(|(_, at)| at.iter().copied())
            .collect();
        found.sort_unstable();
        found.dedup();
        found.sort_by_key(|at| std::cmp::Reverse(self.entries[*at as usize].count));
        let found = found.iter().map(|at| &self.entries[*at as usize]);
        found
            .take(most)
            .map(|entry| (entry.text.clone(), entry.kind))
            .collect()
    }

    /// Texts that may have been meant by this one, the likeliest first: written differently and spoken alike, or with one
    /// letter or character wrong, too much or missing.
    pub fn meant(&self, typed: &str) -> Vec<String> {
        let plain = words::plain(typed).replace(' ', "");
        let length = plain.chars().count();
        if !(2..=24).contains(&length) {
            return Vec::new();
        }
        let latin = plain.is_ascii();
        // Pinyin that can be read means what it says; other letters may have a typo.
        let spelled = latin && words::is_spelled(&plain);
        let slurred = words::slurred(&plain);
        let mut found: Vec<(u8, std::cmp::Reverse<u32>, &str)> = Vec::new();
        let (full, _) = words::sound(&plain);
        for (sound, at) in &self.by_sound {
            let rank = match () {
                () if *sound == full => 0,
                () if spelled && words::slurred(sound) == slurred => 1,
                () if latin && !spelled && length >= 4 && is_near(sound, &plain) => 1,
                () => continue,
            };
            for at in at {
                let entry = &self.entries[*at as usize];
                found.push((rank, std::cmp::Reverse(entry.count), &entry.text));
            }
        }
        if !latin {
            for entry in self
                .entries
                .iter()
                .filter(|entry| entry.kind != Kind::Listing)
            {
                if is_near(&entry.text, &plain) {
                    found.push((2, std::cmp::Reverse(entry.count), &entry.text));
                }
            }
        }
        found.sort_unstable();
        let found = found.into_iter().map(|(_, _, text)| text.to_owned());
        found.filter(|text| *text != plain).take(MEANT).collect()
    }
}

/// Whether one change of one character makes the one of the other.
pub fn is_near(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let ends = |a: &[char], b: &[char]| {
        let alike = a.iter().rev().zip(b.iter().rev());
        alike.take_while(|(a, b)| a == b).count()
    };
    let rest = ends(&a[same..], &b[same..]);
    let swapped = a.len() == b.len()
        && a.len() >= same + 2
        && a[same] == b[same + 1]
        && a[same + 1] == b[same]
        && a[same + 2..] == b[same + 2..];
    swapped || a.len().max(b.len()) - same - rest <= 1
}
