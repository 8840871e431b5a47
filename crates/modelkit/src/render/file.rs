//! Writes images to files.

use super::{Backdrop, Options};
use crate::{Error, Result};
use image::RgbaImage;
use std::io::Cursor;
use std::path::Path;

/// Quality of JPEG, and of WebP with its effort: more of it takes twice the time for a hundredth of the bytes.
const JPEG: u8 = 92;
const WEBP: f32 = 90.0;
const EFFORT: u8 = 2;

/// The format of an image file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Png,
    Jpeg,
    Webp,
}

impl Kind {
    /// By file extension; PNG if there is none.
    pub fn of(path: &Path) -> Result<Kind> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            None | Some("png") => Ok(Kind::Png),
            Some("jpg" | "jpeg") => Ok(Kind::Jpeg),
            Some("webp") => Ok(Kind::Webp),
            Some(other) => Err(Error::Usage(format!(
                "不支持输出 {other} 图片，可选：png、jpg、webp"
            ))),
        }
    }

    /// JPEG has no transparency: its background becomes white.
    pub(super) fn backdrop(self, options: &Options) -> Options {
        let backdrop = match (self, options.backdrop) {
            (Kind::Jpeg, Backdrop::Transparent) => Backdrop::Color([255; 3]),
            (_, chosen) => chosen,
        };
        Options {
            backdrop,
            ..options.clone()
        }
    }
}

/// Encodes and writes an image.
pub fn write(picture: &RgbaImage, path: &Path, kind: Kind) -> Result<()> {
    let bytes = encode(picture, kind)?;
    std::fs::write(path, bytes).map_err(|e| Error::io(path, &e))
}

fn encode(picture: &RgbaImage, kind: Kind) -> Result<Vec<u8>> {
    let failed = |e: image::ImageError| Error::Internal(format!("picture encoding: {e}"));
    let mut out = Cursor::new(Vec::new());
    match kind {
        Kind::Png => picture
            .write_to(&mut out, image::ImageFormat::Png)
            .map_err(failed)?,
        Kind::Jpeg => {
            let opaque = image::DynamicImage::ImageRgba8(picture.clone()).into_rgb8();
            let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, JPEG);
            opaque.write_with_encoder(encoder).map_err(failed)?;
        }
        Kind::Webp => {
            let quality = codecs::Quality::Lossy(WEBP);
            let (width, height) = picture.dimensions();
            return codecs::encode_webp(picture.as_raw(), width, height, quality, EFFORT)
                .map_err(|e| Error::Internal(format!("webp encoding: {e}")));
        }
    }
    Ok(out.into_inner())
}
