//! Tilesets for the browser: 3D Tiles 1.1 from oblique photography, or from one large model.
//!
//! Content is GLB, refinement is REPLACE, bounding boxes enclose all descendants, and every level up to the root has
//! content. Oblique photography is processed file by file: memory does not grow with the size of the delivery.

mod atlas;
mod coarse;
pub(crate) mod geo;
mod mesh;
pub(crate) mod metadata;
pub(crate) mod oblique;
pub(crate) mod ortho;
mod pack;
mod pictures;
mod source;
mod split;
mod tileset;

pub use geo::{Georeference, ecef, geodetic};
pub(crate) use metadata::examine as examine_metadata;

use crate::lighten::TextureFormat;
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Problem, Scene};
use crate::write::{self, Compression, OutFormat};
use crate::{Error, Result, open};
use serde::Serialize;
use std::path::Path;
use std::sync::Mutex;

/// Options of a tileset.
pub struct Options {
    /// Compression of the geometry.
    pub geometry: Compression,
    /// Format of the textures. If it is kept, JPEG files become smaller without changing any pixel that triangles show.
    pub textures: TextureFormat,
    /// Longest side of any texture; smaller images stay unchanged.
    pub texture_max: Option<u32>,
    /// Most triangles per tile of one large model.
    pub tile_triangles: usize,
    /// Place on Earth, instead of the metadata's.
    pub georeference: Option<Georeference>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            geometry: Compression::Meshopt,
            textures: TextureFormat::Keep,
            texture_max: None,
            tile_triangles: 40_000,
            georeference: None,
        }
    }
}

/// Position of a tileset: degrees, and metres above the ellipsoid.
#[derive(Debug, Clone, Serialize)]
pub struct Place {
    pub srs: String,
    pub longitude: f64,
    pub latitude: f64,
    pub height: f64,
}

/// Result of the tiling.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `oblique` or `mesh`.
    pub kind: &'static str,
    pub input_files: usize,
    pub input_bytes: u64,
    /// Tiles with content.
    pub tiles: usize,
    /// Levels from the root to the finest tile.
    pub depth: usize,
    pub output_files: usize,
    pub output_bytes: u64,
    /// Total triangles of the finest tiles.
    pub triangles: u64,
    pub georeference: Option<Place>,
    pub problems: Vec<Problem>,
}

/// Creates a tileset in the folder `out` (created if missing): `tileset.json` and what it refers to; or as one file if
/// `out` ends in `.zip` or `.3tz`. Folders and archives with OSGB files are oblique photography, everything else is one
/// model; `name` is the user's name of the file.
pub fn tile(
    input: &Path,
    name: Option<&str>,
    out: &Path,
    options: &Options,
    ctx: &Ctx,
) -> Result<Report> {
    let new = !out.exists();
    let result = make(input, name, out, options, ctx);
    if result.is_err() && new {
        // Partial output is useless.
        let _ = match out.is_dir() {
            true => std::fs::remove_dir_all(out),
            false => std::fs::remove_file(out),
        };
    }
    result
}

fn make(
    input: &Path,
    name: Option<&str>,
    out: &Path,
    options: &Options,
    ctx: &Ctx,
) -> Result<Report> {
    ctx.report(Stage::Read, 0.0, "正在识别数据")?;
    let packed = out
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("zip") || e.eq_ignore_ascii_case("3tz"));
    if packed {
        let beside = match out.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let folder = tempfile::tempdir_in(beside).map_err(|e| Error::io(out, &e))?;
        let mut report = make(input, name, folder.path(), options, &ctx.part(0.0, 0.97))?;
        report.output_bytes = pack::pack(folder.path(), out, ctx)?;
        ctx.report(Stage::Write, 1.0, "完成")?;
        return Ok(report);
    }
    std::fs::create_dir_all(out).map_err(|e| Error::io(out, &e))?;
    let info = std::fs::metadata(input).map_err(|e| Error::io(input, &e))?;
    if info.is_dir() || is_archive(input)? {
        let source = source::Source::open(input, &delivery_limits(&ctx.limits), ctx)?;
        let roots = oblique::roots(&source);
        if !roots.is_empty() {
            return oblique::build(&source, &roots, out, options, ctx);
        }
        if info.is_dir() {
            return Err(Error::MissingMainFile(
                "文件夹里没有 OSGB 文件，请选择含有 Data 和 metadata.xml 的倾斜摄影成果目录".into(),
            ));
        }
    }
    let scene = open::read_path(input, name, &ctx.part(0.0, 0.3))?;
    let mut report = mesh::build(scene, out, options, &ctx.part(0.3, 1.0))?;
    report.input_files = 1;
    report.input_bytes = info.len();
    Ok(report)
}

