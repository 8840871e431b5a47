//! The uploads of a bucket by key and id, and what each owner has of them: kept as they change, so that nobody waits while all
//! uploads of an owner are counted.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::owner::{Counts, owner_prefix};
use super::upload::Upload;

#[derive(Default)]
pub(crate) struct Uploads {
    all: BTreeMap<(String, String), (Arc<Upload>, Counts)>,
    owners: HashMap<String, Counts>,
}

impl Uploads {
    pub(super) fn insert(&mut self, upload: Upload, counts: Counts) {
        let (key, id) = (upload.record.key.clone(), upload.id.clone());
        self.owner(&key).add(counts);
        self.all.insert((key, id), (Arc::new(upload), counts));
    }

    /// The upload is or holds something else now.
    pub(super) fn count(&mut self, upload: &Upload, counts: Counts) {
        let name = (upload.record.key.clone(), upload.id.clone());
        let Some((_, known)) = self.all.get_mut(&name) else {
            return;
        };
        let before = std::mem::replace(known, counts);
        let owner = self.owner(&name.0);
        owner.add(counts);
        owner.take(before);
    }

    pub(super) fn remove(&mut self, upload: &Upload) {
        let name = (upload.record.key.clone(), upload.id.clone());
        let Some((_, counts)) = self.all.remove(&name) else {
            return;
        };
        let owner = self.owner(&name.0);
        owner.take(counts);
        if *owner == Counts::default() {
            self.owners.remove(owner_prefix(&name.0));
        }
    }

    fn owner(&mut self, key: &str) -> &mut Counts {
        self.owners.entry(owner_prefix(key).to_owned()).or_default()
    }

    /// Of all uploads of the owner of a key or a prefix.
    pub(super) fn of_owner(&self, key: &str) -> Counts {
        let counts = self.owners.get(owner_prefix(key));
        counts.copied().unwrap_or_default()
    }

    pub(super) fn get(&self, key: &str, id: &str) -> Option<Arc<Upload>> {
        let found = self.all.get(&(key.to_owned(), id.to_owned()));
        found.map(|(upload, _)| upload.clone())
    }

    pub(super) fn all(&self) -> Vec<Arc<Upload>> {
        self.all
            .values()
            .map(|(upload, _)| upload.clone())
            .collect()
    }

    /// Open ones from `from` (key and id) on, whose keys start with `prefix`.
    pub(super) fn open_from<'a>(
        &'a self,
        from: (&str, &str),
        prefix: &'a str,
    ) -> impl Iterator<Item = &'a Upload> {
        self.all
            .range((from.0.to_owned(), from.1.to_owned())..)
            .take_while(move |((key, _), _)| key.starts_with(prefix))
            .filter(|(_, (_, counts))| counts.open > 0)
            .map(|(_, (upload, _))| &**upload)
    }

    /// The figures of all owners, counted anew.
    #[cfg(test)]
    pub(super) fn counted(&self) -> HashMap<String, Counts> {
        let mut owners: HashMap<String, Counts> = HashMap::new();
        for ((key, _), (_, counts)) in &self.all {
            let owner = owners.entry(owner_prefix(key).to_owned());
            owner.or_default().add(*counts);
        }
        owners
    }

    #[cfg(test)]
    #[track_caller]
    pub(super) fn assert_counted(&self, upload: &Upload, counts: Counts) {
        let name = (upload.record.key.clone(), upload.id.clone());
        assert_eq!(self.all[&name].1, counts);
    }

    #[cfg(test)]
    pub(super) fn kept(&self) -> &HashMap<String, Counts> {
        &self.owners
    }
}
