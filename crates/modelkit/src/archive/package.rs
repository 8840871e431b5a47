//! Checked access to one archive of any format.

use super::allowance::Allowance;
use super::content::{Content, Part, Source, Spool};
use super::{rar, zip};
use crate::limits::Limits;
use crate::read::{Mapped, text};
use crate::{Error, Result};
use std::borrow::Cow;

/// A file in the archive.
pub struct Entry {
    /// Decoded path with `/`.
    pub path: String,
    pub size: u64,
    /// Its index in the archive's own order.
    pub index: usize,
}

/// Where an entry's data comes from.
enum Store<'a> {
    Zip(zip::Archive<'a>),
    /// Already unpacked: these archives can only be read sequentially.
    Rar(Vec<Part>),
}

pub struct Package<'a> {
    store: Store<'a>,
    entries: Vec<Entry>,
    pub(super) allowance: Allowance,
}

impl<'a> Package<'a> {
    /// Reads the directory and rejects archives beyond the limits. Of `mapped` bytes only few are kept in memory at a
    /// time.
    pub fn open(bytes: Cow<'a, [u8]>, mapped: Mapped<'a>, limits: &Limits) -> Result<Package<'a>> {
        let allowance = Allowance::new(bytes.len(), limits);
        Package::open_within(Source::File(bytes, mapped), allowance)
    }

    /// The same within the remaining budget of an enclosing archive.
    pub(super) fn open_within(source: Source<'a>, mut allowance: Allowance) -> Result<Package<'a>> {
        let (store, entries) = if rar::is_rar(source.as_ref()) {
            let (entries, data) = rar::unpack(source.as_ref(), source.mapped(), &mut allowance)?;
            (Store::Rar(data), entries)
        } else {
            let (archive, entries) = zip::open(source, &mut allowance)?;
            (Store::Zip(archive), entries)
        };
        Ok(Package {
            store,
            entries,
            allowance,
        })
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Unpacks one entry into memory; see [`Package::unpack`].
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>> {
        self.unpack(entry).map(Content::into_vec)
    }

    /// Unpacks one entry (its index in [`Package::entries`]). The output must have the length the directory declares,
    /// and for a ZIP the right checksum.
    pub fn unpack(&mut self, entry: usize) -> Result<Content> {
        let Some(entry) = self.entries.get(entry) else {
            return Err(Error::Internal("archive entry out of range".into()));
        };
        match &mut self.store {
            Store::Zip(archive) => {
                let mut spool = Spool::default();
                zip::unpack(archive, entry, &mut self.allowance, &mut spool)?;
                spool.finish()
            }
            Store::Rar(data) => match data.get(entry.index) {
                Some((content, range)) => Ok(Content::Part(content.clone(), range.clone())),
                None => Err(entry_broken(&entry.path)),
            },
        }
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

pub fn one_of_several() -> Error {
    Error::unsupported("这是分卷压缩包的其中一卷，无法单独读取，请合并后打包成一个 ZIP 再上传")
}

/// UTF-8, else GBK; both slashes separate folders.
pub fn decode(raw: &[u8]) -> String {
    let path = text::decode(raw).replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// Files that operating systems leave behind: resource forks, hidden files, thumbnails.
pub fn is_junk(path: &str) -> bool {
    path.is_empty()
        || path.ends_with('/')
        || path.split('/').any(|part| {
            let hidden = part.starts_with('.') && part != "." && part != "..";
            hidden || part == "__MACOSX" || part.eq_ignore_ascii_case("thumbs.db")
        })
}

/// Paths that lead out of the archive are treated as an attack, not a mistake.
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
