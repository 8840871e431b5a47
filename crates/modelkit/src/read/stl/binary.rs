//! Binary STL: a header of 80 bytes, a count, 50 bytes per triangle.

use super::super::text;
use super::{Collector, Solid, check_count};
use crate::{Ctx, Error, Result};

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Many binary files begin with `solid` as well, so the length decides first; then whether the start is text.
pub fn is_binary(bytes: &[u8]) -> bool {
    let Some(declared) = declared(bytes) else {
        return false;
    };
    let body = bytes.len() - HEADER;
    if body as u64 == declared * RECORD as u64 {
        return true;
    }
    let head = &bytes[..bytes.len().min(1024)];
    let is_text = head
        .iter()
        .all(|b| *b == b'\t' || text::is_line_end(*b) || (*b >= 0x20 && *b != 0x7f));
    let lower = head.to_ascii_lowercase();
    let has = |word: &[u8]| lower.windows(word.len()).any(|w| w == word);
    !(is_text && (has(b"solid") || has(b"facet")))
}

fn declared(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?;
    Some(u64::from(u32::from_le_bytes([
        count[0], count[1], count[2], count[3],
    ])))
}

/// Reads the records; more bytes than declared are ignored, fewer are an error.
pub fn read(bytes: &[u8], ctx: &Ctx) -> Result<(Vec<Solid>, usize)> {
    let declared = declared(bytes).unwrap_or(0);
    let body = bytes.get(HEADER..).unwrap_or(&[]);
    let present = (body.len() / RECORD) as u64;
    if declared > present {
        return Err(Error::corrupt(format!(
            "STL 文件不完整：文件头声明 {declared} 个三角形，实际只有 {present} 个，请重新导出或重新上传"
        )));
    }
    let triangles = declared as usize;
    check_count(triangles, ctx)?;
    let mut collector = Collector::new(triangles);
    for record in body.chunks_exact(RECORD).take(triangles) {
        collector.add([point(record, 12), point(record, 24), point(record, 36)]);
    }
    let not_finite = collector.not_finite;
    if collector.indices.is_empty() {
        return Ok((Vec::new(), not_finite));
    }
    Ok((vec![collector.finish(String::new())], not_finite))
}

fn point(record: &[u8], at: usize) -> [f32; 3] {
    let float = |at: usize| {
        f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    [float(at), float(at + 4), float(at + 8)]
}
