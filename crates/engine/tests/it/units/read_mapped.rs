//! Unit tests of `read::mapped`.

use memmap2::Mmap;
use modelkit::internals::Mapped;

#[test]
fn released_pieces_read_the_same() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let content: Vec<u8> = (0..1_000_000u32).map(|i| (i % 251) as u8).collect();
    std::fs::write(file.path(), &content).unwrap();
    let map = unsafe { Mmap::map(file.as_file()) }.unwrap();
    assert_eq!(&map[..], &content[..]);
    let mapped = Mapped::file(&map);
    mapped.release(&map[1000..900_000]);
    mapped.release(&map[..]);
    mapped.release(&content);
    Mapped::none().release(&map);
    assert_eq!(&map[..], &content[..]);
}
