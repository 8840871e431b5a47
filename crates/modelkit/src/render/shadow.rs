//! How much of the studio's light reaches a point: depth maps of the model from many directions at once. They give
//! occlusion, soft shadows and the shadow on the ground.

use super::geometry::{Geometry, Piece};
use super::light::STUDIO;
use super::material::Look;
use super::vector::{self as v, V3};
use crate::progress::Ctx;
use crate::scene::{AlphaMode, Mode};
use crate::{Error, Result};
use rayon::prelude::*;

/// Axes of the depth maps, each used in both directions. Fewer for models so dense that the difference is invisible.
const AXES: usize = 32;
const AXES_DENSE: usize = 24;
const DENSE: usize = 100_000;
/// Cells per side of each depth map, over the unit sphere.
const CELLS: usize = 256;
/// Depth bias against self-shadowing, in cells.
const BIAS: f32 = 2.0;

/// Depths along one axis. Empty cells hold values that hide nothing.
struct Axis {
    right: V3,
    above: V3,
    along: V3,
    /// Distance of the outermost surface towards the axis' direction, and towards its opposite.
    far: Vec<f32>,
    near: Vec<f32>,
}

/// The depth maps; they are fixed to the model, so the light may rotate.
pub struct Occluders {
    axes: Vec<Axis>,
    /// Height of the ground.
    floor: f32,
}

impl Occluders {
    pub fn make(geometry: &Geometry, looks: &[Look], ctx: &Ctx) -> Result<Occluders> {
        let count = match geometry.count() > DENSE {
            true => AXES_DENSE,
            false => AXES,
        };
        let axes = (0..count)
            .into_par_iter()
            .map(|i| {
                if ctx.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                let mut axis = Axis::new(spread(i, count));
                for (piece, look) in geometry.pieces.iter().zip(looks) {
                    if !look.clear {
                        axis.draw(piece, look);
                    }
                }
                Ok(axis)
            })
            .collect::<Result<Vec<Axis>>>()?;
        Ok(Occluders {
            axes,
            floor: geometry.low[1],
        })
    }

    /// The light for a camera at `yaw`.
    pub fn lit(&self, yaw: f32) -> Lit<'_> {
        let both = self
            .axes
            .iter()
            .flat_map(|a| [a.along, v::scale(a.along, -1.0)]);
        let directions: Vec<V3> = both.collect();
        let seen: Vec<V3> = directions.iter().map(|d| v::facing(*d, yaw)).collect();
        Lit {
            occluders: self,
            power: STUDIO.dealt(&seen),
            directions,
        }
    }
}

/// Directions distributed evenly over the upper half (a Fibonacci lattice).
fn spread(i: usize, count: usize) -> V3 {
    let up = (i as f32 + 0.5) / count as f32;
    let angle = i as f32 * 2.399_963_2;
    let flat = (1.0 - up * up).sqrt();
    [flat * angle.cos(), up, flat * angle.sin()]
}

/// Cell of a coordinate on the unit sphere.
fn cell(t: f32) -> f32 {
    (t * 0.5 + 0.5) * CELLS as f32
}

impl Axis {
    fn new(along: V3) -> Axis {
        let (right, above) = v::frame(along);
        Axis {
            right,
            above,
            along,
            far: vec![f32::NEG_INFINITY; CELLS * CELLS],
            near: vec![f32::NEG_INFINITY; CELLS * CELLS],
        }
    }

    fn place(&self, p: V3) -> V3 {
        [
            cell(v::dot(p, self.right)),
            cell(v::dot(p, self.above)),
            v::dot(p, self.along),
        ]
    }

    fn mark(&mut self, x: usize, y: usize, depth: f32) {
        if x < CELLS && y < CELLS {
            let i = y * CELLS + x;
            self.far[i] = self.far[i].max(depth);
            self.near[i] = self.near[i].max(-depth);
        }
    }

    fn draw(&mut self, piece: &Piece, look: &Look) {
        if piece.mode != Mode::Triangles {
            piece.each_corner(|p| {
                let [x, y, depth] = self.place(p);
                self.mark(x as usize, y as usize, depth);
            });
            return;
        }
        let placed: Vec<V3> = piece.positions.iter().map(|&p| self.place(p)).collect();
        let at = |i: u32| placed.get(i as usize).copied();
        for corner in piece.indices.as_chunks::<3>().0 {
            let (Some(a), Some(b), Some(c)) = (at(corner[0]), at(corner[1]), at(corner[2])) else {
                continue;
            };
            let cut = |weights: [f32; 3]| {
                look.alpha == AlphaMode::Mask
                    && super::corners::cut_out(piece, look, corner, weights)
            };
            self.triangle([a, b, c], cut);
        }
    }

