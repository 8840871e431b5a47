//! The brand mark in 3D: a cube whose three faces meet in a lens.

use super::model::{Ask, BLUE, GOLD, INK, Model, PALE, Place, TEAL};
use super::shape::{Point, Shape, steps};
use super::solids::{cross, rounded_box, sphere, torus, unit};
use crate::scene::{AlphaMode, Material};
use crate::{Result, Scene};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Half the edge of the cube.
const HALF: f32 = 0.5;
/// Radius of the round cut-out that each face leaves for the lens.
const CUT: f32 = 0.46;
const THICK: f32 = 0.07;
/// Gap between the plates and the cube's edges, so that a joint is visible.
const JOINT: f32 = 0.03;

pub fn make(ask: Ask) -> Result<Scene> {
    let detail = ask.detail;
    let mut model = Model::new("镜方", ask);
    let core = model.paint("石墨", INK, 0.4, 0.45);
    let base = model.paint("银边", PALE, 0.9, 0.25);
    let gold = model.paint("金环", GOLD, 1.0, 0.22);
    let colors = [("黛青", TEAL), ("月白", 0xF1F4FA), ("玄青", BLUE)];
    let glass = model.material(Material {
        alpha_mode: AlphaMode::Blend,
        roughness: 0.03,
        ..Material::plain("透镜", [0.45, 0.68, 1.0, 0.42])
    });
    let root = model.node("镜方", None, None, Place::at([0.0, HALF + 0.02, 0.0]));
    let inner = rounded_box([0.92; 3], 0.06, detail * 2.0);
    model.part("内核", vec![(inner, core)], Some(root), Place::at([0.0; 3]));
    for axis in 0..3 {
        let (name, color) = colors[axis];
        let paint = model.paint(name, color, 0.05, 0.32);
        // One facet is raised, as in the mark.
        let lift = if axis == 1 { 0.11 } else { 0.0 };
        let mut place = [0.0; 3];
        place[axis] = lift;
        let front = panel(axis, detail);
        model.part(name, vec![(front, paint)], Some(root), Place::at(place));
        let mut size = [0.9; 3];
        size[axis] = THICK;
        let mut behind = [0.0; 3];
        behind[axis] = -HALF + THICK / 2.0;
        let back = rounded_box(size, 0.03, detail).moved(behind);
        model.part("背板", vec![(back, base)], Some(root), Place::at([0.0; 3]));
    }
    lens(&mut model, root, detail, glass, gold);
    Ok(model.scene)
}

/// The lens in the corner between the three faces, with a golden ring.
fn lens(model: &mut Model, root: u32, detail: f32, glass: u32, gold: u32) {
    let corner = [HALF - 0.06; 3];
    let ball = sphere(0.36, detail * 1.6);
    model.part("透镜", vec![(ball, glass)], Some(root), Place::at(corner));
    let heart = sphere(0.13, detail);
    model.part("镜心", vec![(heart, gold)], Some(root), Place::at(corner));
    // The ring's axis is the diagonal of the cube.
    let along = unit([1.0; 3]);
    let side = unit(cross([0.0, 1.0, 0.0], along));
    let up = cross(along, side);
    let ring = torus(0.375, 0.018, detail * 1.4)
        .map(|p| [0, 1, 2].map(|k| side[k] * p[2] + along[k] * p[1] + up[k] * p[0]));
    model.part("镜环", vec![(ring, gold)], Some(root), Place::at(corner));
}

/// A face plate with a round cut-out at the corner of the lens: in polar coordinates about that corner, from the
/// cut-out to the square's border.
fn panel(axis: usize, detail: f32) -> Shape {
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
    let edge = 2.0 * HALF - 0.05 - JOINT;
    let bevel = 0.012;
    let around = steps(detail, 24.0, 4) * 2;
    let out = steps(detail, 10.0, 2);
    let section = section(out, bevel);
    let mut rows: Vec<Vec<Point>> = Vec::new();
    for (t, inset, depth) in section {
        let mut row = Vec::with_capacity(around + 1);
        for i in 0..=around {
            let share = i as f32 / around as f32;
            let angle = PI + FRAC_PI_2 * share;
            let reach = edge / (FRAC_PI_4 - (angle - PI - FRAC_PI_4).abs()).cos();
            let r = CUT + (reach - CUT) * t + inset;
            let mut p = [0.0; 3];
            p[a] = HALF - JOINT + r * angle.cos();
            p[b] = HALF - JOINT + r * angle.sin();
            p[axis] = HALF - depth;
            row.push(p);
        }
        rows.push(row);
    }
    let mut shape = Shape::rows(&rows, false, [1.0, 1.0]);
    shape.add(end_wall(&rows, 0, true));
    shape.add(end_wall(&rows, around, false));
    shape
}

/// Loop around the plate's thickness: top outwards, down, bottom inwards, up.
fn section(out: usize, bevel: f32) -> Vec<(f32, f32, f32)> {
    let mut points = Vec::new();
    for i in (0..=out).rev() {
        let t = i as f32 / out as f32;
        points.push((t, bevel * (1.0 - 2.0 * t), 0.0));
    }
    points.push((0.0, 0.0, bevel));
    points.push((0.0, 0.0, THICK));
    for i in 1..=out {
        points.push((i as f32 / out as f32, 0.0, THICK));
    }
    points.push((1.0, 0.0, bevel));
    points.push((1.0, -bevel, 0.0));
    points
}

/// Closes the plate at one of its straight ends: strips between the upper and the lower half of the section's loop.
fn end_wall(rows: &[Vec<Point>], column: usize, flip: bool) -> Shape {
    let points: Vec<Point> = rows.iter().map(|row| row[column]).collect();
    let n = points.len() - 1;
    let half = n / 2;
    let upper: Vec<Point> = points[..=half].to_vec();
    let lower: Vec<Point> = (0..=half).map(|i| points[n - i.min(n - half)]).collect();
    let walls = if flip { [upper, lower] } else { [lower, upper] };
    Shape::rows(&walls, false, [1.0, 1.0])
}
