//! Garbage collection: abandoned uploads, bodies and files.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::bucket::Bucket;
use super::record::{ObjectRecord, now_ms, read_json, remove_file};
use super::upload::Upload;
use super::{Disk, lock};
use crate::error::Result;

/// What a sweep removed.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Swept {
    pub uploads: usize,
    pub files: usize,
}

impl Disk {
    /// Removes uploads begun (or completed) longer ago than `age`, bodies that stopped arriving that long ago, and
    /// files no record references.
    pub(crate) fn sweep(&self, age: Duration) -> Result<Swept> {
        let mut swept = Swept::default();
        swept.files += remove_old_entries(&self.temporary, age)?;
        for name in self.bucket_names() {
            let bucket = self.bucket(&name)?;
            swept.uploads += bucket.sweep_uploads(age)?;
            swept.files += bucket.sweep_objects()?;
        }
        self.revoked.sweep()?;
        Ok(swept)
    }
}

impl Bucket {
    fn sweep_uploads(&self, age: Duration) -> Result<usize> {
        let limit = now_ms() - age.as_millis() as i64;
        let all: Vec<Arc<Upload>> = lock(&self.uploads).all();
        let mut removed = 0;
        for upload in all {
            let mut state = lock(&upload.state);
            let since = state
                .completed
                .as_ref()
                .map_or(upload.record.initiated, |done| done.completed);
            // An upload that still receives parts is kept, however old it is.
            let last_part = state
                .parts
                .values()
                .map(|part| part.modified)
                .max()
                .unwrap_or(since);
            if since.max(last_part) > limit {
                continue;
            }
            upload.remove(&mut state)?;
            lock(&self.uploads).remove(&upload);
            removed += 1;
        }
        // Folders of uploads that were never completely created, or were only half removed.
        for entry in fs::read_dir(&self.uploads_folder)? {
            let folder = entry?.path();
            if folder.join("upload.json").exists() || !is_older(&folder, age) {
                continue;
            }
            fs::remove_dir_all(&folder)?;
            removed += 1;
        }
        Ok(removed)
    }

    fn sweep_objects(&self) -> Result<usize> {
        let mut removed = 0;
        self.each_object_folder(&mut |folder| {
            match self.sweep_object(folder) {
                Ok(files) => removed += files,
                Err(error) => tracing::warn!(%error, folder = %folder.display(), "a folder could not be collected"),
            }
            Ok(())
        })?;
        Ok(removed)
    }

    /// Removes the files in an object's folder that its record does not reference and no request reads, and the folder itself
    /// when the object no longer exists. Commits write into the folder under the same lock.
    fn sweep_object(&self, folder: &Path) -> Result<usize> {
        let Some(hash) = folder.file_name().and_then(|name| name.to_str()) else {
            return Ok(0);
        };
        let held = self.key_locks.of(hash);
        let _held = lock(&held);
        let record = read_json::<ObjectRecord>(&folder.join("object.json"))?;
        let current = record.as_ref().map(|record| record.generation.as_str());
        let mut removed = 0;
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            let generation = name.split('-').next().unwrap_or(name);
            if name == "object.json"
                || Some(generation) == current
                || self.is_being_read(generation)
            {
                continue;
            }
            remove_file(&path)?;
            removed += 1;
        }
        if record.is_none() {
            let _ = fs::remove_dir(folder);
        }
        Ok(removed)
    }
}

fn is_older(path: &Path, age: Duration) -> bool {
    let Ok(modified) = path.metadata().and_then(|meta| meta.modified()) else {
        return false;
    };
    SystemTime::now()
        .duration_since(modified)
        .is_ok_and(|passed| passed >= age)
}

fn remove_old_entries(folder: &Path, age: Duration) -> Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_older(&path, age) {
            remove_file(&path)?;
            removed += 1;
        }
    }
    Ok(removed)
}
