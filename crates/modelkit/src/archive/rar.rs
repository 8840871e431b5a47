//! RAR archives. They are read from front to back, so that what may be of use is unpacked at once.

use super::package::{self, Entry, check_count, check_path, check_ratio, check_total};
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::read::side::clean_parts;
use crate::{Error, Result};
use codecs::{CodecError, Rar};
use std::fs;
use std::path::Path;

/// Most that is held in memory.
const MOST_BYTES: u64 = 2 << 30;

pub fn is_rar(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Rar!\x1a\x07\x00") || bytes.starts_with(b"Rar!\x1a\x07\x01\x00")
}

/// All files with their data.
pub fn unpack(bytes: &[u8], limits: &Limits) -> Result<(Vec<Entry>, Vec<Vec<u8>>)> {
    let most = limits.archive_bytes.min(MOST_BYTES);
    let limits = &Limits {
        archive_bytes: most,
        ..limits.clone()
    };
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    each(bytes, limits, &mut |path, content| {
        entries.push(Entry {
            path,
            size: content.len() as u64,
            index: data.len(),
        });
        data.push(content);
        Ok(())
    })?;
    Ok((entries, data))
}

/// Writes all files below `folder`; in memory is one at a time.
pub fn extract(bytes: &[u8], folder: &Path, limits: &Limits, ctx: &Ctx) -> Result<()> {
    each(bytes, limits, &mut |path, content| {
        ctx.report(Stage::Read, 0.0, "正在解开压缩包")?;
        let parts = clean_parts(&path);
        let Some((name, folders)) = parts.split_last() else {
            return Ok(());
        };
        let mut place = folder.to_path_buf();
        place.extend(folders);
        let fail = |_| {
            Error::TooLarge(format!(
                "压缩包里的 {path} 无法解开：磁盘空间不足或名字过长"
            ))
        };
        fs::create_dir_all(&place).map_err(fail)?;
        place.push(name);
        fs::write(&place, content).map_err(fail)
    })
}

/// Hands over every file with its decoded path, in the archive's order. Declared sizes are checked in a first pass that
/// unpacks nothing, real ones in the second.
fn each(
    bytes: &[u8],
    limits: &Limits,
    take: &mut dyn FnMut(String, Vec<u8>) -> Result<()>,
) -> Result<()> {
    let declared = directory(bytes, limits)?;
    let mut rar = Rar::open(bytes).map_err(explain)?;
    let mut budget = limits.archive_bytes;
    let mut count = 0;
    while let Some(entry) = rar.next_entry().map_err(explain)? {
        let path = package::decode(&entry.name);
        if !entry.is_file || package::is_junk(&path) {
            continue;
        }
        let content = match rar.data(entry.size.min(limits.file_bytes).min(budget)) {
            Ok(content) if content.len() as u64 == entry.size => content,
            Ok(_) | Err(CodecError::Broken) => return Err(package::entry_broken(&path)),
            Err(CodecError::TooLarge) => return Err(package::entry_too_large(&path)),
        };
        budget -= content.len() as u64;
        count += 1;
        take(path, content)?;
    }
    match count == declared {
        true => Ok(()),
        false => Err(package::broken()),
    }
}

/// Looks at every entry without unpacking; answers how many files there are.
fn directory(bytes: &[u8], limits: &Limits) -> Result<usize> {
    let mut rar = Rar::open(bytes).map_err(explain)?;
    let (mut count, mut files, mut total) = (0, 0, 0u64);
    loop {
        let entry = match rar.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(_) if rar.is_encrypted() => return Err(package::encrypted()),
            Err(error) => return Err(explain(error)),
        };
        count += 1;
        check_count(count, limits)?;
        let path = package::decode(&entry.name);
        if !entry.is_file || package::is_junk(&path) {
            continue;
        }
        check_path(&path)?;
        if entry.encrypted {
            return Err(package::encrypted());
        }
        total = total.saturating_add(entry.size);
        // The packed size of one entry is not told: all of them together stand against the file.
        check_ratio(&path, total, bytes.len() as u64, limits)?;
        files += 1;
    }
    check_total(total, limits)?;
    Ok(files)
}

fn explain(error: CodecError) -> Error {
    match error {
        CodecError::Broken => Error::corrupt(
            "RAR 压缩包已损坏，或使用了不支持的分卷、加密方式，请改用 ZIP 重新打包后上传",
        ),
        CodecError::TooLarge => Error::TooLarge("压缩包解开所需内存超出上限，请拆分后上传".into()),
    }
}