/// Oblique photography in an archive as one coarse scene, for check-ups and previews; `None` for archives of anything
/// else. A delivery has metadata or several OSGB files.
pub fn overview(input: &Path, ctx: &Ctx) -> Result<Option<Scene>> {
    let info = std::fs::metadata(input).map_err(|e| Error::io(input, &e))?;
    if !info.is_dir() && !is_archive(input)? {
        return Ok(None);
    }
    let source = source::Source::open(input, &delivery_limits(&ctx.limits), ctx)?;
    let roots = oblique::roots(&source);
    let named = |end: &str| {
        let ends = |f: &&(String, u64)| f.0.to_lowercase().ends_with(end);
        source.files.iter().filter(ends).count()
    };
    if roots.is_empty() || (named("metadata.xml") == 0 && named(".osgb") < 2) {
        return Ok(None);
    }
    ctx.report(Stage::Read, 0.05, "正在读取倾斜摄影成果")?;
    oblique::overview(&source, &roots, ctx).map(Some)
}

/// Creates a tileset of one model. Leaves hold the model's triangles unchanged.
pub fn tile_scene(scene: Scene, out: &Path, options: &Options, ctx: &Ctx) -> Result<Report> {
    std::fs::create_dir_all(out).map_err(|e| Error::io(out, &e))?;
    mesh::build(scene, out, options, ctx)
}

fn is_archive(path: &Path) -> Result<bool> {
    let mut head = [0u8; 8];
    let mut file = std::fs::File::open(path).map_err(|e| Error::io(path, &e))?;
    let length = std::io::Read::read(&mut file, &mut head).map_err(|e| Error::io(path, &e))?;
    let head = &head[..length];
    let zip = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    Ok(zip || crate::archive::is_rar(head))
}

/// Deliveries consist of many files of moderate size, and are never unpacked as a whole.
fn delivery_limits(limits: &Limits) -> Limits {
    Limits {
        archive_entries: 1_000_000,
        archive_bytes: 512 << 30,
        ..limits.clone()
    }
}

/// Counts what is written, across all threads.
#[derive(Default)]
struct Written(Mutex<Counts>);

#[derive(Default, Clone, Copy)]
struct Counts {
    files: usize,
    bytes: u64,
    contents: usize,
}

impl Written {
    fn add(&self, bytes: u64, content: bool) {
        if let Ok(mut counts) = self.0.lock() {
            counts.files += 1;
            counts.bytes += bytes;
            counts.contents += usize::from(content);
        }
    }

    fn counts(&self) -> Counts {
        self.0.lock().map_or(Counts::default(), |c| *c)
    }

    /// Writes a tile's content; positions are rounded to multiples of `step`.
    fn glb(
        &self,
        scene: &mut Scene,
        path: &Path,
        options: &Options,
        step: Option<f32>,
        ctx: &Ctx,
    ) -> Result<()> {
        pictures::pack(scene, options, ctx)?;
        let options = write::Options {
            compression: options.geometry,
            step,
            ..write::Options::default()
        };
        write::write(scene, path, OutFormat::Glb, &options, ctx)?;
        let bytes = std::fs::metadata(path)
            .map_err(|e| Error::io(path, &e))?
            .len();
        self.add(bytes, true);
        Ok(())
    }
}

/// A name safe for a URL path: letters, digits, `-` and `_`; plus and minus become letters.
fn url_name(name: &str) -> String {
    let plain = |c: char| match c {
        '+' => 'p',
        c if c.is_ascii_alphanumeric() || c == '-' || c == '_' => c,
        _ => '_',
    };
    name.chars().map(plain).take(80).collect()
}
