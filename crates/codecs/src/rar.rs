//! RAR archives (4 and 5) through Debian's libarchive, with only these two formats enabled. Archives are treated as
//! hostile: names are raw bytes, declared sizes are not trusted.

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

/// An entry's header.
#[derive(Debug, Clone)]
pub struct RarEntry {
    /// UTF-8, or in old archives the code page of the author's system.
    pub name: Vec<u8>,
    /// As declared; not trusted.
    pub size: u64,
    /// A regular file; otherwise a folder, a link or a device.
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
        // SAFETY: the bytes outlive the archive by the lifetime of `Rar`; it is freed by `drop` on every return path.
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

    /// Moves to the next entry; `None` at the end. Unread data of the current one is skipped.
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

    /// Whether any header read so far is encrypted, the list of files included.
    pub fn is_encrypted(&self) -> bool {
        // SAFETY: a live archive.
        unsafe { archive_read_has_encrypted_entries(self.archive.as_ptr()) == 1 }
    }
}

/// Data of the current entry.
impl Read for Rar<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        // SAFETY: a live archive and a buffer of the length passed.
        let read =
            unsafe { archive_read_data(self.archive.as_ptr(), to.as_mut_ptr().cast(), to.len()) };
        match usize::try_from(read) {
            Ok(read) if read <= to.len() => Ok(read),
            _ => Err(io::Error::other(CodecError::Broken)),
        }
    }
}

/// libarchive converts names to the thread's character set: this sets UTF-8 while it lives.
struct Utf8Names(libc::locale_t);

impl Utf8Names {
    fn new() -> Utf8Names {
        static LOCALE: OnceLock<usize> = OnceLock::new();
        // SAFETY: the locale is created once and never freed; null leaves the thread's locale unchanged.
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
