//! A turbofan: fan, compressor and nacelle cut open, with a rotating rotor.

use super::model::{Ask, BLUE, GOLD, GREY, INK, Model, PALE, Place, steady, turn};
use super::shape::{Point, Shape, steps};
use super::solids::{curve, cylinder, rounded_box};
use crate::{Result, Scene};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

const FAN_BLADES: usize = 20;
const FAN_RADIUS: f32 = 0.86;
/// Angle at which the shell starts after the cut.
const OPEN: f32 = 1.5;
/// Compressor stages: position along the axis, radius at root and tip.
const STAGES: [[f32; 3]; 5] = [
    [0.42, 0.22, 0.46],
    [0.56, 0.24, 0.44],
    [0.7, 0.26, 0.42],
    [0.84, 0.27, 0.4],
    [0.98, 0.28, 0.38],
];

pub fn make(ask: Ask) -> Result<Scene> {
    let detail = ask.detail;
    let mut model = Model::new("涡扇发动机", ask);
    let titanium = model.paint("钛合金", 0xB9C0CC, 1.0, 0.3);
    let steel = model.paint("钢", GREY, 1.0, 0.35);
    let shell = model.paint("月白漆", 0xF1F4FA, 0.1, 0.3);
    let inner = model.paint("石墨", INK, 0.4, 0.55);
    let lip = model.paint("抛光铝", PALE, 1.0, 0.15);
    let blue = model.paint("玄青", BLUE, 0.3, 0.35);
    let heat = model.paint("回火铜", GOLD, 1.0, 0.3);

    // Built with the axis along y, intake up; the root lays it on its side.
    let lying = Place {
        rotation: turn(0, FRAC_PI_2),
        ..Place::at([0.0, 1.25, 0.0])
    };
    let root = model.node("发动机", None, None, lying);
    nacelle(&mut model, root, detail, [shell, inner, lip, blue]);
    core(&mut model, root, detail, heat, steel);
    stand(&mut model, detail, inner, steel);

    let rotor = model.node("低压转子", None, Some(root), Place::at([0.0; 3]));
    let high = model.node("高压转子", None, Some(root), Place::at([0.0; 3]));
    spinner(&mut model, rotor, detail, inner, shell);
    let blade = model.mesh(
        "风扇叶片",
        vec![(blade(0.2, FAN_RADIUS, 0.2, 0.9, detail), titanium)],
    );
    around(&mut model, "风扇叶片", blade, rotor, FAN_BLADES, 0.62);
    for (i, [at, root_radius, tip]) in STAGES.into_iter().enumerate() {
        let name = format!("第 {} 级叶片", i + 1);
        let shape = self::blade(root_radius, tip, 0.07, 0.6, detail * 0.5);
        let mesh = model.mesh(&name, vec![(shape, steel)]);
        around(&mut model, &name, mesh, high, 28 + 4 * i, 0.62 - at);
    }
    let drum = curve(
        &[[0.2, -0.5], [0.28, -0.34], [0.26, 0.0], [0.22, 0.26]],
        steps(detail, 6.0, 2),
    );
    model.part(
        "鼓筒",
        vec![(Shape::lathe(&drum, steps(detail, 48.0, 8)), heat)],
        Some(high),
        Place::at([0.0; 3]),
    );

    let (times, low_angles) = steady(8.0, 24, 2.0, 0.0);
    let (_, high_angles) = steady(8.0, 24, -3.0, 0.0);
    model.turns(
        "运转",
        &times,
        &[(rotor, 1, low_angles), (high, 1, high_angles)],
    );
    Ok(model.scene)
}

/// Copies of one mesh around the axis.
fn around(model: &mut Model, name: &str, mesh: u32, parent: u32, count: usize, height: f32) {
    for i in 0..count {
        let place = Place::at([0.0, height, 0.0]).turned(1, TAU * i as f32 / count as f32);
        model.node(
            &format!("{name} {}", i + 1),
            Some(mesh),
            Some(parent),
            place,
        );
    }
}

