//! Our own store on a local disk.
//!
//! ```text
//! root/LOCK                                    locked by the process that has the store open
//! root/keys.json                               root key pair, if none is configured
//! root/ended-sessions                          sessions whose credentials and links are refused
//! root/tmp/                                    bodies being received; emptied when the store is opened
//! root/buckets/{bucket}/objects/{aa}/{hash}/   one object: object.json and its bytes {generation}-{n}
//! root/buckets/{bucket}/uploads/{id}/          one upload: upload.json, its parts {number}-{md5}-{size}, completed.json
//! ```
//! `hash` is the SHA-256 of the key, so names chosen by clients never become file names.
//!
//! An object exists when its `object.json` does; that file is replaced by rename, after the bytes are durable.
//! Completing an upload gives the parts a second name (a hard link) in the object's folder and then writes
//! `object.json`: no bytes are copied, and until then the upload's own names stay, so a completion that was
//! killed at any point can be repeated.

mod bucket;
mod collect;
mod incoming;
mod index;
mod multipart;
mod object;
mod owner;
mod read;
mod record;
mod revoked;
mod room;
mod share;
mod upload;
mod uploads;

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use sha2::{Digest, Sha256};

pub(crate) use bucket::Bucket;
pub(crate) use incoming::{Expectation, joined};
pub(crate) use index::Entry;
pub(crate) use multipart::UploadSummary;
pub(crate) use object::{Condition, NewObject};
pub(crate) use record::{Headers, ObjectRecord};
pub(crate) use revoked::Revoked;
pub use room::Free;
pub(crate) use room::Room;
pub(crate) use share::Share;
pub(crate) use upload::PartInfo;

use crate::config::StoreConfig;
use crate::error::{Result, StoreError};

/// Locks a mutex, ignoring poisoning: the records on disk are authoritative.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One mutex per name, created on demand.
#[derive(Default)]
pub(crate) struct NamedLocks {
    locks: Mutex<HashMap<String, Arc<Mutex<()>>>>,
}

impl NamedLocks {
    pub(crate) fn of(&self, name: &str) -> Arc<Mutex<()>> {
        let mut locks = lock(&self.locks);
        if locks.len() > 1024 {
            locks.retain(|_, held| Arc::strong_count(held) > 1);
        }
        locks.entry(name.to_owned()).or_default().clone()
    }
}

/// The open store. All methods that are not `async` block on the disk.
pub(crate) struct Disk {
    root: PathBuf,
    temporary: PathBuf,
    config: StoreConfig,
    buckets: RwLock<HashMap<String, Arc<Bucket>>>,
    revoked: Arc<Revoked>,
    room: Arc<Room>,
    /// Holds the lock on the root directory.
    _lock: File,
}

/// Stores open in this process, by canonical path: services of one process share one.
static OPEN: Mutex<Option<HashMap<PathBuf, Weak<Disk>>>> = Mutex::new(None);

impl Disk {
    /// Opens the directory, or shares it if this process has it open.
    pub(crate) fn open(config: &StoreConfig) -> Result<Arc<Self>> {
        config.validate()?;
        fs::create_dir_all(&config.root)?;
        let root = config.root.canonicalize()?;
        let mut open = lock(&OPEN);
        let open = open.get_or_insert_default();
        if let Some(disk) = open.get(&root).and_then(Weak::upgrade) {
            disk.make_configured_buckets(config)?;
            return Ok(disk);
        }
        let place = root.clone();
        let look = Box::new(move || Free::on(&place));
        let disk = Arc::new(Self::open_new(root.clone(), config, look)?);
        open.insert(root, Arc::downgrade(&disk));
        Ok(disk)
    }

    fn open_new(root: PathBuf, config: &StoreConfig, look: room::Look) -> Result<Self> {
        let held = take_root(&root)?;
        let temporary = root.join("tmp");
        if temporary.is_dir() {
            fs::remove_dir_all(&temporary)?;
        }
        record::make_folder(&root, &temporary)?;
        record::make_folder(&root, &root.join("buckets"))?;
        let disk = Self {
            temporary,
            config: config.clone(),
            buckets: RwLock::default(),
            revoked: Arc::new(Revoked::open(&root)?),
            room: Room::new(look, config),
            _lock: held,
            root,
        };
        for entry in fs::read_dir(disk.root.join("buckets"))? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            if crate::name::check_bucket(name).is_ok() {
                disk.add_bucket(name)?;
            }
        }
        disk.make_configured_buckets(config)?;
        Ok(disk)
    }

    fn make_configured_buckets(&self, config: &StoreConfig) -> Result<()> {
        for name in std::iter::once(&config.private_bucket).chain(&config.buckets) {
            self.create_bucket(name)?;
        }
        Ok(())
    }

    /// The directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn config(&self) -> &StoreConfig {
        &self.config
    }

    /// The free room of its file system.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// The sessions that have ended.
    pub(crate) fn revoked(&self) -> Arc<Revoked> {
        self.revoked.clone()
    }

    /// Creates a bucket. Returns whether it is new.
    pub(crate) fn create_bucket(&self, name: &str) -> Result<bool> {
        crate::name::check_bucket(name)?;
        if self.bucket(name).is_ok() {
            return Ok(false);
        }
        for part in ["objects", "uploads"] {
            record::make_folder(&self.root, &self.root.join("buckets").join(name).join(part))?;
        }
        self.add_bucket(name)?;
        Ok(true)
    }

    fn add_bucket(&self, name: &str) -> Result<()> {
        let mut buckets = self.buckets.write().unwrap_or_else(PoisonError::into_inner);
        if buckets.contains_key(name) {
            return Ok(());
        }
        let folder = self.root.join("buckets").join(name);
        let (temporary, room) = (self.temporary.clone(), self.room.clone());
        let bucket = Bucket::open(name, folder, temporary, &self.config, room)?;
        buckets.insert(name.to_owned(), bucket);
        Ok(())
    }

    pub(crate) fn bucket(&self, name: &str) -> Result<Arc<Bucket>> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        buckets
            .get(name)
            .cloned()
            .ok_or_else(|| StoreError::NoSuchBucket(name.to_owned()))
    }

    /// Names of all buckets, ascending.
    pub(crate) fn bucket_names(&self) -> Vec<String> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<String> = buckets.keys().cloned().collect();
        names.sort();
        names
    }
}

/// Locks the directory for this process. A process that is just exiting may need a moment to release it.
fn take_root(root: &Path) -> Result<File> {
    let held = File::create(root.join("LOCK"))?;
    for _ in 0..20 {
        if held.try_lock().is_ok() {
            return Ok(held);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Err(StoreError::InUse(root.display().to_string()))
}

/// Name of a key's folder.
pub(crate) fn hash_of_key(key: &str) -> String {
    hex::encode(Sha256::digest(key.as_bytes()))
}
