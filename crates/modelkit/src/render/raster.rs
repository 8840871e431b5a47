//! Visibility: which triangle, line or point each sample shows.

use super::camera::Camera;
use crate::scene::{AlphaMode, Scene};
use rayon::prelude::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Triangles,
    Lines,
    Points,
}

/// Geometry of one draw in world space.
pub struct Piece {
    pub kind: Kind,
    pub indices: Vec<u32>,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub colors: Vec<[f32; 4]>,
    pub material: Option<u32>,
}

/// What a sample shows; `piece` is `u32::MAX` where nothing is.
#[derive(Clone, Copy)]
pub struct Hit {
    pub depth: f32,
    pub piece: u32,
    /// First corner in the piece's index list.
    pub corner: u32,
    /// Weights of the second and third corner, perspective-correct.
    pub weights: [f32; 2],
}

pub const NOTHING: Hit = Hit {
    depth: f32::INFINITY,
    piece: u32::MAX,
    corner: 0,
    weights: [0.0; 2],
};

/// Nearest opaque surface and nearest translucent one of every sample.
pub struct Layers {
    pub solid: Vec<Hit>,
    pub clear: Vec<Hit>,
}

/// Rows a task draws.
const BAND: usize = 64;

pub fn draw(pieces: &[Piece], scene: &Scene, camera: &Camera, side: u32) -> Layers {
    let side = side as usize;
    let project = |p: &Piece| {
        p.positions
            .par_iter()
            .map(|&v| camera.project(v))
            .collect::<Vec<_>>()
    };
    let projected: Vec<Vec<[f32; 3]>> = pieces.iter().map(project).collect();
    let translucent = |p: &Piece| {
        let material = p.material.and_then(|m| scene.materials.get(m as usize));
        material.is_some_and(|m| m.alpha_mode == AlphaMode::Blend)
    };
    let layer = |clear: bool| {
        let mut hits = vec![NOTHING; side * side];
        hits.par_chunks_mut(side * BAND)
            .enumerate()
            .for_each(|(band, rows)| {
                let mut target = Target {
                    rows,
                    side,
                    top: band * BAND,
                };
                for (index, (piece, points)) in pieces.iter().zip(&projected).enumerate() {
                    if translucent(piece) == clear {
                        target.piece(index as u32, piece, points);
                    }
                }
            });
        hits
    };
    Layers {
        solid: layer(false),
        clear: layer(true),
    }
}

struct Target<'a> {
    rows: &'a mut [Hit],
    side: usize,
    top: usize,
}

impl Target<'_> {
    fn piece(&mut self, index: u32, piece: &Piece, points: &[[f32; 3]]) {
        let at = |i: u32| points.get(i as usize).copied();
        match piece.kind {
            Kind::Triangles => {
                for (t, &[a, b, c]) in piece.indices.as_chunks::<3>().0.iter().enumerate() {
                    if let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) {
                        self.triangle([a, b, c], index, t as u32 * 3);
                    }
                }
            }
            Kind::Lines => {
                for (t, &[a, b]) in piece.indices.as_chunks::<2>().0.iter().enumerate() {
                    if let (Some(a), Some(b)) = (at(a), at(b)) {
                        self.line(a, b, index, t as u32 * 2);
                    }
                }
            }
            Kind::Points => {
                for (corner, &i) in piece.indices.iter().enumerate() {
                    if let Some(p) = at(i) {
                        self.dot(
                            p,
                            2.0,
                            Hit {
                                depth: p[2],
                                piece: index,
                                corner: corner as u32,
                                weights: [0.0; 2],
                            },
                        );
                    }
                }
            }
        }
    }

    fn put(&mut self, x: usize, y: usize, hit: Hit) {
        if let Some(slot) = self.rows.get_mut((y - self.top) * self.side + x)
            && hit.depth < slot.depth
        {
            *slot = hit;
        }
    }

    /// Sample rows `from`…`to` (exclusive) of this band that a span covers.
    fn clip_rows(&self, low: f32, high: f32) -> (usize, usize) {
        let bottom = self.top + self.rows.len() / self.side;
        let from = (low - 0.5).ceil().max(self.top as f32) as usize;
        let to = ((high - 0.5).floor() + 1.0).clamp(0.0, bottom as f32) as usize;
        (from.max(self.top), to)
    }

    fn triangle(&mut self, [a, b, c]: [[f32; 3]; 3], piece: u32, corner: u32) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (from, to) = self.clip_rows(a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
        let left = (a[0].min(b[0]).min(c[0]) - 0.5).ceil().max(0.0) as usize;
        let right =
            ((a[0].max(b[0]).max(c[0]) - 0.5).floor() + 1.0).clamp(0.0, self.side as f32) as usize;
        for y in from..to {
            let py = y as f32 + 0.5;
            for x in left..right {
                let px = x as f32 + 0.5;
                let w1 = ((px - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (py - a[1])) / area;
                let w2 = ((b[0] - a[0]) * (py - a[1]) - (px - a[0]) * (b[1] - a[1])) / area;
                let w0 = 1.0 - w1 - w2;
                if w0 < 0.0 || w1 < 0.0 || w2 < 0.0 {
                    continue;
                }
                let (i0, i1, i2) = (w0 / a[2], w1 / b[2], w2 / c[2]);
                let depth = 1.0 / (i0 + i1 + i2);
                self.put(
                    x,
                    y,
                    Hit {
                        depth,
                        piece,
                        corner,
                        weights: [i1 * depth, i2 * depth],
                    },
                );
            }
        }
    }

    fn line(&mut self, a: [f32; 3], b: [f32; 3], piece: u32, corner: u32) {
        let length = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
        if !length.is_finite() {
            return;
        }
        let steps = (length.ceil() as usize).clamp(1, 4 * self.side);
        for step in 0..=steps {
            let t = step as f32 / steps as f32;
            let p = [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t);
            self.dot(
                p,
                1.5,
                Hit {
                    depth: p[2],
                    piece,
                    corner,
                    weights: [t, 0.0],
                },
            );
        }
    }

    fn dot(&mut self, p: [f32; 3], width: f32, hit: Hit) {
        let half = width / 2.0;
        let (from, to) = self.clip_rows(p[1] - half, p[1] + half);
        let left = (p[0] - half).round().max(0.0) as usize;
        let right = (p[0] + half).round().clamp(0.0, self.side as f32) as usize;
        for y in from..to {
            for x in left..right {
                self.put(x, y, hit);
            }
        }
    }
}
