//! What encoded pictures are, by their first bytes: for those that cannot be decoded, whose owners need to know which
//! format to leave.

use crate::lfs;
use image::ImageFormat;

/// Signatures at a place, with the name users know.
const KINDS: [(usize, &[u8], &str); 35] = [
    (0, b"\x89PNG", "PNG"),
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"GIF8", "GIF"),
    (8, b"WEBP", "WebP"),
    (0, b"BM", "BMP"),
    (0, b"\xabKTX 20\xbb", "KTX2"),
    (0, b"\xabKTX 11\xbb", "KTX"),
    (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"),
    (0, b"II+\0", "BigTIFF"),
    (0, b"MM\0+", "BigTIFF"),
    (0, b"DDS ", "DDS"),
    (0, b"#?RADIANCE", "Radiance HDR"),
    (0, b"#?RGBE", "Radiance HDR"),
    (0, b"\x76\x2f\x31\x01", "OpenEXR"),
    (0, b"8BPS", "Photoshop PSD"),
    (4, b"ftypavif", "AVIF"),
    (4, b"ftypavis", "AVIF"),
    (4, b"ftyphei", "HEIC"),
    (4, b"ftyphev", "HEIC"),
    (4, b"ftypmif1", "HEIC"),
    (0, b"\xff\x0a", "JPEG XL"),
    (4, b"JXL ", "JPEG XL"),
    (4, b"jP  ", "JPEG 2000"),
    (0, b"\xff\x4f\xff\x51", "JPEG 2000"),
    (0, b"qoif", "QOI"),
    (0, b"gimp xcf", "GIMP XCF"),
    (0, b"PVR\x03", "PVR"),
    (0, b"\x13\xab\xa1\x5c", "ASTC"),
    (0, b"sB", "Basis"),
    (0, b"\0\0\x01\0", "ICO"),
    (0, b"\x01\xda", "SGI"),
    (0, b"%PDF", "PDF"),
    (0, b"PK\x03\x04", "ZIP（如 Krita、Procreate 的工程文件）"),
    (0, b"\x0a\x05\x01", "PCX"),
];

/// The name of a picture's format; `None` if its bytes do not show it.
fn name(bytes: &[u8]) -> Option<&'static str> {
    let has = |(at, mark, _): &&(usize, &[u8], &str)| {
        bytes.get(*at..).is_some_and(|rest| rest.starts_with(mark))
    };
    if let Some((_, _, name)) = KINDS.iter().find(has) {
        return Some(name);
    }
    let start = bytes.get(..256.min(bytes.len())).unwrap_or_default();
    let text = String::from_utf8_lossy(start).to_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.contains("<svg") {
        return Some("SVG");
    }
    if text.starts_with("<!doctype html") || text.starts_with("<html") {
        return Some("网页（HTML，可能是下载失败时的提示页）");
    }
    None
}

/// How to decode a picture; `None` if it is of a format that is recognised and not read.
pub fn decoder(bytes: &[u8]) -> Option<ImageFormat> {
    if let Ok(format) = image::guess_format(bytes) {
        // The crate says that it does not read DDS, and does.
        let is_read = format.reading_enabled() || format == ImageFormat::Dds;
        return is_read.then_some(format);
    }
    // TGA has no magic number, so it is the fallback.
    (name(bytes).is_none() && !lfs::is_pointer(bytes)).then_some(ImageFormat::Tga)
}

/// Why a picture cannot be decoded.
pub fn refusal(bytes: &[u8]) -> String {
    if lfs::is_pointer(bytes) {
        return lfs::REASON.into();
    }
    let Some(name) = name(bytes) else {
        return "贴图无法解码：不是能识别的图片格式，或已损坏".into();
    };
    match decoder(bytes) {
        Some(ImageFormat::Dds) => {
            "这是 DDS 图片，其中只能读取 DXT1、DXT3、DXT5（BC1–BC3），且宽高须为 4 的倍数".into()
        }
        Some(ImageFormat::Tiff) => {
            "这张 TIFF 图片无法解码：已损坏，或用了不支持的压缩方式或位深".into()
        }
        Some(_) => format!("贴图无法解码：这张 {name} 图片已损坏或不完整"),
        None if name == "KTX2" => {
            "这张 KTX2 图片无法解码：已损坏，或不是 Basis Universal 压缩".into()
        }
        None => format!("这是 {name}，暂不支持这种图片格式"),
    }
}
