//! AMRT, our lightweight package: definitions shared by its writer and reader. docs/amrt.md describes the format.

use flate2::Crc;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Magic number: not text, so that a transfer in text mode is detected.
pub const MAGIC: &[u8; 8] = b"\x89AMRT\r\n\x1a";
/// A reader rejects every other major version.
pub const MAJOR: u16 = 1;
/// A reader accepts every minor version and ignores what it does not know.
pub const MINOR: u16 = 0;
/// Size of the header in bytes; the manifest follows it.
pub const HEADER: usize = 32;
/// Alignment of sections in bytes.
pub const ALIGNMENT: usize = 16;
/// Longest manifest, in bytes.
pub const MOST_MANIFEST: usize = 16 << 20;
/// Most sections.
pub const MOST_SECTIONS: usize = 16_384;
/// How a document refers to a section: `amrt:3`.
pub const SCHEME: &str = "amrt:";
/// Extension of a document: the grids of quantised meshes.
pub const GRIDS: &str = "AMRT_grids";

/// Offset of the first section.
pub fn first_section(manifest: usize) -> usize {
    (HEADER + manifest).next_multiple_of(ALIGNMENT)
}

/// CRC-32 (IEEE 802.3) of `bytes`.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The JSON after the header: what a list shows of a model without its geometry, and the table of sections.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Manifest {
    /// Program that wrote the file.
    pub generator: String,
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub author: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub license: String,
    pub source: Source,
    /// Bounding box of the rest pose in metres, Y up; absent without geometry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Box3>,
    /// Counts of the full model, see [`crate::scene::Statistics`].
    pub statistics: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Clip>,
    /// Section that holds a small picture of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<usize>,
    /// The same model from coarse to full; the last is the full one.
    pub levels: Vec<Level>,
    pub sections: Vec<Section>,
}

/// The file the model was converted from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    pub format: String,
    pub file: String,
    /// Unit of the source file; the model itself is in metres.
    pub unit: String,
    pub up_axis: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Box3 {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Clip {
    pub name: String,
    pub seconds: f64,
}

/// One complete model: its document and the sections that the document references.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Level {
    /// Section of the glTF document.
    pub document: usize,
    /// Every section the level needs, including the document.
    pub sections: Vec<usize>,
    pub triangles: usize,
    /// Largest distance from the full model, relative to the diagonal of the bounding box.
    pub error: f64,
    /// glTF extensions without which this level cannot be shown.
    pub requires: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// `thumbnail`, `document`, `geometry`, `image`; unknown ones are ignored.
    pub kind: String,
    /// Offset from the first section in bytes.
    pub offset: u64,
    /// Stored length in bytes.
    pub length: u64,
    /// CRC-32 of the stored bytes, eight hexadecimal digits.
    pub crc32: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mime: String,
    /// `deflate` (zlib, RFC 1950), or empty if stored unencoded.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub encoding: String,
    /// Length in bytes after decoding; only with an encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}
