//! The content of an OSGB file, as far as it is shown.

use super::lost::Loss;
use crate::read::lost::Losses;
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
    /// What is not read.
    pub losses: Losses<Loss>,
    /// Texture units beyond those that are read had textures.
    pub far_units: bool,
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
    /// By texture unit; empty where a unit has none.
    pub uvs: [Vec<[f32; 2]>; UNITS],
    pub colors: Vec<[f32; 4]>,
    pub indices: Vec<u32>,
}

/// Texture units that are read.
pub const UNITS: usize = 4;

/// What a state set says, or what holds for a drawable.
#[derive(Default, Clone)]
pub struct State {
    /// By unit.
    pub textures: [Option<Stated<usize>>; UNITS],
    /// Whether texturing is on, by unit.
    pub textured: [Option<Stated<bool>>; UNITS],
    pub material: Option<Stated<usize>>,
    pub blend: Option<Stated<bool>>,
    /// Whether the alpha test is on, and the alpha below which nothing is drawn.
    pub alpha_test: Option<Stated<bool>>,
    pub cutoff: Option<Stated<f32>>,
    pub cull: Option<Stated<bool>>,
    /// Culling takes the front faces.
    pub cull_front: Option<Stated<bool>>,
    /// Front faces are wound clockwise.
    pub clockwise: Option<Stated<bool>>,
}

/// A value of a state set with its flags.
#[derive(Clone, Copy)]
pub struct Stated<T> {
    pub value: T,
    /// It holds for the nodes below whatever they say.
    pub binding: bool,
    /// It holds whatever the nodes above say.
    pub protected: bool,
}

impl<T> Stated<T> {
    /// `flags` are OSG's `osg::StateAttribute::Values`.
    pub fn new(value: T, flags: i32) -> Self {
        Stated {
            value,
            binding: flags & 2 != 0,
            protected: flags & 4 != 0,
        }
    }
}

/// What holds where `own` is stated below `outer`.
fn below<T>(outer: Option<Stated<T>>, own: Option<Stated<T>>) -> Option<Stated<T>> {
    match (outer, own) {
        (Some(outer), Some(own)) if outer.binding && !own.protected => Some(outer),
        (outer, own) => own.or(outer),
    }
}

impl State {
    /// This state below an outer one.
    pub fn below(&self, outer: &State) -> State {
        State {
            textures: std::array::from_fn(|i| below(outer.textures[i], self.textures[i])),
            textured: std::array::from_fn(|i| below(outer.textured[i], self.textured[i])),
            material: below(outer.material, self.material),
            blend: below(outer.blend, self.blend),
            alpha_test: below(outer.alpha_test, self.alpha_test),
            cutoff: below(outer.cutoff, self.cutoff),
            cull: below(outer.cull, self.cull),
            cull_front: below(outer.cull_front, self.cull_front),
            clockwise: below(outer.clockwise, self.clockwise),
        }
    }

    /// Units and textures that are shown. A texture without a mode is on: files of old converters state none.
    pub fn shown(&self) -> impl Iterator<Item = (usize, usize)> {
        let on = |unit: usize| self.textured[unit].is_none_or(|mode| mode.value);
        let all = self.textures.iter().enumerate();
        all.filter_map(move |(unit, texture)| Some((unit, texture.filter(|_| on(unit))?.value)))
    }

    /// The alpha below which nothing is drawn, if there is one.
    pub fn alpha_cutoff(&self) -> Option<f32> {
        let on = self.alpha_test.is_some_and(|test| test.value);
        self.cutoff.filter(|_| on).map(|cutoff| cutoff.value)
    }

    /// Only one side is drawn.
    pub fn one_sided(&self) -> bool {
        self.cull.is_some_and(|cull| cull.value)
    }

    /// The side that counts as front is the one that glTF takes for the back.
    pub fn reversed(&self) -> bool {
        let is = |stated: Option<Stated<bool>>| stated.is_some_and(|s| s.value);
        is(self.clockwise) != (self.one_sided() && is(self.cull_front))
    }
}

#[derive(Clone)]
pub struct Material {
    pub diffuse: [f32; 4],
    pub emission: [f32; 4],
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
