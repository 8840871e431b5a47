//! Objects: store, look up, delete, copy.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;

use super::bucket::Bucket;
use super::incoming::{Expectation, Received, TempFile, joined, receive};
use super::record::{
    Headers, ObjectRecord, make_folder, now_ms, read_json, remove_file, sync_folder, write_json,
};
use super::share::Share;
use super::{hash_of_key, lock};
use crate::error::{Result, StoreError};

/// Precondition on the object that is replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// `If-None-Match: *`
    Absent,
    /// `If-Match` with an ETag without quotes.
    Is(String),
}

/// An object about to be stored.
pub(crate) struct NewObject {
    pub key: String,
    pub headers: Headers,
    pub condition: Option<Condition>,
}

/// Files and folders of a new object: its bytes, its record, its folder, and the one around it.
const FILES_OF_OBJECT: u64 = 4;

/// Durable files that become an object: in order, with their sizes.
pub(super) struct Content<'a> {
    pub files: Vec<(&'a Path, u64)>,
    pub etag: String,
    pub sha256: String,
    /// Keep the files' present names too (parts of an upload) instead of moving them.
    pub keep_names: bool,
}

impl Bucket {
    /// Receives a body and stores it as an object, within the sender's share; durable when this returns. Returns the
    /// checksums as well.
    pub(crate) async fn put<S, E>(
        self: &Arc<Self>,
        new: NewObject,
        share: Option<Share>,
        body: S,
        expectation: Expectation,
        verify: impl FnOnce(&s3s::dto::Checksum) -> Result<()> + Send,
    ) -> Result<(ObjectRecord, s3s::dto::Checksum)>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::fmt::Display,
    {
        crate::name::check_key(&new.key)?;
        new.headers.check()?;
        let limit = self.largest(share.as_ref(), &new.key);
        if expectation.length.is_some_and(|length| length > limit) {
            return Err(StoreError::TooLarge(limit));
        }
        let new_entries = usize::from(!self.index.has(&new.key));
        let expectation = Expectation {
            sha256: true,
            limit,
            arriving: self.expect(share, expectation.length, new_entries)?,
            ..expectation
        };
        let claim = self
            .room
            .claim(expectation.length.unwrap_or(0), FILES_OF_OBJECT)?;
        let received = receive(&self.temporary, body, expectation, claim).await?;
        verify(&received.checksums)?;
        let bucket = self.clone();
        joined(tokio::task::spawn_blocking(move || {
            let Received {
                file,
                size,
                md5,
                sha256,
                checksums,
                arriving,
                claim,
            } = received;
            let content = Content {
                files: vec![(file.path(), size)],
                etag: hex::encode(md5),
                sha256,
                keep_names: false,
            };
            let record = bucket.commit(new, content)?;
            drop((arriving, claim));
            Ok((record, checksums))
        }))
        .await
    }

    /// Makes durable files the content of a key. The rename of `object.json` is the commit point.
    pub(super) fn commit(&self, new: NewObject, content: Content<'_>) -> Result<ObjectRecord> {
        let held = self.key_locks.of(&hash_of_key(&new.key));
        let _held = lock(&held);
        let folder = self.object_folder(&new.key);
        let record_path = folder.join("object.json");
        let before = read_json::<ObjectRecord>(&record_path)?;
        check_condition(new.condition.as_ref(), before.as_ref())?;
        let record = ObjectRecord {
            key: new.key,
            size: content.files.iter().map(|(_, size)| size).sum(),
            etag: content.etag,
            sha256: content.sha256,
            headers: new.headers,
            modified: now_ms(),
            generation: uuid::Uuid::new_v4().simple().to_string(),
            segments: content.files.iter().map(|(_, size)| *size).collect(),
        };
        make_folder(&self.objects, &folder)?;
        let placed = (|| -> Result<()> {
            for (n, (file, _)) in content.files.iter().enumerate() {
                place(
                    file,
                    &segment_path(&folder, &record.generation, n),
                    content.keep_names,
                )?;
            }
            sync_folder(&folder)?;
            write_json(&record_path, &record)
        })();
        if let Err(error) = placed {
            // Removes only the new names, and only if no record references them: the last step may have failed after
            // the record was renamed. The key's previous content is untouched.
            let now = read_json::<ObjectRecord>(&record_path);
            if matches!(&now, Ok(now) if now.as_ref().map(|r| &r.generation) != Some(&record.generation))
            {
                for path in segment_paths(&folder, &record) {
                    let _ = remove_file(&path);
                }
            }
            return Err(error);
        }
        self.index.put(&record);
        if let Some(before) = before {
            self.discard(&before.generation, segment_paths(&folder, &before));
        }
        Ok(record)
    }

