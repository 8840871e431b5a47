//! The ordered index of keys, in memory, for listing, and what each owner has. About 200 bytes per object.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::owner::owner_prefix;
use super::record::ObjectRecord;

/// A key's metadata in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub size: u64,
    pub etag: Box<str>,
    /// Unix time in milliseconds.
    pub modified: i64,
}

impl From<&ObjectRecord> for Entry {
    fn from(record: &ObjectRecord) -> Self {
        Self {
            size: record.size,
            etag: record.etag.as_str().into(),
            modified: record.modified,
        }
    }
}

/// One page: keys and, with a delimiter, common prefixes, both ascending by bytes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub objects: Vec<(String, Entry)>,
    pub prefixes: Vec<String>,
    /// The last key or prefix on this page, if more follow.
    pub next: Option<String>,
}

/// The objects of an owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Figure {
    pub objects: usize,
    pub bytes: u64,
}

#[derive(Default)]
struct State {
    keys: BTreeMap<String, Entry>,
    /// By the prefix of the owner; changed with `keys`, so that nobody adds up all objects of an owner.
    owners: HashMap<String, Figure>,
    /// While the index is being loaded: keys changed since, which older records on disk must not overwrite.
    touched: Option<HashSet<String>>,
}

impl State {
    fn insert(&mut self, record: &ObjectRecord) {
        let before = self.keys.insert(record.key.clone(), record.into());
        let owner = self.owners.entry(owner_prefix(&record.key).to_owned());
        let figure = owner.or_default();
        figure.objects += 1;
        figure.bytes += record.size;
        if let Some(before) = before {
            figure.objects -= 1;
            figure.bytes -= before.size;
        }
    }

    fn remove(&mut self, key: &str) {
        let Some(before) = self.keys.remove(key) else {
            return;
        };
        let owner = owner_prefix(key);
        if let Some(figure) = self.owners.get_mut(owner) {
            figure.objects -= 1;
            figure.bytes -= before.size;
            if figure.objects == 0 {
                self.owners.remove(owner);
            }
        }
    }
}

#[derive(Default)]
pub(crate) struct Index {
    state: Mutex<State>,
}

