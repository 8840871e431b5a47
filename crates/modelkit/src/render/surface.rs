//! Shading of one point of a triangle, line or point: position, orientation, material.

use super::camera::Camera;
use super::corners::{blend, weights};
use super::geometry::{Geometry, Piece, corners_of};
use super::light::STUDIO;
use super::manner::{self, Ink, Manner};
use super::material::{Factor, Look};
use super::shadow::Lit;
use super::sparse::{Corners, Lattice, Node};
use super::texture::{Footprint, Slot};
use super::vector::{self as v, V3};
use crate::scene::{AlphaMode, Mode};

/// Geometry and lighting of one image.
pub struct Stage<'a> {
    pub geometry: &'a Geometry,
    pub looks: &'a [Look],
    pub camera: &'a Camera,
    /// None: even light.
    pub lit: Option<&'a Lit<'a>>,
    pub manner: Manner,
    /// Projected vertices by piece: pixel and inverse depth.
    pub projected: &'a [Vec<V3>],
    /// Share of the light at vertices, by piece.
    pub shares: &'a [Corners],
}

/// Triangles up to this many pixels long interpolate the light of their corners: many of them share a pixel, and several
/// share a corner.
const SMALL: f32 = 6.0;

/// Radiance towards the eye, tone-mapped (linear, 0…1), and the transmission of what is behind.
#[derive(Debug, Clone, Copy)]
pub struct Sent {
    pub color: V3,
    pub through: V3,
}

impl Sent {
    /// Under a line that covers this share of it.
    pub fn inked(self, share: f32) -> Sent {
        match share > 0.0 {
            true => Sent {
                color: v::mix(self.color, manner::INK, share),
                through: v::scale(self.through, 1.0 - share),
            },
            false => self,
        }
    }
}

/// One point of a piece.
struct Spot<'a> {
    piece: &'a Piece,
    corner: &'a [u32],
    /// At the pixel, one to the right, and one below.
    weights: [[f32; 3]; 3],
}

impl Spot<'_> {
    fn footprint(&self, set: usize) -> Option<Footprint> {
        let uvs = self.piece.uvs.get(set)?;
        let [here, right, below] = self.weights;
        let uv = blend(uvs, self.corner, here)?;
        let slope = |there: [f32; 3]| {
            let other = blend(uvs, self.corner, there).unwrap_or(uv);
            [other[0] - uv[0], other[1] - uv[1]]
        };
        Some(Footprint {
            uv,
            dx: slope(right),
            dy: slope(below),
        })
    }

    fn sample(&self, slot: &Option<Slot>) -> Option<[f32; 4]> {
        let slot = slot.as_ref()?;
        Some(slot.sample(&self.footprint(slot.set)?))
    }

    fn factor(&self, factor: &Factor, channel: usize) -> f32 {
        if factor.value <= 0.0 {
            return 0.0;
        }
        factor.value * self.sample(&factor.texture).map_or(1.0, |t| t[channel])
    }
}

