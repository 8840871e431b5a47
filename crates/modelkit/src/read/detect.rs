//! Format detection: by content first, by extension second.

use super::{cad, encoding, sealed};
use crate::{Error, Result, lfs};
use facts::{Family, Reads, Refused};

pub use facts::Format;

/// Lower-case extension of a name, without the dot.
pub fn extension(name: &str) -> String {
    match name
        .rsplit(['/', '\\'])
        .next()
        .and_then(|n| n.rsplit_once('.'))
    {
        Some((_, ext)) => ext.trim().to_lowercase(),
        None => String::new(),
    }
}

/// Format of an input, or an error that names the format found and what to do.
pub fn detect(bytes: &[u8], name: &str) -> Result<Format> {
    let ext = extension(name);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if lfs::is_pointer(bytes) {
        return Err(lfs::refusal());
    }
    if let Some(found) = by_content(bytes, &ext)? {
        return Ok(found);
    }
    match Format::of_extension(&ext) {
        Some(format) if format.row().known_by_name => Ok(format),
        Some(format) => Err(mismatch(format, &ext)),
        None if ext.is_empty() => Err(unknown("无法识别该文件的格式")),
        None => Err(unsupported(&ext)),
    }
}

/// The content is not what the extension says.
fn mismatch(format: Format, ext: &str) -> Error {
    let title = format.title();
    if format.is_archive() {
        return Error::corrupt(format!("压缩包已损坏或不是 {title} 格式，请重新打包后上传"));
    }
    let remedy = &format.row().remedy;
    Error::corrupt(format!(
        "文件扩展名是 {ext}，但内容不是 {title}，请{remedy}"
    ))
}

fn unknown(what: &str) -> Error {
    let models = facts::titles(|row| row.reads == Reads::Model && row.family != Family::Package);
    let archives = facts::titles(|row| row.reads == Reads::Archive);
    Error::unsupported(format!(
        "{what}，请上传 {models} 或它们的 {archives} 压缩包"
    ))
}

fn unsupported(ext: &str) -> Error {
    match refused(ext) {
        Some(refused) => Error::unsupported(&refused.advice),
        None => unknown(&format!("暂不支持 .{} 格式", shown(ext))),
    }
}

/// The row of an extension that people try and we do not read.
pub(crate) fn refused(ext: &str) -> Option<&'static Refused> {
    let has = |row: &&Refused| row.extensions.iter().any(|known| known == ext);
    facts::refused().iter().find(has)
}

/// An extension sanitised for display: short, no control characters.
fn shown(ext: &str) -> String {
    ext.chars()
        .filter(|c| c.is_alphanumeric())
        .take(12)
        .collect()
}

/// Signatures at a place of what is not read, with the extension whose row says what to do.
const REFUSED: [(usize, &[u8], &str); 7] = [
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"BLENDER", "blend"),
    (0, b"PXR-USDC", "usd"),
    (0, b"#usda ", "usd"),
    (0, b"\xfd7zXZ\0", "xz"),
    (0, b"BZh", "bz2"),
    (257, b"ustar", "tar"),
];

