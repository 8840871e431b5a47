//! Pictures of the true model: in the light of the studio, turning, as a wireframe, its texture coordinates and maps.

use super::Files;
use super::mark;
use crate::progress::{Ctx, Stage};
use crate::render::{self, Backdrop, Kind, Manner, Options, Set};
use crate::scene::decode;
use crate::{Error, Result, Scene};
use image::{Rgba, RgbaImage};

const BEAUTY_SIDE: u32 = 1024;
const WIRE_SIDE: u32 = 2048;
const LAYOUT_SIDE: u32 = 1024;
const MAP_SIDE: u32 = 256;
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
    match beauty(scene, files, quiet, ctx) {
        // A skeleton without a mesh has facts and no pictures.
        Err(Error::EmptyModel(_)) => return Ok(()),
        made => made?,
    }
    wires(scene, files, quiet, ctx)?;
    ctx.report(Stage::Write, 0.9, "正在绘制 UV 布局")?;
    if let Some(layout) = render::uv_layout(scene, LAYOUT_SIDE, quiet)? {
        render::write_picture(&layout, &files.add("uv", "uv.webp"), Kind::Webp)?;
    }
    maps(scene, files, quiet, ctx)
}

fn beauty(scene: &Scene, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<()> {
    ctx.report(Stage::Write, 0.0, "正在渲染展示图")?;
    let options = Options::square(BEAUTY_SIDE);
    let set = Set::prepare(scene, &options, quiet)?;
    let views = std::iter::once(set.best_view()).chain(VIEWS);
    for (i, [yaw, pitch]) in views.enumerate() {
        ctx.report(Stage::Write, 0.05 + 0.06 * i as f64, "正在渲染展示图")?;
        let view = Options {
            yaw: Some(yaw),
            pitch: Some(pitch),
            ..options.clone()
        };
        let picture = grounded(set.picture(&view, quiet)?);
        let path = files.add("beauty", &format!("picture-{}.webp", i + 1));
        render::write_picture(&picture, &path, Kind::Webp)?;
    }
    ctx.report(Stage::Write, 0.42, "正在渲染转台")?;
    let frame = Options {
        backdrop: Backdrop::Color([241, 243, 246]),
        ..Options::square(FRAME_SIDE)
    };
    let path = files.add("turntable", "turntable.webp");
    set.turn(&path, Kind::Webp, &frame, FRAMES, SECONDS, quiet)?;
    Ok(())
}

/// On a bright ground that grows darker towards the bottom.
fn grounded(mut picture: RgbaImage) -> RgbaImage {
    let height = picture.height() as f32;
    for (_, y, pixel) in picture.enumerate_pixels_mut() {
        let t = y as f32 / height;
        let t = t * t * (3.0 - 2.0 * t);
        let alpha = f32::from(pixel.0[3]) / 255.0;
        let channel = |k: usize| {
            let ground = GROUND[0][k] + (GROUND[1][k] - GROUND[0][k]) * t;
            (f32::from(pixel.0[k]) * alpha + ground * (1.0 - alpha)).round() as u8
        };
        *pixel = Rgba([channel(0), channel(1), channel(2), 255]);
    }
    picture
}

fn wires(scene: &Scene, files: &mut Files, quiet: &Ctx, ctx: &Ctx) -> Result<()> {
    let options = Options {
        backdrop: Backdrop::Color(PAPER),
        shadow: false,
        manner: Manner::Wire,
        ..Options::square(WIRE_SIDE)
    };
    let set = Set::prepare(scene, &options, quiet)?;
    for (i, (name, [yaw, pitch])) in SIDES.into_iter().enumerate() {
        ctx.report(Stage::Write, 0.6 + 0.05 * i as f64, "正在绘制线框图")?;
        let view = Options {
            yaw: Some(yaw),
            pitch: Some(pitch),
            ..options.clone()
        };
        let picture = set.picture(&view, quiet)?;
        let path = files.add_titled("wire", &format!("wire-{name}.webp"), name);
        render::write_picture(&picture, &path, Kind::Webp)?;
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
        let small = match longest > MAP_SIDE {
            true => picture.thumbnail(MAP_SIDE, MAP_SIDE).to_rgba8(),
            false => picture.to_rgba8(),
        };
        let title = uses.join(" ");
        let path = files.add_titled("texture", &format!("texture-{}.webp", i + 1), &title);
        render::write_picture(&small, &path, Kind::Webp)?;
    }
    Ok(())
}
