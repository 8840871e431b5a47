//! ZIP archives.

use super::package::{self, Entry, check_count, check_path, check_ratio, check_total};
use crate::limits::Limits;
use crate::{Error, Result};
use ::zip::ZipArchive;
use ::zip::result::ZipError;
use std::borrow::Cow;
use std::io::{Cursor, Read};

pub type Archive<'a> = ZipArchive<Cursor<Cow<'a, [u8]>>>;

/// Reads the directory; names, sizes and ratios are checked before anything is unpacked.
pub fn open<'a>(bytes: Cow<'a, [u8]>, limits: &Limits) -> Result<(Archive<'a>, Vec<Entry>)> {
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
        let path = package::decode(file.name_raw());
        if file.is_dir() || file.is_symlink() || package::is_junk(&path) {
            continue;
        }
        check_path(&path)?;
        if file.encrypted() {
            return Err(package::encrypted());
        }
        check_ratio(&path, file.size(), file.compressed_size(), limits)?;
        total = total.saturating_add(file.size());
        entries.push(Entry {
            path,
            size: file.size(),
            index,
        });
    }
    check_total(total, limits)?;
    Ok((archive, entries))
}

/// Unpacks one entry.
pub fn read(archive: &mut Archive, entry: &Entry) -> Result<Vec<u8>> {
    let file = archive.by_index(entry.index).map_err(|e| explain(&e))?;
    // The declared size is not trusted with more than a megabyte up front.
    let mut out = Vec::with_capacity(entry.size.min(1 << 20) as usize);
    let read = file
        .take(entry.size.saturating_add(1))
        .read_to_end(&mut out);
    if read.is_err() || out.len() as u64 != entry.size {
        return Err(package::entry_broken(&entry.path));
    }
    Ok(out)
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

fn explain(error: &ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Error::unsupported("压缩包使用了不支持的压缩方式，请用系统自带的压缩功能重新打包成 ZIP")
        }
        _ => package::broken(),
    }
}
