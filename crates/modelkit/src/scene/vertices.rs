//! Rearranges the vertices of a primitive with all their attributes.

use super::Primitive;

/// Keeps the vertices listed in `picks`, in that order, in every attribute. Indices are unchanged: the caller renumbers
/// them.
pub fn pick_vertices(primitive: &mut Primitive, picks: &[u32]) {
    pick(&mut primitive.positions, picks);
    pick(&mut primitive.normals, picks);
    pick(&mut primitive.tangents, picks);
    pick(&mut primitive.colors, picks);
    for set in &mut primitive.uvs {
        pick(set, picks);
    }
    for set in &mut primitive.skin_sets {
        pick(&mut set.joints, picks);
        pick(&mut set.weights, picks);
    }
    for target in &mut primitive.targets {
        pick(&mut target.positions, picks);
        pick(&mut target.normals, picks);
        pick(&mut target.tangents, picks);
    }
    for custom in &mut primitive.custom {
        let width = custom.width;
        let mut values = Vec::with_capacity(picks.len() * width);
        for &p in picks {
            let from = p as usize * width;
            values.extend_from_slice(custom.values.get(from..from + width).unwrap_or(&[]));
        }
        custom.values = values;
    }
}

fn pick<T: Copy>(rows: &mut Vec<T>, picks: &[u32]) {
    if !rows.is_empty() {
        *rows = picked(rows, picks);
    }
}

/// The listed rows, in that order.
pub fn picked<T: Copy>(rows: &[T], picks: &[u32]) -> Vec<T> {
    let own = picks.iter().filter_map(|p| rows.get(*p as usize).copied());
    own.collect()
}
