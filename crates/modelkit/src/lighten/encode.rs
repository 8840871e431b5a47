//! Encoding of one texture: which format suits its use.

use super::plan::{Plan, TextureFormat};
use crate::scene::{Image, Scene};
use crate::{Error, Result};
use codecs::{Basis, Coding, Quality};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat};
use std::io::Cursor;
use std::sync::Mutex;

const JPEG_QUALITY: u8 = 85;
/// About the quality of a JPEG at 85, at half its size.
const WEBP_COLOR: f32 = 78.0;
/// For data textures whose source was already lossy.
const WEBP_DATA: f32 = 75.0;
const WEBP_EFFORT: u8 = 4;
const ETC1S_COLOR: u8 = 128;
const ETC1S_DATA: u8 = 160;
const ETC1S_EFFORT: u8 = 1;
/// For the photographs of many tiles.
const WEBP_FRUGAL: f32 = 70.0;
const WEBP_FRUGAL_EFFORT: u8 = 1;
const ETC1S_FRUGAL: u8 = 80;
const UASTC_EFFORT: u8 = 1;
/// Strength of the rate-distortion optimisation for UASTC data.
const UASTC_RDO: f32 = 1.0;

/// The meaning of an image's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Color,
    Normal,
    Data,
    /// Used both as colour and as data: no transfer function fits both.
    Mixed,
}

/// A format with its settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    Png,
    Jpeg,
    Webp(Quality),
    Ktx2 { uastc: bool },
}

/// Extension textures that hold colour; the others hold data.
const COLORS: [&str; 5] = [
    "baseColor",
    "emissive",
    "sheenColor",
    "specularColor",
    "diffuse",
];

/// The use of every image.
pub fn uses(scene: &Scene) -> Vec<Use> {
    let mut uses: Vec<Option<Use>> = vec![None; scene.images.len()];
    for (name, texture) in scene.materials.iter().flat_map(|m| m.texture_uses()) {
        let image = scene.textures.get(texture as usize).map(|t| t.image);
        let Some(slot) = image.and_then(|i| uses.get_mut(i as usize)) else {
            continue;
        };
        let this = if COLORS.contains(&name.as_str()) {
            Use::Color
        } else if name == "normal" || name == "clearcoatNormal" {
            Use::Normal
        } else {
            Use::Data
        };
        *slot = Some(match *slot {
            None => this,
            Some(other) if other == this => this,
            Some(Use::Normal | Use::Data) if this != Use::Color => Use::Data,
            Some(_) => Use::Mixed,
        });
    }
    // An unused image gets the safest treatment.
    uses.into_iter().map(|u| u.unwrap_or(Use::Mixed)).collect()
}

/// The image's present format.
pub fn own_format(image: &Image) -> Form {
    match image.mime {
        "image/jpeg" => Form::Jpeg,
        "image/webp" => Form::Webp(Quality::Lossy(WEBP_DATA)),
        "image/ktx2" => Form::Ktx2 { uastc: false },
        _ => Form::Png,
    }
}

/// The format the plan requires; `None` if the image has it already.
pub fn chosen(plan: &Plan, image: &Image, used: Use) -> Option<Form> {
    match plan.format {
        TextureFormat::Keep => {
            let jpeg = plan.lossy && used == Use::Color && image.mime == "image/png";
            jpeg.then_some(Form::Jpeg)
        }
        TextureFormat::Webp if image.mime == "image/webp" || image.mime == "image/ktx2" => None,
        TextureFormat::Webp => Some(Form::Webp(match (used, image.mime) {
            (Use::Color, _) => Quality::Lossy(WEBP_COLOR),
            (_, "image/jpeg") => Quality::Lossy(WEBP_DATA),
            // Chroma subsampling would bleed one channel of a packed texture into the others.
            _ => Quality::Lossless,
        })),
        TextureFormat::Ktx2 | TextureFormat::Ktx2Uastc if image.mime == "image/ktx2" => None,
        TextureFormat::Ktx2 | TextureFormat::Ktx2Uastc if used == Use::Mixed => None,
        TextureFormat::Ktx2 => Some(Form::Ktx2 { uastc: false }),
        TextureFormat::Ktx2Uastc => Some(Form::Ktx2 {
            uastc: used != Use::Color,
        }),
    }
}

