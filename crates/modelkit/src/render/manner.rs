//! Ways to look at a model other than as its materials show it: the mesh, the bare form, the normals, the texture
//! coordinates. All but the bare form have even light, which needs no preparation.

use super::form::Taken;
use super::geometry::Geometry;
use super::material::Look;
use super::texture::Slot;
use super::vector::V3;
use crate::read::colour::srgb_to_linear;
use image::{Rgba, RgbaImage};

/// What an image shows of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// Materials in the light of the studio.
    #[default]
    Shaded,
    /// The edges of all triangles over the bare form.
    Wire,
    /// The form without materials.
    Clay,
    /// Directions as colours.
    Normal,
    /// A chequered texture.
    Uv,
}

/// Share of the light that reaches a point where light is even.
pub const EVEN_LIGHT: f32 = 0.92;
/// Colour of lines, linear.
pub const INK: V3 = [0.018, 0.03, 0.055];
/// Half the width of a line in pixels, and how far its edges fade.
const HALF: f32 = 0.5;
const FADE: f32 = 0.45;
/// The same in shares of a triangle's height: lines of dense meshes become thinner, so that form stays visible.
const DENSE_HALF: f32 = 0.06;
const DENSE_FADE: f32 = 0.06;
/// A sample is at most this far from the middle of others in its pixel.
const PIXEL: f32 = 1.42;

const CLAY: [f32; 4] = [0.58, 0.59, 0.61, 1.0];
const PALE: [f32; 4] = [0.72, 0.735, 0.76, 1.0];

/// Squares of the chequered texture along each side, and pixels of one.
const SQUARES: u32 = 16;
const SQUARE: u32 = 32;

impl Manner {
    pub fn has_shadows(self) -> bool {
        matches!(self, Manner::Shaded | Manner::Clay)
    }

    /// One look for all pieces; colours of vertices do not count.
    pub(super) fn looks(self, geometry: &mut Geometry) -> Vec<Look> {
        let mut look = Look {
            color: if self == Manner::Wire { PALE } else { CLAY },
            roughness: 0.82,
            ..Look::plain()
        };
        let squares = (self == Manner::Uv).then(|| Slot::painted(squares()));
        let mut looks = Vec::with_capacity(geometry.pieces.len());
        for piece in &mut geometry.pieces {
            piece.colors = Vec::new();
            look.color_texture = squares.clone().filter(|_| !piece.uvs.is_empty());
            if look.color_texture.is_some() {
                look.color = [1.0; 4];
            }
            looks.push(look.clone());
        }
        looks
    }
}

/// Hue changes along u and lightness along v, so that mirrored and turned parts are seen.
fn squares() -> RgbaImage {
    let side = SQUARES * SQUARE;
    RgbaImage::from_fn(side, side, |x, y| {
        let (i, j) = (x / SQUARE, y / SQUARE);
        let turn = i as f32 / SQUARES as f32 * std::f32::consts::TAU;
        let light = if (i + j) % 2 == 0 { 0.86 } else { 0.5 };
        let depth = 1.0 - 0.35 * j as f32 / SQUARES as f32;
        let channel = |at: f32| {
            let hue = 0.5 + 0.5 * (turn - at).cos();
            ((light * depth * (0.45 + 0.55 * hue)) * 255.0).round() as u8
        };
        let third = std::f32::consts::TAU / 3.0;
        Rgba([channel(0.0), channel(third), channel(2.0 * third), 255])
    })
}

/// A component of a direction as a linear colour.
pub fn shown(component: f32) -> f32 {
    srgb_to_linear((component * 0.5 + 0.5).clamp(0.0, 1.0))
}

/// The lines around a projected triangle: what is the same for all its samples.
pub struct Ink {
    /// The distance from each edge: at the origin, and its change per pixel to the right and down.
    edges: [V3; 3],
    /// Where ink begins to fade and where there is none, as distances from an edge, and the inverse of their difference.
    full: f32,
    none: f32,
    by: f32,
}

impl Ink {
    pub fn around([a, b, c]: [V3; 3]) -> Ink {
        let twice = ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])).abs();
        let mut height = f32::MAX;
        let edges = [(a, b), (b, c), (c, a)].map(|(p, q)| {
            let (dx, dy) = (q[0] - p[0], q[1] - p[1]);
            let length = dx.hypot(dy).max(1e-6);
            height = height.min(twice / length);
            let [x, y] = [-dy / length, dx / length];
            [-(p[0] * x + p[1] * y), x, y]
        });
        let half = HALF.min(height * DENSE_HALF);
        let fade = FADE.min(height * DENSE_FADE).max(1e-4);
        Ink {
            edges,
            full: half - fade,
            none: half + fade,
            by: 0.5 / fade,
        }
    }

    /// Mean share of ink at samples of the pixel at `at`, around `middle`.
    pub fn mean<const S: usize>(&self, taken: &Taken<S>, middle: [f32; 2], at: [f32; 2]) -> f32 {
        if self.nearest(middle) >= self.none + PIXEL {
            return 0.0;
        }
        let inks: [f32; S] = std::array::from_fn(|sample| {
            let [x, y] = taken.places[sample];
            self.at([at[0] + x, at[1] + y])
        });
        taken.mean(&inks)
    }

    /// Share of ink at a point inside the triangle.
    #[inline]
    fn at(&self, at: [f32; 2]) -> f32 {
        let t = ((self.nearest(at) - self.full) * self.by).clamp(0.0, 1.0);
        0.9 * (1.0 - t * t * (3.0 - 2.0 * t))
    }

    /// Distance of the nearest edge.
    #[inline]
    fn nearest(&self, [x, y]: [f32; 2]) -> f32 {
        let away =
            |k: usize| (self.edges[k][0] + self.edges[k][1] * x + self.edges[k][2] * y).abs();
        let least = |a: f32, b: f32| if a < b { a } else { b };
        least(least(away(0), away(1)), away(2))
    }
}
