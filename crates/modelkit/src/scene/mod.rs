//! The document model: the output of every reader and the input of every writer.
//!
//! Conventions: right-handed, Y up, metres, UV origin at the top left (as in glTF), colours linear unless they sit in
//! an image, quaternions `[x,y,z,w]`, matrices column-major. Indices into the vectors of [`Scene`] are `u32`.

mod bake;
mod bounds;
mod build;
mod image;
mod material;
pub mod math;
mod mesh;
mod metal;
mod picture_kind;
mod pose;
mod stats;
mod tree;
mod upright;
mod uv_sets;
pub mod vec3;
mod vertices;

pub use bake::{Baked, FAR, bake, bake_about, bake_posed, far_off};
pub use bounds::Bounds;
pub use image::{
    CLAMP, Image, MIRROR, NEAREST, REPEAT, Sampler, Texture, decode, is_cmyk, mime_of,
    picture_size, to_web_image,
};
pub use material::{
    AlphaMode, MADE_UP, Material, TextureRef, TextureTransform, each_texture_index,
};
pub use math::{IDENTITY, Mat4, Transform};
pub use mesh::{Custom, Mesh, Mode, MorphTarget, Primitive, SkinSet};
pub use pose::first_pose;
pub use stats::{Statistics, statistics};
pub use uv_sets::{raw_uv_set, uv_set_of};
pub use vertices::{pick_vertices, picked};

use serde::Serialize;
use serde_json::{Map, Value};

/// A whole model.
#[derive(Debug, Clone, Default)]
pub struct Scene {
    pub name: String,
    /// Format it was read from: `glb`, `gltf`, `amrt`, `obj`, `stl`, `ply`, `fbx`, `3ds`, `dae`.
    pub format: String,
    /// Path of the main file inside an archive, or the file's name.
    pub main_file: String,
    /// Number of models in its archive; 0 without an archive.
    pub model_num: u32,
    pub units: Units,
    pub nodes: Vec<Node>,
    /// Nodes without a parent. Every node is reachable from here exactly once.
    pub roots: Vec<u32>,
    pub meshes: Vec<Mesh>,
    pub materials: Vec<Material>,
    pub textures: Vec<Texture>,
    pub images: Vec<Image>,
    pub skins: Vec<Skin>,
    pub animations: Vec<Animation>,
    /// KHR_lights_punctual entries as in the file.
    pub lights: Vec<Value>,
    /// glTF cameras as in the file.
    pub cameras: Vec<Value>,
    /// KHR_materials_variants names.
    pub variants: Vec<Value>,
    pub extras: Option<Value>,
    /// Copyright message of a glTF.
    pub copyright: String,
    /// The file has a skeleton, which is worth keeping even without geometry.
    pub has_skeleton: bool,
    /// Problems reported by readers; [`crate::check`] adds its own findings.
    pub problems: Vec<Problem>,
}

/// Units of the source; the scene itself is always in metres, Y up.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Units {
    /// `m`, `cm`, `mm`, `in`, `ft`, … or `unknown` if the format states none.
    pub source: String,
    pub meters_per_unit: f64,
    /// `X`, `Y` or `Z`: up axis of the source.
    pub up_axis: String,
}

impl Units {
    /// The length of one unit for users: `1 毫米`.
    pub fn assumed(&self) -> String {
        const KNOWN: [(f64, &str); 5] = [
            (1.0, "米"),
            (0.01, "厘米"),
            (0.001, "毫米"),
            (0.0254, "英寸"),
            (0.3048, "英尺"),
        ];
        let near = |metres: f64| (self.meters_per_unit / metres - 1.0).abs() < 1e-6;
        match KNOWN.into_iter().find(|(metres, _)| near(*metres)) {
            Some((_, name)) => format!("1 {name}"),
            None => format!("{} 米", self.meters_per_unit),
        }
    }

    /// The unit's name for users.
    pub fn title(&self) -> String {
        match self.source.starts_with("unknown") {
            true => format!("未写明（按 {} 处理）", self.assumed()),
            false => self.source.clone(),
        }
    }
}

impl Default for Units {
    fn default() -> Self {
        Units {
            source: "m".into(),
            meters_per_unit: 1.0,
            up_axis: "Y".into(),
        }
    }
}

/// One node of the tree.
#[derive(Debug, Clone, Default)]
pub struct Node {
    pub name: String,
    pub children: Vec<u32>,
    pub transform: Transform,
    pub mesh: Option<u32>,
    pub skin: Option<u32>,
    /// Morph weights of this instance; empty means the mesh's.
    pub weights: Vec<f32>,
    pub light: Option<u32>,
    pub camera: Option<u32>,
    pub extras: Option<Value>,
    /// Extension objects as in the file.
    pub extensions: Map<String, Value>,
}

/// Joints of a skinned mesh.
#[derive(Debug, Clone, Default)]
pub struct Skin {
    pub name: String,
    /// Node indices.
    pub joints: Vec<u32>,
    /// One matrix per joint, mesh space to joint space.
    pub inverse_bind: Vec<[f32; 16]>,
    pub skeleton: Option<u32>,
    pub extras: Option<Value>,
}

/// A clip.
#[derive(Debug, Clone, Default)]
pub struct Animation {
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<AnimationSampler>,
    pub extras: Option<Value>,
}

impl Animation {
    /// Duration in seconds: the last key of any channel.
    pub fn seconds(&self) -> f32 {
        let last = |s: &AnimationSampler| s.times.last().copied().unwrap_or(0.0);
        self.samplers.iter().map(last).fold(0.0, f32::max)
    }
}

/// What a sampler animates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel {
    pub node: u32,
    pub path: AnimationPath,
    /// Index into [`Animation::samplers`].
    pub sampler: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnimationPath {
    Translation,
    Rotation,
    Scale,
    Weights,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    Linear,
    Step,
    CubicSpline,
}

/// Keys: `times` in seconds, increasing; `values` laid out as in glTF's output accessor.
#[derive(Debug, Clone)]
pub struct AnimationSampler {
    pub interpolation: Interpolation,
    pub times: Vec<f32>,
    pub values: Vec<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Info,
    Warning,
    Error,
}

/// A finding on the model, worded in Chinese for its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Stable code such as `missing-texture`.
    pub code: &'static str,
    pub severity: Severity,
    /// Where it was found: `材质 red`, `网格 body`; may be empty.
    #[serde(rename = "where")]
    pub place: String,
    pub message: String,
    /// What the owner can do about it; may be empty.
    pub advice: String,
    /// How many items (faces, vertices, images) are affected; 0 if not countable.
    #[serde(skip_serializing_if = "is_zero")]
    pub count: u64,
    /// How many such items were examined in total.
    #[serde(rename = "of", skip_serializing_if = "is_zero")]
    pub total: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Problem {
    pub fn new(
        code: &'static str,
        severity: Severity,
        place: impl Into<String>,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Problem {
        let (place, message, advice) = (place.into(), message.into(), advice.into());
        Problem {
            code,
            severity,
            place,
            message,
            advice,
            count: 0,
            total: 0,
        }
    }

    /// Sets how many items of how many are affected.
    pub fn counted(self, count: usize, total: usize) -> Problem {
        Problem {
            count: count as u64,
            total: total.max(count) as u64,
            ..self
        }
    }

    /// Share of items affected (0…1); 1 if not countable.
    pub fn share(&self) -> f64 {
        match self.total {
            0 => 1.0,
            total => self.count as f64 / total as f64,
        }
    }
}
