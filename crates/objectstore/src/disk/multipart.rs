//! Multipart uploads. Access follows the right to write the key, not the credentials that began the upload.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use md5::Md5;
use sha2::{Digest, Sha256};

use super::bucket::Bucket;
use super::incoming::{Expectation, Received, joined, receive};
use super::lock;
use super::object::{Condition, Content, NewObject};
use super::owner::Counts;
use super::record::{
    CompletedRecord, Headers, UploadRecord, make_folder, now_ms, remove_file, sync_folder,
    write_json,
};
use super::share::Share;
use super::upload::{PartInfo, Upload};
use crate::error::{Result, StoreError};

/// One entry of a listing of uploads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UploadSummary {
    pub key: String,
    pub id: String,
    /// Unix time in milliseconds.
    pub initiated: i64,
}

/// A folder and its record, and the record of its completion.
const FILES_OF_UPLOAD: u64 = 3;

impl Bucket {
    pub(super) fn load_uploads(&self) -> Result<()> {
        for entry in fs::read_dir(&self.uploads_folder)? {
            let folder = entry?.path();
            let Some(id) = folder.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            match Upload::load(&folder, id) {
                Ok(Some(upload)) => {
                    let counts = lock(&upload.state).counts(self.limits.min_part_bytes);
                    lock(&self.uploads).insert(upload, counts);
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, id, "an upload cannot be read"),
            }
        }
        Ok(())
    }

    /// Begins an upload, within the caller's share. Returns its id.
    pub(crate) fn create_upload(
        self: &Arc<Self>,
        key: &str,
        share: Option<Share>,
        headers: Headers,
    ) -> Result<String> {
        crate::name::check_key(key)?;
        headers.check()?;
        let _claim = self.room.claim(0, FILES_OF_UPLOAD)?;
        let most = self.limits.max_open_uploads_per_user;
        if lock(&self.uploads).of_owner(key).open >= most {
            return Err(StoreError::TooMany("open uploads", most));
        }
        let _arriving = self.expect(share, None, 1)?;
        let id = uuid::Uuid::new_v4().simple().to_string();
        let folder = self.uploads_folder.join(&id);
        make_folder(&self.uploads_folder, &folder)?;
        let record = UploadRecord {
            key: key.to_owned(),
            headers,
            initiated: now_ms(),
        };
        let upload = Upload::create(id.clone(), &folder, record)?;
        let counts = lock(&upload.state).counts(self.limits.min_part_bytes);
        lock(&self.uploads).insert(upload, counts);
        Ok(id)
    }

    /// Finds an upload by key and id; the id alone is not enough.
    fn upload(&self, key: &str, id: &str) -> Result<Arc<Upload>> {
        let found = lock(&self.uploads).get(key, id);
        found.ok_or_else(|| StoreError::NoSuchUpload(id.to_owned()))
    }

    /// Receives a part, within the sender's share; durable when this returns. A part sent again replaces the previous one.
    pub(crate) async fn put_part<S, E>(
        self: &Arc<Self>,
        (key, id, number): (&str, &str, u32),
        share: Option<Share>,
        body: S,
        expectation: Expectation,
        verify: impl FnOnce(&s3s::dto::Checksum) -> Result<()> + Send,
    ) -> Result<(PartInfo, s3s::dto::Checksum)>
    where
        S: Stream<Item = Result<Bytes, E>> + Unpin,
        E: std::fmt::Display,
    {
        if number == 0 || number > self.limits.max_parts {
            let message = format!("part numbers go from 1 to {}", self.limits.max_parts);
            return Err(StoreError::InvalidArgument(message));
        }
        let upload = self.upload(key, id)?;
        let largest = self.largest(share.as_ref(), key);
        let others = upload.bytes_beside(number);
        let room = largest.saturating_sub(others);
        if expectation.length.is_some_and(|length| length > room) {
            return Err(StoreError::TooLarge(largest));
        }
        let small = expectation
            .length
            .is_none_or(|length| length < self.limits.min_part_bytes);
        let expectation = Expectation {
            limit: room,
            arriving: self.expect(share, expectation.length, usize::from(small))?,
            ..expectation
        };
        let claim = self.room.claim(expectation.length.unwrap_or(0), 1)?;
        let received = receive(&self.temporary, body, expectation, claim).await?;
        verify(&received.checksums)?;
        let bucket = self.clone();
        joined(tokio::task::spawn_blocking(move || {
            bucket.keep_part(&upload, number, largest, received)
        }))
        .await
    }

