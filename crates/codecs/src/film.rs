//! Animated WebP.

use crate::webp::{MOST_SIDE, config};
use crate::{CodecError, Quality, Result};
use libwebp_sys as ffi;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Frames of one size in an endless loop.
pub struct WebpFilm {
    encoder: NonNull<ffi::WebPAnimEncoder>,
    config: ffi::WebPConfig,
    width: u32,
    height: u32,
    /// Duration so far in milliseconds.
    length: i32,
    frames: u32,
}

impl WebpFilm {
    /// `quality` 0…100 for colour (alpha stays nearly exact), `effort` 0 (fast)…6 (small).
    pub fn new(width: u32, height: u32, quality: f32, effort: u8) -> Result<WebpFilm> {
        if width == 0 || height == 0 {
            return Err(CodecError::Broken);
        }
        if width.max(height) > MOST_SIDE {
            return Err(CodecError::TooLarge);
        }
        let config = config(Quality::Lossy(quality), effort)?;
        let version = ffi::WEBP_MUX_ABI_VERSION as i32;
        let mut options = MaybeUninit::<ffi::WebPAnimEncoderOptions>::zeroed();
        // SAFETY: the library fills the options before they are read; it copies what it keeps of them.
        let encoder = unsafe {
            if ffi::WebPAnimEncoderOptionsInitInternal(options.as_mut_ptr(), version) == 0 {
                return Err(CodecError::Broken);
            }
            let mut options = options.assume_init();
            options.anim_params.loop_count = 0;
            // Every frame is a key frame: a rotating model changes everywhere between frames.
            options.kmin = 0;
            options.kmax = 1;
            ffi::WebPAnimEncoderNewInternal(
                width as i32,
                height as i32,
                &raw const options,
                version,
            )
        };
        Ok(WebpFilm {
            encoder: NonNull::new(encoder).ok_or(CodecError::TooLarge)?,
            config,
            width,
            height,
            length: 0,
            frames: 0,
        })
    }

    /// Adds an RGBA frame (rows from the top) shown for `duration` milliseconds.
    pub fn add(&mut self, rgba: &[u8], duration: u32) -> Result<()> {
        let pixels = u64::from(self.width) * u64::from(self.height);
        if rgba.len() as u64 != pixels.saturating_mul(4) {
            return Err(CodecError::Broken);
        }
        let next = i32::try_from(duration)
            .ok()
            .and_then(|d| self.length.checked_add(d));
        let next = next.ok_or(CodecError::TooLarge)?;
        // SAFETY: the slice holds `height` rows of `width` pixels; the encoder lives as long as `self` and copies the
        // picture, whose buffers are freed on every return path.
        let done = unsafe {
            let mut picture = ffi::WebPPicture::new().map_err(|()| CodecError::Broken)?;
            picture.use_argb = 1;
            picture.width = self.width as i32;
            picture.height = self.height as i32;
            let stride = self.width as i32 * 4;
            let done = ffi::WebPPictureImportRGBA(&raw mut picture, rgba.as_ptr(), stride) != 0
                && ffi::WebPAnimEncoderAdd(
                    self.encoder.as_ptr(),
                    &raw mut picture,
                    self.length,
                    &raw const self.config,
                ) != 0;
            ffi::WebPPictureFree(&raw mut picture);
            done
        };
        if !done {
            return Err(CodecError::TooLarge);
        }
        self.length = next;
        self.frames += 1;
        Ok(())
    }

    /// The encoded file. Fails when no frame was added.
    pub fn finish(self) -> Result<Vec<u8>> {
        if self.frames == 0 {
            return Err(CodecError::Broken);
        }
        let mut data = ffi::WebPData {
            bytes: std::ptr::null(),
            size: 0,
        };
        // SAFETY: adding no picture ends the last frame; the data is copied out and then freed.
        unsafe {
            let encoder = self.encoder.as_ptr();
            let ended = ffi::WebPAnimEncoderAdd(
                encoder,
                std::ptr::null_mut(),
                self.length,
                std::ptr::null(),
            ) != 0;
            if !ended || ffi::WebPAnimEncoderAssemble(encoder, &raw mut data) == 0 {
                return Err(CodecError::TooLarge);
            }
            let bytes = match data.bytes.is_null() {
                true => Err(CodecError::TooLarge),
                false => Ok(std::slice::from_raw_parts(data.bytes, data.size).to_vec()),
            };
            ffi::WebPFree(data.bytes.cast_mut().cast());
            bytes
        }
    }
}

impl Drop for WebpFilm {
    fn drop(&mut self) {
        // SAFETY: made by the library, deleted once.
        unsafe { ffi::WebPAnimEncoderDelete(self.encoder.as_ptr()) }
    }
}
