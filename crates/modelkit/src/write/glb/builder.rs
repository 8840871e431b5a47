//! The binary chunk: buffer views and accessors.

use super::quantize::Texels;
use crate::{Error, Result};
use meshopt::ffi;
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a compressed view is encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pack {
    Attributes,
    Triangles,
    Indices,
}

/// One accessor to be written. `bytes` holds `count` rows of `stride` bytes.
pub struct Column<'a> {
    pub bytes: &'a [u8],
    pub stride: usize,
    pub count: usize,
    /// 5120…5126.
    pub component: u32,
    pub kind: &'static str,
    pub normalized: bool,
    /// 34962 vertices, 34963 indices, `None` for other data.
    pub target: Option<u32>,
    pub pack: Pack,
    /// EXT_meshopt_compression filter the bytes were encoded for.
    pub filter: Option<&'static str>,
    pub min_max: Option<(Vec<f64>, Vec<f64>)>,
}

/// Columns of one form, which share a compressed view: a view costs some 300 bytes of JSON.
struct Group {
    form: Form,
    bytes: Vec<u8>,
    count: usize,
    /// Number of its view.
    view: u32,
}

#[derive(Clone, Copy, PartialEq)]
struct Form {
    stride: usize,
    component: u32,
    kind: &'static str,
    normalized: bool,
    target: Option<u32>,
    pack: Pack,
    filter: Option<&'static str>,
}

/// A column by its content and form. The bounds are included, since only the inputs of clips have them and none may serve
/// as an output.
#[derive(PartialEq, Eq, Hash)]
struct Content {
    hash: u64,
    length: usize,
    component: u32,
    kind: &'static str,
    bounded: bool,
    filter: Option<&'static str>,
}

#[derive(Default)]
pub struct Builder {
    pub bin: Vec<u8>,
    /// Those of compressed columns are null until [`Builder::finish`].
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub packed: bool,
    /// For screens only: how fine its textures are.
    pub screen: Option<Texels>,
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

    /// A view of raw bytes, never compressed (images).
    pub fn raw_view(&mut self, bytes: &[u8]) -> u32 {
        self.align();
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend_from_slice(bytes);
        self.views.push(view);
        self.views.len() as u32 - 1
    }

    /// A view of an uncompressed column.
    fn plain_view(&mut self, column: &Column) -> u32 {
        self.align();
        let mut view = Map::new();
        view.insert("buffer".into(), 0.into());
        view.insert("byteOffset".into(), self.bin.len().into());
        view.insert("byteLength".into(), column.bytes.len().into());
        if column.target == Some(34962) {
            view.insert("byteStride".into(), column.stride.into());
        }
        if let Some(target) = column.target {
            view.insert("target".into(), target.into());
        }
        self.bin.extend_from_slice(column.bytes);
        self.views.push(Value::Object(view));
        self.views.len() as u32 - 1
    }

    /// Adds a column to its group; returns the view and the column's offset in it.
    fn grouped(&mut self, column: &Column) -> Result<(u32, usize)> {
        let rows = column.bytes.get(..column.count * column.stride);
        let aligned = column.pack != Pack::Attributes || column.stride.is_multiple_of(4);
        let Some(rows) = rows.filter(|_| aligned) else {
            return Err(Error::Internal("column of a wrong size".into()));
        };
        let form = Form {
            stride: column.stride,
            component: column.component,
            kind: column.kind,
            normalized: column.normalized,
            target: column.target,
            pack: column.pack,
            filter: column.filter,
        };
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
        let groups = std::mem::take(&mut self.groups);
        let encoded: Vec<Vec<u8>> = groups.par_iter().map(encode).collect::<Result<_>>()?;
        for (group, bytes) in groups.iter().zip(encoded) {
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

    pub fn column(&mut self, column: &Column) -> Result<u32> {
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
        Ok(self.accessor(column, Some(view)))
    }

    /// The accessor of a column whose bytes are in `view`, or elsewhere (in a Draco stream).
    pub fn accessor(&mut self, column: &Column, view: Option<u32>) -> u32 {
        let mut accessor = json!({
            "componentType": column.component,
            "count": column.count,
            "type": column.kind,
        });
        if let Some(view) = view {
            accessor["bufferView"] = view.into();
        }
        if column.normalized {
            accessor["normalized"] = true.into();
        }
        if let Some((min, max)) = &column.min_max {
            accessor["min"] = numbers(min, column.component);
            accessor["max"] = numbers(max, column.component);
        }
        self.accessors.push(accessor);
        self.accessors.len() as u32 - 1
    }

    /// Like [`Builder::column`], but equal data is stored once.
    pub fn shared_column(&mut self, column: &Column) -> Result<u32> {
        let mut hasher = DefaultHasher::new();
        column.bytes.hash(&mut hasher);
        let key = Content {
            hash: hasher.finish(),
            length: column.bytes.len(),
            component: column.component,
            kind: column.kind,
            bounded: column.min_max.is_some(),
            filter: column.filter,
        };
        if let Some(&index) = self.shared.get(&key) {
            return Ok(index);
        }
        let index = self.column(column)?;
        self.shared.insert(key, index);
        Ok(index)
    }

    /// Zeros: an accessor without data.
    pub fn zeros(&mut self, count: usize) -> u32 {
        self.accessors.push(json!({
            "componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0],
        }));
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

fn encode(group: &Group) -> Result<Vec<u8>> {
    let (count, stride) = (group.count, group.form.stride);
    if group.form.pack == Pack::Attributes {
        // SAFETY: the bound gives the space the encoder needs; the source holds `count` rows of `stride` bytes, a
        // multiple of four, as checked when they were added. EXT_meshopt_compression requires codec version 0.
        unsafe {
            let bound = ffi::meshopt_encodeVertexBufferBound(count, stride);
            let mut out = vec![0u8; bound];
            let source = group.bytes.as_ptr().cast();
            let size = ffi::meshopt_encodeVertexBufferLevel(
                out.as_mut_ptr(),
                bound,
                source,
                count,
                stride,
                2,
                0,
            );
            out.truncate(size);
            return Ok(out);
        }
    }
    let wide = |c: &[u8]| match c {
        [a, b, c, d] => u32::from_le_bytes([*a, *b, *c, *d]),
        [a, b] => u32::from(u16::from_le_bytes([*a, *b])),
        _ => 0,
    };
    let indices: Vec<u32> = group.bytes.chunks_exact(stride).map(wide).collect();
    let vertices = indices.iter().max().map_or(0, |m| *m as usize + 1);
    let out = match group.form.pack {
        Pack::Triangles => meshopt::encode_index_buffer(&indices, vertices),
        _ => meshopt::encode_index_sequence(&indices, vertices),
    };
    out.map_err(|e| Error::Internal(format!("index encoding: {e}")))
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
