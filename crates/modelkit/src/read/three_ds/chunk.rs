//! Chunks: a 16-bit id, a 32-bit length that includes its own six bytes, data and nested chunks.

use super::truncated;
use crate::Result;
use crate::read::encoding::{Encoding, Names};
use std::cell::RefCell;

/// A chunk's content, read from the front.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    bytes: &'a [u8],
    names: &'a Reader,
}

/// The encoding assumed for names, and what was met to tell the right one.
pub struct Reader {
    encoding: Encoding,
    names: RefCell<Names>,
}

impl Reader {
    pub fn new(encoding: Encoding) -> Reader {
        Reader {
            encoding,
            names: RefCell::default(),
        }
    }

    /// The encoding that the names met are in.
    pub fn found(&self) -> Encoding {
        self.names.borrow().encoding()
    }
}

pub struct Chunk<'a> {
    pub id: u16,
    pub body: Body<'a>,
}

impl<'a> Body<'a> {
    pub fn new(bytes: &'a [u8], names: &'a Reader) -> Self {
        Self { bytes, names }
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*head)
    }

    pub fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    pub fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    pub fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    pub fn floats<const N: usize>(&mut self) -> Option<[f32; N]> {
        let mut out = [0.0; N];
        for value in &mut out {
            *value = self.f32()?;
        }
        Some(out)
    }

    pub fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take()
    }

    pub fn skip(&mut self, bytes: usize) -> Option<()> {
        self.bytes = self.bytes.get(bytes..)?;
        Some(())
    }

    /// A zero-terminated name.
    pub fn name(&mut self) -> Option<String> {
        let end = self.bytes.iter().position(|b| *b == 0)?;
        let name = &self.bytes[..end];
        self.names.names.borrow_mut().add(name);
        let name = self.names.encoding.name(name);
        self.bytes = &self.bytes[end + 1..];
        Some(name)
    }

    /// `count` rows of `size` bytes; `None` if there are fewer.
    pub fn rows(&mut self, count: usize, size: usize) -> Option<&'a [u8]> {
        let (rows, rest) = self.bytes.split_at_checked(count.checked_mul(size)?)?;
        self.bytes = rest;
        Some(rows)
    }

    /// The chunk at the front; `None` if it is truncated.
    pub fn chunk(&mut self) -> Option<Chunk<'a>> {
        let id = self.u16()?;
        let length = (self.u32()? as usize).checked_sub(6)?;
        let (body, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(Chunk {
            id,
            body: Body::new(body, self.names),
        })
    }

    /// The next chunk, `None` at the end; a truncated chunk is an error. Some writers pad with a few bytes.
    pub fn next_chunk(&mut self) -> Result<Option<Chunk<'a>>> {
        if self.bytes.len() < 6 {
            return Ok(None);
        }
        self.chunk().map(Some).ok_or_else(truncated)
    }
}
