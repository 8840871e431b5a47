//! A broad-leaved tree: branches that fork, leaves that are true little lenses.

use super::kit::{circle, sweep};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::noise::Dice;
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{cross, unit};
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "tree",
    title: "阔叶树",
    params: &[
        size("height", "高（米）", [2.0, 25.0], 7.0),
        size("spread", "分枝开张角（度）", [15.0, 65.0], 38.0),
        count("forks", "每次分枝数", [2, 4], 3),
        count("levels", "分枝级数", [3, 5], 4),
        size("leaves", "叶量，0 为冬态", [0.0, 1.0], 0.7),
        count("tone", "季节：0 夏，1 秋黄，2 红叶，3 春花", [0, 3], 0),
    ],
    make,
};

struct Grown {
    wood: Shape,
    leaves: Shape,
    dice: Dice,
    forks: usize,
    angle: f32,
    leaf: f32,
    each: usize,
}

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [height, spread, forks, levels, leaves, color] = values(given);
    let mut model = Model::new("阔叶树", ask);
    let bark = model.mottled("树皮", 0x6B5644, 0.35, 0.95)?;
    let leaf = model.mottled(
        "叶",
        tone([0x4F7D37, 0xD3A52E, 0xB5401F, 0xEBB3C2], color),
        0.3,
        0.75,
    )?;
    let soil = model.mottled("树池土", 0x5A4A38, 0.25, 1.0)?;
    let tips = (forks as usize).pow(levels as u32 - 1);
    let mut grown = Grown {
        wood: Shape::default(),
        leaves: Shape::default(),
        dice: Dice::new(ask.seed),
        forks: forks as usize,
        angle: spread.to_radians(),
        leaf: height * 0.034,
        // However many twigs there are, the crown stays light enough for a page.
        each: ((4200.0 * leaves / tips as f32).ceil() as usize).min(90),
    };
    if leaves == 0.0 {
        grown.each = 0;
    }
    let long = height * 0.36;
    let base = height * 0.032;
    grown.branch([0.0; 3], [0.02, 1.0, 0.01], long, base, levels as usize);
    let mut roots = Shape::default();
    for i in 0..5 {
        let turn = i as f32 * 1.2566;
        let path = [
            [0.0, base * 1.7, 0.0],
            [base * 1.1, base * 0.6, 0.0],
            [base * 2.6, -base * 0.1, 0.0],
        ];
        let root = sweep(&path, &circle(base * 0.55, 9, [0.0, 0.0]), |t| {
            1.0 - 0.7 * t
        });
        roots.add(root.turned(1, turn));
    }
    grown.wood.add(roots);
    let mound = super::kit::turning(
        &[
            [0.0, -base * 0.8],
            [base * 6.0, -base * 0.8],
            [base * 5.0, -base * 0.05],
            [base * 2.0, base * 0.25],
            [0.0, base * 0.3],
        ],
        base * 0.4,
        40,
    );
    model.part(
        "树干",
        vec![(grown.wood.boxed(height * 0.12), bark)],
        None,
        Place::at([0.0; 3]),
    );
    model.part(
        "土",
        vec![(mound.boxed(height * 0.2), soil)],
        None,
        Place::at([0.0; 3]),
    );
    if !grown.leaves.indices.is_empty() {
        model.part(
            "树冠",
            vec![(grown.leaves, leaf)],
            None,
            Place::at([0.0; 3]),
        );
    }
    Ok(model.scene)
}

impl Grown {
    fn branch(&mut self, from: Point, along: Point, long: f32, thick: f32, level: usize) {
        let mut path = vec![from];
        let mut heading = along;
        let steps = 5;
        for _ in 0..steps {
            let last = path[path.len() - 1];
            // Wanders a little and reaches for the light.
            heading = unit([
                heading[0] + self.dice.between(-0.14, 0.14),
                heading[1] + self.dice.between(-0.06, 0.14),
                heading[2] + self.dice.between(-0.14, 0.14),
            ]);
            path.push([0, 1, 2].map(|k| last[k] + heading[k] * long / steps as f32));
        }
        let sides = if level > 2 { 10 } else { 5 };
        self.wood
            .add(sweep(&path, &circle(thick, sides, [0.0, 0.0]), |t| {
                1.0 - 0.42 * t
            }));
        if level == 1 {
            self.foliage(&path, long);
            return;
        }
        let end = path[path.len() - 1];
        let phase = self.dice.between(0.0, std::f32::consts::TAU);
        for i in 0..self.forks {
            let turn = phase
                + std::f32::consts::TAU * i as f32 / self.forks as f32
                + self.dice.between(-0.3, 0.3);
            let lean = self.angle * self.dice.between(0.7, 1.25);
            let aside = unit(cross(
                heading,
                if heading[1].abs() > 0.9 {
                    [1.0, 0.0, 0.0]
                } else {
                    [0.0, 1.0, 0.0]
                },
            ));
            let other = cross(heading, aside);
            let (sin, cos) = turn.sin_cos();
            let next = [0, 1, 2]
                .map(|k| heading[k] * lean.cos() + (aside[k] * cos + other[k] * sin) * lean.sin());
            let shorter = long * self.dice.between(0.62, 0.8);
            let at = if i == 0 { end } else { path[4 - i % 2] };
            self.branch(at, unit(next), shorter, thick * 0.6, level - 1);
        }
    }

    fn foliage(&mut self, path: &[Point], long: f32) {
        for _ in 0..self.each {
            let at = path[1 + self.dice.pick(path.len() - 1)];
            let off = [0; 3].map(|_| self.dice.between(-0.6, 0.6) * long);
            let size = self.leaf * self.dice.between(0.7, 1.2);
            let turns = [0; 3].map(|_| self.dice.between(0.0, std::f32::consts::TAU));
            let uv = [self.dice.roll(), self.dice.roll()];
            let mut leaf = lens(size, uv);
            for (axis, turn) in turns.into_iter().enumerate() {
                leaf = leaf.turned(axis, turn);
            }
            self.leaves
                .add(leaf.moved([0, 1, 2].map(|k| at[k] + off[k])));
        }
    }
}

/// A closed leaf: six edge points, a ridge above and below.
fn lens(size: f32, uv: [f32; 2]) -> Shape {
    let edge = [
        [1.0, 0.0],
        [0.45, 0.42],
        [-0.4, 0.36],
        [-0.9, 0.0],
        [-0.4, -0.36],
        [0.45, -0.42],
    ];
    let mut shape = Shape::default();
    for [x, z] in edge {
        shape
            .positions
            .push([x * size, x * x * -0.15 * size, z * size]);
    }
    shape.positions.push([0.0, 0.1 * size, 0.0]);
    shape.positions.push([0.0, -0.02 * size, 0.0]);
    shape.uvs = shape
        .positions
        .iter()
        .map(|p| [uv[0] + p[0] / size * 0.1, uv[1] + p[2] / size * 0.1])
        .collect();
    for i in 0..6u32 {
        let next = (i + 1) % 6;
        shape.indices.extend([6, i, next, 7, next, i]);
    }
    // The outline runs from x to z, which is clockwise seen from above.
    for corner in shape.indices.chunks_exact_mut(3) {
        corner.swap(1, 2);
    }
    shape
}
