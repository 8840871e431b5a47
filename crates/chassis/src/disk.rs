//! The disk of the data folder: reports that it is full, and releases a reserve then.
//!
//! Deleting needs room too: SQLite writes the change before it frees anything. Without a reserve no user could sign in and
//! delete on a disk that is full to the last byte.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;

use crate::{Settings, Shutdown};

const PERIOD: Duration = Duration::from_secs(1);
const MB: u64 = 1024 * 1024;

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
    min_free_mb: u64,
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
            disk,
        }
    }

    fn look(&self) -> anyhow::Result<()> {
        let stat = rustix::fs::statvfs(&self.folder)?;
        self.decide(stat.f_bavail.saturating_mul(stat.f_frsize))?;
        Ok(())
    }

    /// Gives the reserve up below the least free space, and makes it again when there is room for it and twice that.
    fn decide(&self, free: u64) -> io::Result<()> {
        let full = self.disk.is_full();
        if free < self.min_free {
            if !full {
                tracing::error!(
                    free,
                    "the disk of the data folder is full; its reserve is given up"
                );
            }
            self.report(true);
            return remove(&self.reserve);
        }
        if free < self.reserve_bytes + 2 * self.min_free && (full || !self.reserve.exists()) {
            return Ok(());
        }
        if !self.reserve.exists() {
            allocate(&self.reserve, self.reserve_bytes)?;
        }
        if full {
            tracing::info!(free, "the disk of the data folder has room again");
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

    #[test]
    fn the_reserve_is_given_up_when_the_disk_is_full_and_made_again_later() {
        let folder = tempfile::TempDir::new().unwrap();
        let data = DataConfig {
            dir: folder.path().display().to_string(),
            min_free_mb: 1,
            reserve_mb: 2,
        };
        let disk = Disk::default();
        let guard = Guard::new(&data, disk.clone());
        let taken = || {
            fs::metadata(&guard.reserve)
                .map(|meta| meta.blocks() * 512)
                .unwrap_or(0)
        };
        guard.decide(100 * MB).unwrap();
        assert_eq!((disk.is_full(), taken()), (false, 2 * MB));
        // Used up: the reserve becomes free space.
        guard.decide(MB - 1).unwrap();
        assert_eq!((disk.is_full(), taken()), (true, 0));
        // The reserve itself is not yet room again.
        guard.decide(3 * MB).unwrap();
        assert_eq!((disk.is_full(), taken()), (true, 0));
        guard.decide(4 * MB).unwrap();
        assert_eq!((disk.is_full(), taken()), (false, 2 * MB));
        // With its reserve in place a disk is not full before the least free space is reached.
        guard.decide(MB).unwrap();
        assert_eq!((disk.is_full(), taken()), (false, 2 * MB));
    }
}
