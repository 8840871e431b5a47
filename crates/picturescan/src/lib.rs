//! Safety of pictures: takes uploaded bytes, and either refuses them or makes a picture anew that shows the same and carries
//! nothing else, with what has to be known to judge it (fingerprint, QR codes).
//!
//! Kind, frames and pixels are read from the container and limited before anything is decoded. No address is ever looked at here.

mod container;
mod look;

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits as DecoderLimits};

pub use container::Kind;
pub use look::{ALIKE, Codes, Fingerprint, SAME};

/// What is taken.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub bytes: u64,
    /// Width and height each.
    pub side: u32,
    pub pixels: u64,
    pub frames: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 50 * 1024 * 1024,
            side: 12_000,
            pixels: 50_000_000,
            frames: 300,
        }
    }
}

/// Why a picture is refused; the text is for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("图片格式不正确！仅支持jpg,jpeg,png,JPEG,BMP,GIF,WEBP文件")]
    Kind,
    #[error("单个文件不能超过{0}M")]
    Bytes(u64),
    #[error("图片尺寸过大，请缩小后重新上传")]
    Pixels,
    #[error("动图的帧数过多，请减少后重新上传")]
    Frames,
    #[error("图片已损坏，无法打开，请更换图片")]
    Broken,
    #[error("图片中含有其他类型的文件内容，请更换图片")]
    Polyglot,
}

/// A picture made anew.
pub struct Clean {
    pub bytes: Vec<u8>,
    /// `image/png` where something is transparent, else `image/jpeg`.
    pub content_type: &'static str,
    pub width: u32,
    pub height: u32,
    pub fingerprint: Fingerprint,
    pub codes: Codes,
}

/// `png` or `jpg`.
pub fn extension(content_type: &str) -> &'static str {
    match content_type {
        "image/png" => "png",
        _ => "jpg",
    }
}

impl Clean {
    pub fn extension(&self) -> &'static str {
        extension(self.content_type)
    }

    /// Content type and bytes of the same picture with no side longer than `side` pixels. Works for a while, as [`clean`].
    pub fn fitted(&self, side: u32) -> Result<(&'static str, Vec<u8>), Refusal> {
        if self.width.max(self.height) <= side {
            return Ok((self.content_type, self.bytes.clone()));
        }
        let picture = image::load_from_memory(&self.bytes).map_err(|_| Refusal::Broken)?;
        encode(&picture.resize(side, side, image::imageops::FilterType::Triangle))
    }
}

/// Checks a picture and makes it anew: an animation becomes its first frame, metadata such as camera, place and time is
/// dropped, and the orientation is applied. Works for up to a second: not on a thread that others wait for.
pub fn clean(bytes: &[u8], limits: &Limits) -> Result<Clean, Refusal> {
    if bytes.len() as u64 > limits.bytes {
        return Err(Refusal::Bytes(limits.bytes / (1024 * 1024)));
    }
    let outline = container::outline(bytes)?;
    if outline.frames > limits.frames {
        return Err(Refusal::Frames);
    }
    if container::is_polyglot(bytes, &outline) {
        return Err(Refusal::Polyglot);
    }
    let picture = decode(&bytes[..outline.end], outline.kind, limits)?;
    let (content_type, bytes) = encode(&picture)?;
    Ok(Clean {
        bytes,
        content_type,
        width: picture.width(),
        height: picture.height(),
        fingerprint: Fingerprint::of(&picture),
        codes: look::codes(&picture),
    })
}

fn format_of(kind: Kind) -> ImageFormat {
    match kind {
        Kind::Jpeg => ImageFormat::Jpeg,
        Kind::Png => ImageFormat::Png,
        Kind::Gif => ImageFormat::Gif,
        Kind::Bmp => ImageFormat::Bmp,
        Kind::Webp => ImageFormat::WebP,
    }
}

fn decode(bytes: &[u8], kind: Kind, limits: &Limits) -> Result<DynamicImage, Refusal> {
    let broken = |_| Refusal::Broken;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format_of(kind));
    let mut within = DecoderLimits::default();
    within.max_image_width = Some(limits.side);
    within.max_image_height = Some(limits.side);
    within.max_alloc = Some(limits.pixels.saturating_mul(8));
    reader.limits(within);
    let mut decoder = match reader.into_decoder() {
        Ok(decoder) => decoder,
        Err(image::ImageError::Limits(_)) => return Err(Refusal::Pixels),
        Err(_) => return Err(Refusal::Broken),
    };
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width > limits.side || height > limits.side || pixels > limits.pixels {
        return Err(Refusal::Pixels);
    }
    if pixels == 0 {
        return Err(Refusal::Broken);
    }
    let turn = decoder.orientation().map_err(broken)?;
    let mut picture = match DynamicImage::from_decoder(decoder) {
        Ok(picture) => picture,
        Err(image::ImageError::Limits(_)) => return Err(Refusal::Pixels),
        Err(_) => return Err(Refusal::Broken),
    };
    picture.apply_orientation(turn);
    Ok(picture)
}

/// Eight bits a channel, no profile, no text.
fn encode(picture: &DynamicImage) -> Result<(&'static str, Vec<u8>), Refusal> {
    let mut bytes = Vec::new();
    let transparent =
        picture.color().has_alpha() && picture.to_rgba8().pixels().any(|pixel| pixel.0[3] != 255);
    if transparent {
        let encoder =
            PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Adaptive);
        let written = picture.to_rgba8().write_with_encoder(encoder);
        return written
            .map(|()| ("image/png", bytes))
            .map_err(|_| Refusal::Broken);
    }
    let encoder = JpegEncoder::new_with_quality(&mut bytes, 90);
    let written = picture.to_rgb8().write_with_encoder(encoder);
    written
        .map(|()| ("image/jpeg", bytes))
        .map_err(|_| Refusal::Broken)
}
