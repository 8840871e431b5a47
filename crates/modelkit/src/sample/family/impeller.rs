//! A centrifugal impeller that turns.

use super::kit::{collar, loft, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place, steady};
use crate::sample::shape::Point;
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "impeller",
    title: "离心叶轮（转动动画）",
    params: &[
        size("diameter", "外径（毫米）", [60.0, 800.0], 200.0),
        count("blades", "主叶片", [5, 14], 7),
        count("splitters", "分流叶片：0 无，1 有", [0, 1], 1),
        size("sweep", "后弯角（度）", [10.0, 90.0], 50.0),
        size("height", "高与外径之比", [0.2, 0.5], 0.34),
        count("tone", "材料：0 铝，1 青铜，2 不锈钢", [0, 2], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [diameter, blades, splitters, sweep, height, kind] = values(given);
    let r = diameter / 2000.0;
    let h = r * 2.0 * height;
    let mut model = Model::new("离心叶轮", ask);
    let metal = model.paint(
        "叶轮",
        tone([0xC3CAD3, 0xB98545, 0xD6D9DD], kind),
        1.0,
        0.28,
    );
    let dark = model.paint("轴套", 0x3A3F47, 1.0, 0.35);
    // The hub's curve from the axial inlet to the radial outlet.
    let hub = |t: f32| -> [f32; 2] {
        let eye = r * 0.2;
        [
            eye + (r - eye) * t.powf(1.9),
            h * 0.97 * (1.0 - t).powf(1.7) + r * 0.05,
        ]
    };
    let mut profile = vec![[0.0, 0.0], [r, 0.0], [r, r * 0.05]];
    profile.extend((0..28).rev().map(|i| hub(i as f32 / 28.0)));
    profile.push([0.0, h * 0.97 + r * 0.05]);
    let disc = turning(&profile, r * 0.012, 120);
    let rotor = model.part(
        "叶轮",
        vec![(disc, metal)],
        None,
        Place::at([0.0, r * 0.12, 0.0]),
    );
    let blade = |from: f32| {
        let mut sections = Vec::new();
        for i in 0..=22 {
            let t = from + (0.995 - from) * i as f32 / 22.0;
            let foot = hub(t);
            let tall = h * 0.46 * (1.0 - t) + r * 0.085;
            let turn = -sweep.to_radians() * t * 1.6;
            // The blade leans from the axis outwards as the flow turns.
            let (out, up) = ((1.0 - t).powf(1.2), t.powf(0.7));
            let thick = r * 0.011 * (1.0 + 0.9 * (3.1 * t).sin().max(0.0));
            let mut section: Vec<Point> = Vec::new();
            for (edge, side) in [
                (0.0, -1.0),
                (0.5, -0.85),
                (1.0, -0.55),
                (1.0, 0.55),
                (0.5, 0.85),
                (0.0, 1.0),
            ] {
                let rad = foot[0] - r * 0.01 + edge * tall * out * 0.9;
                let y = foot[1] - r * 0.015 + edge * tall * up.max(0.25);
                let angle = turn + side * thick / rad.max(r * 0.1) + 0.18 * edge * (1.0 - t);
                section.push([rad * angle.cos(), y, -rad * angle.sin()]);
            }
            section.reverse();
            sections.push(section);
        }
        loft(sections)
    };
    let main = model.mesh("主叶片", vec![(blade(0.02), metal)]);
    let small = model.mesh("分流叶片", vec![(blade(0.38), metal)]);
    let step = std::f32::consts::TAU / blades;
    for i in 0..blades as usize {
        let place = |turn: f32| Place::at([0.0; 3]).turned(1, turn);
        model.node("主叶片", Some(main), Some(rotor), place(step * i as f32));
        if splitters > 0.0 {
            model.node(
                "分流叶片",
                Some(small),
                Some(rotor),
                place(step * (i as f32 + 0.5)),
            );
        }
    }
    let sleeve = collar(
        r * 0.09,
        r * 0.15,
        h * 0.9,
        h * 1.06 + r * 0.05,
        r * 0.015,
        56,
    );
    let seal = collar(r * 0.09, r * 0.4, -r * 0.12, r * 0.01, r * 0.02, 72);
    model.part(
        "轴套",
        vec![(sleeve, dark), (seal, dark)],
        Some(rotor),
        Place::at([0.0; 3]),
    );
    let (times, angles) = steady(4.0, 24, 3.0, 0.0);
    model.turns("转动", &times, &[(rotor, 1, angles)]);
    Ok(model.scene)
}
