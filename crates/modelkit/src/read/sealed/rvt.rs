//! Revit files (RVT and the related RFA, RTE, RFT): compound files (MS-CFB) whose model streams are proprietary to
//! Autodesk. Readable are `BasicFileInfo` (version), the preview picture and, in families, `PartAtom` (an Atom feed).

use super::{Format, Sealed};
use crate::limits::Limits;
use crate::scene::Image;
use cfb::CompoundFile;
use serde::Deserialize;
use std::io::{Cursor, Read};

const MAGIC: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// Largest stream that is read.
const STREAM_BYTES: u64 = 16 << 20;
/// Longest text that is returned.
const TEXT_CHARS: usize = 120;

/// Whether the bytes are a compound file. Old Office documents are, too: extension or streams distinguish them.
pub fn is_compound(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

pub fn look(bytes: &[u8], limits: &Limits) -> Sealed {
    let mut sealed = Sealed {
        format: Format::Rvt,
        version: "Revit".into(),
        facts: Vec::new(),
        picture: None,
    };
    let Ok(mut file) = CompoundFile::open(Cursor::new(bytes)) else {
        sealed
            .facts
            .push(("文件", "容器结构已损坏，无法读取版本".into()));
        return sealed;
    };
    if let Some(info) = stream(&mut file, "BasicFileInfo") {
        let (version, build) = version(&info);
        if let Some(version) = version {
            sealed.version = format!("Revit {version}");
        }
        if let Some(build) = build {
            sealed.facts.push(("Revit 构建", build));
        }
    }
    if let Some(atom) = stream(&mut file, "PartAtom") {
        sealed.facts.extend(part_atom(&atom));
    }
    sealed.picture = stream(&mut file, "RevitPreview4.0").and_then(|bytes| picture(&bytes, limits));
    sealed
}

/// A stream of the root, by name; `None` if it is missing, broken or too long.
fn stream(file: &mut CompoundFile<Cursor<&[u8]>>, name: &str) -> Option<Vec<u8>> {
    let stream = file.open_stream(format!("/{name}")).ok()?;
    let mut bytes = Vec::new();
    stream.take(STREAM_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Year and build from `BasicFileInfo`: binary fields, and among them UTF-16 text such as `Format: 2020` or
/// `Revit Build: Autodesk Revit 2013 (Build: …)`, at an even or odd offset.
fn version(info: &[u8]) -> (Option<String>, Option<String>) {
    let (mut year, mut build) = (None, None);
    for start in 0..2.min(info.len()) {
        let units: Vec<u16> = info[start..]
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| u16::from_le_bytes(*pair))
            .collect();
        let text = String::from_utf16_lossy(&units);
        let field = |name: &str| {
            let rest = text.split(name).nth(1)?.lines().next()?.trim();
            let rest = short(rest);
            (!rest.is_empty()).then_some(rest)
        };
        year = year.or_else(|| field("Format:").and_then(|v| year_in(&v)));
        year = year.or_else(|| field("Autodesk Revit").and_then(|v| year_in(&v)));
        build = build.or_else(|| field("Build:"));
    }
    (year, build)
}

/// The first four-digit number that can be a year of Revit.
fn year_in(text: &str) -> Option<String> {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers
        .filter(|number| number.len() == 4 && number.starts_with("20"))
        .map(str::to_owned)
        .next()
}

/// Printable characters, truncated.
fn short(text: &str) -> String {
    text.chars()
        .take_while(|c| !c.is_control() && *c != char::REPLACEMENT_CHARACTER)
        .take(TEXT_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The fields of the feed's entry that are used.
#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    title: String,
    #[serde(default)]
    category: Vec<Category>,
}

#[derive(Deserialize)]
struct Category {
    #[serde(default)]
    term: String,
}

/// Title and categories of the feed; empty for a broken one.
fn part_atom(xml: &[u8]) -> Vec<(&'static str, String)> {
    let text = String::from_utf8_lossy(xml);
    let Ok(entry) = quick_xml::de::from_str::<Entry>(text.trim_start_matches('\u{feff}')) else {
        return Vec::new();
    };
    let title = ("名称", entry.title);
    let terms = entry.category.into_iter().take(3).map(|c| ("类别", c.term));
    std::iter::once(title)
        .chain(terms)
        .map(|(what, value)| (what, short(&value)))
        .filter(|(_, value)| !value.is_empty())
        .collect()
}

/// The picture, a PNG, follows a header of Revit's own.
fn picture(bytes: &[u8], limits: &Limits) -> Option<Image> {
    let at = |magic: &[u8]| bytes.windows(magic.len()).position(|w| w == magic);
    let start = at(b"\x89PNG\r\n\x1a\n")?;
    Image::from_encoded("preview", bytes.get(start..)?, limits).ok()
}
