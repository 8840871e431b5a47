//! A seven-storey octagonal pagoda with curved eaves.

use super::model::{Ask, GOLD, Model, Place};
use super::noise::{fractal, mix, paint, rgb, step};
use super::shape::{Point, Shape, steps};
use super::solids::{cylinder, rounded_box, sphere, torus};
use crate::scene::Material;
use crate::{Result, Scene};
use image::DynamicImage;
use std::f32::consts::{FRAC_PI_4, FRAC_PI_8, TAU};

const STOREYS: usize = 7;
const SIDES: usize = 8;

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("七层宝塔", ask);
    let tiles = model.texture("tiles.png", || tile_picture(seed))?;
    let roof = model.material(Material {
        base_color_texture: Some(tiles),
        roughness: 0.55,
        ..Material::plain("黛瓦", [1.0; 4])
    });
    let wall = model.paint("粉墙", 0xEDE6D8, 0.0, 0.9);
    let red = model.paint("朱漆", 0x8E2A22, 0.0, 0.45);
    let stone = model.paint("青石", 0x9AA0A3, 0.0, 0.85);
    let gold = model.paint("鎏金", GOLD, 1.0, 0.25);
    let lattice = model.paint("窗棂", 0x2C2320, 0.0, 0.7);

    let mut plinth = Shape::default();
    for (i, (radius, y)) in [(7.6, 0.0), (7.0, 0.4), (6.4, 0.8)].into_iter().enumerate() {
        plinth.add(prism(radius, 0.4, detail).moved([0.0, y, 0.0]));
        for k in 0..4 {
            let step = rounded_box([2.4, 0.4, 0.5], 0.04, detail * 0.5);
            let out = radius * FRAC_PI_8.cos() + 0.2 - 0.03 * i as f32;
            plinth.add(
                step.moved([out, y + 0.19, 0.0])
                    .turned(1, TAU * k as f32 / 4.0),
            );
        }
    }
    model.part("台基", vec![(plinth, stone)], None, Place::at([0.0; 3]));

    let window = model.mesh("花窗", window(detail, red, lattice));
    let column = model.mesh(
        "檐柱",
        vec![(cylinder(0.16, 2.5, 0.03, detail * 0.55), red)],
    );
    let bell = model.mesh("风铃", vec![(bell(detail), gold)]);
    let mut base = 1.2;
    for storey in 0..STOREYS {
        let shrink = 0.89f32.powi(storey as i32);
        let name = format!("第 {} 层", storey + 1);
        let node = model.node(&name, None, None, Place::at([0.0, base, 0.0]));
        let (radius, height) = (4.6 * shrink, 2.5 * shrink.sqrt());
        let eaves = if storey + 1 == STOREYS {
            -height
        } else {
            height
        };
        let parts = vec![
            (prism(radius, height, detail), wall),
            (
                prism(radius + 0.35 * shrink, 0.16, detail).moved([0.0, height - 0.25, 0.0]),
                red,
            ),
            (railing(radius + 0.75 * shrink, detail, shrink), red),
            (roof_shape(radius, eaves, shrink, detail), roof),
            (ridges(radius, eaves, shrink, detail), gold),
        ];
        model.part("塔身", parts, Some(node), Place::at([0.0; 3]));
        for side in 0..SIDES {
            let corner = FRAC_PI_4 * side as f32 + FRAC_PI_8;
            let face = FRAC_PI_4 * side as f32;
            let r = radius + 0.1;
            let at = [r * corner.cos(), 0.0, -r * corner.sin()];
            let scale = [shrink, height / 2.5, shrink];
            model.node(
                "檐柱",
                Some(column),
                Some(node),
                Place::at(at).scaled(scale),
            );
            let r = radius * FRAC_PI_8.cos() + 0.02;
            let at = [r * face.cos(), height * 0.46, -r * face.sin()];
            let place = Place::at(at).turned(1, face).scaled([shrink; 3]);
            model.node("花窗", Some(window), Some(node), place);
            let r = radius + 2.15 * shrink;
            let at = [r * corner.cos(), height + 0.28 * shrink, -r * corner.sin()];
            model.node(
                "风铃",
                Some(bell),
                Some(node),
                Place::at(at).scaled([shrink; 3]),
            );
        }
        base += height + if storey + 1 == STOREYS { 1.9 } else { 0.95 } * shrink;
    }
    let spire = vec![(spire(detail), gold)];
    model.part("塔刹", spire, None, Place::at([0.0, base - 0.15, 0.0]));
    Ok(model.scene)
}