/// A twisted, cambered blade along x, thin at the edges.
fn blade(root: f32, tip: f32, chord: f32, twist: f32, detail: f32) -> Shape {
    let (along, across) = (steps(detail, 22.0, 3), steps(detail, 8.0, 3));
    let point = |share: f32, u: f32| -> Point {
        let r = root + (tip - root) * share;
        let width = chord * (0.75 + 0.55 * share - 0.25 * share * share);
        let angle = 0.45 + twist * share;
        // u runs once around the section: out on one side, back on the other.
        let side = if u < 0.5 { 1.0 } else { -1.0 };
        let t = if u < 0.5 { u * 2.0 } else { 2.0 - u * 2.0 };
        let thick =
            (PI * t).sin().max(0.0).powf(0.7) * 0.02 * (1.15 - share) * (chord / 0.2).sqrt();
        let (x, y) = (
            (t - 0.5) * width,
            0.05 * (PI * t).sin() * chord / 0.2 + side * thick,
        );
        let sweep = 0.06 * share * share * chord / 0.2;
        let (sin, cos) = angle.sin_cos();
        [r, -(x * cos - y * sin) + sweep, x * sin + y * cos]
    };
    let n = across * 2;
    let mut rows: Vec<Vec<Point>> = Vec::new();
    for j in 0..=along {
        let share = j as f32 / along as f32;
        rows.push((0..n).map(|i| point(share, i as f32 / n as f32)).collect());
    }
    for (share, first) in [(0.0, true), (1.0, false)] {
        let a = point(share, 0.25);
        let b = point(share, 0.75);
        let middle = vec![[0, 1, 2].map(|k| (a[k] + b[k]) / 2.0); n];
        if first {
            rows.insert(0, middle)
        } else {
            rows.push(middle)
        }
    }
    Shape::rows(&rows, true, [1.0, 1.0])
}

fn nacelle(model: &mut Model, root: u32, detail: f32, paints: [u32; 4]) {
    let [shell, inner, lip, blue] = paints;
    let n = steps(detail, 8.0, 2);
    // A third of the shell is left out to show the inside.
    let cut = |profile: &[[f32; 2]]| {
        let around = steps(detail, 66.0, 9);
        let row = |&[r, y]: &[f32; 2]| {
            (0..=around)
                .map(|i| {
                    let angle = OPEN + (TAU - 1.75) * i as f32 / around as f32;
                    [r * angle.cos(), y, -r * angle.sin()]
                })
                .collect()
        };
        let rows: Vec<Vec<Point>> = profile.iter().map(row).collect();
        Shape::rows(&rows, false, [1.0, 1.0])
    };
    let outside = curve(
        &[
            [0.86, -1.0],
            [1.0, -0.5],
            [1.08, 0.1],
            [1.09, 0.5],
            [1.04, 0.86],
        ],
        n,
    );
    let inside = curve(
        &[
            [0.92, 0.86],
            [0.89, 0.6],
            [0.9, 0.1],
            [0.86, -0.5],
            [0.84, -1.0],
        ],
        n,
    );
    let rim = curve(
        &[
            [1.04, 0.86],
            [1.02, 0.95],
            [0.98, 0.985],
            [0.94, 0.95],
            [0.92, 0.86],
        ],
        n,
    );
    let band: Vec<[f32; 2]> = curve(
        &[[1.083, 0.2], [1.094, 0.3], [1.095, 0.42], [1.088, 0.5]],
        n,
    )
    .iter()
    .map(|[r, y]| [r + 0.006, *y])
    .collect();
    let tail = vec![[0.84, -1.0], [0.86, -1.0]];
    let mut back = cut(&tail);
    back.add(cut(&inside));
    let mut edges = Shape::default();
    let mut closed = outside.clone();
    closed.extend(rim.iter().skip(1));
    closed.extend(inside.iter().skip(1));
    closed.push(outside[0]);
    for (angle, flip) in [(OPEN, true), (OPEN + TAU - 1.75, false)] {
        edges.add(wall(&closed, angle, flip));
    }
    let parts = vec![
        (cut(&outside), shell),
        (cut(&band), blue),
        (back, inner),
        (cut(&rim), lip),
        (edges, inner),
    ];
    model.part("短舱", parts, Some(root), Place::at([0.0; 3]));
}

