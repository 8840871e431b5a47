//! Smaller textures.

use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Image, Scene, decode};
use crate::{Error, Result};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat};
use rayon::prelude::*;
use std::collections::HashSet;
use std::io::Cursor;
use std::sync::Arc;

const JPEG_QUALITY: u8 = 85;

/// No side of any texture above `most` pixels.
pub fn limit(scene: &mut Scene, most: u32, ctx: &Ctx) -> Result<()> {
    shrink(scene, most, false, ctx)
}

/// As [`limit`]; with `lossy`, opaque colour textures become JPEG also where they
/// were PNG. Data textures (normals, roughness, …) are never turned into JPEG.
pub fn shrink(scene: &mut Scene, most: u32, lossy: bool, ctx: &Ctx) -> Result<()> {
    let most = most.max(1);
    let colors = color_images(scene);
    ctx.report(Stage::Textures, 0.0, "正在处理贴图")?;
    let work = |(i, image): (usize, &mut Image)| -> Result<u32> {
        let may_jpeg = lossy && colors.contains(&(i as u32)) && image.mime == "image/png";
        if image.width.max(image.height) <= most && !may_jpeg {
            return Ok(0);
        }
        match smaller(image, most, may_jpeg, &ctx.limits) {
            Ok(Some(new)) => {
                *image = new;
                Ok(1)
            }
            Ok(None) => Ok(0),
            // A texture that cannot be decoded stays as it is; the check names it.
            Err(Error::Corrupt(_) | Error::TooLarge(_)) => Ok(0),
            Err(other) => Err(other),
        }
    };
    let changed: Result<Vec<u32>> = scene.images.par_iter_mut().enumerate().map(work).collect();
    let changed: u32 = changed?.iter().sum();
    if changed > 0 {
        ctx.info(&format!(
            "已缩小或重新压缩 {changed} 张贴图(最长边 {most} 像素)"
        ));
    }
    ctx.report(Stage::Textures, 1.0, "贴图处理完成")
}

/// Images used for colour only.
fn color_images(scene: &Scene) -> HashSet<u32> {
    let (mut color, mut data) = (HashSet::new(), HashSet::new());
    for (name, texture) in scene.materials.iter().flat_map(|m| m.texture_uses()) {
        let Some(texture) = scene.textures.get(texture as usize) else {
            continue;
        };
        if name == "baseColor" || name == "emissive" {
            color.insert(texture.image);
        } else {
            data.insert(texture.image);
        }
    }
    color.difference(&data).copied().collect()
}

/// A smaller copy, or `None` when it would not be smaller.
fn smaller(image: &Image, most: u32, may_jpeg: bool, limits: &Limits) -> Result<Option<Image>> {
    let picture = decode(&image.bytes, limits)?;
    let longest = picture.width().max(picture.height());
    let resized = longest > most;
    let picture = if resized {
        let size =
            |side: u32| ((u64::from(side) * u64::from(most)) / u64::from(longest)).max(1) as u32;
        picture.resize_exact(
            size(picture.width()),
            size(picture.height()),
            FilterType::CatmullRom,
        )
    } else {
        picture
    };
    let opaque = !picture.color().has_alpha() || picture.to_rgba8().pixels().all(|p| p.0[3] == 255);
    let jpeg = image.mime == "image/jpeg" || (opaque && may_jpeg);
    let (mime, bytes) = encode(&picture, jpeg, opaque)?;
    if !resized && bytes.len() >= image.bytes.len() {
        return Ok(None);
    }
    Ok(Some(Image {
        mime,
        bytes: Arc::from(bytes),
        width: picture.width(),
        height: picture.height(),
        ..image.clone()
    }))
}

fn encode(picture: &DynamicImage, jpeg: bool, opaque: bool) -> Result<(&'static str, Vec<u8>)> {
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
