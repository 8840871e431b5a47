//! The content of an OSGB file, as far as it is shown.

use crate::scene::Mat4;

/// A file's graph. Indices refer to these lists; nodes may be shared, and in a hostile file may be their own
/// descendants.
#[derive(Default)]
pub struct Model<'a> {
    pub nodes: Vec<Node>,
    pub root: Option<usize>,
    pub geometries: Vec<Geometry>,
    pub states: Vec<State>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub pictures: Vec<Picture<'a>>,
    /// Names of unsupported classes.
    pub unknown: Vec<String>,
    /// Draws left out: points, lines, or an invalid range.
    pub skipped_draws: usize,
}

#[derive(Default)]
pub struct Node {
    pub children: Vec<usize>,
    pub state: Option<usize>,
    pub kind: Kind,
}

#[derive(Default)]
pub enum Kind {
    #[default]
    Group,
    /// Column-major.
    Transform(Box<Mat4>),
    Lod(Lod),
    /// Indices of geometries.
    Geode(Vec<usize>),
}

/// Levels of detail: child `i` is shown within `ranges[i]`.
#[derive(Default)]
pub struct Lod {
    pub ranges: Vec<[f32; 2]>,
    /// Ranges are diameters on screen in pixels instead of distances.
    pub pixels: bool,
    /// Radius the ranges refer to, if the file has one.
    pub radius: Option<f64>,
    /// One per range; empty if the child is in this file.
    pub files: Vec<String>,
}

/// One drawable: triangles only.
#[derive(Default)]
pub struct Geometry {
    pub state: Option<usize>,
    /// Added to the positions; non-zero only for double-precision arrays.
    pub origin: [f64; 3],
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub colors: Vec<[f32; 4]>,
    pub indices: Vec<u32>,
}

#[derive(Default, Clone)]
pub struct State {
    pub texture: Option<usize>,
    pub material: Option<usize>,
    pub blend: bool,
    pub cull: bool,
}

#[derive(Clone)]
pub struct Material {
    pub diffuse: [f32; 4],
}

#[derive(Default, Clone)]
pub struct Texture {
    pub picture: Option<usize>,
    /// OpenGL values.
    pub wrap: [u32; 2],
    pub min_filter: u32,
    pub mag_filter: u32,
}

pub struct Picture<'a> {
    pub name: String,
    pub content: Content<'a>,
}

pub enum Content<'a> {
    /// An encoded file (JPEG, PNG, …).
    File(&'a [u8]),
    Pixels(Pixels<'a>),
    /// In a file beside the model.
    Outside,
}

/// Raw pixels, bottom row first.
pub struct Pixels<'a> {
    pub width: u32,
    pub height: u32,
    /// OpenGL values.
    pub format: u32,
    pub kind: u32,
    /// Alignment of rows in bytes.
    pub packing: u32,
    pub bytes: &'a [u8],
}
