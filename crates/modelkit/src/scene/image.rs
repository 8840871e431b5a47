//! Textures and images. Images keep their encoded bytes and are decoded only when the pixels are needed.

use super::picture_kind;
use super::upright::upright;
use crate::limits::Limits;
use crate::read::colour::linear_to_srgb;
use crate::{Error, Result};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, ImageReader, RgbaImage};
use serde_json::Value;
use std::io::Cursor;
use std::sync::Arc;

/// An image in a web format.
#[derive(Debug, Clone)]
pub struct Image {
    /// File name as in the source; may be empty.
    pub name: String,
    /// `image/png`, `image/jpeg`, `image/webp` or `image/ktx2` (Basis Universal).
    pub mime: &'static str,
    pub bytes: Arc<[u8]>,
    pub width: u32,
    pub height: u32,
    /// The source had printing colours, which glTF does not allow.
    pub was_cmyk: bool,
    pub extras: Option<Value>,
}

impl Image {
    /// Accepts encoded bytes of any supported format. Pixels of PNG, JPEG, WebP and KTX2 are kept unchanged, as they are
    /// stored; JPEGs of four components become such of three, other formats PNG.
    pub fn from_encoded(name: impl Into<String>, bytes: &[u8], limits: &Limits) -> Result<Image> {
        let (mime, bytes, width, height) = to_web_image(bytes, limits)?;
        let rgb = match mime == "image/jpeg" && is_cmyk(&bytes) {
            true => rgb_jpeg(&bytes, limits),
            false => None,
        };
        Ok(Image {
            name: name.into(),
            mime,
            was_cmyk: rgb.is_some(),
            bytes: rgb.unwrap_or(bytes),
            width,
            height,
            extras: None,
        })
    }
}

/// Whether a JPEG has four components, according to its frame header.
pub fn is_cmyk(jpeg: &[u8]) -> bool {
    let mut rest = jpeg.get(2..).unwrap_or_default();
    while let [0xff, kind, high, low, body @ ..] = rest {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        // Frame markers are 0xc0…0xcf except for those of tables.
        if matches!(kind, 0xc0..=0xcf) && !matches!(kind, 0xc4 | 0xc8 | 0xcc) {
            return body.get(5) == Some(&4);
        }
        rest = match length.checked_sub(2).and_then(|length| body.get(length..)) {
            Some(next) => next,
            None => return false,
        };
    }
    false
}

/// Quality of JPEGs that are encoded anew without need of a smaller file.
const FINE_JPEG: u8 = 95;

/// A JPEG with three components; `None` if it cannot be decoded, which is told as damage.
fn rgb_jpeg(bytes: &[u8], limits: &Limits) -> Option<Arc<[u8]>> {
    let rgb = decode(bytes, limits).ok()?.into_rgb8();
    let mut out = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut out, FINE_JPEG);
    rgb.write_with_encoder(encoder).ok()?;
    Some(Arc::from(out))
}

/// An image with its sampler.
#[derive(Debug, Clone, Default)]
pub struct Texture {
    pub name: String,
    /// Index into `Scene::images`.
    pub image: u32,
    pub sampler: Sampler,
    pub extras: Option<Value>,
}

/// glTF sampler values; `None` means the viewer's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sampler {
    pub mag_filter: Option<u32>,
    pub min_filter: Option<u32>,
    /// [`REPEAT`], [`CLAMP`] or [`MIRROR`].
    pub wrap_s: u32,
    pub wrap_t: u32,
}

/// What lies beyond a texture's edges, as OpenGL and glTF number it.
pub const REPEAT: u32 = 10497;
/// The pixels of the edge.
pub const CLAMP: u32 = 33071;
pub const MIRROR: u32 = 33648;

/// The nearest pixel, as `mag_filter`.
pub const NEAREST: u32 = 9728;

impl Default for Sampler {
    fn default() -> Self {
        Sampler {
            mag_filter: None,
            min_filter: None,
            wrap_s: REPEAT,
            wrap_t: REPEAT,
        }
    }
}

const KTX2: &str = "image/ktx2";

/// MIME type of encoded bytes, by content, for the formats that glTF viewers support.
pub fn mime_of(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some("image/png")
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some("image/jpeg")
    } else if bytes.len() > 12 && bytes.starts_with(b"RIFF") && &bytes[8..12] == b"WEBP" {
        Some("image/webp")
    } else if bytes.starts_with(b"\xabKTX 20\xbb\r\n\x1a\n") {
        Some(KTX2)
    } else {
        None
    }
}

/// Width and height of an encoded image, from its header.
pub fn picture_size(bytes: &[u8]) -> Option<(u32, u32)> {
    if mime_of(bytes) == Some(KTX2) {
        let info = codecs::ktx2_info(bytes).ok()?;
        return Some((info.width, info.height));
    }
    let mut reader = ImageReader::new(Cursor::new(bytes));
    reader.set_format(picture_kind::decoder(bytes)?);
    reader.into_dimensions().ok()
}

