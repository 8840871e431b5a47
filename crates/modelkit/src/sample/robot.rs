//! A six-axis industrial arm that picks and places.

use super::model::{Ask, BLUE, GOLD, GREY, INK, Model, PALE, Place};
use super::shape::{Shape, steps};
use super::solids::{curve, cylinder, rounded_box, torus, tube};
use crate::{Result, Scene};

struct Paints {
    body: u32,
    dark: u32,
    joint: u32,
    accent: u32,
    steel: u32,
}

pub fn make(ask: Ask) -> Result<Scene> {
    let detail = ask.detail;
    let mut model = Model::new("机械臂", ask);
    let paints = Paints {
        body: model.paint("月白漆", 0xF1F4FA, 0.1, 0.35),
        dark: model.paint("石墨", INK, 0.5, 0.5),
        joint: model.paint("玄青", BLUE, 0.25, 0.35),
        accent: model.paint("金饰", GOLD, 1.0, 0.3),
        steel: model.paint("钢", GREY, 1.0, 0.32),
    };
    let floor = model.paint("底座", PALE, 0.3, 0.6);

    let plinth = vec![
        (
            rounded_box([0.62, 0.06, 0.62], 0.02, detail).moved([0.0, 0.03, 0.0]),
            floor,
        ),
        (
            cylinder(0.21, 0.1, 0.02, detail * 1.4).moved([0.0, 0.06, 0.0]),
            paints.dark,
        ),
        (bolts(0.25, 8, detail), paints.steel),
    ];
    model.part("基座", plinth, None, Place::at([0.0; 3]));

    let waist = model.part(
        "腰部",
        waist(detail, &paints),
        None,
        Place::at([0.0, 0.16, 0.0]),
    );
    let shoulder = model.part(
        "大臂",
        upper_arm(detail, &paints),
        Some(waist),
        Place::at([0.0, 0.24, 0.0]),
    );
    let elbow = model.part(
        "小臂",
        fore_arm(detail, &paints),
        Some(shoulder),
        Place::at([0.0, 0.62, 0.0]),
    );
    let wrist = model.part(
        "手腕",
        wrist(detail, &paints),
        Some(elbow),
        Place::at([0.56, 0.0, 0.0]),
    );
    let flange = model.part(
        "法兰",
        flange(detail, &paints),
        Some(wrist),
        Place::at([0.12, 0.0, 0.0]),
    );
    let finger = model.mesh(
        "夹爪",
        vec![(finger(detail), paints.dark), (pad(detail), paints.joint)],
    );
    let left = model.node(
        "左爪",
        Some(finger),
        Some(flange),
        Place::at([0.07, 0.0, 0.045]),
    );
    let right_place = Place::at([0.07, 0.0, -0.045]).turned(0, std::f32::consts::PI);
    model.node("右爪", Some(finger), Some(flange), right_place);
    animate(&mut model, [waist, shoulder, elbow, wrist, flange, left]);
    Ok(model.scene)
}

fn animate(model: &mut Model, nodes: [u32; 6]) {
    let [waist, shoulder, elbow, wrist, flange, _] = nodes;
    let times = [0.0, 1.2, 2.0, 3.4, 4.6, 5.4, 6.8, 8.0];
    let tracks = [
        (waist, 1, vec![0.0, -0.7, -0.7, 0.2, 0.95, 0.95, 0.3, 0.0]),
        (
            shoulder,
            2,
            vec![0.2, -0.35, -0.55, 0.15, -0.4, -0.6, 0.1, 0.2],
        ),
        (
            elbow,
            2,
            vec![-0.25, -0.45, -0.6, 0.15, -0.4, -0.55, 0.1, -0.25],
        ),
        (
            wrist,
            2,
            vec![-0.4, -0.7, -0.42, -0.2, -0.75, -0.42, -0.3, -0.4],
        ),
        (flange, 0, vec![0.0, 1.2, 1.2, 0.0, -1.4, -1.4, -0.4, 0.0]),
    ];
    model.turns("取放", &times, &tracks);
    // The rest pose is the clip's first one.
    for (node, axis, angles) in &tracks {
        let rest = super::model::turn(*axis, angles[0]);
        if let Some(node) = model.scene.nodes.get_mut(*node as usize)
            && let crate::scene::Transform::Trs { rotation, .. } = &mut node.transform
        {
            *rotation = rest;
        }
    }
}

fn bolts(radius: f32, count: usize, detail: f32) -> Shape {
    let mut all = Shape::default();
    for i in 0..count {
        let angle = std::f32::consts::TAU * i as f32 / count as f32;
        let at = [radius * angle.cos(), 0.058, -radius * angle.sin()];
        all.add(cylinder(0.014, 0.018, 0.004, detail * 0.4).moved(at));
    }
    all
}

