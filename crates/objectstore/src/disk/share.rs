//! What one user has stored and is sending: bytes are counted where they are, so no caller can forget to.

use std::sync::Arc;

use super::bucket::Bucket;
use super::lock;
use super::owner::Coming;
use crate::credential::{Quota, kept_prefix, user_prefix};
use crate::error::{Result, StoreError};

/// A user and the user's limits, from temporary credentials.
#[derive(Debug, Clone)]
pub(crate) struct Share {
    owner: String,
    quota: Quota,
    uploaded: String,
    kept: String,
}

impl Share {
    pub(crate) fn new(owner: &str, quota: &Quota) -> Result<Self> {
        Ok(Self {
            owner: owner.to_owned(),
            quota: quota.clone(),
            uploaded: user_prefix(owner)?,
            kept: kept_prefix(owner)?,
        })
    }
}

/// Bytes that are arriving for a user. They count until this is dropped, which is after they have become a part or an
/// object: for a moment they may count twice, and never not at all, so two uploads cannot both have the last byte.
pub(crate) struct Arriving {
    bucket: Arc<Bucket>,
    share: Share,
    own: Coming,
}

impl Bucket {
    /// Counts the announced length of a body to the user who sends it, and the `entries` it becomes; a caller without a
    /// share has no limits.
    pub(super) fn expect(
        self: &Arc<Self>,
        share: Option<Share>,
        announced: Option<u64>,
        entries: usize,
    ) -> Result<Option<Arriving>> {
        let Some(share) = share else { return Ok(None) };
        let mut arriving = Arriving {
            bucket: self.clone(),
            share,
            own: Coming::default(),
        };
        arriving.enter(entries)?;
        arriving.reach(announced.unwrap_or(0))?;
        Ok(Some(arriving))
    }

    /// Bytes below both of a user's prefixes, and those of the open uploads. While the index is being loaded after a
    /// start this is too little for users whose objects have not been found yet.
    fn stored_by(&self, share: &Share) -> u64 {
        let open = lock(&self.uploads).of_owner(&share.uploaded).bytes;
        let [uploaded, kept] =
            [&share.uploaded, &share.kept].map(|own| self.index.below(own).bytes);
        open + uploaded + kept
    }

    /// What counts to the limit of things that no service has taken in.
    fn unclaimed_by(&self, share: &Share) -> usize {
        let uploads = lock(&self.uploads).of_owner(&share.uploaded).entries();
        uploads + self.index.below(&share.uploaded).objects
    }

    /// The largest object that this user may store under this key.
    pub(super) fn largest(&self, share: Option<&Share>, key: &str) -> u64 {
        let most = share.map_or(u64::MAX, |share| share.quota.largest(key));
        most.min(self.limits.max_object_bytes)
    }
}