/// Distance of an octagon's edge from the centre, corners at `radius`.
fn octagon(angle: f32) -> f32 {
    let within = (angle + FRAC_PI_8).rem_euclid(FRAC_PI_4) - FRAC_PI_8;
    FRAC_PI_8.cos() / within.cos()
}

/// Angles with a step at every corner.
fn angles(detail: f32) -> Vec<f32> {
    let n = steps(detail, 6.0, 2) / 2 * 2 * SIDES;
    (0..n.max(16))
        .map(|i| TAU * i as f32 / n.max(16) as f32)
        .collect()
}

fn ring(angles: &[f32], point: impl Fn(f32) -> [f32; 2]) -> Vec<Point> {
    let place = |&angle: &f32| {
        let [r, y] = point(angle);
        [r * angle.cos(), y, -r * angle.sin()]
    };
    angles.iter().map(place).collect()
}

fn prism(radius: f32, height: f32, detail: f32) -> Shape {
    let angles = angles(detail);
    let b = 0.03;
    let n = steps(detail, 3.0, 1);
    let mut profile = vec![[0.0, 0.0], [radius - b, 0.0], [radius, b]];
    for i in 1..n {
        profile.push([radius, b + (height - 2.0 * b) * i as f32 / n as f32]);
    }
    profile.extend([[radius, height - b], [radius - b, height], [0.0, height]]);
    let rows: Vec<_> = profile
        .iter()
        .map(|&[r, y]| ring(&angles, |a| [r * octagon(a), y]))
        .collect();
    Shape::rows(&rows, true, [8.0, 1.0])
}

/// How far the eaves curve up towards a corner, 0…1.
fn lift(angle: f32) -> f32 {
    let from_middle = ((angle + FRAC_PI_8).rem_euclid(FRAC_PI_4) - FRAC_PI_8).abs() / FRAC_PI_8;
    from_middle.powi(3)
}

/// Point on the roof's upper side: t from 0 at the eaves to 1 at the wall above. The topmost roof, marked by a negative
/// height, extends to the spire.
fn roof_point(radius: f32, height: f32, shrink: f32, angle: f32, t: f32) -> [f32; 2] {
    let (inner, rise) = if height < 0.0 {
        (0.25, 1.9)
    } else {
        (radius * 0.86, 0.95)
    };
    let height = height.abs();
    let out = radius + 1.75 * shrink + 0.45 * shrink * lift(angle) * (1.0 - t);
    let r = out + (inner - out) * t;
    let rise = rise * shrink * t.powf(1.7);
    let up = 0.55 * shrink * lift(angle) * (1.0 - t).powi(2);
    [r * octagon(angle), height - 0.02 + rise + up]
}

fn roof_shape(radius: f32, height: f32, shrink: f32, detail: f32) -> Shape {
    let angles = angles(detail * 1.6);
    let n = steps(detail, 8.0, 2);
    let drop = 0.12 * shrink;
    let eave = |a: f32| roof_point(radius, height, shrink, a, 0.0);
    let mut rows = vec![
        ring(&angles, |a| [radius * 0.9 * octagon(a), height.abs() - 0.1]),
        ring(&angles, |a| [eave(a)[0] - 0.06 * shrink, eave(a)[1] - drop]),
        ring(&angles, |a| [eave(a)[0], eave(a)[1] - drop * 0.5]),
    ];
    for i in 0..=n {
        rows.push(ring(&angles, |a| {
            roof_point(radius, height, shrink, a, i as f32 / n as f32)
        }));
    }
    Shape::rows(&rows, true, [48.0, 6.0])
}

/// Gilded hips along the roof's eight corners.
fn ridges(radius: f32, height: f32, shrink: f32, detail: f32) -> Shape {
    let n = steps(detail, 8.0, 3);
    let mut all = Shape::default();
    for side in 0..SIDES {
        let angle = FRAC_PI_4 * side as f32 + FRAC_PI_8;
        let point = |i: usize| {
            let [r, y] = roof_point(radius, height, shrink, angle, i as f32 / n as f32);
            [r * angle.cos(), y + 0.03, -r * angle.sin()]
        };
        let path: Vec<Point> = (0..=n).map(point).collect();
        all.add(super::solids::tube(&path, 0.085 * shrink, detail * 0.45));
    }
    all
}

