//! A hexagon bolt with a true thread, nut and washer.

use super::kit::{circle, collar, plate, turning};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "bolt",
    title: "螺栓与螺母",
    params: &[
        size("diameter", "公称直径（毫米）", [4.0, 48.0], 12.0),
        size("length", "杆长与直径之比", [2.0, 10.0], 4.0),
        size("thread", "螺纹占杆长的比例", [0.3, 1.0], 0.6),
        count("head", "头型：0 六角，1 内六角圆柱头，2 半圆头", [0, 2], 0),
        count("nuts", "螺母数", [0, 2], 1),
    ],
    make,
};

const AROUND: usize = 32;
const ROWS: usize = 8;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [diameter, length, thread, head, nuts] = values(given);
    let r = diameter / 2000.0;
    let long = 2.0 * r * length;
    let pitch = 2.0 * r * 0.15;
    let depth = pitch * 0.6;

    let mut model = Model::new("螺栓", ask);
    let zinc = model.paint("镀锌钢", 0xB9C0CA, 1.0, 0.3);
    let gold = model.paint("彩锌", 0xC4A55A, 1.0, 0.32);
    let dark = model.paint("发黑钢", 0x33383F, 0.9, 0.4);

    let metal = if head == 1.0 { dark } else { zinc };
    let smooth = long * (1.0 - thread);
    let mut parts = vec![(screw(r, depth, pitch, long - smooth), metal)];
    if smooth > r * 0.05 {
        let shank = [
            [0.0, 0.0],
            [r, 0.0],
            [r, smooth + pitch],
            [0.0, smooth + pitch],
        ];
        parts.push((
            turning(&shank, depth * 0.5, 48).at(0.0, long - smooth - pitch, 0.0),
            metal,
        ));
    }
    parts.push((top(head, r).at(0.0, long, 0.0), metal));
    // It lies on the side of its head, as on a table.
    let root = model.part("螺栓", parts, None, Place::at([0.0; 3]));
    if head != 1.0 {
        let washer = collar(r * 1.05, r * 2.1, 0.0, r * 0.3, r * 0.06, 64);
        model.part(
            "垫圈",
            vec![(washer, zinc)],
            Some(root),
            Place::at([0.0, long - r * 0.32, 0.0]),
        );
    }
    if nuts > 0.0 {
        let body = plate(
            &hexagon(r),
            &[circle(r * 0.97, 48, [0.0, 0.0])],
            r * 1.6,
            r * 0.14,
        );
        let mesh = model.mesh("螺母", vec![(body.laid(), gold)]);
        for i in 0..nuts as usize {
            let y = r * 0.8 + i as f32 * r * 1.75;
            model.node(
                "螺母",
                Some(mesh),
                Some(root),
                Place::at([0.0, y, 0.0]).turned(1, 0.3 + i as f32 * 0.4),
            );
        }
    }
    Ok(model.scene)
}

fn hexagon(r: f32) -> Vec<[f32; 2]> {
    circle(r * 1.85, 6, [0.0, 0.0])
}

fn top(kind: f32, r: f32) -> Shape {
    match kind as u8 {
        0 => plate(&hexagon(r), &[], r * 1.3, r * 0.14).laid(),
        1 => {
            let socket = plate(
                &circle(r * 1.5, 64, [0.0, 0.0]),
                &[circle(r * 0.9, 6, [0.0, 0.0])],
                r * 1.3,
                r * 0.1,
            );
            let base = turning(
                &[
                    [0.0, 0.0],
                    [r * 1.5, 0.0],
                    [r * 1.5, r * 0.75],
                    [0.0, r * 0.75],
                ],
                r * 0.06,
                64,
            );
            let mut all = socket.laid().at(0.0, r * 0.7, 0.0);
            all.add(base);
            all
        }
        _ => {
            let mut dome = vec![[0.0, 0.0], [r * 1.7, 0.0], [r * 1.75, r * 0.12]];
            for i in 1..=12 {
                let (sin, cos) = (TAU / 4.0 * i as f32 / 12.0).sin_cos();
                dome.push([
                    r * 1.75 * cos * if i == 12 { 0.0 } else { 1.0 },
                    r * 0.12 + r * 1.15 * sin,
                ]);
            }
            Shape::lathe(&dome, 64)
        }
    }
}

/// A threaded rod from y = 0 to `long`, its lower end tapered.
fn screw(r: f32, depth: f32, pitch: f32, long: f32) -> Shape {
    let rows = ((long / pitch) * ROWS as f32).ceil().max(8.0) as usize;
    let mut grid = vec![vec![[0.0, 0.0, 0.0]; AROUND]];
    for j in 0..=rows {
        let y = long * j as f32 / rows as f32;
        let row = (0..AROUND).map(|i| {
            let turn = i as f32 / AROUND as f32;
            let wave = (y / pitch - turn).rem_euclid(1.0);
            // A trapezium: land, flank, root, flank.
            let height = ((0.5 - (wave - 0.5).abs()) * 3.2 - 0.3).clamp(0.0, 1.0);
            let taper = depth * 1.2 * (1.0 - y / (pitch * 1.2)).clamp(0.0, 1.0);
            let radius = r - depth * (1.0 - height) - taper * height;
            [radius * (turn * TAU).cos(), y, -radius * (turn * TAU).sin()]
        });
        grid.push(row.collect());
    }
    grid.push(vec![[0.0, long, 0.0]; AROUND]);
    Shape::rows(&grid, true, [1.0, 1.0])
}
