//! Meshes and their primitives.

use serde_json::{Map, Value};

/// A mesh: primitives drawn together under one node.
#[derive(Debug, Clone, Default)]
pub struct Mesh {
    pub name: String,
    pub primitives: Vec<Primitive>,
    /// Default morph weights, one per target.
    pub weights: Vec<f32>,
    pub target_names: Vec<String>,
    pub extras: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    Points,
    /// Pairs of indices.
    Lines,
    #[default]
    Triangles,
}

/// One draw call: one material. Every non-empty attribute has `positions.len()` rows; `indices` always holds the full
/// list (also for unindexed sources) and every index is below `positions.len()`. Readers convert strips and fans to
/// lists.
#[derive(Debug, Clone, Default)]
pub struct Primitive {
    pub mode: Mode,
    pub indices: Vec<u32>,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 4]>,
    /// UV sets 0, 1, …
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Linear RGBA, 0…1.
    pub colors: Vec<[f32; 4]>,
    /// Joint sets 0, 1, …
    pub skin_sets: Vec<SkinSet>,
    pub targets: Vec<MorphTarget>,
    /// Application attributes (names start with `_`).
    pub custom: Vec<Custom>,
    pub material: Option<u32>,
    /// KHR_materials_variants mappings `{material, variants}` as in the file.
    pub variants: Vec<Value>,
    pub extras: Option<Value>,
    pub extensions: Map<String, Value>,
}

/// Four joints and weights per vertex; weights sum to 1 over all sets.
#[derive(Debug, Clone, Default)]
pub struct SkinSet {
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
}

/// Displacements; each list is empty or has one row per vertex.
#[derive(Debug, Clone, Default)]
pub struct MorphTarget {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub tangents: Vec<[f32; 3]>,
}

/// An application attribute as floats, `width` (1…4) per vertex.
#[derive(Debug, Clone, Default)]
pub struct Custom {
    pub name: String,
    pub width: usize,
    pub values: Vec<f32>,
}

impl Primitive {
    /// Triangles drawn; 0 for points and lines.
    pub fn triangle_count(&self) -> usize {
        if self.mode == Mode::Triangles {
            self.indices.len() / 3
        } else {
            0
        }
    }

    /// Memory of vertex and index data in bytes.
    pub fn memory(&self) -> usize {
        let n = self.positions.len();
        let mut a_vertex = 12
            + if self.normals.is_empty() { 0 } else { 12 }
            + if self.tangents.is_empty() { 0 } else { 16 }
            + if self.colors.is_empty() { 0 } else { 16 }
            + self.uvs.len() * 8
            + self.skin_sets.len() * 24;
        for target in &self.targets {
            a_vertex += 12 * usize::from(!target.positions.is_empty());
            a_vertex += 12 * usize::from(!target.normals.is_empty());
            a_vertex += 12 * usize::from(!target.tangents.is_empty());
        }
        n * a_vertex + self.indices.len() * 4
    }
}
