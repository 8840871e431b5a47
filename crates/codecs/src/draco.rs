//! Draco meshes (bitstreams up to 2.2), decoded to and encoded from columns of numbers.

use crate::{CodecError, Result};
use std::ffi::{c_int, c_void};
use std::ptr::{self, NonNull};

/// glTF component types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

impl Component {
    /// The component of a glTF component type.
    pub fn of(number: u32) -> Option<Component> {
        use Component::{F32, I8, I16, U8, U16, U32};
        [I8, U8, I16, U16, U32, F32]
            .into_iter()
            .find(|c| *c as u32 == number)
    }

    /// Size in bytes.
    pub fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }
}

/// The attribute's semantic; it selects Draco's prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Role {
    Position = 0,
    Normal = 1,
    Color = 2,
    TexCoord = 3,
    Generic = 4,
}

/// One vertex attribute to be encoded: `bytes` holds a row of `width` components for each vertex, little-endian.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    pub role: Role,
    pub component: Component,
    pub width: u32,
    pub normalized: bool,
    /// Bits floats are quantised to; 0 keeps every value exact.
    pub bits: u8,
    /// The quantisation grid; `None` fits it to the column's own bounding box.
    pub steps: Option<Steps>,
    pub bytes: &'a [u8],
}

/// Quantised values: `origin + step · q`, so that columns of several streams can be bit-identical.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steps {
    pub origin: [f32; 3],
    pub step: f32,
}

/// An encoded mesh. A column's unique id is its position in the input.
#[derive(Debug, Clone)]
pub struct Packed {
    pub bytes: Vec<u8>,
    /// Vertices and triangles a decoder will return.
    pub points: usize,
    pub faces: usize,
}

#[repr(C)]
struct RawMesh {
    _private: [u8; 0],
}

#[repr(C)]
struct RawPacked {
    _private: [u8; 0],
}

#[repr(C)]
struct RawColumn {
    data: *const c_void,
    component: u32,
    width: u32,
    role: u32,
    normalized: u32,
    bits: i32,
    origin: [f32; 3],
    range: f32,
}

unsafe extern "C" {
    fn xl_draco_decode(
        data: *const u8,
        length: usize,
        most_faces: u32,
        most_points: u32,
        out: *mut *mut RawMesh,
    ) -> c_int;
    fn xl_draco_free(mesh: *mut RawMesh);
    fn xl_draco_points(mesh: *const RawMesh) -> u32;
    fn xl_draco_faces(mesh: *const RawMesh) -> u32;
    fn xl_draco_indices(mesh: *const RawMesh, out: *mut u32);
    fn xl_draco_attribute(
        mesh: *const RawMesh,
        unique_id: u32,
        component: u32,
        width: u32,
        out: *mut c_void,
    ) -> c_int;
    fn xl_draco_encode(
        columns: *const RawColumn,
        column_count: usize,
        points: u32,
        indices: *const u32,
        faces: u32,
        keep_order: c_int,
        speed: c_int,
        out: *mut *mut RawPacked,
    ) -> c_int;
    fn xl_draco_packed_free(packed: *mut RawPacked);
    fn xl_draco_packed_bytes(
        packed: *const RawPacked,
        length: *mut usize,
        points: *mut usize,
        faces: *mut usize,
    ) -> *const u8;
}

fn checked(code: c_int) -> Result<()> {
    match code {
        0 => Ok(()),
        2 => Err(CodecError::TooLarge),
        _ => Err(CodecError::Broken),
    }
}

/// A decoded mesh; its columns are fetched by unique id.
pub struct DracoMesh(NonNull<RawMesh>);

impl Drop for DracoMesh {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `xl_draco_decode` and is freed once.
        unsafe { xl_draco_free(self.0.as_ptr()) }
    }
}

/// Decodes a triangle mesh of at most `most_faces` triangles and `most_points` vertices. The counts the stream declares
/// are checked first, also against its length: no encoder packs more than some ten thousand triangles into a byte.
pub fn decode_draco(bytes: &[u8], most_faces: usize, most_points: usize) -> Result<DracoMesh> {
    let by_length = (1 << 20) + bytes.len().saturating_mul(20_000);
    let most = |count: usize| u32::try_from(count.min(by_length)).unwrap_or(u32::MAX);
    let mut out = ptr::null_mut();
    // SAFETY: a live slice and a live pointer to write to.
    let code = unsafe {
        xl_draco_decode(
            bytes.as_ptr(),
            bytes.len(),
            most(most_faces),
            most(most_points),
            &raw mut out,
        )
    };
    checked(code)?;
    NonNull::new(out).map(DracoMesh).ok_or(CodecError::Broken)
}

