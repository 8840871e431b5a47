//! A Chinese pavilion: columns, benches and a roof with raised corners.

use super::kit::{block, circle, collar, plate, slat, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::sphere;
use crate::{Result, Scene};
use std::f32::consts::{PI, TAU};

pub const FAMILY: Family = Family {
    name: "pavilion",
    title: "中式亭子",
    params: &[
        count("sides", "边数", [4, 8], 6),
        size("radius", "柱网半径（米）", [1.5, 5.0], 2.4),
        count("tiers", "屋檐层数", [1, 3], 1),
        size("curl", "翼角起翘", [0.0, 1.0], 0.6),
        size("roof", "屋面高与半径之比", [0.5, 1.3], 0.8),
        count("tone", "瓦色：0 灰，1 黄，2 绿", [0, 2], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [sides, radius, tiers, curl, roof, color] = values(given);
    let mut model = Model::new("中式亭子", ask);
    let tile = model.paint("瓦", tone([0x555B63, 0xD09A2C, 0x2F6B50], color), 0.1, 0.5);
    let ridge = model.paint("脊", tone([0x3F444B, 0xB57F1E, 0x24543F], color), 0.1, 0.5);
    let red = model.coat("朱漆", tone([0x7E2B22, 0xA3281E, 0x8C2B20], color));
    let blue = model.coat("青绿彩画", 0x2E6B78);
    let gold = model.brass();
    let stone = model.stone(0.0)?;
    let n = sides as usize;
    let corner = |i: usize, r: f32| {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / sides).sin_cos();
        [r * cos, r * sin]
    };
    let ring = |r: f32| -> Vec<[f32; 2]> { (0..n).map(|i| corner(i, r)).collect() };
    let mut base = Shape::default();
    for (r, y) in [(1.62, 0.0), (1.48, 0.15), (1.36, 0.3)] {
        base.add(
            plate(&ring(radius * r), &[], 0.16, 0.02)
                .laid()
                .boxed(1.5)
                .at(0.0, y, 0.0),
        );
    }
    let floor = 0.46;
    let tall = 2.9;
    let mut posts = Shape::default();
    let mut beams = Shape::default();
    for i in 0..n {
        let [x, z] = corner(i, radius);
        base.add(
            turning(
                &[
                    [0.0, 0.0],
                    [0.22, 0.0],
                    [0.24, 0.08],
                    [0.17, 0.14],
                    [0.0, 0.14],
                ],
                0.03,
                32,
            )
            .at(x, floor, z),
        );
        posts.add(
            turning(
                &[[0.0, 0.1], [0.14, 0.1], [0.13, tall], [0.0, tall]],
                0.02,
                28,
            )
            .at(x, floor, z),
        );
        let [x2, z2] = corner(i + 1, radius);
        let (mid, long) = ([(x + x2) / 2.0, (z + z2) / 2.0], (x2 - x).hypot(z2 - z));
        let turn = -(z2 - z).atan2(x2 - x);
        let bar = |size: Point, y: f32| {
            block(size, 0.015, [0.0; 3])
                .turned(1, turn)
                .at(mid[0], floor + y, mid[1])
        };
        beams.add(bar([long + 0.3, 0.24, 0.14], tall - 0.2));
        beams.add(bar([long - 0.2, 0.05, 0.06], tall - 0.62));
        // A hanging lattice under the beam.
        let many = (long / 0.22) as usize;
        for k in 0..many {
            let at = -long / 2.0 + long * (k as f32 + 0.5) / many as f32;
            beams.add(
                slat([0.03, 0.3, 0.04], 0.006, [at, 0.0, 0.0])
                    .turned(1, turn)
                    .at(mid[0], floor + tall - 0.46, mid[1]),
            );
        }
        if i > 0 {
            posts.add(bar([long - 0.2, 0.06, 0.34], 0.46));
            posts.add(bar([long - 0.2, 0.06, 0.07], 0.86));
            let many = (long / 0.16) as usize;
            for k in 0..many {
                let at = -long / 2.0 + 0.1 + (long - 0.2) * (k as f32 + 0.5) / many as f32;
                let slim = slat([0.025, 0.4, 0.03], 0.005, [at, 0.0, 0.0]);
                posts.add(
                    slim.turned(1, turn)
                        .at(mid[0] * 1.02, floor + 0.66, mid[1] * 1.02),
                );
            }
        }
        // Brackets carry the eaves.
        for k in 0..3 {
            let wide = 0.2 + 0.16 * k as f32;
            beams.add(block(
                [wide, 0.08, wide],
                0.015,
                [x, floor + tall + 0.05 + 0.1 * k as f32, z],
            ));
        }
    }
    model.part("台基", vec![(base, stone)], None, Place::at([0.0; 3]));
    model.part("柱与栏", vec![(posts, red)], None, Place::at([0.0; 3]));
    model.part("额枋", vec![(beams, blue)], None, Place::at([0.0; 3]));

    let mut low = floor + tall + 0.22;
    let mut size = radius * 1.6;
    for tier in 0..tiers as usize {
        let last = tier + 1 == tiers as usize;
        let high = radius * roof * if last { 1.0 } else { 0.42 };
        let inner = if last { 0.04 } else { 0.55 };
        let (skin, ridges) = eaves(n, [size, high, inner, curl]);
        let parts = vec![(skin, tile), (ridges, ridge)];
        model.part(
            &format!("屋面 {}", tier + 1),
            parts,
            None,
            Place::at([0.0, low, 0.0]),
        );
        if last {
            let h = radius * 0.3;
            let knob = [
                [0.0, 0.0],
                [h * 0.5, 0.0],
                [h * 0.42, h * 0.2],
                [h * 0.2, h * 0.34],
                [h * 0.42, h * 0.62],
                [h * 0.4, h * 0.85],
                [h * 0.12, h * 1.15],
                [0.0, h * 1.5],
            ];
            let parts = vec![
                (turning(&knob, h * 0.12, 40), gold),
                (sphere(h * 0.1, 0.6).at(0.0, h * 1.5, 0.0), gold),
            ];
            model.part(
                "宝顶",
                parts,
                None,
                Place::at([0.0, low + high * 0.97, 0.0]),
            );
        } else {
            let wall = collar(
                size * inner * 0.7,
                size * inner * 0.86,
                high * 0.75,
                high * 0.8 + 0.75,
                0.03,
                n * 8,
            );
            model.part("围脊", vec![(wall, red)], None, Place::at([0.0, low, 0.0]));
            low += high * 0.8 + 0.6;
            size *= 0.8;
        }
    }
    Ok(model.scene)
}

/// One roof: a closed skin with rows of tiles, and its hip ridges.
fn eaves(n: usize, [size, high, inner, curl]: [f32; 4]) -> (Shape, Shape) {
    let each = 40;
    let around = n * each;
    let point = |i: usize, t: f32, drop: f32| -> Point {
        let share = (i % each) as f32 / each as f32 - 0.5;
        let angle = TAU * (i as f32 / around as f32) + PI / n as f32;
        // Straight sides between the corners.
        let side = (PI / n as f32).cos() / (TAU / n as f32 * share).cos();
        let edge = (share.abs() * 2.0).powi(4);
        let r = size * (1.0 + (inner - 1.0) * t) * (side + (1.0 - t).powi(2) * edge * 0.06 * curl);
        let rise =
            high * (0.55 * t + 0.45 * t.powi(3)) + edge * curl * size * 0.14 * (1.0 - t).powi(2);
        let wave = ((share * 14.0 * TAU).cos() * 0.5 + 0.5) * size * 0.012 * (1.0 - t * 0.4);
        let angle = angle + PI / n as f32;
        [
            r * angle.cos(),
            rise + if drop > 0.0 { -drop } else { wave },
            -r * angle.sin(),
        ]
    };
    let row = |t: f32, drop: f32| (0..around).map(|i| point(i, t, drop)).collect::<Vec<_>>();
    let mut rows: Vec<_> = (0..=14).map(|j| row(j as f32 / 14.0, 0.0)).collect();
    rows.extend(
        (0..=14)
            .rev()
            .step_by(2)
            .map(|j| row(j as f32 / 14.0, size * 0.045)),
    );
    rows.push(row(0.0, 0.0));
    let skin = Shape::rows(&rows, true, [8.0, 2.0]);
    let mut ridges = Shape::default();
    for k in 0..n {
        let path: Vec<Point> = (0..=14)
            .map(|j| {
                let p = point(k * each, (1.0 - j as f32 / 14.0) * 0.99, 0.0);
                [p[0] * 1.005, p[1] + size * 0.015, p[2] * 1.005]
            })
            .collect();
        ridges.add(sweep(&path, &circle(size * 0.026, 12, [0.0, 0.0]), |t| {
            0.85 + 0.3 * t
        }));
        if let Some(end) = path.last() {
            ridges.add(sphere(size * 0.036, 0.6).moved(*end));
        }
    }
    (skin, ridges)
}
