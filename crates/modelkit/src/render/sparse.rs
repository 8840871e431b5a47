//! Light computed at few places and interpolated between them: over a surface it changes slowly, and where it does not it
//! is computed in place.

use super::raster::{Hit, NOTHING, place};
use super::vector::{self as v, V3};
use std::sync::atomic::{AtomicU32, Ordering};

/// Pixels between two nodes of a lattice.
const STEP: u32 = 4;
/// Largest difference between the nodes around a point that is interpolated.
const EVEN: f32 = 0.06;
/// Nodes are on the point's surface if their normals are this similar (cosine) and they are this close to its tangent
/// plane.
const ALIKE: f32 = 0.9;
const LEVEL: f32 = 0.02;
/// Weight of the nodes on the point's surface that is enough.
const ENOUGH: f32 = 0.3;

/// Light at the vertices of a piece, computed when it is first asked for: of a dense model few vertices are visible.
pub struct Corners(Vec<AtomicU32>);

impl Corners {
    pub fn new(count: usize) -> Corners {
        let unknown = || AtomicU32::new(f32::NAN.to_bits());
        Corners(std::iter::repeat_with(unknown).take(count).collect())
    }

    /// The light at a vertex; NaN if there is no such vertex. Threads that compute it at once find the same.
    pub fn get(&self, vertex: u32, compute: impl FnOnce() -> f32) -> f32 {
        let Some(slot) = self.0.get(vertex as usize) else {
            return f32::NAN;
        };
        let known = f32::from_bits(slot.load(Ordering::Relaxed));
        if !known.is_nan() {
            return known;
        }
        let light = compute();
        slot.store(light.to_bits(), Ordering::Relaxed);
        light
    }
}

/// A point of a surface with its light.
#[derive(Clone, Copy)]
pub struct Node {
    pub position: V3,
    pub normal: V3,
    pub share: f32,
}

/// Nodes over the opaque surfaces of a tile.
pub struct Lattice {
    corner: [u32; 2],
    size: [u32; 2],
    columns: usize,
    nodes: Vec<Option<Node>>,
}

impl Lattice {
    /// Over the tile at `rectangle`; `node` returns the node at an object's sample.
    pub fn over<const S: usize>(
        [left, top, width, height]: [u32; 4],
        solid: &[[Hit; S]],
        node: impl Fn(u32, f32, f32) -> Option<Node>,
    ) -> Lattice {
        let count = |side: u32| ((side - 1) / STEP + 2) as usize;
        let (columns, rows) = (count(width), count(height));
        let at = |k: usize| {
            let x = (k % columns) as u32 * STEP;
            let y = (k / columns) as u32 * STEP;
            let (x, y) = (x.min(width - 1), y.min(height - 1));
            let pixel = &solid[(y * width + x) as usize];
            let sample = pixel.iter().position(|hit| *hit != NOTHING)?;
            let [dx, dy] = place::<S>(sample);
            node(
                pixel[sample].number,
                (left + x) as f32 + dx,
                (top + y) as f32 + dy,
            )
        };
        Lattice {
            corner: [left, top],
            size: [width, height],
            columns,
            nodes: (0..columns * rows).map(at).collect(),
        }
    }

    /// The light at a pixel of the surface through `position`; `None` where it must be computed.
    pub fn light(&self, x: f32, y: f32, position: V3, normal: V3) -> Option<f32> {
        let (i, right) = self.cell(0, x);
        let (j, down) = self.cell(1, y);
        let first = j * self.columns + i;
        let around = [
            (first, (1.0 - right) * (1.0 - down)),
            (first + 1, right * (1.0 - down)),
            (first + self.columns, (1.0 - right) * down),
            (first + self.columns + 1, right * down),
        ];
        let (mut sum, mut whole) = (0.0, 0.0);
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for (k, weight) in around {
            let Some(Some(node)) = self.nodes.get(k) else {
                continue;
            };
            let away = v::dot(v::sub(node.position, position), normal).abs();
            if v::dot(node.normal, normal) >= ALIKE && away <= LEVEL {
                sum += node.share * weight;
                whole += weight;
                (low, high) = (low.min(node.share), high.max(node.share));
            }
        }
        (whole >= ENOUGH && high - low <= EVEN).then(|| sum / whole)
    }

    /// The node before a coordinate, and how far it is towards the next one.
    fn cell(&self, axis: usize, at: f32) -> (usize, f32) {
        let last = self.size[axis] - 1;
        let at = (at - 0.5 - self.corner[axis] as f32).clamp(0.0, last as f32);
        let first = at as u32 / STEP * STEP;
        let next = (first + STEP).min(last);
        let part = match next > first {
            true => (at - first as f32) / (next - first) as f32,
            false => 0.0,
        };
        ((first / STEP) as usize, part)
    }
}