impl DracoMesh {
    /// Number of vertices.
    pub fn points(&self) -> usize {
        // SAFETY: the mesh lives as long as `self`; so in the calls below.
        unsafe { xl_draco_points(self.0.as_ptr()) as usize }
    }

    /// Three vertex indices per triangle, each below [`DracoMesh::points`] unless the stream is malformed.
    pub fn indices(&self) -> Vec<u32> {
        let faces = unsafe { xl_draco_faces(self.0.as_ptr()) as usize };
        let mut out = vec![0; faces * 3];
        // SAFETY: three numbers for each face.
        unsafe { xl_draco_indices(self.0.as_ptr(), out.as_mut_ptr()) }
        out
    }

    /// A column as rows of `width` (1…4) components, one per vertex, little-endian.
    pub fn column(&self, unique_id: u32, component: Component, width: u32) -> Result<Vec<u8>> {
        if !(1..=4).contains(&width) {
            return Err(CodecError::Broken);
        }
        let mut out = vec![0u8; self.points() * width as usize * component.size()];
        // SAFETY: `out` holds `width` components for each point; the shim writes unaligned types through memcpy-free
        // stores, so the buffer comes from the allocator aligned to at least 8 bytes.
        checked(unsafe {
            xl_draco_attribute(
                self.0.as_ptr(),
                unique_id,
                component as u32,
                width,
                out.as_mut_ptr().cast(),
            )
        })?;
        Ok(out)
    }
}

/// Encodes a triangle mesh of `points` vertices. `keep_order` keeps the order of vertices and triangles (larger; for
/// meshes with data outside the stream); `speed` runs from 0 (smallest) to 10.
pub fn encode_draco(
    columns: &[Column],
    points: usize,
    indices: &[u32],
    keep_order: bool,
    speed: u8,
) -> Result<Packed> {
    let count = u32::try_from(points).map_err(|_| CodecError::TooLarge)?;
    let faces = u32::try_from(indices.len() / 3).map_err(|_| CodecError::TooLarge)?;
    let fits = |c: &Column| {
        (1..=4).contains(&c.width)
            && c.bytes.len() == points * c.width as usize * c.component.size()
            && c.bits <= 30
            && (c.steps.is_none() || c.width <= 3)
    };
    if !columns.iter().all(fits) || indices.iter().any(|&i| i >= count) {
        return Err(CodecError::Broken);
    }
    let raw: Vec<RawColumn> = columns
        .iter()
        .map(|c| RawColumn {
            data: c.bytes.as_ptr().cast(),
            component: c.component as u32,
            width: c.width,
            role: c.role as u32,
            normalized: c.normalized.into(),
            bits: c.bits.into(),
            origin: c.steps.map_or([0.0; 3], |s| s.origin),
            range: c
                .steps
                .map_or(0.0, |s| s.step * ((1u64 << c.bits.min(30)) - 1) as f32),
        })
        .collect();
    let mut out = ptr::null_mut();
    // SAFETY: columns hold `points` rows and indices are in range, checked above.
    let code = unsafe {
        xl_draco_encode(
            raw.as_ptr(),
            raw.len(),
            count,
            indices.as_ptr(),
            faces,
            keep_order.into(),
            speed.min(10).into(),
            &raw mut out,
        )
    };
    checked(code)?;
    let (mut length, mut points, mut faces) = (0, 0, 0);
    // SAFETY: `out` is a live result; its bytes are copied before it is freed.
    let bytes = unsafe {
        let start = xl_draco_packed_bytes(out, &raw mut length, &raw mut points, &raw mut faces);
        let bytes = std::slice::from_raw_parts(start, length).to_vec();
        xl_draco_packed_free(out);
        bytes
    };
    if !keep_order {
        // Here the encoder only estimates its vertices, and counts some twice where attributes split them.
        points = decode_draco(&bytes, faces, indices.len())?.points();
    }
    Ok(Packed {
        bytes,
        points,
        faces,
    })
}
