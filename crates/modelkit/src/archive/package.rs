//! Guarded access to one archive, whatever its format.

use super::{rar, zip};
use crate::limits::Limits;
use crate::read::text;
use crate::{Error, Result};
use std::borrow::Cow;

/// Below this an entry may shrink as much as it likes: an empty texture packs
/// a thousandfold and harms nobody.
const HARMLESS_BYTES: u64 = 16 << 20;

/// A file in the archive.
pub struct Entry {
    /// Decoded path with `/`.
    pub path: String,
    pub size: u64,
    /// Its place in the archive's own order.
    pub index: usize,
}

/// Where the data is.
enum Store<'a> {
    Zip(zip::Archive<'a>),
    /// Unpacked already: such archives can only be read from front to back.
    Rar(Vec<Vec<u8>>),
}

pub struct Package<'a> {
    store: Store<'a>,
    entries: Vec<Entry>,
    /// Bytes that may still be unpacked.
    budget: u64,
    file_bytes: u64,
}

impl<'a> Package<'a> {
    /// Reads the directory and refuses archives that ask for too much.
    pub fn open(bytes: Cow<'a, [u8]>, limits: &Limits) -> Result<Package<'a>> {
        let (store, entries) = if rar::is_rar(&bytes) {
            let (entries, data) = rar::unpack(&bytes, limits)?;
            (Store::Rar(data), entries)
        } else {
            let (archive, entries) = zip::open(bytes, limits)?;
            (Store::Zip(archive), entries)
        };
        Ok(Package {
            store,
            entries,
            budget: limits.archive_bytes,
            file_bytes: limits.file_bytes,
        })
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Unpacks one entry (its place in [`Package::entries`]). What comes out
    /// must be as long as the directory says; a ZIP's checksum must be right too.
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>> {
        let Some(entry) = self.entries.get(entry) else {
            return Err(Error::Internal("archive entry out of range".into()));
        };
        if entry.size > self.file_bytes || entry.size > self.budget {
            return Err(entry_too_large(&entry.path));
        }
        let out = match &mut self.store {
            Store::Zip(archive) => zip::read(archive, entry)?,
            Store::Rar(data) => data.get(entry.index).cloned().unwrap_or_default(),
        };
        self.budget = self.budget.saturating_sub(out.len() as u64);
        Ok(out)
    }
}

pub fn entry_too_large(path: &str) -> Error {
    Error::TooLarge(format!(
        "压缩包里的 {path} 解开后超出大小上限，请拆分后上传"
    ))
}

pub fn entry_broken(path: &str) -> Error {
    Error::corrupt(format!("压缩包里的 {path} 已损坏，请重新打包后上传"))
}

pub fn encrypted() -> Error {
    Error::unsupported("压缩包设有密码，无法读取，请去掉密码后重新打包上传")
}

pub fn broken() -> Error {
    Error::corrupt("压缩包不完整或已损坏，请重新打包后上传")
}

pub fn check_count(count: usize, limits: &Limits) -> Result<()> {
    Limits::check("压缩包内文件", count, limits.archive_entries)
}

pub fn check_total(total: u64, limits: &Limits) -> Result<()> {
    if total > limits.archive_bytes {
        return Err(Error::TooLarge(format!(
            "压缩包解开后有 {} MB，超出上限 {} MB，请拆分后上传",
            total >> 20,
            limits.archive_bytes >> 20
        )));
    }
    Ok(())
}

pub fn check_ratio(path: &str, size: u64, packed: u64, limits: &Limits) -> Result<()> {
    if size > HARMLESS_BYTES && size / packed.max(1) > limits.archive_ratio {
        return Err(Error::TooLarge(format!(
            "压缩包里的 {path} 压缩比异常（解开后 {} MB），已停止处理",
            size >> 20
        )));
    }
    Ok(())
}

/// UTF-8, else GBK; both slashes part folders.
pub fn decode(raw: &[u8]) -> String {
    let path = text::decode(raw).replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// What systems leave behind: resource forks, hidden files, thumbnails.
pub fn is_junk(path: &str) -> bool {
    path.is_empty()
        || path.ends_with('/')
        || path.split('/').any(|part| {
            let hidden = part.starts_with('.') && part != "." && part != "..";
            hidden || part == "__MACOSX" || part.eq_ignore_ascii_case("thumbs.db")
        })
}

/// Paths that lead out of the archive are an attack, not a mistake.
pub fn check_path(path: &str) -> Result<()> {
    let outside = path.starts_with('/')
        || path.split('/').any(|part| part == "..")
        || path.as_bytes().get(1) == Some(&b':')
        || path.contains('\0');
    if outside || path.len() > 4096 {
        let shown: String = path.chars().filter(|c| !c.is_control()).take(60).collect();
        return Err(Error::corrupt(format!(
            "压缩包内有不安全的路径 {shown}，请重新打包后上传"
        )));
    }
    Ok(())
}
