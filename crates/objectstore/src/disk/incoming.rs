//! Receiving a body into a temporary file, hashed and measured as it arrives, durable at the end.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::{Stream, StreamExt};
use md5::Md5;
use s3s::checksum::ChecksumHasher;
use s3s::dto::Checksum;
use sha2::{Digest, Sha256};
use tokio::task::JoinHandle;

use super::record::remove_file;
use super::room::Claim;
use super::share::Arriving;
use crate::error::{Result, StoreError};

/// Bytes are written and hashed in pieces of this size.
const PIECE_BYTES: usize = 1024 * 1024;

/// A sender that is silent for this long is treated as gone.
const SILENCE: Duration = Duration::from_secs(60);

/// A file in the store's `tmp` folder; removed on drop unless it was moved away.
#[derive(Debug)]
pub(crate) struct TempFile {
    path: PathBuf,
}

impl TempFile {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            path: folder.join(uuid::Uuid::new_v4().simple().to_string()),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = remove_file(&self.path);
    }
}

/// Limits and expected digests of a body, and which digests to compute.
#[derive(Default)]
pub(crate) struct Expectation {
    /// Announced length in bytes.
    pub length: Option<u64>,
    /// Largest length in bytes.
    pub limit: u64,
    /// Announced MD5 of the body.
    pub md5: Option<[u8; 16]>,
    /// Compute the SHA-256 as well.
    pub sha256: bool,
    /// Checksums announced by the sender.
    pub checksums: ChecksumHasher,
    /// Counts the bytes to the user who sends them.
    pub arriving: Option<Arriving>,
}

/// A body received completely.
pub(crate) struct Received {
    pub file: TempFile,
    pub size: u64,
    pub md5: [u8; 16],
    /// Hex; empty when not requested.
    pub sha256: String,
    pub checksums: Checksum,
    /// Dropped once the bytes count as a part or an object.
    pub arriving: Option<Arriving>,
    /// Room for the folders and records that come now.
    pub claim: Claim,
}

struct Sink {
    /// Removed with the sink, also when nobody waits for it any more.
    temp: TempFile,
    claim: Claim,
    file: File,
    md5: Md5,
    sha256: Option<Sha256>,
    checksums: ChecksumHasher,
}

impl Sink {
    fn write(mut self, piece: Bytes) -> Result<Self> {
        let file = &mut self.file;
        self.claim
            .write(piece.len() as u64, || file.write_all(&piece))?;
        self.md5.update(&piece);
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(&piece);
        }
        self.checksums.update(&piece);
        Ok(self)
    }
}

/// Awaits work on the blocking pool; a panic there becomes an error.
pub(crate) async fn joined<T>(task: JoinHandle<Result<T>>) -> Result<T> {
    match task.await {
        Ok(result) => result,
        Err(error) => Err(StoreError::Io(std::io::Error::other(error))),
    }
}

/// Receives a body into `folder`, in the room claimed for it. One piece is written and hashed while the next one is awaited; no thread waits for
/// the network, so slow senders cannot exhaust the pool.
pub(crate) async fn receive<S, E>(
    folder: &Path,
    mut body: S,
    expectation: Expectation,
    claim: Claim,
) -> Result<Received>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
    E: std::fmt::Display,
{
    let limit = expectation.limit;
    if expectation.length.is_some_and(|length| length > limit) {
        return Err(StoreError::TooLarge(limit));
    }
    let temp = TempFile::new(folder);
    let mut sink = tokio::task::spawn_blocking(move || -> Result<Sink> {
        let file = File::create_new(temp.path())?;
        Ok(Sink {
            temp,
            claim,
            file,
            md5: Md5::new(),
            sha256: expectation.sha256.then(Sha256::new),
            checksums: expectation.checksums,
        })
    });
    let mut arriving = expectation.arriving;
    let mut size = 0u64;
    let mut pending = BytesMut::new();
    loop {
        let next = tokio::time::timeout(SILENCE, body.next())
            .await
            .map_err(|_| StoreError::IncompleteBody("the sender went silent".into()))?;
        let Some(chunk) = next else { break };
        let chunk = chunk.map_err(|e| StoreError::IncompleteBody(e.to_string()))?;
        size += chunk.len() as u64;
        if size > limit {
            return Err(StoreError::TooLarge(limit));
        }
        if let Some(arriving) = &mut arriving {
            arriving.reach(size)?;
        }
        pending.extend_from_slice(&chunk);
        if pending.len() >= PIECE_BYTES {
            let piece = std::mem::replace(
                &mut pending,
                BytesMut::with_capacity(PIECE_BYTES + 64 * 1024),
            )
            .freeze();
            let ready = joined(sink).await?;
            sink = tokio::task::spawn_blocking(move || ready.write(piece));
        }
    }
    if let Some(expected) = expectation.length
        && expected != size
    {
        return Err(StoreError::WrongLength {
            expected,
            got: size,
        });
    }
    let ready = joined(sink).await?;
    let rest = pending.freeze();
    let wanted_md5 = expectation.md5;
    joined(tokio::task::spawn_blocking(move || -> Result<Received> {
        let sink = ready.write(rest)?;
        let md5: [u8; 16] = sink.md5.finalize().into();
        if wanted_md5.is_some_and(|wanted| wanted != md5) {
            return Err(StoreError::BadDigest("Content-MD5"));
        }
        sink.file.sync_all()?;
        Ok(Received {
            file: sink.temp,
            size,
            md5,
            sha256: sink
                .sha256
                .map(|h| hex::encode(h.finalize()))
                .unwrap_or_default(),
            checksums: sink.checksums.finalize(),
            arriving,
            claim: sink.claim,
        })
    }))
    .await
}
