//! Unit tests of `archive::package`.

use ::zip::write::{SimpleFileOptions, ZipWriter};
use modelkit::internals::{Mapped, Package};
use modelkit::limits::Limits;
use std::borrow::Cow;
use std::io::Write;

#[test]
fn a_mapped_archive_reads_the_same_while_its_memory_is_given_back() {
    let content =
        |file: usize| -> Vec<u8> { (0..3_000_000).map(|i| (i * 7 + file) as u8).collect() };
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut zip = ZipWriter::new(file.as_file());
    let stored = SimpleFileOptions::default().compression_method(::zip::CompressionMethod::Stored);
    for number in 0..4 {
        zip.start_file(format!("{number}.bin"), stored).unwrap();
        zip.write_all(&content(number)).unwrap();
    }
    zip.finish().unwrap();
    let map = unsafe { memmap2::Mmap::map(file.as_file()) }.unwrap();
    let limits = Limits::default();
    let bytes = Cow::Borrowed(&map[..]);
    let mut package = Package::open(bytes, Mapped::file(&map), &limits).unwrap();
    for _ in 0..2 {
        for number in [2, 0, 3, 1] {
            assert!(package.read(number).unwrap() == content(number));
        }
    }
}
