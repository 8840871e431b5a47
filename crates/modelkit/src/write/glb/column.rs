//! Columns of an accessor, and their compressed streams.

use crate::{Error, Result};
use meshopt::ffi;

/// How a compressed view is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pack {
    Attributes,
    Triangles,
    Indices,
}

/// What columns of one compressed view have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Form {
    /// Bytes of a row.
    pub stride: usize,
    /// 5120…5126.
    pub component: u32,
    pub kind: &'static str,
    pub normalized: bool,
    /// 34962 vertices, 34963 indices, `None` for other data.
    pub target: Option<u32>,
    pub pack: Pack,
    /// EXT_meshopt_compression filter the bytes were encoded for.
    pub filter: Option<&'static str>,
}

/// One accessor to be written. `bytes` holds `count` rows.
pub struct Column<'a> {
    pub form: Form,
    pub bytes: &'a [u8],
    pub count: usize,
    /// Only few rows may differ from zero (morph targets).
    pub sparse: bool,
    pub min_max: Option<(Vec<f64>, Vec<f64>)>,
}

impl Form {
    /// Bytes of a row without padding.
    pub fn element(&self) -> usize {
        let width = match self.kind {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 1,
        };
        let size = match self.component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        width * size
    }
}

impl Column<'_> {
    /// Encoded for a filter of EXT_meshopt_compression.
    pub fn filtered(mut self, filter: &'static str) -> Self {
        self.form.filter = Some(filter);
        self
    }

    /// With the least and largest values of its components.
    pub fn bounded(mut self, min_max: (Vec<f64>, Vec<f64>)) -> Self {
        self.min_max = Some(min_max);
        self
    }
}

/// A vertex attribute.
pub fn vertices<'a>(
    bytes: &'a [u8],
    count: usize,
    component: u32,
    kind: &'static str,
    normalized: bool,
) -> Column<'a> {
    Column {
        form: Form {
            stride: bytes.len().checked_div(count).unwrap_or(0),
            component,
            kind,
            normalized,
            target: Some(34962),
            pack: Pack::Attributes,
            filter: None,
        },
        bytes,
        count,
        sparse: false,
        min_max: None,
    }
}

/// `count` rows of a compressed view as its stream.
pub fn encoded(form: &Form, count: usize, bytes: &[u8]) -> Result<Vec<u8>> {
    let stride = form.stride;
    let whole = count.checked_mul(stride) == Some(bytes.len());
    if !whole || (form.pack == Pack::Attributes && !stride.is_multiple_of(4)) {
        return Err(Error::Internal("column of a wrong size".into()));
    }
    if form.pack == Pack::Attributes {
        // SAFETY: the bound gives the space the encoder needs; the source holds `count` rows of `stride` bytes, a
        // multiple of four, as checked above. EXT_meshopt_compression requires codec version 0.
        unsafe {
            let bound = ffi::meshopt_encodeVertexBufferBound(count, stride);
            let mut out = vec![0u8; bound];
            let source = bytes.as_ptr().cast();
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
    let indices: Vec<u32> = bytes.chunks_exact(stride).map(wide).collect();
    let vertices = indices.iter().max().map_or(0, |m| *m as usize + 1);
    let out = match form.pack {
        Pack::Triangles => meshopt::encode_index_buffer(&indices, vertices),
        _ => meshopt::encode_index_sequence(&indices, vertices),
    };
    out.map_err(|e| Error::Internal(format!("index encoding: {e}")))
}

/// Neither vertices nor indices.
pub fn data<'a>(bytes: &'a [u8], count: usize, component: u32, kind: &'static str) -> Column<'a> {
    let mut column = vertices(bytes, count, component, kind, false);
    column.form.target = None;
    column
}
