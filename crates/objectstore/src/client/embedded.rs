//! Our own store in this process.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio_util::io::ReaderStream;

use super::presign::{Links, Presigner};
use super::{
    ByteRange, ListPage, MAX_RANGE_BYTES, ObjectMeta, ObjectStore, ObjectSummary,
    check_delete_prefix,
};
use crate::config::StoreConfig;
use crate::credential::{CredentialIssuer, EmbeddedIssuer, Grantee};
use crate::disk::{Bucket, Disk, Expectation, Headers, NewObject, ObjectRecord, joined};
use crate::error::{Result, StoreError};
use crate::sign::Signer;

/// The root key pair.
#[derive(Clone, Serialize, Deserialize)]
struct RootKeys {
    root_key: String,
    root_secret: String,
}

/// Our own store, opened in this process. Cheap to clone; opening the same directory again returns the same store.
#[derive(Clone)]
pub struct EmbeddedStore {
    disk: Arc<Disk>,
    config: Arc<StoreConfig>,
    keys: RootKeys,
    issuer: EmbeddedIssuer,
}

impl EmbeddedStore {
    /// Opens the directory (created if missing), its buckets and its root key pair.
    pub async fn open(config: StoreConfig) -> Result<Self> {
        joined(tokio::task::spawn_blocking(move || {
            let disk = Disk::open(&config)?;
            let keys = root_keys(&config, disk.root())?;
            let issuer = EmbeddedIssuer::new(&keys.root_secret, &config.private_bucket)?
                .revoking(disk.clone());
            Ok(Self {
                disk,
                config: Arc::new(config),
                keys,
                issuer,
            })
        }))
        .await
    }

    /// The configuration it was opened with.
    pub fn config(&self) -> &StoreConfig {
        &self.config
    }

    /// Whether the store takes bodies: its disk has the least free bytes and inodes. Also the gauge
    /// `objectstore_disk_full`.
    pub fn has_room(&self) -> bool {
        let full = self.disk.room().is_full().unwrap_or_else(|error| {
            tracing::error!(%error, "the free room of the store's disk cannot be read");
            true
        });
        metrics::gauge!("objectstore_disk_full").set(if full { 1.0 } else { 0.0 });
        !full
    }

    /// Root access key: the configured one, or the one generated when the store was first opened.
    pub fn root_key(&self) -> &str {
        &self.keys.root_key
    }

    /// Root secret.
    pub fn root_secret(&self) -> &str {
        &self.keys.root_secret
    }

    /// An [`ObjectStore`] for one bucket.
    pub fn objects(&self, bucket: &str) -> Result<Arc<dyn ObjectStore>> {
        let signer = Signer {
            access_key: self.keys.root_key.clone(),
            secret_key: self.keys.root_secret.clone(),
            session_token: None,
            region: self.config.region.clone(),
            service: "s3",
        };
        let presigner = Presigner {
            signer,
            base: self.config.public_url(),
            bucket: bucket.to_owned(),
            links: Links::OfSessions(EmbeddedIssuer::new(&self.keys.root_secret, bucket)?),
        };
        Ok(Arc::new(EmbeddedObjects {
            bucket: self.disk.bucket(bucket)?,
            presigner,
        }))
    }

    /// Issuer of temporary credentials for the private bucket.
    pub fn issuer(&self) -> Arc<dyn CredentialIssuer> {
        Arc::new(self.issuer.clone())
    }

    pub(crate) fn embedded_issuer(&self) -> EmbeddedIssuer {
        self.issuer.clone()
    }

    pub(crate) fn disk(&self) -> Arc<Disk> {
        self.disk.clone()
    }

    /// Removes what has been untouched for `age`: unfinished uploads, leftovers of completed ones, and files no record
    /// references. [`crate::server::serve`] calls this every hour.
    pub async fn sweep(&self, age: Duration) {
        let disk = self.disk.clone();
        match joined(tokio::task::spawn_blocking(move || disk.sweep(age))).await {
            Ok(swept) if swept.uploads + swept.files > 0 => {
                tracing::info!(
                    uploads = swept.uploads,
                    files = swept.files,
                    "object store: leftovers removed"
                );
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "object store: sweep ended early"),
        }
    }
}

