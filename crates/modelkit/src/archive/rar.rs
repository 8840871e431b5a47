//! RAR archives. They are read from front to back, so that what may be of use is unpacked at once.

use super::package::{self, Entry, check_count, check_path, check_ratio, check_total};
use crate::limits::Limits;
use crate::{Error, Result};
use codecs::{CodecError, Rar};

/// Most that is held in memory.
const MOST_BYTES: u64 = 2 << 30;

pub fn is_rar(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Rar!\x1a\x07\x00") || bytes.starts_with(b"Rar!\x1a\x07\x01\x00")
}

/// All files with their data. Declared sizes are checked in a first pass that unpacks nothing, real ones in the second.
pub fn unpack(bytes: &[u8], limits: &Limits) -> Result<(Vec<Entry>, Vec<Vec<u8>>)> {
    let most = limits.archive_bytes.min(MOST_BYTES);
    let limits = &Limits {
        archive_bytes: most,
        ..limits.clone()
    };
    let declared = directory(bytes, limits)?;
    let mut rar = Rar::open(bytes).map_err(explain)?;
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    let mut budget = most;
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
        entries.push(Entry {
            path,
            size: content.len() as u64,
            index: data.len(),
        });
        data.push(content);
    }
    if entries.len() != declared {
        return Err(package::broken());
    }
    Ok((entries, data))
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
