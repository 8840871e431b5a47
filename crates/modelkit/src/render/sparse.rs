//! Light computed at few places and interpolated between them: over a surface it changes slowly, and where it does not it
//! is computed in place.

use super::form::NOBODY;
use super::sent::Sent;
use super::vector::{self as v, V3};
use std::sync::atomic::{AtomicU32, Ordering};

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

/// What the vertices of a piece send, in the same way.
pub struct Tints(Vec<[AtomicU32; 3]>);

impl Tints {
    pub fn new(count: usize) -> Tints {
        let unknown = || [0; 3].map(|_| AtomicU32::new(f32::NAN.to_bits()));
        Tints(std::iter::repeat_with(unknown).take(count).collect())
    }

    /// What a vertex sends, if `compute` finds it.
    pub fn get(&self, vertex: u32, compute: impl FnOnce() -> Option<V3>) -> Option<V3> {
        let slots = self.0.get(vertex as usize)?;
        let known = [0, 1, 2].map(|k| f32::from_bits(slots[k].load(Ordering::Relaxed)));
        if known.iter().all(|value| !value.is_nan()) {
            return Some(known);
        }
        let color = compute()?;
        for (slot, value) in slots.iter().zip(color) {
            slot.store(value.to_bits(), Ordering::Relaxed);
        }
        Some(color)
    }
}

/// What facets send, once for a square of pixels: without shadows and textures it changes slowly over a facet.
pub struct Squares {
    /// Pixels of a square.
    side: f32,
    corner: [f32; 2],
    columns: usize,
    known: Vec<(u32, Sent)>,
}

impl Squares {
    /// Over the tile at `rectangle`, squares of `side` pixels.
    pub fn over([left, top, width, height]: [u32; 4], side: f32) -> Squares {
        let count = |pixels: u32| (pixels as f32 / side).ceil() as usize;
        Squares {
            side,
            corner: [left as f32, top as f32],
            columns: count(width),
            known: vec![(NOBODY, Sent::default()); count(width) * count(height)],
        }
    }

    /// What an object sends at a pixel: `send` at the middle of its square.
    pub fn get(
        &mut self,
        number: u32,
        at: [f32; 2],
        send: impl FnOnce([f32; 2]) -> Option<Sent>,
    ) -> Option<Sent> {
        let [x, y] = [0, 1].map(|k| ((at[k] - self.corner[k]) / self.side) as u32 as usize);
        let slot = self.known.get_mut(y * self.columns + x)?;
        if slot.0 != number {
            let middle =
                |k: usize, square: usize| (square as f32 + 0.5) * self.side + self.corner[k];
            *slot = (number, send([middle(0, x), middle(1, y)])?);
        }
        Some(slot.1)
    }
}

/// A point of a surface with its light.
#[derive(Clone, Copy)]
pub struct Node {
    pub position: V3,
    pub normal: V3,
    pub share: f32,
}

/// Nodes over the opaque surfaces of a tile, each computed when it is first asked for.
pub struct Lattice {
    corner: [u32; 2],
    size: [u32; 2],
    mesh: Mesh,
    columns: usize,
    /// None: not computed yet; then what was found.
    nodes: Vec<Option<Option<Node>>>,
}

/// Pixels between two nodes, and the largest difference between those around a point that is interpolated.
#[derive(Clone, Copy)]
pub struct Mesh {
    pub step: u32,
    pub even: f32,
}

impl Mesh {
    pub const COARSE: Mesh = Mesh {
        step: 4,
        even: 0.06,
    };
    /// Where the coarse one is not even.
    pub const FINE: Mesh = Mesh { step: 2, even: 0.4 };
}

impl Lattice {
    /// Over the tile at `rectangle`.
    pub fn over([left, top, width, height]: [u32; 4], mesh: Mesh) -> Lattice {
        let count = |side: u32| ((side - 1) / mesh.step + 2) as usize;
        let (columns, rows) = (count(width), count(height));
        Lattice {
            corner: [left, top],
            size: [width, height],
            mesh,
            columns,
            nodes: vec![None; columns * rows],
        }
    }

    /// The light at a pixel of the surface through `position`; `None` where it must be computed. `node` returns the node at a
    /// pixel of the tile.
    pub fn light(
        &mut self,
        [x, y]: [f32; 2],
        position: V3,
        normal: V3,
        node: &mut dyn FnMut([u32; 2]) -> Option<Node>,
    ) -> Option<f32> {
        let (i, right) = self.cell(0, x);
        let (j, down) = self.cell(1, y);
        let (mut sum, mut whole) = (0.0, 0.0);
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for (i, j, weight) in [
            (i, j, (1.0 - right) * (1.0 - down)),
            (i + 1, j, right * (1.0 - down)),
            (i, j + 1, (1.0 - right) * down),
            (i + 1, j + 1, right * down),
        ] {
            let Some(node) = self.node(i, j, node) else {
                continue;
            };
            if v::dot(node.normal, normal) < ALIKE {
                continue;
            }
            if v::dot(v::sub(node.position, position), normal).abs() <= LEVEL {
                sum += node.share * weight;
                whole += weight;
                (low, high) = (low.min(node.share), high.max(node.share));
                if high - low > self.mesh.even {
                    return None;
                }
            }
        }
        (whole >= ENOUGH).then(|| sum / whole)
    }

    fn node(
        &mut self,
        i: usize,
        j: usize,
        compute: &mut dyn FnMut([u32; 2]) -> Option<Node>,
    ) -> Option<Node> {
        let slot = self.nodes.get_mut(j * self.columns + i)?;
        let [width, height] = self.size;
        let place = || {
            let [x, y] = [i, j].map(|k| k as u32 * self.mesh.step);
            [x.min(width - 1), y.min(height - 1)]
        };
        *slot.get_or_insert_with(|| compute(place()))
    }

    /// The node before a coordinate, and how far it is towards the next one.
    fn cell(&self, axis: usize, at: f32) -> (usize, f32) {
        let (step, last) = (self.mesh.step, self.size[axis] - 1);
        let at = (at - 0.5 - self.corner[axis] as f32).clamp(0.0, last as f32);
        let first = at as u32 / step * step;
        let next = (first + step).min(last);
        let part = match next > first {
            true => (at - first as f32) / (next - first) as f32,
            false => 0.0,
        };
        ((first / step) as usize, part)
    }
}
