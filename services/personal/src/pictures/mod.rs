//! Picture safety. Every place that uses a user's picture calls [`Personal::check_picture`], which reads it from our store,
//! re-encodes it and judges what it shows; public pictures go through [`Personal::publish_picture`].

pub(crate) mod address;
mod checks;
pub(crate) mod judge;
mod review;
pub(crate) mod sweep;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, SignedIn};
use objectstore::{ByteRange, StoreError};
use picturescan::{Clean, Limits, Refusal};
use proto::code;
use proto::personal::v1::{ImageScanRequest, PictureCalls};
use sha2::{Digest, Sha256};
use tokio::sync::OwnedSemaphorePermit;

pub(crate) use address::own_key;
pub(crate) use checks::Checks;
pub(crate) use judge::{LocalJudge, Verdict};

use crate::Personal;

/// Maximum avatar size in MB; other places have their own limits.
pub(crate) const AVATAR_MB: u64 = 50;
/// Longest side of a published avatar, in pixels: it is never shown larger than 256 points.
const AVATAR_SIDE: u32 = 512;

/// Shown to the owner of a picture that needs a reviewer.
pub(crate) const AWAITING: &str = "图片需要人工审核，通过后即可使用";

/// How long a check waits for a free slot.
const TURN: Duration = Duration::from_secs(20);

/// A re-encoded picture and the verdict on it.
pub(crate) struct Checked {
    pub clean: Arc<Clean>,
    /// Lower-case hex SHA-256 of the upload.
    pub sha256: String,
    pub verdict: Verdict,
}

pub(crate) fn refused(reason: impl Into<String>) -> ServiceError {
    BusinessError::new(code::IMAGE_REFUSED, reason).into()
}

pub(crate) fn away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "a picture could not be read or kept");
    ServiceError::Unavailable("object store")
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

impl PictureCalls<ServiceError> for Personal {
    async fn image_sync_scan(
        &self,
        caller: &SignedIn,
        request: ImageScanRequest,
    ) -> Result<(), ServiceError> {
        self.check_picture(caller.login_id(), &request.img_url, AVATAR_MB)
            .await?;
        Ok(())
    }
}

impl Personal {
    /// Checks that a picture of the caller may be published. `img_url` names an object below the caller's prefix in our store.
    ///
    /// Errors: 60103 with the reason; also while the picture waits for a reviewer.
    pub(crate) async fn check_picture(
        &self,
        owner: &str,
        img_url: &str,
        max_mb: u64,
    ) -> Result<Checked, ServiceError> {
        let checked = self.judge_picture(owner, img_url, max_mb).await?;
        if let Verdict::Undecided(cause) = &checked.verdict {
            self.await_review(owner, &checked, cause).await?;
            return Err(refused(AWAITING));
        }
        Ok(checked)
    }

    /// Like [`Personal::check_picture`], for pictures shown to operators only: undecided ones are accepted.
    pub(crate) async fn judge_picture(
        &self,
        owner: &str,
        img_url: &str,
        max_mb: u64,
    ) -> Result<Checked, ServiceError> {
        // Taken before the bytes are read: they stay in memory until the check ends.
        let turn = self.turn().await?;
        let bytes = self.picture_bytes(owner, img_url, max_mb).await?;
        self.judge_in(turn, owner, bytes, max_mb).await
    }

