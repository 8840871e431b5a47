//! Blend shapes. A channel with shapes in between has one morph target for each, whose weights follow the channel's.

use super::placing::Bake;
use super::{raw, vec3};
use crate::read::encoding::Encoding;
use std::collections::HashMap;

/// A blend channel of a mesh.
pub struct Channel {
    /// Of the element, for its animation.
    pub element: u32,
    /// Channel weights at which its shapes hold in full, rising; 1 is 100 %.
    pub stops: Vec<f64>,
}

impl Channel {
    /// Weights of the shapes at a weight of the channel: linear between the two stops about it (zero is one without a
    /// shape), and on along the last line beyond.
    pub fn weights(&self, weight: f64) -> Vec<f32> {
        let mut out = vec![0.0; self.stops.len()];
        if !weight.is_finite() {
            return out;
        }
        // Stops with their places; zero has none.
        let mut line: Vec<(f64, Option<usize>)> = vec![(0.0, None)];
        let stops = self.stops.iter().enumerate();
        line.extend(stops.map(|(place, stop)| (*stop, Some(place))));
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        let after = line.partition_point(|(stop, _)| *stop < weight);
        let after = after.clamp(1, line.len().max(2) - 1);
        if let (Some(a), Some(b)) = (line.get(after - 1), line.get(after)) {
            let width = b.0 - a.0;
            let t = if width.abs() > 1e-9 {
                (weight - a.0) / width
            } else {
                1.0
            };
            for (place, share) in [(a.1, 1.0 - t), (b.1, t)] {
                if let Some(slot) = place.and_then(|place| out.get_mut(place)) {
                    *slot = share as f32;
                }
            }
        }
        out
    }

    /// Where the weights of the shapes bend: linear in time between two keys they are not.
    pub fn bends(&self) -> impl Iterator<Item = f64> {
        let several = self.stops.len() > 1;
        let stops = self.stops.iter().copied().chain([0.0]);
        stops.filter(move |_| several)
    }
}

/// A morph target, expanded over the control points.
pub struct Shape {
    pub name: String,
    pub weight: f32,
    /// Offsets of place and normal.
    pub offsets: HashMap<u32, ([f32; 3], [f32; 3])>,
    pub has_normals: bool,
}

/// The channels of a mesh and their shapes, in the same order.
pub fn shapes(
    mesh: &ufbx::Mesh,
    bake: Option<&Bake>,
    encoding: Encoding,
) -> (Vec<Channel>, Vec<Shape>) {
    let (mut channels, mut out) = (Vec::new(), Vec::new());
    for deformer in &mesh.blend_deformers {
        for source in &deformer.channels {
            let keys = source.keyframes.iter();
            let channel = Channel {
                element: source.element.element_id,
                stops: keys.map(|key| key.target_weight).collect(),
            };
            let weights = channel.weights(source.weight);
            let last = source.keyframes.len().saturating_sub(1);
            for (i, key) in source.keyframes.iter().enumerate() {
                let own = [&source.element.name, &key.shape.element.name];
                // Those in between have the names of their shapes.
                let names = if i == last { own } else { [own[1], own[0]] };
                let name = names.into_iter().find(|name| !name.is_empty());
                let name = name.map_or_else(String::new, |name| encoding.name(raw(name)));
                let weight = weights.get(i).copied().unwrap_or(0.0);
                out.push(shape(name, weight, &key.shape, bake));
            }
            channels.push(channel);
        }
    }
    (channels, out)
}

fn shape(name: String, weight: f32, source: &ufbx::BlendShape, bake: Option<&Bake>) -> Shape {
    let mut offsets = HashMap::with_capacity(source.offset_vertices.len());
    // Blender limits a shape by a vertex group.
    let limited = source.offset_weights.len() == source.offset_vertices.len();
    for (i, &vertex) in source.offset_vertices.iter().enumerate() {
        let share = match limited {
            true => source.offset_weights.get(i).map_or(1.0, |w| *w as f32),
            false => 1.0,
        };
        let offset = source.position_offsets.get(i).copied().unwrap_or_default();
        let offset = vec3(bake.map_or(offset, |bake| bake.offset(offset)));
        let normal = source.normal_offsets.get(i).copied().unwrap_or_default();
        let normal = vec3(bake.map_or(normal, |bake| bake.normal(normal)));
        offsets.insert(
            vertex,
            (offset.map(|v| v * share), normal.map(|v| v * share)),
        );
    }
    Shape {
        name,
        weight,
        offsets,
        has_normals: source.normal_offsets.len() == source.offset_vertices.len(),
    }
}
