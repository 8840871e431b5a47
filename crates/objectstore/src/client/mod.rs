//! The interface services use: the same for our own store in this process and any S3-compatible one.

mod embedded;
pub(crate) mod http;
mod presign;
mod s3;
mod uploads;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

pub use embedded::EmbeddedStore;

use crate::config::{ClientConfig, StoreConfig};
use crate::credential::{CredentialIssuer, Grantee};
use crate::error::{Result, StoreError};

/// Metadata of an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectMeta {
    /// Bytes.
    pub size: u64,
    /// ETag without quotes: hex MD5, or `hex-N` for an object of N parts.
    pub etag: String,
    /// Hex SHA-256 of the whole content as computed by the store; `None` when an external store has none. Never a value
    /// claimed by an uploader.
    pub sha256: Option<String>,
    /// Media type given at upload.
    pub content_type: Option<String>,
    /// Last modification, Unix time in seconds.
    pub modified: i64,
}

/// One entry of a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectSummary {
    /// Full key.
    pub key: String,
    /// Bytes.
    pub size: u64,
    /// ETag without quotes.
    pub etag: String,
    /// Last modification, Unix time in seconds.
    pub modified: i64,
}

/// One page of a listing, keys in ascending byte order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListPage {
    /// At most 1000 objects.
    pub objects: Vec<ObjectSummary>,
    /// Pass this to the next call; `None` at the end.
    pub continuation: Option<String>,
}

/// Bytes `start..end` of an object, `end` exclusive; `None`: to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteRange {
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: Option<u64>,
}

/// Largest range that is read into memory, in bytes.
pub(crate) const MAX_RANGE_BYTES: u64 = 64 * 1024 * 1024;

impl ByteRange {
    /// The range resolved for an object of `size` bytes.
    fn within(&self, size: u64) -> Result<std::ops::Range<u64>> {
        let end = self.end.unwrap_or(size).min(size);
        // An empty object has one valid range, the empty one.
        if self.start > end || (self.start == size && size > 0) {
            return Err(StoreError::InvalidRange);
        }
        if end - self.start > MAX_RANGE_BYTES {
            return Err(StoreError::TooLarge(MAX_RANGE_BYTES));
        }
        Ok(self.start..end)
    }
}

/// Rejects prefixes that would delete the whole bucket or match partial names.
fn check_delete_prefix(prefix: &str) -> Result<()> {
    if prefix.ends_with('/') {
        crate::name::check_key(prefix)
    } else {
        Err(StoreError::InvalidArgument(
            "a prefix to delete is not empty and ends with a slash".into(),
        ))
    }
}

/// Objects of one bucket. Keys are UTF-8, at most 1024 bytes, without `.` and `..` segments.
#[async_trait]
pub trait ObjectStore: Send + Sync {
    /// The bucket this store works in.
    fn bucket(&self) -> &str;

    /// URL of the store as browsers reach it (`server` in the response of `getHuaweiParam`).
    fn public_address(&self) -> &str;

    /// Whether the store works: it answers, and has its bucket. Error: why not.
    async fn ping(&self) -> Result<()>;

    /// Metadata of an object; `None` if it does not exist.
    async fn head(&self, key: &str) -> Result<Option<ObjectMeta>>;

    /// Writes the content to `path` (created or replaced; on an error nothing is left there). Returns the metadata of
    /// what was read.
    async fn get_to_file(&self, key: &str, path: &Path) -> Result<ObjectMeta>;

    /// Reads a range into memory; at most 64 MiB. A range that starts at or after the end fails with `InvalidRange`.
    async fn get_range(&self, key: &str, range: ByteRange) -> Result<Bytes>;

    /// Stores the file's content; durable when this returns.
    async fn put_file(&self, key: &str, path: &Path, content_type: &str) -> Result<ObjectMeta>;

    /// Stores bytes; durable when this returns.
    async fn put_bytes(&self, key: &str, content: Bytes, content_type: &str) -> Result<ObjectMeta>;

    /// Deletes an object; succeeds if it does not exist.
    async fn delete(&self, key: &str) -> Result<()>;

    /// Deletes every object below a prefix (not empty, ending with `/`). Returns the number deleted.
    async fn delete_prefix(&self, prefix: &str) -> Result<u64>;

    /// Lists keys starting with `prefix`, 1000 at a time.
    async fn list(&self, prefix: &str, continuation: Option<&str>) -> Result<ListPage>;

    /// Copies an object within the bucket.
    async fn copy(&self, from: &str, to: &str) -> Result<ObjectMeta>;

    /// As [`ObjectStore::copy`], only while the content is still `original`'s; else `PreconditionFailed`. The copy may have
    /// another ETag.
    async fn copy_if(&self, from: &str, original: &ObjectMeta, to: &str) -> Result<ObjectMeta>;

    /// Aborts uploads below a prefix that were begun before a time, Unix time in seconds. Returns their number.
    async fn abort_uploads(&self, prefix: &str, before: i64) -> Result<u64>;

    /// A URL that downloads the object, valid for `lifetime` (at most 7 days). `file_name` (any UTF-8) sets the name
    /// the browser saves it under; `content_type` overrides the stored one.
    fn presign_get(
        &self,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String>;

    /// As [`ObjectStore::presign_get`], for a signed-in user: in our own store the URL ends with the session, and a download
    /// under way with its next piece; without a session by its time. It reads this object only, and lives for [`crate::MAX_LINK_LIFE`] at most; with an
    /// external store, which cannot end it, for `ClientConfig::link_seconds`.
    fn presign_get_for(
        &self,
        to: &Grantee<'_>,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String>;

    /// A URL that stores one object with a plain `PUT`.
    fn presign_put(&self, key: &str, lifetime: Duration) -> Result<String>;

    /// A URL that stores one part of a multipart upload with a plain `PUT`.
    fn presign_part(
        &self,
        key: &str,
        upload_id: &str,
        part_number: u32,
        lifetime: Duration,
    ) -> Result<String>;
}

/// A store and its credential issuer.
pub struct Connection {
    /// For the service itself.
    pub store: Arc<dyn ObjectStore>,
    /// For its users.
    pub issuer: Arc<dyn CredentialIssuer>,
}

/// Connects by URL. `file:` opens (or shares, within this process) our own store in that directory with the other
/// settings of `embedded`; `s3:` connects to any S3-compatible store.
pub async fn connect(config: &ClientConfig, embedded: &StoreConfig) -> Result<Connection> {
    if let Some(path) = config.url.strip_prefix("file:") {
        let mut store_config = embedded.clone();
        store_config.root = path.into();
        let store = EmbeddedStore::open(store_config).await?;
        return Ok(Connection {
            issuer: store.issuer(),
            store: store.objects(&config.bucket)?,
        });
    }
    if let Some(endpoint) = config.url.strip_prefix("s3:") {
        return s3::connect(config, endpoint);
    }
    Err(StoreError::Config(
        "objectstore.url starts with file: or s3:".into(),
    ))
}
