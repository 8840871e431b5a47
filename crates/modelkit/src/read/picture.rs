//! Pixel operations that convert the maps of older material models to PBR ones.

use crate::scene::{AlphaMode, Image};
use crate::{Error, Result};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::imageops::{self, FilterType as Resample};
use image::{DynamicImage, GrayImage, RgbImage, RgbaImage};
use std::sync::Arc;

/// Encodes as PNG under `name`.
pub fn encode(name: &str, picture: &DynamicImage) -> Result<Image> {
    let mut bytes = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive);
    picture
        .write_with_encoder(encoder)
        .map_err(|e| Error::Internal(format!("png encoding: {e}")))?;
    Ok(Image {
        name: name.to_owned(),
        mime: "image/png",
        bytes: Arc::from(bytes),
        width: picture.width(),
        height: picture.height(),
        was_cmyk: false,
        extras: None,
    })
}

/// Where a map has its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// Red, green, blue, alpha.
    Component(usize),
    Brightness,
}

/// One channel as a picture of its own.
pub fn only(picture: &DynamicImage, channel: Channel) -> DynamicImage {
    let Channel::Component(component) = channel else {
        return DynamicImage::ImageLuma8(picture.to_luma8());
    };
    let rgba = picture.to_rgba8();
    DynamicImage::ImageLuma8(GrayImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        image::Luma([rgba.get_pixel(x, y).0[component.min(3)]])
    }))
}

/// One channel of a map: its alpha if that is used, else its brightness.
fn channel(picture: &DynamicImage) -> GrayImage {
    if picture.color().has_alpha() {
        let rgba = picture.to_rgba8();
        if rgba.pixels().any(|p| p.0[3] != 255) {
            return GrayImage::from_fn(rgba.width(), rgba.height(), |x, y| {
                image::Luma([rgba.get_pixel(x, y).0[3]])
            });
        }
    }
    picture.to_luma8()
}

/// A picture of opacity in grey: its alpha, if that is used and not to be ignored, or its brightness; scaled by `part`,
/// or what is missing from that to full opacity.
pub fn opacity(
    picture: &DynamicImage,
    by_brightness: bool,
    is_missing: bool,
    part: f32,
) -> DynamicImage {
    let mut values = match by_brightness {
        true => picture.to_luma8(),
        false => channel(picture),
    };
    for pixel in values.pixels_mut() {
        let value = (f32::from(pixel.0[0]) * part).clamp(0.0, 255.0);
        let value = if is_missing { 255.0 - value } else { value };
        pixel.0[0] = value.round() as u8;
    }
    DynamicImage::ImageLuma8(values)
}

fn fitted(picture: GrayImage, width: u32, height: u32) -> GrayImage {
    if picture.dimensions() == (width, height) {
        return picture;
    }
    imageops::resize(&picture, width, height, Resample::Triangle)
}

/// Base colour with the opacity map in its alpha channel.
pub fn with_alpha(color: Option<&DynamicImage>, opacity: &DynamicImage) -> DynamicImage {
    let opacity = channel(opacity);
    let mut out = match color {
        Some(color) => color.to_rgba8(),
        None => RgbaImage::from_pixel(opacity.width(), opacity.height(), image::Rgba([255; 4])),
    };
    let opacity = fitted(opacity, out.width(), out.height());
    for (pixel, alpha) in out.pixels_mut().zip(opacity.pixels()) {
        pixel.0[3] = alpha.0[0];
    }
    DynamicImage::ImageRgba8(out)
}

/// glTF's packing: roughness in green, metalness in blue.
pub fn metallic_roughness(
    metallic: Option<&DynamicImage>,
    roughness: Option<&DynamicImage>,
) -> Option<DynamicImage> {
    let size = roughness.or(metallic)?;
    let (width, height) = (size.width(), size.height());
    let rough = roughness.map(|p| fitted(p.to_luma8(), width, height));
    let metal = metallic.map(|p| fitted(p.to_luma8(), width, height));
    let at = |map: &Option<GrayImage>, x, y| map.as_ref().map_or(255, |m| m.get_pixel(x, y).0[0]);
    Some(DynamicImage::ImageRgb8(RgbImage::from_fn(
        width,
        height,
        |x, y| image::Rgb([255, at(&rough, x, y), at(&metal, x, y)]),
    )))
}

/// The alpha mode an image needs: hardly any pixel between transparent and opaque means a cut-out.
pub fn alpha_mode(picture: &DynamicImage) -> AlphaMode {
    if !picture.color().has_alpha() {
        return AlphaMode::Opaque;
    }
    let rgba = picture.to_rgba8();
    let (mut clear, mut between) = (0usize, 0usize);
    for pixel in rgba.pixels() {
        match pixel.0[3] {
            0..=15 => clear += 1,
            240..=255 => {}
            _ => between += 1,
        }
    }
    let total = rgba.pixels().len();
    if clear + between == 0 {
        AlphaMode::Opaque
    } else if between * 12 < total {
        AlphaMode::Mask
    } else {
        AlphaMode::Blend
    }
}

/// Tangent-space normal maps are bluish all over; height maps are grey.
pub fn is_normal_map(picture: &DynamicImage) -> bool {
    let small = picture.thumbnail_exact(32, 32).to_rgb8();
    let mut sum = [0u32; 3];
    for pixel in small.pixels() {
        for (total, value) in sum.iter_mut().zip(pixel.0) {
            *total += u32::from(value);
        }
    }
    let [r, g, b] = sum.map(|total| total / 1024);
    r.abs_diff(128) < 40 && g.abs_diff(128) < 40 && b > 160 && b > r + 30
}

/// Normals from a height map (Sobel), with the surface repeating at the border.
pub fn normals_from_height(picture: &DynamicImage, strength: f32) -> DynamicImage {
    let height = picture.to_luma8();
    let (w, h) = height.dimensions();
    let at = |x: u32, y: u32| f32::from(height.get_pixel(x % w, y % h).0[0]) / 255.0;
    DynamicImage::ImageRgb8(RgbImage::from_fn(w, h, |x, y| {
        let (l, r, u, d) = (x + w - 1, x + 1, y + h - 1, y + 1);
        let dx = (at(r, u) + 2.0 * at(r, y) + at(r, d)) - (at(l, u) + 2.0 * at(l, y) + at(l, d));
        let dy = (at(l, d) + 2.0 * at(x, d) + at(r, d)) - (at(l, u) + 2.0 * at(x, u) + at(r, u));
        let n = [-dx * strength, dy * strength, 1.0];
        let length = (n[0] * n[0] + n[1] * n[1] + 1.0).sqrt();
        image::Rgb(n.map(|c| ((c / length * 0.5 + 0.5) * 255.0).round() as u8))
    }))
}
