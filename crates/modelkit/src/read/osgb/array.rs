//! Vertex arrays and primitive sets.

use super::model::Geometry;
use super::stream::{Stream, broken};
use crate::Result;

/// A vertex array, with `width` numbers per row.
#[derive(Clone)]
pub struct Array {
    pub width: usize,
    pub values: Values,
    pub binding: i32,
    pub normalize: bool,
}

#[derive(Clone)]
pub enum Values {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I8(Vec<i8>),
    U8(Vec<u8>),
    I16(Vec<i16>),
    U16(Vec<u16>),
    I32(Vec<i32>),
    U32(Vec<u32>),
}

/// An array that is not used.
pub const OFF: i32 = 0;
/// One value for the whole drawable.
pub const OVERALL: i32 = 1;
/// One value per primitive set.
pub const PER_SET: i32 = 2;
/// One value per vertex.
pub const PER_VERTEX: i32 = 4;

/// Component type and width of the array types, by number and by class name.
const TYPES: &[(u32, &str, u8, usize)] = &[
    (0, "osg::ByteArray", b'b', 1),
    (1, "osg::UByteArray", b'B', 1),
    (2, "osg::ShortArray", b'h', 1),
    (3, "osg::UShortArray", b'H', 1),
    (4, "osg::IntArray", b'i', 1),
    (5, "osg::UIntArray", b'I', 1),
    (6, "osg::FloatArray", b'f', 1),
    (7, "osg::DoubleArray", b'd', 1),
    (8, "osg::Vec2bArray", b'b', 2),
    (9, "osg::Vec3bArray", b'b', 3),
    (10, "osg::Vec4bArray", b'b', 4),
    (11, "osg::Vec4ubArray", b'B', 4),
    (12, "osg::Vec2sArray", b'h', 2),
    (13, "osg::Vec3sArray", b'h', 3),
    (14, "osg::Vec4sArray", b'h', 4),
    (15, "osg::Vec2Array", b'f', 2),
    (16, "osg::Vec3Array", b'f', 3),
    (17, "osg::Vec4Array", b'f', 4),
    (18, "osg::Vec2dArray", b'd', 2),
    (19, "osg::Vec3dArray", b'd', 3),
    (20, "osg::Vec4dArray", b'd', 4),
    (21, "osg::Vec2ubArray", b'B', 2),
    (22, "osg::Vec3ubArray", b'B', 3),
    (23, "osg::Vec2usArray", b'H', 2),
    (24, "osg::Vec3usArray", b'H', 3),
    (25, "osg::Vec4usArray", b'H', 4),
    (26, "osg::Vec2iArray", b'i', 2),
    (27, "osg::Vec3iArray", b'i', 3),
    (28, "osg::Vec4iArray", b'i', 4),
    (29, "osg::Vec2uiArray", b'I', 2),
    (30, "osg::Vec3uiArray", b'I', 3),
    (31, "osg::Vec4uiArray", b'I', 4),
];

/// Whether a class is a vertex array.
pub fn is_array(class: &str) -> bool {
    TYPES.iter().any(|t| t.1 == class)
}

impl Array {
    /// Rows of the array type `kind` (files before version 112).
    pub fn of_kind(s: &mut Stream, kind: u32) -> Result<Array> {
        let found = TYPES.iter().find(|t| t.0 == kind).ok_or_else(broken)?;
        Array::rows(s, found.2, found.3, true)
    }

    /// Rows of the array class `class` (files from version 112).
    pub fn of_class(s: &mut Stream, class: &str) -> Result<Array> {
        let found = TYPES.iter().find(|t| t.1 == class).ok_or_else(broken)?;
        Array::rows(s, found.2, found.3, false)
    }

    fn rows(s: &mut Stream, component: u8, width: usize, bracketed: bool) -> Result<Array> {
        let size = s.u32()? as usize;
        let n = size.checked_mul(width).ok_or_else(broken)?;
        if bracketed {
            s.open()?;
        }
        let values = match component {
            b'b' => Values::I8(s.rows(n, i8::from_le_bytes)?),
            b'B' => Values::U8(s.rows(n, u8::from_le_bytes)?),
            b'h' => Values::I16(s.rows(n, i16::from_le_bytes)?),
            b'H' => Values::U16(s.rows(n, u16::from_le_bytes)?),
            b'i' => Values::I32(s.rows(n, i32::from_le_bytes)?),
            b'I' => Values::U32(s.rows(n, u32::from_le_bytes)?),
            b'd' => Values::F64(s.rows(n, f64::from_le_bytes)?),
            _ => Values::F32(s.rows(n, f32::from_le_bytes)?),
        };
        if bracketed {
            s.close();
        }
        Ok(Array {
            width,
            values,
            binding: -1,
            normalize: false,
        })
    }

