//! Statements of OBJ and MTL: lines, of which a backslash at the end continues a statement (Wavefront, appendix B1). A
//! comment ends with its line, whatever it ends in: exporters write paths into comments.

use super::super::text::{is_blank, is_line_end};
use crate::limits::Limits;
use crate::{Error, Result};
use std::borrow::Cow;

/// Takes one statement off the front; continued lines are joined, which copies.
pub fn next<'a>(rest: &mut &'a [u8], limits: &Limits) -> Result<Cow<'a, [u8]>> {
    let first = cut(rest);
    if first.len() > limits.line_bytes {
        return Err(too_long());
    }
    if !is_continued(first) || is_comment(first) {
        return Ok(Cow::Borrowed(first));
    }
    let mut joined = first[..first.len() - 1].to_vec();
    while !rest.is_empty() {
        let more = cut(rest);
        joined.push(b' ');
        joined.extend_from_slice(more);
        if joined.len() > limits.line_bytes {
            return Err(too_long());
        }
        if !is_continued(more) {
            break;
        }
        joined.pop();
    }
    Ok(Cow::Owned(joined))
}

fn too_long() -> Error {
    Error::corrupt("OBJ 文件有一行过长，可能不是文本或已损坏，请重新导出")
}

/// Splits at LF, CR LF or CR; the line end is dropped.
fn cut<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let bytes = *rest;
    let end = bytes.iter().position(|b| is_line_end(*b));
    let end = end.unwrap_or(bytes.len());
    let mut next = end + 1;
    if bytes.get(end) == Some(&b'\r') && bytes.get(end + 1) == Some(&b'\n') {
        next += 1;
    }
    *rest = bytes.get(next..).unwrap_or(&[]);
    &bytes[..end]
}

/// Whether a line ends in a backslash: of two bytes of a character in GBK, Big5 or Shift JIS the second may look like
/// one.
fn is_continued(line: &[u8]) -> bool {
    if line.last() != Some(&b'\\') || line.is_ascii() || std::str::from_utf8(line).is_ok() {
        return line.last() == Some(&b'\\');
    }
    let mut at = 0;
    while at + 1 < line.len() {
        at += if line[at] < 0x81 { 1 } else { 2 };
    }
    at < line.len()
}

fn is_comment(line: &[u8]) -> bool {
    line.iter().find(|b| !is_blank(**b)) == Some(&b'#')
}
