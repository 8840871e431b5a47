//! Counts of a scene.

use super::{Mode, Scene};
use serde::Serialize;

/// The statistics in the check report. Geometry is counted once per mesh, however many nodes use it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Statistics {
    pub nodes: usize,
    pub meshes: usize,
    pub primitives: usize,
    pub triangles: usize,
    pub vertices: usize,
    pub lines: usize,
    pub points: usize,
    pub materials: usize,
    pub textures: usize,
    pub texture_pixels: u64,
    pub texture_bytes: u64,
    pub skins: usize,
    pub morph_targets: usize,
    pub animations: usize,
    pub animation_seconds: f64,
}

pub fn statistics(scene: &Scene) -> Statistics {
    let mut s = Statistics {
        nodes: scene.nodes.len(),
        meshes: scene.meshes.len(),
        materials: scene.materials.len(),
        textures: scene.images.len(),
        skins: scene.skins.len(),
        animations: scene.animations.len(),
        ..Statistics::default()
    };
    for mesh in &scene.meshes {
        s.primitives += mesh.primitives.len();
        s.morph_targets += mesh.primitives.first().map_or(0, |p| p.targets.len());
        for primitive in &mesh.primitives {
            s.vertices += primitive.positions.len();
            match primitive.mode {
                Mode::Triangles => s.triangles += primitive.indices.len() / 3,
                Mode::Lines => s.lines += primitive.indices.len() / 2,
                Mode::Points => s.points += primitive.indices.len(),
            }
        }
    }
    for image in &scene.images {
        s.texture_pixels += u64::from(image.width) * u64::from(image.height);
        s.texture_bytes += image.bytes.len() as u64;
    }
    let seconds: f64 = scene
        .animations
        .iter()
        .map(|a| f64::from(a.seconds()))
        .sum();
    s.animation_seconds = (seconds * 1000.0).round() / 1000.0 + 0.0;
    s
}
