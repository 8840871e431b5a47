//! ZIP archives.

use super::allowance::Allowance;
use super::content::{Source, Spool};
use super::entry::{self, Entry, check_path};
use crate::limits::Limits;
use crate::read::encoding::{self, Encoding};
use crate::{Error, Result};
use ::zip::extra_fields::ExtraField;
use ::zip::read::ZipFile;
use ::zip::result::ZipError;
use ::zip::{CompressionMethod, SUPPORTED_COMPRESSION_METHODS, ZipArchive};
use std::io::{self, Cursor, Read, Seek, SeekFrom};

pub type Archive<'a> = ZipArchive<Reading<'a>>;

/// Bytes of a mapped archive that may stay resident.
const HELD: usize = 4 << 20;
/// Bytes the system may page in around each read.
const WINDOW: usize = 64 << 10;

/// Reads an archive's bytes, and releases the pages it has passed.
pub struct Reading<'a> {
    bytes: Cursor<Source<'a>>,
    /// Approximate bytes read since pages were last released.
    passed: usize,
}

impl<'a> Reading<'a> {
    fn new(source: Source<'a>) -> Self {
        Self {
            bytes: Cursor::new(source),
            passed: 0,
        }
    }

    fn pass(&mut self, length: usize) {
        self.passed += length;
        if self.passed > HELD {
            self.passed = 0;
            let source = self.bytes.get_ref();
            source.mapped().release(source.as_ref());
        }
    }
}

impl Read for Reading<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(to)?;
        self.pass(length);
        Ok(length)
    }
}

impl Seek for Reading<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.pass(WINDOW);
        self.bytes.seek(to)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.bytes.position())
    }
}

/// Signature of the first of several volumes.
const FIRST_VOLUME: &[u8] = b"PK\x07\x08";

/// Reads the directory; names, sizes and ratios are checked before anything is unpacked.
pub fn open<'a>(
    source: Source<'a>,
    allowance: &mut Allowance,
) -> Result<(Archive<'a>, Vec<Entry>)> {
    let end = EndRecord::find(source.as_ref());
    if end.disk != 0 || source.as_ref().starts_with(FIRST_VOLUME) {
        return Err(entry::one_of_several());
    }
    Limits::check(
        "压缩包内文件",
        usize::try_from(end.count).unwrap_or(usize::MAX),
        allowance.limits().archive_entries,
    )?;
    let mut archive = ZipArchive::new(Reading::new(source)).map_err(|e| explain(&e))?;
    allowance.add_files(archive.len())?;
    if archive.has_overlapping_files().map_err(|e| explain(&e))? {
        return Err(Error::corrupt(
            "压缩包内的文件互相重叠，不是正常的压缩包，请重新打包后上传",
        ));
    }
    let mut names = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|e| explain(&e))?;
        // Before they are held all together.
        entry::check_length(file.name_raw())?;
        names.push(Name::of(&file));
    }
    let mut entries = Vec::new();
    let mut total = 0u64;
    for (index, path) in decoded(names).into_iter().enumerate() {
        let file = archive.by_index_raw(index).map_err(|e| explain(&e))?;
        if file.is_dir() || file.is_symlink() || entry::is_junk(&path) {
            continue;
        }
        check_path(&path)?;
        if file.encrypted() {
            return Err(entry::encrypted());
        }
        allowance.check_ratio(&path, file.size(), file.compressed_size())?;
        total = total.saturating_add(file.size());
        entries.push(Entry {
            path,
            size: file.size(),
            index,
            sealed: sealed(file.compression()),
        });
    }
    allowance.check_total(total)?;
    Ok((archive, entries))
}

/// Bit 11 of an entry's flags: its name is UTF-8.
const UTF8_FLAG: u16 = 1 << 11;

/// An entry's name as stored.
enum Name {
    /// Stated to be Unicode: by the entry's flag, or beside the name in its archiver's own encoding.
    Unicode(String),
    /// In an encoding that nothing states, and as IBM 437, which the format has for it.
    Local(Vec<u8>, String),
}

impl Name {
    fn of<R: Read>(file: &ZipFile<R>) -> Name {
        let raw = file.name_raw();
        let beside = file.extra_data_fields().find_map(|field| match field {
            ExtraField::UnicodePath(name) => name.clone().unwrap_valid(raw).ok(),
            _ => None,
        });
        let beside = beside.and_then(|name| String::from_utf8(name.into_vec()).ok());
        match (beside, std::str::from_utf8(raw)) {
            (Some(name), _) => Name::Unicode(name),
            (None, Ok(name)) if raw.is_ascii() || file.flags().as_u16() & UTF8_FLAG != 0 => {
                Name::Unicode(name.to_owned())
            }
            _ => Name::Local(raw.to_vec(), file.name().unwrap_or_default().into_owned()),
        }
    }
}