    fn keep_part(
        &self,
        upload: &Upload,
        number: u32,
        largest: u64,
        received: Received,
    ) -> Result<(PartInfo, s3s::dto::Checksum)> {
        let part = PartInfo {
            number,
            size: received.size,
            etag: hex::encode(received.md5),
            modified: now_ms(),
        };
        let mut state = lock(&upload.state);
        if state.gone || state.completed.is_some() {
            return Err(upload.missing());
        }
        if state.bytes_beside(number) + part.size > largest {
            return Err(StoreError::TooLarge(largest));
        }
        fs::rename(received.file.path(), upload.path_of(&part))?;
        sync_folder(&upload.folder)?;
        if let Some(before) = state.parts.insert(number, part.clone())
            && before.file_name() != part.file_name()
        {
            remove_file(&upload.path_of(&before))?;
        }
        lock(&self.uploads).count(upload, state.counts(self.limits.min_part_bytes));
        // From here on they count as a part.
        drop((received.arriving, received.claim));
        Ok((part, received.checksums))
    }

    /// Parts with a number above `after`, ascending, and whether more follow.
    pub(crate) fn list_parts(
        &self,
        key: &str,
        id: &str,
        after: u32,
        limit: usize,
    ) -> Result<(Vec<PartInfo>, bool)> {
        let upload = self.upload(key, id)?;
        let state = lock(&upload.state);
        if state.gone || state.completed.is_some() {
            return Err(upload.missing());
        }
        let mut rest = state
            .parts
            .range(after.saturating_add(1)..)
            .map(|(_, part)| part.clone());
        let page: Vec<PartInfo> = rest.by_ref().take(limit).collect();
        Ok((page, rest.next().is_some()))
    }

    /// Open uploads whose key starts with `prefix`, after `after` (key and id), and whether more follow.
    pub(crate) fn list_uploads(
        &self,
        prefix: &str,
        after: (&str, &str),
        limit: usize,
    ) -> (Vec<UploadSummary>, bool) {
        let all = lock(&self.uploads);
        let mut open = all
            .open_from(after.max((prefix, "")), prefix)
            .skip_while(|upload| (upload.record.key.as_str(), upload.id.as_str()) == after);
        let page: Vec<UploadSummary> = open
            .by_ref()
            .take(limit)
            .map(|upload| UploadSummary {
                key: upload.record.key.clone(),
                id: upload.id.clone(),
                initiated: upload.record.initiated,
            })
            .collect();
        (page, open.next().is_some())
    }

    /// Aborts an upload and deletes its parts. Fails for a completed one.
    pub(crate) fn abort_upload(&self, key: &str, id: &str) -> Result<()> {
        let upload = self.upload(key, id)?;
        let mut state = lock(&upload.state);
        if state.gone || state.completed.is_some() {
            return Err(upload.missing());
        }
        upload.remove(&mut state)?;
        lock(&self.uploads).remove(&upload);
        Ok(())
    }

