//! The work folder of a job. Removed when the job ends; folders left by a crash are removed at the next start.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

const PREFIX: &str = "xuanlan-job-";
/// Held while the job runs, by this process or another on the same disk.
const LOCK: &str = ".lock";
/// Grace period before an unlocked job folder is deleted: it may have been made just now.
const GRACE: Duration = Duration::from_secs(60);

/// A job's own folder; removed when dropped.
pub(crate) struct JobFolder {
    folder: TempDir,
    _lock: File,
}

impl JobFolder {
    pub(crate) fn new(parent: &str) -> io::Result<JobFolder> {
        let parent = place(parent);
        std::fs::create_dir_all(&parent)?;
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(JobFolder {
            folder,
            _lock: lock,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Parent of the job folders; the system's temporary folder if none is configured.
fn place(configured: &str) -> PathBuf {
    match configured {
        "" => std::env::temp_dir(),
        parent => PathBuf::from(parent),
    }
}

/// Removes job folders whose process is gone; returns their number.
pub(crate) fn sweep(parent: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(place(parent)) else {
        return 0;
    };
    let folders = entries.flatten().filter(|entry| {
        let ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
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

    #[test]
    fn only_what_nobody_holds_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let at = parent.path().to_str().unwrap();
        let held = JobFolder::new(at).unwrap();
        let left = parent.path().join(format!("{PREFIX}left"));
        let fresh = parent.path().join(format!("{PREFIX}fresh"));
        let other = parent.path().join("somebody's");
        for folder in [&left, &fresh, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        std::fs::write(left.join(LOCK), "").unwrap();
        std::fs::write(left.join("source.glb"), "x").unwrap();
        assert_eq!(sweep(at), 1);
        assert!(!left.exists() && fresh.exists() && other.exists() && held.path().exists());
        let path = held.path().to_path_buf();
        drop(held);
        assert!(!path.exists());
    }
}
