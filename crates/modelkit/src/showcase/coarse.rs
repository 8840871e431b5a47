//! Positions on a coarse grid that no vertex of the model lies on.
//! Each mesh has at most 2,048 steps along an axis. A step is never so small that the way to the next place on the grid
//! could be overlooked beside the model, and the grid begins between the model's vertices: where exactly the seed says.

use crate::scene::math::{self, Mat4};
use crate::scene::{Bounds, bake_about};
use crate::{Result, Scene};
use std::collections::HashMap;

/// Steps along the longest side of a mesh. No whole number, so that the ends are not both on the grid.
const STEPS: f64 = 2_046.37;
/// Least step in shares of the longest side of the model.
const LEAST: f64 = 2.5e-4;
/// A vertex is known if one of the stand-in is as near as this share of the diagonal.
const NEAR: f64 = 1e-5;
/// Most of the vertices that may be known, with room for the rounding of the file.
const MOST_SHARED: f64 = 0.25;
/// Grids that are tried.
const TRIES: u64 = 8;

/// Moves the vertices of `coarse`, whose nodes are those of `scene`. Returns the share of the scene's vertices that it
/// still gives away; `None` if that is too much on any grid.
pub fn coarsen(scene: &Scene, coarse: &mut Scene, seed: &str) -> Result<Option<f64>> {
    let bounds = scene.bounds();
    let longest = bounds.size().into_iter().fold(0.0, f64::max);
    let diagonal = bounds.diagonal();
    if diagonal <= 0.0 || !diagonal.is_finite() {
        return Ok(None);
    }
    let exact: Vec<Vec<Vec<[f32; 3]>>> = coarse
        .meshes
        .iter()
        .map(|m| m.primitives.iter().map(|p| p.positions.clone()).collect())
        .collect();
    let scales = scales(coarse);
    for round in 0..TRIES {
        for (index, mesh) in coarse.meshes.iter_mut().enumerate() {
            let mut own = Bounds::default();
            exact[index]
                .iter()
                .flatten()
                .for_each(|p| own.add(p.map(f64::from)));
            let size = own.size().into_iter().fold(0.0, f64::max);
            let step = (size / STEPS).max(longest * LEAST / scales[index]);
            let start = grid_start(seed, index as u64, round);
            let place = |v: f32, axis: usize| {
                let from = own.min[axis] - start[axis] * step;
                let steps = ((f64::from(v) - from) / step).round();
                (from + steps * step) as f32
            };
            for (primitive, exact) in mesh.primitives.iter_mut().zip(&exact[index]) {
                for (to, from) in primitive.positions.iter_mut().zip(exact) {
                    *to = [0, 1, 2].map(|axis| place(from[axis], axis));
                }
            }
        }
        let shared = shared(scene, coarse, diagonal * NEAR)?;
        if shared <= MOST_SHARED {
            return Ok(Some(shared));
        }
    }
    Ok(None)
}

/// By how much each mesh is enlarged by its nodes.
fn scales(scene: &Scene) -> Vec<f64> {
    let mut out = vec![0.0f64; scene.meshes.len()];
    let world = scene.world_matrices();
    for (node, matrix) in scene.nodes.iter().zip(&world) {
        if let Some(slot) = node.mesh.and_then(|m| out.get_mut(m as usize)) {
            *slot = slot.max(scale_of(matrix));
        }
    }
    let usable = |s: f64| if s > 1e-12 && s.is_finite() { s } else { 1.0 };
    out.into_iter().map(usable).collect()
}

fn scale_of(matrix: &Mat4) -> f64 {
    let length = |axis: [f32; 3]| {
        let v = math::direction(matrix, axis);
        v.iter().map(|v| v * v).sum::<f64>().sqrt()
    };
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(length)
        .into_iter()
        .fold(0.0, f64::max)
}

/// Where the grid begins before the least coordinate, in steps: away from the vertices there.
fn grid_start(seed: &str, mesh: u64, round: u64) -> [f64; 3] {
    [0u64, 1, 2].map(|axis| 0.3 + 0.4 * mix(seed, mesh * 64 + round * 4 + axis))
}

/// Share of the vertices of `scene` that lie within `near` of one of `coarse`.
fn shared(scene: &Scene, coarse: &Scene, near: f64) -> Result<f64> {
    let cell = |p: [f32; 3]| p.map(|v| (f64::from(v) / (near * 2.0)).floor() as i64);
    let mut known: HashMap<[i64; 3], Vec<[f32; 3]>> = HashMap::new();
    let origin = scene.origin();
    bake_about(coarse, &coarse.nodes, origin, &mut |part| {
        for p in part.positions {
            known.entry(cell(p)).or_default().push(p);
        }
        Ok(())
    })?;
    let close = |p: [f32; 3], q: &[f32; 3]| {
        let d = [0, 1, 2].map(|k| f64::from(p[k]) - f64::from(q[k]));
        d.iter().map(|v| v * v).sum::<f64>() <= near * near
    };
    let (mut found, mut all) = (0u64, 0u64);
    bake_about(scene, &scene.nodes, origin, &mut |part| {
        for p in part.positions {
            let at = cell(p);
            let around = (0..27).any(|i| {
                let next = [at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1];
                known
                    .get(&next)
                    .is_some_and(|list| list.iter().any(|q| close(p, q)))
            });
            found += u64::from(around);
            all += 1;
        }
        Ok(())
    })?;
    Ok(found as f64 / all.max(1) as f64)
}

/// A number of 0…1 that depends on the seed and the place (FNV-1a with a finaliser).
fn mix(seed: &str, place: u64) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for byte in seed.bytes().chain(place.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    (hash >> 11) as f64 / (1u64 << 53) as f64
}
