//! Orientation tags (EXIF) of pictures. Texture coordinates refer to the pixels as they are stored (modelling programs
//! know no such tag), while browsers turn some pictures by it and not others: it is set to upright.

/// Where a picture's orientation is stored.
struct Tag {
    /// Of the two bytes of its value.
    at: usize,
    big: bool,
    /// Of the checksum that covers it, with the first byte that it covers.
    sum: Option<(usize, usize)>,
}

/// The file with upright pixels; `None` if they are already.
pub fn upright(bytes: &[u8], mime: &str) -> Option<Vec<u8>> {
    let tag = match mime {
        "image/jpeg" => in_jpeg(bytes),
        "image/png" => in_png(bytes),
        "image/webp" => in_webp(bytes),
        _ => None,
    }?;
    let one: [u8; 2] = if tag.big { [0, 1] } else { [1, 0] };
    if bytes.get(tag.at..tag.at + 2)? == one {
        return None;
    }
    let mut out = bytes.to_vec();
    out.get_mut(tag.at..tag.at + 2)?.copy_from_slice(&one);
    if let Some((sum, from)) = tag.sum {
        let mut crc = flate2::Crc::new();
        crc.update(out.get(from..sum)?);
        let crc = crc.sum().to_be_bytes();
        out.get_mut(sum..sum + 4)?.copy_from_slice(&crc);
    }
    Some(out)
}

/// In the first APP1 segment that is EXIF, before the pixels.
fn in_jpeg(bytes: &[u8]) -> Option<Tag> {
    let mut at = 2;
    while let [0xff, kind, high, low, ..] = bytes.get(at..)? {
        // Markers may be padded.
        if *kind == 0xff {
            at += 1;
            continue;
        }
        if *kind == 0xda {
            return None;
        }
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        let body = bytes.get(at + 4..at.checked_add(2 + length)?)?;
        if *kind == 0xe1
            && let Some(exif) = body.strip_prefix(b"Exif\0\0")
        {
            return in_exif(exif, at + 10);
        }
        at += 2 + length;
    }
    None
}

fn in_png(bytes: &[u8]) -> Option<Tag> {
    let mut at = 8;
    loop {
        let length: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        let start = at + 8;
        let end = start.checked_add(u32::from_be_bytes(length) as usize)?;
        if bytes.get(at + 4..start)? == b"eXIf" {
            let tag = in_exif(bytes.get(start..end)?, start)?;
            return Some(Tag {
                sum: Some((end, at + 4)),
                ..tag
            });
        }
        at = end.checked_add(4)?;
    }
}

fn in_webp(bytes: &[u8]) -> Option<Tag> {
    let mut at = 12;
    loop {
        let length: [u8; 4] = bytes.get(at + 4..at + 8)?.try_into().ok()?;
        let start = at + 8;
        let length = u32::from_le_bytes(length) as usize;
        let end = start.checked_add(length)?;
        if bytes.get(at..at + 4)? == b"EXIF" {
            let body = bytes.get(start..end)?;
            // Some writers put the prefix of JPEG there.
            let exif = body.strip_prefix(b"Exif\0\0").unwrap_or(body);
            return in_exif(exif, end - exif.len());
        }
        at = end.checked_add(length % 2)?;
    }
}

/// In a TIFF block that begins at `start`: the field 0x0112 of its first directory.
fn in_exif(tiff: &[u8], start: usize) -> Option<Tag> {
    let big = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let two: [u8; 2] = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if big {
            u16::from_be_bytes(two)
        } else {
            u16::from_le_bytes(two)
        })
    };
    let (high, low) = if big { (4, 6) } else { (6, 4) };
    let directory = usize::from(short(high)?) << 16 | usize::from(short(low)?);
    let count = usize::from(short(directory)?);
    for field in 0..count {
        let at = directory.checked_add(2 + 12 * field)?;
        // Type 3: a number of two bytes.
        if short(at)? == 0x0112 && short(at + 2)? == 3 {
            short(at + 8)?;
            let at = start + at + 8;
            return Some(Tag { at, big, sum: None });
        }
    }
    None
}
