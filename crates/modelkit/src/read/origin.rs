//! Coordinates far from the origin. A single-precision number of a national grid is off by metres, so places keep the
//! file's precision until an origin is taken off; the origin stays as the place of a node.

use crate::Scene;
use crate::scene::{AnimationPath, Bounds, FAR, Node, Transform, far_off};
use std::collections::HashMap;

/// Metres below which an origin is not worth a node.
const NEAR: f64 = 64.0;

/// The base that the positions of a file count from, by the first of them; zero along an axis that is not far out.
/// Units are the file's.
pub fn base_of(first: [f64; 3]) -> [f64; 3] {
    far_off(first, FAR)
}

/// A position about a base, and what single precision leaves out of it.
pub fn split(place: [f64; 3], base: [f64; 3]) -> ([f32; 3], [f32; 3]) {
    let exact: [f64; 3] = std::array::from_fn(|axis| place[axis] - base[axis]);
    let near = exact.map(|v| v as f32);
    let rest = std::array::from_fn(|axis| (exact[axis] - f64::from(near[axis])) as f32);
    (near, rest)
}

/// Whether what single precision leaves out of a position matters.
pub fn matters(near: [f32; 3]) -> bool {
    near.iter().any(|v| f64::from(v.abs()) >= FAR)
}

/// Whether an origin is worth a node. `metres` is the length of its unit.
pub fn is_worth(origin: [f64; 3], metres: f64) -> bool {
    origin.iter().any(|v| (v * metres).abs() >= NEAR)
}

/// Puts a base back to positions for which it was not worth a node.
pub fn back(positions: &mut [[f32; 3]], base: [f64; 3]) {
    if base != [0.0; 3] {
        for p in positions {
            *p = std::array::from_fn(|axis| (f64::from(p[axis]) + base[axis]) as f32);
        }
    }
}

/// The origin to take off what lies within, in units of the file: the middle, in whole units, of each axis that reaches
/// far out. `metres` is the length of a unit.
pub fn middle(bounds: &Bounds, metres: f64) -> [f64; 3] {
    let middle = std::array::from_fn(|axis| {
        let (low, high) = (bounds.min[axis], bounds.max[axis]);
        let reach = low.abs().max(high.abs());
        match reach.is_finite() && reach >= FAR {
            true => (low / 2.0 + high / 2.0).round(),
            false => 0.0,
        }
    });
    match is_worth(middle, metres) {
        true => middle,
        false => [0.0; 3],
    }
}

/// [`middle`] of places of which some may be no numbers.
pub fn middle_of(places: impl Iterator<Item = [f64; 3]>, metres: f64) -> [f64; 3] {
    let mut bounds = Bounds::default();
    for place in places.filter(|place| place.iter().all(|v| v.is_finite())) {
        bounds.add(place);
    }
    middle(&bounds, metres)
}

/// Puts meshes that count from an origin of their own on nodes at it, below those that they were on. Skinned meshes have
/// theirs in the skin.
pub fn place(scene: &mut Scene, origins: &HashMap<u32, [f64; 3]>) {
    if origins.is_empty() {
        return;
    }
    for index in 0..scene.nodes.len() {
        let node = &mut scene.nodes[index];
        let origin = node.mesh.and_then(|mesh| origins.get(&mesh));
        let (Some(origin), None) = (origin, node.skin) else {
            continue;
        };
        let inner = Node {
            name: node.name.clone(),
            mesh: node.mesh.take(),
            weights: std::mem::take(&mut node.weights),
            transform: Transform::translation(*origin),
            ..Node::default()
        };
        let inner = scene.add_node(inner, Some(index as u32));
        let clips = scene.animations.iter_mut();
        for channel in clips.flat_map(|clip| &mut clip.channels) {
            if channel.node == index as u32 && channel.path == AnimationPath::Weights {
                channel.node = inner;
            }
        }
    }
}

/// Puts all roots below a node at `origin`, in metres.
pub fn lift(scene: &mut Scene, origin: [f64; 3]) {
    let roots = std::mem::take(&mut scene.roots);
    let node = Node {
        name: "origin".to_owned(),
        transform: Transform::translation(origin),
        children: roots,
        ..Node::default()
    };
    scene.add_node(node, None);
}
