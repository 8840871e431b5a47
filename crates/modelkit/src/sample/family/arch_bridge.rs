//! A stone arch bridge.

use super::kit::{Flat, block, plank, plate};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{rounded_box, sphere};
use crate::{Result, Scene};
use std::f32::consts::PI;

pub const FAMILY: Family = Family {
    name: "arch-bridge",
    title: "石拱桥",
    params: &[
        count("arches", "桥孔数", [1, 9], 3),
        size("span", "中孔净跨（米）", [4.0, 24.0], 9.0),
        size("rise", "矢跨比", [0.25, 0.5], 0.42),
        size("hump", "桥面拱起与跨径之比", [0.0, 0.6], 0.25),
        size("width", "桥宽（米）", [2.5, 12.0], 5.0),
        count(
            "stone",
            "石材：0 花岗岩，1 砂岩，2 玄武岩，3 汉白玉",
            [0, 3],
            1,
        ),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [arches, span, rise, hump, width, kind] = values(given);
    let mut model = Model::new("石拱桥", ask);
    let wall = model.masonry(
        "桥身",
        tone([0x9B9A96, 0xC9AE86, 0x5D6167, 0xE6E3DB], kind),
        tone([0x6F6E6B, 0x8F774F, 0x3C4045, 0xB9B5AC], kind),
    )?;
    let stone = model.stone(kind)?;
    let water = model.paint("水面", 0x2F5B60, 0.3, 0.06);
    let ground = model.mottled("河岸", 0x7D8A5B, 0.2, 0.95)?;

    let pier = span * 0.18;
    let n = arches as usize;
    let middle = (arches - 1.0) / 2.0;
    // Side arches are smaller, as the deck falls.
    let widths: Vec<f32> = (0..n)
        .map(|i| span * (1.0 - 0.09 * (i as f32 - middle).abs()))
        .collect();
    let water_length: f32 = widths.iter().sum::<f32>() + pier * (arches + 1.0);
    let ramp = span * (0.3 + hump);
    let half = water_length / 2.0 + ramp;
    let crown = span * rise + span * 0.12;
    let deck = |x: f32| {
        let t = (x / half).abs().min(1.0);
        (crown + span * hump * 0.5) * (1.0 - t * t) + 0.35 * t
    };
    let mut edge: Vec<Flat> = vec![[-half, -0.6]];
    let mut x = -water_length / 2.0;
    let mut rings: Vec<Vec<Flat>> = Vec::new();
    let mut piers = Shape::default();
    for (i, wide) in widths.iter().enumerate() {
        x += pier;
        let center = x + wide / 2.0;
        let tall = (wide * rise).min(deck(center) - span * 0.1).max(0.5);
        let mut ring = Vec::new();
        for k in 0..=28 {
            let angle = PI * (1.0 - k as f32 / 28.0);
            ring.push([center + wide / 2.0 * angle.cos(), tall * angle.sin()]);
        }
        edge.push([x, -0.6]);
        edge.extend(ring.iter().copied());
        edge.push([x + wide, -0.6]);
        rings.push(ring);
        x += wide;
        if i + 1 < n {
            let at = x + pier / 2.0;
            let nose = [
                [-pier * 0.62, 0.0],
                [0.0, -pier * 0.7],
                [pier * 0.62, 0.0],
                [pier * 0.62, width],
                [0.0, width + pier * 0.7],
                [-pier * 0.62, width],
            ];
            let cut = plate(&nose, &[], span * 0.22 + 0.6, 0.08).laid();
            piers.add(cut.at(at, -0.6, width / 2.0));
        }
    }
    edge.push([half, -0.6]);
    let steps = 64;
    edge.extend((0..=steps).rev().map(|i| {
        let at = -half + 2.0 * half * i as f32 / steps as f32;
        [at, deck(at)]
    }));
    let body = plate(&edge, &[], width, 0.05)
        .at(0.0, 0.0, -width / 2.0)
        .boxed(span * 0.22);
    let mut parts = vec![(body, wall)];
    // A single arch stands between the banks.
    if n > 1 {
        parts.push((piers.boxed(2.0), stone));
    }
    model.part("桥身", parts, None, Place::at([0.0; 3]));

    let mut bands = Shape::default();
    for ring in &rings {
        let thick = span * 0.05;
        let center = (ring[0][0] + ring[ring.len() - 1][0]) / 2.0;
        let grown: Vec<Flat> = ring
            .iter()
            .map(|p| {
                let (dx, dy) = (p[0] - center, p[1]);
                let far = dx.hypot(dy).max(1e-3);
                [p[0] + dx / far * thick, p[1] + dy / far * thick]
            })
            .collect();
        let mut band = ring.clone();
        band.extend(grown.iter().rev());
        for z in [width / 2.0 - 0.05, -width / 2.0 - 0.1] {
            bands.add(plate(&band, &[], 0.15, 0.03).at(0.0, 0.0, z));
        }
        let key = block(
            [thick * 1.1, thick * 1.9, width + 0.4],
            0.04,
            [center, ring[14][1] + thick * 0.7, 0.0],
        );
        bands.add(key);
    }
    model.part(
        "拱券",
        vec![(bands.boxed(2.0), stone)],
        None,
        Place::at([0.0; 3]),
    );

    let mut rail = Shape::default();
    let posts = ((2.0 * half) / 2.2).round().max(6.0) as usize;
    for side in [1.0, -1.0] {
        let z = side * (width / 2.0 - 0.22);
        for i in 0..=posts {
            let at = -half * 0.985 + 1.97 * half * i as f32 / posts as f32;
            let y = deck(at);
            rail.add(rounded_box([0.24, 1.25, 0.24], 0.03, 0.2).at(at, y + 0.6, z));
            rail.add(sphere(0.15, 0.25).at(at, y + 1.33, z));
            if i < posts {
                let next = at + 1.97 * half / posts as f32;
                let (mid, lift) = ((at + next) / 2.0, deck(next) - y);
                let long = (next - at).hypot(lift) - 0.18;
                let turn = lift.atan2(next - at);
                let bar = |tall: f32, deep: f32, up: f32| {
                    rounded_box([long, tall, deep], 0.03, 0.2)
                        .turned(2, turn)
                        .at(mid, y + lift / 2.0 + up, z)
                };
                rail.add(bar(0.14, 0.22, 1.0));
                rail.add(bar(0.62, 0.1, 0.5));
            }
        }
    }
    model.part(
        "栏杆",
        vec![(rail.boxed(1.5), stone)],
        None,
        Place::at([0.0; 3]),
    );
    let deep = width * 2.2;
    let pool = block([water_length + pier, 0.3, deep], 0.1, [0.0, -0.45, 0.0]);
    let bank = |s: f32| {
        plank(
            [ramp * 1.25, 0.9, deep],
            0.3,
            [s * (half - ramp * 0.42), -0.25, 0.0],
            6.0,
        )
    };
    model.part(
        "河道",
        vec![(pool, water), (bank(1.0), ground), (bank(-1.0), ground)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}
