//! Objects: triangle meshes with UVs, materials and smoothing groups; and cameras.

use super::chunk::Body;
use super::lost::Loss;
use super::optics::Camera;

const MESH: u16 = 0x4100;
const CAMERA: u16 = 0x4700;
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

/// What an object is.
pub enum Kind {
    Mesh(Object),
    Camera(Camera),
}

/// Reads the `number`th object; `None` for one that is hidden or empty.
pub fn read(mut body: Body, number: usize) -> Option<Kind> {
    let name = body.name();
    body.inside("物体", &name, number);
    let mut found: Option<Kind> = None;
    let mut hidden = false;
    while let Some(chunk) = body.next_chunk() {
        let again = found.is_some() && matches!(chunk.id, MESH | CAMERA);
        if again {
            body.lose(Loss::Twice, "物体内容");
        }
        match chunk.id {
            MESH => found = Some(Kind::Mesh(mesh(chunk.body))),
            CAMERA => found = Some(Kind::Camera(Camera::read(chunk.body))),
            HIDDEN => hidden = true,
            id => body.pass(id),
        }
    }
    if hidden {
        body.lose(Loss::Hidden, "");
        return None;
    }
    match found? {
        Kind::Mesh(mesh) if mesh.triangles.is_empty() => None,
        Kind::Mesh(mesh) => Some(Kind::Mesh(Object { name, ..mesh })),
        Kind::Camera(mut camera) => {
            camera.name = name;
            Some(Kind::Camera(camera))
        }
    }
}

fn mesh(mut body: Body) -> Object {
    let mut object = Object::default();
    while let Some(mut chunk) = body.next_chunk() {
        let body = &mut chunk.body;
        let known = match chunk.id {
            VERTICES => !object.positions.is_empty(),
            UVS => !object.uvs.is_empty(),
            FACES => !object.triangles.is_empty(),
            _ => false,
        };
        if known {
            body.lose(Loss::Twice, &format!("{:04X}", chunk.id));
        }
        match chunk.id {
            VERTICES => object.positions = rows::<3>(body),
            UVS => object.uvs = rows::<2>(body),
            FACES => faces(body, &mut object),
            MATRIX => object.frame = body.floats(),
            id => body.pass(id),
        }
    }
    let vertices = object.positions.len();
    if object.uvs.len() < vertices && !object.uvs.is_empty() {
        object.uvs.clear();
        body.lose(Loss::Uvs, "");
    }
    object.uvs.truncate(vertices);
    let beyond = |t: &&[u16; 3]| t.iter().any(|&corner| usize::from(corner) >= vertices);
    for _ in object.triangles.iter().filter(beyond) {
        body.lose(Loss::Beyond, "");
    }
    object
}

/// A 16-bit count and that many rows of floats.
fn rows<const N: usize>(body: &mut Body) -> Vec<[f32; N]> {
    let count = usize::from(body.u16().unwrap_or(0));
    let bytes = body.rows(count, N * 4);
    let float = |b: &[u8; 4]| f32::from_le_bytes(*b);
    let flat: Vec<f32> = bytes.as_chunks::<4>().0.iter().map(float).collect();
    flat.as_chunks::<N>().0.to_vec()
}

fn faces(body: &mut Body, object: &mut Object) {
    let count = usize::from(body.u16().unwrap_or(0));
    // Three corners and a word of flags.
    let bytes = body.rows(count, 8);
    let corner = |b: &[u8; 8], k: usize| u16::from_le_bytes([b[k * 2], b[k * 2 + 1]]);
    object.triangles = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| [corner(b, 0), corner(b, 1), corner(b, 2)])
        .collect();
    object.materials.clear();
    object.smoothing.clear();
    while let Some(mut chunk) = body.next_chunk() {
        let body = &mut chunk.body;
        match chunk.id {
            FACE_MATERIAL => {
                let name = body.name();
                let count = usize::from(body.u16().unwrap_or(0));
                let faces = body.rows(count, 2).as_chunks::<2>().0.iter();
                let faces = faces.map(|b| u16::from_le_bytes(*b)).collect();
                object.materials.push((name, faces));
            }
            SMOOTHING => {
                let groups = body.rows(count, 4).as_chunks::<4>().0.iter();
                object.smoothing = groups.map(|b| u32::from_le_bytes(*b)).collect();
            }
            id => body.pass(id),
        }
    }
}
