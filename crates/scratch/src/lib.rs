//! Folders for what lives no longer than a process or a job of it. Removed when dropped; those left by a crash are removed at the
//! next start ([`sweep`]).

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

/// Held while the folder is in use, by this process or another on the same disk.
const LOCK: &str = ".lock";
/// Grace period before an unlocked folder is deleted: it may have been made just now.
const GRACE: Duration = Duration::from_secs(60);

/// A folder of its own; removed when dropped.
pub struct Folder {
    folder: TempDir,
    _lock: File,
}

impl Folder {
    /// In `parent`, or in the system's temporary folder if that is empty. `prefix` is the kind of folder, as [`sweep`] looks for it.
    pub fn new(parent: &str, prefix: &str) -> io::Result<Self> {
        let parent = place(parent);
        std::fs::create_dir_all(&parent)?;
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Parent of the folders; the system's temporary folder if none is configured.
fn place(configured: &str) -> PathBuf {
    match configured {
        "" => std::env::temp_dir(),
        parent => PathBuf::from(parent),
    }
}

/// Removes folders of this kind whose process is gone; returns their number.
pub fn sweep(parent: &str, prefix: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(place(parent)) else {
        return 0;
    };
    let folders = entries.flatten().filter(|entry| {
        let ours = entry.file_name().to_string_lossy().starts_with(prefix);
        ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) && is_left(&entry.path())
    });
    let removed = folders.filter(|entry| std::fs::remove_dir_all(entry.path()).is_ok());
    removed.count()
}

fn is_left(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => !matches!(lock.try_lock(), Err(TryLockError::WouldBlock)),
        Err(_) => {
            let made = folder.metadata().and_then(|meta| meta.modified());
            let age = made.ok().and_then(|made| made.elapsed().ok());
            age.is_some_and(|age| age > GRACE)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "xuanlan-job-";

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let at = parent.path().to_str().unwrap();
        let held = Folder::new(at, PREFIX).unwrap();
        let left = parent.path().join(format!("{PREFIX}left"));
        let fresh = parent.path().join(format!("{PREFIX}fresh"));
        let other = parent.path().join("somebody's");
        for folder in [&left, &fresh, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(left.join(LOCK), "").unwrap();
        std::fs::write(left.join("source.glb"), "x").unwrap();
        assert_eq!(sweep(at, PREFIX), 1);
        assert!(!left.exists() && fresh.exists() && other.exists() && held.path().exists());
        let path = held.path().to_path_buf();
        drop(held);
        assert!(!path.exists());
    }
}
