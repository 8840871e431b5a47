//! The outside of a picture: its kind by its bytes, how many frames it has, and where it ends. Nothing is decoded here.

use crate::Refusal;

/// The kinds that are taken. SVG is none of them: it is a document that can carry script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Jpeg,
    Png,
    Gif,
    Bmp,
    Webp,
}

/// What the container says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    pub kind: Kind,
    pub frames: u32,
    /// First byte after the picture; whatever follows does not belong to it.
    pub end: usize,
}

pub fn kind_of(bytes: &[u8]) -> Option<Kind> {
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some(Kind::Jpeg),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Some(Kind::Png),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some(Kind::Gif),
        [b'B', b'M', ..] => Some(Kind::Bmp),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(Kind::Webp),
        _ => None,
    }
}

/// Walks the container from its first byte to its last.
pub fn outline(bytes: &[u8]) -> Result<Outline, Refusal> {
    let kind = kind_of(bytes).ok_or(Refusal::Kind)?;
    let (frames, end) = match kind {
        Kind::Jpeg => jpeg(bytes),
        Kind::Png => png(bytes),
        Kind::Gif => gif(bytes),
        Kind::Bmp => bmp(bytes),
        Kind::Webp => webp(bytes),
    }
    .ok_or(Refusal::Broken)?;
    Ok(Outline { kind, frames, end })
}

fn u16_be(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..at + 2)?;
    Some(usize::from(u16::from_be_bytes(two.try_into().ok()?)))
}

fn u32_be(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    usize::try_from(u32::from_be_bytes(four.try_into().ok()?)).ok()
}

fn u32_le(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at + 4)?;
    usize::try_from(u32::from_le_bytes(four.try_into().ok()?)).ok()
}

/// Segments, and between scans the coded data, whose `FF` is followed by `00` or a restart marker.
fn jpeg(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xFF {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            // Padding before a marker.
            0xFF => at += 1,
            0xD9 => return Some((1, at + 2)),
            0x01 | 0xD0..=0xD7 => at += 2,
            _ => {
                at = at.checked_add(2)?.checked_add(u16_be(bytes, at + 2)?)?;
                if marker == 0xDA {
                    at = after_coded(bytes, at)?;
                }
            }
        }
    }
}

fn after_coded(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let next = bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        at += next;
        match bytes.get(at + 1)? {
            0x00 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            _ => return Some(at),
        }
    }
}

/// An animation says in `acTL` how many frames it has, and has a chunk `fcTL` for each: the larger number counts.
fn png(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut at = 8;
    let (mut said, mut seen) = (1, 0);
    loop {
        let length = u32_be(bytes, at)?;
        let name = bytes.get(at + 4..at + 8)?;
        let end = at.checked_add(12)?.checked_add(length)?;
        if end > bytes.len() {
            return None;
        }
        match name {
            b"acTL" => said = u32::try_from(u32_be(bytes, at + 8)?).ok()?,
            b"fcTL" => seen += 1,
            b"IEND" => return Some((said.max(seen), end)),
            _ => {}
        }
        at = end;
    }
}

fn gif(bytes: &[u8]) -> Option<(u32, usize)> {
    let table = |flags: u8| match flags & 0x80 {
        0 => 0,
        _ => 3usize << ((flags & 7) + 1),
    };
    let mut at = 13 + table(*bytes.get(10)?);
    let mut frames = 0u32;
    loop {
        match *bytes.get(at)? {
            0x3B => return Some((frames, at + 1)),
            0x21 => at = after_blocks(bytes, at + 2)?,
            0x2C => {
                frames = frames.checked_add(1)?;
                let colours = table(*bytes.get(at + 9)?);
                // The picture's descriptor, its colours, and the size of its codes.
                at = after_blocks(bytes, at + 10 + colours + 1)?;
            }
            _ => return None,
        }
    }
}

fn after_blocks(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match *bytes.get(at)? {
            0 => return Some(at + 1),
            length => at += 1 + usize::from(length),
        }
    }
}

/// Some writers leave the size out; such a file has no end of its own.
fn bmp(bytes: &[u8]) -> Option<(u32, usize)> {
    let said = u32_le(bytes, 2)?;
    let end = match said {
        0 => bytes.len(),
        _ if said > bytes.len() => return None,
        _ => said,
    };
    Some((1, end))
}

fn webp(bytes: &[u8]) -> Option<(u32, usize)> {
    let end = u32_le(bytes, 4)?.checked_add(8)?;
    let inside = bytes.get(..end)?;
    let mut at = 12;
    let mut frames = 0u32;
    while at + 8 <= inside.len() {
        if &inside[at..at + 4] == b"ANMF" {
            frames = frames.checked_add(1)?;
        }
        let length = u32_le(inside, at + 4)?;
        // Chunks begin at even places.
        at = at
            .checked_add(8)?
            .checked_add(length)?
            .checked_add(length % 2)?;
    }
    Some((frames.max(1), end))
}

/// Whether the bytes are something else as well: a page with script, an archive, a document or a program. What is served is made
/// anew and carries none of it; such a file is an attempt all the same.
pub fn is_polyglot(bytes: &[u8], outline: &Outline) -> bool {
    let tail = bytes.get(outline.end..).unwrap_or_default();
    let padding = tail.iter().all(|byte| matches!(byte, 0 | b'\n' | b'\r'));
    // Cameras and phones put a film or further pictures behind a JPEG; nothing belongs behind the others.
    if !padding && outline.kind != Kind::Jpeg {
        return true;
    }
    const BEHIND: [&[u8]; 6] = [
        b"PK\x03\x04",
        b"Rar!\x1A\x07",
        b"7z\xBC\xAF\x27\x1C",
        b"\x7FELF",
        b"<svg",
        b"%PDF-",
    ];
    // Where an archive has its directory, and a document its first words.
    let directory = &bytes[bytes.len().saturating_sub(65_557)..];
    let first = &bytes[..bytes.len().min(1024)];
    BEHIND.iter().any(|mark| holds(tail, mark))
        || tail.starts_with(b"MZ")
        || holds(directory, b"PK\x05\x06")
        || holds(first, b"%PDF-")
        || ACTIVE.iter().any(|mark| holds(bytes, mark))
}

/// Long enough that no picture has them by chance.
const ACTIVE: [&[u8]; 5] = [b"<script", b"<?php", b"<html", b"<iframe", b"javascript:"];

/// Letters of either case.
fn holds(bytes: &[u8], mark: &[u8]) -> bool {
    let (first, length) = (mark[0], mark.len());
    let mut rest = bytes;
    while let Some(at) = rest
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(&first))
    {
        match rest.get(at..at + length) {
            Some(window) if window.eq_ignore_ascii_case(mark) => return true,
            Some(_) => rest = &rest[at + 1..],
            None => return false,
        }
    }
    false
}
