//! GLB writer: plain, quantised and compressed (KHR_mesh_quantization with EXT_meshopt_compression), or with Draco
//! streams. All pass Khronos' validator.

mod builder;
mod column;
mod detail;
pub(super) mod document;
mod draco;
mod geometry;
mod instances;
mod materials;
mod motion;
mod nodes;
mod quantize;
mod rounding;
mod skin;
mod sparse;
mod targets;
mod texcoords;

pub use rounding::expected as rounding;

use super::{Options, Written};
use crate::progress::Ctx;
use crate::{Error, Result, Scene};
use base64::Engine;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub fn write(scene: &Scene, path: &Path, options: &Options, ctx: &Ctx) -> Result<Written> {
    let made = Glb::of(scene, options, ctx)?;
    made.write(path)?;
    Ok(Written {
        rounding: made.rounding,
        ..Written::default()
    })
}

/// An encoded GLB.
pub struct Glb {
    json: Vec<u8>,
    bin: Vec<u8>,
    total: u32,
    rounding: f64,
}

impl Glb {
    pub fn of(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Glb> {
        let document = document::build(scene, options, ctx)?;
        let mut json =
            serde_json::to_vec(&document.json(None)).map_err(|e| Error::Internal(e.to_string()))?;
        while !json.len().is_multiple_of(4) {
            json.push(b' ');
        }
        let mut bin = document.builder.bin;
        while !bin.len().is_multiple_of(4) {
            bin.push(0);
        }
        // Aligned to eight bytes, as 3D Tiles requires of its contents.
        let tile = !options.for_screens && !bin.is_empty();
        if tile && !(20 + json.len() + 8 + bin.len()).is_multiple_of(8) {
            json.extend(b"    ");
        }
        let total = 12 + 8 + json.len() + if bin.is_empty() { 0 } else { 8 + bin.len() };
        let total = u32::try_from(total)
            .map_err(|_| Error::TooLarge("GLB 文件不能超过 4 GB，请先减面或拆分模型".into()))?;
        Ok(Glb {
            json,
            bin,
            total,
            rounding: document.rounding,
        })
    }

    /// Size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        u64::from(self.total)
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        let fail = |e: std::io::Error| Error::io(path, &e);
        let mut out = BufWriter::new(File::create(path).map_err(fail)?);
        let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(fail);
        put(b"glTF")?;
        put(&2u32.to_le_bytes())?;
        put(&self.total.to_le_bytes())?;
        put(&(self.json.len() as u32).to_le_bytes())?;
        put(b"JSON")?;
        put(&self.json)?;
        if !self.bin.is_empty() {
            put(&(self.bin.len() as u32).to_le_bytes())?;
            put(b"BIN\0")?;
            put(&self.bin)?;
        }
        out.flush().map_err(fail)
    }
}

/// A `.gltf` with everything embedded as data URIs, uncompressed.
pub fn write_gltf(scene: &Scene, path: &Path, ctx: &Ctx) -> Result<()> {
    let document = document::build(scene, &Options::default(), ctx)?;
    let data = base64::engine::general_purpose::STANDARD.encode(&document.builder.bin);
    let json = document.json(Some(format!("data:application/octet-stream;base64,{data}")));
    let bytes = serde_json::to_vec(&json).map_err(|e| Error::Internal(e.to_string()))?;
    std::fs::write(path, bytes).map_err(|e| Error::io(path, &e))
}
