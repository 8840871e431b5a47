//! A weathered boulder: a ball cut by planes and worn by noise.

use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::noise::{Dice, value};
use crate::sample::shape::Shape;
use crate::sample::solids::{dot, unit};
use crate::{Result, Scene};
use std::f32::consts::{PI, TAU};

pub const FAMILY: Family = Family {
    name: "rock",
    title: "岩石",
    params: &[
        size("size", "最大尺寸（米）", [0.2, 8.0], 1.6),
        size("flat", "高与宽之比", [0.35, 1.8], 0.7),
        count("cuts", "劈裂面数", [4, 40], 16),
        size("rough", "风化起伏", [0.0, 1.0], 0.4),
        count("stones", "石块数", [1, 7], 3),
        count(
            "kind",
            "石质：0 花岗岩，1 砂岩，2 玄武岩，3 大理石",
            [0, 3],
            0,
        ),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [size, flat, cuts, rough, stones, kind] = values(given);
    let mut model = Model::new("岩石", ask);
    let stone = model.stone(kind)?;
    let moss = model.mottled("苔", 0x5C6B3A, 0.3, 1.0)?;
    let grit = model.mottled("碎石", 0x6F6960, 0.3, 1.0)?;
    let mut dice = Dice::new(ask.seed.wrapping_mul(31).wrapping_add(7));
    let most = size / 2.0;
    for i in 0..stones as usize {
        let r = if i == 0 {
            most
        } else {
            most * dice.between(0.22, 0.5)
        };
        let detail = if i == 0 { 84 } else { 40 };
        let shape = boulder(&mut dice, detail, cuts as usize, rough);
        let turn = TAU * (i as f32 * 0.381 + 0.1);
        let far = if i == 0 {
            0.0
        } else {
            most * dice.between(0.9, 1.25) + r * 0.4
        };
        let at = [far * turn.cos(), r * flat * 0.72, far * turn.sin()];
        let name = if i == 0 { "主石" } else { "散石" };
        let made = shape.scaled([r, r * flat, r * dice.between(0.75, 1.0)]);
        model.part(
            name,
            vec![(made.boxed(most * 0.9), stone)],
            None,
            Place::at(at),
        );
    }
    let mut bits = Shape::default();
    for _ in 0..26 {
        let (turn, far) = (dice.between(0.0, TAU), most * dice.between(0.7, 1.6));
        let r = most * dice.between(0.02, 0.06);
        let bit = boulder(&mut dice, 8, 5, 0.2).scaled([r, r * 0.7, r]);
        bits.add(bit.at(far * turn.cos(), r * 0.4, far * turn.sin()));
    }
    let bed = boulder(&mut dice, 48, 0, 0.5).scaled([most * 1.75, most * 0.07, most * 1.6]);
    model.part(
        "地面",
        vec![(bed.boxed(most), moss), (bits.boxed(most * 0.3), grit)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}

/// About one metre in radius.
fn boulder(dice: &mut Dice, detail: usize, cuts: usize, rough: f32) -> Shape {
    let planes: Vec<([f32; 3], f32)> = (0..cuts)
        .map(|_| {
            let (turn, up) = (dice.between(0.0, TAU), dice.between(-1.0, 1.0f32));
            let flat = (1.0 - up * up).sqrt();
            (
                unit([flat * turn.cos(), up, flat * turn.sin()]),
                dice.between(0.62, 0.92),
            )
        })
        .collect();
    let seed = (dice.roll() * 1e6) as u64;
    let wave = |p: [f32; 3], scale: f32| {
        let at = |a: f32, b: f32, s: u64| value(a * scale + 40.0, b * scale + 40.0, 4096, seed + s);
        (at(p[0], p[1], 0) + at(p[1], p[2], 1) + at(p[2], p[0], 2)) / 1.5 - 1.0
    };
    let rows = detail / 2;
    let mut grid = Vec::new();
    for j in 0..=rows {
        let (ring, up) = (PI * j as f32 / rows as f32).sin_cos();
        let ring = if j == 0 || j == rows { 0.0 } else { ring };
        let row = (0..detail).map(|i| {
            let (sin, cos) = (TAU * i as f32 / detail as f32).sin_cos();
            let mut p = [ring * cos, -up, -ring * sin];
            for (normal, far) in &planes {
                let over = dot(p, *normal) - far;
                if over > 0.0 {
                    // Pressed onto the plane along the ray, so that points do not fold over.
                    let keep = far / (far + over);
                    p = p.map(|x| x * keep);
                }
            }
            let worn =
                1.0 + rough * (0.16 * wave(p, 1.6) + 0.07 * wave(p, 4.5) + 0.03 * wave(p, 11.0));
            p.map(|x| x * worn)
        });
        grid.push(row.collect());
    }
    Shape::rows(&grid, true, [1.0, 1.0])
}