/// Most pixels of an image of this format.
fn most_pixels(mime: Option<&str>, limits: &Limits) -> u64 {
    match mime {
        Some("image/jpeg") => limits.jpeg_pixels,
        _ => limits.image_pixels,
    }
}

/// Checks the size in the header against the limit before anything is decoded.
fn check_size(width: u32, height: u32, most: u64) -> Result<()> {
    if width == 0 || height == 0 {
        return Err(Error::corrupt("贴图的宽或高为 0"));
    }
    if u64::from(width) * u64::from(height) > most {
        let side = most.isqrt();
        return Err(Error::TooLarge(format!(
            "尺寸 {width}×{height} 超出上限（{side}×{side}），请缩小到 8192 以内"
        )));
    }
    Ok(())
}

/// Decodes an image within the limits (pixels, memory). Linear numbers, which formats of photographs hold, become sRGB.
pub fn decode(bytes: &[u8], limits: &Limits) -> Result<DynamicImage> {
    let unreadable = || Error::corrupt(picture_kind::refusal(bytes));
    let (width, height) = picture_size(bytes).ok_or_else(unreadable)?;
    let most = most_pixels(mime_of(bytes), limits);
    check_size(width, height, most)?;
    if mime_of(bytes) == Some(KTX2) {
        return decode_ktx2(bytes, limits).ok_or_else(unreadable);
    }
    let mut reader = ImageReader::new(Cursor::new(bytes));
    let format = picture_kind::decoder(bytes).ok_or_else(unreadable)?;
    reader.set_format(format);
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(most.saturating_mul(8));
    reader.limits(bounds);
    let picture = reader.decode().map_err(|_| unreadable())?;
    // TGA 2.0, field 5.6: the number of bits of a pixel that are alpha; others may hold anything.
    let no_alpha = format == ImageFormat::Tga && bytes.get(17).is_some_and(|d| d & 0xf == 0);
    Ok(match picture {
        DynamicImage::ImageRgb32F(_) => DynamicImage::ImageRgb8(shown(&picture).into_rgb8()),
        DynamicImage::ImageRgba32F(_) => shown(&picture),
        picture if no_alpha && picture.color().has_alpha() => {
            DynamicImage::ImageRgb8(picture.into_rgb8())
        }
        picture => picture,
    })
}

/// Linear numbers as sRGB; what is brighter than white is white.
fn shown(linear: &DynamicImage) -> DynamicImage {
    let byte = |v: f32| (v * 255.0).round() as u8;
    let (width, height) = (linear.width(), linear.height());
    DynamicImage::ImageRgba8(match linear {
        DynamicImage::ImageRgb32F(of) => RgbaImage::from_fn(width, height, |x, y| {
            let [r, g, b] = of.get_pixel(x, y).0.map(|c| byte(linear_to_srgb(c)));
            image::Rgba([r, g, b, 255])
        }),
        DynamicImage::ImageRgba32F(of) => RgbaImage::from_fn(width, height, |x, y| {
            let [r, g, b, a] = of.get_pixel(x, y).0;
            let [r, g, b] = [r, g, b].map(|c| byte(linear_to_srgb(c)));
            image::Rgba([r, g, b, byte(a.clamp(0.0, 1.0))])
        }),
        other => other.to_rgba8(),
    })
}

fn decode_ktx2(bytes: &[u8], limits: &Limits) -> Option<DynamicImage> {
    let (info, rgba) = codecs::decode_ktx2(bytes, limits.image_pixels).ok()?;
    let picture = RgbaImage::from_raw(info.width, info.height, rgba)?;
    let picture = DynamicImage::ImageRgba8(picture);
    Some(match info.alpha {
        0 => DynamicImage::ImageRgb8(picture.into_rgb8()),
        _ => picture,
    })
}

/// Web form of an encoded image: `(mime, bytes, width, height)`.
pub fn to_web_image(bytes: &[u8], limits: &Limits) -> Result<(&'static str, Arc<[u8]>, u32, u32)> {
    if let (Some(mime), Some((width, height))) = (mime_of(bytes), picture_size(bytes)) {
        check_size(width, height, most_pixels(Some(mime), limits))?;
        let bytes = upright(bytes, mime).map_or_else(|| Arc::from(bytes), Arc::from);
        return Ok((mime, bytes, width, height));
    }
    let picture = decode(bytes, limits)?;
    let picture = match picture.color().has_alpha() {
        true => DynamicImage::ImageRgba8(picture.to_rgba8()),
        false => DynamicImage::ImageRgb8(picture.to_rgb8()),
    };
    let mut out = Cursor::new(Vec::new());
    picture
        .write_to(&mut out, ImageFormat::Png)
        .map_err(|e| Error::Internal(format!("png encoding: {e}")))?;
    Ok((
        "image/png",
        Arc::from(out.into_inner()),
        picture.width(),
        picture.height(),
    ))
}
