//! Guarded access to one ZIP.

use crate::limits::Limits;
use crate::read::text;
use crate::{Error, Result};
use ::zip::ZipArchive;
use ::zip::result::ZipError;
use std::borrow::Cow;
use std::io::{Cursor, Read};

/// Below this an entry may shrink as much as it likes: an empty texture packs
/// a thousandfold and harms nobody.
const HARMLESS_BYTES: u64 = 16 << 20;

/// A file in the archive.
pub struct Entry {
    /// Decoded path with `/`.
    pub path: String,
    pub size: u64,
    index: usize,
}

pub struct Package<'a> {
    archive: ZipArchive<Cursor<Cow<'a, [u8]>>>,
    entries: Vec<Entry>,
    /// Bytes that may still be unpacked.
    budget: u64,
    file_bytes: u64,
}

impl<'a> Package<'a> {
    /// Reads the directory and refuses archives that ask for too much.
    pub fn open(bytes: Cow<'a, [u8]>, limits: &Limits) -> Result<Package<'a>> {
        check_count(declared_count(&bytes), limits)?;
        let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| explain(&e))?;
        check_count(archive.len(), limits)?;
        if archive.has_overlapping_files().map_err(|e| explain(&e))? {
            return Err(Error::corrupt(
                "压缩包内的文件互相重叠，不是正常的压缩包，请重新打包后上传",
            ));
        }
        let mut entries = Vec::new();
        let mut total = 0u64;
        for index in 0..archive.len() {
            let file = archive.by_index_raw(index).map_err(|e| explain(&e))?;
            let path = decode(file.name_raw());
            if file.is_dir() || file.is_symlink() || is_junk(&path) {
                continue;
            }
            check_path(&path)?;
            if file.encrypted() {
                return Err(Error::unsupported(
                    "压缩包设有密码，无法读取，请去掉密码后重新打包上传",
                ));
            }
            check_ratio(&path, file.size(), file.compressed_size(), limits)?;
            total = total.saturating_add(file.size());
            entries.push(Entry {
                path,
                size: file.size(),
                index,
            });
        }
        if total > limits.archive_bytes {
            return Err(Error::TooLarge(format!(
                "压缩包解开后有 {} MB，超出上限 {} MB，请拆分后上传",
                total >> 20,
                limits.archive_bytes >> 20
            )));
        }
        let (budget, file_bytes) = (limits.archive_bytes, limits.file_bytes);
        Ok(Package {
            archive,
            entries,
            budget,
            file_bytes,
        })
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Unpacks one entry (its place in [`Package::entries`]). What comes out
    /// must be as long as the directory says, and its checksum right.
    pub fn read(&mut self, entry: usize) -> Result<Vec<u8>> {
        let Some(entry) = self.entries.get(entry) else {
            return Err(Error::Internal("archive entry out of range".into()));
        };
        if entry.size > self.file_bytes || entry.size > self.budget {
            return Err(Error::TooLarge(format!(
                "压缩包里的 {} 解开后超出大小上限，请拆分后上传",
                entry.path
            )));
        }
        let file = self
            .archive
            .by_index(entry.index)
            .map_err(|e| explain(&e))?;
        // The declared size is not trusted with more than a megabyte up front.
        let mut out = Vec::with_capacity(entry.size.min(1 << 20) as usize);
        let read = file
            .take(entry.size.saturating_add(1))
            .read_to_end(&mut out);
        self.budget = self.budget.saturating_sub(out.len() as u64);
        if read.is_err() || out.len() as u64 != entry.size {
            return Err(Error::corrupt(format!(
                "压缩包里的 {} 已损坏，请重新打包后上传",
                entry.path
            )));
        }
        Ok(out)
    }
}

fn check_count(count: usize, limits: &Limits) -> Result<()> {
    Limits::check("压缩包内文件", count, limits.archive_entries)
}

/// Entries as the end record counts them, before the directory is read.
fn declared_count(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(22 + 65_535)..];
    let Some(at) = tail.windows(4).rposition(|w| w == b"PK\x05\x06") else {
        return 0;
    };
    match tail.get(at + 10..at + 12) {
        Some(&[low, high]) => usize::from(u16::from_le_bytes([low, high])),
        _ => 0,
    }
}

fn check_ratio(path: &str, size: u64, packed: u64, limits: &Limits) -> Result<()> {
    if size > HARMLESS_BYTES && size / packed.max(1) > limits.archive_ratio {
        return Err(Error::TooLarge(format!(
            "压缩包里的 {path} 压缩比异常（解开后 {} MB），已停止处理",
            size >> 20
        )));
    }
    Ok(())
}

/// UTF-8, else GBK; both slashes part folders.
fn decode(raw: &[u8]) -> String {
    let path = text::decode(raw).replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// What systems leave behind: resource forks, hidden files, thumbnails.
fn is_junk(path: &str) -> bool {
    path.is_empty()
        || path.ends_with('/')
        || path.split('/').any(|part| {
            let hidden = part.starts_with('.') && part != "." && part != "..";
            hidden || part == "__MACOSX" || part.eq_ignore_ascii_case("thumbs.db")
        })
}

/// Paths that lead out of the archive are an attack, not a mistake.
fn check_path(path: &str) -> Result<()> {
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

fn explain(error: &ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Error::unsupported("压缩包使用了不支持的压缩方式，请用系统自带的压缩功能重新打包成 ZIP")
        }
        _ => Error::corrupt("压缩包不完整或已损坏，请重新打包后上传"),
    }
}
