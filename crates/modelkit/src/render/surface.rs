//! Points of a triangle, line or point that are shaded: where they are, how they face, what light reaches them.

use super::camera::Camera;
use super::corners::{Between, blend};
use super::facet::{Facet, Facets, Shape, Spot, evenness, extent};
use super::form::NOBODY;
use super::geometry::{Geometry, Piece, corners_of};
use super::manner::{self, Ink, Manner};
use super::material::Look;
use super::sent::Sent;
use super::shade::Surface;
use super::shadow::Lit;
use super::sparse::{Corners, Node, Tints};
use super::vector::{self as v, V3};
use crate::scene::{AlphaMode, Mode};

/// Geometry and lighting of one image.
pub struct Stage<'a> {
    pub geometry: &'a Geometry,
    pub looks: &'a [Look],
    pub camera: &'a Camera,
    /// Sine and cosine of the camera's yaw.
    pub turn: [f32; 2],
    /// None: even light.
    pub lit: Option<&'a Lit<'a>>,
    pub manner: Manner,
    /// Projected vertices by piece: pixel and inverse depth.
    pub projected: &'a [Vec<V3>],
    /// Share of the light at vertices, by piece.
    pub shares: &'a [Corners],
    /// What vertices send, by piece; of a wireframe.
    pub tints: &'a [Tints],
}

/// Triangles up to this many pixels long interpolate the light of their corners: many of them share a pixel, and several
/// share a corner.
const SMALL: f32 = 6.0;
/// The same of wireframes, which interpolate what is sent; over larger ones where they are even: the corners' normals are this
/// similar (cosine).
const TINTED: f32 = 24.0;
const TINTED_EVEN: f32 = 160.0;
const EVEN: f32 = 0.985;
/// The same of two triangles that are shaded as one.
const JOINED: f32 = 0.9;

