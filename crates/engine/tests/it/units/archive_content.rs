//! Unit tests of `archive::content`.

use modelkit::internals::{Content, Shelf};
use std::io::Write;

#[test]
fn large_content_lies_on_disk_and_is_the_same() {
    let piece: Vec<u8> = (0..1 << 20).map(|i| ((i * 31) >> 3) as u8).collect();
    let mut shelf = Shelf::default();
    for length in [0, 100, 300, 5] {
        for _ in 0..length {
            shelf.spool().write_all(&piece).unwrap();
        }
        shelf.spool().write_all(&[length as u8]).unwrap();
        shelf.close().unwrap();
    }
    let found = shelf.finish().unwrap();
    for ((content, range), length) in found.iter().zip([0usize, 100, 300, 5]) {
        let part = Content::Part(content.clone(), range.clone());
        assert_eq!(part.len(), (length << 20) + 1);
        assert_eq!(part.last(), Some(&(length as u8)));
        assert!(part.chunks_exact(1 << 20).all(|chunk| chunk == piece));
    }
    assert!(matches!(*found[1].0, Content::Mapped(_)));
    assert!(matches!(*found[3].0, Content::Memory(_)));
}
