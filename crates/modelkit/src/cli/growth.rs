//! Tells when a file became larger than its source, and why.

use super::done::file_size;
use crate::check::grouped;
use crate::scene::{Problem, Severity};
use crate::write::{Compression, OutFormat};
use crate::{Result, Scene, scene};
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Below this many bytes a preview's size is its header and its description, and no reason to do anything.
const WORTH: u64 = 4096;

/// Sizes of a source in bytes.
pub struct Source {
    /// All its files together, at most.
    bytes: u64,
    textures: u64,
}

/// What was made of it.
pub enum Made {
    Preview,
    Lightened(Compression, OutFormat),
    Converted(Compression, OutFormat),
}

/// The buffers of a `.gltf`.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Document {
    buffers: Vec<Buffer>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Buffer {
    byte_length: u64,
    uri: String,
}

impl Source {
    /// Of the model that was read from `input`.
    pub fn of(scene: &Scene, input: &Path) -> Result<Source> {
        let textures = scene::statistics(scene).texture_bytes;
        let mut bytes = file_size(input)?;
        let whole = ["glb", "amrt", "stl", "ply", "step", "iges", "osgb"];
        if scene.model_num == 0 && !whole.contains(&scene.format.as_str()) {
            // Textures may be files beside it.
            bytes = bytes.saturating_add(textures);
            if scene.format == "gltf" {
                bytes = bytes.saturating_add(buffers(input));
            }
        }
        Ok(Source { bytes, textures })
    }

    /// The finding, if `bytes` are more than the source has. `textures` of them are textures.
    pub fn growth(&self, made: &Made, bytes: u64, textures: u64) -> Option<Problem> {
        if bytes <= self.bytes || (matches!(made, Made::Preview) && bytes < WORTH) {
            return None;
        }
        let what = match made {
            Made::Preview => "网页预览文件",
            Made::Lightened(..) => "轻量化后的文件",
            Made::Converted(..) => "输出文件",
        };
        let (reason, advice) = self.reason(made, bytes, textures);
        let number = |bytes: u64| grouped(usize::try_from(bytes).unwrap_or(usize::MAX));
        Some(Problem::new(
            "larger-than-source",
            Severity::Info,
            "",
            format!(
                "{what}有 {} 字节，比源文件的 {} 字节大：{reason}",
                number(bytes),
                number(self.bytes)
            ),
            advice,
        ))
    }

    /// The same of the figures of an output.
    pub fn growth_of(&self, made: &Made, figures: &Value) -> Option<Problem> {
        let number = |field: &str| figures[field].as_u64().unwrap_or(0);
        self.growth(made, number("bytes"), number("textureBytes"))
    }

    fn reason(&self, made: &Made, bytes: u64, textures: u64) -> (&'static str, &'static str) {
        let grown = textures.saturating_sub(self.textures);
        if grown > 0 && grown >= (bytes - self.bytes) / 2 {
            return (
                "贴图换成所选的格式后变大了",
                "可保留原来的贴图格式，或缩小贴图",
            );
        }
        let tight = "源文件已用更紧凑的方式保存（压缩、稀疏、实例或共用的数据）";
        match made {
            Made::Preview => (
                "源文件的保存方式比网页能直接打开的方式更紧凑",
                "不影响查看；如需更小的预览，请先减面或缩小贴图",
            ),
            Made::Lightened(_, format) | Made::Converted(_, format) if !format.is_scene() => (
                "这种格式不压缩几何，重复使用的部件也要逐个写出",
                "需要小文件时请输出为 .glb",
            ),
            Made::Lightened(Compression::None, _) => (
                "输出未压缩，而源文件的保存方式更紧凑",
                "选用几何压缩（meshopt 或 Draco）通常可得到更小的文件",
            ),
            Made::Converted(Compression::None, OutFormat::Glb) => (
                "输出未压缩，而源文件的保存方式更紧凑",
                "选用几何压缩（meshopt 或 Draco）通常可得到更小的文件",
            ),
            Made::Converted(_, OutFormat::Gltf) | Made::Lightened(_, OutFormat::Gltf) => (
                ".gltf 以文本保存数据，比二进制大三分之一",
                "输出为 .glb 可得到更小的文件",
            ),
            Made::Converted(..) => (tight, "如只求文件小，可直接使用源文件"),
            Made::Lightened(..) => (tight, "可降低保留比例或缩小贴图，或直接使用源文件"),
        }
    }
}

/// Bytes of the files that hold the buffers of a `.gltf`.
fn buffers(path: &Path) -> u64 {
    let document: Option<Document> = File::open(path)
        .ok()
        .and_then(|file| serde_json::from_reader(BufReader::new(file)).ok());
    let buffers = document.unwrap_or_default().buffers;
    let apart = buffers.iter().filter(|b| !b.uri.starts_with("data:"));
    apart.fold(0, |sum, b| sum.saturating_add(b.byte_length))
}