impl<'a> Stage<'a> {
    /// A facet by its number.
    pub fn facet<'f>(&self, known: &'f mut Facets<'a>, number: u32) -> Option<&'f Facet<'a>> {
        known.get(number, |near| self.facet_of(near, number))
    }

    /// Whether two triangles have a vertex with its normal in common, and are nearly even there.
    pub fn are_joined(&self, one: u32, other: u32) -> bool {
        if one == NOBODY || other == NOBODY {
            return false;
        }
        let (index, first) = self.geometry.find(one);
        let (same, second) = self.geometry.find_near(index, other);
        let piece = &self.geometry.pieces[index];
        if same != index || piece.mode != Mode::Triangles {
            return false;
        }
        let corners = |first: usize| piece.indices.get(first..first + 3);
        let (Some(one), Some(other)) = (corners(first), corners(second)) else {
            return false;
        };
        let normal = |corner: u32| piece.normals.get(corner as usize);
        let common = one.iter().any(|corner| other.contains(corner));
        let normals = (normal(one[0]), normal(other[0]));
        common && matches!(normals, (Some(a), Some(b)) if v::dot(*a, *b) > JOINED)
    }

    fn facet_of(&self, near: usize, number: u32) -> Option<Facet<'a>> {
        let (index, first) = self.geometry.find_near(near, number);
        let piece = self.geometry.pieces.get(index)?;
        let corner = piece.indices.get(first..first + corners_of(piece.mode))?;
        let points = self.projected.get(index)?;
        let at = |k: usize| points.get(*corner.get(k)? as usize).copied();
        let shape = match piece.mode {
            Mode::Triangles => Shape::Triangle(Between::of([at(0)?, at(1)?, at(2)?])),
            Mode::Lines => Shape::Line(at(0)?, at(1)?),
            Mode::Points => Shape::Point,
        };
        let (mut flat, mut ink, mut is_small) = (None, None, false);
        let (mut is_tinted, mut is_even) = (false, false);
        if piece.mode == Mode::Triangles {
            let points = [at(0)?, at(1)?, at(2)?];
            let place = |k: usize| piece.positions.get(corner[k] as usize).copied();
            let [a, b, c] = [place(0)?, place(1)?, place(2)?];
            flat = v::unit(v::cross(v::sub(b, a), v::sub(c, a)));
            is_small = extent(points) < SMALL;
            if self.manner == Manner::Wire {
                ink = Some(Ink::around(points));
                let extent = extent(points);
                is_even = evenness(piece, corner) > EVEN;
                let small = extent < TINTED || (is_even && extent < TINTED_EVEN);
                is_tinted = small && self.faces(piece, corner, flat);
            }
        }
        Some(Facet {
            number,
            index,
            look: self.looks.get(index)?,
            piece,
            corner,
            shape,
            flat,
            is_small,
            is_tinted,
            is_even,
            ink,
        })
    }

    /// Whether a triangle and its first corner both face the camera, or both do not.
    fn faces(&self, piece: &Piece, corner: &[u32], flat: Option<V3>) -> bool {
        let first = corner[0] as usize;
        let (Some(normal), Some(flat)) = (piece.normals.get(first), flat) else {
            return false;
        };
        let view = v::sub(self.camera.eye, piece.positions[first]);
        v::dot(flat, view) * v::dot(flat, *normal) > 0.0
    }

    /// Shades a facet at a pixel.
    pub fn send(
        &self,
        facet: &Facet,
        [x, y]: [f32; 2],
        light: &mut dyn FnMut(V3, V3) -> Option<f32>,
    ) -> Option<Sent> {
        let spot = facet.spot(x, y);
        let look = facet.look;
        let here = spot.weights;
        let mut base = look.color;
        if let Some(texel) = spot.sample(&look.color_texture) {
            base = [0, 1, 2, 3].map(|k| base[k] * texel[k]);
        }
        if let Some(vertex) = blend(&spot.piece.colors, spot.corner, here) {
            base = [0, 1, 2, 3].map(|k| base[k] * vertex[k]);
        }
        let alpha = match look.alpha {
            AlphaMode::Blend => base[3].clamp(0.0, 1.0),
            AlphaMode::Opaque | AlphaMode::Mask => 1.0,
        };
        let color = [base[0], base[1], base[2]].map(|c| c.max(0.0));
        if look.unlit {
            let color = color.map(|c| c.min(1.0) * alpha);
            return Some(Sent {
                color,
                through: [1.0 - alpha; 3],
            });
        }
        let position = blend(&spot.piece.positions, spot.corner, here)?;
        let view = v::unit(v::sub(self.camera.eye, position))?;
        let faced = self.normals(&spot, look, view);
        if self.manner == Manner::Normal {
            return Some(Sent {
                color: faced.smooth.map(manner::shown),
                through: [0.0; 3],
            });
        }
        let share = light(position, faced.smooth);
        let share = share.unwrap_or_else(|| self.share(&spot, position, &faced));
        let lit = Surface {
            color,
            normal: faced.mapped,
            smooth: faced.smooth,
            view,
            share,
            turn: self.turn,
        };
        Some(lit.shade(look, &spot, alpha, faced.spread))
    }

    /// What a small facet of a wireframe sends, between what its corners send; `None` if one faces away.
    pub fn tinted(&self, facet: &Facet, [x, y]: [f32; 2]) -> Option<Sent> {
        let tints = self.tints.get(facet.index).filter(|_| facet.is_tinted)?;
        let spot = facet.spot(x, y);
        let mut sent = Sent::default();
        for (&i, weight) in spot.corner.iter().zip(spot.weights) {
            let color = tints.get(i, || self.tint(&spot, i as usize))?;
            sent.color = v::add(sent.color, v::scale(color, weight));
        }
        Some(sent)
    }

    fn tint(&self, spot: &Spot, vertex: usize) -> Option<V3> {
        let position = *spot.piece.positions.get(vertex)?;
        let normal = v::unit(*spot.piece.normals.get(vertex)?)?;
        let view = v::unit(v::sub(self.camera.eye, position))?;
        let look = spot.facet.look;
        let [r, g, b, _] = look.color;
        let surface = Surface {
            color: [r, g, b],
            normal,
            smooth: normal,
            view,
            share: manner::EVEN_LIGHT,
            turn: self.turn,
        };
        (v::dot(normal, view) > 0.0).then(|| surface.shade(look, spot, 1.0, 0.0).color)
    }

    /// A point of a surface with its light, for interpolation; `None` for a surface that needs none.
    pub fn node(&self, facet: &Facet, [x, y]: [f32; 2]) -> Option<Node> {
        if facet.look.unlit {
            return None;
        }
        let spot = facet.spot(x, y);
        let position = blend(&spot.piece.positions, spot.corner, spot.weights)?;
        let view = v::unit(v::sub(self.camera.eye, position))?;
        let faced = self.normals(&spot, facet.look, view);
        Some(Node {
            position,
            normal: faced.smooth,
            share: self.share(&spot, position, &faced),
        })
    }

    /// Share of the light in place, interpolated from the corners of a small triangle.
    fn share(&self, spot: &Spot, position: V3, faced: &Faced) -> f32 {
        if !faced.flipped
            && spot.facet.is_small
            && let Some(corners) = self.shares.get(spot.facet.index)
        {
            let mut sum = 0.0;
            for (&i, weight) in spot.corner.iter().zip(spot.weights) {
                sum += corners.get(i, || self.at_corner(spot.piece, i)) * weight;
            }
            if sum.is_finite() {
                return sum;
            }
        }
        self.part(position, faced.smooth)
    }

    fn part(&self, position: V3, normal: V3) -> f32 {
        self.lit
            .map_or(manner::EVEN_LIGHT, |lit| lit.part(position, normal))
    }

    /// The light at a vertex that faces the camera; NaN at others.
    fn at_corner(&self, piece: &Piece, vertex: u32) -> f32 {
        let i = vertex as usize;
        match (piece.positions.get(i), piece.normals.get(i)) {
            (Some(&p), Some(&n)) if v::dot(v::sub(self.camera.eye, p), n) > 0.0 => self.part(p, n),
            _ => f32::NAN,
        }
    }

    fn normals(&self, spot: &Spot, look: &Look, view: V3) -> Faced {
        let here = spot.weights;
        let flat = spot.facet.flat;
        let given = blend(&spot.piece.normals, spot.corner, here).and_then(v::unit);
        let mut smooth = given.or(flat).unwrap_or(view);
        // A visible side is lit, whatever its winding. The flat normal decides, so that a smooth one near the
        // silhouette does not flip.
        let decides = flat.map_or(smooth, |f| match v::dot(f, smooth) < 0.0 {
            true => v::scale(f, -1.0),
            false => f,
        });
        let flipped = v::dot(decides, view) < 0.0;
        if flipped {
            smooth = v::scale(smooth, -1.0);
        }
        let mut faced = Faced {
            smooth,
            mapped: smooth,
            flipped,
            spread: 0.0,
        };
        if let Some(texel) = spot.sample(&look.normal_texture)
            && let Some(t) = blend(&spot.piece.tangents, spot.corner, here)
        {
            faced.bend([texel[0], texel[1], texel[2]], t, look.normal_scale);
        }
        faced
    }
}

