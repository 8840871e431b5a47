//! A wooden chair with a slatted back and an upholstered seat.

use super::kit::{block, plank, sweep};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::curve;
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "chair",
    title: "木椅",
    params: &[
        size("width", "座宽（米）", [0.38, 0.7], 0.46),
        size("back", "椅背高（米）", [0.25, 0.8], 0.45),
        count("slats", "靠背竖条", [2, 12], 5),
        size("splay", "椅腿外撇（度）", [0.0, 14.0], 5.0),
        count("arms", "扶手：0 无，1 有", [0, 1], 0),
        count(
            "wood",
            "木材：0 橡木，1 胡桃，2 樱桃，3 松木，4 乌木",
            [0, 4],
            0,
        ),
        count("tone", "坐垫颜色", [0, 3], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [width, back, slats, splay, arms, wood, color] = values(given);
    let (depth, seat) = (0.43, 0.44);
    let mut model = Model::new("木椅", ask);
    let wood = model.wood(wood)?;
    let cloth = model.mottled(
        "布面",
        tone([0x5E6B7A, 0x8A4B3C, 0x4F6B57, 0xC8BBA5], color),
        0.18,
        0.95,
    )?;
    let pad = model.paint("脚垫", 0x2A2A2C, 0.0, 0.8);

    let lean = splay.to_radians().tan() * seat;
    let (x, z) = (width / 2.0 - 0.03, depth / 2.0 - 0.03);
    let mut frame = Shape::default();
    let mut feet = Shape::default();
    for (sx, sz) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let foot = [sx * (x + lean), 0.006, sz * (z + lean * 0.7)];
        frame.add(leg(foot, [sx * x, seat - 0.02, sz * z], 0.021));
        feet.add(block(
            [0.026, 0.012, 0.026],
            0.004,
            [foot[0], 0.006, foot[2]],
        ));
    }
    let rail = |size, at| plank(size, 0.006, at, 0.5);
    for side in [1.0, -1.0] {
        frame.add(rail(
            [width - 0.08, 0.055, 0.022],
            [0.0, seat - 0.05, side * z],
        ));
        frame.add(rail(
            [0.022, 0.055, depth - 0.08],
            [side * x, seat - 0.05, 0.0],
        ));
        let low = 1.0 - 0.16 / seat;
        let at = side * (x + lean * low);
        frame.add(rail(
            [0.018, 0.03, depth - 0.06 + 1.4 * lean * low],
            [at, 0.16, 0.0],
        ));
    }
    let low = 1.0 - 0.2 / seat;
    frame.add(rail(
        [width - 0.06 + 2.0 * lean * low, 0.026, 0.018],
        [0.0, 0.19, 0.0],
    ));
    frame.add(plank([width, 0.024, depth], 0.01, [0.0, seat, 0.0], 0.5));
    // The back leans and is slightly curved.
    let post = |px: f32| {
        let line = [
            [px, seat - 0.02, -z],
            [px, seat + back * 0.4, -z - 0.02],
            [px, seat + back * 1.05, -z - 0.1],
        ];
        sweep(&curve(&line, 8), &oval(0.017, 0.021), |t| 1.0 - 0.2 * t).boxed(0.5)
    };
    frame.add(post(x));
    frame.add(post(-x));
    let bow = |y: f32, z0: f32, tall: f32| {
        let line = [
            [-x, y, z0],
            [-x * 0.5, y, z0 - 0.018],
            [0.0, y, z0 - 0.024],
            [x * 0.5, y, z0 - 0.018],
            [x, y, z0],
        ];
        let profile = [
            [-0.011, -tall],
            [0.011, -tall],
            [0.011, tall],
            [-0.011, tall],
        ];
        sweep(
            &curve(&line, 6),
            &super::kit::soften(&profile, 0.007, 3, true),
            |_| 1.0,
        )
        .boxed(0.5)
    };
    frame.add(bow(seat + back, -z - 0.09, 0.042));
    frame.add(bow(seat + back * 0.22, -z - 0.006, 0.02));
    for i in 0..slats as usize {
        let t = (i as f32 + 1.0) / (slats + 1.0) * 2.0 - 1.0;
        let bend = 0.024 * (1.0 - t * t);
        let line = [
            [t * x, seat + back * 0.22, -z - 0.006 - bend],
            [t * x, seat + back * 0.6, -z - 0.034 - bend],
            [t * x, seat + back * 0.98, -z - 0.09 - bend],
        ];
        let wide = (width * 0.32 / (slats + 1.0)).min(0.024);
        frame.add(sweep(&curve(&line, 6), &oval(wide, 0.007), |_| 1.0).boxed(0.5));
    }
    if arms > 0.0 {
        for side in [1.0f32, -1.0] {
            let ax = side * (x + 0.012);
            let line = [
                [ax, seat + 0.21, -z - 0.03],
                [ax + side * 0.012, seat + 0.215, 0.0],
                [ax, seat + 0.2, z + 0.02],
            ];
            frame.add(sweep(&curve(&line, 8), &oval(0.026, 0.012), |_| 1.0).boxed(0.5));
            frame.add(leg(
                [side * x, seat - 0.01, z - 0.02],
                [ax, seat + 0.2, z - 0.02],
                0.015,
            ));
        }
    }
    let cushion =
        crate::sample::solids::rounded_box([width - 0.03, 0.05, depth - 0.03], 0.022, 1.0)
            .boxed(0.2)
            .at(0.0, seat + 0.03, 0.005);
    model.part("椅架", vec![(frame, wood)], None, Place::at([0.0; 3]));
    model.part("坐垫", vec![(cushion, cloth)], None, Place::at([0.0; 3]));
    model.part("脚垫", vec![(feet, pad)], None, Place::at([0.0; 3]));
    Ok(model.scene)
}

fn oval(a: f32, b: f32) -> Vec<[f32; 2]> {
    super::kit::circle(1.0, 16, [0.0, 0.0])
        .iter()
        .map(|p| [p[0] * a, p[1] * b])
        .collect()
}

/// A leg, thinner at its foot.
fn leg(from: [f32; 3], to: [f32; 3], radius: f32) -> Shape {
    let path: Vec<_> = (0..=5)
        .map(|i| [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * i as f32 / 5.0))
        .collect();
    sweep(&path, &oval(radius, radius), |t| 0.68 + 0.32 * t).boxed(0.5)
}
