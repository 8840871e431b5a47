//! Colours of whole faces, in formats that have them.

use crate::scene::{Primitive, pick_vertices};
use std::collections::HashMap;

/// Gives each triangle its colour, linear: vertices of several colours become several vertices. `colors` has one for
/// each triangle.
pub fn paint(primitive: &mut Primitive, colors: &[[f32; 4]]) {
    let mut known: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    let mut picks: Vec<u32> = Vec::new();
    let mut shown: Vec<[f32; 4]> = Vec::new();
    for (triangle, color) in primitive.indices.chunks_mut(3).zip(colors) {
        for index in triangle {
            let key = (*index, color.map(f32::to_bits));
            *index = *known.entry(key).or_insert_with(|| {
                picks.push(key.0);
                shown.push(*color);
                picks.len() as u32 - 1
            });
        }
    }
    pick_vertices(primitive, &picks);
    primitive.colors = shown;
}
