//! The subcommand `pack`.

use super::commands::{Done, figures, file_size, to_json};
use super::text;
use crate::progress::Ctx;
use crate::{Result, pack, read, write};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub fn run(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    options: &write::Options,
    preview: Option<&Path>,
    ctx: &Ctx,
) -> Result<Done> {
    let start = Instant::now();
    let page = pack::page()?;
    let scene = read::read_path(input, name, &ctx.part(0.0, 0.5))?;
    let packed = pack::pack(&scene, output, page, options, preview, &ctx.part(0.5, 1.0))?;
    let mut problems = scene.problems.clone();
    problems.extend(packed.problems);
    let statistics = &packed.manifest.statistics;
    let json = json!({
        "input": figures(&scene, file_size(input)?),
        "output": {
            "bytes": file_size(output)?,
            "triangles": statistics["triangles"],
            "vertices": statistics["vertices"],
            "textures": statistics["textures"],
            "textureBytes": statistics["textureBytes"],
        },
        "format": "offline",
        "entry": pack::ENTRY,
        "modelBytes": packed.model_bytes,
        "seconds": (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
        "problems": to_json(&problems)?,
    });
    let text = format!(
        "{}\n  解开后双击 {} 即可查看",
        text::change(&json, &problems),
        pack::ENTRY
    );
    Ok(Done { json, text })
}
