//! The subcommand `pack`.

use super::done::{Done, figures, file_size, to_json};
use super::text;
use crate::progress::Ctx;
use crate::{Error, Result, open, pack, write};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub fn run(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    page: Option<pack::Page>,
    options: &write::Options,
    preview: Option<&Path>,
    ctx: &Ctx,
) -> Result<Done> {
    let start = Instant::now();
    let page = page.ok_or_else(|| {
        Error::Internal(
            "本程序构建时没有离线查看器，请先构建前端（npm run build）再构建本程序".into(),
        )
    })?;
    let scene = open::read_path(input, name, &ctx.part(0.0, 0.5))?;
    let packed = pack::pack(&scene, output, page, options, preview, &ctx.part(0.5, 1.0))?;
    let mut problems = scene.problems.clone();
    let error = packed.written.error(&scene);
    problems.extend(packed.written.problems);
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
        "error": error,
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
