//! `sample oblique-city`: an oblique photography delivery instead of a single file.

use super::done::Done;
use crate::check::grouped;
use crate::sample::delivery::Delivery;
use crate::{Ctx, Error, Result, Stage};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

pub const KIND: &str = "oblique-city";
/// Name and title in the list.
pub const LISTED: (&str, &str) = (
    KIND,
    "倾斜摄影城市（OSGB 瓦块与 metadata.xml，输出为文件夹或 .zip）",
);

/// Writes a delivery of about `triangles` triangles to a folder, or to a `.zip`.
pub fn run(output: &Path, triangles: Option<usize>, seed: u64, ctx: &Ctx) -> Result<Done> {
    let delivery = Delivery::sized(triangles.unwrap_or(32_768), seed);
    let (mut files, mut bytes) = (0usize, 0u64);
    let all = delivery.files() as f64;
    let mut count = |content: &[u8]| {
        files += 1;
        bytes += content.len() as u64;
        ctx.report(Stage::Write, files as f64 / all, "正在生成瓦块")
    };
    let fail = |e: std::io::Error| Error::io(output, &e);
    if output
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("zip"))
    {
        let mut zip = zip::ZipWriter::new(BufWriter::new(File::create(output).map_err(fail)?));
        delivery.write(&mut |path, content| {
            count(content)?;
            zip.start_file(path, SimpleFileOptions::default())
                .map_err(|e| Error::Internal(format!("zip: {e}")))?;
            zip.write_all(content).map_err(fail)
        })?;
        zip.finish()
            .map_err(|e| Error::Internal(format!("zip: {e}")))?;
    } else {
        delivery.write(&mut |path, content| {
            count(content)?;
            let path = output.join(path);
            let folder = path.parent().unwrap_or(output);
            std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, &e))?;
            std::fs::write(&path, content).map_err(|e| Error::io(&path, &e))
        })?;
    }
    let triangles = delivery.tiles[0] * delivery.tiles[1] * delivery.triangles_of_a_tile();
    Ok(Done {
        json: json!({"output": {"files": files, "bytes": bytes, "triangles": triangles}, "format": "osgb"}),
        text: format!(
            "已生成 {KIND}：{} 个文件，{} 个三角形",
            grouped(files),
            grouped(triangles)
        ),
    })
}
