//! Free room of the store's file system. What a body announces is taken from the moment it begins, and given back as it is
//! written, so that bodies that arrive at the same time cannot use the same room.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::lock;
use crate::config::StoreConfig;
use crate::error::{Result, StoreError};

/// Bytes that stay free at most on a disk for which no number is set.
const MOST_KEPT: u64 = 64 * 1024 * 1024;

/// What is free on a file system for others than root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Free {
    /// Free bytes.
    pub bytes: u64,
    /// All bytes, used and free.
    pub total_bytes: u64,
    /// Free inodes; `None`: the file system makes them as they are needed (Btrfs).
    pub files: Option<u64>,
}

impl Free {
    /// Of the file system on which `path` lies.
    pub fn on(path: &Path) -> std::io::Result<Self> {
        let stat = rustix::fs::statvfs(path)?;
        Ok(Self {
            bytes: stat.f_bavail.saturating_mul(stat.f_frsize),
            total_bytes: stat.f_blocks.saturating_mul(stat.f_frsize),
            files: (stat.f_files > 0).then_some(stat.f_favail),
        })
    }

    /// Whether at least so many bytes and inodes are free.
    pub fn has(&self, bytes: u64, files: u64) -> bool {
        self.bytes >= bytes && self.files.is_none_or(|free| free >= files)
    }
}

/// Looks what is free.
pub(super) type Look = Box<dyn Fn() -> std::io::Result<Free> + Send + Sync>;

pub(crate) struct Room {
    look: Look,
    /// `None`: what [`Room::least_of`] says.
    least_bytes: Option<u64>,
    least_files: u64,
    taken: Mutex<Taken>,
}

/// What bodies that are arriving need beyond what they have written.
#[derive(Default)]
struct Taken {
    bytes: u64,
    files: u64,
    /// Part of `bytes`: the pieces that are being written at this moment.
    writing: u64,
}

/// Room of one body, until this is dropped.
pub(crate) struct Claim {
    room: Arc<Room>,
    bytes: u64,
    files: u64,
}

impl Room {
    pub(super) fn new(look: Look, config: &StoreConfig) -> Arc<Self> {
        Arc::new(Self {
            look,
            // Not a number of bytes: -1.
            least_bytes: config.min_free_bytes.try_into().ok(),
            least_files: config.min_free_files,
            taken: Mutex::default(),
        })
    }

    /// Of a small disk a quarter: it must have room for objects, too. What stays is more than the databases beside it leave
    /// free (`[data] min_free_mb`), so that uploads are refused first.
    fn least_of(total_bytes: u64) -> u64 {
        MOST_KEPT.min(total_bytes / 4)
    }

    /// Takes room for a body of `bytes` and for the `files` and folders that it needs. Errors: the disk would be left with
    /// less than the least free bytes or inodes.
    pub(super) fn claim(self: &Arc<Self>, bytes: u64, files: u64) -> Result<Claim> {
        let mut taken = lock(&self.taken);
        let after = Taken {
            bytes: taken.bytes.saturating_add(bytes),
            files: taken.files + files,
            writing: taken.writing,
        };
        self.check(after.bytes, after.files)?;
        *taken = after;
        Ok(Claim {
            room: self.clone(),
            bytes,
            files,
        })
    }

    /// Whether less than the least bytes or inodes are free.
    pub(crate) fn is_full(&self) -> Result<bool> {
        self.lacks(0, 0)
    }

    fn check(&self, bytes: u64, files: u64) -> Result<()> {
        match self.lacks(bytes, files)? {
            true => Err(StoreError::DiskFull),
            false => Ok(()),
        }
    }

    /// Whether less than the least would be left beside these.
    fn lacks(&self, bytes: u64, files: u64) -> Result<bool> {
        let free = (self.look)()?;
        let least_bytes = self.least_bytes.unwrap_or(Self::least_of(free.total_bytes));
        let least_files = self.least_files.saturating_add(files);
        Ok(!free.has(least_bytes.saturating_add(bytes), least_files))
    }
}

impl Claim {
    /// Writes a piece. What was not announced must leave the room that other bodies have announced; what was announced has
    /// its room unless somebody else than the store has used it meanwhile.
    pub(super) fn write<T>(
        &mut self,
        bytes: u64,
        write: impl FnOnce() -> std::io::Result<T>,
    ) -> Result<T> {
        self.begin(bytes)?;
        let written = write();
        let mut taken = lock(&self.room.taken);
        // Only now: for a moment the piece may count twice, and never not at all.
        taken.writing -= bytes;
        taken.bytes -= bytes;
        self.bytes -= bytes;
        drop(taken);
        Ok(written?)
    }

