//! Triangles, lines and points that are shaded, and places on them.

use super::corners::{Between, blend};
use super::geometry::Piece;
use super::manner::Ink;
use super::material::{Factor, Look};
use super::texture::{Footprint, Slot};
use super::vector::{self as v, V3};

/// A triangle, line or point that is shaded: what is the same for all its places.
pub struct Facet<'a> {
    pub number: u32,
    /// Of its piece.
    pub index: usize,
    pub look: &'a Look,
    pub piece: &'a Piece,
    pub corner: &'a [u32],
    pub shape: Shape,
    /// Normal of a triangle.
    pub flat: Option<V3>,
    pub is_small: bool,
    /// Of a wireframe: what it sends lies between what its corners send, or changes slowly.
    pub is_tinted: bool,
    pub is_even: bool,
    /// Of a wireframe; none in other manners and on lines and points.
    pub ink: Option<Ink>,
}

/// Facets that were shaded lately: neighbouring pixels mostly show the same ones.
#[derive(Default)]
pub struct Facets<'a> {
    slots: [Option<Facet<'a>>; FACETS],
    /// Of the newest.
    piece: usize,
}

const FACETS: usize = 8;

impl<'a> Facets<'a> {
    /// The facet of this number; `make` gets the piece of the newest, near which it probably is.
    pub fn get(
        &mut self,
        number: u32,
        make: impl FnOnce(usize) -> Option<Facet<'a>>,
    ) -> Option<&Facet<'a>> {
        let slot = &mut self.slots[number as usize % FACETS];
        if slot.as_ref().is_none_or(|facet| facet.number != number) {
            *slot = make(self.piece);
            self.piece = slot.as_ref().map_or(0, |facet| facet.index);
        }
        slot.as_ref()
    }
}

/// Where a place lies between the projected corners.
pub enum Shape {
    Triangle(Between),
    Line(V3, V3),
    Point,
}

impl Shape {
    /// Perspective-correct weights of the corners.
    fn weights(&self, x: f32, y: f32) -> [f32; 3] {
        match self {
            Shape::Triangle(between) => between.weights(x, y),
            Shape::Line(a, b) => {
                let d = [b[0] - a[0], b[1] - a[1]];
                let t = ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
                let t = if t.is_finite() {
                    t.clamp(0.0, 1.0)
                } else {
                    0.0
                };
                [1.0 - t, t, 0.0]
            }
            Shape::Point => [1.0, 0.0, 0.0],
        }
    }
}

/// One place of a facet.
pub struct Spot<'a> {
    pub facet: &'a Facet<'a>,
    pub piece: &'a Piece,
    pub corner: &'a [u32],
    at: [f32; 2],
    /// Of the corners.
    pub weights: [f32; 3],
}

impl Spot<'_> {
    fn footprint(&self, set: usize) -> Option<Footprint> {
        let uvs = self.piece.uvs.get(set)?;
        let uv = blend(uvs, self.corner, self.weights)?;
        let [x, y] = self.at;
        let slope = |x: f32, y: f32| {
            let there = self.facet.shape.weights(x, y);
            let other = blend(uvs, self.corner, there).unwrap_or(uv);
            [other[0] - uv[0], other[1] - uv[1]]
        };
        Some(Footprint {
            uv,
            dx: slope(x + 1.0, y),
            dy: slope(x, y + 1.0),
        })
    }

    pub fn sample(&self, slot: &Option<Slot>) -> Option<[f32; 4]> {
        let slot = slot.as_ref()?;
        Some(slot.sample(&self.footprint(slot.set)?))
    }

    pub fn factor(&self, factor: &Factor, channel: usize) -> f32 {
        if factor.value <= 0.0 {
            return 0.0;
        }
        factor.value * self.sample(&factor.texture).map_or(1.0, |t| t[channel])
    }
}

impl<'a> Facet<'a> {
    pub fn spot(&'a self, x: f32, y: f32) -> Spot<'a> {
        let weights = self.shape.weights(x, y);
        Spot {
            facet: self,
            piece: self.piece,
            corner: self.corner,
            at: [x, y],
            weights: match self.shape {
                Shape::Triangle(_) => inside(weights),
                Shape::Line(..) | Shape::Point => weights,
            },
        }
    }
}

/// Cosine between the most different normals of a triangle's corners; -1 without normals.
pub fn evenness(piece: &Piece, corner: &[u32]) -> f32 {
    let normal = |k: usize| piece.normals.get(corner[k] as usize).copied();
    match (normal(0), normal(1), normal(2)) {
        (Some(a), Some(b), Some(c)) => v::dot(a, b).min(v::dot(b, c)).min(v::dot(c, a)),
        _ => -1.0,
    }
}

/// Longer side of a projected triangle's rectangle.
pub fn extent(points: [V3; 3]) -> f32 {
    let side = |k: usize| {
        let values = points.iter().map(|p| p[k]);
        let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        high - low
    };
    side(0).max(side(1))
}

/// Clamps weights of a point slightly outside the triangle.
fn inside(w: [f32; 3]) -> [f32; 3] {
    let w = w.map(|v| v.clamp(0.0, 1.0));
    let sum = w[0] + w[1] + w[2];
    match sum > 0.0 && sum.is_finite() {
        true => w.map(|v| v / sum),
        false => [1.0 / 3.0; 3],
    }
}
