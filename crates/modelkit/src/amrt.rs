//! AMRT, our lightweight package: what its writer and its reader share. The format is described in docs/amrt.md.

use flate2::Crc;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// First bytes: not text, so that a transfer which treats files as text is noticed.
pub const MAGIC: &[u8; 8] = b"\x89AMRT\r\n\x1a";
/// A reader refuses every other major version.
pub const MAJOR: u16 = 1;
/// A reader takes every minor version and passes over what it does not know.
pub const MINOR: u16 = 0;
/// Bytes of the header; the manifest follows it.
pub const HEADER: usize = 32;
/// Sections begin at multiples of this many bytes.
pub const ALIGNMENT: usize = 16;
/// Longest manifest, in bytes.
pub const MOST_MANIFEST: usize = 16 << 20;
/// Most sections.
pub const MOST_SECTIONS: usize = 16_384;
/// How a document names a section: `amrt:3`.
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

/// The JSON behind the header: what a list shows of a model without its geometry, and where everything lies.
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
    /// Box of the rest pose in metres, Y up; absent without geometry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Box3>,
    /// Counts of the full model, see [`crate::scene::Statistics`].
    pub statistics: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub animations: Vec<Clip>,
    /// Section with a small picture of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<usize>,
    /// The same model from coarse to full; the last is the full one.
    pub levels: Vec<Level>,
    pub sections: Vec<Section>,
}

/// What the model was made from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Source {
    pub format: String,
    pub file: String,
    /// Unit of the source; the model itself is in metres.
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

/// One whole model: its document with the sections the document names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Level {
    /// Section of the glTF document.
    pub document: usize,
    /// Every section the level needs, the document among them.
    pub sections: Vec<usize>,
    pub triangles: usize,
    /// Largest distance from the full model over the diagonal of the box.
    pub error: f64,
    /// glTF extensions without which this level cannot be shown.
    pub requires: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// `thumbnail`, `document`, `geometry`, `image`; unknown ones are passed over.
    pub kind: String,
    /// Bytes from the first section to this one.
    pub offset: u64,
    /// Bytes as they lie in the file.
    pub length: u64,
    /// CRC-32 of these bytes, eight hexadecimal digits.
    pub crc32: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mime: String,
    /// `deflate` (zlib, RFC 1950), or empty for bytes as they are.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub encoding: String,
    /// Bytes after decoding; only with an encoding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
}
