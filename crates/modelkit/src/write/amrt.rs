//! Writer for AMRT (docs/amrt.md): a manifest that can be read separately, a coarse copy that is drawn first, and the
//! model in meshopt streams with textures in WebP or KTX2.

mod level;

use super::{Options, Written};
use crate::amrt::{
    self, ALIGNMENT, Box3, Clip, HEADER, Level, MAGIC, MAJOR, MINOR, Manifest, Section, Source,
};
use crate::lighten::{self, TextureFormat};
use crate::progress::Ctx;
use crate::scene::{self, Problem, Severity, Statistics};
use crate::{Error, Result, Scene, render};
use codecs::Quality;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use level::Part;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Side of the thumbnail in pixels.
const THUMBNAIL: u32 = 320;
/// Quality of the thumbnail, 0…100.
const THUMBNAIL_QUALITY: f32 = 80.0;
/// Below this many bytes a coarse copy would hardly arrive earlier than the model.
const WORTH_BYTES: usize = 256 << 10;
/// A coarse copy is at most one in this many of the model's bytes.
const COARSE_SHARE: usize = 6;

pub fn write(scene: &Scene, path: &Path, options: &Options, ctx: &Ctx) -> Result<Written> {
    let mut file = Sections::default();
    let thumbnail = thumbnail(scene, &ctx.part(0.0, 0.1))?;
    let thumbnail = thumbnail.map(|bytes| file.add("thumbnail", "image/webp", bytes));
    let (mut full, problems) = full(scene, options, &ctx.part(0.1, 0.4))?;
    let mut levels = Vec::new();
    let coarse = level::coarse(&full, &ctx.part(0.4, 0.6))?;
    lighten::order(&mut full);
    // The coarse copy comes first in the file; whether it is worth its bytes is known once the model is encoded.
    let part = level::pack(&full, &ctx.part(0.6, 0.9))?;
    if let Some((copy, error)) = coarse.filter(|_| part.bytes() > WORTH_BYTES) {
        let coarse = level::pack(&copy, &ctx.part(0.9, 0.95))?;
        if coarse.bytes() * COARSE_SHARE <= part.bytes() {
            levels.push(file.level(coarse, copy.triangle_count(), error)?);
        }
    }
    let rounding = part.rounding;
    levels.push(file.level(part, full.triangle_count(), 0.0)?);
    let manifest = manifest(&full, options, thumbnail, levels, file.table);
    let io = |e: std::io::Error| Error::io(path, &e);
    let mut out = BufWriter::new(File::create(path).map_err(io)?);
    put(&mut out, &manifest, &file.data).map_err(io)?;
    Ok(Written { problems, rounding })
}

