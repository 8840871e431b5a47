//! The disk of the data folder: reports that it is full, of bytes or of inodes, and releases a reserve then.
//!
//! Deleting needs room too: SQLite writes the change before it frees anything. Without a reserve no user could sign in and
//! delete on a disk that is full to the last byte. It needs no inode: each service keeps its database open, with its log.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use objectstore::Free;
use serde::Deserialize;

use crate::{Settings, Shutdown};

const PERIOD: Duration = Duration::from_secs(1);
const MB: u64 = 1024 * 1024;

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
    min_free_mb: u64,
    min_free_files: u64,
    reserve_mb: u64,
}

#[derive(Deserialize)]
struct UrlConfig {
    url: String,
}

/// Whether the disk of the data folder is full. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    full: Arc<AtomicBool>,
}

impl Disk {
    /// Watches the data folder until shutdown, if this process keeps data in it.
    pub fn watch(settings: &Settings, shutdown: &Shutdown) -> anyhow::Result<Self> {
        let disk = Self::default();
        let database: UrlConfig = settings.section("database")?;
        let data: DataConfig = settings.section("data")?;
        if !database.url.starts_with("sqlite") || data.reserve_mb == 0 {
            return Ok(disk);
        }
        fs::create_dir_all(&data.dir)?;
        let guard = Arc::new(Guard::new(&data, disk.clone()));
        shutdown.every(PERIOD, "room on the disk", move || {
            let guard = guard.clone();
            async move { tokio::task::spawn_blocking(move || guard.look()).await? }
        });
        Ok(disk)
    }

    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }
}

struct Guard {
    folder: PathBuf,
    reserve: PathBuf,
    reserve_bytes: u64,
    min_free: u64,
    min_free_files: u64,
    disk: Disk,
}

impl Guard {
    fn new(data: &DataConfig, disk: Disk) -> Self {
        let folder = PathBuf::from(&data.dir);
        Self {
            reserve: folder.join("reserve"),
            folder,
            reserve_bytes: data.reserve_mb * MB,
            min_free: data.min_free_mb * MB,
            min_free_files: data.min_free_files,
            disk,
        }
    }

    fn look(&self) -> anyhow::Result<()> {
        self.decide(Free::on(&self.folder)?)?;
        Ok(())
    }

    /// Gives the reserve up below the least free space, and makes it again when there is room for it and twice that. Of a
    /// small disk they are a quarter and an eighth, or there would never be so much room.
    fn decide(&self, free: Free) -> io::Result<()> {
        let full = self.disk.is_full();
        let least = self.min_free.min(free.total_bytes / 8);
        let reserve_bytes = self.reserve_bytes.min(free.total_bytes / 4);
        if !free.has(least, self.min_free_files) {
            if !full {
                tracing::error!(
                    ?free,
                    "the disk of the data folder is full; its reserve is given up"
                );
            }
            self.report(true);
            return remove(&self.reserve);
        }
        let roomy = free.has(reserve_bytes + 2 * least, 2 * self.min_free_files);
        if !roomy && (full || !self.reserve.exists()) {
            return Ok(());
        }
        if !self.reserve.exists() {
            allocate(&self.reserve, reserve_bytes)?;
        }
        if full {
            tracing::info!(?free, "the disk of the data folder has room again");
        }
        self.report(false);
        Ok(())
    }

    fn report(&self, full: bool) {
        self.disk.full.store(full, Ordering::Relaxed);
        metrics::gauge!("data_disk_full").set(if full { 1.0 } else { 0.0 });
    }
}

/// Makes a file whose blocks are taken, whole or not at all.
fn allocate(path: &Path, bytes: u64) -> io::Result<()> {
    let file = File::create(path)?;
    let taken = rustix::fs::fallocate(&file, rustix::fs::FallocateFlags::empty(), 0, bytes);
    if let Err(error) = taken {
        remove(path)?;
        return Err(error.into());
    }
    Ok(())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    const INODES: u64 = 64;

    fn guard(folder: &tempfile::TempDir, min_free_mb: u64, reserve_mb: u64) -> Guard {
        let data = DataConfig {
            dir: folder.path().display().to_string(),
            min_free_mb,
            min_free_files: INODES,
            reserve_mb,
        };
        Guard::new(&data, Disk::default())
    }

    impl Guard {
        fn taken(&self) -> u64 {
            let reserve = fs::metadata(&self.reserve);
            reserve.map(|meta| meta.blocks() * 512).unwrap_or(0)
        }

        /// With so much free of a disk: whether it is full, and the reserve in bytes.
        fn with(&self, bytes: u64, total_mb: u64, files: Option<u64>) -> (bool, u64) {
            let total_bytes = total_mb * MB;
            let free = Free {
                bytes,
                total_bytes,
                files,
            };
            self.decide(free).unwrap();
            (self.disk.is_full(), self.taken())
        }
    }

    #[test]
    fn the_reserve_is_given_up_when_the_disk_is_full_and_made_again_later() {
        let folder = tempfile::TempDir::new().unwrap();
        let guard = guard(&folder, 1, 2);
        let with = |bytes| guard.with(bytes, 1000, None);
        assert_eq!(with(100 * MB), (false, 2 * MB));
        // Used up: the reserve becomes free space.
        assert_eq!(with(MB - 1), (true, 0));
        // The reserve itself is not yet room again.
        assert_eq!(with(3 * MB), (true, 0));
        assert_eq!(with(4 * MB), (false, 2 * MB));
        // With its reserve in place a disk is not full before the least free space is reached.
        assert_eq!(with(MB), (false, 2 * MB));
    }

    #[test]
    fn a_disk_without_inodes_is_full() {
        let folder = tempfile::TempDir::new().unwrap();
        let guard = guard(&folder, 1, 2);
        let with = |files| guard.with(100 * MB, 1000, files);
        assert!(!with(Some(INODES)).0);
        assert_eq!(with(Some(INODES - 1)), (true, 0));
        assert_eq!(with(Some(INODES)), (true, 0));
        assert_eq!(with(Some(2 * INODES)), (false, 2 * MB));
        // A file system that makes inodes as they are needed.
        assert_eq!(with(None), (false, 2 * MB));
    }

    #[test]
    fn a_small_disk_has_a_small_reserve_and_has_room_again() {
        let folder = tempfile::TempDir::new().unwrap();
        let guard = guard(&folder, 16, 32);
        let with = |bytes| guard.with(bytes, 64, None);
        assert_eq!(with(50 * MB), (false, 16 * MB));
        assert_eq!(with(8 * MB), (false, 16 * MB));
        assert_eq!(with(8 * MB - 1), (true, 0));
        assert_eq!(with(31 * MB), (true, 0));
        assert_eq!(with(32 * MB), (false, 16 * MB));
    }
}