    /// Assembles the named parts (number and ETag without quotes, ascending) to the object. Idempotent for the same
    /// parts: after success (same result) and after a kill at any point. `share`: of the caller.
    pub(crate) fn complete_upload(
        &self,
        key: &str,
        id: &str,
        wanted: &[(u32, String)],
        wanted_size: Option<u64>,
        (share, condition): (Option<&Share>, Option<Condition>),
    ) -> Result<CompletedRecord> {
        let upload = self.upload(key, id)?;
        let mut state = lock(&upload.state);
        if state.gone {
            return Err(upload.missing());
        }
        if let Some(done) = &state.completed {
            return if done.parts == wanted {
                Ok(done.clone())
            } else {
                Err(upload.missing())
            };
        }
        let parts = self.check_parts(&state.parts, wanted)?;
        let paths: Vec<PathBuf> = parts.iter().map(|part| upload.path_of(part)).collect();
        let size: u64 = parts.iter().map(|part| part.size).sum();
        if let Some(expected) = wanted_size.filter(|expected| *expected != size) {
            return Err(StoreError::WrongLength {
                expected,
                got: size,
            });
        }
        let largest = self.largest(share, key);
        if size > largest {
            return Err(StoreError::TooLarge(largest));
        }
        let etag = etag_of_parts(&parts);
        let sha256 = sha256_of_files(&paths)?;
        let content = Content {
            files: paths
                .iter()
                .map(PathBuf::as_path)
                .zip(parts.iter().map(|part| part.size))
                .collect(),
            etag: etag.clone(),
            sha256: sha256.clone(),
            keep_names: true,
        };
        let new = NewObject {
            key: key.to_owned(),
            headers: upload.record.headers.clone(),
            condition,
        };
        self.commit(new, content)?;
        lock(&self.uploads).count(&upload, Counts::COMPLETED);
        let done = CompletedRecord {
            etag,
            sha256,
            size,
            parts: wanted.to_vec(),
            completed: now_ms(),
        };
        write_json(&upload.folder.join("completed.json"), &done)?;
        for part in state.parts.values() {
            // The object has its own links by now; a file left here is removed later with the folder.
            let _ = remove_file(&upload.path_of(part));
        }
        state.parts.clear();
        state.completed = Some(done.clone());
        Ok(done)
    }

    fn check_parts(
        &self,
        have: &BTreeMap<u32, PartInfo>,
        wanted: &[(u32, String)],
    ) -> Result<Vec<PartInfo>> {
        if wanted.is_empty() {
            return Err(StoreError::InvalidArgument(
                "an upload is completed with one part or more".into(),
            ));
        }
        if wanted.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err(StoreError::InvalidPartOrder);
        }
        let mut parts = Vec::with_capacity(wanted.len());
        let mut total = 0u64;
        for (n, (number, etag)) in wanted.iter().enumerate() {
            let part = have
                .get(number)
                .ok_or(StoreError::InvalidPart(*number as i32, "missing"))?;
            if part.etag != *etag {
                return Err(StoreError::InvalidPart(*number as i32, "another ETag"));
            }
            if n + 1 < wanted.len() && part.size < self.limits.min_part_bytes {
                return Err(StoreError::PartTooSmall(*number as i32));
            }
            total += part.size;
            parts.push(part.clone());
        }
        if total > self.limits.max_object_bytes {
            return Err(StoreError::TooLarge(self.limits.max_object_bytes));
        }
        Ok(parts)
    }
}

/// S3's ETag of an object made of parts: MD5 over the parts' MD5s, and their number.
fn etag_of_parts(parts: &[PartInfo]) -> String {
    let mut md5 = Md5::new();
    for part in parts {
        // Parts' ETags are hex by construction.
        md5.update(hex::decode(&part.etag).unwrap_or_default());
    }
    format!("{}-{}", hex::encode(md5.finalize()), parts.len())
}

fn sha256_of_files(paths: &[PathBuf]) -> Result<String> {
    let mut sha256 = Sha256::new();
    let mut buffer = vec![0u8; 1024 * 1024];
    for path in paths {
        let mut file = File::open(path)?;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            sha256.update(&buffer[..read]);
        }
    }
    Ok(hex::encode(sha256.finalize()))
}
