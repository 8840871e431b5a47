//! Chunks: a 16-bit id, a 32-bit length that includes its own six bytes, data and nested chunks.

use super::chunks::{self, Treatment};
use super::lost::{Loss, Losses};
use crate::read::encoding::{Encoding, Names};
use std::cell::RefCell;

/// A chunk's content, read from the front.
#[derive(Clone, Copy)]
pub struct Body<'a> {
    bytes: &'a [u8],
    names: &'a Reader,
}

/// The encoding assumed for names, what was met to tell the right one, and what was not read.
pub struct Reader {
    encoding: Encoding,
    names: RefCell<Names>,
    losses: RefCell<Losses>,
    /// What the chunks belong to: kind, name, number.
    place: RefCell<(&'static str, String, usize)>,
}

impl Reader {
    pub fn new(encoding: Encoding) -> Reader {
        Reader {
            encoding,
            names: RefCell::default(),
            losses: RefCell::default(),
            place: RefCell::default(),
        }
    }

    /// Everything that was not read.
    pub fn losses(self) -> Losses {
        self.losses.into_inner()
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

    /// What follows belongs to this.
    pub fn inside(&self, kind: &'static str, name: &str, number: usize) {
        *self.names.place.borrow_mut() = (kind, name.to_owned(), number);
    }

    /// Counts something that is not read.
    pub fn lose(&self, loss: Loss, what: &str) {
        let (kind, name, number) = &*self.names.place.borrow();
        let mut losses = self.names.losses.borrow_mut();
        losses.add(loss, (*kind, name, *number), what);
    }

    /// Counts a chunk that has no meaning here, but for those that have none at all.
    pub fn pass(&self, id: u16) {
        match chunks::treatment(id) {
            Some(Treatment::Silent) => {}
            Some(Treatment::Lost(loss, title)) => self.lose(loss, title),
            // Also what would be read elsewhere.
            Some(Treatment::Read) | None => self.lose(Loss::Unknown, &format!("{id:04X}")),
        }
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

    /// A zero-terminated name; all there is without a zero.
    pub fn name(&mut self) -> String {
        let end = self.bytes.iter().position(|b| *b == 0);
        if end.is_none() {
            self.lose(Loss::Cut, "名称");
        }
        let (name, rest) = self.bytes.split_at(end.unwrap_or(self.bytes.len()));
        self.names.names.borrow_mut().add(name);
        self.bytes = rest.get(1..).unwrap_or_default();
        self.names.encoding.name(name)
    }

    /// `count` rows of `size` bytes, or as many whole ones as there are.
    pub fn rows(&mut self, count: usize, size: usize) -> &'a [u8] {
        let whole = self.bytes.len() / size.max(1);
        if count > whole {
            self.lose(Loss::Cut, "数组");
        }
        let (rows, rest) = self.bytes.split_at(count.min(whole) * size);
        self.bytes = rest;
        rows
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

    /// The next chunk, `None` at the end. One that is longer than what holds it ends there; after one that is shorter
    /// than its own header nothing can be found. Some writers pad with a few bytes.
    pub fn next_chunk(&mut self) -> Option<Chunk<'a>> {
        if self.bytes.len() < 6 {
            return None;
        }
        let mut whole = *self;
        if let Some(chunk) = whole.chunk() {
            *self = whole;
            return Some(chunk);
        }
        let (id, length) = (self.u16()?, self.u32()?);
        self.lose(Loss::Cut, &format!("{id:04X}"));
        let body = std::mem::take(&mut self.bytes);
        (length >= 6).then(|| Chunk {
            id,
            body: Body::new(body, self.names),
        })
    }
}
