//! Opens files: finds the format, unpacks archives, and calls the reader.

use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::read::encoding;
use crate::read::{Folder, Input, Mapped, detect, read_mapped_as, sealed};
use crate::{Error, Result, Scene, archive};
use std::fs::File;
use std::path::Path;

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
    Ok(look(&map, &name_of(path, name), &ctx.limits))
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
    // SAFETY: the file is the job's private copy; it is not truncated meanwhile.
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

/// Shows `look` the main file of `path`, which is that of its archive if it is one.
pub(crate) fn visit<T>(path: &Path, ctx: &Ctx, look: impl FnOnce(&Input) -> T) -> Result<T> {
    let map = map(path, ctx)?;
    if archive::is_archive(&map) {
        let unpacked = archive::unpack(&map, Mapped::file(&map), ctx)?;
        return Ok(look(&Input {
            bytes: &unpacked.main,
            name: &unpacked.main_name,
            side: &*unpacked.side,
        }));
    }
    Ok(look(&Input {
        bytes: &map,
        name: &name_of(path, None),
        side: &Folder::beside(path),
    }))
}

/// Reads an input of any supported format; archives are unpacked first.
pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    read_mapped(input, Mapped::none(), ctx)
}

fn read_mapped(input: &Input, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
    ctx.report(Stage::Read, 0.0, "正在识别文件格式")?;
    let is_text = encoding::is_utf16(input.bytes);
    if is_text || archive::is_gzip(input.bytes) || !detect(input.bytes, input.name)?.is_archive() {
        return read_file(input, mapped, ctx);
    }
    let unpacked = archive::unpack(input.bytes, mapped, ctx)?;
    let inner = Input {
        bytes: &unpacked.main,
        name: &unpacked.main_name,
        side: &*unpacked.side,
    };
    let mut scene = read_file(&inner, unpacked.main.mapped(), ctx)?;
    scene.problems.extend(unpacked.problems);
    scene.model_num = unpacked.model_num as u32;
    Ok(scene)
}

/// Reads what is no archive; one layer of gzip is unpacked.
fn read_file(input: &Input, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
    if !archive::is_gzip(input.bytes) {
        return read_plain(input, mapped, ctx);
    }
    let content = archive::unpack_gzip(input.bytes, input.name, &ctx.limits)?;
    let inner = Input {
        bytes: &content,
        name: &archive::name_inside(input.name),
        side: input.side,
    };
    if archive::is_gzip(&content) || archive::is_archive(&content) {
        return Err(Error::unsupported(
            "这个 GZ 文件里还有一层压缩，请解开后直接上传里面的文件",
        ));
    }
    let mut scene = read_plain(&inner, content.mapped(), ctx)?;
    input.name.clone_into(&mut scene.main_file);
    Ok(scene)
}

/// Reads what is not packed. Readers of text take bytes in UTF-8 without a mark; they get that for UTF-16, which no
/// binary format looks like.
fn read_plain(input: &Input, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
    let read = |bytes: &[u8], mapped: Mapped| {
        let input = Input { bytes, ..*input };
        read_mapped_as(&input, detect(bytes, input.name)?, mapped, ctx)
    };
    if encoding::is_utf16(input.bytes) {
        let text = encoding::text(input.bytes);
        return read(text.as_bytes(), Mapped::none());
    }
    let marked = input.bytes.strip_prefix(b"\xef\xbb\xbf");
    read(marked.unwrap_or(input.bytes), mapped)
}

/// The metadata of a file; `None` if its geometry can be read, or for unknown formats.
pub fn look(bytes: &[u8], name: &str, limits: &Limits) -> Option<sealed::Sealed> {
    sealed::of_format(detect(bytes, name).ok()?, bytes, limits)
}
