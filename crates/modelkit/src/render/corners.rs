//! Values of a triangle between its corners.

use super::geometry::Piece;
use super::material::Look;
use super::texture::Footprint;
use super::vector::V3;

/// Perspective-correct weights of a triangle's corners over the picture.
pub struct Between {
    first: [f32; 2],
    /// By how much the shares of the second and the third corner grow per pixel to the right and down.
    second: [f32; 2],
    third: [f32; 2],
    near: V3,
}

impl Between {
    pub fn of([a, b, c]: [V3; 3]) -> Between {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        Between {
            first: [a[0], a[1]],
            second: [(c[1] - a[1]) / area, (a[0] - c[0]) / area],
            third: [(a[1] - b[1]) / area, (b[0] - a[0]) / area],
            near: [a[2], b[2], c[2]],
        }
    }

    #[inline]
    pub fn weights(&self, x: f32, y: f32) -> [f32; 3] {
        let (dx, dy) = (x - self.first[0], y - self.first[1]);
        let second = dx * self.second[0] + dy * self.second[1];
        let third = dx * self.third[0] + dy * self.third[1];
        let [a, b, c] = self.near;
        let [a, b, c] = [(1.0 - second - third) * a, second * b, third * c];
        let by = 1.0 / (a + b + c);
        [a * by, b * by, c * by]
    }
}

/// Weighted mean of the corners' rows; `None` if a row is missing.
#[inline]
pub fn blend<const N: usize>(
    rows: &[[f32; N]],
    corner: &[u32],
    weights: [f32; 3],
) -> Option<[f32; N]> {
    let mut out = [0.0; N];
    for (&i, weight) in corner.iter().zip(weights) {
        let row = rows.get(i as usize)?;
        for k in 0..N {
            out[k] += row[k] * weight;
        }
    }
    Some(out)
}

/// Whether a masked material is transparent at these weights.
pub fn cut_out(piece: &Piece, look: &Look, corner: &[u32], weights: [f32; 3]) -> bool {
    let mut alpha = look.color[3];
    if let Some(texture) = &look.color_texture
        && let Some(uvs) = piece.uvs.get(texture.set)
        && let Some(uv) = blend(uvs, corner, weights)
    {
        let at = Footprint {
            uv,
            ..Footprint::default()
        };
        alpha *= texture.sample(&at)[3];
    }
    if let Some(color) = blend(&piece.colors, corner, weights) {
        alpha *= color[3];
    }
    alpha < look.cutoff
}
