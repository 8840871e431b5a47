//! Writers: one file per format, all from a [`Scene`].

pub mod amrt;
pub mod glb;
pub mod obj;
pub mod ply;
pub mod stl;

mod lost;
mod shape;

use crate::lighten::TextureFormat;
use crate::progress::{Ctx, Stage};
use crate::read::clean_parts;
use crate::scene::Problem;
use crate::{Error, Result, Scene};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutFormat {
    Glb,
    /// JSON with everything embedded as data URIs.
    Gltf,
    /// `.obj` with `.mtl` and textures beside it.
    Obj,
    /// A ZIP of the same files.
    ObjZip,
    Stl,
    Ply,
    /// Our own package, see docs/amrt.md.
    Amrt,
}

impl OutFormat {
    /// Format by the extension of `path`.
    pub fn of(path: &Path) -> Result<OutFormat> {
        let name = path.to_string_lossy();
        let ext = clean_parts(&name)
            .last()
            .and_then(|n| n.rsplit_once('.'))
            .map(|(_, e)| e.to_lowercase());
        match ext.as_deref() {
            Some("glb") => Ok(OutFormat::Glb),
            Some("gltf") => Ok(OutFormat::Gltf),
            Some("obj") => Ok(OutFormat::Obj),
            Some("zip") => Ok(OutFormat::ObjZip),
            Some("stl") => Ok(OutFormat::Stl),
            Some("ply") => Ok(OutFormat::Ply),
            Some("amrt") => Ok(OutFormat::Amrt),
            _ => Err(Error::Usage(
                "输出文件的扩展名须是 .glb、.gltf、.obj、.zip、.stl、.ply 或 .amrt".into(),
            )),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            OutFormat::Glb => "glb",
            OutFormat::Gltf => "gltf",
            OutFormat::Obj => "obj",
            OutFormat::ObjZip => "zip",
            OutFormat::Stl => "stl",
            OutFormat::Ply => "ply",
            OutFormat::Amrt => "amrt",
        }
    }

    /// Whether the format keeps the node tree, and textures in WebP and KTX2.
    pub fn is_scene(self) -> bool {
        matches!(self, OutFormat::Glb | OutFormat::Gltf | OutFormat::Amrt)
    }
}

/// Compression of a GLB's geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compression {
    #[default]
    None,
    /// Quantised, EXT_meshopt_compression; clips and morph targets too. Fastest to decode.
    Meshopt,
    /// KHR_draco_mesh_compression; smallest triangles, but clips and morph targets stay uncompressed.
    Draco,
}

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// GLB only.
    pub compression: Compression,
    /// GLB only, compressed: positions become whole multiples of this many metres, in the mesh's own space. Neighbours
    /// in other files then stay bit-identical, which a grid fitted to each mesh would not guarantee. A power of two.
    pub step: Option<f32>,
    /// GLB only, meshopt: positions and texture coordinates as exact as a screen shows them (14 and 12 bits where the
    /// detail of the mesh and its textures allow), not as exact as 16 bits are.
    pub for_screens: bool,
    /// AMRT only: format of the textures; it holds only WebP and KTX2, so `Keep` means WebP.
    pub textures: TextureFormat,
    /// AMRT only: longest side of any texture in pixels.
    pub texture_max: Option<u32>,
    /// AMRT only: title in the manifest; else the file's name.
    pub title: Option<String>,
    /// AMRT only: author in the manifest.
    pub author: Option<String>,
    /// AMRT only: licence in the manifest.
    pub license: Option<String>,
}

/// What a written file does not have as the scene has it.
#[derive(Debug, Default)]
pub struct Written {
    /// What the format could not keep.
    pub problems: Vec<Problem>,
    /// Largest distance in metres by which rounding moved a position in the rest pose.
    pub rounding: f64,
}

impl Written {
    fn exact(problems: Vec<Problem>) -> Written {
        Written {
            problems,
            rounding: 0.0,
        }
    }

    /// The rounding as a share of the scene's diagonal.
    pub fn error(&self, scene: &Scene) -> f64 {
        share(self.rounding, scene)
    }
}

/// A length in metres as a share of the scene's diagonal.
fn share(length: f64, scene: &Scene) -> f64 {
    if length == 0.0 {
        return 0.0;
    }
    let diagonal = scene.bounds().diagonal();
    match diagonal > 0.0 {
        true => length / diagonal,
        false => 0.0,
    }
}

/// Largest distance by which writing will move a position in the rest pose, as a share of the scene's diagonal: compressed
/// positions are rounded.
pub fn rounding(scene: &Scene, format: OutFormat, options: &Options) -> f64 {
    let compression = match format {
        OutFormat::Glb => options.compression,
        OutFormat::Amrt => Compression::Meshopt,
        _ => Compression::None,
    };
    let options = Options {
        compression,
        ..options.clone()
    };
    share(glb::rounding(scene, &options), scene)
}

/// Writes `scene` to `path`.
pub fn write(
    scene: &Scene,
    path: &Path,
    format: OutFormat,
    options: &Options,
    ctx: &Ctx,
) -> Result<Written> {
    ctx.report(Stage::Write, 0.0, "正在写出文件")?;
    let written = match format {
        OutFormat::Glb => glb::write(scene, path, options, ctx)?,
        OutFormat::Gltf => {
            glb::write_gltf(scene, path, ctx)?;
            Written::default()
        }
        OutFormat::Obj => Written::exact(obj::write(scene, path, ctx)?),
        OutFormat::ObjZip => Written::exact(obj::write_zip(scene, path, ctx)?),
        OutFormat::Stl => Written::exact(stl::write(scene, path, ctx)?),
        OutFormat::Ply => Written::exact(ply::write(scene, path, ctx)?),
        OutFormat::Amrt => amrt::write(scene, path, options, ctx)?,
    };
    ctx.report(Stage::Write, 1.0, "写出完成")?;
    Ok(written)
}