    pub fn length(&self) -> usize {
        let numbers = match &self.values {
            Values::F32(v) => v.len(),
            Values::F64(v) => v.len(),
            Values::I8(v) => v.len(),
            Values::U8(v) => v.len(),
            Values::I16(v) => v.len(),
            Values::U16(v) => v.len(),
            Values::I32(v) => v.len(),
            Values::U32(v) => v.len(),
        };
        numbers / self.width
    }

    fn number(&self, at: usize) -> f64 {
        let get = |v: Option<f64>| v.unwrap_or(0.0);
        match &self.values {
            Values::F32(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::F64(v) => get(v.get(at).copied()),
            Values::I8(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::U8(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::I16(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::U16(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::I32(v) => get(v.get(at).map(|v| f64::from(*v))),
            Values::U32(v) => get(v.get(at).map(|v| f64::from(*v))),
        }
    }

    /// Integer value that normalises to 1.0; 1 for floats.
    fn unit(&self) -> f64 {
        match &self.values {
            Values::F32(_) | Values::F64(_) => 1.0,
            Values::I8(_) => 127.0,
            Values::U8(_) => 255.0,
            Values::I16(_) => 32_767.0,
            Values::U16(_) => 65_535.0,
            Values::I32(_) => 2_147_483_647.0,
            Values::U32(_) => 4_294_967_295.0,
        }
    }

    fn row<const N: usize>(&self, row: usize, scale: f64, missing: f64) -> [f64; N] {
        let mut out = [missing; N];
        for (k, value) in out.iter_mut().enumerate().take(self.width) {
            *value = self.number(row * self.width + k) / scale;
        }
        out
    }

    /// Positions and the origin they are relative to.
    pub fn positions(&self) -> ([f64; 3], Vec<[f32; 3]>) {
        if let (Values::F32(values), 3) = (&self.values, self.width) {
            return ([0.0; 3], values.as_chunks::<3>().0.to_vec());
        }
        let first: [f64; 3] = self.row(0, 1.0, 0.0);
        let origin = if first.iter().all(|v| v.is_finite()) {
            first
        } else {
            [0.0; 3]
        };
        let at = |row| -> [f32; 3] {
            let p: [f64; 3] = self.row(row, 1.0, 0.0);
            std::array::from_fn(|k| (p[k] - origin[k]) as f32)
        };
        (origin, (0..self.length()).map(at).collect())
    }

    /// Normals, UVs: rows of floats; integers are normalised if the array is marked so, or if `always` is set.
    pub fn floats<const N: usize>(&self, always: bool, missing: f64) -> Vec<[f32; N]> {
        let scale = if always || self.normalize {
            self.unit()
        } else {
            1.0
        };
        let row = |row| self.row::<N>(row, scale, missing).map(|v| v as f32);
        (0..self.length()).map(row).collect()
    }

    /// The rows selected by `indices`; an index out of range is an error.
    pub fn gathered(&self, indices: &Array) -> Result<Array> {
        let count = self.length();
        let mut picks = Vec::with_capacity(indices.length());
        for i in 0..indices.length() {
            let at = indices.number(i);
            if !(at >= 0.0 && (at as usize) < count) {
                return Err(broken());
            }
            picks.push(at as usize);
        }
        let rows = picks
            .iter()
            .flat_map(|&p| self.row::<4>(p, 1.0, 0.0)[..self.width.min(4)].to_vec());
        let values = match &self.values {
            Values::F64(_) => Values::F64(rows.collect()),
            Values::U8(_) => Values::U8(rows.map(|v| v as u8).collect()),
            _ => Values::F32(rows.map(|v| v as f32).collect()),
        };
        Ok(Array {
            values,
            ..self.clone()
        })
    }
}

/// A primitive set: primitive type and vertex order.
#[derive(Clone)]
pub struct Draw {
    /// OpenGL value: 4 triangles, 5 strip, 6 fan, 7 quads, 8 quad strip, 9 polygon.
    pub mode: u32,
    pub order: Order,
}

#[derive(Clone)]
pub enum Order {
    /// First vertex and count.
    Range(i32, i32),
    /// First vertex and the lengths of runs.
    Runs(i32, Vec<i32>),
    Listed(Vec<u32>),
}

impl Draw {
    /// The body of the primitive set `kind` (50 … 54); `bracketed` in files before version 112.
    pub fn body(s: &mut Stream, kind: u32, bracketed: bool) -> Result<Order> {
        if kind == 50 {
            return Ok(Order::Range(s.i32()?, s.i32()?));
        }
        let first = if kind == 51 { s.i32()? } else { 0 };
        let each = match kind {
            52 => 1,
            53 => 2,
            51 | 54 => 4,
            _ => return Err(broken()),
        };
        let count = s.count(each)?;
        if bracketed {
            s.open()?;
        }
        let order = match kind {
            51 => Order::Runs(first, s.rows(count, i32::from_le_bytes)?),
            52 => Order::Listed(s.rows(count, |b: [u8; 1]| u32::from(b[0]))?),
            53 => Order::Listed(s.rows(count, |b| u32::from(u16::from_le_bytes(b)))?),
            _ => Order::Listed(s.rows(count, u32::from_le_bytes)?),
        };
        if bracketed {
            s.close();
        }
        Ok(order)
    }

    /// Adds the triangles to a geometry; returns false if nothing of it can be shown: points, lines, ranges outside the
    /// vertices.
    pub fn add_to(&self, geometry: &mut Geometry, most: usize) -> Result<bool> {
        if !(4..=9).contains(&self.mode) {
            return Ok(false);
        }
        let count = geometry.positions.len() as u32;
        let range = |first: i32, length: i32| {
            let (first, length) = (u32::try_from(first).ok()?, u32::try_from(length).ok()?);
            let end = first.checked_add(length)?;
            (end <= count).then_some(first..end)
        };
        let out = &mut geometry.indices;
        match &self.order {
            Order::Range(first, length) => match range(*first, *length) {
                Some(run) => triangles(self.mode, &run.collect::<Vec<_>>(), out, most)?,
                None => return Ok(false),
            },
            Order::Runs(first, lengths) => {
                let mut at = *first;
                for &length in lengths {
                    let Some(run) = range(at, length) else {
                        return Ok(false);
                    };
                    at += length;
                    triangles(self.mode, &run.collect::<Vec<_>>(), out, most)?;
                }
            }
            Order::Listed(list) => {
                if list.iter().any(|&i| i >= count) {
                    return Ok(false);
                }
                triangles(self.mode, list, out, most)?;
            }
        }
        Ok(true)
    }
}

/// Triangulates one run of vertices; triangles with repeated indices are left out.
fn triangles(mode: u32, run: &[u32], out: &mut Vec<u32>, most: usize) -> Result<()> {
    if out.len() + run.len().saturating_mul(3) > most {
        return Err(crate::Error::TooLarge(
            "OSGB 文件的三角形数量超出上限，请拆分模型后重新上传".into(),
        ));
    }
    let mut push = |a: u32, b: u32, c: u32| {
        if a != b && b != c && a != c {
            out.extend([a, b, c]);
        }
    };
    match mode {
        4 => run
            .as_chunks::<3>()
            .0
            .iter()
            .for_each(|&[a, b, c]| push(a, b, c)),
        5 => {
            for (i, w) in run.windows(3).enumerate() {
                match i % 2 {
                    0 => push(w[0], w[1], w[2]),
                    _ => push(w[1], w[0], w[2]),
                }
            }
        }
        7 => {
            for &[a, b, c, d] in run.as_chunks::<4>().0 {
                push(a, b, c);
                push(a, c, d);
            }
        }
        8 => {
            for w in run.windows(4).step_by(2) {
                push(w[0], w[1], w[2]);
                push(w[1], w[3], w[2]);
            }
        }
        _ => {
            for w in run.get(1..).unwrap_or_default().windows(2) {
                push(run[0], w[0], w[1]);
            }
        }
    }
    Ok(())
}
