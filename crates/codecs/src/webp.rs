//! WebP encoding; decoding is the `image` crate's.

use crate::{CodecError, Result};
use libwebp_sys as ffi;
use std::mem::MaybeUninit;

/// Longest side of a WebP image.
pub(crate) const MOST_SIDE: u32 = 16_383;

/// How an image is encoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Quality {
    /// 0…100; alpha stays lossless.
    Lossy(f32),
    Lossless,
}

/// Encodes an RGBA image, rows from the top. `effort` 0 (fast)…6 (small).
pub fn encode_webp(
    rgba: &[u8],
    width: u32,
    height: u32,
    quality: Quality,
    effort: u8,
) -> Result<Vec<u8>> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || rgba.len() as u64 != pixels.saturating_mul(4) {
        return Err(CodecError::Broken);
    }
    if width.max(height) > MOST_SIDE {
        return Err(CodecError::TooLarge);
    }
    let config = config(quality, effort)?;
    let mut writer = MaybeUninit::<ffi::WebPMemoryWriter>::uninit();
    // SAFETY: the library fills the writer and the picture before they are read; the picture's buffers and the writer's
    // bytes are freed on every return path; the slice holds `height` rows of `width` pixels.
    unsafe {
        let mut picture = ffi::WebPPicture::new().map_err(|()| CodecError::Broken)?;
        ffi::WebPMemoryWriterInit(writer.as_mut_ptr());
        let mut writer = writer.assume_init();
        // What is lossy is converted once.
        picture.use_argb = config.lossless;
        picture.width = width as i32;
        picture.height = height as i32;
        picture.writer = Some(ffi::WebPMemoryWrite);
        picture.custom_ptr = (&raw mut writer).cast();
        let done = ffi::WebPPictureImportRGBA(&raw mut picture, rgba.as_ptr(), width as i32 * 4)
            != 0
            && ffi::WebPEncode(&raw const config, &raw mut picture) != 0;
        ffi::WebPPictureFree(&raw mut picture);
        let bytes = match done && !writer.mem.is_null() {
            true => Ok(std::slice::from_raw_parts(writer.mem, writer.size).to_vec()),
            false => Err(CodecError::TooLarge),
        };
        ffi::WebPMemoryWriterClear(&raw mut writer);
        bytes
    }
}

fn config(quality: Quality, effort: u8) -> Result<ffi::WebPConfig> {
    let mut config = ffi::WebPConfig::new().map_err(|()| CodecError::Broken)?;
    config.method = effort.min(6).into();
    match quality {
        Quality::Lossy(q) => {
            config.quality = q.clamp(0.0, 100.0);
            config.alpha_compression = 1;
            config.alpha_quality = 100;
        }
        Quality::Lossless => {
            config.lossless = 1;
            config.quality = 40.0;
            // Keeps the colour under transparent pixels: shaders filter across the edge.
            config.exact = 1;
        }
    }
    // SAFETY: a live structure.
    match unsafe { ffi::WebPValidateConfig(&raw const config) } {
        0 => Err(CodecError::Broken),
        _ => Ok(config),
    }
}
