//! What an OSGB file holds, as far as it is shown.

use crate::scene::Mat4;

/// A file's graph. Indices point into these lists; nodes may be shared, and a
/// hostile file may make them their own descendants.
#[derive(Default)]
pub struct Model<'a> {
    pub nodes: Vec<Node>,
    pub root: Option<usize>,
    pub geometries: Vec<Geometry>,
    pub states: Vec<State>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub pictures: Vec<Picture<'a>>,
    /// Classes that could not be shown, by name.
    pub unknown: Vec<String>,
    /// Draws left out because they are points or lines, or of a wrong range.
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
    /// Ranges are diameters on screen in pixels, not distances.
    pub pixels: bool,
    /// Radius the ranges refer to, where the file gives one.
    pub radius: Option<f64>,
    /// One a range; empty where the child is in this file.
    pub files: Vec<String>,
}

/// One drawable: triangles only.
#[derive(Default)]
pub struct Geometry {
    pub state: Option<usize>,
    /// Added to the positions; not zero only for double-precision arrays.
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
    /// OpenGL numbers.
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
    /// Beside the model.
    Outside,
}

/// Raw pixels, the bottom row first.
pub struct Pixels<'a> {
    pub width: u32,
    pub height: u32,
    /// OpenGL numbers.
    pub format: u32,
    pub kind: u32,
    /// Rows start at multiples of this.
    pub packing: u32,
    pub bytes: &'a [u8],
}
