//! Readers: one file per format, all producing a [`Scene`]. Files of any format are opened by [`crate::open`].

pub mod amrt;
pub mod cad;
pub mod dae;
pub mod fbx;
pub mod gltf;
pub mod obj;
pub mod osgb;
pub mod ply;
pub mod sealed;
pub mod side;
pub mod stl;
pub mod three_ds;

mod clean;
pub(crate) mod colour;
pub(crate) mod detect;
pub(crate) mod encoding;
mod influences;
mod layers;
mod lost;
mod map;
pub(crate) mod mapped;
mod maps;
pub(crate) mod names;
pub(crate) mod normals;
mod origin;
mod painted;
pub(crate) mod picture;
pub(crate) mod polygon;
mod seen;
pub(crate) mod served;
pub(crate) mod text;
pub(crate) mod units;
mod uv_binding;
pub(crate) mod weld;

pub(crate) use clean::clean;
pub use detect::{Format, detect};
pub(crate) use detect::{extension, refused};
pub(crate) use mapped::Mapped;
pub(crate) use names::clean_parts;
pub use side::{Folder, NoSideFiles, SideFiles};

use crate::progress::{Ctx, Stage};
use crate::{Error, Result, Scene};

/// A reader's input: the main file's bytes, the name the user knows it by (a path inside an archive keeps its folders)
/// and the side files.
pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub name: &'a str,
    pub side: &'a dyn SideFiles,
}

/// Reads a file of a known format.
pub(crate) fn read_as(input: &Input, format: Format, ctx: &Ctx) -> Result<Scene> {
    read_mapped_as(input, format, Mapped::none(), ctx)
}

/// As [`read_as`], of a file that is mapped.
pub(crate) fn read_mapped_as(
    input: &Input,
    format: Format,
    mapped: Mapped,
    ctx: &Ctx,
) -> Result<Scene> {
    ctx.report(
        Stage::Read,
        0.02,
        &format!("正在读取 {} 文件", format.title()),
    )?;
    if let Some(sealed) = sealed::of_format(format, input.bytes, &ctx.limits) {
        return Err(sealed.refusal());
    }
    let mut scene = match format {
        Format::Glb | Format::Gltf => gltf::read(input, ctx)?,
        Format::Amrt => amrt::read(input, ctx)?,
        Format::Fbx => fbx::read(input, ctx)?,
        Format::Obj => obj::read(input, mapped, ctx)?,
        Format::Stl => stl::read(input, ctx)?,
        Format::Ply => ply::read(input, ctx)?,
        Format::Osgb => osgb::read(input, ctx)?,
        Format::ThreeDs => three_ds::read(input, ctx)?,
        Format::Dae => dae::read(input, ctx)?,
        Format::Step => cad::read(input, cad::Kind::Step, ctx)?,
        Format::Iges => cad::read(input, cad::Kind::Iges, ctx)?,
        Format::Rvt | Format::Jt | Format::Zip | Format::Rar => {
            return Err(Error::unsupported(
                "压缩包里没有可读取的模型文件，请解开一层后重新打包",
            ));
        }
    };
    scene.format = format.name().to_owned();
    scene.main_file = input.name.to_owned();
    clean::clean(&mut scene, ctx)?;
    ctx.report(Stage::Read, 1.0, "读取完成")?;
    Ok(scene)
}
