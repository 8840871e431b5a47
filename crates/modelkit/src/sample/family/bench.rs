//! A park bench with cast sides and wooden slats.

use super::kit::{block, circle, plank, plate, sweep};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::curve;
use crate::{Result, Scene};
use std::f32::consts::FRAC_PI_2;

pub const FAMILY: Family = Family {
    name: "bench",
    title: "公园长椅",
    params: &[
        size("length", "长（米）", [0.8, 3.6], 1.6),
        count("seat", "座面木条", [3, 9], 5),
        count("back", "靠背木条，0 为无靠背", [0, 6], 3),
        size("lean", "靠背后仰（度）", [0.0, 25.0], 14.0),
        count("supports", "支架数", [2, 5], 2),
        count("arms", "扶手：0 无，1 有", [0, 1], 1),
        count("wood", "木材", [0, 4], 2),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [length, seat, back, lean, supports, arms, kind] = values(given);
    let mut model = Model::new("公园长椅", ask);
    let wood = model.wood(kind)?;
    let iron = model.paint(
        "铸铁",
        tone([0x2D3A33, 0x24272B, 0x2A2E34, 0x31443A, 0x3A3D42], kind),
        0.6,
        0.5,
    );
    let zinc = model.steel();
    let (deep, high) = (0.44, 0.43);
    let lean = lean.to_radians();
    let mut slats = Shape::default();
    let mut screws = Shape::default();
    let ends: Vec<f32> = (0..supports as usize)
        .map(|i| (i as f32 / (supports - 1.0) - 0.5) * (length - 0.3))
        .collect();
    let wide = deep / seat - 0.014;
    let screw = |x: f32, y: f32, z: f32, tilt: f32| {
        super::kit::turning(
            &[[0.0, 0.0], [0.009, 0.0], [0.007, 0.005], [0.0, 0.006]],
            0.002,
            14,
        )
        .turned(0, tilt)
        .at(x, y, z)
    };
    for i in 0..seat as usize {
        let t = (i as f32 + 0.5) / seat;
        let (z, y) = (
            deep / 2.0 - deep * t,
            high - 0.03 * (std::f32::consts::PI * t).sin(),
        );
        slats.add(plank([length, 0.032, wide], 0.008, [0.0, y, z], 0.8));
        for x in &ends {
            screws.add(screw(*x, y + 0.016, z, 0.0));
        }
    }
    let rear = -deep / 2.0 - 0.015;
    for i in 0..back as usize {
        let up = 0.11 + 0.12 * i as f32;
        let (z, y) = (rear - up * lean.sin(), high + up * lean.cos());
        slats.add(
            plank([length, 0.095, 0.03], 0.008, [0.0; 3], 0.8)
                .turned(0, -lean)
                .at(0.0, y, z),
        );
        for x in &ends {
            screws.add(screw(*x, y, z + 0.016, FRAC_PI_2 - lean));
        }
    }
    model.part(
        "木条",
        vec![(slats, wood), (screws, zinc)],
        None,
        Place::at([0.0; 3]),
    );

    let bar =
        |points: &[[f32; 3]], r: f32| sweep(&curve(points, 8), &circle(r, 12, [0.0, 0.0]), |_| 1.0);
    let mut side = Shape::default();
    side.add(bar(
        &[[0.0, 0.01, 0.26], [0.0, 0.2, 0.17], [0.0, high - 0.04, 0.2]],
        0.02,
    ));
    side.add(bar(
        &[
            [0.0, 0.01, -0.3],
            [0.0, 0.2, -0.2],
            [0.0, high - 0.04, -0.21],
        ],
        0.02,
    ));
    side.add(bar(
        &[
            [0.0, high - 0.035, 0.22],
            [0.0, high - 0.06, 0.0],
            [0.0, high - 0.035, -0.235],
        ],
        0.018,
    ));
    side.add(bar(
        &[[0.0, 0.16, 0.18], [0.0, 0.24, 0.0], [0.0, 0.16, -0.2]],
        0.012,
    ));
    // A scroll fills the side.
    let scroll: Vec<_> = (0..=40)
        .map(|i| {
            let t = i as f32 / 40.0;
            let (sin, cos) = (t * 9.5).sin_cos();
            let r = 0.085 * (1.0 - 0.75 * t);
            [0.0, 0.3 + r * sin, r * cos]
        })
        .collect();
    side.add(sweep(&scroll, &circle(0.009, 10, [0.0, 0.0]), |_| 1.0));
    if back > 0.0 {
        let up = 0.12 * back + 0.06;
        let tip = [0.0, high + up * lean.cos(), rear - 0.025 - up * lean.sin()];
        side.add(bar(
            &[
                [0.0, high - 0.04, -0.215],
                [0.0, high + 0.05, rear - 0.03],
                tip,
            ],
            0.017,
        ));
        side.add(crate::sample::solids::sphere(0.025, 0.6).moved(tip));
    }
    if arms > 0.0 {
        side.add(bar(
            &[
                [0.0, high - 0.04, 0.2],
                [0.0, high + 0.12, 0.235],
                [0.0, high + 0.2, 0.16],
                [0.0, high + 0.2, -0.1],
                [0.0, high + 0.19, -0.26],
            ],
            0.017,
        ));
    }
    for z in [0.26, -0.3] {
        side.add(block([0.07, 0.02, 0.1], 0.007, [0.0, 0.01, z]));
    }
    let boss = plate(&circle(0.03, 24, [0.0, 0.0]), &[], 0.05, 0.01)
        .turned(1, FRAC_PI_2)
        .at(-0.025, 0.3, 0.0);
    side.add(boss);
    let mesh = model.mesh("支架", vec![(side, iron)]);
    for x in ends {
        model.node("支架", Some(mesh), None, Place::at([x, 0.0, 0.0]));
    }
    Ok(model.scene)
}
