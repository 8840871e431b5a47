//! The error that rounded positions add to a file.

use super::draco;
use super::quantize::{self, Fit};
use crate::lighten::drawn_matrix;
use crate::scene::Scene;
use crate::scene::math::{self, Mat4};
use crate::write::{Compression, Options};

/// Largest distance in metres that a position is moved by being written, in the rest pose, before it is.
pub fn expected(scene: &Scene, options: &Options) -> f64 {
    let halves: Vec<f64> = match options.compression {
        Compression::None => Vec::new(),
        Compression::Draco => scene.meshes.iter().map(draco::half_step).collect(),
        Compression::Meshopt => {
            let fits = quantize::fits(scene, options.for_screens);
            fits.iter().map(Fit::half_step).collect()
        }
    };
    moved(scene, &halves)
}

/// Largest distance in metres that a position is moved in the rest pose, if each coordinate of a mesh is moved by at
/// most so many of its units.
pub fn moved(scene: &Scene, halves: &[f64]) -> f64 {
    if halves.iter().all(|half| *half == 0.0) {
        return 0.0;
    }
    let world = scene.world_matrices();
    let mut most = 0.0f64;
    for index in scene.walk() {
        let Some(node) = scene.nodes.get(index as usize) else {
            continue;
        };
        let Some(half) = node.mesh.and_then(|m| halves.get(m as usize)) else {
            continue;
        };
        let moved = half * corner(&drawn_matrix(scene, index as usize, &world));
        if moved.is_finite() {
            most = most.max(moved);
        }
    }
    most
}

/// Length of the longest diagonal of a box of two units as the matrix shows it, halved.
pub fn corner(m: &Mat4) -> f64 {
    let signs = [
        [1.0, 1.0, 1.0],
        [1.0, 1.0, -1.0],
        [1.0, -1.0, 1.0],
        [1.0, -1.0, -1.0],
    ];
    let length = |sign: [f32; 3]| {
        let d = math::direction(m, sign);
        math::dot(d, d).sqrt()
    };
    signs.map(length).into_iter().fold(0.0, f64::max)
}