/// The scene as encoded: every texture in WebP or KTX2.
fn full(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<(Scene, Vec<Problem>)> {
    let mut full = scene.clone();
    let format = match options.textures {
        TextureFormat::Keep => TextureFormat::Webp,
        chosen => chosen,
    };
    lighten::packed_textures(&mut full, format, options.texture_max, ctx)?;
    let mut problems = Vec::new();
    for image in &full.images {
        if !matches!(image.mime, "image/webp" | "image/ktx2") {
            let name: String = image.name.chars().take(60).collect();
            problems.push(Problem::new(
                "texture-kept",
                Severity::Warning,
                format!("贴图 {name}"),
                "贴图无法转为 WebP，已保持原格式",
                "请把该贴图另存为不超过 16383 像素的 PNG 或 JPEG 后重试",
            ));
        }
    }
    Ok((full, problems))
}

/// A small picture; `None` if there is nothing to show or too much to draw.
fn thumbnail(scene: &Scene, ctx: &Ctx) -> Result<Option<Vec<u8>>> {
    if scene.bounds().is_empty() {
        return Ok(None);
    }
    let picture = match render::picture(scene, &render::Options::square(THUMBNAIL), ctx) {
        Ok(picture) => picture,
        Err(Error::TooLarge(_)) => return Ok(None),
        Err(other) => return Err(other),
    };
    let quality = Quality::Lossy(THUMBNAIL_QUALITY);
    let bytes = codecs::encode_webp(picture.as_raw(), THUMBNAIL, THUMBNAIL, quality, 4);
    Ok(bytes.ok())
}

fn manifest(
    scene: &Scene,
    options: &Options,
    thumbnail: Option<usize>,
    levels: Vec<Level>,
    sections: Vec<Section>,
) -> Manifest {
    let bounds = scene.bounds();
    let clips = scene.animations.iter().map(|clip| Clip {
        name: clip.name.clone(),
        seconds: f64::from(clip.seconds()),
    });
    let statistics: Statistics = scene::statistics(scene);
    Manifest {
        generator: concat!("modelkit ", env!("CARGO_PKG_VERSION")).into(),
        title: options.title.clone().unwrap_or_else(|| title(scene)),
        author: options.author.clone().unwrap_or_default(),
        license: options.license.clone().unwrap_or_default(),
        source: Source {
            format: scene.format.clone(),
            file: file_name(&scene.main_file).to_owned(),
            unit: scene.units.source.clone(),
            up_axis: scene.units.up_axis.clone(),
        },
        bounds: (!bounds.is_empty()).then_some(Box3 {
            min: bounds.min,
            max: bounds.max,
        }),
        statistics: serde_json::to_value(statistics).unwrap_or_default(),
        animations: clips.collect(),
        thumbnail,
        levels,
        sections,
    }
}

/// The model's title: its file's name, else the scene's.
pub(crate) fn title(scene: &Scene) -> String {
    let file = file_name(&scene.main_file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    match stem.is_empty() {
        true => scene.name.clone(),
        false => stem.to_owned(),
    }
}

/// The last part of a path; the user's folders must not get into the file.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Sections in the order of the file.
#[derive(Default)]
struct Sections {
    table: Vec<Section>,
    data: Vec<Vec<u8>>,
    end: u64,
}

impl Sections {
    fn add(&mut self, kind: &str, mime: &str, bytes: Vec<u8>) -> usize {
        let offset = self.end.next_multiple_of(ALIGNMENT as u64);
        self.table.push(Section {
            kind: kind.into(),
            offset,
            length: bytes.len() as u64,
            crc32: format!("{:08x}", amrt::crc32(&bytes)),
            mime: mime.into(),
            ..Section::default()
        });
        self.end = offset + bytes.len() as u64;
        self.data.push(bytes);
        self.table.len() - 1
    }

    /// Adds the document, the geometry and the images of a level.
    fn level(&mut self, part: Part, triangles: usize, error: f64) -> Result<Level> {
        let document = self.table.len();
        let json = part.document(document + 1)?;
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(9));
        let packed = encoder.write_all(&json).and_then(|()| encoder.finish());
        let packed = packed.map_err(|e| Error::Internal(format!("deflate: {e}")))?;
        self.add("document", "model/gltf+json", packed);
        let section = &mut self.table[document];
        section.encoding = "deflate".into();
        section.size = Some(json.len() as u64);
        let requires = part.requires;
        self.add("geometry", "", part.geometry);
        for image in part.images {
            self.add("image", image.mime, image.bytes.to_vec());
        }
        Ok(Level {
            document,
            sections: (document..self.table.len()).collect(),
            triangles,
            error,
            requires,
        })
    }
}

fn put(out: &mut impl Write, manifest: &Manifest, data: &[Vec<u8>]) -> std::io::Result<()> {
    let text = serde_json::to_vec(manifest)?;
    let start = amrt::first_section(text.len());
    let last = manifest.sections.last();
    let total = start as u64 + last.map_or(0, |s| s.offset + s.length);
    let length =
        u32::try_from(text.len()).map_err(|_| std::io::Error::other("manifest is too long"))?;
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(MAJOR.to_le_bytes());
    header.extend(MINOR.to_le_bytes());
    header.extend(length.to_le_bytes());
    header.extend(total.to_le_bytes());
    header.extend(amrt::crc32(&text).to_le_bytes());
    header.extend(amrt::crc32(&header).to_le_bytes());
    out.write_all(&header)?;
    out.write_all(&text)?;
    let mut at = HEADER + text.len();
    for (section, bytes) in manifest.sections.iter().zip(data) {
        let begin = start + section.offset as usize;
        out.write_all(&[0; ALIGNMENT][..begin - at])?;
        out.write_all(bytes)?;
        at = begin + bytes.len();
    }
    out.flush()
}
