//! A flanged gate valve with its hand wheel.

use super::kit::{circle, collar, loft, plate, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{cylinder, rod, torus};
use crate::{Result, Scene};
use std::f32::consts::{FRAC_PI_2, TAU};

pub const FAMILY: Family = Family {
    name: "valve",
    title: "法兰闸阀",
    params: &[
        size("bore", "通径（毫米）", [15.0, 300.0], 50.0),
        size("length", "结构长度与通径之比", [2.6, 5.0], 3.4),
        size("stem", "阀杆高与通径之比", [1.6, 4.0], 2.2),
        size("wheel", "手轮直径与通径之比", [1.4, 3.6], 2.2),
        count("spokes", "手轮辐条", [3, 6], 4),
        count("holes", "法兰孔数", [4, 12], 4),
        count("tone", "漆色", [0, 3], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [bore, length, stem, wheel, spokes, holes, color] = values(given);
    let d = bore / 1000.0;
    let half = d * length / 2.0;
    let mut model = Model::new("法兰闸阀", ask);
    let coat = model.coat(
        "防腐漆",
        tone([0x2B4C8C, 0x7C2F2A, 0x3E5B4A, 0x565C66], color),
    );
    let steel = model.steel();
    let red = model.coat(
        "手轮漆",
        tone([0xB5312A, 0x22252B, 0xC9A227, 0xB5312A], color),
    );
    let brass = model.brass();

    let thick = d * 0.26;
    let outer = d * 1.2;
    let ring = d * 0.93;
    let bolt_r = (d * 0.09).min(ring * (TAU / 2.0 / holes).sin() * 0.4);
    let spot = |i: usize| {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / holes).sin_cos();
        [ring * cos, ring * sin]
    };
    let mut cuts: Vec<_> = (0..holes as usize)
        .map(|i| circle(bolt_r, 20, spot(i)))
        .collect();
    cuts.push(circle(d * 0.5, 64, [0.0, 0.0]));
    let flange =
        plate(&circle(outer, 80, [0.0, 0.0]), &cuts, thick, thick * 0.1).turned(1, FRAC_PI_2);
    let face = collar(d * 0.5, d * 0.74, 0.0, thick * 0.14, thick * 0.03, 64).turned(2, -FRAC_PI_2);
    // The run: a pipe with the bulge of the gate's chamber.
    let run = [
        [d * 0.5, -half + thick * 0.5],
        [d * 0.66, -half + thick * 0.5],
        [d * 0.64, -half * 0.55],
        [d * 0.78, -half * 0.3],
        [d * 0.78, half * 0.3],
        [d * 0.64, half * 0.55],
        [d * 0.66, half - thick * 0.5],
        [d * 0.5, half - thick * 0.5],
    ];
    let run = super::kit::hoop(&run, d * 0.16, 64).turned(2, -FRAC_PI_2);
    let chamber = loft((0..=10).map(|i| oval(d, i as f32 / 10.0)).collect());
    let lift = outer;
    let level = d * 1.5;
    let bonnet_flange = turning(
        &[
            [0.0, level],
            [d * 0.82, level],
            [d * 0.82, level + d * 0.36],
            [0.0, level + d * 0.36],
        ],
        d * 0.05,
        64,
    );
    let seam = collar(
        d * 0.7,
        d * 0.835,
        level + d * 0.165,
        level + d * 0.195,
        d * 0.01,
        64,
    );
    let dome = turning(
        &[
            [0.0, level + d * 0.3],
            [d * 0.6, level + d * 0.3],
            [d * 0.5, level + d * 0.7],
            [d * 0.28, level + d * 0.95],
            [d * 0.26, level + d * 1.25],
            [d * 0.36, level + d * 1.27],
            [d * 0.36, level + d * 1.42],
            [0.0, level + d * 1.42],
        ],
        d * 0.06,
        64,
    );
    let body = vec![
        (flange.clone().at(half - thick, 0.0, 0.0), coat),
        (flange.at(-half, 0.0, 0.0), coat),
        (face.clone().at(half - thick * 0.05, 0.0, 0.0), steel),
        (
            face.turned(1, FRAC_PI_2 * 2.0)
                .at(-half + thick * 0.05, 0.0, 0.0),
            steel,
        ),
        (run, coat),
        (chamber, coat),
        (bonnet_flange, coat),
        (seam, brass),
        (dome, coat),
    ];
    let root = model.part("阀体", body, None, Place::at([0.0, lift, 0.0]));
    let nut = plate(&circle(d * 0.11, 6, [0.0, 0.0]), &[], d * 0.1, d * 0.012).laid();
    let bolt = model.mesh("螺栓", vec![(nut, steel)]);
    for i in 0..8 {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / 8.0).sin_cos();
        let at = [d * 0.69 * cos, level + d * 0.355, d * 0.69 * sin];
        model.node("螺栓", Some(bolt), Some(root), Place::at(at));
    }
    let high = level + d * 1.2 + d * stem;
    let shaft = cylinder(d * 0.13, d * stem, d * 0.02, 0.9).at(0.0, level + d * 1.3, 0.0);
    let radius = d * wheel / 2.0;
    let rim = torus(radius - d * 0.1, d * 0.1, 1.0).at(0.0, high, 0.0);
    let arm = sagging(radius - d * 0.12, d);
    let hub = turning(
        &[
            [0.0, -d * 0.14],
            [d * 0.24, -d * 0.14],
            [d * 0.24, d * 0.14],
            [0.0, d * 0.14],
        ],
        d * 0.04,
        40,
    );
    let cap = plate(&circle(d * 0.16, 6, [0.0, 0.0]), &[], d * 0.14, d * 0.02).laid();
    let parts = vec![
        (shaft, brass),
        (rim, red),
        (arm.around(spokes as usize).at(0.0, high, 0.0), red),
        (hub.at(0.0, high - d * 0.1, 0.0), red),
        (cap.at(0.0, high + d * 0.02, 0.0), brass),
    ];
    model.part("手轮", parts, Some(root), Place::at([0.0; 3]));
    Ok(model.scene)
}

/// The gate's chamber at a height of 0…1: round below, flat above.
fn oval(d: f32, t: f32) -> Vec<Point> {
    let y = d * (1.55 * t);
    let (wide, deep) = (d * (0.62 + 0.1 * (1.0 - t)), d * (0.5 - 0.06 * t));
    (0..40)
        .map(|i| {
            let (sin, cos) = (TAU * i as f32 / 40.0).sin_cos();
            [deep * cos, y, -wide * sin]
        })
        .collect()
}

fn sagging(radius: f32, d: f32) -> Shape {
    rod([d * 0.1, -d * 0.1, 0.0], [radius, 0.0, 0.0], d * 0.075, 0.8)
}