fn railing(radius: f32, detail: f32, shrink: f32) -> Shape {
    let corner = |i: usize, y: f32| {
        let angle = FRAC_PI_4 * i as f32 + FRAC_PI_8;
        [radius * angle.cos(), y, -radius * angle.sin()]
    };
    let mut all = Shape::default();
    for i in 0..SIDES {
        for y in [0.3, 0.62] {
            all.add(super::solids::rod(
                corner(i, y * shrink),
                corner(i + 1, y * shrink),
                0.045 * shrink,
                detail * 0.4,
            ));
        }
        let post = super::solids::rod(
            corner(i, 0.0),
            corner(i, 0.78 * shrink),
            0.07 * shrink,
            detail * 0.45,
        );
        all.add(post);
    }
    all
}

/// A lattice window facing +x.
fn window(detail: f32, red: u32, dark: u32) -> Vec<(Shape, u32)> {
    let d = detail * 0.35;
    let mut frame = Shape::default();
    for z in [-0.55f32, 0.55] {
        frame.add(rounded_box([0.1, 1.4, 0.1], 0.02, d).moved([0.0, 0.0, z]));
    }
    for y in [-0.65f32, 0.65] {
        frame.add(rounded_box([0.1, 0.1, 1.2], 0.02, d).moved([0.0, y, 0.0]));
    }
    for i in -1..=1 {
        frame.add(rounded_box([0.06, 1.3, 0.05], 0.012, d).moved([0.0, 0.0, 0.27 * i as f32]));
        frame.add(rounded_box([0.06, 0.05, 1.1], 0.012, d).moved([0.0, 0.3 * i as f32, 0.0]));
    }
    vec![
        (frame, red),
        (
            rounded_box([0.05, 1.3, 1.1], 0.01, d).moved([-0.02, 0.0, 0.0]),
            dark,
        ),
    ]
}

fn bell(detail: f32) -> Shape {
    let profile = [
        [0.0, 0.0],
        [0.07, 0.0],
        [0.085, 0.02],
        [0.055, 0.1],
        [0.04, 0.16],
        [0.0, 0.18],
    ];
    Shape::lathe(&profile, steps(detail, 12.0, 5)).moved([0.0, -0.35, 0.0])
}

fn spire(detail: f32) -> Shape {
    let mut all = Shape::lathe(
        &[
            [0.0, 0.0],
            [0.9, 0.0],
            [0.85, 0.2],
            [0.35, 0.42],
            [0.22, 0.7],
            [0.1, 0.8],
            [0.0, 0.8],
        ],
        steps(detail, 32.0, 8),
    );
    all.add(super::solids::rod(
        [0.0, 0.7, 0.0],
        [0.0, 3.6, 0.0],
        0.06,
        detail * 0.6,
    ));
    for i in 0..7 {
        let r = 0.42 - 0.045 * i as f32;
        all.add(torus(r, 0.05, detail * 0.6).moved([0.0, 1.0 + 0.27 * i as f32, 0.0]));
        all.add(cylinder(r, 0.04, 0.01, detail * 0.5).moved([0.0, 0.98 + 0.27 * i as f32, 0.0]));
    }
    all.add(sphere(0.2, detail * 0.7).moved([0.0, 3.1, 0.0]));
    all.add(sphere(0.13, detail * 0.7).moved([0.0, 3.6, 0.0]));
    all
}

fn tile_picture(seed: u64) -> DynamicImage {
    paint(512, 512, |u, v| {
        let across = (u * 8.0).fract() - 0.5;
        let down = (v * 8.0).fract();
        let round = (1.0 - (across * 2.0).powi(2)).max(0.0).sqrt();
        let lap = 1.0 - 0.45 * (1.0 - step(0.0, 0.16, down));
        let tint = fractal(u, v, 16, 3, seed);
        let color = mix(rgb(0x2B3A44), rgb(0x4A6470), tint);
        mix(rgb(0x141B20), color, (0.35 + 0.65 * round) * lap)
    })
}