    fn triangle(&mut self, [a, b, c]: [V3; 3], cut: impl Fn([f32; 3]) -> bool) {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if !area.is_finite() {
            return;
        }
        // Cells whose centres may be inside.
        let span = |k: usize| {
            let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
            let cell = |t: f32| ((t + 0.5).max(0.0) as usize).min(CELLS);
            (cell(low), cell(high))
        };
        let ((left, right), (top, bottom)) = (span(0), span(1));
        if right <= left || bottom <= top || area.abs() < 0.5 {
            // Smaller than a cell, or seen edge-on: represented by its centre.
            let third = |k: usize| (a[k] + b[k] + c[k]) / 3.0;
            if !cut([1.0 / 3.0; 3]) {
                self.mark(third(0) as usize, third(1) as usize, third(2));
            }
            return;
        }
        // Weights of the second and the third corner as a step to the right, a step down, and at the first cell.
        let (x, y) = (left as f32 + 0.5 - a[0], top as f32 + 0.5 - a[1]);
        let (right1, down1) = ((c[1] - a[1]) / area, (a[0] - c[0]) / area);
        let (right2, down2) = ((a[1] - b[1]) / area, (b[0] - a[0]) / area);
        let (first1, first2) = (x * right1 + y * down1, x * right2 + y * down2);
        let slope = [-right1 - right2, right1, right2];
        for row in 0..bottom - top {
            let (w1, w2) = (first1 + row as f32 * down1, first2 + row as f32 * down2);
            let start = [1.0 - w1 - w2, w1, w2];
            for column in within(start, slope, right - left) {
                let step = column as f32;
                let w = [0, 1, 2].map(|k| start[k] + step * slope[k]);
                if !cut(w) {
                    let depth = a[2] * w[0] + b[2] * w[1] + c[2] * w[2];
                    self.mark(left + column, top + row, depth);
                }
            }
        }
    }

    /// Share of the light from one end of the axis that reaches `p`: 0 hidden, 1 free. `slope` increases the bias at
    /// grazing angles.
    fn free(&self, p: V3, end: End, slope: f32) -> f32 {
        let [x, y, depth] = self.place(p);
        let (x, y) = (x - 0.5, y - 0.5);
        let last = (CELLS - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return 1.0;
        }
        let (i, j) = (x as usize, y as usize);
        let (fx, fy) = (x - i as f32, y - j as f32);
        let bias = BIAS * 2.0 / CELLS as f32 * slope;
        let at = j * CELLS + i;
        let (map, depth) = match end {
            End::Far => (&self.far, depth + bias),
            End::Near => (&self.near, bias - depth),
        };
        let (above, below) = (&map[at..at + 2], &map[at + CELLS..at + CELLS + 2]);
        let open = |row: &[f32]| {
            let left = if depth >= row[0] { 1.0 - fx } else { 0.0 };
            left + if depth >= row[1] { fx } else { 0.0 }
        };
        open(above) * (1.0 - fy) + open(below) * fy
    }
}

/// The steps of 0…`count` at which all weights are positive; each changes by its slope with a step.
fn within(start: [f32; 3], slope: [f32; 3], count: usize) -> std::ops::Range<usize> {
    let (mut from, mut to) = (0, count);
    for (value, slope) in start.into_iter().zip(slope) {
        // The step at which the weight is zero. A cast rounds it towards 0, as `floor` would only after a call.
        let zero = (-value / slope).min(count as f32);
        match slope {
            s if s > 0.0 && value < 0.0 => from = from.max(zero as usize + 1),
            s if s < 0.0 && value >= 0.0 => to = to.min(zero as usize + 1),
            s if s <= 0.0 && value < 0.0 => return 0..0,
            _ => {}
        }
    }
    from..to
}

/// An end of an axis: where its direction points, or the opposite.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Far,
    Near,
}

/// Lighting of a model for one camera yaw.
pub struct Lit<'a> {
    occluders: &'a Occluders,
    /// Power from each direction; two per axis.
    power: Vec<f32>,
    directions: Vec<V3>,
}

impl Lit<'_> {
    /// Share of the light of an unoccluded surface that reaches it in place: 0…1.
    pub fn part(&self, p: V3, n: V3) -> f32 {
        // Offset from the surface against self-shadowing.
        let p = v::add(p, v::scale(n, 1.2 * 2.0 / CELLS as f32));
        // The floor's light is weak just above it, where the model itself blocks it.
        let low = 0.25 + 0.75 * v::smooth(0.0, 0.7, p[1] - self.occluders.floor);
        let (mut got, mut whole) = (0.0, 1e-6);
        for (k, axis) in self.occluders.axes.iter().enumerate() {
            let cos = v::dot(n, axis.along);
            let (end, power, dim) = match cos > 0.0 {
                true => (End::Far, self.power[2 * k] * cos, 1.0),
                false => (End::Near, self.power[2 * k + 1] * -cos, low),
            };
            let slope = (0.7 / cos.abs().max(0.1)).max(1.0);
            whole += power;
            got += power * dim * axis.free(p, end, slope);
        }
        (got / whole).clamp(0.0, 1.0)
    }

    /// Share of the light on the ground that the model blocks, 0…1.
    fn dark(&self, p: V3) -> f32 {
        let (mut got, mut whole) = (0.0, 1e-6);
        for (k, axis) in self.occluders.axes.iter().enumerate() {
            // Light at a grazing angle would cast an endless shadow, beyond any image.
            let up = self.directions[2 * k][1];
            let power = self.power[2 * k] * up * v::smooth(0.05, 0.35, up);
            if power > 0.0 {
                whole += power;
                got += power * axis.free(p, End::Far, 1.0);
            }
        }
        1.0 - got / whole
    }
}

