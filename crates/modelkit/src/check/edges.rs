//! Checks on neighbouring faces: more than two faces at an edge, neighbours with opposite orientation, duplicate faces,
//! inverted solids.

use crate::scene::{Mode, Primitive, math};
use rayon::slice::ParallelSliceMut;

/// Largest primitive that is checked; sorting a larger one would be noticeably slow.
const MOST_TRIANGLES: usize = 3_000_000;

#[derive(Default)]
pub struct Edges {
    /// Distinct edges.
    pub edges: usize,
    pub non_manifold: usize,
    pub flipped: usize,
    /// Faces with the same corners as another one.
    pub doubled: usize,
    /// For a closed surface, whether its faces point inwards. A mirroring transform does not change that: the winding
    /// turns with it (glTF 2.0, 3.7.4).
    pub inwards: Option<bool>,
}

pub fn examine(p: &Primitive) -> Edges {
    let mut found = Edges::default();
    if p.mode != Mode::Triangles || p.triangle_count() > MOST_TRIANGLES || p.indices.is_empty() {
        return found;
    }
    let remap = meshopt::generate_position_remap_decoder(&p.positions);
    let mut edges: Vec<u64> = Vec::with_capacity(p.indices.len());
    let mut faces: Vec<[u32; 3]> = Vec::with_capacity(p.triangle_count());
    for t in p.indices.as_chunks::<3>().0 {
        let corners = t.map(|i| remap[i as usize]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if a == b {
                continue;
            }
            // Low bit: direction. The limits keep vertex counts below 2^31.
            let (low, high, way) = if a < b { (a, b, 0) } else { (b, a, 1) };
            edges.push(u64::from(low) << 32 | u64::from(high) << 1 | way);
        }
        let mut sorted = corners;
        sorted.sort_unstable();
        if sorted[0] != sorted[1] && sorted[1] != sorted[2] {
            faces.push(sorted);
        }
    }
    edges.par_sort_unstable();
    let mut closed = true;
    for run in edges.chunk_by(|a, b| a >> 1 == b >> 1) {
        found.edges += 1;
        closed &= run.len() == 2 && run[0] != run[1];
        if run.len() > 2 {
            found.non_manifold += 1;
        } else if run.len() == 2 && run[0] == run[1] {
            found.flipped += 1;
        }
    }
    faces.par_sort_unstable();
    found.doubled = faces.len() - faces.chunk_by(|a, b| a == b).count();
    found.inwards = (closed && found.edges > 0).then(|| volume(p) < 0.0);
    found
}

/// Six times the volume of a closed surface; negative if its faces point inwards.
fn volume(p: &Primitive) -> f64 {
    let origin = p.positions.first().map_or([0.0; 3], |v| v.map(f64::from));
    let corner = |i: u32| math::sub(p.positions[i as usize].map(f64::from), origin);
    let triangles = p.indices.as_chunks::<3>().0.iter();
    triangles
        .map(|t| {
            let [a, b, c] = t.map(corner);
            math::dot(a, math::cross(b, c))
        })
        .sum()
}
