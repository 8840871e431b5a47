//! Basis Universal images in KTX2 files, as KHR_texture_basisu requires them.

use crate::{CodecError, Result};
use std::ffi::c_int;
use std::ptr;

/// The two encodings glTF allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coding {
    /// Small files; blocks share colours. `quality` 1…255, `effort` 0…6.
    Etc1s { quality: u8, effort: u8 },
    /// Higher quality, about three times larger. `effort` 0…4; `rdo` (0 for none) trades error for size.
    Uastc { effort: u8, rdo: f32 },
}

/// How an image is encoded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Basis {
    pub coding: Coding,
    /// Colour in sRGB; otherwise data such as normals and roughness.
    pub srgb: bool,
    /// Renormalise the mip levels of a normal map.
    pub normals: bool,
    pub threads: u32,
}

/// The header of a KTX2 file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Ktx2Info {
    pub width: u32,
    pub height: u32,
    pub levels: u32,
    /// Non-zero when there is an alpha channel.
    pub alpha: u32,
}

#[repr(C)]
struct RawPacked {
    _private: [u8; 0],
}

#[repr(C)]
struct RawOptions {
    uastc: u32,
    srgb: u32,
    normals: u32,
    quality: i32,
    effort: i32,
    rdo: f32,
    threads: u32,
}

unsafe extern "C" {
    fn xl_basis_encode(
        rgba: *const u8,
        width: u32,
        height: u32,
        options: *const RawOptions,
        out: *mut *mut RawPacked,
    ) -> c_int;
    fn xl_basis_packed_free(packed: *mut RawPacked);
    fn xl_basis_packed_bytes(packed: *const RawPacked, length: *mut usize) -> *const u8;
    fn xl_ktx2_info_of(data: *const u8, length: usize, out: *mut Ktx2Info) -> c_int;
    fn xl_ktx2_decode(data: *const u8, length: usize, rgba: *mut u8, rgba_length: usize) -> c_int;
}

/// Longest side the encoder accepts.
const MOST_SIDE: u32 = 16_384;

/// Encodes an RGBA image (rows from the top) as KTX2 with all mip levels.
pub fn encode_ktx2(rgba: &[u8], width: u32, height: u32, how: &Basis) -> Result<Vec<u8>> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || rgba.len() as u64 != pixels.saturating_mul(4) {
        return Err(CodecError::Broken);
    }
    if width.max(height) > MOST_SIDE {
        return Err(CodecError::TooLarge);
    }
    let (uastc, quality, effort, rdo) = match how.coding {
        Coding::Etc1s { quality, effort } => (0, quality.max(1), effort.min(6), 0.0),
        Coding::Uastc { effort, rdo } => (1, 1, effort.min(4), rdo.clamp(0.0, 50.0)),
    };
    let options = RawOptions {
        uastc,
        srgb: how.srgb.into(),
        normals: how.normals.into(),
        quality: quality.into(),
        effort: effort.into(),
        rdo,
        threads: how.threads.clamp(1, 64),
    };
    let mut out = ptr::null_mut();
    // SAFETY: the slice holds `width · height` pixels of four bytes, checked above.
    let code = unsafe {
        xl_basis_encode(
            rgba.as_ptr(),
            width,
            height,
            &raw const options,
            &raw mut out,
        )
    };
    if code != 0 || out.is_null() {
        return Err(CodecError::Broken);
    }
    let mut length = 0;
    // SAFETY: `out` is a live result; its bytes are copied before it is freed.
    unsafe {
        let start = xl_basis_packed_bytes(out, &raw mut length);
        let bytes = std::slice::from_raw_parts(start, length).to_vec();
        xl_basis_packed_free(out);
        Ok(bytes)
    }
}

/// Size of a KTX2 file in one of glTF's encodings.
pub fn ktx2_info(bytes: &[u8]) -> Result<Ktx2Info> {
    let mut info = Ktx2Info::default();
    // SAFETY: a live slice and a live structure.
    match unsafe { xl_ktx2_info_of(bytes.as_ptr(), bytes.len(), &raw mut info) } {
        0 => Ok(info),
        _ => Err(CodecError::Broken),
    }
}

/// The largest level as RGBA, rows from the top; `most_pixels` bounds the allocation.
pub fn decode_ktx2(bytes: &[u8], most_pixels: u64) -> Result<(Ktx2Info, Vec<u8>)> {
    let info = ktx2_info(bytes)?;
    let pixels = u64::from(info.width) * u64::from(info.height);
    if pixels > most_pixels {
        return Err(CodecError::TooLarge);
    }
    let mut rgba = vec![0u8; pixels as usize * 4];
    // SAFETY: live slices; the shim checks the length against the size it reads itself.
    let code =
        unsafe { xl_ktx2_decode(bytes.as_ptr(), bytes.len(), rgba.as_mut_ptr(), rgba.len()) };
    match code {
        0 => Ok((info, rgba)),
        _ => Err(CodecError::Broken),
    }
}
