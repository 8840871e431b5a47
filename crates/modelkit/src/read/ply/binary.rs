//! Binary rows, little or big endian.

use super::data::{Data, Plan, Row, Use, blank_row, index};
use super::header::{Encoding, Kind};
use crate::{Error, Result};
use rayon::prelude::*;

/// Rows of one task.
const BLOCK: usize = 16 * 1024;

fn truncated(name: &str, count: usize) -> Error {
    Error::corrupt(format!(
        "PLY 文件不完整：声明有 {count} 个 {name}，数据在此之前结束，请重新导出或重新上传"
    ))
}

/// One number, or `None` past the end.
pub fn scalar(bytes: &[u8], at: usize, kind: Kind, encoding: Encoding) -> Option<f64> {
    let raw = bytes.get(at..at.checked_add(kind.size())?)?;
    let mut word = [0u8; 8];
    let size = raw.len();
    word[..size].copy_from_slice(raw);
    if encoding == Encoding::Big {
        word[..size].reverse();
    }
    let bits = u64::from_le_bytes(word);
    Some(match kind {
        Kind::I8 => f64::from(bits as i8),
        Kind::U8 => f64::from(bits as u8),
        Kind::I16 => f64::from(bits as i16),
        Kind::U16 => f64::from(bits as u16),
        Kind::I32 => f64::from(bits as i32),
        Kind::U32 => f64::from(bits as u32),
        Kind::F32 => f64::from(f32::from_bits(bits as u32)),
        Kind::F64 => f64::from_bits(bits),
    })
}

/// Reads all elements.
pub fn read(body: &[u8], plans: &[Plan], encoding: Encoding, data: &mut Data) -> Result<()> {
    let mut rest = body;
    for plan in plans {
        let element = plan.element;
        let least = element.least_bytes().checked_mul(element.count);
        if least.is_none_or(|least| least > rest.len()) {
            return Err(truncated(&element.name, element.count));
        }
        if element.properties.is_empty() {
            continue;
        }
        let size = if element.has_lists() {
            lists(rest, plan, encoding, data)?
        } else {
            fixed(rest, plan, encoding, data);
            element.least_bytes() * element.count
        };
        rest = rest.get(size..).unwrap_or(&[]);
    }
    Ok(())
}

/// Rows of one size, read in parallel.
fn fixed(bytes: &[u8], plan: &Plan, encoding: Encoding, data: &mut Data) {
    let stride = plan.element.least_bytes();
    let bytes = &bytes[..stride * plan.element.count];
    let mut offset = 0;
    let mut columns = Vec::new();
    let mut ends = [None; 2];
    for (i, property) in plan.element.properties.iter().enumerate() {
        if let Some((role, full)) = plan.roles[i] {
            columns.push((offset, property.kind, role, 1.0 / full));
        }
        for (side, end) in ends.iter_mut().enumerate() {
            if plan.ends[side] == Some(i) {
                *end = Some((offset, property.kind));
            }
        }
        offset += property.kind.size();
    }
    if let (Use::Edge, [Some(a), Some(b)]) = (plan.purpose, ends) {
        for row in bytes.chunks_exact(stride) {
            let read = |(at, kind)| scalar(row, at, kind, encoding).map_or(u32::MAX, index);
            data.edges.push([read(a), read(b)]);
        }
    }
    if plan.purpose != Use::Vertex {
        return;
    }
    let has = data.has;
    if let Some(first) = bytes.chunks_exact(stride).next() {
        let mut row = blank_row();
        fill(&mut row, first, &columns, encoding);
        data.find_base(&row);
    }
    let base = data.base;
    let blocks: Vec<Data> = bytes
        .par_chunks(stride * BLOCK)
        .map(|block| {
            let mut part = Data {
                has,
                base,
                ..Data::default()
            };
            for bytes in block.chunks_exact(stride) {
                let mut row = blank_row();
                fill(&mut row, bytes, &columns, encoding);
                part.vertex(&row);
            }
            part
        })
        .collect();
    data.positions.reserve(plan.element.count);
    for block in blocks {
        data.append(block);
    }
}

fn fill(row: &mut Row, bytes: &[u8], columns: &[(usize, Kind, usize, f64)], encoding: Encoding) {
    for &(at, kind, role, scale) in columns {
        row[role] = scalar(bytes, at, kind, encoding).unwrap_or(0.0) * scale;
    }
}

/// Rows with lists: each must be parsed to find the next. Returns their length in bytes.
fn lists(bytes: &[u8], plan: &Plan, encoding: Encoding, data: &mut Data) -> Result<usize> {
    let element = plan.element;
    let short = || truncated(&element.name, element.count);
    let mut at = 0;
    let mut wedges: Vec<f32> = Vec::new();
    for _ in 0..element.count {
        let mut row = blank_row();
        let mut is_face = false;
        let mut texture = 0.0;
        let mut ends = [u32::MAX; 2];
        wedges.clear();
        for (i, property) in element.properties.iter().enumerate() {
            let size = property.kind.size();
            let Some(count_kind) = property.list else {
                let value = scalar(bytes, at, property.kind, encoding).ok_or_else(short)?;
                if let Some((role, full)) = plan.roles[i] {
                    row[role] = value / full;
                } else if plan.texture == Some(i) {
                    texture = value;
                }
                for (side, end) in ends.iter_mut().enumerate() {
                    if plan.ends[side] == Some(i) {
                        *end = index(value);
                    }
                }
                at += size;
                continue;
            };
            let count = scalar(bytes, at, count_kind, encoding).ok_or_else(short)?;
            at += count_kind.size();
            let count = if count > 0.0 { count as usize } else { 0 };
            let end = count
                .checked_mul(size)
                .and_then(|size| at.checked_add(size))
                .ok_or_else(short)?;
            let values = bytes.get(at..end).ok_or_else(short)?;
            at = end;
            let numbers = values
                .chunks_exact(size)
                .filter_map(|v| scalar(v, 0, property.kind, encoding));
            if plan.indices == Some(i) && plan.purpose == Use::Face {
                data.corners.extend(numbers.map(index));
                is_face = true;
            } else if plan.indices == Some(i) && plan.purpose == Use::Strip {
                data.strips.extend(numbers.map(index));
                data.strips.push(u32::MAX);
            } else if plan.wedges == Some(i) {
                wedges.extend(numbers.map(|n| n as f32));
            }
        }
        if is_face {
            data.face(&wedges);
            data.look(plan, &row, texture);
        }
        if plan.purpose == Use::Edge {
            data.edges.push(ends);
        }
        if plan.purpose == Use::Vertex {
            data.vertex(&row);
        }
    }
    Ok(at)
}
