//! Textures: resized and written in the requested format, each image independently and all in parallel.

use super::encode::{self, Use};
use super::plan::{Plan, TextureFormat};
use crate::progress::{Ctx, Stage};
use crate::scene::{Image, Scene, decode};
use crate::{Error, Result};
use image::DynamicImage;
use image::imageops::FilterType;
use rayon::prelude::*;
use std::sync::Arc;

/// Limits the sides of all textures to `most` pixels.
pub fn limit(scene: &mut Scene, most: u32, ctx: &Ctx) -> Result<()> {
    let plan = Plan {
        most: Some(most),
        ..Plan::default()
    };
    apply(scene, &plan, ctx)
}

/// Converts every texture to WebP or KTX2, even where that is larger. What KTX2 cannot hold (colour and data in one
/// image) becomes WebP; KTX2 stays unchanged.
pub fn packed(
    scene: &mut Scene,
    format: TextureFormat,
    most: Option<u32>,
    ctx: &Ctx,
) -> Result<()> {
    let plan = Plan {
        format,
        most,
        always: true,
        ..Plan::default()
    };
    apply(scene, &plan, &ctx.part(0.0, 0.9))?;
    let rest = Plan {
        format: TextureFormat::Webp,
        ..plan
    };
    apply(scene, &rest, &ctx.part(0.9, 1.0))
}

/// Converts KTX2 textures to WebP, for viewers without a transcoder. One that cannot be decoded stays.
pub fn without_ktx2(scene: &mut Scene, ctx: &Ctx) -> Result<()> {
    let uses = encode::uses(scene);
    for (image, used) in scene.images.iter_mut().zip(uses) {
        ctx.report(Stage::Textures, 0.5, "正在处理贴图")?;
        if image.mime != "image/ktx2" {
            continue;
        }
        let Ok(picture) = decode(&image.bytes, &ctx.limits) else {
            continue;
        };
        let form = encode::lossy_webp(used);
        let Ok((mime, bytes, _)) = encode::encode(&picture, form, image, used, 1, false) else {
            continue;
        };
        (image.mime, image.bytes) = (mime, Arc::from(bytes));
    }
    Ok(())
}

/// Executes the plan. Images that cannot be decoded stay unchanged: the check reports them.
pub fn apply(scene: &mut Scene, plan: &Plan, ctx: &Ctx) -> Result<()> {
    ctx.report(Stage::Textures, 0.0, "正在处理贴图")?;
    let uses = encode::uses(scene);
    let threads = (rayon::current_num_threads() / scene.images.len().max(1)).max(1) as u32;
    let work = |(image, used): (&mut Image, Use)| -> Result<u32> {
        ctx.report(Stage::Textures, 0.5, "正在处理贴图")?;
        match remade(image, plan, used, threads, ctx) {
            Ok(Some(new)) => {
                *image = new;
                Ok(1)
            }
            Ok(None) | Err(Error::Corrupt(_) | Error::TooLarge(_)) => Ok(0),
            Err(other) => Err(other),
        }
    };
    let mut changed = 0;
    let (mut images, mut uses) = (&mut scene.images[..], &uses[..]);
    while !images.is_empty() {
        let count = at_once(images);
        let (now, later) = images.split_at_mut(count);
        let jobs = now.par_iter_mut().zip(uses).with_max_len(1);
        let done: Result<Vec<u32>> = jobs.map(|(image, used)| work((image, *used))).collect();
        changed += done?.iter().sum::<u32>();
        (images, uses) = (later, &uses[count..]);
    }
    if changed > 0 {
        ctx.info(&format!("已缩小或重新压缩 {changed} 张贴图"));
    }
    ctx.report(Stage::Textures, 1.0, "贴图处理完成")
}

/// Pixels decoded at the same time; limits memory on machines with many cores.
const AT_ONCE: u64 = 1 << 27;

/// How many of `images`, from the first on, are processed together; at least one.
fn at_once(images: &[Image]) -> usize {
    let mut sum = 0;
    let fits = images.iter().take_while(|image| {
        sum += u64::from(image.width) * u64::from(image.height);
        sum <= AT_ONCE
    });
    fits.count().max(1)
}

/// The image after the plan, or `None` if it stays unchanged.
fn remade(image: &Image, plan: &Plan, used: Use, threads: u32, ctx: &Ctx) -> Result<Option<Image>> {
    let most = plan.most.unwrap_or(u32::MAX).max(1);
    let resized = image.width.max(image.height) > most;
    if !resized && encode::chosen(plan, image, used).is_none() {
        return Ok(None);
    }
    let picture = decode(&image.bytes, &ctx.limits)?;
    let picture = if resized {
        shrunk(&picture, most)
    } else {
        picture
    };
    let new = encoded(&picture, image, plan, used, threads)?;
    // KTX2 is chosen for the GPU memory it saves: it may be larger than a JPEG.
    let worth =
        resized || plan.always || new.mime == "image/ktx2" || new.bytes.len() < image.bytes.len();
    Ok(worth.then_some(new))
}

/// Encodes `picture` in the format of the plan, to replace `image`.
pub fn encoded(
    picture: &DynamicImage,
    image: &Image,
    plan: &Plan,
    used: Use,
    threads: u32,
) -> Result<Image> {
    let form = encode::chosen(plan, image, used).unwrap_or(encode::own_format(image));
    let (mime, bytes, [width, height]) =
        encode::encode(picture, form, image, used, threads, plan.frugal)?;
    Ok(Image {
        mime,
        bytes: Arc::from(bytes),
        width,
        height,
        ..image.clone()
    })
}

fn shrunk(picture: &DynamicImage, most: u32) -> DynamicImage {
    let longest = u64::from(picture.width().max(picture.height()));
    let side = |side: u32| ((u64::from(side) * u64::from(most)) / longest).max(1) as u32;
    let (width, height) = (side(picture.width()), side(picture.height()));
    // Averages first: the filter's cost and memory grow with what it reads.
    let coarse =
        (longest > 4 * u64::from(most)).then(|| picture.thumbnail_exact(2 * width, 2 * height));
    let picture = coarse.as_ref().unwrap_or(picture);
    picture.resize_exact(width, height, FilterType::CatmullRom)
}
