//! The subcommand `tile`.

use super::args::{Command, TextureKind};
use super::done::{Done, to_json};
use super::text;
use crate::check::grouped;
use crate::progress::Ctx;
use crate::tiles::{self, Georeference, Options, Report};
use crate::write::Compression;
use crate::{Error, Result};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

pub fn run(
    command: &Command,
    input: &Path,
    name: Option<&str>,
    output: &Path,
    ctx: &Ctx,
) -> Result<Done> {
    let start = Instant::now();
    let report = tiles::tile(input, name, output, &options(command)?, ctx)?;
    let json = json!({
        "kind": report.kind,
        "tileset": "tileset.json",
        "input": {"files": report.input_files, "bytes": report.input_bytes},
        "output": {
            "tiles": report.tiles,
            "depth": report.depth,
            "files": report.output_files,
            "bytes": report.output_bytes,
            "triangles": report.triangles,
        },
        "georeference": to_json(&report.georeference)?,
        "seconds": (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
        "problems": to_json(&report.problems)?,
    });
    Ok(Done {
        json,
        text: people(&report),
    })
}

fn options(command: &Command) -> Result<Options> {
    let Command::Tile {
        plain,
        meshopt,
        draco,
        textures,
        texture_max,
        tile_triangles,
        srs,
        origin,
        ..
    } = command
    else {
        return Err(Error::Internal("not the tile command".into()));
    };
    let bad = |text: &str| Err(Error::Usage(text.into()));
    if *texture_max == Some(0) || *tile_triangles == 0 {
        return bad("--texture-max 与 --tile-triangles 须大于 0");
    }
    let georeference = match (srs, origin.as_deref()) {
        (None, _) => None,
        (Some(srs), None) => Some(place(srs, [0.0; 3])?),
        (Some(srs), Some(&[x, y])) => Some(place(srs, [x, y, 0.0])?),
        (Some(srs), Some(&[x, y, z])) => Some(place(srs, [x, y, z])?),
        _ => return bad("--origin 须为 x,y 或 x,y,z"),
    };
    // A request to re-encode textures implies small files.
    let small = *draco || (*textures != TextureKind::Keep && !meshopt);
    Ok(Options {
        geometry: match (*plain, small) {
            (true, _) => Compression::None,
            (false, true) => Compression::Draco,
            (false, false) => Compression::Meshopt,
        },
        textures: (*textures).into(),
        texture_max: *texture_max,
        tile_triangles: *tile_triangles,
        georeference,
    })
}

/// An invalid coordinate system on the command line is a usage error, not a broken file.
fn place(srs: &str, origin: [f64; 3]) -> Result<Georeference> {
    Georeference::parse(srs, origin).map_err(|e| Error::Usage(e.to_string()))
}

fn people(r: &Report) -> String {
    let kind = match r.kind {
        "oblique" => "倾斜摄影",
        _ => "单个模型",
    };
    let mut out = format!(
        "{kind}：{} 个文件，{} 字节\n  瓦片 {}  层级 {}  最细层三角形 {}  输出 {} 个文件，{} 字节\n",
        grouped(r.input_files),
        grouped(r.input_bytes as usize),
        grouped(r.tiles),
        r.depth,
        grouped(r.triangles as usize),
        grouped(r.output_files),
        grouped(r.output_bytes as usize),
    );
    out += &match &r.georeference {
        Some(p) => format!(
            "  位置 北纬 {:.6}°  东经 {:.6}°  高 {:.1} 米（{}）\n",
            p.latitude, p.longitude, p.height, p.srs
        ),
        None => "  位置 本地坐标\n".to_owned(),
    };
    out += &text::problems(&r.problems);
    out.trim_end().to_owned()
}
