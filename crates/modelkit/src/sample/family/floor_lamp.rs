//! A floor lamp with a pleated shade on a tripod or a round foot.

use super::kit::{circle, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{rod, sphere, torus};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "floor-lamp",
    title: "落地灯",
    params: &[
        size("height", "高（米）", [0.4, 2.0], 1.55),
        size("shade", "灯罩直径（米）", [0.18, 0.7], 0.42),
        size("slope", "灯罩上口与下口之比", [0.3, 1.0], 0.7),
        count("pleats", "灯罩褶数，0 为光面", [0, 60], 36),
        count("legs", "支脚数，0 为圆盘底座", [0, 5], 3),
        count("tone", "配色", [0, 3], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [height, shade, slope, pleats, legs, color] = values(given);
    let mut model = Model::new("落地灯", ask);
    let cloth = model.mottled(
        "灯罩布",
        tone([0xEDE2CC, 0xC98F6B, 0x9DB0A8, 0xF2F0EA], color),
        0.08,
        0.95,
    )?;
    let metal = model.paint(
        "灯杆",
        tone([0xB98B3E, 0x26282C, 0xC4C7CC, 0xB98B3E], color),
        1.0,
        0.3,
    );
    let wood = model.wood(tone([1, 0, 1, 2], color) as f32)?;
    let glow = model.glow();

    let r = shade / 2.0;
    let tall = r * 1.25;
    let low = height - tall;
    model.part(
        "灯罩",
        vec![(skin(r, slope, tall, pleats).at(0.0, low, 0.0), cloth)],
        None,
        Place::at([0.0; 3]),
    );
    let mut rims = torus(r * 0.995, 0.004, 0.9).at(0.0, low, 0.0);
    rims.add(torus(r * slope * 0.995, 0.004, 0.9).at(0.0, height, 0.0));
    for i in 0..3 {
        let (sin, cos) = (TAU * i as f32 / 3.0).sin_cos();
        let reach = r * slope;
        rims.add(rod(
            [0.0, height - 0.02, 0.0],
            [reach * cos, height, reach * sin],
            0.0025,
            0.6,
        ));
    }
    let stem_low = if legs > 0.0 { low * 0.62 } else { 0.02 };
    rims.add(rod(
        [0.0, stem_low, 0.0],
        [0.0, height - 0.015, 0.0],
        0.009,
        1.0,
    ));
    let finial = [
        [0.0, -0.02],
        [0.012, -0.015],
        [0.006, 0.0],
        [0.013, 0.014],
        [0.0, 0.028],
    ];
    rims.add(turning(&finial, 0.004, 28).at(0.0, height + 0.005, 0.0));
    let socket = [
        [0.0, 0.0],
        [0.02, 0.0],
        [0.024, 0.05],
        [0.015, 0.075],
        [0.0, 0.075],
    ];
    rims.add(turning(&socket, 0.004, 36).at(0.0, low + tall * 0.2, 0.0));
    let bulb = sphere(0.034, 0.9).at(0.0, low + tall * 0.2 + 0.105, 0.0);
    model.part("灯泡", vec![(bulb, glow)], None, Place::at([0.0; 3]));
    if legs > 0.0 {
        let spread = low * 0.42;
        let leg = sweep(
            &[
                [0.03, stem_low, 0.0],
                [0.03 + spread * 0.5, stem_low * 0.5, 0.0],
                [0.03 + spread, 0.012, 0.0],
            ],
            &circle(0.016, 18, [0.0, 0.0]),
            |t| 1.0 - 0.35 * t,
        );
        let feet = sphere(0.012, 0.7)
            .at(0.03 + spread, 0.012, 0.0)
            .around(legs as usize);
        model.part(
            "支脚",
            vec![(leg.around(legs as usize).boxed(0.5), wood)],
            None,
            Place::at([0.0; 3]),
        );
        rims.add(feet);
        let hub = [
            [0.0, -0.05],
            [0.03, -0.045],
            [0.042, 0.0],
            [0.03, 0.045],
            [0.0, 0.05],
        ];
        rims.add(turning(&hub, 0.012, 40).at(0.0, stem_low, 0.0));
    } else {
        let foot = r * 0.72;
        let disc = [
            [0.0, 0.0],
            [foot, 0.0],
            [foot, 0.018],
            [foot * 0.25, 0.03],
            [0.0, 0.034],
        ];
        rims.add(turning(&disc, 0.008, 80));
    }
    model.part("灯架", vec![(rims, metal)], None, Place::at([0.0; 3]));
    Ok(model.scene)
}

/// A thin skin with pleats, closed along its rims.
fn skin(r: f32, slope: f32, tall: f32, pleats: f32) -> Shape {
    let around = if pleats > 0.0 {
        pleats as usize * 6
    } else {
        96
    };
    let ring = |t: f32, inset: f32| -> Vec<Point> {
        (0..around)
            .map(|i| {
                let angle = TAU * i as f32 / around as f32;
                let wave = if pleats > 0.0 {
                    (angle * pleats).cos() * r * 0.014
                } else {
                    0.0
                };
                let radius = r * (1.0 + (slope - 1.0) * t) + wave - inset;
                [radius * angle.cos(), tall * t, -radius * angle.sin()]
            })
            .collect()
    };
    let mut rows: Vec<_> = (0..=8).map(|j| ring(j as f32 / 8.0, 0.0)).collect();
    rows.extend((0..=8).rev().map(|j| ring(j as f32 / 8.0, 0.003)));
    rows.push(ring(0.0, 0.0));
    Shape::rows(&rows, true, [6.0, 4.0])
}
