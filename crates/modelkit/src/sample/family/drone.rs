//! A multirotor with turning propellers.

use super::kit::{airfoil, block, circle, collar, loft, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place, steady};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{curve, rod, rounded_box, sphere};
use crate::{Result, Scene};
use std::f32::consts::{FRAC_PI_2, TAU};

pub const FAMILY: Family = Family {
    name: "drone",
    title: "多旋翼无人机（转动动画）",
    params: &[
        count("arms", "旋翼数", [3, 8], 4),
        size("span", "轴距（米）", [0.2, 1.6], 0.45),
        size("prop", "桨径与轴距之比", [0.25, 0.6], 0.5),
        count("blades", "每桨叶片", [2, 4], 2),
        size("legs", "起落架高与轴距之比", [0.1, 0.5], 0.24),
        count("tone", "机身颜色", [0, 3], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [arms, span, prop, blades, legs, color] = values(given);
    let prop = prop.min(0.94 * (TAU / 2.0 / arms).sin());
    let mut model = Model::new("多旋翼无人机", ask);
    let shell = model.coat(
        "机壳",
        tone([0xEDEFF2, 0x33373D, 0xD8582A, 0xC7CDD4], color),
    );
    let carbon = model.paint("碳纤", 0x23262B, 0.3, 0.45);
    let metal = model.paint(
        "电机",
        tone([0xC0453A, 0xC79A3E, 0x2E3238, 0x2F6FB5], color),
        0.9,
        0.3,
    );
    let lens = model.pane();
    let glow = model.glow();
    let r = span / 2.0;
    let high = span * legs + r * 0.1;
    let root = model.node("无人机", None, None, Place::at([0.0, high, 0.0]));
    let egg = |s: Shape| {
        s.map(|[x, y, z]| {
            [
                x * (1.0 - 0.25 * (z / (r * 0.45))),
                y * (1.0 - 0.2 * (z / (r * 0.45)).powi(2)),
                z,
            ]
        })
    };
    let body = egg(rounded_box([r * 0.56, r * 0.26, r * 0.9], r * 0.12, 1.6));
    let deck =
        egg(rounded_box([r * 0.4, r * 0.1, r * 0.6], r * 0.045, 1.2)).at(0.0, r * 0.14, -r * 0.05);
    let seam = egg(rounded_box([r * 0.575, r * 0.02, r * 0.91], r * 0.009, 1.2));
    let mast = turning(
        &[
            [0.0, 0.0],
            [r * 0.05, 0.0],
            [r * 0.05, r * 0.08],
            [r * 0.12, r * 0.1],
            [r * 0.12, r * 0.13],
            [0.0, r * 0.14],
        ],
        r * 0.01,
        32,
    );
    let parts = vec![
        (body, shell),
        (deck, carbon),
        (seam, carbon),
        (mast.at(0.0, r * 0.18, -r * 0.2), shell),
    ];
    model.part("机身", parts, Some(root), Place::at([0.0; 3]));
    let camera = vec![
        (
            rounded_box([r * 0.18, r * 0.17, r * 0.2], r * 0.05, 1.0),
            carbon,
        ),
        (
            collar(r * 0.045, r * 0.075, 0.0, r * 0.06, r * 0.008, 32)
                .turned(0, FRAC_PI_2)
                .at(0.0, 0.0, r * 0.09),
            metal,
        ),
        (sphere(r * 0.056, 0.8).at(0.0, 0.0, r * 0.1), lens),
        (
            block(
                [r * 0.04, r * 0.16, r * 0.05],
                r * 0.01,
                [r * 0.12, r * 0.05, 0.0],
            )
            .both_sides(),
            metal,
        ),
    ];
    model.part(
        "云台相机",
        camera,
        Some(root),
        Place::at([0.0, -r * 0.2, r * 0.34]),
    );

    let reach = r - r * 0.06;
    let arm = sweep(
        &curve(
            &[
                [r * 0.16, 0.0, 0.0],
                [r * 0.5, r * 0.035, 0.0],
                [reach, r * 0.05, 0.0],
            ],
            8,
        ),
        &circle(r * 0.05, 16, [0.0, 0.0]),
        |t| 1.15 - 0.4 * t,
    );
    let can = turning(
        &[
            [0.0, -r * 0.03],
            [r * 0.09, -r * 0.03],
            [r * 0.09, r * 0.09],
            [0.0, r * 0.09],
        ],
        r * 0.012,
        36,
    )
    .at(r, r * 0.03, 0.0);
    let bell = turning(
        &[
            [0.0, 0.0],
            [r * 0.082, 0.0],
            [r * 0.075, r * 0.07],
            [r * 0.03, r * 0.085],
            [0.0, r * 0.085],
        ],
        r * 0.01,
        36,
    )
    .at(r, r * 0.115, 0.0);
    let light = sphere(r * 0.022, 0.6).at(r * 1.08, r * 0.0, 0.0);
    let arm = model.mesh(
        "机臂",
        vec![(arm, carbon), (can, carbon), (bell, metal), (light, glow)],
    );
    let tip = span * prop / 2.0;
    let blade = blade(tip, r * 0.028);
    let hub = turning(
        &[
            [0.0, 0.0],
            [r * 0.035, 0.0],
            [r * 0.035, r * 0.03],
            [0.0, r * 0.05],
        ],
        r * 0.008,
        24,
    );
    let whole = model.mesh(
        "桨",
        vec![
            (blade.around(blades as usize), carbon),
            (hub.at(0.0, -r * 0.015, 0.0), metal),
        ],
    );
    let mut tracks = Vec::new();
    let mut times = Vec::new();
    for i in 0..arms as usize {
        let turn = TAU * (i as f32 + 0.5) / arms;
        model.node(
            &format!("机臂 {}", i + 1),
            Some(arm),
            Some(root),
            Place::at([0.0; 3]).turned(1, turn),
        );
        let at = [r * turn.cos(), r * 0.21, -r * turn.sin()];
        let start = 0.7 * i as f32;
        let node = model.node(
            &format!("桨 {}", i + 1),
            Some(whole),
            Some(root),
            Place::at(at).turned(1, start),
        );
        // Neighbours turn against each other.
        let (t, angles) = steady(2.0, 48, if i % 2 == 0 { 6.0 } else { -6.0 }, start);
        times = t;
        tracks.push((node, 1, angles));
    }
    model.turns("飞行", &times, &tracks);
    let mut skids = Shape::default();
    let drop = -span * legs;
    for z in [-r * 0.24, r * 0.2] {
        skids.add(rod(
            [r * 0.2, -r * 0.05, z],
            [r * 0.36, drop, z * 1.25],
            r * 0.024,
            0.9,
        ));
    }
    let bar = curve(
        &[
            [r * 0.36, drop + r * 0.05, -r * 0.58],
            [r * 0.36, drop, -r * 0.45],
            [r * 0.36, drop, r * 0.4],
            [r * 0.36, drop + r * 0.05, r * 0.54],
        ],
        6,
    );
    skids.add(sweep(&bar, &circle(r * 0.026, 14, [0.0, 0.0]), |_| 1.0));
    model.part(
        "起落架",
        vec![(skids.both_sides(), carbon)],
        Some(root),
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}

fn blade(tip: f32, thick: f32) -> Shape {
    let sections = (0..=14).map(|i| {
        let t = i as f32 / 14.0;
        let chord = tip * (0.1 + 0.12 * (t * 2.6).sin().max(0.0)) * (1.0 - t.powi(6) * 0.8);
        let (sin, cos) = (0.5 * (1.0 - t) + 0.1f32).sin_cos();
        let wing = airfoil(chord, 0.12, 7);
        let x = thick + (tip - thick) * t;
        wing.iter()
            .map(|p| [x, p[1] * cos + p[0] * sin, -(p[0] * cos - p[1] * sin)])
            .collect::<Vec<Point>>()
    });
    loft(sections.collect())
}
