//! Reader for AMRT (docs/amrt.md): the container with its checks, and the conversion of its glTF document to a scene.

mod grids;

use super::{Input, SideFiles, gltf};
use crate::amrt::{
    HEADER, Level, MAGIC, MAJOR, MOST_MANIFEST, MOST_SECTIONS, Manifest, SCHEME, Section, crc32,
    first_section,
};
use crate::progress::{Ctx, Stage};
use crate::{Error, Result, Scene};
use flate2::read::ZlibDecoder;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Deflate's highest compression ratio.
const MOST_DEFLATE: u64 = 1032;

/// A file whose table and sections have been verified.
pub struct Package<'a> {
    pub manifest: Manifest,
    sections: Vec<&'a [u8]>,
}

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let package = Package::open(input.bytes)?;
    let level = package.full()?;
    ctx.report(Stage::Read, 0.05, "正在读取 AMRT 文件")?;
    let document = package.unpacked(level.document, ctx.limits.archive_bytes)?;
    let inner = Input {
        bytes: &document,
        name: input.name,
        side: &package,
    };
    let mut scene = gltf::read(&inner, ctx)?;
    grids::undo(&mut scene, &document);
    let source = &package.manifest.source;
    if !source.unit.is_empty() && !source.up_axis.is_empty() {
        // Informational only: the geometry is already in metres, Y up.
        scene.units.source = shown(&source.unit);
        scene.units.up_axis = shown(&source.up_axis);
    }
    Ok(scene)
}

/// The manifest of a file, without reading the rest.
pub fn look(path: &Path) -> Result<Manifest> {
    let fail = |e: std::io::Error| Error::io(path, &e);
    let file = File::open(path).map_err(fail)?;
    let most = (HEADER + MOST_MANIFEST) as u64;
    let length = file.metadata().map_err(fail)?.len();
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes).map_err(fail)?;
    Ok(manifest(&bytes, length)?.0)
}

/// A string from the file, sanitised for display.
fn shown(text: &str) -> String {
    let fit = text.chars().filter(|c| !c.is_control());
    fit.take(40).collect()
}

fn truncated() -> Error {
    Error::corrupt("AMRT 文件不完整（可能下载或上传中断），请重新下载或重新生成")
}

fn damaged(what: &str) -> Error {
    Error::corrupt(format!("AMRT 文件的{what}已损坏，请重新下载或重新生成"))
}

impl<'a> Package<'a> {
    /// Reads header and manifest, and verifies every section's length and checksum.
    pub fn open(bytes: &'a [u8]) -> Result<Package<'a>> {
        let (manifest, length) = manifest(bytes, bytes.len() as u64)?;
        let start = first_section(length);
        if manifest.sections.len() > MOST_SECTIONS {
            let text = format!("AMRT 文件的数据段超过 {MOST_SECTIONS} 个，请拆分模型后重新生成");
            return Err(Error::TooLarge(text));
        }
        let data = bytes.get(start..).unwrap_or_default();
        let mut sections = Vec::with_capacity(manifest.sections.len());
        for section in &manifest.sections {
            let bytes = slice(data, section.offset, section.length).ok_or_else(truncated)?;
            let declared = u32::from_str_radix(&section.crc32, 16);
            if declared != Ok(crc32(bytes)) {
                return Err(damaged(title(section)));
            }
            sections.push(bytes);
        }
        Ok(Package { manifest, sections })
    }

    /// The full model: the last level.
    pub fn full(&self) -> Result<&Level> {
        let level = self.manifest.levels.last();
        let level = level.ok_or_else(|| damaged("模型目录"))?;
        let known = |name: &String| gltf::Extension::named(name).is_some();
        match level.requires.iter().find(|name| !known(name)) {
            None => Ok(level),
            Some(name) => Err(Error::unsupported(format!(
                "这个 AMRT 文件需要暂不支持的扩展 {}，请用新版本打开",
                shown(name)
            ))),
        }
    }

    /// A section's decoded content, limited to `most` bytes and to what deflate can produce from its length.
    fn unpacked(&self, index: usize, most: u64) -> Result<Cow<'a, [u8]>> {
        let missing = || damaged("模型目录");
        let section = self.manifest.sections.get(index).ok_or_else(missing)?;
        let &bytes = self.sections.get(index).ok_or_else(missing)?;
        match section.encoding.as_str() {
            "" => Ok(Cow::Borrowed(bytes)),
            "deflate" => inflate(bytes, section.size.ok_or_else(missing)?, most).map(Cow::Owned),
            other => Err(Error::unsupported(format!(
                "暂不支持编码为 {} 的 AMRT 数据段，请用新版本打开",
                shown(other)
            ))),
        }
    }
}

fn inflate(bytes: &[u8], size: u64, most: u64) -> Result<Vec<u8>> {
    if size > most || size > (bytes.len() as u64).saturating_mul(MOST_DEFLATE) {
        return Err(damaged("模型结构"));
    }
    let mut out = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes).take(size + 1);
    let read = decoder.read_to_end(&mut out);
    match read {
        Ok(read) if read as u64 == size => Ok(out),
        _ => Err(damaged("模型结构")),
    }
}

/// The manifest and its length in bytes; `bytes` are the first of a file of `file` bytes.
fn manifest(bytes: &[u8], file: u64) -> Result<(Manifest, usize)> {
    if !bytes.starts_with(MAGIC) {
        return Err(Error::corrupt(
            "缺少 AMRT 文件头，文件可能不是 AMRT 或已损坏",
        ));
    }
    let header = bytes.get(..HEADER).ok_or_else(truncated)?;
    let word = |at: usize| {
        let mut four = [0; 4];
        four.copy_from_slice(&header[at..at + 4]);
        u32::from_le_bytes(four)
    };
    // The version first: a later one may compute the header's checksum differently.
    let major = u16::from_le_bytes([header[8], header[9]]);
    if major != MAJOR {
        return Err(Error::unsupported(format!(
            "这是 AMRT {major}.x 版本的文件，目前能打开 {MAJOR}.x 版本，请用相应的新版本打开"
        )));
    }
    if word(28) != crc32(&header[..28]) {
        return Err(damaged("文件头"));
    }
    let length = word(12) as usize;
    let total = u64::from(word(16)) | u64::from(word(20)) << 32;
    if total > file {
        return Err(truncated());
    }
    if length > MOST_MANIFEST {
        return Err(damaged("文件头"));
    }
    let text = bytes.get(HEADER..HEADER + length).ok_or_else(truncated)?;
    if word(24) != crc32(text) {
        return Err(damaged("模型目录"));
    }
    let manifest = serde_json::from_slice(text).map_err(|_| damaged("模型目录"))?;
    Ok((manifest, length))
}

fn slice(data: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    data.get(start..end)
}

fn title(section: &Section) -> &'static str {
    match section.kind.as_str() {
        "thumbnail" => "缩略图",
        "document" => "模型结构",
        "geometry" => "几何数据",
        "image" => "贴图",
        _ => "数据",
    }
}

impl SideFiles for Package<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let index: usize = name.strip_prefix(SCHEME)?.parse().ok()?;
        let section = self.manifest.sections.get(index)?;
        // Only unencoded sections can be referenced: a document cannot reference a document.
        let bytes = self.sections.get(index).copied()?;
        section.encoding.is_empty().then_some(Cow::Borrowed(bytes))
    }
}
