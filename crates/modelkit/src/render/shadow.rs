//! How much of the studio's light reaches a point: depth maps of the model from many directions at once. They give
//! occlusion, soft shadows and the shadow on the ground.

use super::camera::Camera;
use super::geometry::{Geometry, Piece};
use super::light::STUDIO;
use super::material::Look;
use super::vector::{self as v, V3};
use crate::progress::Ctx;
use crate::scene::{AlphaMode, Mode};
use crate::{Error, Result};
use rayon::prelude::*;
use std::sync::OnceLock;

/// Axes of the depth maps, each used in both directions. Fewer for models so dense that the difference is invisible.
const AXES: usize = 32;
const AXES_DENSE: usize = 24;
const DENSE: usize = 100_000;
/// Cells per side of each depth map, over the unit sphere.
const CELLS: usize = 256;
/// Share of the light below which that of an axis is taken to be hidden like the others'.
const SLIGHT: f32 = 0.01;
/// Depth bias against self-shadowing, in cells.
const BIAS: f32 = 2.0;

/// Depths along one axis. Empty cells hold values that hide nothing.
struct Axis {
    /// In cells.
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
    rows: Rows,
    /// Height of the ground.
    floor: f32,
    /// See [`Occluders::ground`].
    ground: OnceLock<Vec<Vec<u8>>>,
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
            rows: Rows::of(&axes),
            axes,
            floor: geometry.low[1],
            ground: OnceLock::new(),
        })
    }

    /// The light for a camera at `yaw`.
    pub fn lit(&self, yaw: f32) -> Lit<'_> {
        let both = self
            .axes
            .iter()
            .flat_map(|a| [a.along, v::scale(a.along, -1.0)]);
        let seen: Vec<V3> = both.map(|d| v::facing(d, yaw)).collect();
        let power = STUDIO.dealt(&seen);
        let end =
            |end: usize| std::array::from_fn(|k| power.get(2 * k + end).copied().unwrap_or(0.0));
        Lit {
            occluders: self,
            far: end(0),
            near: end(1),
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

impl Axis {
    fn new(along: V3) -> Axis {
        let (right, above) = v::frame(along);
        Axis {
            right: v::scale(right, CELLS as f32 / 2.0),
            above: v::scale(above, CELLS as f32 / 2.0),
            along,
            far: vec![f32::NEG_INFINITY; CELLS * CELLS],
            near: vec![f32::NEG_INFINITY; CELLS * CELLS],
        }
    }

    fn place(&self, p: V3) -> V3 {
        [
            v::dot(p, self.right) + CELLS as f32 / 2.0,
            v::dot(p, self.above) + CELLS as f32 / 2.0,
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

    /// Share of the light from one end of the axis that reaches a place on its maps: 0 hidden, 1 free. `bias` is how much nearer
    /// to the light the place is taken to be.
    #[inline]
    fn free(&self, [x, y, depth]: V3, end: End, bias: f32) -> f32 {
        let (x, y) = (x - 0.5, y - 0.5);
        let last = (CELLS - 1) as f32;
        if !(x >= 0.0 && y >= 0.0 && x < last && y < last) {
            return 1.0;
        }
        let (i, j) = (x as u32, y as u32);
        let (fx, fy) = (x - i as f32, y - j as f32);
        let (map, depth) = match end {
            End::Far => (&self.far, depth + bias),
            End::Near => (&self.near, bias - depth),
        };
        let at = j as usize * CELLS + i as usize;
        let Some(cells) = map.get(at..at + CELLS + 2) else {
            return 1.0;
        };
        let open = |left: f32, right: f32| {
            let left = if depth >= left { 1.0 - fx } else { 0.0 };
            left + if depth >= right { fx } else { 0.0 }
        };
        open(cells[0], cells[1]) * (1.0 - fy) + open(cells[CELLS], cells[CELLS + 1]) * fy
    }
}

/// The axes' directions by coordinate, so that a place is found on several at once.
struct Rows {
    right: [[f32; AXES]; 3],
    above: [[f32; AXES]; 3],
    along: [[f32; AXES]; 3],
}

impl Rows {
    fn of(axes: &[Axis]) -> Rows {
        let row = |of: fn(&Axis) -> V3, coordinate: usize| {
            std::array::from_fn(|k| axes.get(k).map_or(0.0, |axis| of(axis)[coordinate]))
        };
        let rows = |of: fn(&Axis) -> V3| [0, 1, 2].map(|coordinate| row(of, coordinate));
        Rows {
            right: rows(|axis| axis.right),
            above: rows(|axis| axis.above),
            along: rows(|axis| axis.along),
        }
    }
}

/// Adds the products of vectors with one to `out`.
#[inline]
fn add_dots(out: &mut [f32; AXES], rows: &[[f32; AXES]; 3], [x, y, z]: V3) {
    for k in 0..AXES {
        out[k] += rows[0][k] * x + rows[1][k] * y + rows[2][k] * z;
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
    /// Power from the axes' directions, and from their opposites.
    far: [f32; AXES],
    near: [f32; AXES],
}

impl Lit<'_> {
    /// Share of the light of an unoccluded surface that reaches it in place: 0…1.
    pub fn part(&self, p: V3, n: V3) -> f32 {
        // Offset from the surface against self-shadowing.
        let p = v::add(p, v::scale(n, 1.2 * 2.0 / CELLS as f32));
        // The floor's light is weak just above it, where the model itself blocks it.
        let low = 0.25 + 0.75 * v::smooth(0.0, 0.7, p[1] - self.occluders.floor);
        let half = CELLS as f32 / 2.0;
        let (mut right, mut above) = ([half; AXES], [half; AXES]);
        let (mut depth, mut cosines) = ([0.0; AXES], [0.0; AXES]);
        let rows = &self.occluders.rows;
        add_dots(&mut right, &rows.right, p);
        add_dots(&mut above, &rows.above, p);
        add_dots(&mut depth, &rows.along, p);
        add_dots(&mut cosines, &rows.along, n);
        let mut power = [0.0; AXES];
        for k in 0..AXES {
            let of = if cosines[k] > 0.0 {
                self.far[k]
            } else {
                self.near[k]
            };
            power[k] = of * cosines[k].abs();
        }
        let least = power.iter().sum::<f32>() * SLIGHT;
        let (mut got, mut whole) = (0.0, 1e-6);
        for (k, axis) in self.occluders.axes.iter().enumerate() {
            if power[k] <= least {
                continue;
            }
            let (end, dim) = match cosines[k] > 0.0 {
                true => (End::Far, 1.0),
                false => (End::Near, low),
            };
            // More at grazing angles.
            let slope = (0.7 / cosines[k].abs().max(0.1)).max(1.0);
            let place = [right[k], above[k], depth[k]];
            whole += power[k];
            got += power[k] * dim * axis.free(place, end, BIAS * 2.0 / CELLS as f32 * slope);
        }
        (got / whole).clamp(0.0, 1.0)
    }

    /// How much each axis lights the ground.
    fn on_ground(&self) -> Vec<f32> {
        let weight = |k: usize| {
            // Light at a grazing angle would cast an endless shadow, beyond any image.
            let up = self.occluders.axes[k].along[1];
            self.far[k] * up * v::smooth(0.05, 0.35, up)
        };
        (0..self.occluders.axes.len()).map(weight).collect()
    }
}

/// Cells per side of the ground's map, and half its side: the model is inside the unit sphere.
const GROUND: usize = 224;
const REACH: f32 = 1.75;
/// Inverse depth of what is so close to the camera that its place in a picture is not known.
const CLOSE: f32 = 10.0;
/// Opacity of the darkest shadow.
const DARKEST: f32 = 0.82;

/// Box blur of the ground's map along both axes, repeated `times`.
fn blur(map: &mut [f32], radius: usize, times: usize) {
    let mut line = [0.0; GROUND];
    for pass in 0..2 * times {
        let (step, next) = if pass % 2 == 0 {
            (1, GROUND)
        } else {
            (GROUND, 1)
        };
        for first in (0..GROUND).map(|i| i * next) {
            for (k, value) in line.iter_mut().enumerate() {
                *value = map[first + k * step];
            }
            let mut sum: f32 = line[..radius].iter().sum();
            for k in 0..GROUND {
                sum += line.get(k + radius).unwrap_or(&0.0);
                map[first + k * step] = sum / (2 * radius + 1) as f32;
                sum -= k.checked_sub(radius).map_or(0.0, |past| line[past]);
            }
        }
    }
}

/// Where the middle of a cell of the ground is, along an axis.
fn ground_place(i: usize) -> f32 {
    (i as f32 + 0.5) * 2.0 * REACH / GROUND as f32 - REACH
}

/// Faded out before the edge of the map.
fn ground_edge(cell: usize) -> f32 {
    let [x, z] = [cell % GROUND, cell / GROUND].map(ground_place);
    (1.0 - v::smooth(0.7, REACH - 0.05, x.hypot(z))).max(0.0)
}

impl Occluders {
    /// For each axis, how much of its light the model takes from every cell of the ground, in bytes. The same for all views.
    fn ground(&self) -> &[Vec<u8>] {
        self.ground.get_or_init(|| {
            let height = self.floor - REACH / GROUND as f32;
            let one = |axis: &Axis| {
                let taken = |cell: usize| {
                    if ground_edge(cell) <= 0.0 {
                        return 0;
                    }
                    let [x, z] = [cell % GROUND, cell / GROUND].map(ground_place);
                    let place = axis.place([x, height, z]);
                    let free = axis.free(place, End::Far, BIAS * 2.0 / CELLS as f32);
                    ((1.0 - free) * 255.0 + 0.5) as u8
                };
                (0..GROUND * GROUND).map(taken).collect()
            };
            self.axes.par_iter().map(one).collect()
        })
    }
}

/// The shadow on the ground.
pub struct Ground {
    height: f32,
    /// How far it reaches from the middle.
    reach: f32,
    dark: Vec<f32>,
}

impl Ground {
    pub fn below(lit: &Lit) -> Ground {
        let weights = lit.on_ground();
        let whole = weights.iter().sum::<f32>() * 255.0 + 1e-6;
        let mut dark = vec![0.0; GROUND * GROUND];
        for (taken, weight) in lit.occluders.ground().iter().zip(weights) {
            let share = weight / whole;
            for (dark, taken) in dark.iter_mut().zip(taken) {
                *dark += f32::from(*taken) * share;
            }
        }
        for (cell, dark) in dark.iter_mut().enumerate() {
            if *dark > 0.0 {
                *dark *= ground_edge(cell);
            }
        }
        blur(&mut dark, 1, 2);
        let mut wide = dark.clone();
        blur(&mut wide, GROUND / 40, 3);
        // A shadow is sharp where the model touches the ground, and softer with distance.
        for (dark, wide) in dark.iter_mut().zip(wide) {
            let soft = wide + (*dark - wide) * v::smooth(0.3, 0.75, wide);
            // Values too faint to be visible are dropped: the ground stays clean.
            *dark = ((soft - 0.025) / 0.975).max(0.0) * DARKEST;
        }
        let seen = dark.iter().enumerate().filter(|(_, dark)| **dark > 0.0);
        let far = seen.map(|(cell, _)| {
            let [x, z] = [cell % GROUND, cell / GROUND].map(ground_place);
            x.abs().max(z.abs())
        });
        // Interpolation reaches into the next cell.
        let reach = far.fold(0.0, f32::max) + 2.0 * REACH / GROUND as f32;
        let height = lit.occluders.floor;
        Ground {
            height,
            reach,
            dark,
        }
    }

    /// The part of a picture that it may be in: first and last pixel.
    pub fn place(&self, camera: &Camera) -> [[f32; 2]; 2] {
        let everywhere = [[f32::MIN; 2], [f32::MAX; 2]];
        if self.reach >= REACH || camera.eye[1] <= self.height {
            return everywhere;
        }
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let corner = [x * self.reach, self.height, z * self.reach];
            let [x, y, near] = camera.project(corner);
            if near > CLOSE {
                return everywhere;
            }
            low = [low[0].min(x - 1.0), low[1].min(y - 1.0)];
            high = [high[0].max(x + 1.0), high[1].max(y + 1.0)];
        }
        [low, high]
    }

    /// Opacity of the shadow where a ray from `eye` meets the ground.
    pub fn opacity(&self, eye: V3, ray: V3) -> f32 {
        if ray[1] >= -1e-6 || eye[1] <= self.height {
            return 0.0;
        }
        let t = (self.height - eye[1]) / ray[1];
        let [x, z] = [0, 2].map(|k| eye[k] + ray[k] * t);
        if x.abs().max(z.abs()) > self.reach {
            return 0.0;
        }
        let [x, z] = [x, z].map(|at| (at / REACH * 0.5 + 0.5) * GROUND as f32 - 0.5);
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
