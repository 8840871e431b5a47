//! RAR archives. They can only be read sequentially, so everything is unpacked at once, to disk.

use super::allowance::Allowance;
use super::content::{Part, Shelf};
use super::entry::{self, Entry, check_path};
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::read::encoding::Encoding;
use crate::read::{Mapped, clean_parts};
use crate::{Error, Result};
use codecs::{CodecError, Rar};
use std::fs;
use std::path::Path;

const RAR4: &[u8] = b"Rar!\x1a\x07\x00";
const RAR5: &[u8] = b"Rar!\x1a\x07\x01\x00";

/// Bytes of names that their encoding is decided by.
const MOST_NAMES: usize = 8 << 20;

pub fn is_rar(bytes: &[u8]) -> bool {
    bytes.starts_with(RAR4) || bytes.starts_with(RAR5)
}

/// All files, and their data in the same order.
pub fn unpack(
    bytes: &[u8],
    mapped: Mapped,
    allowance: &mut Allowance,
) -> Result<(Vec<Entry>, Vec<Part>)> {
    let mut entries = Vec::new();
    let mut shelf = Shelf::default();
    each(bytes, allowance, &mut |path, size, rar, allowance| {
        allowance.unpack(&path, size, rar, shelf.spool())?;
        mapped.release(bytes);
        shelf.close()?;
        let index = entries.len();
        entries.push(Entry {
            path,
            size,
            index,
            sealed: None,
        });
        Ok(())
    })?;
    Ok((entries, shelf.finish()?))
}

/// Writes all files to `folder`.
pub fn extract(
    bytes: &[u8],
    mapped: Mapped,
    folder: &Path,
    limits: &Limits,
    ctx: &Ctx,
) -> Result<()> {
    let mut allowance = Allowance::new(bytes.len(), limits);
    each(bytes, &mut allowance, &mut |path, size, rar, allowance| {
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
        let mut file = fs::File::create(&place).map_err(fail)?;
        allowance.unpack(&path, size, rar, &mut file)?;
        mapped.release(bytes);
        Ok(())
    })
}

/// A callback for one file, with its path and declared size; it reads the data from the archive.
type Take<'t> = dyn FnMut(String, u64, &mut Rar, &mut Allowance) -> Result<()> + 't;

/// Calls `take` for every file in archive order. Declared sizes are checked in a first pass that unpacks nothing,
/// actual ones in the second.
fn each(bytes: &[u8], allowance: &mut Allowance, take: &mut Take) -> Result<()> {
    if is_volume(bytes) {
        return Err(entry::one_of_several());
    }
    if is_encrypted(bytes) {
        return Err(entry::encrypted());
    }
    let (declared, names) = directory(bytes, allowance)?;
    let mut rar = Rar::open(bytes).map_err(explain)?;
    let mut count = 0;
    while let Some(entry) = rar.next_entry().map_err(explain)? {
        let path = entry::decode(&entry.name, names);
        if !entry.is_file || entry::is_junk(&path) {
            continue;
        }
        count += 1;
        take(path, entry.size, &mut rar, allowance)?;
    }
    match count == declared {
        true => Ok(()),
        false => Err(entry::broken()),
    }
}

/// Checks every entry without unpacking; returns the number of files, and the encoding of the names.
fn directory(bytes: &[u8], allowance: &mut Allowance) -> Result<(usize, Encoding)> {
    let mut rar = Rar::open(bytes).map_err(explain)?;
    let mut all = Vec::new();
    let mut names = Vec::new();
    loop {
        let entry = match rar.next_entry() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(_) if rar.is_encrypted() => return Err(entry::encrypted()),
            Err(error) => return Err(explain(error)),
        };
        allowance.add_files(1)?;
        entry::check_length(&entry.name)?;
        if names.len() < MOST_NAMES {
            names.extend_from_slice(&entry.name);
            names.push(b'\n');
        }
        all.push(entry);
    }
    // RAR 5 states UTF-8; of RAR 4 libarchive does not tell which names are Unicode.
    let encoding = match bytes.starts_with(RAR5) {
        true => Encoding::stated(&names),
        false => Encoding::of(&names),
    };
    let (mut files, mut total) = (0, 0u64);
    for entry in all {
        let path = entry::decode(&entry.name, encoding);
        if !entry.is_file || entry::is_junk(&path) {
            continue;
        }
        check_path(&path)?;
        if entry.encrypted {
            return Err(entry::encrypted());
        }
        total = total.saturating_add(entry.size);
        // libarchive does not report the packed size of one entry: the total is compared with the file's size.
        allowance.check_ratio(&path, total, bytes.len() as u64)?;
        files += 1;
    }
    allowance.check_total(total)?;
    Ok((files, encoding))
}

/// Whether the main header marks this file as one of several volumes.
fn is_volume(bytes: &[u8]) -> bool {
    if let Some(rest) = bytes.strip_prefix(RAR4) {
        // CRC, type 0x73, flags.
        return rest.get(2) == Some(&0x73) && rest.get(3).is_some_and(|flags| flags & 1 != 0);
    }
    let main = Blocks::of(bytes).next();
    main.is_some_and(|mut block| {
        block.kind == MAIN && vint(&mut block.body).is_some_and(|flags| flags & 1 != 0)
    })
}

/// Whether a RAR 5 needs a password: libarchive only reports such archives as broken.
fn is_encrypted(bytes: &[u8]) -> bool {
    let keyed = |block: Block| {
        let mut extra = block.extra;
        while let Some(mut record) = sized(&mut extra) {
            if vint(&mut record) == Some(ENCRYPTION_RECORD) {
                return true;
            }
        }
        false
    };
    Blocks::of(bytes).any(|block| block.kind == ENCRYPTION || (block.kind == FILE && keyed(block)))
}

const MAIN: u64 = 1;
const FILE: u64 = 2;
const ENCRYPTION: u64 = 4;
const ENCRYPTION_RECORD: u64 = 1;

/// A block's header.
struct Block<'a> {
    kind: u64,
    /// Fields specific to the type of block.
    body: &'a [u8],
    /// Records after the fields.
    extra: &'a [u8],
}

/// The complete blocks of a RAR 5.
struct Blocks<'a>(&'a [u8]);

impl<'a> Blocks<'a> {
    fn of(bytes: &'a [u8]) -> Blocks<'a> {
        Blocks(bytes.strip_prefix(RAR5).unwrap_or_default())
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        let mut rest = self.0.get(4..)?;
        let mut body = sized(&mut rest)?;
        let (kind, flags) = (vint(&mut body)?, vint(&mut body)?);
        let mut length = |bit| match flags & bit {
            0 => Some(0),
            _ => usize::try_from(vint(&mut body)?).ok(),
        };
        let (extra, data) = (length(1)?, length(2)?);
        let (body, extra) = body.split_at_checked(body.len().checked_sub(extra)?)?;
        // In a truncated archive no block follows.
        self.0 = rest.get(data..).unwrap_or_default();
        Some(Block { kind, body, extra })
    }
}

/// A byte string prefixed with its length.
fn sized<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(vint(bytes)?).ok()?;
    let (part, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(part)
}

/// A variable-length integer of RAR 5: seven bits per byte, lowest first.
fn vint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..63).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn explain(error: CodecError) -> Error {
    match error {
        CodecError::Broken => Error::corrupt(
            "RAR 压缩包已损坏，或使用了不支持的加密、压缩方式，请改用 ZIP 重新打包后上传",
        ),
        CodecError::TooLarge => Error::TooLarge("压缩包解开所需内存超出上限，请拆分后上传".into()),
    }
}