/// Orientation of a surface.
struct Faced {
    smooth: V3,
    mapped: V3,
    /// Seen from behind.
    flipped: bool,
    /// Variance of the normals within the pixel's footprint in the normal map.
    spread: f32,
}

impl Faced {
    fn bend(&mut self, texel: V3, tangent: [f32; 4], strength: f32) {
        let local = texel.map(|c| c * 2.0 - 1.0);
        let length = v::dot(local, local).sqrt().clamp(0.05, 1.0);
        self.spread = ((1.0 - length) / length).min(0.3) * strength.abs().min(1.0);
        let n = self.smooth;
        let t = [tangent[0], tangent[1], tangent[2]];
        let Some(t) = v::unit(v::sub(t, v::scale(n, v::dot(n, t)))) else {
            return;
        };
        // On the back of a sheet the whole frame flips with the normal.
        let side = if self.flipped { -1.0 } else { 1.0 };
        let t = v::scale(t, side);
        let hand = if tangent[3] < 0.0 { -1.0 } else { 1.0 };
        let b = v::scale(v::cross(n, t), hand * side);
        let bent = v::add(
            v::scale(n, local[2].max(0.02)),
            v::add(
                v::scale(t, local[0] * strength),
                v::scale(b, local[1] * strength),
            ),
        );
        self.mapped = v::unit(bent).unwrap_or(n);
    }
}