/// A drum along z, the housing of a joint.
fn drum(radius: f32, width: f32, detail: f32) -> Shape {
    cylinder(radius, width, radius * 0.12, detail)
        .turned(0, std::f32::consts::FRAC_PI_2)
        .moved([0.0, 0.0, -width / 2.0])
}

fn waist(detail: f32, p: &Paints) -> Vec<(Shape, u32)> {
    let mut fork = rounded_box([0.2, 0.24, 0.06], 0.025, detail).moved([0.0, 0.17, 0.125]);
    fork.add(rounded_box([0.2, 0.24, 0.06], 0.025, detail).moved([0.0, 0.17, -0.125]));
    vec![
        (cylinder(0.18, 0.09, 0.025, detail * 1.4), p.body),
        (
            torus(0.178, 0.007, detail).moved([0.0, 0.045, 0.0]),
            p.accent,
        ),
        (fork, p.body),
        (drum(0.075, 0.36, detail).moved([0.0, 0.24, 0.0]), p.joint),
    ]
}

/// A limb from the origin upwards, thinner in the middle.
fn limb(length: f32, width: f32, depth: f32, detail: f32) -> Shape {
    rounded_box([width, length, depth], width * 0.42, detail * 1.3)
        .map(|[x, y, z]| {
            let waist = 1.0 - 0.22 * (1.0 - (2.0 * y / length).powi(2)).max(0.0);
            [x * waist, y, z * (waist * 0.5 + 0.5)]
        })
        .moved([0.0, length / 2.0, 0.0])
}

fn upper_arm(detail: f32, p: &Paints) -> Vec<(Shape, u32)> {
    let hose = curve(
        &[
            [-0.06, 0.0, 0.1],
            [-0.13, 0.16, 0.11],
            [-0.12, 0.42, 0.11],
            [-0.05, 0.6, 0.1],
        ],
        steps(detail, 8.0, 3),
    );
    vec![
        (
            limb(0.66, 0.17, 0.15, detail).moved([0.0, -0.02, 0.0]),
            p.body,
        ),
        (drum(0.1, 0.18, detail), p.dark),
        (drum(0.085, 0.24, detail).moved([0.0, 0.62, 0.0]), p.joint),
        (drum(0.045, 0.26, detail).moved([0.0, 0.62, 0.0]), p.accent),
        (tube(&hose, 0.012, detail * 0.7), p.dark),
    ]
}

fn fore_arm(detail: f32, p: &Paints) -> Vec<(Shape, u32)> {
    let arm = limb(0.52, 0.13, 0.12, detail)
        .turned(2, -std::f32::consts::FRAC_PI_2)
        .moved([0.05, 0.03, 0.0]);
    let motor = rounded_box([0.2, 0.13, 0.13], 0.03, detail).moved([-0.1, 0.04, 0.0]);
    let hose = curve(
        &[
            [-0.1, 0.1, 0.03],
            [0.08, 0.17, 0.04],
            [0.32, 0.14, 0.04],
            [0.5, 0.06, 0.03],
        ],
        steps(detail, 8.0, 3),
    );
    vec![
        (arm, p.body),
        (motor, p.dark),
        (tube(&hose, 0.01, detail * 0.7), p.dark),
        (drum(0.062, 0.15, detail).moved([0.56, 0.0, 0.0]), p.joint),
    ]
}

/// A drum along x.
fn plug(radius: f32, length: f32, detail: f32) -> Shape {
    cylinder(radius, length, radius * 0.15, detail).turned(2, -std::f32::consts::FRAC_PI_2)
}

fn wrist(detail: f32, p: &Paints) -> Vec<(Shape, u32)> {
    vec![
        (plug(0.05, 0.1, detail), p.body),
        (
            torus(0.05, 0.005, detail)
                .turned(2, -std::f32::consts::FRAC_PI_2)
                .moved([0.08, 0.0, 0.0]),
            p.accent,
        ),
    ]
}

fn flange(detail: f32, p: &Paints) -> Vec<(Shape, u32)> {
    vec![
        (plug(0.042, 0.03, detail), p.steel),
        (
            rounded_box([0.05, 0.05, 0.15], 0.012, detail).moved([0.05, 0.0, 0.0]),
            p.body,
        ),
    ]
}

fn finger(detail: f32) -> Shape {
    let mut shape = rounded_box([0.09, 0.03, 0.02], 0.006, detail * 0.8).moved([0.04, 0.0, 0.0]);
    shape.add(rounded_box([0.03, 0.035, 0.03], 0.006, detail * 0.8));
    shape
}

fn pad(detail: f32) -> Shape {
    rounded_box([0.04, 0.026, 0.008], 0.003, detail * 0.6).moved([0.062, 0.0, -0.012])
}