impl Index {
    /// An index about to be loaded from disk.
    pub(crate) fn loading() -> Self {
        let index = Self::default();
        index.lock().touched = Some(HashSet::new());
        index
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a record found on disk while loading.
    pub(crate) fn found(&self, record: &ObjectRecord) {
        let mut state = self.lock();
        if state
            .touched
            .as_ref()
            .is_some_and(|touched| touched.contains(&record.key))
        {
            return;
        }
        state.insert(record);
    }

    /// Ends loading.
    pub(crate) fn loaded(&self) {
        self.lock().touched = None;
    }

    pub(crate) fn put(&self, record: &ObjectRecord) {
        let mut state = self.lock();
        if let Some(touched) = &mut state.touched {
            touched.insert(record.key.clone());
        }
        state.insert(record);
    }

    pub(crate) fn remove(&self, key: &str) {
        let mut state = self.lock();
        if let Some(touched) = &mut state.touched {
            touched.insert(key.to_owned());
        }
        state.remove(key);
    }

    /// The objects below the prefix of an owner.
    pub(crate) fn below(&self, owner: &str) -> Figure {
        self.lock().owners.get(owner).copied().unwrap_or_default()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.lock().keys.contains_key(key)
    }

    /// The figures of all owners, added up anew, and as they are kept.
    #[cfg(test)]
    pub(crate) fn added_up(&self) -> (HashMap<String, Figure>, HashMap<String, Figure>) {
        let state = self.lock();
        let mut owners: HashMap<String, Figure> = HashMap::new();
        for (key, entry) in &state.keys {
            let owner = owners.entry(owner_prefix(key).to_owned());
            let figure = owner.or_default();
            figure.objects += 1;
            figure.bytes += entry.size;
        }
        (owners, state.owners.clone())
    }

    /// Lists at most `limit` keys and prefixes after `after` (a key or a common prefix, exclusive).
    pub(crate) fn list(
        &self,
        prefix: &str,
        delimiter: Option<&str>,
        after: Option<&str>,
        limit: usize,
    ) -> Page {
        let mut page = Page::default();
        if limit == 0 {
            return page;
        }
        let state = self.lock();
        let delimiter = delimiter.filter(|d| !d.is_empty());
        let common = |key: &str| -> Option<String> {
            let delimiter = delimiter?;
            let rest = key.get(prefix.len()..)?;
            rest.find(delimiter)
                .map(|at| key[..prefix.len() + at + delimiter.len()].to_owned())
        };
        let mut from: Bound<String> = match after {
            // `after` may be a common prefix: skip everything below it.
            Some(after) if after >= prefix => match common(after) {
                Some(folder) if folder == after => past(&folder),
                _ => Bound::Excluded(after.to_owned()),
            },
            _ => Bound::Included(prefix.to_owned()),
        };
        let mut last: Option<String> = None;
        loop {
            let Some((key, entry)) = state.keys.range((from.clone(), Bound::Unbounded)).next()
            else {
                return page;
            };
            if !key.starts_with(prefix) {
                return page;
            }
            if page.objects.len() + page.prefixes.len() == limit {
                page.next = last;
                return page;
            }
            match common(key) {
                Some(folder) => {
                    from = past(&folder);
                    last = Some(folder.clone());
                    page.prefixes.push(folder);
                }
                None => {
                    from = Bound::Excluded(key.clone());
                    last = Some(key.clone());
                    page.objects.push((key.clone(), entry.clone()));
                }
            }
        }
    }
}

/// The lower bound after all keys that start with `folder` (not empty). UTF-8 preserves the order of code points.
fn past(folder: &str) -> Bound<String> {
    let mut chars: Vec<char> = folder.chars().collect();
    while let Some(last) = chars.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            chars.push(next);
            return Bound::Included(chars.into_iter().collect());
        }
    }
    // Only a prefix that consists of the last code point has no successor; keys after it start with more repetitions of
    // it.
    Bound::Excluded(folder.repeat(1025))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(keys: &[&str]) -> Index {
        let index = Index::default();
        for key in keys {
            index.put(&record(key));
        }
        index
    }

    fn record(key: &str) -> ObjectRecord {
        ObjectRecord {
            key: key.to_owned(),
            size: 1,
            etag: "e".into(),
            sha256: String::new(),
            headers: Default::default(),
            modified: 0,
            generation: "g".into(),
            segments: vec![1],
        }
    }

    fn names(page: &Page) -> Vec<&str> {
        page.objects.iter().map(|(k, _)| k.as_str()).collect()
    }

    #[test]
    fn pages_are_in_byte_order_and_meet_without_gap_or_overlap() {
        let index = index(&["u/1/a", "u/1/b", "u/1/模型", "u/10/x", "u/2/a"]);
        let first = index.list("u/1/", None, None, 2);
        assert_eq!(names(&first), ["u/1/a", "u/1/b"]);
        assert_eq!(first.next.as_deref(), Some("u/1/b"));
        let second = index.list("u/1/", None, first.next.as_deref(), 2);
        assert_eq!(names(&second), ["u/1/模型"]);
        assert_eq!(second.next, None);
        // A token outside the prefix cannot reach outside the prefix.
        assert_eq!(
            names(&index.list("u/1/", None, Some("u/0"), 9)),
            ["u/1/a", "u/1/b", "u/1/模型"]
        );
        assert!(index.list("u/1/", None, Some("u/2/"), 9).objects.is_empty());
    }

    #[test]
    fn a_delimiter_folds_folders() {
        let index = index(&["a", "b/1", "b/2", "b-", "c/1/x", "d"]);
        let all = index.list("", Some("/"), None, 9);
        assert_eq!(names(&all), ["a", "b-", "d"]);
        assert_eq!(all.prefixes, ["b/", "c/"]);
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = index.list("", Some("/"), after.as_deref(), 1);
            seen.extend(names(&page).into_iter().map(str::to_owned));
            seen.extend(page.prefixes);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, ["a", "b-", "b/", "c/", "d"]);
    }

    #[test]
    fn a_folder_is_passed_whatever_its_characters() {
        let high = format!("a/{}/x", char::MAX);
        let index = index(&["a/1", &high, "a/\u{d7ff}/1", "a/\u{d7ff}/2", "b"]);
        assert_eq!(index.list("", Some("/"), None, 9).prefixes, ["a/"]);
        let folders = index.list("a/", Some("\u{d7ff}"), None, 9);
        assert_eq!(
            (folders.prefixes.as_slice(), folders.objects.len()),
            (["a/\u{d7ff}".to_owned()].as_slice(), 2)
        );
    }

    #[test]
    fn what_changed_while_loading_wins_over_the_disk() {
        let index = Index::loading();
        index.remove("gone");
        index.found(&record("gone"));
        index.found(&record("stays"));
        index.loaded();
        assert_eq!(names(&index.list("", None, None, 9)), ["stays"]);
    }
}
