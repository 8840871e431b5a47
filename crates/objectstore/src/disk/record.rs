//! The records stored beside the bytes, and how a file is made durable.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};

/// Headers stored with an object and returned with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Headers {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_disposition: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_encoding: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<String>,
    /// `x-amz-meta-*` of the uploader, names without the prefix.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

/// Limit on user metadata in bytes (names and values), as in S3.
const MAX_METADATA_BYTES: usize = 2048;
/// Limit on each other header in bytes.
const MAX_HEADER_BYTES: usize = 1024;

impl Headers {
    /// Rejects more than S3 would store, and characters not allowed in a header.
    pub(crate) fn check(&self) -> Result<()> {
        let single = [
            &self.content_type,
            &self.content_disposition,
            &self.content_encoding,
            &self.cache_control,
        ];
        if single
            .into_iter()
            .flatten()
            .any(|v| v.len() > MAX_HEADER_BYTES || v.chars().any(char::is_control))
        {
            return Err(StoreError::InvalidArgument(
                "a header is too long or has control characters".into(),
            ));
        }
        let total: usize = self.metadata.iter().map(|(k, v)| k.len() + v.len()).sum();
        if total > MAX_METADATA_BYTES {
            return Err(StoreError::InvalidArgument(
                "user metadata has more than 2 KB".into(),
            ));
        }
        Ok(())
    }
}

/// An object: `object.json` in its folder. Its bytes are the files `{generation}-{n}`, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ObjectRecord {
    pub key: String,
    pub size: u64,
    /// Without quotes.
    pub etag: String,
    /// Hex, of the whole content.
    pub sha256: String,
    #[serde(flatten)]
    pub headers: Headers,
    /// Unix time in milliseconds.
    pub modified: i64,
    /// Names the files of this content; every content of a key has its own.
    pub generation: String,
    /// Size of each file in bytes, in order.
    pub segments: Vec<u64>,
}

/// An upload in parts: `upload.json` in its folder.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct UploadRecord {
    pub key: String,
    #[serde(flatten)]
    pub headers: Headers,
    /// Unix time in milliseconds.
    pub initiated: i64,
}

/// The result of an upload: `completed.json` in its folder; makes completion idempotent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CompletedRecord {
    pub etag: String,
    pub sha256: String,
    pub size: u64,
    /// Part numbers and ETags from the completion request.
    pub parts: Vec<(u32, String)>,
    /// Unix time in milliseconds.
    pub completed: i64,
}

/// Reads a JSON record; `None` if the file does not exist.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match serde_json::from_slice(&bytes) {
        Ok(record) => Ok(Some(record)),
        Err(error) => Err(StoreError::Damaged(format!("{}: {error}", path.display()))),
    }
}

/// Writes a JSON record atomically: a reader, also after a power failure, sees the old or the new one.
pub(crate) fn write_json<T: Serialize>(path: &Path, record: &T) -> Result<()> {
    let bytes = serde_json::to_vec(record).map_err(|e| StoreError::Damaged(e.to_string()))?;
    let temporary = path.with_extension("new");
    let written = (|| -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    })();
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(error.into());
    }
    match path.parent() {
        Some(folder) => sync_folder(folder),
        None => Ok(()),
    }
}

/// Makes the names in a folder durable (fsync).
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// Creates a folder and its missing parents, down from `base`, durably.
pub(crate) fn make_folder(base: &Path, folder: &Path) -> Result<()> {
    if folder == base || folder.is_dir() {
        return Ok(());
    }
    let Some(parent) = folder.parent() else {
        return Ok(());
    };
    make_folder(base, parent)?;
    match fs::create_dir(folder) {
        Ok(()) => sync_folder(parent),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes a file; succeeds if it does not exist.
pub(crate) fn remove_file(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

/// Unix time in milliseconds.
pub(crate) fn now_ms() -> i64 {
    (time::OffsetDateTime::now_utc().unix_timestamp_nanos() / 1_000_000) as i64
}