/// Fills a closed profile where the shell is cut.
fn wall(profile: &[[f32; 2]], angle: f32, flip: bool) -> Shape {
    let n = profile.len() - 1;
    let half = n / 2;
    let point = |&[r, y]: &[f32; 2]| [r * angle.cos(), y, -r * angle.sin()];
    let a: Vec<Point> = profile[..=half].iter().map(point).collect();
    let b: Vec<Point> = (0..=half).map(|i| point(&profile[n - i])).collect();
    Shape::rows(&if flip { [a, b] } else { [b, a] }, false, [1.0, 1.0])
}

fn core(model: &mut Model, root: u32, detail: f32, heat: u32, steel: u32) {
    let n = steps(detail, 8.0, 2);
    let around = steps(detail, 56.0, 8);
    let cone = curve(&[[0.0, -1.5], [0.1, -1.36], [0.2, -1.1], [0.24, -0.8]], n);
    let nozzle = curve(&[[0.36, -1.2], [0.46, -0.9], [0.5, -0.6], [0.5, -0.5]], n);
    let mut lining = curve(
        &[[0.48, -0.5], [0.48, -0.6], [0.44, -0.9], [0.345, -1.2]],
        n,
    );
    lining.push([0.36, -1.2]);
    model.part(
        "尾锥",
        vec![(Shape::lathe(&cone, around), heat)],
        Some(root),
        Place::at([0.0; 3]),
    );
    let parts = vec![
        (Shape::lathe(&nozzle, around), steel),
        (Shape::lathe(&lining, around), heat),
        (Shape::lathe(&[[0.5, -0.5], [0.2, -0.5]], around), steel),
    ];
    model.part("尾喷管", parts, Some(root), Place::at([0.0; 3]));
}

fn spinner(model: &mut Model, rotor: u32, detail: f32, dark: u32, white: u32) {
    let mut profile = vec![[0.0, 0.5], [0.21, 0.5]];
    profile.extend(curve(
        &[[0.21, 0.52], [0.2, 0.72], [0.13, 0.92], [0.0, 1.03]],
        steps(detail, 8.0, 2),
    ));
    let cone = Shape::lathe(&profile, steps(detail, 56.0, 8));
    // The spiral that warns ground crews.
    let n = steps(detail, 40.0, 8);
    let mut rows = vec![Vec::new(), Vec::new()];
    for i in 0..=n {
        let t = i as f32 / n as f32;
        for (side, row) in rows.iter_mut().enumerate() {
            let y = 0.74 + 0.2 * t + if side == 1 { 0.035 * (1.0 - t) } else { 0.0 };
            let angle = t * 4.2;
            let r = radius_at(&profile, y) + 0.004;
            row.push([r * angle.cos(), y, -r * angle.sin()]);
        }
    }
    let spiral = Shape::rows(&rows, false, [1.0, 1.0]);
    model.part(
        "整流锥",
        vec![(cone, dark), (spiral, white)],
        Some(rotor),
        Place::at([0.0; 3]),
    );
}

fn radius_at(profile: &[[f32; 2]], y: f32) -> f32 {
    for pair in profile.windows(2) {
        let ([r0, y0], [r1, y1]) = (pair[0], pair[1]);
        if y0 < y1 && (y0..=y1).contains(&y) {
            return r0 + (r1 - r0) * (y - y0) / (y1 - y0);
        }
    }
    0.0
}

fn stand(model: &mut Model, detail: f32, dark: u32, steel: u32) {
    let mut feet = Shape::default();
    for z in [-0.5, 0.45] {
        feet.add(rounded_box([1.5, 0.08, 0.2], 0.03, detail).moved([0.0, 0.04, z]));
        for x in [-0.6f32, 0.6] {
            let post = cylinder(0.05, 0.62, 0.01, detail * 0.6).turned(2, x.signum() * 0.22);
            feet.add(post.moved([x, 0.05, z]));
        }
    }
    let rail = rounded_box([0.16, 0.06, 1.3], 0.02, detail).moved([0.0, 0.1, 0.0]);
    model.part(
        "支架",
        vec![(feet, dark), (rail, steel)],
        None,
        Place::at([0.0; 3]),
    );
}
