//! The files of a delivery, in a folder or an archive.

use crate::archive::{Package, extract_rar, is_rar};
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::names::{Index, Reach};
use crate::read::{Mapped, SideFiles, side};
use crate::{Error, Result};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Depth of nested folders that are searched.
const MOST_DEPTH: usize = 12;

/// Paths with `/` between folders, and sizes in bytes.
type Sizes = Vec<(String, u64)>;

pub struct Source {
    pub files: Sizes,
    index: Index,
    store: Store,
}

enum Store {
    /// The place of each file on disk.
    Folder(Vec<PathBuf>),
    /// The contents of a RAR, which can only be read sequentially.
    Unpacked(
        Vec<PathBuf>,
        #[expect(dead_code, reason = "removed with the source")] tempfile::TempDir,
    ),
    Archive {
        map: memmap2::Mmap,
        limits: Box<Limits>,
    },
}

/// Open archives, one per reading thread.
#[derive(Default)]
pub struct Readers<'a>(Mutex<Vec<Package<'a>>>);

impl Source {
    /// Opens a folder, or an archive within `limits`. A RAR is unpacked to the folder for temporary files, and removed
    /// with the source.
    pub fn open(path: &Path, limits: &Limits, ctx: &Ctx) -> Result<Source> {
        let info = fs::metadata(path).map_err(|e| Error::io(path, &e))?;
        let (files, store) = if info.is_dir() {
            let (files, places) = listed(path, limits)?;
            (files, Store::Folder(places))
        } else {
            let file = fs::File::open(path).map_err(|e| Error::io(path, &e))?;
            // SAFETY: the file is the job's private copy; it is not truncated meanwhile.
            let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|e| Error::io(path, &e))?;
            if is_rar(&map) {
                let folder = tempfile::tempdir().map_err(|e| Error::io(path, &e))?;
                extract_rar(&map, Mapped::file(&map), folder.path(), limits, ctx)?;
                let (files, places) = listed(folder.path(), limits)?;
                (files, Store::Unpacked(places, folder))
            } else {
                let package = Package::open(Cow::Borrowed(&map), Mapped::file(&map), limits)?;
                let entries = package.entries().iter();
                let files = entries.map(|e| (e.path.clone(), e.size)).collect();
                drop(package);
                let limits = Box::new(limits.clone());
                (files, Store::Archive { map, limits })
            }
        };
        Ok(Source {
            index: Index::new(files.iter().map(|(path, _)| path.as_str())),
            files,
            store,
        })
    }

    /// Index of a file that a file in `folder` refers to. The blocks of a delivery use the same names, so a file of
    /// another folder is not taken for it.
    pub fn beside(&self, folder: &str, name: &str) -> Option<usize> {
        self.index.find(folder, name, Reach::Below)
    }

    /// A file's bytes.
    pub fn read<'a>(&'a self, place: usize, readers: &Readers<'a>) -> Result<Vec<u8>> {
        let (path, size) = &self.files[place];
        match &self.store {
            Store::Folder(places) | Store::Unpacked(places, _) => {
                let at = places.get(place).map_or(Path::new(path), PathBuf::as_path);
                read_file(at, *size)
            }
            Store::Archive { map, limits } => {
                let idle = readers.0.lock().map_or(None, |mut idle| idle.pop());
                let mut package = match idle {
                    Some(package) => package,
                    None => Package::open(Cow::Borrowed(map), Mapped::file(map), limits)?,
                };
                let bytes = package.read(place);
                if let Ok(mut idle) = readers.0.lock() {
                    idle.push(package);
                }
                bytes
            }
        }
    }
}

/// A file that grows meanwhile is read up to its original size.
fn read_file(path: &Path, size: u64) -> Result<Vec<u8>> {
    let file = fs::File::open(path).map_err(|e| Error::io(path, &e))?;
    let mut bytes = Vec::with_capacity(size as usize);
    std::io::Read::read_to_end(&mut std::io::Read::take(file, size), &mut bytes)
        .map_err(|e| Error::io(path, &e))?;
    Ok(bytes)
}

/// The files beside one file, for the images it refers to.
pub struct Beside<'s, 'r> {
    pub source: &'s Source,
    pub readers: &'r Readers<'s>,
    pub folder: &'r str,
    /// That the limit of unpacking was reached: an image that was not read for it is not missing.
    pub over: Mutex<Option<Error>>,
}

impl SideFiles for Beside<'_, '_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let place = self.source.beside(self.folder, name)?;
        match self.source.read(place, self.readers) {
            Ok(bytes) => Some(Cow::Owned(bytes)),
            Err(error) => {
                if let (Error::Limit(_), Ok(mut over)) = (&error, self.over.lock()) {
                    *over = Some(error);
                }
                None
            }
        }
    }
}

pub fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// Folder part of a path.
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Name of a path without folder and extension.
pub fn stem_of(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or("");
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The files of a folder with their sizes, and their places on disk.
fn listed(folder: &Path, limits: &Limits) -> Result<(Sizes, Vec<PathBuf>)> {
    let mut found = Vec::new();
    walk(folder, 0, limits, &mut found)?;
    let (places, sizes): (Vec<PathBuf>, Vec<u64>) = found.into_iter().unzip();
    let within = places.iter().map(|place| place.strip_prefix(folder));
    let names = side::written(within.map(|within| within.unwrap_or(folder).as_os_str()));
    Ok((names.into_iter().zip(sizes).collect(), places))
}

fn walk(folder: &Path, depth: usize, limits: &Limits, out: &mut Vec<(PathBuf, u64)>) -> Result<()> {
    let list = fs::read_dir(folder).map_err(|e| Error::io(folder, &e))?;
    for entry in list {
        let entry = entry.map_err(|e| Error::io(folder, &e))?;
        // Links are not followed: they may lead anywhere.
        let kind = entry.file_type().map_err(|e| Error::io(folder, &e))?;
        if kind.is_dir() && depth < MOST_DEPTH {
            walk(&entry.path(), depth + 1, limits, out)?;
        } else if kind.is_file() {
            let size = entry.metadata().map_or(0, |m| m.len());
            out.push((entry.path(), size));
            Limits::check("文件", out.len(), limits.archive_entries)?;
        }
    }
    Ok(())
}
