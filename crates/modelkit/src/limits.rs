//! Limits on inputs. Every reader checks them before it allocates.

use crate::{Error, Result};

/// Most rows of a glTF accessor without data: zeros cost a file nothing, but memory.
pub(crate) const MOST_ZEROS: usize = 4 << 20;

#[derive(Debug, Clone)]
pub struct Limits {
    /// Size of the input file in bytes.
    pub file_bytes: u64,
    pub nodes: usize,
    /// Depth of the node tree.
    pub depth: usize,
    pub meshes: usize,
    pub materials: usize,
    pub images: usize,
    /// Vertices over the whole scene.
    pub vertices: usize,
    /// Indices over the whole scene.
    pub indices: usize,
    /// Pixels of one image.
    pub image_pixels: u64,
    /// Pixels of one JPEG. Those of other formats may cost next to no bytes, so they are held to less.
    pub jpeg_pixels: u64,
    /// Encoded bytes of one image.
    pub image_bytes: usize,
    /// Keys over all clips.
    pub animation_values: usize,
    /// Files in an archive.
    pub archive_entries: usize,
    /// Total unpacked size of an archive in bytes, nested archives included; also the largest size of an archive
    /// itself.
    pub archive_bytes: u64,
    /// Compression ratio of one entry.
    pub archive_ratio: u64,
    /// Levels of nested archives, including the outermost.
    pub archive_depth: usize,
    /// Time limit for unpacking.
    pub archive_seconds: u64,
    /// Length of one line of a text format in bytes.
    pub line_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            file_bytes: 4 << 30,
            nodes: 500_000,
            depth: 512,
            meshes: 500_000,
            materials: 100_000,
            images: 4_096,
            vertices: 200_000_000,
            indices: 600_000_000,
            image_pixels: 8_192 * 8_192,
            jpeg_pixels: 16_384 * 16_384,
            image_bytes: 512 << 20,
            animation_values: 200_000_000,
            archive_entries: 20_000,
            archive_bytes: 8 << 30,
            archive_ratio: 1_000,
            archive_depth: 3,
            archive_seconds: 600,
            line_bytes: 1 << 20,
        }
    }
}

impl Limits {
    /// Fails when `count` of `what` is above `most`.
    pub fn check(what: &str, count: usize, most: usize) -> Result<()> {
        if count > most {
            let text = format!("{what}数量 {count} 超出上限 {most}，请拆分模型后重新上传");
            return Err(Error::TooLarge(text));
        }
        Ok(())
    }
}
