//! Orders triangles and vertices for caches and codecs, and drops unused vertices.

use super::dedupe::equal_vertices;
use crate::scene::{Mesh, Mode, Primitive, Scene, pick_vertices};
use rayon::prelude::*;
use std::collections::HashMap;

pub fn optimize(scene: &mut Scene) {
    scene.meshes.par_iter_mut().for_each(|mesh| {
        mesh.primitives.par_iter_mut().for_each(|p| {
            if p.mode == Mode::Triangles {
                p.indices = meshopt::optimize_vertex_cache_strip(&p.indices, p.positions.len());
            }
        });
        order_vertices(mesh);
    });
}

/// Orders vertices by first use. Primitives that share vertices, and would have to repeat them, keep sharing.
fn order_vertices(mesh: &mut Mesh) {
    let groups = sharing(mesh);
    let mut slots: Vec<Option<&mut Primitive>> = mesh.primitives.iter_mut().map(Some).collect();
    let take = |group: &Vec<usize>| -> Vec<&mut Primitive> {
        let members = group.iter().filter_map(|&i| slots.get_mut(i)?.take());
        members.collect()
    };
    let groups: Vec<Vec<&mut Primitive>> = groups.iter().map(take).collect();
    groups.into_par_iter().for_each(|mut group| {
        let all = used(group.iter().flat_map(|p| &p.indices));
        let each: usize = group.iter().map(|p| used(&p.indices)).sum();
        // Some vertices at the borders may be repeated.
        if each > all + all / 20 {
            in_order(&mut group);
        } else {
            group.into_iter().for_each(by_first_use);
        }
    });
}

/// The primitives of a mesh by their vertices.
fn sharing(mesh: &Mesh) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<(usize, Option<[u32; 3]>), Vec<usize>> = HashMap::new();
    for (i, p) in mesh.primitives.iter().enumerate() {
        let bits = p.positions.last().map(|v| v.map(f32::to_bits));
        let alike = known.entry((p.positions.len(), bits)).or_default();
        let same = |group: &&usize| equal_vertices(&mesh.primitives[groups[**group][0]], p);
        match alike.iter().find(same).copied() {
            Some(group) => groups[group].push(i),
            None => {
                alike.push(groups.len());
                groups.push(vec![i]);
            }
        }
    }
    groups
}

/// How many different vertices there are.
fn used<'a>(indices: impl IntoIterator<Item = &'a u32>) -> usize {
    let mut seen: Vec<bool> = Vec::new();
    let mut count = 0;
    for &index in indices {
        let index = index as usize;
        if index >= seen.len() {
            seen.resize(index + 1, false);
        }
        count += usize::from(!std::mem::replace(&mut seen[index], true));
    }
    count
}

/// Orders vertices by first use in the triangles; drops unused ones.
pub fn by_first_use(p: &mut Primitive) {
    in_order(&mut [p]);
}

/// The same for primitives of equal vertices, which stay equal.
fn in_order(group: &mut [&mut Primitive]) {
    let count = group.first().map_or(0, |p| p.positions.len());
    let mut new = vec![u32::MAX; count];
    let mut picks: Vec<u32> = Vec::new();
    for index in group.iter_mut().flat_map(|p| &mut p.indices) {
        let slot = &mut new[*index as usize];
        if *slot == u32::MAX {
            *slot = picks.len() as u32;
            picks.push(*index);
        }
        *index = *slot;
    }
    group.iter_mut().for_each(|p| pick_vertices(p, &picks));
}
