//! The contact shadow: how near the model hangs over each spot of the ground.

use super::raster::{Kind, Piece};
use crate::scene::Bounds;

/// Cells a side of the map.
const CELLS: usize = 192;
/// Room around the model, as a part of its extent.
const MARGIN: f64 = 0.25;
const DARKEST: f32 = 0.42;

pub struct Ground {
    pub height: f64,
    origin: [f64; 2],
    cell: f64,
    dark: Vec<f32>,
}

impl Ground {
    /// `None` for an empty scene.
    pub fn below(pieces: &[Piece]) -> Option<Ground> {
        let mut bounds = Bounds::default();
        for p in pieces.iter().flat_map(|p| &p.positions) {
            bounds.add(p.map(f64::from));
        }
        if bounds.is_empty() {
            return None;
        }
        let [x, _, z] = bounds.size();
        let extent = x.max(z).max(bounds.diagonal() * 0.05).max(1e-9) * (1.0 + 2.0 * MARGIN);
        let center = bounds.center();
        let mut ground = Ground {
            height: bounds.min[1],
            origin: [center[0] - extent / 2.0, center[2] - extent / 2.0],
            cell: extent / CELLS as f64,
            dark: vec![0.0; CELLS * CELLS],
        };
        let reach = (bounds.diagonal() * 0.12).max(1e-9);
        for piece in pieces {
            ground.stamp(piece, reach);
        }
        for _ in 0..3 {
            ground.blur(CELLS / 48);
        }
        Some(ground)
    }

    fn stamp(&mut self, piece: &Piece, reach: f64) {
        let at = |i: u32| piece.positions.get(i as usize).map(|p| p.map(f64::from));
        if piece.kind != Kind::Triangles {
            for p in piece.indices.iter().filter_map(|&i| at(i)) {
                self.mark(p, reach);
            }
            return;
        }
        for &[a, b, c] in piece.indices.as_chunks::<3>().0 {
            let (Some(a), Some(b), Some(c)) = (at(a), at(b), at(c)) else {
                continue;
            };
            // Samples about a cell apart cover the triangle.
            let longest = [(a, b), (b, c), (c, a)]
                .iter()
                .map(|(p, q)| (p[0] - q[0]).abs().max((p[2] - q[2]).abs()))
                .fold(0.0, f64::max);
            let steps = ((longest / self.cell).ceil() as usize).clamp(1, CELLS * 2);
            for i in 0..=steps {
                for j in 0..=steps - i {
                    let (u, v) = (i as f64 / steps as f64, j as f64 / steps as f64);
                    self.mark(
                        [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * u + (c[k] - a[k]) * v),
                        reach,
                    );
                }
            }
        }
    }

    fn mark(&mut self, p: [f64; 3], reach: f64) {
        let x = ((p[0] - self.origin[0]) / self.cell) as usize;
        let z = ((p[2] - self.origin[1]) / self.cell) as usize;
        let dark = (-(p[1] - self.height) / reach).exp() as f32;
        if x < CELLS
            && let Some(slot) = self.dark.get_mut(z * CELLS + x)
        {
            *slot = slot.max(dark);
        }
    }

    /// Box blur along both axes.
    fn blur(&mut self, radius: usize) {
        for vertical in [false, true] {
            let mut out = vec![0.0; self.dark.len()];
            for line in 0..CELLS {
                let index = |i: usize| {
                    if vertical {
                        i * CELLS + line
                    } else {
                        line * CELLS + i
                    }
                };
                for i in 0..CELLS {
                    let (from, to) = (i.saturating_sub(radius), (i + radius).min(CELLS - 1));
                    let sum: f32 = (from..=to).map(|k| self.dark[index(k)]).sum();
                    out[index(i)] = sum / (2 * radius + 1) as f32;
                }
            }
            self.dark = out;
        }
    }

    /// Opacity of the shadow where a ray from `eye` meets the ground.
    pub fn opacity(&self, eye: [f64; 3], ray: [f64; 3]) -> f32 {
        if ray[1] >= -1e-9 {
            return 0.0;
        }
        let t = (self.height - eye[1]) / ray[1];
        let x = (eye[0] + ray[0] * t - self.origin[0]) / self.cell - 0.5;
        let z = (eye[2] + ray[2] * t - self.origin[1]) / self.cell - 0.5;
        if t <= 0.0 || !x.is_finite() || !z.is_finite() || x < 0.0 || z < 0.0 {
            return 0.0;
        }
        let (i, j) = (x as usize, z as usize);
        if i + 1 >= CELLS || j + 1 >= CELLS {
            return 0.0;
        }
        let (fx, fz) = (x.fract() as f32, z.fract() as f32);
        let at = |i: usize, j: usize| self.dark[j * CELLS + i];
        let near = at(i, j) * (1.0 - fx) + at(i + 1, j) * fx;
        let far = at(i, j + 1) * (1.0 - fx) + at(i + 1, j + 1) * fx;
        (near * (1.0 - fz) + far * fz) * DARKEST
    }
}
