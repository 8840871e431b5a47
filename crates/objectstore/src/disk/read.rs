//! Reading an object while others may replace it.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;

use super::bucket::{Bucket, ReadGuard};
use super::incoming::{TempFile, joined};
use super::object::segment_path;
use super::record::ObjectRecord;
use super::{hash_of_key, lock};
use crate::error::{Result, StoreError};

/// Bytes are read in pieces of this size.
const PIECE_BYTES: u64 = 512 * 1024;

/// An object opened for reading: a consistent snapshot, even if the key is replaced or deleted meanwhile.
pub(crate) struct Reading {
    record: ObjectRecord,
    folder: PathBuf,
    /// The last file read, and its number.
    current: Option<(usize, File)>,
    _guard: ReadGuard,
}

impl Bucket {
    pub(crate) fn open_for_reading(self: &Arc<Self>, key: &str) -> Result<Reading> {
        crate::name::check_key(key)?;
        let held = self.key_locks.of(&hash_of_key(key));
        let _held = lock(&held);
        let record = self.head(key)?;
        let guard = self.start_reading(&record.generation);
        Ok(Reading {
            folder: self.object_folder(key),
            record,
            current: None,
            _guard: guard,
        })
    }
}

impl Reading {
    pub(crate) fn record(&self) -> &ObjectRecord {
        &self.record
    }

    /// Reads at most one piece of `range`, which must lie inside the object; empty only for an empty range.
    pub(crate) fn read_piece(&mut self, range: Range<u64>) -> Result<Bytes> {
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let mut before = 0;
        for (n, size) in self.record.segments.iter().copied().enumerate() {
            if range.start < before + size {
                let offset = range.start - before;
                let length = (size - offset)
                    .min(range.end - range.start)
                    .min(PIECE_BYTES);
                return self.read_from(n, offset, length);
            }
            before += size;
        }
        Err(StoreError::InvalidRange)
    }

    fn read_from(&mut self, n: usize, offset: u64, length: u64) -> Result<Bytes> {
        let mut file = match self.current.take() {
            Some((open, file)) if open == n => file,
            _ => File::open(segment_path(&self.folder, &self.record.generation, n))?,
        };
        file.seek(SeekFrom::Start(offset))?;
        let mut piece = Vec::with_capacity(length as usize);
        let read = (&mut file).take(length).read_to_end(&mut piece)? as u64;
        if read != length {
            return Err(StoreError::Damaged(format!(
                "file {n} of {} is too short",
                self.record.key
            )));
        }
        self.current = Some((n, file));
        Ok(piece.into())
    }

    /// The bytes of `range`, piece by piece, reading one ahead.
    pub(crate) fn into_stream(
        self,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes>> + Send + Sync + 'static {
        let first = next_piece(self, range);
        futures::stream::unfold(first, |step| async move {
            let (reading, rest, piece) = match joined(step?).await {
                Ok(ready) => ready,
                Err(error) => return Some((Err(error), None)),
            };
            Some((Ok(piece), next_piece(reading, rest)))
        })
    }

    /// Writes the whole content to a file, created or replaced atomically.
    pub(crate) fn write_to(self, path: &Path) -> Result<()> {
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let temp = TempFile::new(folder);
        let mut target = File::create_new(temp.path())?;
        for (n, size) in self.record.segments.iter().copied().enumerate() {
            let mut source = File::open(segment_path(&self.folder, &self.record.generation, n))?;
            // Stays inside the kernel (copy_file_range), and shares blocks where the file system supports it.
            let copied = io::copy(&mut source, &mut target)?;
            if copied != size {
                return Err(StoreError::Damaged(format!(
                    "file {n} of {} has {copied} bytes",
                    self.record.key
                )));
            }
        }
        drop(target);
        fs::rename(temp.path(), path)?;
        Ok(())
    }
}

type Step = tokio::task::JoinHandle<Result<(Reading, Range<u64>, Bytes)>>;

fn next_piece(mut reading: Reading, range: Range<u64>) -> Option<Step> {
    if range.is_empty() {
        return None;
    }
    Some(tokio::task::spawn_blocking(move || {
        let piece = reading.read_piece(range.clone())?;
        let rest = range.start + piece.len() as u64..range.end;
        Ok((reading, rest, piece))
    }))
}
