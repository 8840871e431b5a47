//! Pictures of the true model: in the light of the studio, turning, as a wireframe, its texture coordinates and maps.

use super::Files;
use super::mark;
use crate::progress::{Ctx, Stage};
use crate::render::{self, Backdrop, Kind, Manner, Options, Set};
use crate::scene::decode;
use crate::{Error, Result, Scene};
use image::RgbaImage;
use rayon::prelude::*;
use std::path::PathBuf;

const BEAUTY_SIDE: u32 = 1024;
const WIRE_SIDE: u32 = 2048;
const LAYOUT_SIDE: u32 = 1024;
const MAP_SIDE: u32 = 256;
/// No thumbnail has more than this part of a map's side: a small map would be given away whole.
const MAP_PART: u32 = 2;
/// Pictures that are drawn at the same time.
const AT_ONCE: usize = 2;
/// Maps that get a thumbnail.
const MOST_MAPS: usize = 48;
const FRAMES: u32 = 24;
const FRAME_SIDE: u32 = 480;
const SECONDS: f32 = 4.0;
/// Yaw and pitch in degrees of the five pictures after the best one.
const VIEWS: [[f32; 2]; 5] = [
    [-38.0, 20.0],
    [0.0, 6.0],
    [90.0, 8.0],
    [205.0, 22.0],
    [28.0, 58.0],
];
/// The sides of a wireframe with yaw and pitch.
const SIDES: [(&str, [f32; 2]); 6] = [
    ("front", [0.0, 0.0]),
    ("right", [90.0, 0.0]),
    ("back", [180.0, 0.0]),
    ("left", [270.0, 0.0]),
    ("top", [0.0, 90.0]),
    ("bottom", [0.0, -90.0]),
];
/// Top and bottom of the ground, sRGB.
const GROUND: [[f32; 3]; 2] = [[247.0, 248.0, 250.0], [222.0, 226.0, 232.0]];
const PAPER: [u8; 3] = [250, 251, 252];

/// Everything; `quiet` reports nothing, `ctx` the whole.
pub fn all(scene: &Scene, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<()> {
    let set = match beauty(scene, files, quiet, ctx) {
        // A skeleton without a mesh has facts and no pictures.
        Err(Error::EmptyModel(_)) => return Ok(()),
        made => made?,
    };
    wires(&set.without_light(Manner::Wire), files, quiet, ctx)?;
    ctx.report(Stage::Write, 0.9, "正在绘制 UV 布局")?;
    if let Some(layout) = render::uv_layout(scene, LAYOUT_SIDE, quiet)? {
        render::write_picture(&layout, &files.add("uv", "uv.webp"), Kind::Webp)?;
    }
    maps(scene, files, quiet, ctx)
}

/// The first picture, the others, the turntable; returns what they were made with.
fn beauty(scene: &Scene, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<Set> {
    ctx.report(Stage::Write, 0.0, "正在渲染展示图")?;
    let options = Options::square(BEAUTY_SIDE);
    let set = Set::prepare(scene, &options, quiet)?;
    let mut wanted = Vec::new();
    for (i, view) in std::iter::once(set.best_view()).chain(VIEWS).enumerate() {
        let path = files.add("beauty", &format!("picture-{}.webp", i + 1));
        wanted.push((path, turned(&options, view)));
    }
    let (first, others) = wanted.split_at(1);
    for (i, some) in std::iter::once(first)
        .chain(others.chunks(AT_ONCE))
        .enumerate()
    {
        ctx.report(Stage::Write, 0.05 + 0.09 * i as f64, "正在渲染展示图")?;
        draw(&set, some, grounded, quiet)?;
    }
    ctx.report(Stage::Write, 0.42, "正在渲染转台")?;
    let frame = Options {
        backdrop: Backdrop::Color([241, 243, 246]),
        ..Options::square(FRAME_SIDE)
    };
    let path = files.add("turntable", "turntable.webp");
    set.turn(&path, Kind::Webp, &frame, FRAMES, SECONDS, quiet)?;
    Ok(set)
}

fn turned(options: &Options, [yaw, pitch]: [f32; 2]) -> Options {
    Options {
        yaw: Some(yaw),
        pitch: Some(pitch),
        ..options.clone()
    }
}

/// Draws and writes pictures together: encoding one is work for one processor.
fn draw(
    set: &Set,
    wanted: &[(PathBuf, Options)],
    finish: fn(RgbaImage) -> RgbaImage,
    quiet: &Ctx,
) -> Result<()> {
    let one = |(path, view): &(PathBuf, Options)| {
        let picture = finish(set.picture(view, quiet)?);
        render::write_picture(&picture, path, Kind::Webp)
    };
    wanted.par_iter().map(one).collect()
}

/// On a bright ground that grows darker towards the bottom.
fn grounded(mut picture: RgbaImage) -> RgbaImage {
    let (width, height) = (picture.width() as usize, picture.height() as f32);
    let rows = picture
        .as_flat_samples_mut()
        .samples
        .chunks_exact_mut(width * 4);
    for (y, row) in rows.enumerate() {
        let t = y as f32 / height;
        let t = t * t * (3.0 - 2.0 * t);
        let ground = [0, 1, 2].map(|k| GROUND[0][k] + (GROUND[1][k] - GROUND[0][k]) * t);
        for pixel in row.as_chunks_mut::<4>().0 {
            let alpha = f32::from(pixel[3]) / 255.0;
            for (byte, ground) in pixel.iter_mut().zip(ground) {
                *byte = (f32::from(*byte) * alpha + ground * (1.0 - alpha) + 0.5) as u8;
            }
            pixel[3] = 255;
        }
    }
    picture
}

fn wires(set: &Set, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<()> {
    let options = Options {
        backdrop: Backdrop::Color(PAPER),
        shadow: false,
        manner: Manner::Wire,
        ..Options::square(WIRE_SIDE)
    };
    let mut wanted = Vec::new();
    for (name, view) in SIDES {
        let path = files.add_titled("wire", &format!("wire-{name}.webp"), name);
        wanted.push((path, turned(&options, view)));
    }
    for (i, some) in wanted.chunks(AT_ONCE).enumerate() {
        ctx.report(Stage::Write, 0.6 + 0.1 * i as f64, "正在绘制线框图")?;
        draw(set, some, |picture| picture, quiet)?;
    }
    Ok(())
}

/// A small picture of every map.
fn maps(scene: &Scene, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<()> {
    let uses = mark::uses(scene);
    let used = scene.images.iter().zip(uses);
    let used = used.filter(|(_, uses)| !uses.is_empty());
    for (i, (image, uses)) in used.take(MOST_MAPS).enumerate() {
        ctx.report(Stage::Write, 0.95, "正在生成贴图缩略图")?;
        let Ok(picture) = decode(&image.bytes, &quiet.limits) else {
            continue;
        };
        let longest = picture.width().max(picture.height());
        let side = (longest / MAP_PART).clamp(1, MAP_SIDE);
        let small = picture.thumbnail(side, side).to_rgba8();
        let title = uses.join(" ");
        let path = files.add_titled("texture", &format!("texture-{}.webp", i + 1), &title);
        render::write_picture(&small, &path, Kind::Webp)?;
    }
    Ok(())
}
