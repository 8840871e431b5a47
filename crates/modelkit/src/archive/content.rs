//! Storage for unpacked bytes: small contents stay in memory, large ones go to unnamed, mapped files in the job's
//! temporary folder. Memory does not grow with the archive's contents, and nothing is left behind however the job ends.

use crate::read::Mapped;
use crate::{Error, Result};
use memmap2::Mmap;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::ops::{Deref, Range};
use std::sync::Arc;

/// From this size content goes to disk.
const SPILL_BYTES: usize = 32 << 20;
/// Approximate size of a file that holds several entries.
const SHELF_BYTES: usize = 256 << 20;

/// Bytes unpacked from an archive.
pub enum Content {
    Memory(Vec<u8>),
    Mapped(Mmap),
    /// A range of storage shared by several entries.
    Part(Arc<Content>, Range<usize>),
}

impl Deref for Content {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Content::Memory(bytes) => bytes,
            Content::Mapped(map) => map,
            Content::Part(whole, range) => whole.get(range.clone()).unwrap_or_default(),
        }
    }
}

impl Content {
    /// The mapping behind it, if any.
    pub fn mapped(&self) -> Mapped<'_> {
        match self {
            Content::Memory(_) => Mapped::none(),
            Content::Mapped(map) => Mapped::file(map),
            Content::Part(whole, _) => whole.mapped(),
        }
    }

    pub fn into_vec(self) -> Vec<u8> {
        match self {
            Content::Memory(bytes) => bytes,
            other => other.to_vec(),
        }
    }
}

/// A range of storage shared by several entries.
pub type Part = (Arc<Content>, Range<usize>);

/// An archive's own bytes: the input file's, or unpacked from the enclosing archive.
pub enum Source<'a> {
    File(Cow<'a, [u8]>, Mapped<'a>),
    Unpacked(Content),
}

impl Source<'_> {
    /// The mapping behind them, if any.
    pub fn mapped(&self) -> Mapped<'_> {
        match self {
            Source::File(_, mapped) => *mapped,
            Source::Unpacked(content) => content.mapped(),
        }
    }
}

impl AsRef<[u8]> for Source<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Source::File(bytes, _) => bytes,
            Source::Unpacked(content) => content,
        }
    }
}

/// Receives unpacked bytes.
#[derive(Default)]
pub struct Spool {
    memory: Vec<u8>,
    file: Option<File>,
    length: usize,
}

impl Spool {
    pub fn length(&self) -> usize {
        self.length
    }

    pub fn finish(self) -> Result<Content> {
        match self.file {
            None => Ok(Content::Memory(self.memory)),
            // SAFETY: the file has no name, so no other process can change it.
            Some(file) => unsafe { Mmap::map(&file) }
                .map(Content::Mapped)
                .map_err(|e| no_room(&e)),
        }
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() && self.memory.len() + bytes.len() > SPILL_BYTES {
            let mut file = tempfile::tempfile()?;
            file.write_all(&self.memory)?;
            (self.file, self.memory) = (Some(file), Vec::new());
        }
        match &mut self.file {
            Some(file) => file.write_all(bytes)?,
            None => self.memory.extend_from_slice(bytes),
        }
        self.length += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Contents one after another, several in one file: for archives that can only be read sequentially.
#[derive(Default)]
pub struct Shelf {
    open: Spool,
    full: Vec<Arc<Content>>,
    places: Vec<(usize, Range<usize>)>,
}

impl Shelf {
    /// Where to write the next content; [`Shelf::close`] ends it.
    pub fn spool(&mut self) -> &mut Spool {
        &mut self.open
    }

    /// Ends the current content: everything written since the last call.
    pub fn close(&mut self) -> Result<()> {
        let last = self.places.last();
        let start = last.map_or(0, |(segment, range)| {
            if *segment == self.full.len() {
                range.end
            } else {
                0
            }
        });
        self.places
            .push((self.full.len(), start..self.open.length()));
        if self.open.length() > SHELF_BYTES {
            self.seal()?;
        }
        Ok(())
    }

    fn seal(&mut self) -> Result<()> {
        let spool = std::mem::take(&mut self.open);
        self.full.push(Arc::new(spool.finish()?));
        Ok(())
    }

    /// All contents in order.
    pub fn finish(mut self) -> Result<Vec<Part>> {
        self.seal()?;
        let full = self.full;
        let place =
            |(segment, range): (usize, Range<usize>)| Some((full.get(segment)?.clone(), range));
        Ok(self.places.into_iter().filter_map(place).collect())
    }
}

pub fn no_room(error: &io::Error) -> Error {
    Error::storage(format!("解压的临时文件（{error}）"), error)
}
