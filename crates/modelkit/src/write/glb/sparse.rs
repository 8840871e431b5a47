//! Sparse accessors (glTF 2.0, 3.6.2.3): the rows that differ from zeros or from an earlier column.

use super::column::{Column, Form, Pack, data, encoded};
use crate::limits::MOST_ZEROS;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Bytes of the document that a sparse accessor costs beyond a dense one.
const DOCUMENT: usize = 60;
/// What a sparse accessor must save where a dense one is usual: not every viewer reads those of plain attributes.
const WORTH: usize = 16 << 10;
/// Earlier columns that a column is compared with.
const COMPARED: usize = 4;
/// Row of the compressed views of values: two of three 16-bit numbers, or one of three floats.
const PACKED_ROW: usize = 12;

/// Where an uncompressed column is in the binary chunk.
#[derive(Clone, Copy)]
pub struct Stored {
    pub view: u32,
    start: usize,
}

/// Sparse data that is not compressed, all in one view, and the columns it may refer to.
#[derive(Default)]
pub struct Sparse {
    pub bytes: Vec<u8>,
    pub view: Option<u32>,
    earlier: HashMap<(Form, usize), Vec<Stored>>,
}

/// The rows of a column that differ from its base; without a base from zeros.
pub struct Difference {
    pub base: Option<Stored>,
    pub rows: Vec<u32>,
}

impl Sparse {
    /// What to write of a column; `None` if all of it.
    pub fn difference(&self, column: &Column, bin: &[u8], packed: bool) -> Option<Difference> {
        let vertices = column.form.target == Some(34962) && column.form.filter.is_none();
        if !vertices || (packed && !column.sparse) {
            return None;
        }
        let dense = column.bytes.len();
        let worth = match column.sparse {
            true => DOCUMENT,
            false => WORTH.max(dense * 3 / 4),
        };
        let most = dense.checked_sub(worth)? / (column.form.element() + index_width(column.count));
        let mut found = self.nearest(column, bin, most)?;
        if found.rows.is_empty() && found.base.is_none() && !packed {
            // Programs that read core glTF only may refuse an accessor with neither a view nor a row.
            found.rows.push(0);
        }
        let smaller = found.rows.is_empty()
            || !packed
            || Parts::of(column, &found.rows).are_smaller_than(column);
        smaller.then_some(found)
    }

    /// The smallest difference of at most `most` rows from zeros or an earlier column.
    fn nearest(&self, column: &Column, bin: &[u8], mut most: usize) -> Option<Difference> {
        let mut best = None;
        let zeros = vec![0; column.form.stride];
        if column.count <= MOST_ZEROS
            && let Some(rows) = differing(column, most, |_| Some(&zeros))
        {
            most = rows.len();
            best = Some(Difference { base: None, rows });
        }
        let earlier = self.earlier.get(&(column.form, column.count));
        for &stored in earlier.into_iter().flatten() {
            let bytes = bin.get(stored.start..).unwrap_or(&[]);
            let row = |i: usize| bytes.get(i * column.form.stride..(i + 1) * column.form.stride);
            let rows = differing(column, most, row);
            if let Some(rows) = rows.filter(|rows| best.is_none() || rows.len() < most) {
                most = rows.len();
                let base = Some(stored);
                best = Some(Difference { base, rows });
            }
        }
        best
    }

    /// Notes an uncompressed column, the last of a binary chunk of `end` bytes, that later ones may refer to.
    pub fn note(&mut self, column: &Column, view: u32, end: usize) {
        if column.form.target != Some(34962) {
            return;
        }
        let start = end - column.bytes.len();
        let key = (column.form, column.count);
        let earlier = self.earlier.entry(key).or_default();
        if earlier.len() == COMPARED {
            earlier.remove(0);
        }
        earlier.push(Stored { view, start });
    }

    /// Adds uncompressed bytes at a multiple of four; returns their place.
    pub fn append(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start
    }
}

/// The data of a sparse accessor.
pub struct Parts {
    count: usize,
    wide: bool,
    pub indices: Vec<u8>,
    /// Without the padding of rows, but padded to whole rows of a compressed view.
    pub values: Vec<u8>,
}

impl Parts {
    pub fn of(column: &Column, rows: &[u32]) -> Parts {
        let width = index_width(column.count);
        let index = |row: &u32| row.to_le_bytes().into_iter().take(width);
        let row = |i: &u32| {
            let start = *i as usize * column.form.stride;
            column.bytes.get(start..start + column.form.element())
        };
        let values = rows.iter().filter_map(row).flatten().copied();
        let mut values: Vec<u8> = values.collect();
        values.resize(values.len().next_multiple_of(PACKED_ROW), 0);
        Parts {
            count: rows.len(),
            wide: width == 4,
            indices: rows.iter().flat_map(index).collect(),
            values,
        }
    }

    fn component(&self) -> u32 {
        if self.wide { 5125 } else { 5123 }
    }

    /// Indices and values as columns of compressed views.
    pub fn columns(&self) -> (Column<'_>, Column<'_>) {
        // The kind is not one of glTF's: these views hold nothing else.
        let rows = self.values.len() / PACKED_ROW;
        let mut values = data(&self.values, rows, 5126, "SPARSE");
        values.form.stride = PACKED_ROW;
        let mut indices = data(&self.indices, self.count, self.component(), "SPARSE");
        indices.form.pack = Pack::Indices;
        indices.form.stride = if self.wide { 4 } else { 2 };
        (indices, values)
    }

    fn are_smaller_than(&self, column: &Column) -> bool {
        let size = |c: &Column| encoded(&c.form, c.count, c.bytes).map_or(0, |b| b.len());
        let (indices, values) = self.columns();
        size(&indices) + size(&values) + DOCUMENT < size(column)
    }

    /// The accessor's `sparse`; each part lies in a view at an offset.
    pub fn json(&self, indices: (u32, usize), values: (u32, usize)) -> Value {
        let part = |(view, start): (u32, usize)| match start {
            0 => json!({"bufferView": view}),
            _ => json!({"bufferView": view, "byteOffset": start}),
        };
        let mut indices = part(indices);
        indices["componentType"] = self.component().into();
        json!({"count": self.count, "indices": indices, "values": part(values)})
    }
}

/// The rows that differ from `base`; `None` if they are more than `most`.
fn differing<'a>(
    column: &Column,
    most: usize,
    base: impl Fn(usize) -> Option<&'a [u8]>,
) -> Option<Vec<u32>> {
    let mut rows = Vec::new();
    for (i, row) in column
        .bytes
        .chunks_exact(column.form.stride.max(1))
        .enumerate()
    {
        if base(i) != Some(row) {
            if rows.len() == most {
                return None;
            }
            rows.push(u32::try_from(i).ok()?);
        }
    }
    Some(rows)
}

fn index_width(count: usize) -> usize {
    if count <= 65_536 { 2 } else { 4 }
}