impl Stage<'_> {
    fn spot(&self, number: u32, x: f32, y: f32) -> Option<(usize, Spot<'_>)> {
        let (index, first) = self.geometry.find(number);
        let piece = self.geometry.pieces.get(index)?;
        let corner = piece.indices.get(first..first + corners_of(piece.mode))?;
        let points = &self.projected[index];
        let at = |k: usize| points.get(*corner.get(k)? as usize).copied();
        let all = |f: &dyn Fn(f32, f32) -> [f32; 3]| [f(x, y), f(x + 1.0, y), f(x, y + 1.0)];
        let weights = match piece.mode {
            Mode::Triangles => {
                let points = [at(0)?, at(1)?, at(2)?];
                let mut w = all(&|x, y| weights(points, x, y));
                w[0] = inside(w[0]);
                w
            }
            Mode::Lines => {
                let (a, b) = (at(0)?, at(1)?);
                let d = [b[0] - a[0], b[1] - a[1]];
                let t = ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / (d[0] * d[0] + d[1] * d[1]);
                let t = if t.is_finite() {
                    t.clamp(0.0, 1.0)
                } else {
                    0.0
                };
                [[1.0 - t, t, 0.0]; 3]
            }
            Mode::Points => [[1.0, 0.0, 0.0]; 3],
        };
        Some((
            index,
            Spot {
                piece,
                corner,
                weights,
            },
        ))
    }

    /// Shades the triangle, line or point `number` at a pixel.
    pub fn send(&self, number: u32, x: f32, y: f32, lattice: &Lattice) -> Option<Sent> {
        let (index, spot) = self.spot(number, x, y)?;
        let look = self.looks.get(index)?;
        let here = spot.weights[0];
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
        let share = match lattice.light(x, y, position, faced.smooth) {
            Some(share) => share,
            None => self.share(index, &spot, position, &faced),
        };
        let lit = Surface {
            color,
            normal: faced.mapped,
            smooth: faced.smooth,
            view,
            share,
            yaw: self.camera.view.yaw,
        };
        Some(lit.shade(look, &spot, alpha, faced.spread))
    }

    /// A point of a surface with its light, for interpolation; `None` for a surface that needs none.
    pub fn node(&self, number: u32, x: f32, y: f32) -> Option<Node> {
        let (index, spot) = self.spot(number, x, y)?;
        let look = self.looks.get(index).filter(|look| !look.unlit)?;
        let position = blend(&spot.piece.positions, spot.corner, spot.weights[0])?;
        let view = v::unit(v::sub(self.camera.eye, position))?;
        let faced = self.normals(&spot, look, view);
        Some(Node {
            position,
            normal: faced.smooth,
            share: self.share(index, &spot, position, &faced),
        })
    }

    /// Share of the light in place, interpolated from the corners of a small triangle.
    fn share(&self, index: usize, spot: &Spot, position: V3, faced: &Faced) -> f32 {
        if !faced.flipped
            && self.is_small(index, spot)
            && let Some(corners) = self.shares.get(index)
        {
            let mut sum = 0.0;
            for (&i, weight) in spot.corner.iter().zip(spot.weights[0]) {
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

    /// The ink of a wireframe on a triangle; none in other manners and on lines and points.
    pub fn ink(&self, number: u32) -> Option<Ink> {
        if self.manner != Manner::Wire {
            return None;
        }
        let (index, first) = self.geometry.find(number);
        let piece = &self.geometry.pieces[index];
        if piece.mode != Mode::Triangles {
            return None;
        }
        let points = &self.projected[index];
        let corner = &piece.indices[first..first + 3];
        Some(Ink::around([0, 1, 2].map(|k| points[corner[k] as usize])))
    }

    fn is_small(&self, index: usize, spot: &Spot) -> bool {
        let points = &self.projected[index];
        let at = |i: &u32| points.get(*i as usize).copied().unwrap_or([f32::NAN; 3]);
        let small = |k: usize| {
            let values = spot.corner.iter().map(|i| at(i)[k]);
            let (low, high) = values.fold((f32::MAX, f32::MIN), |(low, high), value| {
                (low.min(value), high.max(value))
            });
            high - low < SMALL
        };
        spot.piece.mode == Mode::Triangles && small(0) && small(1)
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
        let here = spot.weights[0];
        let at = |k: usize| {
            let i = spot.corner.get(k).map_or(u32::MAX, |i| *i) as usize;
            spot.piece.positions.get(i).copied().unwrap_or([0.0; 3])
        };
        let flat = match spot.piece.mode {
            Mode::Triangles => v::unit(v::cross(v::sub(at(1), at(0)), v::sub(at(2), at(0)))),
            Mode::Lines | Mode::Points => None,
        };
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

/// Clamps weights of a point slightly outside the triangle.
fn inside(w: [f32; 3]) -> [f32; 3] {
    let w = w.map(|v| v.clamp(0.0, 1.0));
    let sum = w[0] + w[1] + w[2];
    match sum > 0.0 && sum.is_finite() {
        true => w.map(|v| v / sum),
        false => [1.0 / 3.0; 3],
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

/// A shaded point.
struct Surface {
    color: V3,
    normal: V3,
    smooth: V3,
    view: V3,
    share: f32,
    yaw: f32,
}

impl Surface {
    fn shade(&self, look: &Look, spot: &Spot, alpha: f32, spread: f32) -> Sent {
        let metal = spot.sample(&look.metal_texture);
        let metallic = (look.metallic * metal.map_or(1.0, |t| t[2])).clamp(0.0, 1.0);
        let rough = (look.roughness * metal.map_or(1.0, |t| t[1])).clamp(0.045, 1.0);
        let rough = (rough.powi(4) + spread).min(1.0).sqrt().sqrt();
        let occlusion = spot
            .sample(&look.occlusion_texture)
            .map_or(1.0, |t| 1.0 + look.occlusion.clamp(0.0, 1.0) * (t[0] - 1.0));
        let open = self.share * occlusion;
        let facing = v::dot(self.normal, self.view).clamp(0.02, 1.0);
        let specular = look.specular
            * spot
                .sample(&look.specular_texture)
                .map_or(1.0, |texel| texel[3]);
        let tone = spot.sample(&look.reflectance_texture).unwrap_or([1.0; 4]);
        let dielectric = [0, 1, 2].map(|k| look.reflectance[k] * tone[k] * specular);
        let straight = v::mix(dielectric, self.color, metallic);
        let edge = specular + (1.0 - specular) * metallic;
        let (single, multiple) = reflected(straight, edge, rough, facing);
        let mirror = self.mirror(self.normal);
        let seen = STUDIO.glossy(v::facing(mirror, self.yaw), rough);
        let around = STUDIO.diffuse(v::facing(self.normal, self.yaw));
        let hidden = hidden(facing, open, rough);
        let gloss =
            [0, 1, 2].map(|k| single[k] * seen[k] * hidden + multiple[k] * around[k] * open);
        let most = |k: usize| single[k] + multiple[k];
        let left = 1.0 - most(0).max(most(1)).max(most(2));
        let glass = spot.factor(&look.transmission, 0) * (1.0 - metallic);
        let matte = [0, 1, 2]
            .map(|k| self.color[k] * (1.0 - metallic) * left * around[k] * open * (1.0 - glass));
        let sheen = self.sheen(look, spot, around, open);
        let glow = self.glow(look, spot);
        // A thin clear object is fainter than its highlights.
        let shine = alpha.max(0.6 * (alpha * 8.0).min(1.0));
        let mut out: V3 =
            [0, 1, 2].map(|k| (matte[k] + sheen[k] + glow[k]) * alpha + gloss[k] * shine);
        let mut through = [0, 1, 2].map(|k| {
            let glassy = self.color[k].min(1.0) * look.tint[k] * glass * left.max(0.0);
            1.0 - alpha + alpha * glassy
        });
        self.coat(look, spot, open, &mut out, &mut through);
        Sent {
            color: super::light::tone(out),
            through,
        }
    }

    fn mirror(&self, n: V3) -> V3 {
        v::sub(v::scale(n, 2.0 * v::dot(n, self.view)), self.view)
    }

    fn glow(&self, look: &Look, spot: &Spot) -> V3 {
        if look.glow == [0.0; 3] {
            return [0.0; 3];
        }
        let texel = spot.sample(&look.glow_texture).unwrap_or([1.0; 4]);
        [0, 1, 2].map(|k| look.glow[k] * texel[k])
    }

    /// KHR_materials_sheen, approximated: fibres that catch the light at the silhouette.
    fn sheen(&self, look: &Look, spot: &Spot, around: V3, open: f32) -> V3 {
        if look.sheen == [0.0; 3] {
            return [0.0; 3];
        }
        let texel = spot.sample(&look.sheen_texture).unwrap_or([1.0; 4]);
        let facing = v::dot(self.normal, self.view).clamp(0.0, 1.0);
        let width = 1.0 + 4.0 * (1.0 - look.sheen_roughness.clamp(0.0, 1.0));
        let rim = 0.08 + 0.5 * (1.0 - facing).powf(width);
        [0, 1, 2].map(|k| look.sheen[k] * texel[k] * around[k] * open * rim)
    }

    /// KHR_materials_clearcoat: a second, clear reflection on top.
    fn coat(&self, look: &Look, spot: &Spot, open: f32, out: &mut V3, through: &mut V3) {
        let coat = spot.factor(&look.coat, 0);
        if coat <= 0.0 {
            return;
        }
        let rough = spot.factor(&look.coat_roughness, 1).clamp(0.045, 1.0);
        let facing = v::dot(self.smooth, self.view).clamp(0.02, 1.0);
        let fresnel = coat * (0.04 + 0.96 * (1.0 - facing).powi(5));
        let seen = STUDIO.glossy(v::facing(self.mirror(self.smooth), self.yaw), rough);
        let hidden = hidden(facing, open, rough);
        for k in 0..3 {
            out[k] = out[k] * (1.0 - fresnel) + seen[k] * fresnel * hidden;
            through[k] *= 1.0 - fresnel;
        }
    }
}

/// Specular occlusion from this share of diffuse light (Lagarde).
fn hidden(facing: f32, open: f32, rough: f32) -> f32 {
    let power = (-16.0 * rough - 1.0).exp2();
    ((facing + open).powf(power) - 1.0 + open).clamp(0.0, 1.0)
}

/// Single and multiple scattering of a rough mirror, as shares of the incoming light: Karis' fit of the split sum,
/// Fdez-Agüera's multiple scattering.
fn reflected(straight: V3, edge: f32, rough: f32, facing: f32) -> (V3, V3) {
    let r = [
        1.0 - rough,
        0.0425 - 0.0275 * rough,
        1.04 - 0.572 * rough,
        0.022 * rough - 0.04,
    ];
    let a = (r[0] * r[0]).min((-9.28 * facing).exp2()) * r[0] + r[1];
    let (scale, bias) = (-1.04 * a + r[2], 1.04 * a + r[3]);
    let single = straight.map(|f| f * scale + edge * bias);
    let lost = 1.0 - (scale + bias);
    let multiple = [0, 1, 2].map(|k| {
        let mean = straight[k] + (1.0 - straight[k]) / 21.0;
        let again = single[k] * mean / (1.0 - lost * mean);
        again * lost
    });
    (single, multiple)
}
