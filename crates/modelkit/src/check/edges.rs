//! Edge checks: more than two faces at an edge, neighbours that face opposite ways.

use crate::scene::{Mode, Primitive};
use rayon::slice::ParallelSliceMut;

/// Largest primitive the check is run on; beyond it the sort would be felt.
const MOST_TRIANGLES: usize = 3_000_000;

#[derive(Default)]
pub struct Edges {
    pub non_manifold: usize,
    pub flipped: usize,
}

pub fn examine(p: &Primitive) -> Edges {
    let mut found = Edges::default();
    if p.mode != Mode::Triangles || p.triangle_count() > MOST_TRIANGLES || p.indices.is_empty() {
        return found;
    }
    let remap = meshopt::generate_position_remap_decoder(&p.positions);
    let mut edges: Vec<u64> = Vec::with_capacity(p.indices.len());
    for t in p.indices.as_chunks::<3>().0 {
        let corners = t.map(|i| remap[i as usize]);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if a == b {
                continue;
            }
            // Low bit: direction. Vertex counts stay below 2^31 by the limits.
            let (low, high, way) = if a < b { (a, b, 0) } else { (b, a, 1) };
            edges.push(u64::from(low) << 32 | u64::from(high) << 1 | way);
        }
    }
    edges.par_sort_unstable();
    for run in edges.chunk_by(|a, b| a >> 1 == b >> 1) {
        if run.len() > 2 {
            found.non_manifold += 1;
        } else if run.len() == 2 && run[0] == run[1] {
            found.flipped += 1;
        }
    }
    found
}
