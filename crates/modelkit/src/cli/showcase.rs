//! `modelkit showcase`.

use super::done::Done;
use crate::progress::Ctx;
use crate::showcase::{self, Options};
use crate::{Result, open, tiles};
use std::path::Path;

/// Reads a model, or the overview of an oblique delivery, and writes its showcase.
pub fn run(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    options: &Options,
    ctx: &Ctx,
) -> Result<Done> {
    let reading = ctx.part(0.0, 0.1);
    let scene = match tiles::overview(input, &reading)? {
        Some(scene) => scene,
        None => open::read_path(input, name, &reading)?,
    };
    let json = showcase::make(&scene, output, options, &ctx.part(0.1, 1.0))?;
    let count = json["files"].as_array().map_or(0, Vec::len);
    let text = match json["facts"]["proxy"]["triangles"].as_u64() {
        Some(triangles) => format!("已生成展示资料：{count} 个文件，替身 {triangles} 个三角形"),
        None => format!("已生成展示资料：{count} 个文件，只有图片，没有替身"),
    };
    Ok(Done { json, text })
}
