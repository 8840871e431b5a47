//! Findings on textures. Headers give size and format; as many images as fit the pixel budget are also decoded.

use super::tally::Tally;
use crate::Result;
use crate::progress::Ctx;
use crate::scene::Severity::{Error, Info, Warning};
use crate::scene::{Image, Problem, Scene, decode, is_cmyk};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashMap;

/// Longest side phones can still display.
const HUGE: u32 = 4096;
/// Pixels decoded in total during the check.
const PIXELS_TRIED: u64 = 64 << 20;

pub fn find(scene: &Scene, out: &mut Vec<Problem>, ctx: &Ctx) -> Result<()> {
    let users = users(scene);
    let name = |i: usize, image: &Image| {
        let name = match image.name.as_str() {
            "" => format!("第 {} 张贴图", i + 1),
            name => format!("贴图 {name}"),
        };
        match users.get(&(i as u32)) {
            Some(material) if !material.is_empty() => format!("{name}（材质 {material}）"),
            _ => name,
        }
    };
    let broken = broken(scene, ctx);
    let mut tallies = [const { None }; 5].map(|none: Option<Tally>| none.unwrap_or_default());
    let [cut, huge, odd, deep, cmyk] = &mut tallies;
    let mut largest = (0, 0);
    for (i, image) in scene.images.iter().enumerate() {
        let sized = || format!("{} {}×{}", name(i, image), image.width, image.height);
        cut.add(usize::from(broken.contains(&i)), 1, || name(i, image));
        let side = image.width.max(image.height);
        huge.add(if side > HUGE { side as usize } else { 0 }, 0, sized);
        if side > HUGE && largest.0 * largest.1 < u64::from(image.width) * u64::from(image.height) {
            largest = (u64::from(image.width), u64::from(image.height));
        }
        let power = image.width.is_power_of_two() && image.height.is_power_of_two();
        odd.add(usize::from(!power), 1, sized);
        deep.add(usize::from(is_16_bit(image)), 1, || name(i, image));
        cmyk.add(usize::from(image.was_cmyk || is_raw_cmyk(image)), 1, || {
            name(i, image)
        });
    }
    report(scene, &tallies, largest, out);
    Ok(())
}

fn report(
    scene: &Scene,
    tallies: &[Tally; 5],
    (width, height): (u64, u64),
    out: &mut Vec<Problem>,
) {
    let [cut, huge, odd, deep, cmyk] = tallies;
    let text = format!(
        "{} 张贴图的数据不完整或已损坏，只显示一部分或不显示",
        cut.count
    );
    let advice = "请用看图软件打开确认，从原图另存为 PNG 或 JPEG，替换后重新导出、打包上传";
    out.extend(cut.problem("broken-texture", Error, text, advice));
    let count = scene
        .images
        .iter()
        .filter(|image| image.width.max(image.height) > HUGE)
        .count();
    if count > 0 {
        // With mip levels, four bytes per pixel.
        let memory = width * height * 4 * 4 / 3 / 1_000_000;
        let text = format!(
            "{count} 张贴图超过 {HUGE} 像素，最大一张在显卡里约占 {memory} MB，手机上可能无法显示"
        );
        let advice = "轻量化时把贴图限制在 2048 或 4096；也可用图像软件缩小原图后重新导出";
        let problem = Problem::new("huge-texture", Warning, huge.place(), text, advice);
        out.push(problem.counted(count, scene.images.len()));
    }
    let text = format!("{} 张贴图的边长不是 2 的幂", odd.count);
    let advice = "不影响显示；如需最佳性能，可改为 512、1024、2048 等尺寸";
    out.extend(odd.problem("non-power-of-two", Info, text, advice));
    let text = format!(
        "{} 张贴图每通道 16 位，网页按 8 位显示，多出的精度只增加体积",
        deep.count
    );
    let advice = "请另存为 8 位 PNG 或 JPEG（Photoshop：图像 > 模式 > 8 位/通道）";
    out.extend(deep.problem("16-bit-texture", Info, text, advice));
    let text = format!(
        "{} 张贴图是印刷用的 CMYK 颜色，已按 RGB 读取，颜色会有偏差",
        cmyk.count
    );
    let advice = "请转为 RGB 后另存（Photoshop：图像 > 模式 > RGB 颜色）";
    out.extend(cmyk.problem("cmyk-texture", Warning, text, advice));
}

/// The first material that uses each image.
fn users(scene: &Scene) -> HashMap<u32, &str> {
    let mut users = HashMap::new();
    for material in &scene.materials {
        for (_, texture) in material.texture_uses() {
            if let Some(texture) = scene.textures.get(texture as usize) {
                users.entry(texture.image).or_insert(material.name.as_str());
            }
        }
    }
    users
}

/// Images that are truncated or cannot be decoded.
fn broken(scene: &Scene, ctx: &Ctx) -> Vec<usize> {
    let mut left = PIXELS_TRIED;
    let mut tried = Vec::new();
    for (i, image) in scene.images.iter().enumerate() {
        let pixels = u64::from(image.width) * u64::from(image.height);
        let decoded = pixels <= left;
        left -= if decoded { pixels } else { 0 };
        tried.push((i, image, decoded));
    }
    let fails = |(i, image, decoded): &(usize, &Image, bool)| {
        let bad = ends_early(image) || (*decoded && decode(&image.bytes, &ctx.limits).is_err());
        bad.then_some(*i)
    };
    tried.par_iter().filter_map(fails).collect()
}

/// Whether the end of an image is missing: decoders silently fill the rest with grey.
fn ends_early(image: &Image) -> bool {
    let bytes = &image.bytes[..];
    let tail = &bytes[bytes.len().saturating_sub(4096)..];
    let has = |mark: &[u8]| tail.windows(mark.len()).any(|window| window == mark);
    match image.mime {
        "image/jpeg" => !has(&[0xff, 0xd9]),
        "image/png" => !has(b"IEND"),
        "image/webp" => {
            let length = bytes.get(4..8).and_then(|four| four.try_into().ok());
            length.is_some_and(|length| {
                u64::from(u32::from_le_bytes(length)) + 8 > bytes.len() as u64 + 1
            })
        }
        _ => false,
    }
}

fn is_16_bit(image: &Image) -> bool {
    image.mime == "image/png" && image.bytes.get(24) == Some(&16)
}

/// One that could not be decoded.
fn is_raw_cmyk(image: &Image) -> bool {
    image.mime == "image/jpeg" && is_cmyk(&image.bytes)
}
