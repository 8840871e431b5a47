//! A launch vehicle with boosters on its pad.

use super::kit::{block, collar, plate, slat, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{curve, rod};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "rocket",
    title: "运载火箭",
    params: &[
        size("height", "全高（米）", [12.0, 110.0], 54.0),
        size("slender", "长径比", [6.0, 18.0], 11.0),
        count("boosters", "助推器数", [0, 6], 4),
        size("booster", "助推器高与全高之比", [0.2, 0.6], 0.42),
        count("fins", "尾翼数", [0, 8], 4),
        size("fairing", "整流罩与箭体直径之比", [0.8, 1.5], 1.15),
        count("tone", "涂装", [0, 2], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [height, slender, boosters, booster, fins, fairing, color] = values(given);
    let mut model = Model::new("运载火箭", ask);
    let white = model.paint("白漆", 0xF1F2F3, 0.05, 0.4);
    let band = model.coat("色带", tone([0x1F3F7A, 0x2A2C30, 0xB03A2E], color));
    let metal = model.paint("喷管", 0x5A5048, 0.9, 0.35);
    let grey = model.paint("级间段", 0x7D848D, 0.5, 0.45);
    let concrete = model.mottled("混凝土", 0xA8A59E, 0.1, 0.95)?;
    let r = height / slender / 2.0;
    let low = r * 1.6;
    let top = height - low;
    let wide = r * fairing;
    let (one, two, cone) = (top * 0.5, top * 0.74, top * 0.8);
    let core = turning(&[[0.0, 0.0], [r, 0.0], [r, two], [0.0, two]], r * 0.04, 72);
    let mut nose = vec![[0.0, two - r * 0.2], [r * 0.98, two - r * 0.2]];
    nose.extend(curve(
        &[
            [wide, cone],
            [wide, top * 0.88],
            [wide * 0.8, top * 0.94],
            [wide * 0.4, top * 0.985],
            [0.0, top],
        ],
        9,
    ));
    let nose = Shape::lathe(&nose, 72);
    let ring = |low: f32, high: f32, by: f32| collar(r * 0.9, r * by, low, high, r * 0.02, 72);
    let mut bands = ring(one, one + r * 0.9, 1.012);
    bands.add(ring(two * 0.93, two * 0.95, 1.012));
    let mut ribs = ring(one - r * 0.25, one, 1.025);
    ribs.add(ring(0.0, r * 0.3, 1.03));
    let stringer = slat(
        [r * 0.03, r * 0.85, r * 0.07],
        r * 0.01,
        [r * 1.01, one - r * 0.75, 0.0],
    );
    ribs.add(stringer.around(36));
    ribs.add(
        block(
            [r * 0.12, one * 0.8, r * 0.2],
            r * 0.03,
            [r * 1.02, one * 0.45, 0.0],
        )
        .turned(1, 0.4),
    );
    let seam = block(
        [wide * 0.02, (top * 0.88 - cone) * 0.98, wide * 0.04],
        wide * 0.006,
        [wide * 1.0, (cone + top * 0.88) / 2.0, 0.0],
    )
    .around(2);
    ribs.add(seam);
    let lift = Place::at([0.0, low, 0.0]);
    let root = model.part(
        "箭体",
        vec![(core, white), (nose, white), (bands, band), (ribs, grey)],
        None,
        lift,
    );
    let mesh = model.mesh("发动机", vec![(bell(r * 0.36), metal)]);
    for i in 0..4 {
        let (sin, cos) = (TAU * (i as f32 + 0.5) / 4.0).sin_cos();
        model.node(
            "发动机",
            Some(mesh),
            Some(root),
            Place::at([r * 0.52 * cos, 0.0, r * 0.52 * sin]),
        );
    }
    if boosters > 0.0 {
        let b = (r * 0.66).min(r * 1.6 * (TAU / 2.0 / boosters.max(2.0)).sin());
        let high = height * booster;
        let mut line = vec![
            [0.0, 0.0],
            [b * 1.05, 0.0],
            [b, r * 0.3],
            [b, high - b * 2.4],
        ];
        line.extend(curve(
            &[
                [b * 0.97, high - b * 2.2],
                [b * 0.62, high - b * 0.9],
                [b * 0.2, high - b * 0.15],
                [0.0, high],
            ],
            7,
        ));
        let away = r + b * 1.06;
        let mut strut = rod(
            [-b * 0.2, b * 1.5, 0.0],
            [-b * 1.3, b * 1.5, 0.0],
            b * 0.12,
            0.7,
        );
        strut.add(rod(
            [-b * 0.2, high - b * 3.2, 0.0],
            [-b * 1.3, high - b * 3.2, 0.0],
            b * 0.12,
            0.7,
        ));
        let parts = vec![
            (
                Shape::lathe(
                    &super::kit::soften(&line[..4], b * 0.06, 3, false)
                        .into_iter()
                        .chain(line[4..].iter().copied())
                        .collect::<Vec<_>>(),
                    48,
                ),
                white,
            ),
            (
                collar(
                    b * 0.9,
                    b * 1.015,
                    high - b * 3.4,
                    high - b * 2.9,
                    b * 0.02,
                    48,
                ),
                band,
            ),
            (
                collar(b * 0.9, b * 1.02, b * 1.3, b * 1.7, b * 0.02, 48),
                grey,
            ),
            (strut, grey),
            (bell(b * 0.62), metal),
        ];
        let mesh = model.mesh("助推器", parts);
        for i in 0..boosters as usize {
            let turn = TAU * i as f32 / boosters;
            let at = [away * turn.cos(), r * 0.15, -away * turn.sin()];
            model.node(
                &format!("助推器 {}", i + 1),
                Some(mesh),
                Some(root),
                Place::at(at).turned(1, turn),
            );
        }
    }
    if fins > 0.0 {
        let edge = [
            [r * 0.9, 0.0],
            [r * 2.0, -r * 0.5],
            [r * 2.0, r * 0.35],
            [r * 0.9, r * 2.2],
        ];
        let fin = plate(&edge, &[], r * 0.12, r * 0.035).at(0.0, 0.0, -r * 0.06);
        let mesh = model.mesh("尾翼", vec![(fin, band)]);
        for i in 0..fins as usize {
            let turn = TAU * (i as f32 + 0.5) / fins;
            model.node(
                "尾翼",
                Some(mesh),
                Some(root),
                Place::at([0.0; 3]).turned(1, turn),
            );
        }
    }
    let spread = r * 4.4;
    let deck = turning(
        &[
            [0.0, -r * 0.4],
            [spread, -r * 0.4],
            [spread, 0.0],
            [0.0, 0.0],
        ],
        r * 0.1,
        48,
    )
    .boxed(r * 3.0);
    let mount = collar(r * 0.75, r * 1.12, low * 0.72, low, r * 0.04, 56);
    let prop = rod(
        [r * 0.95, low * 0.76, 0.0],
        [r * 1.9, 0.0, 0.0],
        r * 0.09,
        0.8,
    )
    .around(8);
    model.part(
        "发射台",
        vec![(deck, concrete), (mount, grey), (prop, grey)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}

/// A nozzle below the origin, with its wall.
fn bell(r: f32) -> Shape {
    let outer = curve(
        &[
            [r, -r * 2.3],
            [r * 0.86, -r * 1.5],
            [r * 0.55, -r * 0.75],
            [r * 0.3, -r * 0.35],
            [r * 0.34, 0.0],
        ],
        4,
    );
    let mut section = outer.clone();
    section.extend(outer.iter().rev().map(|p| [p[0] - r * 0.06, p[1]]));
    section.extend(outer.first().copied());
    Shape::lathe(&section, 32)
}
