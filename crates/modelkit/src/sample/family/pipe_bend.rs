//! A pipe bend with flanges.

use super::kit::{circle, plate};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::{Point, Shape};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "pipe-bend",
    title: "法兰弯管",
    params: &[
        size("bore", "通径（毫米）", [20.0, 600.0], 100.0),
        size("angle", "弯角（度）", [30.0, 180.0], 90.0),
        size("radius", "弯曲半径与通径之比", [1.0, 5.0], 1.5),
        size("straight", "直段与通径之比", [0.2, 4.0], 0.6),
        count("holes", "法兰孔数，0 为不带法兰", [0, 20], 8),
        count("tone", "表面：0 不锈钢，1 碳钢漆，2 铜", [0, 2], 0),
    ],
    make,
};

const AROUND: usize = 56;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [bore, angle, radius, straight, holes, kind] = values(given);
    let d = bore / 1000.0;
    let bend = d * radius;
    let total = angle.to_radians();
    let mut model = Model::new("法兰弯管", ask);
    let skin = match kind as u8 {
        0 => model.paint("不锈钢", 0xCDD1D6, 1.0, 0.24),
        1 => model.coat("碳钢漆", 0x3F6A58),
        _ => model.paint("紫铜", 0xC27B54, 1.0, 0.26),
    };
    let steel = model.paint(
        "法兰钢",
        tone([0xA4ABB5, 0x8D949E, 0xB98A4B], kind),
        1.0,
        0.36,
    );
    let zinc = model.paint("螺栓", 0x6C7077, 1.0, 0.4);

    // Centre and direction along the way, from the upright end.
    let mut way: Vec<(Point, f32)> = Vec::new();
    let leg = d * straight;
    let steps = (angle / 5.0).ceil().max(6.0) as usize;
    for i in 0..4 {
        way.push(([0.0, leg * i as f32 / 4.0, 0.0], 0.0));
    }
    for i in 0..=steps {
        let t = total * i as f32 / steps as f32;
        way.push(([bend * (1.0 - t.cos()), leg + bend * t.sin(), 0.0], t));
    }
    let last = way.last().map_or([0.0; 3], |w| w.0);
    for i in 1..=4 {
        let far = leg * i as f32 / 4.0;
        way.push((
            [
                last[0] + far * total.sin(),
                last[1] + far * total.cos(),
                0.0,
            ],
            total,
        ));
    }
    let tube = tube(&way, d * 0.5, d * 0.5 + d * 0.05 + 0.001);
    let mut parts = vec![(tube, skin)];
    let lift = if holes > 0.0 { d * 0.02 } else { 0.0 };
    if holes > 0.0 {
        let (ring, thick) = (d * 0.86, d * 0.16 + 0.003);
        let cut = (d * 0.075).min(ring * (TAU / 2.0 / holes).sin() * 0.45);
        let spot = |i: usize| {
            let (sin, cos) = (TAU * (i as f32 + 0.5) / holes).sin_cos();
            [ring * cos, ring * sin]
        };
        let mut cuts: Vec<_> = (0..holes as usize)
            .map(|i| circle(cut, 20, spot(i)))
            .collect();
        cuts.push(circle(d * 0.53, 64, [0.0, 0.0]));
        let mut bolts = Shape::default();
        for i in 0..holes as usize {
            let [x, z] = spot(i);
            let head = plate(
                &circle(cut * 1.6, 6, [0.0, 0.0]),
                &[],
                cut * 1.1,
                cut * 0.14,
            )
            .laid();
            bolts.add(head.at(x, thick, -z));
        }
        let disc = plate(&circle(d * 1.06, 88, [0.0, 0.0]), &cuts, thick, thick * 0.1).laid();
        let end = way.last().map_or([0.0; 3], |w| w.0);
        let far = |s: Shape| {
            s.turned(2, std::f32::consts::PI - total)
                .at(end[0], end[1], 0.0)
        };
        parts.push((far(disc.clone()), steel));
        parts.push((far(bolts.clone()), zinc));
        parts.push((disc, steel));
        parts.push((bolts, zinc));
    }
    let weld = |at: usize| {
        let (center, turn) = way[at];
        super::kit::collar(d * 0.53, d * 0.575, -d * 0.02, d * 0.02, d * 0.012, AROUND)
            .turned(2, -turn)
            .moved(center)
    };
    parts.push((weld(4), steel));
    parts.push((weld(way.len() - 5), steel));
    model.part("弯管", parts, None, Place::at([0.0, lift, 0.0]));
    Ok(model.scene)
}

/// Outside, rim, inside and rim again: one closed skin.
fn tube(way: &[(Point, f32)], inner: f32, outer: f32) -> Shape {
    let circle = |(center, turn): &(Point, f32), r: f32| -> Vec<Point> {
        (0..AROUND)
            .map(|i| {
                let (sin, cos) = (TAU * i as f32 / AROUND as f32).sin_cos();
                let (s, c) = turn.sin_cos();
                [
                    center[0] + r * cos * c,
                    center[1] - r * cos * s,
                    center[2] - r * sin,
                ]
            })
            .collect()
    };
    let mut rows: Vec<Vec<Point>> = way.iter().map(|w| circle(w, outer)).collect();
    rows.extend(way.iter().rev().map(|w| circle(w, inner)));
    rows.push(rows[0].clone());
    Shape::rows(&rows, true, [1.0, 1.0])
}
