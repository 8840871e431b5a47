//! A double helix in ball-and-stick style: few meshes, very many nodes.

use super::model::{Ask, BLUE, GOLD, INK, Model, PALE, Place, TEAL};
use super::noise::Dice;
use super::solids::{cylinder, rod, rounded_box, sphere, torus};
use crate::{Result, Scene};
use std::f32::consts::TAU;

const PAIRS: usize = 24;
/// Angle and rise of one base pair; radius of the backbone (tenths of nanometres).
const TWIST: f32 = TAU / 10.5;
const RISE: f32 = 3.4;
const RADIUS: f32 = 9.2;

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("双螺旋分子", ask);
    let mut dice = Dice::new(seed);
    let colors = [
        ("磷", GOLD),
        ("糖", PALE),
        ("腺嘌呤", BLUE),
        ("胸腺嘧啶", TEAL),
        ("鸟嘌呤", 0x7C5CFF),
        ("胞嘧啶", 0xE2725B),
    ];
    let mut balls = Vec::new();
    for (i, (name, color)) in colors.into_iter().enumerate() {
        let paint = model.paint(name, color, 0.05, 0.28);
        let radius = [1.35, 1.1, 1.25, 1.15, 1.25, 1.15][i];
        balls.push(model.mesh(name, vec![(sphere(radius, detail), paint)]));
    }
    let steel = model.paint("键", 0xAEB6C4, 0.3, 0.35);
    let bond = model.mesh(
        "键",
        vec![(rod([0.0; 3], [0.0, 1.0, 0.0], 0.36, detail), steel)],
    );
    let root = model.node(
        "双螺旋",
        None,
        None,
        Place::at([0.0, 0.06, 0.0]).scaled([0.01; 3]),
    );

    let mut before: Option<[[f32; 3]; 2]> = None;
    for pair in 0..PAIRS {
        let (angle, y) = (TWIST * pair as f32, RISE * pair as f32 + 4.0);
        // The strands are 150° apart: a wide and a narrow groove.
        let ends = [angle, angle + 2.62].map(|a| [RADIUS * a.cos(), y, -RADIUS * a.sin()]);
        let (left, right) = [(2, 3), (3, 2), (4, 5), (5, 4)][dice.pick(4)];
        for (strand, end) in ends.into_iter().enumerate() {
            model.node("磷", Some(balls[0]), Some(root), Place::at(end));
            let other = ends[1 - strand];
            let along = |t: f32| [0, 1, 2].map(|k| end[k] + (other[k] - end[k]) * t);
            model.node("糖", Some(balls[1]), Some(root), Place::at(along(0.15)));
            let base = if strand == 0 { left } else { right };
            for t in [0.27, 0.39] {
                model.node(
                    colors[base].0,
                    Some(balls[base]),
                    Some(root),
                    Place::at(along(t)),
                );
            }
            if let Some(before) = before {
                stick(&mut model, bond, root, before[strand], end);
            }
        }
        stick(&mut model, bond, root, ends[0], ends[1]);
        before = Some(ends);
    }
    pedestal(&mut model, detail);
    Ok(model.scene)
}

/// A bond between two points: the unit rod, rotated and stretched.
fn stick(model: &mut Model, bond: u32, root: u32, from: [f32; 3], to: [f32; 3]) {
    let d = super::solids::sub(to, from);
    let length = super::solids::dot(d, d).sqrt();
    let n = super::solids::unit(d);
    // Shortest rotation from +y to the direction, which is never straight down here.
    let half = [n[2], 0.0, -n[0], 1.0 + n[1]];
    let size = half.iter().map(|c| c * c).sum::<f32>().sqrt().max(1e-6);
    let place = Place {
        translation: from,
        rotation: half.map(|c| c / size),
        scale: [1.0, length, 1.0],
    };
    model.node("键", Some(bond), Some(root), place);
}

fn pedestal(model: &mut Model, detail: f32) {
    let dark = model.paint("底座", INK, 0.4, 0.4);
    let gold = model.paint("饰环", GOLD, 1.0, 0.25);
    let parts = vec![
        (cylinder(0.17, 0.03, 0.008, detail * 1.5), dark),
        (torus(0.171, 0.003, detail).moved([0.0, 0.015, 0.0]), gold),
        (
            rounded_box([0.1, 0.012, 0.03], 0.003, detail).moved([0.0, 0.033, 0.12]),
            gold,
        ),
    ];
    model.part("底座", parts, None, Place::at([0.0; 3]));
}
