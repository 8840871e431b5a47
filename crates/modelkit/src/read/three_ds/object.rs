//! Objects: triangle meshes with UVs, materials and smoothing groups.

use super::chunk::Body;
use super::truncated;
use crate::Result;

const MESH: u16 = 0x4100;
const HIDDEN: u16 = 0x4010;
const VERTICES: u16 = 0x4110;
const FACES: u16 = 0x4120;
const FACE_MATERIAL: u16 = 0x4130;
const UVS: u16 = 0x4140;
const SMOOTHING: u16 = 0x4150;
const MATRIX: u16 = 0x4160;

/// A mesh as in the file: world space, Z up.
#[derive(Default)]
pub struct Object {
    pub name: String,
    pub positions: Vec<[f32; 3]>,
    /// One per position, or empty; v upwards.
    pub uvs: Vec<[f32; 2]>,
    pub triangles: Vec<[u16; 3]>,
    /// Bit sets, one per triangle, or empty.
    pub smoothing: Vec<u32>,
    /// Material names with the triangles they apply to.
    pub materials: Vec<(String, Vec<u16>)>,
    /// Three axes and the origin of the object's local frame.
    pub frame: Option<[f32; 12]>,
}

/// Reads an object; `None` for cameras, lights and hidden meshes.
pub fn read(mut body: Body) -> Result<Option<Object>> {
    let name = body.name().ok_or_else(truncated)?;
    let mut found = None;
    while let Some(chunk) = body.next_chunk()? {
        match chunk.id {
            MESH => found = Some(mesh(chunk.body)?),
            HIDDEN => return Ok(None),
            _ => {}
        }
    }
    let visible = found.filter(|mesh| !mesh.triangles.is_empty());
    Ok(visible.map(|mesh| Object { name, ..mesh }))
}

fn mesh(mut body: Body) -> Result<Object> {
    let mut object = Object::default();
    while let Some(mut chunk) = body.next_chunk()? {
        let body = &mut chunk.body;
        match chunk.id {
            VERTICES => object.positions = rows::<3>(body).ok_or_else(truncated)?,
            UVS => object.uvs = rows::<2>(body).ok_or_else(truncated)?,
            FACES => faces(body, &mut object)?,
            MATRIX => object.frame = body.floats(),
            _ => {}
        }
    }
    if object.uvs.len() != object.positions.len() {
        object.uvs.clear();
    }
    Ok(object)
}

/// A 16-bit count and that many rows of floats.
fn rows<const N: usize>(body: &mut Body) -> Option<Vec<[f32; N]>> {
    let count = usize::from(body.u16()?);
    let bytes = body.rows(count, N * 4)?;
    let float = |b: &[u8; 4]| f32::from_le_bytes(*b);
    let flat: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(float).collect();
    Some(flat.as_chunks::<N>().0.to_vec())
}

fn faces(body: &mut Body, object: &mut Object) -> Result<()> {
    let count = usize::from(body.u16().ok_or_else(truncated)?);
    // Three corners and a word of flags.
    let bytes = body.rows(count, 8).ok_or_else(truncated)?;
    let corner = |b: &[u8; 8], k: usize| u16::from_le_bytes([b[k * 2], b[k * 2 + 1]]);
    object.triangles = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| [corner(b, 0), corner(b, 1), corner(b, 2)])
        .collect();
    while let Some(mut chunk) = body.next_chunk()? {
        let body = &mut chunk.body;
        match chunk.id {
            FACE_MATERIAL => {
                let name = body.name().ok_or_else(truncated)?;
                let count = usize::from(body.u16().ok_or_else(truncated)?);
                let bytes = body.rows(count, 2).ok_or_else(truncated)?;
                let faces = bytes.as_chunks::<2>().0.iter();
                let faces = faces.map(|b| u16::from_le_bytes(*b)).collect();
                object.materials.push((name, faces));
            }
            SMOOTHING => {
                let bytes = body.rows(count, 4).ok_or_else(truncated)?;
                let groups = bytes.as_chunks::<4>().0.iter();
                object.smoothing = groups.map(|b| u32::from_le_bytes(*b)).collect();
            }
            _ => {}
        }
    }
    Ok(())
}