/// The configured pair, or the one kept in the directory: generated on first use, readable only by its owner.
fn root_keys(config: &StoreConfig, root: &Path) -> Result<RootKeys> {
    if !config.root_key.is_empty() {
        return Ok(RootKeys {
            root_key: config.root_key.clone(),
            root_secret: config.root_secret.clone(),
        });
    }
    let path = root.join("keys.json");
    if let Ok(bytes) = std::fs::read(&path) {
        return serde_json::from_slice(&bytes)
            .map_err(|e| StoreError::Damaged(format!("keys.json: {e}")));
    }
    let random = || uuid::Uuid::new_v4().simple().to_string();
    let keys = RootKeys {
        root_key: format!("XR{}", random().to_ascii_uppercase()),
        root_secret: format!("{}{}", random(), random()),
    };
    let json = serde_json::to_vec(&keys).map_err(|e| StoreError::Damaged(e.to_string()))?;
    let mut file = tempfile::Builder::new()
        .permissions(std::fs::Permissions::from_mode(0o600))
        .tempfile_in(root)?;
    file.write_all(&json)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|e| e.error)?;
    Ok(keys)
}

struct EmbeddedObjects {
    bucket: Arc<Bucket>,
    presigner: Presigner,
}

impl From<ObjectRecord> for ObjectMeta {
    fn from(record: ObjectRecord) -> Self {
        Self {
            size: record.size,
            etag: record.etag,
            sha256: Some(record.sha256),
            content_type: record.headers.content_type,
            modified: record.modified.div_euclid(1000),
        }
    }
}

impl EmbeddedObjects {
    async fn on_disk<T: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<Bucket>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let bucket = self.bucket.clone();
        joined(tokio::task::spawn_blocking(move || work(bucket))).await
    }
}

impl EmbeddedObjects {
    async fn copied(&self, from: &str, etag: Option<String>, to: &str) -> Result<ObjectMeta> {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.on_disk(move |bucket| {
            let headers = bucket.head(&from)?.headers;
            let record = bucket.copy_to(
                &from,
                etag.as_deref(),
                &bucket,
                NewObject {
                    key: to,
                    headers,
                    condition: None,
                },
            )?;
            Ok(record.into())
        })
        .await
    }
}

fn new_object(key: &str, content_type: &str) -> NewObject {
    let content_type = Some(content_type.to_owned()).filter(|t| !t.is_empty());
    NewObject {
        key: key.to_owned(),
        headers: Headers {
            content_type,
            ..Default::default()
        },
        condition: None,
    }
}

#[async_trait]
impl ObjectStore for EmbeddedObjects {
    fn bucket(&self) -> &str {
        self.bucket.name()
    }

    fn public_address(&self) -> &str {
        &self.presigner.base
    }

    async fn ping(&self) -> Result<()> {
        self.on_disk(|bucket| bucket.check()).await
    }

