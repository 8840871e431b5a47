//! Merges equal vertices; drops degenerate triangles.

use crate::scene::{Mode, Primitive, Scene, math, pick_vertices};
use meshopt::VertexStream;
use rayon::prelude::*;

/// Merges equal vertices and drops degenerate triangles.
pub fn weld(scene: &mut Scene) {
    each(scene, weld_primitive);
}

/// Merges equal vertices; every triangle stays.
pub fn merge_equal(scene: &mut Scene) {
    each(scene, merge);
}

fn each(scene: &mut Scene, work: fn(&mut Primitive)) {
    let primitives: Vec<&mut Primitive> = scene
        .meshes
        .iter_mut()
        .flat_map(|m| &mut m.primitives)
        .collect();
    primitives.into_par_iter().for_each(work);
}

fn weld_primitive(p: &mut Primitive) {
    merge(p);
    if p.mode == Mode::Triangles && !p.indices.is_empty() {
        drop_degenerate(p);
    }
}

fn merge(p: &mut Primitive) {
    if p.mode == Mode::Points || p.indices.is_empty() {
        return;
    }
    // Normals that differ by a rounding error are equal: exporters round differently at each corner.
    let normals: Vec<[i16; 3]> = p
        .normals
        .iter()
        .map(|n| n.map(|v| (v * 1023.0).round() as i16))
        .collect();
    let remap = remap(p, &normals);
    let mut picks: Vec<u32> = Vec::new();
    for (old, &new) in remap.iter().enumerate() {
        if new as usize == picks.len() {
            picks.push(old as u32);
        }
    }
    for index in &mut p.indices {
        *index = remap[*index as usize];
    }
    pick_vertices(p, &picks);
}

/// New index of every vertex, in order of first appearance in the vertex list.
fn remap(p: &Primitive, normals: &[[i16; 3]]) -> Vec<u32> {
    let mut streams = vec![VertexStream::new(p.positions.as_ptr())];
    if !normals.is_empty() {
        streams.push(VertexStream::new(normals.as_ptr()));
    }
    if !p.tangents.is_empty() {
        streams.push(VertexStream::new(p.tangents.as_ptr()));
    }
    if !p.colors.is_empty() {
        streams.push(VertexStream::new(p.colors.as_ptr()));
    }
    for set in &p.uvs {
        streams.push(VertexStream::new(set.as_ptr()));
    }
    for set in &p.skin_sets {
        streams.push(VertexStream::new(set.joints.as_ptr()));
        streams.push(VertexStream::new(set.weights.as_ptr()));
    }
    for target in &p.targets {
        for rows in [&target.positions, &target.normals, &target.tangents] {
            if !rows.is_empty() {
                streams.push(VertexStream::new(rows.as_ptr()));
            }
        }
    }
    for custom in &p.custom {
        let stream = match custom.width {
            1 => VertexStream::new(custom.values.as_ptr()),
            2 => VertexStream::new(custom.values.as_chunks::<2>().0.as_ptr()),
            3 => VertexStream::new(custom.values.as_chunks::<3>().0.as_ptr()),
            _ => VertexStream::new(custom.values.as_chunks::<4>().0.as_ptr()),
        };
        streams.push(stream);
    }
    // The library accepts at most 16 streams; a mesh with more keeps its vertices.
    if streams.len() > 16 {
        return (0..p.positions.len() as u32).collect();
    }
    meshopt::generate_vertex_remap_multi(p.positions.len(), &streams, None).1
}

fn drop_degenerate(p: &mut Primitive) {
    let mut kept = Vec::with_capacity(p.indices.len());
    for &[a, b, c] in p.indices.as_chunks::<3>().0 {
        if a == b || b == c || a == c {
            continue;
        }
        let [x, y, z] = [a, b, c].map(|i| p.positions[i as usize].map(f64::from));
        if math::cross(math::sub(y, x), math::sub(z, x)) != [0.0; 3] {
            kept.extend([a, b, c]);
        }
    }
    // A primitive of only degenerate triangles keeps them: an empty one is invalid.
    if !kept.is_empty() {
        p.indices = kept;
    }
}
