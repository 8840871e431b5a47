//! The binary chunk: buffer views and accessors.

use super::column::{Column, Form, Pack, encoded};
use super::quantize::Screen;
use super::sparse::{Parts, Sparse};
use super::texcoords::Texels;
use crate::{Error, Result};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::hash::BuildHasher;

/// Columns of one form, which share a compressed view: a view costs some 300 bytes of JSON.
struct Group {
    form: Form,
    bytes: Vec<u8>,
    count: usize,
    /// Number of its view.
    view: u32,
}

/// A column by its content and form. The bounds are included, since only the inputs of clips have them and none may serve
/// as an output.
#[derive(PartialEq, Eq, Hash)]
struct Content {
    hash: u64,
    length: usize,
    form: Form,
    bounded: bool,
}

#[derive(Default)]
pub struct Builder {
    pub bin: Vec<u8>,
    /// Those of compressed columns are null until [`Builder::finish`].
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub packed: bool,
    /// For screens only: how fine its textures are.
    pub screen: Option<Screen>,
    /// What texture coordinates must be exact to.
    pub texels: Texels,
    /// Bits of a component of a packed rotation.
    pub rotation_bits: i32,
    groups: Vec<Group>,
    /// Images are written elsewhere.
    pub images_apart: bool,
    /// Decoded size of the compressed views in bytes.
    pub unpacked_length: u64,
    pub used: BTreeSet<String>,
    pub required: BTreeSet<String>,
    shared: HashMap<Content, u32>,
    /// Views of raw bytes by their hash and length.
    raw: HashMap<(u64, usize), u32>,
    sparse: Sparse,
}

impl Builder {
    pub fn new(packed: bool) -> Builder {
        Builder {
            packed,
            rotation_bits: 16,
            ..Builder::default()
        }
    }

    pub fn extension(&mut self, name: &str, required: bool) {
        self.used.insert(name.to_owned());
        if required {
            self.required.insert(name.to_owned());
        }
    }

