//! ZIP archives.

use super::allowance::Allowance;
use super::content::{Source, Spool};
use super::entry::{self, Entry, check_path};
use crate::limits::Limits;
use crate::{Error, Result};
use ::zip::ZipArchive;
use ::zip::extra_fields::ExtraField;
use ::zip::read::ZipFile;
use ::zip::result::ZipError;
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
        end.count,
        allowance.limits().archive_entries,
    )?;
    let mut archive = ZipArchive::new(Reading::new(source)).map_err(|e| explain(&e))?;
    allowance.add_files(archive.len())?;
    if archive.has_overlapping_files().map_err(|e| explain(&e))? {
        return Err(Error::corrupt(
            "压缩包内的文件互相重叠，不是正常的压缩包，请重新打包后上传",
        ));
    }
    let mut entries = Vec::new();
    let mut total = 0u64;
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(|e| explain(&e))?;
        let path = name_of(&file);
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
        });
    }
    allowance.check_total(total)?;
    Ok((archive, entries))
}

/// The Unicode name if the archiver stored one beside that in its local encoding.
fn name_of<R: Read>(file: &ZipFile<R>) -> String {
    let raw = file.name_raw();
    let unicode = file.extra_data_fields().find_map(|field| match field {
        ExtraField::UnicodePath(name) => name.clone().unwrap_valid(raw).ok(),
        _ => None,
    });
    entry::decode(unicode.as_deref().unwrap_or(raw))
}

/// Unpacks one entry.
pub fn unpack(
    archive: &mut Archive,
    entry: &Entry,
    allowance: &mut Allowance,
    to: &mut Spool,
) -> Result<()> {
    let mut file = archive.by_index(entry.index).map_err(|e| explain(&e))?;
    allowance.unpack(&entry.path, entry.size, &mut file, to)
}

/// The end record, which is checked before the directory is read.
#[derive(Default)]
struct EndRecord {
    count: usize,
    /// Number of this volume.
    disk: u16,
}

impl EndRecord {
    fn find(bytes: &[u8]) -> EndRecord {
        let tail = &bytes[bytes.len().saturating_sub(22 + 65_535)..];
        let at = tail.windows(4).rposition(|w| w == b"PK\x05\x06");
        let Some(&[.., d0, d1, _, _, _, _, c0, c1]) = at.and_then(|at| tail.get(at..at + 12))
        else {
            return EndRecord::default();
        };
        let disk = u16::from_le_bytes([d0, d1]);
        EndRecord {
            count: usize::from(u16::from_le_bytes([c0, c1])),
            // All ones mean that the value is stored in the ZIP64 record.
            disk: if disk == u16::MAX { 0 } else { disk },
        }
    }
}

fn explain(error: &ZipError) -> Error {
    match error {
        ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_) => {
            Error::unsupported("压缩包使用了不支持的压缩方式，请用系统自带的压缩功能重新打包成 ZIP")
        }
        _ => entry::broken(),
    }
}
