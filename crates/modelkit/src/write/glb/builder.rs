//! The binary chunk: buffer views and accessors.

use crate::{Error, Result};
use meshopt::ffi;
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

#[derive(Default)]
pub struct Builder {
    pub bin: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    pub packed: bool,
    /// Images are written elsewhere.
    pub images_apart: bool,
    /// Decoded size of the compressed views in bytes.
    pub unpacked_length: u64,
    pub used: BTreeSet<String>,
    pub required: BTreeSet<String>,
    /// By content and form; the bounds are included, since only the inputs of clips have them and none may serve as an
    /// output.
    shared: HashMap<(u64, usize, u32, &'static str, bool), u32>,
}

impl Builder {
    pub fn new(packed: bool) -> Builder {
        Builder {
            packed,
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

    fn view(&mut self, column: &Column) -> Result<u32> {
        if self.packed && column.count > 0 {
            return self.packed_view(column);
        }
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
        Ok(self.views.len() as u32 - 1)
    }

    fn packed_view(&mut self, column: &Column) -> Result<u32> {
        let bytes = encode(column)?;
        self.align();
        let mut packed = json!({
            "buffer": 0,
            "byteOffset": self.bin.len(),
            "byteLength": bytes.len(),
            "byteStride": column.stride,
            "count": column.count,
            "mode": match column.pack {
                Pack::Attributes => "ATTRIBUTES",
                Pack::Triangles => "TRIANGLES",
                Pack::Indices => "INDICES",
            },
        });
        if let Some(filter) = column.filter {
            packed["filter"] = filter.into();
        }
        let mut view = json!({
            "buffer": 1,
            "byteOffset": self.unpacked_length,
            "byteLength": column.count * column.stride,
        });
        if column.target == Some(34962) {
            view["byteStride"] = column.stride.into();
        }
        if let Some(target) = column.target {
            view["target"] = target.into();
        }
        view["extensions"] = json!({"EXT_meshopt_compression": packed});
        self.unpacked_length += (column.count * column.stride).next_multiple_of(4) as u64;
        self.bin.extend_from_slice(&bytes);
        self.views.push(view);
        self.extension("EXT_meshopt_compression", true);
        Ok(self.views.len() as u32 - 1)
    }

    pub fn column(&mut self, column: &Column) -> Result<u32> {
        let view = self.view(column)?;
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
        let key = (
            hasher.finish(),
            column.bytes.len(),
            column.component,
            column.kind,
            column.min_max.is_some(),
        );
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

fn numbers(values: &[f64], component: u32) -> Value {
    let number = |v: &f64| match component {
        // The shortest text that parses to the same single-precision number.
        5126 => serde_json::from_str(&format!("{:?}", *v as f32)).unwrap_or_else(|_| json!(v)),
        _ => json!(*v as i64),
    };
    values.iter().map(number).collect()
}

fn encode(column: &Column) -> Result<Vec<u8>> {
    if column.pack == Pack::Attributes {
        if column.bytes.len() < column.count * column.stride || !column.stride.is_multiple_of(4) {
            return Err(Error::Internal("vertex column of a wrong size".into()));
        }
        // SAFETY: the bound gives the space the encoder needs; the source holds `count` rows of `stride` bytes, checked
        // above. EXT_meshopt_compression requires codec version 0.
        unsafe {
            let bound = ffi::meshopt_encodeVertexBufferBound(column.count, column.stride);
            let mut out = vec![0u8; bound];
            let source = column.bytes.as_ptr().cast();
            let (count, stride) = (column.count, column.stride);
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
    let indices: Vec<u32> = column.bytes.chunks_exact(column.stride).map(wide).collect();
    let vertices = indices.iter().max().map_or(0, |m| *m as usize + 1);
    let out = match column.pack {
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
