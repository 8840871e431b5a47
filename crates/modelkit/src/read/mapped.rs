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
