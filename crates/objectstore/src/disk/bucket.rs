//! One bucket: its folder, its keys in memory, its open uploads, and the active readers.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use super::index::{Index, Page};
use super::owner::Coming;
use super::record::{ObjectRecord, read_json, remove_file};
use super::room::Room;
use super::uploads::Uploads;
use super::{NamedLocks, hash_of_key, lock};
use crate::config::StoreConfig;
use crate::error::Result;

/// Limits of a store, copied from its configuration.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub max_object_bytes: u64,
    pub max_parts: u32,
    pub min_part_bytes: u64,
    pub max_open_uploads_per_user: usize,
    pub max_unclaimed_per_user: usize,
}

/// Readers of one generation of an object.
#[derive(Default)]
struct Readers {
    count: usize,
    /// Files to remove once the last reader has finished.
    doomed: Vec<PathBuf>,
}

pub(crate) struct Bucket {
    pub(super) name: String,
    pub(super) objects: PathBuf,
    pub(super) uploads_folder: PathBuf,
    pub(super) temporary: PathBuf,
    pub(super) limits: Limits,
    /// Of the whole store. Bodies claim what they need; records and completions use what it keeps free.
    pub(super) room: Arc<Room>,
    pub(super) index: Index,
    index_ready: AtomicBool,
    index_loaded: Notify,
    /// Held while an object is changed (by the key's hash).
    pub(super) key_locks: NamedLocks,
    /// Open and recently completed uploads, by key and id.
    pub(super) uploads: Mutex<Uploads>,
    readers: Mutex<HashMap<String, Readers>>,
    /// What is arriving, by user. Locked before `uploads` and the index.
    pub(super) arriving: Mutex<HashMap<String, Coming>>,
}

/// Keeps the files of one generation from removal while they are read.
pub(crate) struct ReadGuard {
    bucket: Arc<Bucket>,
    generation: String,
}

impl Bucket {
    pub(super) fn open(
        name: &str,
        folder: PathBuf,
        temporary: PathBuf,
        config: &StoreConfig,
        room: Arc<Room>,
    ) -> Result<Arc<Self>> {
        let bucket = Arc::new(Self {
            name: name.to_owned(),
            objects: folder.join("objects"),
            uploads_folder: folder.join("uploads"),
            temporary,
            limits: Limits {
                max_object_bytes: config.max_object_bytes,
                max_parts: config.max_parts,
                min_part_bytes: config.min_part_bytes,
                max_open_uploads_per_user: config.max_open_uploads_per_user,
                max_unclaimed_per_user: config.max_unclaimed_per_user,
            },
            room,
            index: Index::loading(),
            index_ready: AtomicBool::new(false),
            index_loaded: Notify::new(),
            key_locks: NamedLocks::default(),
            uploads: Mutex::default(),
            readers: Mutex::default(),
            arriving: Mutex::default(),
        });
        bucket.load_uploads()?;
        // Only listing waits for this, so a store with many objects opens at once.
        let loader = bucket.clone();
        std::thread::Builder::new()
            .name("objectstore-index".into())
            .spawn(move || loader.load_index())?;
        Ok(bucket)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Errors: its folders are gone, for example with a disk that is no longer mounted.
    pub(crate) fn check(&self) -> Result<()> {
        for folder in [&self.objects, &self.uploads_folder, &self.temporary] {
            fs::read_dir(folder)?;
        }
        Ok(())
    }

    fn load_index(&self) {
        let result = self.each_object_folder(&mut |folder| {
            match read_json::<ObjectRecord>(&folder.join("object.json")) {
                Ok(Some(record)) => self.index.found(&record),
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "an object's record cannot be read; it will not be listed"),
            }
            Ok(())
        });
        if let Err(error) = result {
            tracing::error!(%error, bucket = self.name, "the list of objects is incomplete");
        }
        self.index.loaded();
        self.index_ready.store(true, Ordering::Release);
        self.index_loaded.notify_waiters();
    }

    /// Visits the folder of every object.
    pub(super) fn each_object_folder(
        &self,
        visit: &mut dyn FnMut(&Path) -> Result<()>,
    ) -> Result<()> {
        for outer in fs::read_dir(&self.objects)? {
            let outer = outer?.path();
            if !outer.is_dir() {
                continue;
            }
            for inner in fs::read_dir(&outer)? {
                visit(&inner?.path())?;
            }
        }
        Ok(())
    }

    /// Lists keys, in byte order. Waits until the index has been loaded after the start.
    pub(crate) async fn list(
        &self,
        prefix: &str,
        delimiter: Option<&str>,
        after: Option<&str>,
        limit: usize,
    ) -> Page {
        loop {
            let loaded = self.index_loaded.notified();
            if self.index_ready.load(Ordering::Acquire) {
                break;
            }
            loaded.await;
        }
        self.index.list(prefix, delimiter, after, limit)
    }

    pub(super) fn object_folder(&self, key: &str) -> PathBuf {
        let hash = hash_of_key(key);
        self.objects.join(&hash[..2]).join(&hash)
    }

    /// Registers a reader; the caller holds the key's lock, so the generation is the current one.
    pub(super) fn start_reading(self: &Arc<Self>, generation: &str) -> ReadGuard {
        lock(&self.readers)
            .entry(generation.to_owned())
            .or_default()
            .count += 1;
        ReadGuard {
            bucket: self.clone(),
            generation: generation.to_owned(),
        }
    }

    /// Removes files of a generation that is no longer current, now or when its last reader finishes.
    pub(super) fn discard(&self, generation: &str, files: Vec<PathBuf>) {
        if let Some(readers) = lock(&self.readers).get_mut(generation) {
            readers.doomed = files;
            return;
        }
        remove_all(&files);
    }

    pub(super) fn is_being_read(&self, generation: &str) -> bool {
        lock(&self.readers).contains_key(generation)
    }
}

/// A file that cannot be removed now is an orphan; the collector removes it later.
fn remove_all(files: &[PathBuf]) {
    for file in files {
        if let Err(error) = remove_file(file) {
            tracing::warn!(%error, file = %file.display(), "a file of a replaced object stays for now");
        }
    }
}

impl Drop for ReadGuard {
    fn drop(&mut self) {
        let mut all = lock(&self.bucket.readers);
        let Some(readers) = all.get_mut(&self.generation) else {
            return;
        };
        readers.count -= 1;
        if readers.count > 0 {
            return;
        }
        let doomed = std::mem::take(&mut readers.doomed);
        all.remove(&self.generation);
        drop(all);
        if doomed.is_empty() {
            return;
        }
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn_blocking(move || remove_all(&doomed))),
            Err(_) => remove_all(&doomed),
        }
    }
}
