//! RAR archives (4 and 5) through Debian's libarchive, of which only these two formats are switched on. What is opened
//! is hostile: names come as bytes, sizes are not believed.

use crate::{CodecError, Result};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::io::{self, Read};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;

#[repr(C)]
struct RawArchive {
    _private: [u8; 0],
}

#[repr(C)]
struct RawEntry {
    _private: [u8; 0],
}

#[link(name = "archive")]
unsafe extern "C" {
    fn archive_read_new() -> *mut RawArchive;
    fn archive_read_support_format_rar(archive: *mut RawArchive) -> c_int;
    fn archive_read_support_format_rar5(archive: *mut RawArchive) -> c_int;
    fn archive_read_open_memory(
        archive: *mut RawArchive,
        bytes: *const c_void,
        length: usize,
    ) -> c_int;
    fn archive_read_next_header(archive: *mut RawArchive, entry: *mut *mut RawEntry) -> c_int;
    fn archive_read_data(archive: *mut RawArchive, to: *mut c_void, length: usize) -> isize;
    fn archive_read_free(archive: *mut RawArchive) -> c_int;
    fn archive_read_has_encrypted_entries(archive: *mut RawArchive) -> c_int;
    fn archive_entry_pathname(entry: *mut RawEntry) -> *const c_char;
    fn archive_entry_size(entry: *mut RawEntry) -> i64;
    fn archive_entry_filetype(entry: *mut RawEntry) -> c_uint;
    fn archive_entry_hardlink(entry: *mut RawEntry) -> *const c_char;
    fn archive_entry_is_encrypted(entry: *mut RawEntry) -> c_int;
}

const OK: c_int = 0;
const END: c_int = 1;
const WARN: c_int = -20;
const REGULAR: c_uint = 0o100_000;

/// An archive read from front to back.
pub struct Rar<'a> {
    archive: NonNull<RawArchive>,
    bytes: PhantomData<&'a [u8]>,
}

/// What stands before an entry's data.
#[derive(Debug, Clone)]
pub struct RarEntry {
    /// UTF-8, or for old archives whatever their author's system used.
    pub name: Vec<u8>,
    /// As declared.
    pub size: u64,
    /// A plain file; else a folder, a link or a device.
    pub is_file: bool,
    pub encrypted: bool,
}

impl Drop for Rar<'_> {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `archive_read_new` and is freed once.
        unsafe {
            archive_read_free(self.archive.as_ptr());
        }
    }
}

impl<'a> Rar<'a> {
    pub fn open(bytes: &'a [u8]) -> Result<Rar<'a>> {
        // SAFETY: the bytes outlive the archive by the lifetime of `Rar`; it is freed by `drop` on every way out.
        unsafe {
            let archive = NonNull::new(archive_read_new()).ok_or(CodecError::TooLarge)?;
            let rar = Rar {
                archive,
                bytes: PhantomData,
            };
            let at = archive.as_ptr();
            let ready = archive_read_support_format_rar(at) >= WARN
                && archive_read_support_format_rar5(at) >= WARN
                && archive_read_open_memory(at, bytes.as_ptr().cast(), bytes.len()) == OK;
            ready.then_some(rar).ok_or(CodecError::Broken)
        }
    }

    /// Goes on to the next entry; `None` at the end. What is left of the last one's data is skipped.
    pub fn next_entry(&mut self) -> Result<Option<RarEntry>> {
        let _names = Utf8Names::new();
        let mut entry = std::ptr::null_mut();
        // SAFETY: a live archive; the entry belongs to it and is read before the next call.
        unsafe {
            match archive_read_next_header(self.archive.as_ptr(), &raw mut entry) {
                END => return Ok(None),
                OK | WARN if !entry.is_null() => {}
                _ => return Err(CodecError::Broken),
            }
            let name = archive_entry_pathname(entry);
            if name.is_null() {
                return Err(CodecError::Broken);
            }
            Ok(Some(RarEntry {
                name: CStr::from_ptr(name).to_bytes().to_vec(),
                size: u64::try_from(archive_entry_size(entry)).unwrap_or(0),
                is_file: archive_entry_filetype(entry) == REGULAR
                    && archive_entry_hardlink(entry).is_null(),
                encrypted: archive_entry_is_encrypted(entry) != 0,
            }))
        }
    }

    /// Whether anything seen so far asks for a password, the list of files included.
    pub fn is_encrypted(&self) -> bool {
        // SAFETY: a live archive.
        unsafe { archive_read_has_encrypted_entries(self.archive.as_ptr()) == 1 }
    }
}

/// Data of the current entry.
impl Read for Rar<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        // SAFETY: a live archive and as much room as is told.
        let read =
            unsafe { archive_read_data(self.archive.as_ptr(), to.as_mut_ptr().cast(), to.len()) };
        match usize::try_from(read) {
            Ok(read) if read <= to.len() => Ok(read),
            _ => Err(io::Error::other(CodecError::Broken)),
        }
    }
}

/// libarchive turns names into the thread's character set: this makes it UTF-8 as long as it lives.
struct Utf8Names(libc::locale_t);

impl Utf8Names {
    fn new() -> Utf8Names {
        static LOCALE: OnceLock<usize> = OnceLock::new();
        // SAFETY: the locale is made once and never freed; null leaves the thread's as it is.
        unsafe {
            let locale = *LOCALE.get_or_init(|| {
                libc::newlocale(
                    libc::LC_CTYPE_MASK,
                    c"C.UTF-8".as_ptr(),
                    std::ptr::null_mut(),
                ) as usize
            });
            Utf8Names(libc::uselocale(locale as libc::locale_t))
        }
    }
}

impl Drop for Utf8Names {
    fn drop(&mut self) {
        // SAFETY: the locale the thread had before.
        unsafe {
            libc::uselocale(self.0);
        }
    }
}