/// WebP for a source that was already lossy.
pub fn lossy_webp(used: Use) -> Form {
    Form::Webp(Quality::Lossy(match used {
        Use::Color => WEBP_COLOR,
        _ => WEBP_DATA,
    }))
}

/// Returns `(MIME type, bytes, size)`. JPEG is only used for opaque images; others become PNG.
pub fn encode(
    picture: &DynamicImage,
    form: Form,
    image: &Image,
    used: Use,
    threads: u32,
    frugal: bool,
) -> Result<(&'static str, Vec<u8>, [u32; 2])> {
    let size = [picture.width(), picture.height()];
    match form {
        Form::Webp(quality) => {
            let quality = match quality {
                Quality::Lossy(q) if frugal => Quality::Lossy(q.min(WEBP_FRUGAL)),
                other => other,
            };
            let bytes = codecs::encode_webp(
                picture.to_rgba8().as_raw(),
                size[0],
                size[1],
                quality,
                if frugal {
                    WEBP_FRUGAL_EFFORT
                } else {
                    WEBP_EFFORT
                },
            );
            Ok(("image/webp", bytes.map_err(|_| unfit("WebP"))?, size))
        }
        Form::Ktx2 { uastc } => ktx2(picture, uastc, used, threads, frugal),
        Form::Jpeg | Form::Png => {
            let opaque = is_opaque(picture);
            let jpeg = form == Form::Jpeg && (opaque || image.mime == "image/jpeg");
            let (mime, bytes) = plain(picture, jpeg, opaque)?;
            Ok((mime, bytes, size))
        }
    }
}

/// Not an internal error: the image is beyond what the format can hold.
fn unfit(format: &str) -> Error {
    Error::TooLarge(format!("贴图尺寸超出 {format} 格式的上限"))
}

fn is_opaque(picture: &DynamicImage) -> bool {
    !picture.color().has_alpha() || picture.to_rgba8().pixels().all(|p| p.0[3] == 255)
}

fn ktx2(
    picture: &DynamicImage,
    uastc: bool,
    used: Use,
    threads: u32,
    frugal: bool,
) -> Result<(&'static str, Vec<u8>, [u32; 2])> {
    // KHR_texture_basisu requires dimensions in multiples of four.
    let whole = |side: u32| (side / 4 * 4).max(4);
    let [width, height] = [whole(picture.width()), whole(picture.height())];
    let rgba = if (width, height) == (picture.width(), picture.height()) {
        picture.to_rgba8()
    } else {
        let exact = picture.resize_exact(width, height, FilterType::CatmullRom);
        exact.to_rgba8()
    };
    let quality = match used {
        Use::Color if frugal => ETC1S_FRUGAL,
        Use::Color => ETC1S_COLOR,
        _ => ETC1S_DATA,
    };
    let how = Basis {
        coding: match uastc {
            true => Coding::Uastc {
                effort: UASTC_EFFORT,
                rdo: UASTC_RDO,
            },
            false => Coding::Etc1s {
                quality,
                effort: if frugal { 0 } else { ETC1S_EFFORT },
            },
        },
        srgb: used == Use::Color,
        normals: used == Use::Normal,
        threads,
    };
    // Nothing under this lock waits for other tasks of the pool, so it cannot deadlock.
    static ONE: Mutex<()> = Mutex::new(());
    let _alone = frugal.then(|| ONE.lock());
    let bytes = codecs::encode_ktx2(&rgba, width, height, &how).map_err(|_| unfit("KTX2"))?;
    Ok(("image/ktx2", bytes, [width, height]))
}

fn plain(picture: &DynamicImage, jpeg: bool, opaque: bool) -> Result<(&'static str, Vec<u8>)> {
    let fail = |e: image::ImageError| Error::Internal(format!("texture encoding: {e}"));
    let mut out = Cursor::new(Vec::new());
    if jpeg {
        let encoder = JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY);
        picture
            .to_rgb8()
            .write_with_encoder(encoder)
            .map_err(fail)?;
        return Ok(("image/jpeg", out.into_inner()));
    }
    let picture = if opaque {
        DynamicImage::ImageRgb8(picture.to_rgb8())
    } else {
        DynamicImage::ImageRgba8(picture.to_rgba8())
    };
    picture.write_to(&mut out, ImageFormat::Png).map_err(fail)?;
    Ok(("image/png", out.into_inner()))
}
