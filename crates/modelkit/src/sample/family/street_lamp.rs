//! A street lamp with curved arms and lanterns.

use super::kit::{circle, plate, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{curve, rod, sphere, torus};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "street-lamp",
    title: "庭院灯与路灯",
    params: &[
        size("height", "高（米）", [2.2, 12.0], 4.0),
        count("arms", "灯头数", [1, 5], 2),
        size("reach", "灯臂挑出（米）", [0.25, 2.5], 0.6),
        count("head", "灯头：0 球形，1 六角宫灯，2 钟形罩", [0, 2], 1),
        size("base", "灯座高与灯高之比", [0.08, 0.3], 0.18),
        count("tone", "漆色", [0, 3], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [height, arms, reach, head, base, color] = values(given);
    let mut model = Model::new("庭院灯", ask);
    let iron = model.paint(
        "铸铁漆",
        tone([0x24302B, 0x26282C, 0x3B2F28, 0x5A6168], color),
        0.5,
        0.45,
    );
    let gold = model.brass();
    let glow = model.glow();
    let r = 0.03 + height * 0.008;
    let foot = height * base;
    let profile = [
        [0.0, 0.0],
        [r * 4.2, 0.0],
        [r * 4.2, foot * 0.08],
        [r * 3.4, foot * 0.16],
        [r * 3.2, foot * 0.5],
        [r * 2.2, foot * 0.68],
        [r * 2.5, foot * 0.75],
        [r * 1.6, foot * 0.86],
        [r * 1.5, foot],
        [r, height * 0.86],
        [r * 1.7, height * 0.865],
        [r * 1.7, height * 0.88],
        [r * 0.8, height * 0.9],
        [r * 0.7, height * 0.99],
        [0.0, height],
    ];
    let mut pole = turning(&profile, r * 0.25, 48);
    let flute = rod(
        [r * 3.25, foot * 0.18, 0.0],
        [r * 3.15, foot * 0.48, 0.0],
        r * 0.22,
        0.7,
    );
    pole.add(flute.around(12));
    let mut trim = torus(r * 1.75, r * 0.22, 0.8).at(0.0, height * 0.872, 0.0);
    trim.add(torus(r * 2.4, r * 0.25, 0.8).at(0.0, foot * 0.75, 0.0));
    trim.add(sphere(r * 0.8, 0.8).at(0.0, height * 0.995, 0.0));
    for i in 0..4 {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / 4.0).sin_cos();
        let nut = plate(&circle(r * 0.4, 6, [0.0, 0.0]), &[], r * 0.5, r * 0.06).laid();
        trim.add(nut.at(r * 3.75 * cos, foot * 0.08, r * 3.75 * sin));
    }
    model.part(
        "灯杆",
        vec![(pole, iron), (trim, gold)],
        None,
        Place::at([0.0; 3]),
    );

    let size = 0.13 + reach * 0.1;
    let (lamp, light) = lantern(head, size);
    let top = height * 0.9;
    let mut arm = sweep(
        &curve(
            &[
                [0.0, top - reach * 0.35, 0.0],
                [reach * 0.35, top - reach * 0.1, 0.0],
                [reach * 0.7, top + reach * 0.22, 0.0],
                [reach, top + reach * 0.1, 0.0],
                [reach, top - 0.02, 0.0],
            ],
            9,
        ),
        &circle(r * 0.55, 14, [0.0, 0.0]),
        |t| 1.0 - 0.3 * t,
    );
    let scroll: Vec<_> = (0..=36)
        .map(|i| {
            let t = i as f32 / 36.0;
            let (sin, cos) = (t * 8.5 + 0.6).sin_cos();
            let r = reach * 0.17 * (1.0 - 0.7 * t);
            [reach * 0.3 + r * cos, top + reach * 0.12 + r * sin, 0.0]
        })
        .collect();
    arm.add(sweep(&scroll, &circle(r * 0.3, 10, [0.0, 0.0]), |_| 1.0));
    let drop = top - 0.01;
    let mesh = model.mesh(
        "灯臂与灯头",
        vec![
            (arm, iron),
            (lamp.at(reach, drop, 0.0), iron),
            (light.at(reach, drop, 0.0), glow),
        ],
    );
    for i in 0..arms as usize {
        let turn = TAU * i as f32 / arms;
        model.node(
            &format!("灯 {}", i + 1),
            Some(mesh),
            None,
            Place::at([0.0; 3]).turned(1, turn),
        );
    }
    Ok(model.scene)
}

/// Metal and light below the origin.
fn lantern(kind: f32, s: f32) -> (Shape, Shape) {
    let cap = turning(
        &[
            [0.0, -s * 0.5],
            [s * 0.5, -s * 0.5],
            [s * 0.45, -s * 0.3],
            [s * 0.14, -s * 0.1],
            [s * 0.12, s * 0.1],
            [0.0, s * 0.1],
        ],
        s * 0.05,
        40,
    );
    match kind as u8 {
        0 => (cap, sphere(s * 0.92, 1.0).at(0.0, -s * 1.3, 0.0)),
        1 => {
            let six = |r: f32, low: f32, high: f32| {
                plate(&circle(r, 6, [0.0, 0.0]), &[], high - low, s * 0.04)
                    .laid()
                    .at(0.0, low, 0.0)
            };
            let mut frame = cap;
            frame.add(turning(
                &[
                    [0.0, -s * 0.62],
                    [s * 1.15, -s * 0.62],
                    [s * 1.1, -s * 0.55],
                    [s * 0.5, -s * 0.32],
                    [0.0, -s * 0.3],
                ],
                s * 0.03,
                6,
            ));
            frame.add(six(s * 0.6, -s * 2.06, -s * 1.9));
            frame.add(
                rod(
                    [s * 0.85, -s * 0.6, 0.0],
                    [s * 0.56, -s * 1.95, 0.0],
                    s * 0.05,
                    0.6,
                )
                .around(6),
            );
            frame.add(turning(
                &[
                    [0.0, -s * 2.3],
                    [s * 0.12, -s * 2.2],
                    [s * 0.2, -s * 2.05],
                    [0.0, -s * 2.0],
                ],
                s * 0.03,
                24,
            ));
            let light = Shape::lathe(
                &[
                    [0.0, -s * 1.92],
                    [s * 0.52, -s * 1.92],
                    [s * 0.8, -s * 0.6],
                    [0.0, -s * 0.6],
                ],
                6,
            );
            (frame, light)
        }
        _ => {
            let outer = [
                [s * 1.05, -s * 1.5],
                [s, -s * 1.2],
                [s * 0.72, -s * 0.75],
                [s * 0.3, -s * 0.45],
            ];
            let mut section: Vec<[f32; 2]> = curve(&outer, 6);
            section.extend(
                curve(&outer, 6)
                    .iter()
                    .rev()
                    .map(|p| [p[0] - s * 0.04, p[1] - s * 0.02]),
            );
            let mut bell = super::kit::hoop(&section, s * 0.004, 56);
            bell.add(cap);
            bell.add(torus(s * 1.04, s * 0.035, 0.9).at(0.0, -s * 1.5, 0.0));
            (bell, sphere(s * 0.42, 0.9).at(0.0, -s * 1.05, 0.0))
        }
    }
}
