//! Readers: one file per format, all producing a [`Scene`].

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
pub(crate) mod detect;
pub(crate) mod mapped;
mod maps;
pub(crate) mod normals;
pub(crate) mod picture;
pub(crate) mod polygon;
pub(crate) mod served;
pub(crate) mod text;
pub(crate) mod units;
pub(crate) mod weld;

pub(crate) use clean::clean;
pub use detect::{Format, detect};
pub(crate) use detect::{extension, refused};
pub(crate) use mapped::Mapped;
pub(crate) use side::clean_parts;
pub use side::{Folder, NoSideFiles, SideFiles};

use crate::progress::{Ctx, Stage};
use crate::{Error, Result, Scene, archive};
use std::fs::File;
use std::path::Path;

/// A reader's input: the main file's bytes, the name the user knows it by (a path inside an archive keeps its folders)
/// and the side files.
pub struct Input<'a> {
    pub bytes: &'a [u8],
    pub name: &'a str,
    pub side: &'a dyn SideFiles,
}

/// Reads a file from disk; `name` is the user's file name if the path is anonymous. Side files are searched only in the
/// file's own folder.
pub fn read_path(path: &Path, name: Option<&str>, ctx: &Ctx) -> Result<Scene> {
    let map = map(path, ctx)?;
    let folder = Folder::beside(path);
    let input = Input {
        bytes: &map,
        name: &name_of(path, name),
        side: &folder,
    };
    read_mapped(&input, Mapped::file(&map), ctx)
}

/// The metadata of a file whose geometry is proprietary; see [`sealed`].
pub fn look_path(path: &Path, name: Option<&str>, ctx: &Ctx) -> Result<Option<sealed::Sealed>> {
    let map = map(path, ctx)?;
    Ok(sealed::look(&map, &name_of(path, name), &ctx.limits))
}

/// The name the user knows a file by.
pub fn name_of(path: &Path, name: Option<&str>) -> String {
    let own = || path.file_name().map(|n| n.to_string_lossy().into_owned());
    name.map(str::to_owned).or_else(own).unwrap_or_default()
}

fn map(path: &Path, ctx: &Ctx) -> Result<memmap2::Mmap> {
    let file = File::open(path).map_err(|e| Error::io(path, &e))?;
    let length = file.metadata().map_err(|e| Error::io(path, &e))?.len();
    if length == 0 {
        return Err(Error::corrupt("文件是空的（0 字节），请重新导出后上传"));
    }
    // SAFETY: the file is the job's private copy; nobody truncates it meanwhile.
    let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|e| Error::io(path, &e))?;
    let most = match archive::is_archive(&map) {
        true => ctx.limits.archive_bytes,
        false => ctx.limits.file_bytes,
    };
    if length > most {
        return Err(Error::TooLarge(format!(
            "文件大小超出上限 {} MB，请拆分后上传",
            most >> 20
        )));
    }
    Ok(map)
}

/// Reads an input of any supported format; archives are unpacked first.
pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    read_mapped(input, Mapped::none(), ctx)
}

fn read_mapped(input: &Input, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
    ctx.report(Stage::Read, 0.0, "正在识别文件格式")?;
    let format = detect(input.bytes, input.name)?;
    if matches!(format, Format::Zip | Format::Rar) {
        let unpacked = archive::unpack(input.bytes, mapped, ctx)?;
        let inner = Input {
            bytes: &unpacked.main,
            name: &unpacked.main_name,
            side: &*unpacked.side,
        };
        let mut scene = read_single(
            &inner,
            detect(inner.bytes, inner.name)?,
            unpacked.main.mapped(),
            ctx,
        )?;
        scene.problems.extend(unpacked.problems);
        scene.model_num = unpacked.model_num as u32;
        return Ok(scene);
    }
    read_single(input, format, mapped, ctx)
}

/// Reads a file of a known format.
pub(crate) fn read_as(input: &Input, format: Format, ctx: &Ctx) -> Result<Scene> {
    read_single(input, format, Mapped::none(), ctx)
}

fn read_single(input: &Input, format: Format, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
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