/// The decoded names of all entries (APPNOTE 6.3.10, 4.4.4 and appendix D). Archivers write the code page of their
/// system where IBM 437 should stand, so it is taken only where it makes sense.
fn decoded(names: Vec<Name>) -> Vec<String> {
    let (mut local, mut western) = (Vec::new(), String::new());
    for name in &names {
        if let Name::Local(raw, ibm) = name {
            local.extend_from_slice(raw);
            local.push(b'\n');
            western.push_str(ibm);
            western.push('\n');
        }
    }
    let found = Encoding::of(&local);
    let is_western = found != Encoding::UTF8
        && !encoding::is_plain_chinese(&local)
        && (found.is_single_byte() || encoding::is_latin(&western));
    let name = |name: Name| match name {
        Name::Unicode(name) => entry::path(&name),
        Name::Local(_, ibm) if is_western => entry::path(&ibm),
        Name::Local(raw, _) => entry::decode(&raw, found),
    };
    names.into_iter().map(name).collect()
}

/// The name of a method that is not read (APPNOTE 6.3.10, 4.4.5). The crate reports it only while reading, as any other
/// error.
fn sealed(method: CompressionMethod) -> Option<String> {
    if SUPPORTED_COMPRESSION_METHODS.contains(&method) {
        return None;
    }
    // Its numbers are what is asked for; the constants are for writers.
    #[allow(deprecated)]
    let number = match method {
        CompressionMethod::Unsupported(number) => number,
        other => return Some(other.to_string()),
    };
    let name = match number {
        1 => "Shrink",
        2..=5 => "Reduce",
        6 => "Implode",
        10 | 18 => "IBM TERSE",
        14 => "LZMA",
        16 => "IBM CMPSC",
        19 => "IBM LZ77",
        20 | 93 => "Zstandard",
        94 => "MP3",
        95 => "XZ",
        96 => "JPEG",
        97 => "WavPack",
        98 => "PPMd",
        other => return Some(format!("（编号 {other}）")),
    };
    Some(name.to_owned())
}

/// Unpacks one entry.
pub fn unpack(
    archive: &mut Archive,
    entry: &Entry,
    allowance: &mut Allowance,
    to: &mut Spool,
) -> Result<()> {
    if let Some(method) = &entry.sealed {
        return Err(entry::entry_sealed(&entry.path, method));
    }
    let mut file = archive.by_index(entry.index).map_err(|e| explain(&e))?;
    allowance.unpack(&entry.path, entry.size, &mut file, to)
}

/// What is checked of the end record before the directory is read.
#[derive(Debug, Default, PartialEq)]
struct EndRecord {
    /// Entries in the directory.
    count: u64,
    /// Number of this volume.
    disk: u32,
}

impl EndRecord {
    /// A field of all ones stands in the ZIP64 record (APPNOTE 6.3.10, 4.4.1.4), if there is one.
    fn find(bytes: &[u8]) -> EndRecord {
        let from = bytes.len().saturating_sub(22 + 65_535);
        let tail = bytes.get(from..).unwrap_or_default();
        // The comment behind it may look like a record, and more may follow the archive.
        let starts = tail.windows(4).enumerate().rev();
        let starts = starts.filter(|(_, w)| *w == b"PK\x05\x06");
        let fits = |at: usize, exactly: bool| {
            let comment = number(bytes, at + 20, 2).map(|length| at as u64 + 22 + length);
            comment.is_some_and(|end| match exactly {
                true => end == bytes.len() as u64,
                false => end <= bytes.len() as u64,
            })
        };
        let mut starts = starts.map(|(at, _)| from + at);
        let whole = starts.clone().find(|at| fits(*at, true));
        let Some(at) = whole.or_else(|| starts.find(|at| fits(*at, false))) else {
            return EndRecord::default();
        };
        let (Some(disk), Some(count)) = (number(bytes, at + 4, 2), number(bytes, at + 10, 2))
        else {
            return EndRecord::default();
        };
        let long = EndRecord::find_long(bytes, at);
        let (long_count, long_disk) = match long {
            Some(long) => (long.count, long.disk),
            None => (count, 0),
        };
        EndRecord {
            // Where both are given, the larger one: the limit holds for whichever is read.
            count: match count {
                0xffff => long_count,
                count => count.max(long_count),
            },
            disk: match disk {
                0xffff => long_disk,
                disk => disk as u32,
            },
        }
    }

    /// The ZIP64 record, by the locator before the end record at `end` (4.3.14, 4.3.15).
    fn find_long(bytes: &[u8], end: usize) -> Option<EndRecord> {
        let locator = end.checked_sub(20)?;
        if bytes.get(locator..locator + 4)? != b"PK\x06\x07" {
            return None;
        }
        let place = usize::try_from(number(bytes, locator + 8, 8)?).ok()?;
        let is_record = |at: &usize| {
            let end = at.checked_add(4);
            end.and_then(|end| bytes.get(*at..end)) == Some(b"PK\x06\x06")
        };
        // In front of the archive there may be a program; then the record directly precedes the locator.
        let near = || locator.checked_sub(56);
        let at = Some(place)
            .filter(is_record)
            .or_else(near)
            .filter(is_record)?;
        Some(EndRecord {
            count: number(bytes, at + 32, 8)?,
            disk: u32::try_from(number(bytes, at + 16, 4)?).ok()?,
        })
    }
}

/// A little-endian number of up to eight bytes.
fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    let digit = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    Some(bytes.iter().rev().fold(0, digit))
}

fn explain(error: &ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(_) => {
            Error::unsupported("压缩包使用了不支持的压缩方式，请用系统自带的压缩功能重新打包成 ZIP")
        }
        _ => entry::broken(),
    }
}
