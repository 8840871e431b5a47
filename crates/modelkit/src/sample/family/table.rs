//! A table: rounded top, four legs or a turned pedestal.

use super::kit::{block, plank, plate, soften, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::curve;
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "table",
    title: "桌",
    params: &[
        size("length", "桌长（米）", [0.4, 3.0], 1.4),
        size("width", "桌宽（米）", [0.4, 1.6], 0.8),
        size("height", "桌高（米）", [0.3, 1.1], 0.75),
        size("round", "桌角圆度，1 为全圆", [0.0, 1.0], 0.2),
        count("base", "桌脚：0 四方腿，1 车旋独柱，2 钢管腿", [0, 2], 0),
        count("drawers", "抽屉（方腿桌）", [0, 3], 0),
        count(
            "wood",
            "木材：0 橡木，1 胡桃，2 樱桃，3 松木，4 乌木",
            [0, 4],
            1,
        ),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [length, width, height, round, base, drawers, kind] = values(given);
    let thick = 0.032;
    let mut model = Model::new("桌", ask);
    let wood = model.wood(kind)?;
    let steel = model.paint(
        "黑钢",
        tone([0x23262B, 0x1F1F21, 0x2B2B2B, 0x3A3D42, 0xB08D4F], kind),
        0.8,
        0.42,
    );
    let brass = model.brass();
    let (x, z) = (length / 2.0, width / 2.0);
    let corner = 0.012 + (x.min(z) - 0.012) * round;
    let top = plate(&rounded(x, z, corner), &[], thick, 0.009)
        .laid()
        .boxed(0.8);
    model.part(
        "桌面",
        vec![(top.at(0.0, height - thick, 0.0), wood)],
        None,
        Place::at([0.0; 3]),
    );
    let under = height - thick;
    match base as u8 {
        0 => square_legs(&mut model, [x, z, under, corner], drawers, wood, brass),
        1 => pedestal(&mut model, [x, z, under], wood, brass),
        _ => {
            let mut legs = Shape::default();
            for (sx, sz) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0f32)] {
                let (lx, lz) = (x - corner * 0.35 - 0.06, z - corner * 0.35 - 0.05);
                let foot = [sx * lx, 0.009, sz * lz];
                for spread in [0.1, -0.1] {
                    let head = [
                        sx * (lx - 0.1 - spread * 0.6),
                        under - 0.004,
                        sz * (lz - 0.1 + spread * 0.6),
                    ];
                    legs.add(crate::sample::solids::rod(foot, head, 0.0075, 0.9));
                }
                legs.add(
                    crate::sample::solids::sphere(0.013, 0.6).moved([foot[0], 0.013, foot[2]]),
                );
                legs.add(block(
                    [0.2, 0.006, 0.2],
                    0.002,
                    [sx * (lx - 0.1), under - 0.003, sz * (lz - 0.1)],
                ));
            }
            model.part("钢腿", vec![(legs, steel)], None, Place::at([0.0; 3]));
            let rail = plank(
                [length * 0.55, 0.04, 0.02],
                0.006,
                [0.0, under - 0.02, 0.0],
                0.6,
            );
            model.part("撑档", vec![(rail, wood)], None, Place::at([0.0; 3]));
        }
    }
    Ok(model.scene)
}

/// A rectangle of half sides x and z whose corners are arcs.
fn rounded(x: f32, z: f32, corner: f32) -> Vec<[f32; 2]> {
    let mut out = Vec::new();
    for (quarter, (sx, sz)) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0f32)]
        .into_iter()
        .enumerate()
    {
        let n = (8.0 + 16.0 * corner) as usize;
        for i in 0..=n {
            let angle = std::f32::consts::FRAC_PI_2 * (quarter as f32 + i as f32 / n as f32);
            let p = [
                sx * (x - corner) + corner * angle.cos(),
                sz * (z - corner) + corner * angle.sin(),
            ];
            if out
                .last()
                .is_none_or(|q: &[f32; 2]| (q[0] - p[0]).hypot(q[1] - p[1]) > 1e-4)
            {
                out.push(p);
            }
        }
    }
    let (first, last) = (out[0], out[out.len() - 1]);
    if (first[0] - last[0]).hypot(first[1] - last[1]) < 1e-4 {
        out.pop();
    }
    out
}

