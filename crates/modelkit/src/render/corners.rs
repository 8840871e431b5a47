//! Values of a triangle between its corners.

use super::geometry::Piece;
use super::material::Look;
use super::texture::Footprint;
use super::vector::V3;

/// Perspective-correct weights of a triangle's corners at a pixel.
pub fn weights([a, b, c]: [V3; 3], x: f32, y: f32) -> [f32; 3] {
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    let w1 = ((x - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (y - a[1])) / area * b[2];
    let w2 = ((b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])) / area * c[2];
    let w0 = (1.0 - w1 / b[2] - w2 / c[2]) * a[2];
    let sum = w0 + w1 + w2;
    [w0 / sum, w1 / sum, w2 / sum]
}

/// Weighted mean of the corners' rows; `None` if a row is missing.
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
