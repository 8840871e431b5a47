//! Side files: textures, material libraries, buffers.

use super::encoding::Names;
use super::names::{Index, Reach, percent_decoded, readings};
use crate::lfs;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Finds a file that the main file references. Names are matched as [`super::names`] says: case, composition,
/// backslashes, absolute paths of the author's machine, readings in other encodings.
pub trait SideFiles {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>>;

    /// Whether there is one.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Why a file that is there was not found: it cannot be unpacked. Known after [`SideFiles::find`].
    fn refusal(&self, _name: &str) -> Option<String> {
        None
    }

    /// Finds the file of a URI, also of one that was written without escapes.
    fn find_uri(&self, uri: &str) -> Option<Cow<'_, [u8]>> {
        let decoded = percent_decoded(uri);
        let found = self.find(&decoded);
        found.or_else(|| self.find(Some(uri).filter(|uri| *uri != decoded)?))
    }
}

/// The bytes of a side file that a model needs. The error says why there are none; it is empty if there is no such file.
pub fn needed<'a>(side: &'a dyn SideFiles, name: &str) -> Result<Cow<'a, [u8]>, String> {
    match side.find(name) {
        Some(bytes) if lfs::is_pointer(&bytes) => Err(lfs::REASON.into()),
        Some(bytes) => Ok(bytes),
        None => Err(side.refusal(name).unwrap_or_default()),
    }
}

/// The same of a URI, as [`SideFiles::find_uri`] finds it.
pub fn needed_uri<'a>(side: &'a dyn SideFiles, uri: &str) -> Result<Cow<'a, [u8]>, String> {
    let decoded = percent_decoded(uri);
    match needed(side, &decoded) {
        Err(why) if why.is_empty() && uri != decoded => needed(side, uri),
        found => found,
    }
}

/// No side files.
pub struct NoSideFiles;

impl SideFiles for NoSideFiles {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

/// The main file's own folder; nothing above it is ever opened, and symbolic links that lead out of it are not
/// followed.
pub struct Folder {
    root: Option<PathBuf>,
    /// Its files, listed when a name is not found as written.
    listed: OnceCell<Listed>,
}

/// Largest side file read from a folder.
const MOST_BYTES: u64 = 2 << 30;
/// Most names listed, the nearest first.
const MOST_LISTED: usize = 20_000;
/// Depth of nested folders that are listed.
const MOST_DEPTH: usize = 4;

#[derive(Default)]
struct Listed {
    index: Index,
    paths: Vec<PathBuf>,
}

impl Folder {
    pub fn beside(main: &Path) -> Folder {
        let parent = match main.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Folder {
            root: parent.canonicalize().ok(),
            listed: OnceCell::new(),
        }
    }

    /// The file that `name` means.
    fn place(&self, name: &str) -> Option<PathBuf> {
        let root = self.root.as_deref()?;
        let written = readings(name).into_iter().next()?;
        if let Some(found) = inside(root, &root.join(written.replace('\\', "/"))) {
            return Some(found);
        }
        let listed = self.listed.get_or_init(|| list(root));
        let found = listed.index.find("", name, Reach::Anywhere)?;
        listed.paths.get(found).cloned()
    }
}

/// The real path of a file, if it is in `root`.
fn inside(root: &Path, path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    (real.starts_with(root) && real.is_file()).then_some(real)
}

/// The files in a folder and below it, breadth first.
fn list(root: &Path) -> Listed {
    let mut found: Vec<(OsString, PathBuf)> = Vec::new();
    let mut folders = VecDeque::from([(root.to_path_buf(), 0)]);
    let mut seen = 0;
    while let Some((folder, depth)) = folders.pop_front() {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        let mut entries: Vec<_> = entries.flatten().take(MOST_LISTED - seen).collect();
        seen += entries.len();
        // The order of a folder is chance.
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth < MOST_DEPTH => {
                    folders.push_back((path, depth + 1));
                }
                Ok(kind) if !kind.is_dir() => {
                    let within = path.strip_prefix(root).unwrap_or(&path);
                    let name = within.as_os_str().to_owned();
                    if let Some(real) = inside(root, &path) {
                        found.push((name, real));
                    }
                }
                _ => {}
            }
        }
    }
    let names = written(found.iter().map(|(name, _)| name.as_os_str()));
    Listed {
        index: Index::new(names.iter().map(String::as_str)),
        paths: found.into_iter().map(|(_, real)| real).collect(),
    }
}

/// The names of files on disk. Those that are not UTF-8 were made on another system, and are decoded together.
pub fn written<'a>(names: impl Iterator<Item = &'a OsStr> + Clone) -> Vec<String> {
    let mut odd = Names::default();
    for name in names.clone().filter(|name| name.to_str().is_none()) {
        odd.add(name.as_bytes());
    }
    let encoding = odd.encoding();
    let decode = |name: &OsStr| match name.to_str() {
        Some(name) => name.to_owned(),
        None => encoding.decode(name.as_bytes()).into_owned(),
    };
    names.map(decode).collect()
}

impl SideFiles for Folder {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let path = self.place(name)?;
        if fs::metadata(&path).ok()?.len() > MOST_BYTES {
            return None;
        }
        fs::read(path).ok().map(Cow::Owned)
    }

    fn has(&self, name: &str) -> bool {
        self.place(name).is_some()
    }
}