impl Arriving {
    /// The body has `total` bytes by now, or announces them. Errors: they do not fit.
    pub(super) fn reach(&mut self, total: u64) -> Result<()> {
        let more = total.saturating_sub(self.own.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut all = lock(&self.bucket.arriving);
        if let Some(limit) = self.share.quota.storage_bytes {
            let arriving = all.get(&self.share.owner).map_or(0, |all| all.bytes);
            let used = self.bucket.stored_by(&self.share) + arriving;
            if used.saturating_add(more) > limit {
                return Err(StoreError::QuotaExceeded(limit));
            }
        }
        all.entry(self.share.owner.clone()).or_default().bytes += more;
        self.own.bytes = total;
        Ok(())
    }

    /// So many more objects, uploads or small parts. Errors: they are too many.
    fn enter(&mut self, entries: usize) -> Result<()> {
        if entries == 0 {
            return Ok(());
        }
        let most = self.bucket.limits.max_unclaimed_per_user;
        let mut all = lock(&self.bucket.arriving);
        let arriving = all.get(&self.share.owner).map_or(0, |all| all.entries);
        if self.bucket.unclaimed_by(&self.share) + arriving + entries > most {
            let what = "uploaded objects, uploads and small parts that no service has taken in";
            return Err(StoreError::TooMany(what, most));
        }
        all.entry(self.share.owner.clone()).or_default().entries += entries;
        self.own.entries += entries;
        Ok(())
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let mut all = lock(&self.bucket.arriving);
        let Some(coming) = all.get_mut(&self.share.owner) else {
            return;
        };
        coming.bytes -= self.own.bytes;
        coming.entries -= self.own.entries;
        if *coming == Coming::default() {
            all.remove(&self.share.owner);
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tempfile::TempDir;

    use super::*;
    use crate::config::StoreConfig;
    use crate::disk::{Disk, Expectation, Headers, NewObject};

    const SMALL: u64 = 100;

    fn open(folder: &TempDir) -> (Arc<Disk>, Arc<Bucket>) {
        let config = StoreConfig {
            root: folder.path().to_owned(),
            min_part_bytes: SMALL,
            max_open_uploads_per_user: 4,
            ..Default::default()
        };
        let disk = Disk::open(&config).unwrap();
        let bucket = disk.bucket(&config.private_bucket).unwrap();
        (disk, bucket)
    }

    fn new_object(key: &str) -> NewObject {
        NewObject {
            key: key.to_owned(),
            headers: Headers::default(),
            condition: None,
        }
    }

    fn body(bytes: u64) -> impl futures::Stream<Item = Result<Bytes>> + Unpin {
        futures::stream::iter([Ok(Bytes::from(vec![7; bytes as usize]))])
    }

    /// What is kept of every owner equals what there is.
    fn assert_figures(bucket: &Bucket) {
        let (added_up, kept) = bucket.index.added_up();
        assert_eq!(added_up, kept);
        let uploads = lock(&bucket.uploads).all();
        for upload in uploads {
            let counts = lock(&upload.state).counts(SMALL);
            lock(&bucket.uploads).assert_counted(&upload, counts);
        }
        let uploads = lock(&bucket.uploads);
        assert_eq!(&uploads.counted(), uploads.kept());
    }

    /// Numbers that are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.0 >> 33) % end
        }
    }

    #[tokio::test]
    async fn the_figures_of_an_owner_are_the_sum_of_what_there_is() {
        let folder = TempDir::new().unwrap();
        let (disk, bucket) = open(&folder);
        let mut numbers = Numbers(1);
        let mut uploads: Vec<(String, String)> = Vec::new();
        for _ in 0..300 {
            let owner = numbers.below(3);
            let key = format!("u/{owner}/{}", numbers.below(5));
            let size = numbers.below(2 * SMALL);
            let chosen = match uploads.len() as u64 {
                0 => None,
                known => uploads.get(numbers.below(known) as usize).cloned(),
            };
            match (numbers.below(7), chosen) {
                (0 | 1, _) => {
                    let put = bucket.put(
                        new_object(&key),
                        None,
                        body(size),
                        Expectation::default(),
                        |_| Ok(()),
                    );
                    put.await.unwrap();
                }
                (2, _) => {
                    let _ = bucket.delete(&key).unwrap();
                }
                (3, _) => {
                    let kept = new_object(&key.replacen('u', "s", 1));
                    let _ = bucket.copy_to(&key, None, &bucket, kept);
                }
                (4, Some((key, id))) => {
                    let number = 1 + numbers.below(3) as u32;
                    let part = bucket.put_part(
                        (&key, &id, number),
                        None,
                        body(size),
                        Expectation::default(),
                        |_| Ok(()),
                    );
                    let _ = part.await;
                }
                (5, Some((key, id))) => {
                    let (parts, _) = bucket.list_parts(&key, &id, 0, 1).unwrap_or_default();
                    let parts: Vec<_> = parts
                        .into_iter()
                        .map(|part| (part.number, part.etag))
                        .collect();
                    let _ = bucket.complete_upload(&key, &id, &parts, None, (None, None));
                }
                (6, Some((key, id))) if numbers.below(3) == 0 => {
                    let _ = bucket.abort_upload(&key, &id);
                }
                _ => {
                    if let Ok(id) = bucket.create_upload(&key, None, Headers::default()) {
                        uploads.push((key, id));
                    }
                }
            }
            assert_figures(&bucket);
        }
        let objects = bucket.index.added_up();
        let counted = lock(&bucket.uploads).counted();
        assert_eq!(objects.0.len(), 6, "{objects:?}");
        assert_eq!(counted.len(), 3, "{counted:?}");
        let total = |of: fn(&crate::disk::owner::Counts) -> usize| -> usize {
            counted.values().map(of).sum()
        };
        assert!(
            total(|c| c.open) > 0 && total(|c| c.completed) > 0 && total(|c| c.small_parts) > 0
        );
        drop((bucket, disk));
        let (_disk, bucket) = open(&folder);
        // Waits for the index.
        bucket.list("", None, None, 1).await;
        assert_figures(&bucket);
        assert_eq!(bucket.index.added_up(), objects);
        assert_eq!(lock(&bucket.uploads).counted(), counted);
    }
}
