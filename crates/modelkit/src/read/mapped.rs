//! Releases the pages of a mapped file while it is read.

use memmap2::{Mmap, UncheckedAdvice};

/// A multiple of the page size on every known system.
const PAGE: usize = 64 * 1024;

/// The mapping behind an input, if any.
#[derive(Clone, Copy)]
pub struct Mapped<'a>(Option<&'a Mmap>);

impl<'a> Mapped<'a> {
    pub fn none() -> Mapped<'static> {
        Mapped(None)
    }

    pub fn file(map: &'a Mmap) -> Mapped<'a> {
        Mapped(Some(map))
    }

    /// `piece` has been read: drops its pages from this process' memory. Reading them again loads them from the file.
    pub fn release(&self, piece: &[u8]) {
        let Some(map) = self.0 else { return };
        let Some(offset) = (piece.as_ptr() as usize).checked_sub(map.as_ptr() as usize) else {
            return;
        };
        let start = offset.next_multiple_of(PAGE);
        let end = (offset + piece.len()) / PAGE * PAGE;
        if start >= end || offset + piece.len() > map.len() {
            return;
        }
        // SAFETY: the mapping is private, read-only and file-backed: dropped pages come back with the same content. A
        // failure only costs memory.
        let _ =
            unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
