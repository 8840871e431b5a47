//! A blue-and-white porcelain vase: scrolls, lotus band and crackled glaze.

use super::model::{Ask, INK, Model, Place};
use super::noise::{fractal, mix, paint, rgb, step};
use super::shape::{Shape, steps};
use super::solids::{curve, cylinder, rounded_box};
use crate::scene::Material;
use crate::{Result, Scene};
use image::DynamicImage;
use std::f32::consts::TAU;

/// Outline of the outside: radius and height, metres.
const OUTLINE: [[f32; 2]; 11] = [
    [0.085, 0.012],
    [0.082, 0.03],
    [0.1, 0.09],
    [0.142, 0.18],
    [0.165, 0.27],
    [0.15, 0.35],
    [0.1, 0.41],
    [0.058, 0.45],
    [0.05, 0.5],
    [0.058, 0.54],
    [0.083, 0.565],
];

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("青花瓷瓶", ask);
    let color = model.texture("glaze.png", || glaze(seed))?;
    let rough = model.texture("glaze-roughness.png", || roughness(seed))?;
    let porcelain = model.material(Material {
        base_color_texture: Some(color),
        metallic_roughness_texture: Some(rough),
        metallic: 0.0,
        roughness: 1.0,
        ..Material::plain("青花釉", [1.0; 4])
    });
    let clay = model.paint("素胎", 0xE9E2D4, 0.0, 0.85);
    let wood_color = model.texture("rosewood.png", || rosewood(seed))?;
    let wood = model.material(Material {
        base_color_texture: Some(wood_color),
        roughness: 0.42,
        ..Material::plain("红木", [1.0; 4])
    });
    let felt = model.paint("垫布", INK, 0.0, 0.95);

    let around = steps(detail, 110.0, 12);
    let outside = curve(&OUTLINE, steps(detail, 9.0, 2));
    let outer = Shape::lathe(&outside, around);
    let thickness = 0.006;
    let mut inside = vec![[0.083, 0.565], [0.081, 0.57], [0.077, 0.566]];
    inside.extend(
        outside
            .iter()
            .rev()
            .skip(2)
            .map(|[r, y]| [r - thickness, y.max(0.02)]),
    );
    inside.push([0.0, 0.02]);
    let lining = Shape::lathe(&inside, around);
    let foot = Shape::lathe(
        &[
            [0.0, 0.012],
            [0.07, 0.012],
            [0.072, 0.0],
            [0.083, 0.0],
            [0.085, 0.012],
        ],
        around,
    );
    let y = 0.075;
    model.part(
        "瓶身",
        vec![(outer, porcelain), (lining, clay), (foot, clay)],
        None,
        Place::at([0.0, y, 0.0]),
    );

    let mut stand = cylinder(0.13, 0.028, 0.01, detail * 1.5)
        .moved([0.0, 0.045, 0.0])
        .tiled(3.0, 1.0);
    for i in 0..5 {
        let leg = curve(
            &[[0.115, 0.05], [0.135, 0.03], [0.12, 0.012], [0.138, 0.0]],
            steps(detail, 5.0, 2),
        );
        let path: Vec<_> = leg.iter().map(|[r, y]| [*r, *y + 0.006, 0.0]).collect();
        stand.add(super::solids::tube(&path, 0.012, detail * 0.7).turned(1, TAU * i as f32 / 5.0));
    }
    let cloth = rounded_box([0.36, 0.006, 0.36], 0.003, detail).moved([0.0, 0.001, 0.0]);
    model.part(
        "瓶座",
        vec![(stand, wood), (cloth, felt)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}

/// 0 outside, 1 on a line of the drawing; u around, v downwards.
fn drawing(u: f32, v: f32, seed: u64) -> f32 {
    let wobble = (fractal(u, v, 8, 3, seed) - 0.5) * 0.012;
    let (u, v) = (u + wobble, v + wobble);
    let line = |at: f32, width: f32| 1.0 - step(width * 0.6, width, (v - at).abs());
    let mut ink: f32 = 0.0;
    for at in [0.03, 0.05, 0.2, 0.215, 0.33, 0.345, 0.8, 0.815, 0.95] {
        ink = ink.max(line(at, 0.004));
    }
    if (0.35..0.79).contains(&v) {
        ink = ink.max(scrolls(u * 8.0, (v - 0.57) / 0.22));
    }
    if (0.055..0.195).contains(&v) {
        ink = ink.max(leaves(u * 16.0, (0.195 - v) / 0.14));
    }
    if (0.22..0.325).contains(&v) {
        ink = ink.max(waves(u * 18.0, (v - 0.27) / 0.05));
    }
    if (0.82..0.945).contains(&v) {
        ink = ink.max(leaves(u * 18.0, (v - 0.82) / 0.125));
    }
    ink
}

/// A lotus inside a winding vine; one cell is 1 wide, y in −1…1.
fn scrolls(x: f32, y: f32) -> f32 {
    let cell = x.floor();
    let fx = x - cell - 0.5;
    let sign = if cell.rem_euclid(2.0) < 1.0 {
        1.0
    } else {
        -1.0
    };
    let fy = y * sign;
    let vine = (y * 0.9 - 0.62 * (x * TAU / 2.0).sin()).abs();
    let mut ink = 1.0 - step(0.03, 0.07, vine);
    let (r, angle) = (
        (fx * fx * 4.4 + (fy - 0.12).powi(2)).sqrt(),
        (fy - 0.12).atan2(fx * 2.1),
    );
    let petals = 0.36 + 0.13 * (angle * 8.0).cos();
    let flower =
        (1.0 - step(petals - 0.02, petals, r)) * (0.5 + 0.5 * step(petals - 0.12, petals, r));
    ink = ink.max(flower).max(1.0 - step(0.08, 0.11, r));
    // A ring of dots around the flower, and a curled tendril above it.
    let dots = (angle * 12.0 / TAU).fract().abs() - 0.5;
    let bead = ((r - 0.6) * 9.0).powi(2) + (dots * 3.4).powi(2);
    ink = ink.max((1.0 - step(0.5, 1.0, bead)) * 0.7);
    let (tx, ty) = ((fx - 0.06) * 2.1, fy + 0.74);
    let curl = (tx * tx + ty * ty).sqrt();
    let spiral = (curl * 30.0 - ty.atan2(tx) * 1.0).sin().abs();
    ink = ink.max((1.0 - step(0.25, 0.5, spiral)) * (1.0 - step(0.17, 0.2, curl)) * 0.9);
    let leaves = [
        (-0.36, -0.55, 0.7f32),
        (0.36, -0.6, -0.7),
        (-0.4, 0.62, -0.6),
        (0.4, 0.6, 0.6),
        (0.0, 0.82, 1.57),
        (-0.42, 0.05, 1.2),
        (0.42, 0.0, -1.2),
    ];
    for (cx, cy, turn) in leaves {
        let (dx, dy) = ((fx - cx) * 2.1, fy - cy);
        let (a, b) = (
            dx * turn.cos() - dy * turn.sin(),
            dx * turn.sin() + dy * turn.cos(),
        );
        let leaf = (a / 0.26).powi(2) + (b / 0.1).powi(2);
        ink = ink.max((1.0 - step(0.85, 1.0, leaf)) * 0.85);
    }
    ink
}

/// Upright lappets; y from 0 at the root to 1 at the tip.
fn leaves(x: f32, y: f32) -> f32 {
    let fx = (x - x.floor() - 0.5).abs() * 2.0;
    let width = (1.0 - y).max(0.0).sqrt();
    let edge = (fx - width * 0.92).abs();
    let rim = 1.0 - step(0.05, 0.1, edge);
    let heart = (1.0 - step(0.32, 0.4, fx / width.max(0.05)))
        * step(0.0, 0.1, y)
        * (1.0 - step(0.6, 0.75, y));
    rim.max(heart * 0.75)
}

/// Rolling waves between the bands.
fn waves(x: f32, y: f32) -> f32 {
    let crest = 0.5 * (x * TAU).sin() + 0.18 * (2.0 * x * TAU + 1.0).sin();
    let a = 1.0 - step(0.06, 0.13, (y - crest).abs());
    let b = 1.0 - step(0.04, 0.1, (y - crest * 0.8 + 0.42).abs());
    a.max(b * 0.7)
}

fn glaze(seed: u64) -> DynamicImage {
    let white = rgb(0xF3F5F2);
    let pale = rgb(0xE6EEF0);
    let cobalt = rgb(0x1B3F9E);
    let deep = rgb(0x10235F);
    paint(1536, 1536, |u, v| {
        let ground = mix(white, pale, fractal(u, v, 6, 4, seed ^ 7));
        let ink = drawing(u, v, seed);
        // The cobalt pools unevenly and bleeds slightly into the glaze.
        let pooled = fractal(u, v, 24, 4, seed ^ 11);
        mix(
            ground,
            mix(cobalt, deep, pooled * 1.4 - 0.3),
            ink * (0.72 + 0.4 * pooled),
        )
    })
}

/// Roughness in green: glossy, with hair-fine crackle.
fn roughness(seed: u64) -> DynamicImage {
    paint(1024, 1024, |u, v| {
        let crack = (fractal(u, v, 10, 3, seed ^ 31) - 0.5).abs();
        let rough =
            0.12 + 0.1 * fractal(u, v, 16, 3, seed ^ 3) + 0.25 * (1.0 - step(0.0, 0.012, crack));
        [1.0, rough, 0.0]
    })
}

fn rosewood(seed: u64) -> DynamicImage {
    paint(512, 512, |u, v| {
        let warp = fractal(u, v, 4, 4, seed ^ 5);
        let ring = ((v * 14.0 + warp * 5.0) * TAU).sin() * 0.5 + 0.5;
        let pore = fractal(u * 0.999, v, 64, 2, seed ^ 9);
        mix(
            mix(rgb(0x3A1712), rgb(0x6B2E1E), ring),
            rgb(0x250D0A),
            step(0.62, 0.8, pore),
        )
    })
}