fn square_legs(
    model: &mut Model,
    [x, z, under, corner]: [f32; 4],
    drawers: f32,
    wood: u32,
    brass: u32,
) {
    let (lx, lz) = (x - corner * 0.3 - 0.05, z - corner * 0.3 - 0.05);
    let side = 0.055;
    let square = soften(
        &[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]],
        0.12,
        3,
        true,
    );
    let path: Vec<_> = (0..=4)
        .map(|i| [0.0, under * i as f32 / 4.0, 0.0])
        .collect();
    let leg = sweep(&path, &square, |t| {
        side * (0.62 + 0.38 * (t * 1.6).min(1.0))
    })
    .boxed(0.6);
    let mesh = model.mesh("桌腿", vec![(leg, wood)]);
    for (sx, sz) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        model.node("桌腿", Some(mesh), None, Place::at([sx * lx, 0.0, sz * lz]));
    }
    let tall = (under * 0.4).min(if drawers > 0.0 { 0.13 } else { 0.08 });
    let mut apron = Shape::default();
    for s in [1.0, -1.0] {
        apron.add(plank(
            [2.0 * lx - side, tall, 0.02],
            0.004,
            [0.0, under - tall / 2.0, s * lz],
            0.6,
        ));
        apron.add(plank(
            [0.02, tall, 2.0 * lz - side],
            0.004,
            [s * lx, under - tall / 2.0, 0.0],
            0.6,
        ));
    }
    model.part("牙板", vec![(apron, wood)], None, Place::at([0.0; 3]));
    let step = (2.0 * lx - side) / drawers.max(1.0);
    for i in 0..drawers as usize {
        let at = -lx + side / 2.0 + step * (i as f32 + 0.5);
        let front = plank(
            [step - 0.025, tall - 0.03, 0.018],
            0.006,
            [at, under - tall / 2.0, lz + 0.01],
            0.6,
        );
        let knob = turning(
            &[
                [0.0, 0.0],
                [0.007, 0.0],
                [0.006, 0.012],
                [0.014, 0.02],
                [0.012, 0.028],
                [0.0, 0.03],
            ],
            0.004,
            28,
        )
        .turned(0, std::f32::consts::FRAC_PI_2)
        .at(at, under - tall / 2.0, lz + 0.018);
        model.part(
            "抽屉",
            vec![(front, wood), (knob, brass)],
            None,
            Place::at([0.0; 3]),
        );
    }
}

fn pedestal(model: &mut Model, [x, z, under]: [f32; 3], wood: u32, brass: u32) {
    let reach = (x.min(z) * 0.72).max(0.16);
    let wide = (x.min(z) * 0.16).clamp(0.04, 0.09);
    let line = [
        [wide * 0.9, 0.09],
        [wide * 1.1, under * 0.2],
        [wide * 0.55, under * 0.34],
        [wide * 0.7, under * 0.4],
        [wide * 0.95, under * 0.62],
        [wide * 0.5, under * 0.84],
        [wide * 1.2, under * 0.95],
    ];
    let mut profile = vec![[0.0, 0.09]];
    profile.extend(curve(&line, 7));
    profile.push([wide * 2.2, under]);
    profile.push([0.0, under]);
    let post = Shape::lathe(&profile, 56).boxed(0.6);
    let foot = [
        [wide * 0.4, 0.14, 0.0],
        [reach * 0.45, 0.13, 0.0],
        [reach * 0.8, 0.05, 0.0],
        [reach, 0.022, 0.0],
    ];
    let oval: Vec<_> = super::kit::circle(1.0, 16, [0.0, 0.0])
        .iter()
        .map(|p| [p[0] * 0.02, p[1] * 0.036])
        .collect();
    let feet = sweep(&curve(&foot, 7), &oval, |t| 1.15 - 0.55 * t)
        .around(4)
        .boxed(0.6);
    let band = crate::sample::solids::torus(wide * 0.6, 0.007, 0.8).at(0.0, under * 0.34, 0.0);
    model.part(
        "独柱",
        vec![(post, wood), (feet, wood), (band, brass)],
        None,
        Place::at([0.0; 3]),
    );
}