/// Cells per side of the ground's map, and half its side: the model is inside the unit sphere.
const GROUND: usize = 224;
const REACH: f32 = 1.75;
/// Cells between two cells of the ground that are always computed, and the difference up to which those between are
/// interpolated.
const STRIDE: usize = 4;
const EVEN: f32 = 0.02;
/// Opacity of the darkest shadow.
const DARKEST: f32 = 0.82;

/// Difference between the largest and the smallest.
fn spread_of(values: [f32; 4]) -> f32 {
    let (low, high) = values.iter().fold((f32::MAX, f32::MIN), |(low, high), &v| {
        (low.min(v), high.max(v))
    });
    high - low
}

/// Between the corners of a unit square: (0, 0), (1, 0), (0, 1), (1, 1).
fn bilinear([a, b, c, d]: [f32; 4], x: f32, y: f32) -> f32 {
    let (top, bottom) = (a + (b - a) * x, c + (d - c) * x);
    top + (bottom - top) * y
}

/// Box blur of the ground's map along both axes, repeated `times`.
fn blur(map: &mut Vec<f32>, radius: usize, times: usize) {
    for pass in 0..2 * times {
        let stride = if pass % 2 == 0 { 1 } else { GROUND };
        let line = |i: usize| i / stride % GROUND;
        let mean = |i: usize| {
            let (low, high) = (radius.min(line(i)), radius.min(GROUND - 1 - line(i)));
            let from = i - low * stride;
            let sum: f32 = (0..=low + high).map(|k| map[from + k * stride]).sum();
            sum / (2 * radius + 1) as f32
        };
        let next = (0..map.len()).into_par_iter().map(mean).collect();
        *map = next;
    }
}

/// The shadow on the ground.
pub struct Ground {
    height: f32,
    dark: Vec<f32>,
}

impl Ground {
    pub fn below(geometry: &Geometry, lit: &Lit) -> Ground {
        let height = geometry.low[1];
        let cell = 2.0 * REACH / GROUND as f32;
        let at = |i: usize| (i as f32 + 0.5) * cell - REACH;
        // Faded out before the edge of the map.
        let edge = |i: usize, j: usize| 1.0 - v::smooth(0.7, REACH - 0.05, at(i).hypot(at(j)));
        let exact = |i: usize, j: usize| match edge(i, j) > 0.0 {
            true => lit.dark([at(i), height - 0.5 * cell, at(j)]),
            false => 0.0,
        };
        let nodes = GROUND / STRIDE + 1;
        let node = |k: usize| exact(k % nodes * STRIDE, k / nodes * STRIDE);
        let coarse: Vec<f32> = (0..nodes * nodes).into_par_iter().map(node).collect();
        let one = |k: usize| {
            let (i, j) = (k % GROUND, k / GROUND);
            let first = j / STRIDE * nodes + i / STRIDE;
            let corners = [first, first + 1, first + nodes, first + nodes + 1].map(|n| coarse[n]);
            let part = |i: usize| (i % STRIDE) as f32 / STRIDE as f32;
            let dark = match spread_of(corners) <= EVEN {
                true => bilinear(corners, part(i), part(j)),
                false => exact(i, j),
            };
            dark * edge(i, j).max(0.0)
        };
        let mut dark: Vec<f32> = (0..GROUND * GROUND).into_par_iter().map(one).collect();
        blur(&mut dark, 1, 2);
        let mut wide = dark.clone();
        blur(&mut wide, GROUND / 40, 3);
        // A shadow is sharp where the model touches the ground, and softer with distance.
        for (dark, wide) in dark.iter_mut().zip(wide) {
            let soft = wide + (*dark - wide) * v::smooth(0.3, 0.75, wide);
            // Values too faint to be visible are dropped: the ground stays clean.
            *dark = ((soft - 0.025) / 0.975).max(0.0) * DARKEST;
        }
        Ground { height, dark }
    }

    /// Opacity of the shadow where a ray from `eye` meets the ground.
    pub fn opacity(&self, eye: V3, ray: V3) -> f32 {
        if ray[1] >= -1e-6 || eye[1] <= self.height {
            return 0.0;
        }
        let t = (self.height - eye[1]) / ray[1];
        let to_cell = |k: usize| ((eye[k] + ray[k] * t) / REACH * 0.5 + 0.5) * GROUND as f32 - 0.5;
        let (x, z) = (to_cell(0), to_cell(2));
        let last = (GROUND - 1) as f32;
        if !(x >= 0.0 && z >= 0.0 && x < last && z < last) {
            return 0.0;
        }
        let (i, j) = (x as usize, z as usize);
        let (fx, fz) = (x - i as f32, z - j as f32);
        let at = |i: usize, j: usize| self.dark[j * GROUND + i];
        let near = at(i, j) * (1.0 - fx) + at(i + 1, j) * fx;
        let far = at(i, j + 1) * (1.0 - fx) + at(i + 1, j + 1) * fx;
        near * (1.0 - fz) + far * fz
    }
}
