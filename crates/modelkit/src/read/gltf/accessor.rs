//! Accessors: bounds-checked, sparse, normalised integers converted to floats.

use super::container::Buffers;
use super::json::{Accessor, Root, SparsePart};
use crate::limits::MOST_ZEROS;
use crate::{Error, Result};
use std::collections::HashMap;

/// Reads accessors of one file.
pub struct Accessors<'a> {
    pub root: &'a Root,
    pub buffers: &'a Buffers<'a>,
    /// Most elements one accessor may have.
    pub most: usize,
    /// Decoded data, tightly packed, of accessors that were compressed in a primitive.
    pub decoded: HashMap<u32, Vec<u8>>,
    /// The rows that are read, rising; all if `None`.
    pub rows: Option<Vec<u32>>,
}

fn broken(what: &str) -> Error {
    Error::corrupt(format!("glTF 的访问器数据有误（{what}），请重新导出后上传"))
}

fn width_of(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => 0,
    }
}

fn expect_width(accessor: &Accessor, width: usize) -> Result<()> {
    if width_of(&accessor.kind) == width {
        return Ok(());
    }
    let kind: String = accessor.kind.chars().take(8).collect();
    Err(broken(&format!(
        "元素类型不符，应有 {width} 个分量，实际为 {kind}"
    )))
}

fn size_of(component: u32) -> usize {
    match component {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => 0,
    }
}

/// One component as a float; `normalized` maps integers to 0…1 or -1…1.
fn float(bytes: &[u8], component: u32, normalized: bool) -> f32 {
    let raw = match (component, bytes) {
        (5126, &[a, b, c, d, ..]) => return f32::from_le_bytes([a, b, c, d]),
        (5120, &[a, ..]) => f32::from(a as i8),
        (5121, &[a, ..]) => f32::from(a),
        (5122, &[a, b, ..]) => f32::from(i16::from_le_bytes([a, b])),
        (5123, &[a, b, ..]) => f32::from(u16::from_le_bytes([a, b])),
        (5125, &[a, b, c, d, ..]) => u32::from_le_bytes([a, b, c, d]) as f32,
        _ => 0.0,
    };
    if !normalized {
        return raw;
    }
    match component {
        5120 => (raw / 127.0).max(-1.0),
        5121 => raw / 255.0,
        5122 => (raw / 32767.0).max(-1.0),
        5123 => raw / 65535.0,
        _ => raw,
    }
}

fn integer(bytes: &[u8], component: u32) -> u32 {
    match (component, bytes) {
        (5121, &[a, ..]) => u32::from(a),
        (5123, &[a, b, ..]) => u32::from(u16::from_le_bytes([a, b])),
        (5125, &[a, b, c, d, ..]) => u32::from_le_bytes([a, b, c, d]),
        // Some exporters write small integers as floats.
        (5126, &[a, b, c, d, ..]) => f32::from_le_bytes([a, b, c, d]) as u32,
        _ => u32::MAX,
    }
}

