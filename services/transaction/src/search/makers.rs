//! Makers by name: a keyword that names one finds what they made. Names come from personal and are asked for again now and then,
//! so that a changed one is followed; the index itself knows ids only.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use super::Search;
use super::find::Named;
use super::words;

/// Names are this old at most, in milliseconds, while personal answers.
const AGE: i64 = 60_000;
/// Makers of one question to personal.
const ASKED: usize = 200;
const ROUND: Duration = Duration::from_secs(1);
/// Characters of a name that a keyword is searched for, and the least that is one.
const LONGEST: usize = 30;
const SHORTEST: usize = 2;
/// Makers that one keyword names.
const MOST: usize = 50;

#[derive(Default)]
struct Maker {
    name: String,
    /// Unix time in milliseconds; 0: never.
    asked_at: i64,
}

/// The makers of what is or was listed.
#[derive(Default)]
pub struct Makers {
    known: HashMap<String, Maker>,
    /// Ids by name and by its pinyin, see [`squeezed`].
    by_name: HashMap<String, Vec<String>>,
}

/// A name or keyword as they are compared: plain and without spaces.
fn squeezed(text: &str) -> String {
    words::plain(text).replace(' ', "")
}

/// What a name is found by.
fn keys(name: &str) -> Vec<String> {
    let plain = squeezed(name);
    let sound = words::sound(&plain).0;
    let mut keys = vec![plain, sound];
    keys.dedup();
    keys.retain(|key| key.chars().count() >= SHORTEST);
    keys
}

impl Makers {
    /// One whose name will be asked for.
    pub fn meet(&mut self, id: &str) {
        if !self.known.contains_key(id) {
            self.known.insert(id.to_owned(), Maker::default());
        }
    }

    /// Those whose names are not known, or not since long.
    pub fn due(&self, now: i64, most: usize) -> Vec<String> {
        let due = self
            .known
            .iter()
            .filter(|(_, maker)| maker.asked_at <= now - AGE);
        due.take(most).map(|(id, _)| id.clone()).collect()
    }

    pub fn name(&mut self, id: &str, name: &str, now: i64) {
        let maker = self.known.entry(id.to_owned()).or_default();
        maker.asked_at = now;
        if maker.name == name {
            return;
        }
        let before = std::mem::replace(&mut maker.name, name.to_owned());
        for key in keys(&before) {
            if let Some(ids) = self.by_name.get_mut(&key) {
                ids.retain(|one| one != id);
                if ids.is_empty() {
                    self.by_name.remove(&key);
                }
            }
        }
        for key in keys(name) {
            self.by_name.entry(key).or_default().push(id.to_owned());
        }
    }

    /// Whom a keyword names: by the longest name in it, which may stand anywhere but within a word of letters.
    pub fn named(&self, keyword: &str) -> Option<Named> {
        let plain = words::plain(keyword);
        // Characters, and whether a space is before.
        let mut letters: Vec<(char, bool)> = Vec::new();
        let mut spaced = false;
        for c in plain.chars() {
            match c {
                ' ' => spaced = true,
                c => letters.push((c, std::mem::take(&mut spaced))),
            }
        }
        let ends = |at: usize| match (at.checked_sub(1).map(|at| letters[at].0), letters.get(at)) {
            (Some(before), Some((after, spaced))) => {
                *spaced || !before.is_ascii() || !after.is_ascii()
            }
            _ => true,
        };
        let text = |letters: &[(char, bool)]| -> String {
            let spaced = |(c, spaced): &(char, bool)| spaced.then_some(' ').into_iter().chain([*c]);
            letters.iter().flat_map(spaced).collect()
        };
        for length in (SHORTEST..=letters.len().min(LONGEST)).rev() {
            for start in 0..=letters.len() - length {
                let end = start + length;
                if !ends(start) || !ends(end) {
                    continue;
                }
                let name: String = letters[start..end].iter().map(|(c, _)| c).collect();
                if let Some(ids) = self.by_name.get(&name) {
                    return Some(Named {
                        sellers: ids.iter().take(MOST).cloned().collect(),
                        rest: format!("{} {}", text(&letters[..start]), text(&letters[end..]))
                            .trim()
                            .to_owned(),
                    });
                }
            }
        }
        None
    }

    /// Makers whose name holds this text, those whose name begins with it first: ids and names.
    pub fn like(&self, text: &str) -> Vec<(String, String)> {
        let text = squeezed(text);
        if text.chars().count() < SHORTEST {
            return Vec::new();
        }
        let places = self.by_name.iter();
        let mut found: Vec<(usize, &String, &String)> = places
            .filter_map(|(name, ids)| Some((name.find(&text)?, name, ids)))
            .flat_map(|(at, name, ids)| ids.iter().map(move |id| (at, name, id)))
            .collect();
        found.sort_unstable();
        let mut makers: Vec<(String, String)> = Vec::new();
        for (_, _, id) in found {
            if makers.len() == MOST {
                break;
            }
            if makers.iter().all(|(known, _)| known != id) {
                makers.push((id.clone(), self.known[id].name.clone()));
            }
        }
        makers
    }
}

impl Search {
    pub(super) fn makers_known(&self) -> RwLockReadGuard<'_, Makers> {
        self.names.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn makers_learnt(&self) -> RwLockWriteGuard<'_, Makers> {
        self.names.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for names that are due; whether personal answered.
    async fn learn_makers(&self) -> bool {
        let now = self.mall.now();
        let due = self.makers_known().due(now, ASKED);
        if due.is_empty() {
            return false;
        }
        let found = self.makers(due.iter().map(String::as_str)).await;
        let mut makers = self.makers_learnt();
        for (id, maker) in &found {
            makers.name(id, &maker.nickname, now);
        }
        !found.is_empty()
    }
}

pub(super) fn spawn(search: &Search) {
    let shutdown = search.mall.context.shutdown.clone();
    let search = search.clone();
    let token = shutdown.token();
    shutdown.spawn(async move {
        while !token.is_cancelled() {
            if !search.learn_makers().await {
                tokio::select! {
                    () = token.cancelled() => {}
                    () = tokio::time::sleep(ROUND) => {}
                }
            }
        }
    });
}
