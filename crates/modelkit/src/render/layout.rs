//! The layout of a model's texture coordinates as a flat drawing.

use super::form::{NOBODY, Samples, Taken, place};
use super::geometry::{Geometry, Piece};
use super::manner::{self, Ink};
use super::material::Look;
use super::raster::Raster;
use super::texture::to_byte;
use super::vector::{self as v, V3};
use crate::Result;
use crate::progress::Ctx;
use crate::scene::{Mode, Primitive, Scene};
use image::RgbaImage;
use rayon::prelude::*;

/// Samples of a pixel.
const S: usize = 8;
/// Most corners that are drawn; more would only blacken the drawing.
const MOST_CORNERS: usize = 12_000_000;
/// Margin in shares of the side.
const MARGIN: f32 = 0.03;
/// Ground, and fillings by material, linear.
const GROUND: V3 = [0.93, 0.94, 0.955];
const FILLS: [V3; 6] = [
    [0.52, 0.69, 0.93],
    [0.57, 0.84, 0.66],
    [0.95, 0.74, 0.5],
    [0.79, 0.63, 0.9],
    [0.93, 0.6, 0.64],
    [0.55, 0.83, 0.86],
];

/// A drawing of `side` pixels of the first set of texture coordinates, each triangle moved into the unit square; `None`
/// without coordinates.
pub fn uv_layout(scene: &Scene, side: u32, ctx: &Ctx) -> Result<Option<RgbaImage>> {
    let (geometry, fills) = flat(scene);
    if geometry.count() == 0 {
        return Ok(None);
    }
    let (room, from) = (side as f32 * (1.0 - 2.0 * MARGIN), side as f32 * MARGIN);
    let project = |p: &V3| [from + p[0] * room, from + p[1] * room, p[2]];
    let projected: Vec<Vec<V3>> = geometry
        .pieces
        .iter()
        .map(|piece| piece.positions.iter().map(project).collect())
        .collect();
    let looks = vec![Look::plain(); geometry.pieces.len()];
    let raster = Raster::new(&geometry, &looks, &projected, 1.0, [side; 2]);
    let drawn = |number: u32| -> (u32, V3, Ink) {
        let (index, first) = geometry.find(number);
        let points = &projected[index][first..first + 3];
        let ink = Ink::around([points[0], points[1], points[2]]);
        (number, fills[index], ink)
    };
    let places: [[f32; 2]; S] = std::array::from_fn(place::<S>);
    let tile = |tile: usize| -> Result<(usize, Vec<[u8; 4]>)> {
        if ctx.progress.cancelled() {
            return Err(crate::Error::Cancelled);
        }
        let [left, top, width, height] = raster.rectangle(tile);
        let hits = raster.draw::<S>(tile);
        if hits.solid.is_empty() {
            return Ok((tile, vec![encoded(GROUND); (width * height) as usize]));
        }
        // Most pixels show the triangle of the one before.
        let mut last: Option<(u32, V3, Ink)> = None;
        let pixel = |(i, samples): (usize, &Samples<S>)| {
            let at = [left + i as u32 % width, top + i as u32 / width].map(|v| v as f32);
            let mut sum = [0.0; 3];
            samples.each(|number, bits| {
                let color = match number {
                    NOBODY => GROUND,
                    number => {
                        let known = last.take_if(|one| one.0 == number);
                        let (_, fill, ink) = last.insert(known.unwrap_or_else(|| drawn(number)));
                        let taken = Taken::of(&places, bits);
                        let share = ink.mean(&taken, taken.middle(at), at);
                        v::mix(*fill, manner::INK, share)
                    }
                };
                sum = v::add(sum, v::scale(color, bits.count_ones() as f32 / S as f32));
            });
            encoded(sum)
        };
        Ok((tile, hits.solid.iter().enumerate().map(pixel).collect()))
    };
    let tiles: Vec<(usize, Vec<[u8; 4]>)> = (0..raster.tiles())
        .into_par_iter()
        .map(tile)
        .collect::<Result<_>>()?;
    let mut picture = RgbaImage::new(side, side);
    for (tile, pixels) in tiles {
        raster.lay(tile, &pixels, &mut picture);
    }
    Ok(Some(picture))
}

fn encoded(color: V3) -> [u8; 4] {
    let [r, g, b] = color.map(to_byte);
    [r, g, b, 255]
}

/// The triangles of all meshes in texture space, and the filling of each piece.
fn flat(scene: &Scene) -> (Geometry, Vec<V3>) {
    let (mut pieces, mut fills, mut starts) = (Vec::new(), Vec::new(), vec![0u32]);
    let mut corners = 0;
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        corners += primitive.indices.len();
        if corners > MOST_CORNERS {
            break;
        }
        let positions = unwrapped(primitive);
        if positions.is_empty() {
            continue;
        }
        starts.push(starts[starts.len() - 1] + positions.len() as u32 / 3);
        let material = primitive.material.unwrap_or(0) as usize;
        fills.push(FILLS[material % FILLS.len()]);
        pieces.push(Piece {
            mode: Mode::Triangles,
            indices: (0..positions.len() as u32).collect(),
            positions,
            normals: Vec::new(),
            uvs: Vec::new(),
            colors: Vec::new(),
            tangents: Vec::new(),
            material: None,
        });
    }
    let geometry = Geometry {
        pieces,
        starts,
        low: [0.0; 3],
        high: [1.0, 1.0, 0.0],
    };
    (geometry, fills)
}

/// Corners of the triangles of a primitive, each triangle moved so that its least coordinates are within the square, and the
/// inverse depth at which it is drawn.
fn unwrapped(primitive: &Primitive) -> Vec<V3> {
    let mut out = Vec::new();
    let Some(uvs) = primitive.uvs.first() else {
        return out;
    };
    if primitive.mode != Mode::Triangles {
        return out;
    }
    for corner in primitive.indices.as_chunks::<3>().0 {
        let Some(points) = corner
            .iter()
            .map(|&i| {
                uvs.get(i as usize)
                    .filter(|uv| uv.iter().all(|v| v.is_finite()))
            })
            .collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let low = |k: usize| {
            let least = points.iter().map(|p| p[k]).fold(f32::MAX, f32::min);
            // A triangle that ends at a whole number lies before it.
            (least + 1e-5).floor()
        };
        let by = [low(0), low(1)];
        let [a, b, c] = [0, 1, 2].map(|k| points[k]);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        // Where triangles lie upon each other, the smaller ones are on top.
        let near = 1.0 / (1.0 + area.abs());
        out.extend(points.iter().map(|p| [p[0] - by[0], p[1] - by[1], near]));
    }
    out
}
