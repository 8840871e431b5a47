//! What one user has stored and is sending: bytes are counted where they are, so no caller can forget to.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::bucket::Bucket;
use super::lock;
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
    bytes: u64,
}

impl Bucket {
    /// Counts the announced length of a body to the user who sends it; a caller without a share has no limits.
    pub(super) fn expect(
        self: &Arc<Self>,
        share: Option<Share>,
        announced: Option<u64>,
    ) -> Result<Option<Arriving>> {
        let Some(share) = share else { return Ok(None) };
        let mut arriving = Arriving {
            bucket: self.clone(),
            share,
            bytes: 0,
        };
        arriving.reach(announced.unwrap_or(0))?;
        Ok(Some(arriving))
    }

    /// Bytes below both of a user's prefixes, and those of the open uploads. While the index is being loaded after a
    /// start this is too little for users whose objects have not been found yet.
    fn stored_by(&self, share: &Share) -> u64 {
        let from = (share.uploaded.clone(), String::new());
        let open: u64 = lock(&self.uploads)
            .range(from..)
            .take_while(|((key, _), _)| key.starts_with(&share.uploaded))
            .map(|(_, upload)| upload.bytes.load(Ordering::Acquire))
            .sum();
        open + self.index.bytes_below(&share.uploaded) + self.index.bytes_below(&share.kept)
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
        let more = total.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let mut all = lock(&self.bucket.arriving);
        if let Some(limit) = self.share.quota.storage_bytes {
            let others = all.get(&self.share.owner).copied().unwrap_or(0);
            let used = self.bucket.stored_by(&self.share) + others;
            if used.saturating_add(more) > limit {
                return Err(StoreError::QuotaExceeded(limit));
            }
        }
        *all.entry(self.share.owner.clone()).or_default() += more;
        self.bytes = total;
        Ok(())
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let mut all = lock(&self.bucket.arriving);
        let Some(bytes) = all.get_mut(&self.share.owner) else {
            return;
        };
        *bytes = bytes.saturating_sub(self.bytes);
        if *bytes == 0 {
            all.remove(&self.share.owner);
        }
    }
}
