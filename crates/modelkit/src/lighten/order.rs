//! Orders triangles and vertices for caches and codecs, and drops unused vertices.

use crate::scene::{Mode, Primitive, Scene, pick_vertices};
use rayon::prelude::*;

pub fn optimize(scene: &mut Scene) {
    let primitives: Vec<&mut Primitive> = scene
        .meshes
        .iter_mut()
        .flat_map(|m| &mut m.primitives)
        .collect();
    primitives.into_par_iter().for_each(|p| {
        if p.mode == Mode::Triangles {
            p.indices = meshopt::optimize_vertex_cache_strip(&p.indices, p.positions.len());
        }
        by_first_use(p);
    });
}

/// Orders vertices by first use in the triangles; drops unused ones.
pub fn by_first_use(p: &mut Primitive) {
    let mut new = vec![u32::MAX; p.positions.len()];
    let mut picks: Vec<u32> = Vec::new();
    for index in &mut p.indices {
        let slot = &mut new[*index as usize];
        if *slot == u32::MAX {
            *slot = picks.len() as u32;
            picks.push(*index);
        }
        *index = *slot;
    }
    pick_vertices(p, &picks);
}