impl Accessors<'_> {
    fn accessor(&self, index: u32) -> Result<&Accessor> {
        self.root
            .accessors
            .get(index as usize)
            .ok_or_else(|| broken("编号越界"))
    }

    pub fn count(&self, index: u32) -> Result<usize> {
        let count = usize::try_from(self.accessor(index)?.count).map_err(|_| broken("数量过大"))?;
        if count > self.most {
            let most = self.most;
            return Err(Error::TooLarge(format!(
                "顶点数据 {count} 行超出上限 {most}，请拆分模型后上传"
            )));
        }
        Ok(count)
    }

    /// Components per element: 3 for VEC3.
    pub fn width(&self, index: u32) -> Result<usize> {
        Ok(width_of(&self.accessor(index)?.kind))
    }

    /// Whether elements are matrices, whose columns have paddings of their own.
    pub fn is_matrix(&self, index: u32) -> bool {
        let accessor = self.accessor(index);
        accessor.is_ok_and(|a| a.kind.starts_with("MAT"))
    }

    /// Rows that replace those of the dense part.
    pub fn sparse_count(&self, index: u32) -> usize {
        let accessor = self.accessor(index).ok();
        let count = accessor.and_then(|a| Some(a.sparse.as_ref()?.count.min(a.count)));
        count.map_or(0, |count| usize::try_from(count).unwrap_or(usize::MAX))
    }

    /// Where the elements lie: the same for accessors of the same data.
    pub fn place(&self, index: u32) -> Option<(Option<u32>, u64, u64)> {
        let accessor = self.accessor(index).ok()?;
        Some((accessor.buffer_view, accessor.byte_offset, accessor.count))
    }

    /// Bytes and element stride of the dense part; `None` if it is all zeros.
    fn dense(&self, index: u32, count: usize) -> Result<Option<(&[u8], usize)>> {
        let accessor = self.accessor(index)?;
        let element = width_of(&accessor.kind) * size_of(accessor.component_type);
        if let Some(bytes) = self.decoded.get(&index) {
            if count.checked_mul(element).is_none_or(|n| n > bytes.len()) {
                return Err(broken("声明的数量超过实际数据"));
            }
            return Ok(Some((bytes, element)));
        }
        let Some(view) = accessor.buffer_view else {
            // Zeros take no bytes in the file: a small file must not allocate gigabytes.
            if count > MOST_ZEROS {
                return Err(broken("声明的数量超过实际数据"));
            }
            return Ok(None);
        };
        if element == 0 {
            return Err(broken("类型未知"));
        }
        let (bytes, stride) = self.buffers.view(view)?;
        let stride = match stride {
            Some(s) if s >= element as u64 && s <= 65_536 => s as usize,
            // Some writers put 0 for packed elements.
            Some(0) | None => element,
            Some(_) => return Err(broken("步长有误")),
        };
        let start = usize::try_from(accessor.byte_offset).map_err(|_| broken("偏移越界"))?;
        let bytes = bytes.get(start..).ok_or_else(|| broken("偏移越界"))?;
        if count > 0 {
            let needed = (count - 1)
                .checked_mul(stride)
                .and_then(|n| n.checked_add(element));
            if needed.is_none_or(|n| n > bytes.len()) {
                return Err(broken("声明的数量超过实际数据"));
            }
        }
        Ok(Some((bytes, stride)))
    }

    /// Each element of the dense part, or `zero`.
    fn elements<T: Copy>(
        &self,
        index: u32,
        count: usize,
        zero: T,
        element: impl Fn(&[u8]) -> T,
    ) -> Result<Vec<T>> {
        let dense = self.dense(index, count)?;
        let length = self.rows.as_ref().map_or(count, Vec::len);
        let Some((bytes, stride)) = dense else {
            return Ok(vec![zero; length]);
        };
        let at = |i: usize| bytes.get(i * stride..).map_or(zero, &element);
        let mut rows = Vec::with_capacity(length);
        match &self.rows {
            Some(picked) => rows.extend(picked.iter().map(|&i| at(i as usize))),
            None => rows.extend((0..count).map(at)),
        }
        Ok(rows)
    }

    /// Elements as `N` floats each.
    pub fn floats<const N: usize>(&self, index: u32) -> Result<Vec<[f32; N]>> {
        let accessor = self.accessor(index)?;
        let count = self.count(index)?;
        expect_width(accessor, N)?;
        let (component, normalized) = (accessor.component_type, accessor.normalized);
        let size = size_of(component);
        if size == 0 {
            return Err(broken("分量类型未知"));
        }
        let element = |bytes: &[u8]| {
            let mut row = [0.0; N];
            for (k, value) in row.iter_mut().enumerate() {
                *value = bytes
                    .get(k * size..)
                    .map_or(0.0, |b| float(b, component, normalized));
            }
            row
        };
        let mut rows = self.elements(index, count, [0.0; N], element)?;
        if let Some(sparse) = &accessor.sparse {
            let values = SparsePart {
                component_type: component,
                ..copy(&sparse.values)
            };
            self.sparse(accessor, &sparse.indices, &values, N * size, |at, bytes| {
                if let Some(row) = rows.get_mut(at) {
                    *row = element(bytes);
                }
            })?;
        }
        Ok(rows)
    }

    /// Elements as `N` unsigned integers each (joints, indices).
    pub fn integers<const N: usize>(&self, index: u32) -> Result<Vec<[u32; N]>> {
        let accessor = self.accessor(index)?;
        let count = self.count(index)?;
        expect_width(accessor, N)?;
        let component = accessor.component_type;
        let size = size_of(component);
        let element = |bytes: &[u8]| {
            let mut row = [0; N];
            for (k, value) in row.iter_mut().enumerate() {
                *value = bytes.get(k * size..).map_or(0, |b| integer(b, component));
            }
            row
        };
        let mut rows = self.elements(index, count, [0; N], element)?;
        if let Some(sparse) = &accessor.sparse {
            self.sparse(
                accessor,
                &sparse.indices,
                &sparse.values,
                N * size,
                |at, bytes| {
                    if let Some(row) = rows.get_mut(at) {
                        *row = element(bytes);
                    }
                },
            )?;
        }
        Ok(rows)
    }

    fn sparse(
        &self,
        accessor: &Accessor,
        indices: &SparsePart,
        values: &SparsePart,
        element: usize,
        mut set: impl FnMut(usize, &[u8]),
    ) -> Result<()> {
        let count = accessor.sparse.as_ref().map_or(0, |s| s.count);
        if count > accessor.count {
            return Err(broken("稀疏数量过大"));
        }
        let count = usize::try_from(count).map_err(|_| broken("稀疏数量过大"))?;
        let size = size_of(indices.component_type);
        let index_bytes = self.part(indices, count, size)?;
        let value_bytes = self.part(values, count, element)?;
        if size == 0 || element == 0 {
            return Err(broken("稀疏类型未知"));
        }
        for (at, value) in index_bytes
            .chunks_exact(size)
            .zip(value_bytes.chunks_exact(element))
        {
            let at = integer(at, indices.component_type);
            let row = match &self.rows {
                Some(picked) => picked.binary_search(&at).ok(),
                None => Some(at as usize),
            };
            if let Some(row) = row {
                set(row, value);
            }
        }
        Ok(())
    }

    fn part(&self, part: &SparsePart, count: usize, size: usize) -> Result<&[u8]> {
        let (bytes, _) = self.buffers.view(part.buffer_view)?;
        let start = usize::try_from(part.byte_offset).map_err(|_| broken("稀疏偏移越界"))?;
        let end = count.checked_mul(size).and_then(|n| start.checked_add(n));
        let end = end.ok_or_else(|| broken("稀疏数量过大"))?;
        bytes.get(start..end).ok_or_else(|| broken("稀疏数据越界"))
    }

    /// Rows of 1…4 floats, flattened, and their width.
    pub fn flat(&self, index: u32) -> Result<(Vec<f32>, usize)> {
        let width = self.width(index)?;
        let flat = match width {
            1 => self.floats::<1>(index)?.into_flattened(),
            2 => self.floats::<2>(index)?.into_flattened(),
            3 => self.floats::<3>(index)?.into_flattened(),
            4 => self.floats::<4>(index)?.into_flattened(),
            _ => return Err(broken("元素类型不符")),
        };
        Ok((flat, width))
    }
}

fn copy(part: &SparsePart) -> SparsePart {
    SparsePart {
        buffer_view: part.buffer_view,
        byte_offset: part.byte_offset,
        component_type: part.component_type,
    }
}
