//! Binary STL: a header of 80 bytes, a count, 50 bytes per triangle.

use super::super::text;
use super::{Collector, Solid, check_count, colours};
use crate::scene::{Problem, Severity};
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

/// Triangles to read, and what is to be told about the count in the header. If whole records fill the file, their
/// number is right whatever the header says: some writers never set it.
fn count(bytes: &[u8]) -> Result<(usize, Option<Problem>)> {
    let declared = declared(bytes).unwrap_or(0);
    let body = bytes.len().saturating_sub(HEADER);
    let (present, rest) = (body / RECORD, body % RECORD);
    let differs = |read: usize, message: String| {
        let problem = Problem::new(
            "stl-count-differs",
            Severity::Warning,
            "",
            message,
            "请核对模型是否完整，如有缺失，请重新导出",
        );
        Ok((read, Some(problem)))
    };
    let known = usize::try_from(declared).unwrap_or(usize::MAX);
    let is_whole = known == present && rest == 0;
    if is_whole || (known > 0 && known <= present && is_padding(bytes, known)) {
        return Ok((known, None));
    }
    if present > 0 && known != present && (rest == 0 || known == 0) {
        return differs(
            present,
            format!("文件头声明 {declared} 个三角形，文件里有 {present} 个，已按 {present} 个读取"),
        );
    }
    if known > present {
        return Err(Error::corrupt(format!(
            "STL 文件不完整：文件头声明 {declared} 个三角形，实际只有 {present} 个，请重新导出或重新上传"
        )));
    }
    let left = body - known * RECORD;
    differs(
        known,
        format!("文件头声明 {declared} 个三角形，其后还有 {left} 字节不成三角形，未读取"),
    )
}

/// Whether nothing but equal bytes or text follows `count` records: what follows is no geometry.
fn is_padding(bytes: &[u8], count: usize) -> bool {
    let rest = bytes.get(HEADER + count * RECORD..).unwrap_or_default();
    let equal = rest.windows(2).all(|pair| pair[0] == pair[1]);
    equal
        || rest
            .iter()
            .all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
}

pub fn read(bytes: &[u8], ctx: &Ctx) -> Result<(Vec<Solid>, usize, Vec<Problem>)> {
    let body = bytes.get(HEADER..).unwrap_or(&[]);
    let (triangles, problem) = count(bytes)?;
    let mut problems = Vec::from_iter(problem);
    check_count(triangles, ctx)?;
    let mut collector = Collector::new(triangles);
    let mut words = Vec::with_capacity(triangles);
    for record in body.chunks_exact(RECORD).take(triangles) {
        if collector.add([point(record, 12), point(record, 24), point(record, 36)]) {
            words.push(u16::from_le_bytes([record[48], record[49]]));
        }
    }
    let header = bytes.get(..80).unwrap_or(&[]);
    let colors = match colours::of(header, &words) {
        Ok(colors) => colors,
        Err(problem) => {
            problems.push(problem);
            Vec::new()
        }
    };
    let not_finite = collector.not_finite;
    if collector.indices.is_empty() {
        return Ok((Vec::new(), not_finite, problems));
    }
    let mut solid = collector.finish(String::new());
    solid.colors = colors;
    Ok((vec![solid], not_finite, problems))
}

fn point(record: &[u8], at: usize) -> [f32; 3] {
    let float = |at: usize| {
        f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    [float(at), float(at + 4), float(at + 8)]
}