    fn align(&mut self) {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0);
        }
    }

    /// A view of raw bytes, never compressed (images, Draco streams); equal bytes share one.
    pub fn raw_view(&mut self, bytes: &[u8]) -> u32 {
        let key = (hash_of(bytes), bytes.len());
        if let Some(&view) = self.raw.get(&key) {
            return view;
        }
        self.align();
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend_from_slice(bytes);
        self.views.push(view);
        let index = self.views.len() as u32 - 1;
        self.raw.insert(key, index);
        index
    }

    /// A view of an uncompressed column.
    fn plain_view(&mut self, column: &Column) -> u32 {
        self.align();
        let mut view = Map::new();
        view.insert("buffer".into(), 0.into());
        view.insert("byteOffset".into(), self.bin.len().into());
        view.insert("byteLength".into(), column.bytes.len().into());
        if column.form.target == Some(34962) {
            view.insert("byteStride".into(), column.form.stride.into());
        }
        if let Some(target) = column.form.target {
            view.insert("target".into(), target.into());
        }
        self.bin.extend_from_slice(column.bytes);
        self.views.push(Value::Object(view));
        self.views.len() as u32 - 1
    }

    /// Adds a column to its group; returns the view and the column's offset in it.
    fn grouped(&mut self, column: &Column) -> Result<(u32, usize)> {
        let rows = column.bytes.get(..column.count * column.form.stride);
        let aligned = column.form.pack != Pack::Attributes || column.form.stride.is_multiple_of(4);
        let Some(rows) = rows.filter(|_| aligned) else {
            return Err(Error::Internal("column of a wrong size".into()));
        };
        let form = column.form;
        let index = match self.groups.iter().position(|group| group.form == form) {
            Some(index) => index,
            None => {
                self.views.push(Value::Null);
                self.groups.push(Group {
                    form,
                    bytes: Vec::new(),
                    count: 0,
                    view: self.views.len() as u32 - 1,
                });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[index];
        let offset = group.bytes.len();
        group.bytes.extend_from_slice(rows);
        group.count += column.count;
        Ok((group.view, offset))
    }

    /// Encodes the compressed columns; nothing is added after it.
    pub fn finish(&mut self) -> Result<()> {
        let bytes = std::mem::take(&mut self.sparse.bytes);
        if let Some(view) = self.sparse.view {
            self.align();
            self.views[view as usize] = json!({
                "buffer": 0,
                "byteOffset": self.bin.len(),
                "byteLength": bytes.len(),
            });
            self.bin.extend_from_slice(&bytes);
        }
        let groups = std::mem::take(&mut self.groups);
        let encode = |group: &Group| encoded(&group.form, group.count, &group.bytes);
        let streams: Vec<Vec<u8>> = groups.par_iter().map(encode).collect::<Result<_>>()?;
        for (group, bytes) in groups.iter().zip(streams) {
            self.align();
            let mut view = group.view(self.bin.len(), bytes.len(), self.unpacked_length);
            if self.screen.is_some() {
                without_defaults(&mut view);
            }
            self.views[group.view as usize] = view;
            self.unpacked_length += group.bytes.len().next_multiple_of(4) as u64;
            self.bin.extend_from_slice(&bytes);
        }
        Ok(())
    }

    /// An accessor of a column; equal columns of one form share one.
    pub fn column(&mut self, column: &Column) -> Result<u32> {
        let key = Content {
            hash: hash_of(column.bytes),
            length: column.bytes.len(),
            form: column.form,
            bounded: column.min_max.is_some(),
        };
        if let Some(&index) = self.shared.get(&key) {
            return Ok(index);
        }
        let index = match self.sparse_column(column)? {
            Some(index) => index,
            None => self.dense_column(column)?,
        };
        self.shared.insert(key, index);
        Ok(index)
    }

    /// Writes a column as a sparse accessor if that is worth it.
    fn sparse_column(&mut self, column: &Column) -> Result<Option<u32>> {
        let Some(difference) = self.sparse.difference(column, &self.bin, self.packed) else {
            return Ok(None);
        };
        let base = difference.base;
        let accessor = self.accessor(column, base.map(|base| base.view));
        if difference.rows.is_empty() {
            return Ok(Some(accessor));
        }
        let parts = Parts::of(column, &difference.rows);
        let (indices, values) = if self.packed {
            let (indices, values) = parts.columns();
            self.extension("EXT_meshopt_compression", true);
            (self.grouped(&indices)?, self.grouped(&values)?)
        } else {
            let view = *self.sparse.view.get_or_insert_with(|| {
                self.views.push(Value::Null);
                self.views.len() as u32 - 1
            });
            let indices = self.sparse.append(&parts.indices);
            let values = self.sparse.append(&parts.values);
            ((view, indices), (view, values))
        };
        self.accessors[accessor as usize]["sparse"] = parts.json(indices, values);
        Ok(Some(accessor))
    }

    fn dense_column(&mut self, column: &Column) -> Result<u32> {
        if self.packed && column.count > 0 {
            self.extension("EXT_meshopt_compression", true);
            let (view, offset) = self.grouped(column)?;
            let accessor = self.accessor(column, Some(view));
            if offset > 0 {
                self.accessors[accessor as usize]["byteOffset"] = offset.into();
            }
            return Ok(accessor);
        }
        let view = self.plain_view(column);
        self.sparse.note(column, view, self.bin.len());
        Ok(self.accessor(column, Some(view)))
    }

    /// The accessor of a column whose bytes are in `view`, or elsewhere (in a Draco stream).
    pub fn accessor(&mut self, column: &Column, view: Option<u32>) -> u32 {
        let mut accessor = json!({
            "componentType": column.form.component,
            "count": column.count,
            "type": column.form.kind,
        });
        if let Some(view) = view {
            accessor["bufferView"] = view.into();
        }
        if column.form.normalized {
            accessor["normalized"] = true.into();
        }
        if let Some((min, max)) = &column.min_max {
            accessor["min"] = numbers(min, column.form.component);
            accessor["max"] = numbers(max, column.form.component);
        }
        self.accessors.push(accessor);
        self.accessors.len() as u32 - 1
    }
}

impl Group {
    /// The view of `length` encoded bytes at `offset`, decoded to `unpacked` in the fallback buffer.
    fn view(&self, offset: usize, length: usize, unpacked: u64) -> Value {
        let mut packed = json!({
            "buffer": 0,
            "byteOffset": offset,
            "byteLength": length,
            "byteStride": self.form.stride,
            "count": self.count,
            "mode": match self.form.pack {
                Pack::Attributes => "ATTRIBUTES",
                Pack::Triangles => "TRIANGLES",
                Pack::Indices => "INDICES",
            },
        });
        if let Some(filter) = self.form.filter {
            packed["filter"] = filter.into();
        }
        let mut view = json!({
            "buffer": 1,
            "byteOffset": unpacked,
            "byteLength": self.bytes.len(),
        });
        if self.form.target == Some(34962) {
            view["byteStride"] = self.form.stride.into();
        }
        if let Some(target) = self.form.target {
            view["target"] = target.into();
        }
        view["extensions"] = json!({"EXT_meshopt_compression": packed});
        view
    }
}

/// Drops offsets of zero, also in the extension.
fn without_defaults(view: &mut Value) {
    let Value::Object(fields) = view else { return };
    fields.retain(|name, value| name != "byteOffset" || *value != 0);
    if let Some(Value::Object(extensions)) = fields.get_mut("extensions") {
        extensions.values_mut().for_each(without_defaults);
    }
}

/// Fractions within `value` in the shortest text that is the same in single precision, which is all that graphics cards
/// read: readers of other formats, and exporters, write 0.800000011920929 for 0.8.
pub fn shortened(value: &Value) -> Value {
    match value {
        Value::Number(n) if n.is_f64() => match n.as_f64().map(|v| v as f32) {
            Some(v) if v.is_finite() => single(v),
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(shortened).collect(),
        Value::Object(fields) => {
            let short = |(name, field): (&String, &Value)| (name.clone(), shortened(field));
            Value::Object(fields.iter().map(short).collect())
        }
        _ => value.clone(),
    }
}

/// Numbers in their shortest text.
pub fn floats(values: &[f32]) -> Value {
    let values: Vec<f64> = values.iter().map(|v| f64::from(*v)).collect();
    numbers(&values, 5126)
}

fn numbers(values: &[f64], component: u32) -> Value {
    let number = |v: &f64| match component {
        5126 => single(*v as f32),
        _ => json!(*v as i64),
    };
    values.iter().map(number).collect()
}

/// A number whose text is the shortest that parses to `value`.
pub fn single(value: f32) -> Value {
    // Below that every whole number has a float of its own.
    if value.fract() == 0.0 && value.abs() < 16_777_216.0 {
        return json!(value as i32);
    }
    format!("{value:?}")
        .parse::<f64>()
        .map_or(Value::Null, |v| json!(v))
}

fn hash_of(bytes: &[u8]) -> u64 {
    // The standard library's hash takes longer than writing.
    foldhash::quality::FixedState::default().hash_one(bytes)
}

/// Little-endian bytes of a slice of plain numbers.
pub fn bytes_of<T: Plain>(rows: &[T]) -> &[u8] {
    // SAFETY: `Plain` types are numbers or arrays of them, without padding, and the
    // crate is built for little-endian machines only (asserted in `document`).
    unsafe { std::slice::from_raw_parts(rows.as_ptr().cast(), std::mem::size_of_val(rows)) }
}

/// Numbers and arrays of numbers.
///
/// # Safety
/// No padding, any bit pattern readable as bytes.
pub unsafe trait Plain {}
unsafe impl Plain for f32 {}
unsafe impl Plain for u8 {}
unsafe impl Plain for i8 {}
unsafe impl Plain for u16 {}
unsafe impl Plain for i16 {}
unsafe impl Plain for u32 {}
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// Smallest and largest of each of `N` columns.
pub fn min_max<const N: usize, T: Copy + Into<f64>>(rows: &[[T; N]]) -> (Vec<f64>, Vec<f64>) {
    let (mut min, mut max) = (vec![f64::INFINITY; N], vec![f64::NEG_INFINITY; N]);
    for row in rows {
        for k in 0..N {
            let v: f64 = row[k].into();
            min[k] = min[k].min(v);
            max[k] = max[k].max(v);
        }
    }
    (min, max)
}
