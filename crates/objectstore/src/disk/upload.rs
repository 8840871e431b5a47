//! An open multipart upload: its parts and its folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::lock;
use super::owner::Counts;
use super::record::{CompletedRecord, UploadRecord, read_json, remove_file, write_json};
use crate::error::{Result, StoreError};

/// A durable part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PartInfo {
    pub number: u32,
    pub size: u64,
    /// Hex MD5, without quotes.
    pub etag: String,
    /// Unix time in milliseconds.
    pub modified: i64,
}

impl PartInfo {
    /// The file name holds the part's metadata, so a part exists completely or not at all.
    pub(super) fn file_name(&self) -> String {
        format!("{:05}-{}-{}", self.number, self.etag, self.size)
    }

    pub(super) fn of_file(path: &Path) -> Option<Self> {
        let mut fields = path.file_name()?.to_str()?.split('-');
        let number = fields.next()?.parse().ok()?;
        let etag = fields.next().filter(|etag| etag.len() == 32)?.to_owned();
        let size = fields.next()?.parse().ok()?;
        let meta = path.metadata().ok().filter(|meta| meta.len() == size)?;
        let modified = meta
            .modified()
            .ok()?
            .duration_since(std::time::UNIX_EPOCH)
            .ok()?;
        Some(Self {
            number,
            size,
            etag,
            modified: modified.as_millis() as i64,
        })
    }
}

/// State of an upload.
pub(super) struct State {
    pub(super) parts: BTreeMap<u32, PartInfo>,
    pub(super) completed: Option<CompletedRecord>,
    /// Aborted or collected while a caller waited for the lock.
    pub(super) gone: bool,
}

pub(crate) struct Upload {
    pub(super) id: String,
    pub(super) folder: PathBuf,
    pub(super) record: UploadRecord,
    pub(super) state: Mutex<State>,
}

impl State {
    pub(super) fn bytes_beside(&self, number: u32) -> u64 {
        let others = self.parts.values().filter(|part| part.number != number);
        others.map(|part| part.size).sum()
    }

    /// What the upload is and holds, where parts below `small` bytes are small.
    pub(super) fn counts(&self, small: u64) -> Counts {
        if self.completed.is_some() {
            return Counts::COMPLETED;
        }
        let parts = || self.parts.values().map(|part| part.size);
        Counts {
            open: 1,
            completed: 0,
            bytes: parts().sum(),
            small_parts: parts().filter(|size| *size < small).count(),
        }
    }
}

impl Upload {
    /// Bytes of the parts other than this one.
    pub(super) fn bytes_beside(&self, number: u32) -> u64 {
        lock(&self.state).bytes_beside(number)
    }

    /// Loads an upload's folder; `None` if it was never completely created.
    pub(super) fn load(folder: &Path, id: &str) -> Result<Option<Self>> {
        let Some(record) = read_json::<UploadRecord>(&folder.join("upload.json"))? else {
            return Ok(None);
        };
        let completed = read_json(&folder.join("completed.json"))?;
        let mut parts = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let Some(part) = PartInfo::of_file(&entry?.path()) else {
                continue;
            };
            // After a kill between storing a part again and removing its previous file: the later file counts.
            let newer = parts
                .get(&part.number)
                .is_none_or(|other: &PartInfo| other.modified <= part.modified);
            if newer {
                parts.insert(part.number, part);
            }
        }
        Ok(Some(Self::of(
            id.to_owned(),
            folder,
            record,
            parts,
            completed,
        )))
    }

    fn of(
        id: String,
        folder: &Path,
        record: UploadRecord,
        parts: BTreeMap<u32, PartInfo>,
        completed: Option<CompletedRecord>,
    ) -> Self {
        let state = Mutex::new(State {
            parts,
            completed,
            gone: false,
        });
        Self {
            id,
            folder: folder.to_owned(),
            record,
            state,
        }
    }

    /// An upload without parts, in its folder.
    pub(super) fn create(id: String, folder: &Path, record: UploadRecord) -> Result<Self> {
        write_json(&folder.join("upload.json"), &record)?;
        Ok(Self::of(id, folder, record, BTreeMap::new(), None))
    }

    pub(super) fn path_of(&self, part: &PartInfo) -> PathBuf {
        self.folder.join(part.file_name())
    }

    pub(super) fn missing(&self) -> StoreError {
        StoreError::NoSuchUpload(self.id.clone())
    }

    /// Removes the folder, the record first, so that a kill in between leaves only an orphan.
    pub(super) fn remove(&self, state: &mut State) -> Result<()> {
        state.gone = true;
        remove_file(&self.folder.join("upload.json"))?;
        fs::remove_dir_all(&self.folder)?;
        Ok(())
    }
}
