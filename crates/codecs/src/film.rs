//! Animated WebP. Every frame is a whole picture: a rotating model changes everywhere between frames. libwebp's own encoder of
//! animations codes each at least twice, one after the other, to choose what to keep of it; here each is coded once, on any thread.

use crate::webp::MOST_SIDE;
use crate::{CodecError, Quality, Result, encode_webp};

/// Largest duration of a frame in milliseconds.
const MOST_DURATION: u32 = 0xff_ffff;
/// Flags of the file: an animation, with alpha.
const ANIMATED: u8 = 0x02;
const ALPHA: u8 = 0x10;
/// Flag of a frame: it replaces what is below.
const OPAQUE: u8 = 0x02;

/// Frames of one size in an endless loop.
pub struct WebpFilm {
    width: u32,
    height: u32,
    quality: f32,
    effort: u8,
    /// The frames' chunks.
    frames: Vec<u8>,
    has_alpha: bool,
}

/// A coded frame.
pub struct Frame {
    size: [u32; 2],
    chunks: Vec<u8>,
    has_alpha: bool,
}

impl WebpFilm {
    /// `quality` 0…100 for colour (alpha stays exact), `effort` 0 (fast)…6 (small).
    pub fn new(width: u32, height: u32, quality: f32, effort: u8) -> Result<WebpFilm> {
        if width == 0 || height == 0 {
            return Err(CodecError::Broken);
        }
        if width.max(height) > MOST_SIDE {
            return Err(CodecError::TooLarge);
        }
        Ok(WebpFilm {
            width,
            height,
            quality,
            effort,
            frames: Vec::new(),
            has_alpha: false,
        })
    }

    /// Codes an RGBA frame, rows from the top.
    pub fn frame(&self, rgba: &[u8]) -> Result<Frame> {
        let quality = Quality::Lossy(self.quality);
        let still = encode_webp(rgba, self.width, self.height, quality, self.effort)?;
        let mut frame = Frame {
            size: [self.width, self.height],
            chunks: Vec::with_capacity(still.len()),
            has_alpha: false,
        };
        // After the file's own head: name, size, data, and a byte of padding after an odd size.
        let mut rest = still.get(12..).unwrap_or_default();
        while let Some((head, data)) = rest.split_first_chunk::<8>() {
            let [a, b, c, d, size @ ..] = *head;
            let size = (u32::from_le_bytes(size) as usize).next_multiple_of(2);
            let Some((chunk, next)) = data.split_at_checked(size) else {
                return Err(CodecError::Broken);
            };
            frame.has_alpha |= [a, b, c, d] == *b"ALPH";
            if [*b"ALPH", *b"VP8 "].contains(&[a, b, c, d]) {
                frame.chunks.extend(head);
                frame.chunks.extend(chunk);
            }
            rest = next;
        }
        Ok(frame)
    }

    /// Adds a frame of this film's size, shown for `duration` milliseconds.
    pub fn add(&mut self, frame: &Frame, duration: u32) -> Result<()> {
        if frame.size != [self.width, self.height] {
            return Err(CodecError::Broken);
        }
        if duration > MOST_DURATION {
            return Err(CodecError::TooLarge);
        }
        let mut data = Vec::with_capacity(16 + frame.chunks.len());
        // At the corner.
        data.extend([0; 6]);
        data.extend(three_bytes(self.width - 1));
        data.extend(three_bytes(self.height - 1));
        data.extend(three_bytes(duration));
        data.push(OPAQUE);
        data.extend(&frame.chunks);
        put(&mut self.frames, b"ANMF", &data)?;
        self.has_alpha |= frame.has_alpha;
        Ok(())
    }

    /// The file. Fails when no frame was added.
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.frames.is_empty() {
            return Err(CodecError::Broken);
        }
        let flags = match self.has_alpha {
            true => ANIMATED | ALPHA,
            false => ANIMATED,
        };
        let mut head = vec![flags, 0, 0, 0];
        head.extend(three_bytes(self.width - 1));
        head.extend(three_bytes(self.height - 1));
        let mut content = b"WEBP".to_vec();
        put(&mut content, b"VP8X", &head)?;
        // Transparent ground, repeated without end.
        put(&mut content, b"ANIM", &[0; 6])?;
        content.extend(self.frames);
        let mut out = Vec::with_capacity(content.len() + 8);
        put(&mut out, b"RIFF", &content)?;
        Ok(out)
    }
}

fn put(out: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) -> Result<()> {
    let size = u32::try_from(data.len()).map_err(|_| CodecError::TooLarge)?;
    out.extend(name);
    out.extend(size.to_le_bytes());
    out.extend(data);
    if !data.len().is_multiple_of(2) {
        out.push(0);
    }
    Ok(())
}

fn three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}