    /// The record of a key.
    pub(crate) fn head(&self, key: &str) -> Result<ObjectRecord> {
        crate::name::check_key(key)?;
        read_json(&self.object_folder(key).join("object.json"))?
            .ok_or_else(|| StoreError::NoSuchKey(key.to_owned()))
    }

    /// Deletes an object. Returns whether it existed.
    pub(crate) fn delete(&self, key: &str) -> Result<bool> {
        crate::name::check_key(key)?;
        let held = self.key_locks.of(&hash_of_key(key));
        let _held = lock(&held);
        let folder = self.object_folder(key);
        let record_path = folder.join("object.json");
        let Some(record) = read_json::<ObjectRecord>(&record_path)? else {
            self.index.remove(key);
            return Ok(false);
        };
        remove_file(&record_path)?;
        sync_folder(&folder)?;
        self.index.remove(key);
        self.discard(&record.generation, segment_paths(&folder, &record));
        // Fails while there are readers; the collector removes the folder later.
        let _ = fs::remove_dir(&folder);
        Ok(true)
    }

    /// Copies an object to `new.key`, possibly into another bucket of the same store; with `etag` only the content that
    /// has it. Bytes are hard-linked, not copied.
    pub(crate) fn copy_to(
        self: &Arc<Self>,
        from: &str,
        etag: Option<&str>,
        target: &Bucket,
        new: NewObject,
    ) -> Result<ObjectRecord> {
        crate::name::check_key(&new.key)?;
        new.headers.check()?;
        let reading = self.open_for_reading(from)?;
        let record = reading.record();
        if etag.is_some_and(|etag| etag != record.etag) {
            return Err(StoreError::PreconditionFailed);
        }
        let folder = self.object_folder(from);
        let paths = segment_paths(&folder, record);
        let files = paths
            .iter()
            .map(PathBuf::as_path)
            .zip(record.segments.iter().copied())
            .collect();
        let content = Content {
            files,
            etag: record.etag.clone(),
            sha256: record.sha256.clone(),
            keep_names: true,
        };
        target.commit(new, content)
    }
}

fn check_condition(condition: Option<&Condition>, before: Option<&ObjectRecord>) -> Result<()> {
    let holds = match condition {
        None => true,
        Some(Condition::Absent) => before.is_none(),
        Some(Condition::Is(etag)) => before.is_some_and(|record| record.etag == *etag),
    };
    if holds {
        Ok(())
    } else {
        Err(StoreError::PreconditionFailed)
    }
}

/// Puts a durable file in its place: a hard link, a move, or a copy where the file system has no hard links.
fn place(file: &Path, target: &Path, keep_name: bool) -> Result<()> {
    if !keep_name {
        fs::rename(file, target)?;
        return Ok(());
    }
    if fs::hard_link(file, target).is_ok() {
        return Ok(());
    }
    let folder = target.parent().unwrap_or(target);
    let copy = TempFile::new(folder);
    fs::copy(file, copy.path())?;
    fs::File::open(copy.path())?.sync_all()?;
    fs::rename(copy.path(), target)?;
    Ok(())
}

pub(super) fn segment_path(folder: &Path, generation: &str, n: usize) -> PathBuf {
    folder.join(format!("{generation}-{n}"))
}

pub(super) fn segment_paths(folder: &Path, record: &ObjectRecord) -> Vec<PathBuf> {
    (0..record.segments.len())
        .map(|n| segment_path(folder, &record.generation, n))
        .collect()
}