fn by_content(bytes: &[u8], ext: &str) -> Result<Option<Format>> {
    let head = &bytes[..bytes.len().min(4096)];
    if head.starts_with(b"glTF") {
        return Ok(Some(Format::Glb));
    }
    if head.starts_with(crate::amrt::MAGIC) {
        return Ok(Some(Format::Amrt));
    }
    if head.starts_with(b"Kaydara FBX Binary") {
        return Ok(Some(Format::Fbx));
    }
    if [b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"]
        .iter()
        .any(|magic| head.starts_with(*magic))
    {
        // Packages of formats that are not read.
        return match matches!(ext, "3mf" | "usdz") {
            true => Err(unsupported(ext)),
            false => Ok(Some(Format::Zip)),
        };
    }
    if ext == "zip" && ends_like_zip(bytes) {
        return Ok(Some(Format::Zip));
    }
    if head.starts_with(super::osgb::MAGIC) {
        return Ok(Some(Format::Osgb));
    }
    if head.starts_with(b"Rar!\x1a\x07") {
        return Ok(Some(Format::Rar));
    }
    if head.starts_with(b"ply\n") || head.starts_with(b"ply\r") {
        return Ok(Some(Format::Ply));
    }
    for (at, magic, kind) in REFUSED {
        if head.get(at..).is_some_and(|rest| rest.starts_with(magic)) {
            return Err(unsupported(kind));
        }
    }
    if cad::is_step(bytes) {
        return match cad::is_ifc(bytes) {
            true => Err(unsupported("ifc")),
            false => Ok(Some(Format::Step)),
        };
    }
    if cad::is_iges(bytes) {
        return Ok(Some(Format::Iges));
    }
    if sealed::is_jt(bytes) {
        return Ok(Some(Format::Jt));
    }
    if sealed::is_compound(bytes) && matches!(ext, "rvt" | "rfa" | "rte" | "rft") {
        return Ok(Some(Format::Rvt));
    }
    if looks_like_3ds(bytes) {
        return Ok(Some(Format::ThreeDs));
    }
    if looks_like_binary_stl(bytes) {
        return Ok(Some(Format::Stl));
    }
    Ok(by_text(head, ext))
}

/// A ZIP behind a program that unpacks it: the directory is at the end.
fn ends_like_zip(bytes: &[u8]) -> bool {
    let from = bytes.len().saturating_sub(22 + 65_535);
    let tail = bytes.get(from..).unwrap_or_default();
    tail.windows(4).any(|w| w == b"PK\x05\x06")
}

/// The main chunk followed by one of the chunks that may come first in it; a TIFF starts with the same two letters.
fn looks_like_3ds(bytes: &[u8]) -> bool {
    let first = bytes.get(6..8).map(|id| u16::from_le_bytes([id[0], id[1]]));
    bytes.starts_with(b"MM") && matches!(first, Some(0x0002 | 0x3d3d | 0x0100 | 0xb000))
}

/// An 84-byte header whose count matches the file's length exactly (or nearly).
fn looks_like_binary_stl(bytes: &[u8]) -> bool {
    let Some(count) = bytes.get(80..84) else {
        return false;
    };
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    bytes.len() as u64 == 84 + 50 * u64::from(count)
}

fn by_text(head: &[u8], ext: &str) -> Option<Format> {
    let text = match head {
        _ if encoding::is_utf16(head) => encoding::text(head),
        [b'<', 0, ..] | [0, b'<', ..] => encoding::xml(head),
        _ => String::from_utf8_lossy(head),
    };
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') && (ext == "gltf" || text.contains("\"asset\"") || ext.is_empty()) {
        return Some(Format::Gltf);
    }
    if has_collada(text) {
        return Some(Format::Dae);
    }
    if text.starts_with("; FBX") || text.contains("FBXHeaderExtension") {
        return Some(Format::Fbx);
    }
    if text.starts_with("solid") && (text.contains("facet") || ext == "stl") {
        return Some(Format::Stl);
    }
    let vertex_lines = text
        .lines()
        .filter(|l| l.starts_with("v ") || l.starts_with("mtllib "))
        .count();
    if vertex_lines >= 1 && ext != "fbx" && ext != "gltf" && !text.contains('\0') {
        return Some(Format::Obj);
    }
    None
}

/// Whether a text has COLLADA's root element, whose name may have the prefix of a namespace.
fn has_collada(text: &str) -> bool {
    let mut found = text.match_indices("COLLADA");
    found.any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let prefix = before.rsplit('<').next().unwrap_or_default();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let is_prefix = prefix
            .strip_suffix(':')
            .is_some_and(|p| p.chars().all(is_name));
        before.contains('<') && (prefix.is_empty() || is_prefix)
    })
}
