//! A ring with a cut stone in claws.

use super::kit::{circle, collar, sweep};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::sphere;
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "ring",
    title: "宝石戒指",
    params: &[
        size("inner", "内径（毫米）", [13.0, 23.0], 17.0),
        size("band", "戒臂宽（毫米）", [1.4, 8.0], 2.6),
        size("stone", "主石直径（毫米）", [2.0, 12.0], 6.5),
        count("claws", "爪数", [3, 8], 6),
        count("side", "每侧副石", [0, 6], 3),
        count("twist", "戒臂绞丝，0 为光面", [0, 24], 0),
        count(
            "tone",
            "配色：0 铂金白钻，1 黄金红宝，2 玫瑰金蓝宝，3 白金祖母绿",
            [0, 3],
            0,
        ),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [inner, band, stone, claws, side, twist, color] = values(given);
    let (r, band, stone) = (inner / 2000.0, band / 1000.0, stone / 2000.0);
    let mut model = Model::new("宝石戒指", ask);
    let gold = model.paint(
        "贵金属",
        tone([0xDADDE1, 0xE0B45A, 0xDFA58C, 0xD3D6DA], color),
        1.0,
        0.14,
    );
    let gem = model.paint(
        "主石",
        tone([0xDCE9F5, 0xB3122E, 0x1E46A8, 0x12804F], color),
        0.35,
        0.04,
    );
    let small = model.paint("副石", 0xE8F0F8, 0.35, 0.04);
    let thick = 0.0009 + band * 0.22;
    let middle = r + thick;
    let mut hoop = Shape::default();
    if twist > 0.0 {
        // Two strands wound about each other.
        for phase in [0.0, TAU / 2.0] {
            let rows: Vec<Vec<Point>> = (0..=360)
                .map(|i| {
                    let a = TAU * i as f32 / 360.0;
                    let (sin, cos) = (a * twist + phase).sin_cos();
                    let (rad, z) = (middle + thick * 0.5 * cos, band * 0.25 * sin);
                    (0..14)
                        .map(|k| {
                            let (s, c) = (TAU * k as f32 / 14.0).sin_cos();
                            let (rr, zz) = (rad + thick * 0.62 * c, z + band * 0.27 * s);
                            [rr * a.sin(), rr * a.cos(), zz]
                        })
                        .collect()
                })
                .collect();
            hoop.add(Shape::rows(&rows, true, [4.0, 40.0]));
        }
    } else {
        let rows: Vec<Vec<Point>> = (0..=180)
            .map(|i| {
                let a = TAU * i as f32 / 180.0;
                // The shank narrows towards the stone.
                let wide = band * 0.5 * (1.0 - 0.22 * ((a.cos() + 1.0) / 2.0).powi(4));
                (0..28)
                    .map(|k| {
                        let (s, c) = (TAU * k as f32 / 28.0).sin_cos();
                        let square = |x: f32| x.signum() * x.abs().powf(0.6);
                        let rr = middle + thick * square(c);
                        [rr * a.sin(), rr * a.cos(), wide * square(s)]
                    })
                    .collect()
            })
            .collect();
        hoop.add(Shape::rows(&rows, true, [4.0, 40.0]));
    }
    let lift = Place::at([0.0, r + 2.0 * thick, 0.0]);
    let root = model.part("戒臂", vec![(hoop, gold)], None, lift);
    let seat = middle + thick * 0.6 + stone * 0.95;
    let mut setting = collar(
        stone * 0.5,
        stone * 0.66,
        -stone * 0.75,
        -stone * 0.62,
        stone * 0.03,
        48,
    );
    setting.add(collar(
        stone * 0.78,
        stone * 0.93,
        -stone * 0.3,
        -stone * 0.18,
        stone * 0.03,
        48,
    ));
    let claw = sweep(
        &[
            [stone * 0.42, -stone * 0.98, 0.0],
            [stone * 0.72, -stone * 0.55, 0.0],
            [stone * 1.0, -stone * 0.1, 0.0],
            [stone * 1.06, stone * 0.16, 0.0],
            [stone * 0.93, stone * 0.26, 0.0],
        ],
        &circle(stone * 0.085, 12, [0.0, 0.0]),
        |_| 1.0,
    );
    setting.add(claw.around(claws as usize));
    setting.add(
        sphere(stone * 0.1, 0.6)
            .at(stone * 0.93, stone * 0.26, 0.0)
            .around(claws as usize),
    );
    model.part(
        "主石镶口",
        vec![(setting, gold), (brilliant(stone, 16), gem)],
        Some(root),
        Place::at([0.0, seat, 0.0]),
    );
    let tiny = (band * 0.36).min(stone * 0.42);
    let mut cups = collar(
        tiny * 0.6,
        tiny * 1.16,
        -tiny * 0.7,
        tiny * 0.06,
        tiny * 0.06,
        32,
    );
    cups.add(
        sphere(tiny * 0.17, 0.5)
            .at(tiny * 1.02, tiny * 0.1, 0.0)
            .around(4),
    );
    let mesh = model.mesh("副石", vec![(cups, gold), (brilliant(tiny, 8), small)]);
    let first = (stone * 1.05 + tiny * 1.4) / middle;
    for i in 0..side as usize {
        for s in [1.0, -1.0] {
            let a = s * (first + i as f32 * tiny * 2.35 / middle);
            let far = middle + thick + tiny * 0.45;
            let place = Place::at([far * a.sin(), far * a.cos(), 0.0]).turned(2, -a);
            model.node("副石", Some(mesh), Some(root), place);
        }
    }
    Ok(model.scene)
}

/// A brilliant cut: table, crown, girdle and pavilion; every facet is flat.
fn brilliant(r: f32, n: usize) -> Shape {
    let row = |rad: f32, y: f32, shift: f32| -> Vec<Point> {
        (0..n)
            .map(|i| {
                let (sin, cos) = (TAU * (i as f32 + shift) / n as f32).sin_cos();
                [rad * cos, y, -rad * sin]
            })
            .collect()
    };
    let rows = vec![
        row(0.0, -r * 0.86, 0.0),
        row(r * 0.45, -r * 0.48, 0.0),
        row(r, -r * 0.03, 0.5),
        row(r, r * 0.03, 0.5),
        row(r * 0.8, r * 0.2, 1.0),
        row(r * 0.56, r * 0.33, 1.5),
        row(0.0, r * 0.33, 1.5),
    ];
    Shape::rows(&rows, true, [1.0, 1.0])
}