    fn begin(&mut self, bytes: u64) -> Result<()> {
        let more = bytes.saturating_sub(self.bytes);
        let mut taken = lock(&self.room.taken);
        let needed = match more {
            0 => taken.writing + bytes,
            more => taken.bytes.saturating_add(more),
        };
        self.room.check(needed, 0)?;
        taken.bytes += more;
        taken.writing += bytes;
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut taken = lock(&self.room.taken);
        taken.bytes -= self.bytes;
        taken.files -= self.files;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU64, Ordering};

    use bytes::Bytes;
    use futures::channel::mpsc;
    use tempfile::TempDir;

    use super::*;
    use crate::disk::{Bucket, Disk, Expectation, Headers, NewObject};

    const MB: u64 = 1024 * 1024;
    const LEAST_FREE: u64 = 2 * MB;
    const LEAST_FILES: u64 = 10;

    /// A small disk, of which the store and others use something.
    struct Small {
        folder: TempDir,
        disk: Disk,
        others: Arc<AtomicU64>,
    }

    /// Bytes and entries below a folder.
    fn used(folder: PathBuf) -> (u64, u64) {
        let mut sum = (0, 0);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let below = match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true => used(entry.path()),
                false => (entry.metadata().map_or(0, |meta| meta.len()), 0),
            };
            sum = (sum.0 + below.0, sum.1 + below.1 + 1);
        }
        sum
    }

    impl Small {
        /// With so many bytes and, unless the file system makes them itself, inodes for the store.
        fn of(bytes: u64, files: Option<u64>) -> Self {
            let folder = TempDir::new().unwrap();
            let root = folder.path().to_owned();
            let config = StoreConfig {
                min_free_bytes: LEAST_FREE as i64,
                min_free_files: LEAST_FILES,
                ..Default::default()
            };
            let others = Arc::new(AtomicU64::new(0));
            let (place, foreign) = (root.clone(), others.clone());
            let look = Box::new(move || {
                let (taken, entries) = used(place.clone());
                let taken = taken + foreign.load(Ordering::SeqCst);
                Ok(Free {
                    bytes: bytes.checked_sub(taken).expect("not beyond the last byte"),
                    total_bytes: bytes,
                    files: files.map(|files| files.saturating_sub(entries)),
                })
            });
            let disk = Disk::open_new(root, &config, look).unwrap();
            Self {
                folder,
                disk,
                others,
            }
        }

        fn bucket(&self) -> Arc<Bucket> {
            let name = &self.disk.config().private_bucket;
            self.disk.bucket(name).unwrap()
        }

        fn arriving_files(&self) -> usize {
            fs::read_dir(self.folder.path().join("tmp"))
                .unwrap()
                .count()
        }
    }

    type Sender = mpsc::UnboundedSender<Result<Bytes>>;

    /// A body under way to a key, and where its pieces go.
    fn body(
        bucket: &Arc<Bucket>,
        key: &str,
        length: Option<u64>,
    ) -> (Sender, impl Future<Output = Result<u64>> + use<>) {
        let (sender, pieces) = mpsc::unbounded();
        let new = NewObject {
            key: key.to_owned(),
            headers: Headers::default(),
            condition: None,
        };
        let expectation = Expectation {
            length,
            ..Default::default()
        };
        let bucket = bucket.clone();
        let put = async move {
            let put = bucket.put(new, None, pieces, expectation, |_| Ok(()));
            Ok(put.await?.0.size)
        };
        (sender, put)
    }

    fn piece() -> Result<Bytes> {
        Ok(vec![7; MB as usize].into())
    }

    #[tokio::test]
    async fn bodies_that_arrive_together_leave_the_least_free_room() {
        let small = Small::of(10 * MB + MB / 2, None);
        let bucket = small.bucket();
        let (first_sender, first) = body(&bucket, "first", Some(5 * MB));
        let mut first = Box::pin(first);
        // It has begun, and has sent nothing yet.
        assert!(futures::poll!(first.as_mut()).is_pending());
        let (_second_sender, second) = body(&bucket, "second", Some(5 * MB));
        assert!(matches!(second.await, Err(StoreError::DiskFull)));
        // One that announces nothing gets what the first leaves.
        let (long_sender, long) = body(&bucket, "long", None);
        for _ in 0..9 {
            long_sender.unbounded_send(piece()).unwrap();
        }
        assert!(matches!(long.await, Err(StoreError::DiskFull)));
        assert_eq!(small.arriving_files(), 1);
        for _ in 0..5 {
            first_sender.unbounded_send(piece()).unwrap();
        }
        drop(first_sender);
        assert_eq!(first.await.unwrap(), 5 * MB);
        assert_eq!(small.arriving_files(), 0);
        // Nothing is taken any more: what is left can be used up to the least free bytes.
        let (sender, rest) = body(&bucket, "rest", Some(3 * MB));
        for _ in 0..3 {
            sender.unbounded_send(piece()).unwrap();
        }
        drop(sender);
        assert_eq!(rest.await.unwrap(), 3 * MB);
        assert_eq!(bucket.head("first").unwrap().size, 5 * MB);
        assert!(bucket.head("long").is_err());
    }

    #[test]
    fn a_small_disk_keeps_a_quarter_free_unless_told_otherwise() {
        for (min_free_bytes, total, fits) in [
            (-1, 64 * MB, 48 * MB),
            (-1, 255 * MB, 255 * MB - 255 * MB / 4),
            (-1, 257 * MB, 193 * MB),
            (-1, 1024 * MB, 960 * MB),
            (0, 64 * MB, 64 * MB),
            (64 * MB as i64, 64 * MB, 0),
        ] {
            let empty = Free {
                bytes: total,
                total_bytes: total,
                files: None,
            };
            let config = StoreConfig {
                min_free_bytes,
                ..Default::default()
            };
            let room = Room::new(Box::new(move || Ok(empty)), &config);
            let beyond = room.claim(fits + 1, 1);
            assert!(matches!(beyond, Err(StoreError::DiskFull)), "{total}");
            drop(room.claim(fits, 1).expect("room"));
        }
    }

    #[tokio::test]
    async fn a_long_body_ends_when_others_have_used_the_room() {
        let small = Small::of(10 * MB, None);
        let bucket = small.bucket();
        let (sender, put) = body(&bucket, "x", Some(5 * MB));
        let mut put = Box::pin(put);
        sender.unbounded_send(piece()).unwrap();
        assert!(futures::poll!(put.as_mut()).is_pending());
        small.others.store(8 * MB + 1, Ordering::SeqCst);
        for _ in 0..4 {
            sender.unbounded_send(piece()).unwrap();
        }
        assert!(matches!(put.await, Err(StoreError::DiskFull)));
        assert_eq!(small.arriving_files(), 0);
        assert!(small.disk.room().is_full().unwrap());
        small.others.store(0, Ordering::SeqCst);
        assert!(!small.disk.room().is_full().unwrap());
        let (sender, put) = body(&bucket, "x", Some(7 * MB));
        for _ in 0..7 {
            sender.unbounded_send(piece()).unwrap();
        }
        drop(sender);
        assert_eq!(put.await.unwrap(), 7 * MB);
    }

    #[tokio::test]
    async fn a_disk_without_inodes_is_full_and_deleting_works() {
        for (files, fits) in [(Some(40), false), (None, true)] {
            let small = Small::of(100 * MB, files);
            let bucket = small.bucket();
            let mut stored = 0;
            while stored < 40 {
                let (sender, put) = body(&bucket, &format!("x{stored}"), Some(0));
                drop(sender);
                match put.await {
                    Ok(_) => stored += 1,
                    Err(StoreError::DiskFull) => break,
                    Err(error) => panic!("{error}"),
                }
            }
            assert_eq!(stored == 40, fits, "{stored} were stored");
            assert!(stored > 1);
            let begun = bucket.create_upload("y", None, Headers::default());
            if fits {
                begun.unwrap();
                continue;
            }
            assert!(matches!(begun, Err(StoreError::DiskFull)));
            assert!(used(small.folder.path().to_owned()).1 <= 40 - LEAST_FILES);
            // Each frees three; the outer folder stays.
            assert!(bucket.delete("x0").unwrap());
            assert!(bucket.delete("x1").unwrap());
            let (sender, put) = body(&bucket, "again", Some(0));
            drop(sender);
            put.await.unwrap();
        }
    }
}
