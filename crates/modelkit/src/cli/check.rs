//! The subcommands `info`, `check` and `proxy`.

use super::Build;
use super::done::{Done, file_size, to_json};
use super::growth::{Made, Source};
use super::text;
use crate::check::Report;
use crate::preview::Preview;
use crate::progress::{Ctx, Stage};
use crate::{Error, Result, Scene, check, open, proxy, read, render, tiles};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// What a check-up writes.
#[derive(Default)]
pub struct Outputs<'a> {
    pub preview: Option<&'a Path>,
    /// With the side in pixels.
    pub thumb: Option<(&'a Path, u32)>,
    /// With the size in bytes; only with a preview.
    pub proxy: Option<(&'a Path, u64)>,
}

/// The overview of an oblique delivery; `None` if `input` is something else.
fn overview(input: &Path, name: Option<&str>, ctx: &Ctx) -> Result<Option<Scene>> {
    let mut scene = tiles::overview(input, ctx)?;
    if let Some(scene) = &mut scene {
        scene.main_file = name.unwrap_or("metadata.xml").to_owned();
    }
    Ok(scene)
}

/// The report, with the program's version behind the engine's name.
fn signed(report: Report, build: Build) -> Report {
    Report {
        engine: format!("{} {}", report.engine, build.version),
        ..report
    }
}

pub fn run(
    input: &Path,
    name: Option<&str>,
    build: Build,
    outputs: &Outputs,
    ctx: &Ctx,
) -> Result<Done> {
    let reading = ctx.part(0.0, 0.5);
    let mut scene = match overview(input, name, &reading)? {
        Some(scene) => scene,
        None => {
            if let Some(sealed) = open::look_path(input, name, ctx)? {
                return report_sealed(&sealed, input, name, build, outputs, ctx);
            }
            open::read_path(input, name, &reading)?
        }
    };
    let report = check::check(&scene, file_size(input)?, &ctx.part(0.5, 0.7))?;
    let mut report = signed(report, build);
    if let Some((path, size)) = outputs.thumb {
        let options = render::Options::square(size);
        match render::render(&scene, path, &options, &ctx.part(0.7, 0.8)) {
            // A skeleton without a mesh is a valid model.
            Err(Error::EmptyModel(reason)) => ctx.warn(&format!("未生成缩略图：{reason}")),
            rendered => rendered?,
        }
    }
    if let Some(path) = outputs.preview {
        let source = Source::of(&scene, input).ok().filter(|_| input.is_file());
        let made = Preview::of(&mut scene, input, &ctx.part(0.8, 0.92))?;
        made.write(path)?;
        let bytes = made.bytes();
        drop(made);
        let textures = report.statistics.texture_bytes;
        let larger = source.and_then(|source| source.growth(&Made::Preview, bytes, textures));
        report.problems.extend(larger);
        ctx.info("已生成网页预览文件");
        if let Some((path, budget)) = outputs.proxy.filter(|(_, budget)| bytes > *budget) {
            stand_in(&scene, path, budget, &ctx.part(0.92, 1.0))?;
        }
    }
    ctx.report(Stage::Write, 1.0, "完成")?;
    Ok(Done {
        json: to_json(&report)?,
        text: text::report(&report),
    })
}

/// Writes a stand-in. A model without one is only shown later.
fn stand_in(scene: &Scene, path: &Path, budget: u64, ctx: &Ctx) -> Result<()> {
    match proxy::make(scene, budget, ctx) {
        Ok(made) => made.write(path),
        Err(Error::EmptyModel(reason) | Error::TooLarge(reason)) => {
            ctx.warn(&format!("未生成替身：{reason}"));
            Ok(())
        }
        Err(other) => Err(other),
    }
}

/// Writes a stand-in, unless the preview is as small.
pub fn run_proxy(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    budget: u64,
    ctx: &Ctx,
) -> Result<Done> {
    let start = Instant::now();
    let reading = ctx.part(0.0, 0.4);
    let mut scene = match overview(input, name, &reading)? {
        Some(scene) => scene,
        None => open::read_path(input, name, &reading)?,
    };
    let preview = Preview::of(&mut scene, input, &ctx.part(0.4, 0.6))?.bytes();
    let mut json = json!({"needed": preview > budget, "previewBytes": preview});
    let text = if preview > budget {
        let made = proxy::make(&scene, budget, &ctx.part(0.6, 1.0))?;
        made.write(output)?;
        json["bytes"] = made.bytes().into();
        json["triangles"] = made.triangles.into();
        json["textureSide"] = made.texture_side.into();
        let (bytes, triangles) = (made.bytes(), made.triangles);
        format!("已生成替身：{bytes} 字节，{triangles} 个三角形")
    } else {
        format!("网页预览只有 {preview} 字节，不需要替身")
    };
    json["seconds"] = ((start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0).into();
    ctx.report(Stage::Write, 1.0, "完成")?;
    Ok(Done { json, text })
}

/// Reports on a file whose geometry is proprietary. Its embedded picture becomes the thumbnail; a request for a preview
/// gets the reason why there is none.
fn report_sealed(
    sealed: &read::sealed::Sealed,
    input: &Path,
    name: Option<&str>,
    build: Build,
    outputs: &Outputs,
    ctx: &Ctx,
) -> Result<Done> {
    let name = open::name_of(input, name);
    let report = check::check_sealed(sealed, &name, file_size(input)?, ctx);
    let report = signed(report, build);
    if let Some((path, size)) = outputs.thumb
        && let Some(png) = sealed.thumbnail(size, &ctx.limits)?
    {
        std::fs::write(path, png).map_err(|e| Error::io(path, &e))?;
    }
    if outputs.preview.is_some() {
        return Err(sealed.refusal());
    }
    ctx.report(Stage::Check, 1.0, "完成")?;
    Ok(Done {
        json: to_json(&report)?,
        text: text::report(&report),
    })
}
