//! A full rotation of a model, as an animated WebP or as a sheet of all frames.

use super::file::{self, Kind};
use super::{Camera, Options, Set};
use crate::progress::{Ctx, Stage};
use crate::scene::Scene;
use crate::{Error, Result};
use image::RgbaImage;
use rayon::prelude::*;
use std::path::Path;

/// Number of frames of a turntable.
const FRAMES: std::ops::RangeInclusive<u32> = 2..=360;
/// Pixels of all frames; limits a sheet's memory and an animation's time.
const MOST_PIXELS: u64 = 1 << 27;
/// Quality and effort of an animation's frames.
const QUALITY: f32 = 82.0;
const EFFORT: u8 = 2;

/// Result of the rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turntable {
    pub frames: u32,
    /// Columns of a sheet; 1 for an animation.
    pub columns: u32,
    /// Duration of a frame in milliseconds.
    pub duration: u32,
}

/// Renders `frames` views evenly around `scene`. An animated WebP that takes `seconds` per rotation if `path` ends in
/// `webp`; else a sheet (PNG, JPEG) of frames row by row. The last frame is one step before the first.
pub fn turntable(
    scene: &Scene,
    path: &Path,
    options: &Options,
    frames: u32,
    seconds: f32,
    ctx: &Ctx,
) -> Result<Turntable> {
    let kind = Kind::of(path)?;
    let options = kind.backdrop(options);
    options.check()?;
    let [width, height] = options.size;
    let pixels = u64::from(width) * u64::from(height) * u64::from(frames);
    if !FRAMES.contains(&frames) || pixels > MOST_PIXELS {
        return Err(Error::Usage(format!(
            "转台帧数须在 {} 与 {} 之间，且全部帧合计不超过 {} 万像素",
            FRAMES.start(),
            FRAMES.end(),
            MOST_PIXELS / 10_000
        )));
    }
    if !(0.1..=600.0).contains(&seconds) {
        return Err(Error::Usage("转台一圈的时间须在 0.1 与 600 秒之间".into()));
    }
    ctx.report(Stage::Write, 0.0, "正在渲染转台")?;
    let set = Set::prepare(scene, &options, &ctx.part(0.0, 0.2))?;
    let out = set.turn(path, kind, &options, frames, seconds, ctx)?;
    ctx.report(Stage::Write, 1.0, "转台已生成")?;
    Ok(out)
}

impl Set {
    /// A rotation of a prepared model.
    pub(crate) fn turn(
        &self,
        path: &Path,
        kind: Kind,
        options: &Options,
        frames: u32,
        seconds: f32,
        ctx: &Ctx,
    ) -> Result<Turntable> {
        let view = self.view(options);
        let camera = Camera::turning(&self.geometry, view, options.size).closer(options.zoom);
        let step = std::f32::consts::TAU / frames as f32;
        let shoot = |frame: u32| {
            let camera = camera.turned(view.yaw + step * frame as f32);
            self.shoot::<8>(&camera, options, ctx)
        };
        let duration = (seconds * 1000.0 / frames as f32).round().max(1.0) as u32;
        let mut out = Turntable {
            frames,
            columns: 1,
            duration,
        };
        match kind {
            Kind::Webp => film(path, options, &out, ctx, shoot)?,
            Kind::Png | Kind::Jpeg => {
                out.columns = f64::from(frames).sqrt().ceil() as u32;
                sheet(path, kind, options, &out, ctx, shoot)?;
            }
        }
        Ok(out)
    }
}

/// Passes every frame on in order; some are rendered in parallel, few enough to keep in memory.
fn each_frame<T: Send>(
    frames: u32,
    ctx: &Ctx,
    make: impl Fn(u32) -> Result<T> + Sync,
    mut take: impl FnMut(u32, T) -> Result<()>,
) -> Result<()> {
    let together = rayon::current_num_threads().clamp(1, 8) as u32;
    let mut first = 0;
    while first < frames {
        let done = f64::from(first) / f64::from(frames);
        ctx.report(Stage::Write, 0.2 + 0.8 * done, "正在渲染转台")?;
        let next = (first + together).min(frames);
        let made: Vec<Result<T>> = (first..next).into_par_iter().map(&make).collect();
        for (frame, made) in (first..next).zip(made) {
            take(frame, made?)?;
        }
        first = next;
    }
    Ok(())
}

fn film(
    path: &Path,
    options: &Options,
    out: &Turntable,
    ctx: &Ctx,
    shoot: impl Fn(u32) -> Result<RgbaImage> + Sync,
) -> Result<()> {
    let failed = |e| Error::Internal(format!("webp encoding: {e}"));
    let [width, height] = options.size;
    let mut film = codecs::WebpFilm::new(width, height, QUALITY, EFFORT).map_err(failed)?;
    let mut frames = Vec::new();
    let coded = |frame: u32| film.frame(shoot(frame)?.as_raw()).map_err(failed);
    each_frame(out.frames, ctx, coded, |_, frame| {
        frames.push(frame);
        Ok(())
    })?;
    for frame in frames {
        film.add(&frame, out.duration).map_err(failed)?;
    }
    let bytes = film.finish().map_err(failed)?;
    std::fs::write(path, bytes).map_err(|e| Error::io(path, &e))
}

fn sheet(
    path: &Path,
    kind: Kind,
    options: &Options,
    out: &Turntable,
    ctx: &Ctx,
    shoot: impl Fn(u32) -> Result<RgbaImage> + Sync,
) -> Result<()> {
    let [width, height] = options.size;
    let rows = out.frames.div_ceil(out.columns);
    let mut sheet = RgbaImage::new(width * out.columns, height * rows);
    each_frame(out.frames, ctx, shoot, |frame, picture| {
        let (x, y) = (frame % out.columns * width, frame / out.columns * height);
        image::imageops::replace(&mut sheet, &picture, x.into(), y.into());
        Ok(())
    })?;
    file::write(&sheet, path, kind)
}