    /// Like [`Personal::judge_picture`], for bytes in memory. `owner`: whose review decisions apply; empty: none.
    pub(crate) async fn judge_bytes(
        &self,
        owner: &str,
        bytes: Bytes,
        max_mb: u64,
    ) -> Result<Checked, ServiceError> {
        let turn = self.turn().await?;
        self.judge_in(turn, owner, bytes, max_mb).await
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, ServiceError> {
        let turn = tokio::time::timeout(TURN, self.checks.turns.clone().acquire_owned()).await;
        match turn {
            Ok(Ok(turn)) => Ok(turn),
            _ => Err(ServiceError::Unavailable("checks of pictures")),
        }
    }

    async fn judge_in(
        &self,
        turn: OwnedSemaphorePermit,
        owner: &str,
        bytes: Bytes,
        max_mb: u64,
    ) -> Result<Checked, ServiceError> {
        let sha256 = hash(&bytes);
        let decided = self.decision(owner, &sha256).await?;
        if let Some(Verdict::Refused(reason)) = decided {
            return Err(refused(reason));
        }
        let clean = self.made_anew(bytes, max_mb, turn).await?;
        let verdict = match decided {
            Some(verdict) => verdict,
            None => {
                let scanner = self.scanner().await?;
                self.checks
                    .judge
                    .judge(&clean, &self.context.db, &scanner)
                    .await?
            }
        };
        metrics::counter!("personal_pictures_total", "verdict" => verdict.name()).increment(1);
        match verdict {
            Verdict::Refused(reason) => Err(refused(reason)),
            verdict => Ok(Checked {
                clean: Arc::new(clean),
                sha256,
                verdict,
            }),
        }
    }

    async fn picture_bytes(
        &self,
        owner: &str,
        img_url: &str,
        max_mb: u64,
    ) -> Result<Bytes, ServiceError> {
        let objects = &self.context.objects;
        let (server, bucket) = (objects.public_address(), objects.bucket());
        let key = own_key(img_url, server, bucket, owner)?;
        let meta = objects.head(&key).await.map_err(away)?;
        let meta = meta.ok_or_else(|| BusinessError::invalid("图片不存在，请重新上传"))?;
        let largest = max_mb.min(AVATAR_MB) * 1024 * 1024;
        if meta.size > largest {
            return Err(refused(Refusal::Bytes(max_mb).to_string()));
        }
        // Enforces the limit even if the owner replaces the object meanwhile: the bytes read are those judged and stored.
        let range = ByteRange {
            start: 0,
            end: Some(largest),
        };
        objects.get_range(&key, range).await.map_err(away)
    }

    async fn made_anew(
        &self,
        bytes: Bytes,
        max_mb: u64,
        turn: OwnedSemaphorePermit,
    ) -> Result<Clean, ServiceError> {
        let limits = Limits {
            bytes: max_mb * 1024 * 1024,
            ..self.checks.limits
        };
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            picturescan::clean(&bytes, &limits)
        });
        match work.await {
            Ok(Ok(clean)) => Ok(clean),
            Ok(Err(refusal)) => Err(refused(refusal.to_string())),
            // A panic of the decoder means a malformed picture.
            Err(error) => {
                tracing::error!(%error, "a picture broke its decoder");
                Err(refused(Refusal::Broken.to_string()))
            }
        }
    }

    /// Stores a checked picture at a public key of its own and returns its address. It is swept unless the transaction that refers
    /// to it calls [`sweep::keep`].
    pub(crate) async fn publish_picture(&self, checked: &Checked) -> Result<String, ServiceError> {
        let clean = &checked.clean;
        self.put_picture(clean.content_type, Bytes::copy_from_slice(&clean.bytes))
            .await
    }

    /// The same of a picture that many see small.
    pub(crate) async fn publish_avatar(&self, checked: &Checked) -> Result<String, ServiceError> {
        let turn = self.turn().await?;
        let clean = checked.clean.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            clean.fitted(AVATAR_SIDE)
        });
        let (content_type, bytes) = work
            .await
            .map_err(anyhow::Error::from)?
            .map_err(|refusal| refused(refusal.to_string()))?;
        self.put_picture(content_type, bytes.into()).await
    }

    async fn put_picture(
        &self,
        content_type: &'static str,
        bytes: Bytes,
    ) -> Result<String, ServiceError> {
        let objects = &self.context.objects;
        // Unique per publication: removing one copy must not remove a picture that another user shows.
        let own = Sha256::new().chain_update(new_id()).chain_update(&bytes);
        let extension = picturescan::extension(content_type);
        let key = objectstore::public_key(&hex::encode(own.finalize()), extension);
        let unless_named = self.context.clock.now_ms() + sweep::REPLACED_MS;
        sweep::due(&self.context.db, &key, unless_named).await?;
        let put = objects.put_bytes(&key, bytes, content_type).await;
        put.map_err(away)?;
        Ok(format!("{}{key}", self.store_address()))
    }

    /// Common prefix of the addresses of our store's objects.
    fn store_address(&self) -> String {
        let objects = &self.context.objects;
        let server = objects.public_address().trim_end_matches('/');
        format!("{server}/{}/", objects.bucket())
    }

    /// The key of a public picture that `address` names; none for other addresses.
    pub(crate) fn own_public_key<'a>(&self, address: &'a str) -> Option<&'a str> {
        let key = address.strip_prefix(&self.store_address())?;
        let name = key.strip_prefix(objectstore::PUBLIC_PREFIX)?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '.';
        (!name.is_empty() && name.chars().all(plain)).then_some(key)
    }
}