    async fn head(&self, key: &str) -> Result<Option<ObjectMeta>> {
        let key = key.to_owned();
        match self.on_disk(move |bucket| bucket.head(&key)).await {
            Ok(record) => Ok(Some(record.into())),
            Err(StoreError::NoSuchKey(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn get_to_file(&self, key: &str, path: &Path) -> Result<ObjectMeta> {
        let (key, path) = (key.to_owned(), path.to_owned());
        self.on_disk(move |bucket| {
            let reading = bucket.open_for_reading(&key)?;
            let meta = reading.record().clone().into();
            reading.write_to(&path)?;
            Ok(meta)
        })
        .await
    }

    async fn get_range(&self, key: &str, range: ByteRange) -> Result<Bytes> {
        let key = key.to_owned();
        self.on_disk(move |bucket| {
            let mut reading = bucket.open_for_reading(&key)?;
            let mut wanted = range.within(reading.record().size)?;
            let mut content =
                BytesMut::with_capacity((wanted.end - wanted.start).min(MAX_RANGE_BYTES) as usize);
            while !wanted.is_empty() {
                let piece = reading.read_piece(wanted.clone())?;
                wanted.start += piece.len() as u64;
                content.extend_from_slice(&piece);
            }
            Ok(content.freeze())
        })
        .await
    }

    async fn put_file(&self, key: &str, path: &Path, content_type: &str) -> Result<ObjectMeta> {
        let file = tokio::fs::File::open(path).await?;
        let length = file.metadata().await?.len();
        let body = ReaderStream::with_capacity(file, 1024 * 1024);
        let expectation = Expectation {
            length: Some(length),
            ..Default::default()
        };
        let (record, _) = self
            .bucket
            .put(
                new_object(key, content_type),
                None,
                body,
                expectation,
                |_| Ok(()),
            )
            .await?;
        Ok(record.into())
    }

    async fn put_bytes(&self, key: &str, content: Bytes, content_type: &str) -> Result<ObjectMeta> {
        let expectation = Expectation {
            length: Some(content.len() as u64),
            ..Default::default()
        };
        let body = futures::stream::iter([Ok::<_, StoreError>(content)]).boxed();
        let (record, _) = self
            .bucket
            .put(
                new_object(key, content_type),
                None,
                body,
                expectation,
                |_| Ok(()),
            )
            .await?;
        Ok(record.into())
    }

    async fn delete(&self, key: &str) -> Result<()> {
        let key = key.to_owned();
        self.on_disk(move |bucket| bucket.delete(&key)).await?;
        Ok(())
    }

    async fn delete_prefix(&self, prefix: &str) -> Result<u64> {
        check_delete_prefix(prefix)?;
        let mut removed = 0;
        loop {
            let page = self.bucket.list(prefix, None, None, 1000).await;
            let keys: Vec<String> = page.objects.into_iter().map(|(key, _)| key).collect();
            if keys.is_empty() {
                return Ok(removed);
            }
            removed += keys.len() as u64;
            self.on_disk(move |bucket| {
                keys.iter()
                    .try_for_each(|key| bucket.delete(key).map(|_| ()))
            })
            .await?;
        }
    }

    async fn list(&self, prefix: &str, continuation: Option<&str>) -> Result<ListPage> {
        let page = self.bucket.list(prefix, None, continuation, 1000).await;
        let line = |(key, entry): (String, crate::disk::Entry)| ObjectSummary {
            key,
            size: entry.size,
            etag: entry.etag.into(),
            modified: entry.modified.div_euclid(1000),
        };
        Ok(ListPage {
            objects: page.objects.into_iter().map(line).collect(),
            continuation: page.next,
        })
    }

    async fn copy(&self, from: &str, to: &str) -> Result<ObjectMeta> {
        self.copied(from, None, to).await
    }

    async fn copy_if(&self, from: &str, original: &ObjectMeta, to: &str) -> Result<ObjectMeta> {
        self.copied(from, Some(original.etag.clone()), to).await
    }

    /// The collector of the store removes them by itself.
    async fn abort_uploads(&self, _prefix: &str, _before: i64) -> Result<u64> {
        Ok(0)
    }

    fn presign_get(
        &self,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        self.presigner.get(key, lifetime, file_name, content_type)
    }

    fn presign_get_for(
        &self,
        to: &Grantee<'_>,
        key: &str,
        lifetime: Duration,
        file_name: Option<&str>,
        content_type: Option<&str>,
    ) -> Result<String> {
        self.presigner
            .get_for(to, key, lifetime, file_name, content_type)
    }

    fn presign_put(&self, key: &str, lifetime: Duration) -> Result<String> {
        self.presigner.put(key, lifetime)
    }

    fn presign_part(
        &self,
        key: &str,
        upload_id: &str,
        part_number: u32,
        lifetime: Duration,
    ) -> Result<String> {
        self.presigner.part(key, upload_id, part_number, lifetime)
    }
}
