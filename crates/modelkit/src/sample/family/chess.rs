//! Turned chess pieces on their squares.

use super::kit::{block, collar, plate, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{curve, sphere, torus};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "chess",
    title: "国际象棋棋子",
    params: &[
        count("piece", "棋子：1 兵，2 车，3 象，4 后，5 王", [1, 5], 5),
        size("height", "高（毫米）", [25.0, 200.0], 95.0),
        size("base", "底径与高之比", [0.32, 0.6], 0.42),
        size("waist", "腰径与底径之比", [0.22, 0.5], 0.32),
        count("rings", "颈部环线", [1, 4], 2),
        count(
            "tone",
            "材料：0 樱桃木，1 乌木，2 黄铜，3 汉白玉",
            [0, 3],
            0,
        ),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [piece, height, base, waist, rings, color] = values(given);
    let mut model = Model::new("国际象棋棋子", ask);
    let body = match color as u8 {
        0 => model.wood(2.0)?,
        1 => model.wood(4.0)?,
        2 => model.brass(),
        _ => model.stone(3.0)?,
    };
    let felt = model.paint(
        "绒底",
        tone([0x35563F, 0x7A2F2B, 0x22262C, 0x2D3F63], color),
        0.0,
        1.0,
    );
    let tip = model.brass();
    let h = height / 1000.0;
    let r = h * base / 2.0;
    let w = r * waist / 0.5 * 0.55;
    let shaft = h * if piece == 1.0 { 0.58 } else { 0.62 };
    let mut profile = vec![
        [0.0, h * 0.012],
        [r * 0.97, h * 0.012],
        [r, h * 0.05],
        [r * 0.9, h * 0.085],
        [r * 0.92, h * 0.1],
        [r * 0.7, h * 0.15],
    ];
    profile.extend(curve(
        &[
            [r * 0.66, h * 0.16],
            [w * 1.25, h * 0.27],
            [w, shaft * 0.75],
            [w * 1.15, shaft],
        ],
        8,
    ));
    profile.push([0.0, shaft]);
    let mut all = turning(&profile, h * 0.008, 72);
    for i in 0..rings as usize {
        let grow = 1.0 - 0.16 * i as f32;
        let y = shaft + h * 0.022 * i as f32;
        let wide = w * 1.9 * grow;
        all.add(turning(
            &[
                [0.0, y],
                [wide, y],
                [wide, y + h * 0.016],
                [0.0, y + h * 0.016],
            ],
            h * 0.007,
            72,
        ));
    }
    let top = shaft + h * 0.022 * rings - h * 0.004;
    let room = h - top;
    let mut crown = Shape::default();
    match piece as u8 {
        1 => all.add(sphere(room / 2.0, 1.3).at(0.0, top + room / 2.0 - h * 0.006, 0.0)),
        2 => {
            let wall = r * 0.78;
            all.add(turning(
                &[
                    [0.0, top],
                    [w * 1.2, top],
                    [wall * 0.95, top + room * 0.5],
                    [wall, top + room * 0.72],
                    [0.0, top + room * 0.72],
                ],
                h * 0.006,
                72,
            ));
            let merlon = |i: usize| -> Vec<[f32; 2]> {
                let at = |a: f32, rad: f32| [rad * a.cos(), rad * a.sin()];
                let from = TAU * i as f32 / 6.0;
                let arc = |rad: f32| (0..=8).map(move |k| at(from + 0.72 * k as f32 / 8.0, rad));
                arc(wall)
                    .chain(arc(wall * 0.62).collect::<Vec<_>>().into_iter().rev())
                    .collect()
            };
            for i in 0..6 {
                all.add(plate(&merlon(i), &[], room * 0.32, h * 0.005).laid().at(
                    0.0,
                    top + room * 0.69,
                    0.0,
                ));
            }
        }
        3 => {
            let mitre = curve(
                &[
                    [w * 0.9, top],
                    [r * 0.62, top + room * 0.3],
                    [r * 0.42, top + room * 0.62],
                    [r * 0.08, top + room * 0.88],
                ],
                9,
            );
            let mut line = vec![[0.0, top]];
            line.extend(mitre);
            line.push([0.0, top + room * 0.89]);
            all.add(Shape::lathe(&line, 72));
            crown.add(sphere(room * 0.09, 0.9).at(0.0, top + room * 0.92, 0.0));
            crown.add(
                torus(r * 0.5, h * 0.006, 1.0)
                    .turned(2, 0.6)
                    .at(0.0, top + room * 0.5, 0.0),
            );
        }
        _ => {
            let lip = r * 0.72;
            all.add(turning(
                &[
                    [0.0, top],
                    [w * 1.15, top],
                    [w * 1.3, top + room * 0.3],
                    [lip, top + room * 0.62],
                    [lip * 0.86, top + room * 0.66],
                    [0.0, top + room * 0.66],
                ],
                h * 0.006,
                72,
            ));
            let dome = curve(
                &[
                    [lip * 0.84, top + room * 0.64],
                    [lip * 0.62, top + room * 0.76],
                    [0.001, top + room * 0.82],
                ],
                8,
            );
            let mut line = vec![[0.0, top + room * 0.62]];
            line.extend(dome);
            line.push([0.0, top + room * 0.82]);
            all.add(Shape::lathe(&line, 64));
            if piece == 4.0 {
                crown.add(
                    sphere(h * 0.017, 0.7)
                        .at(lip * 0.93, top + room * 0.66, 0.0)
                        .around(9),
                );
                crown.add(sphere(room * 0.1, 1.0).at(0.0, top + room * 0.9, 0.0));
            } else {
                let (a, y) = (room * 0.045, top + room * 0.8);
                let arm = room * 0.11;
                crown.add(block(
                    [a * 2.0, room * 0.22, a * 1.4],
                    a * 0.4,
                    [0.0, y + room * 0.1, 0.0],
                ));
                crown.add(block(
                    [arm * 2.0, a * 2.0, a * 1.4],
                    a * 0.4,
                    [0.0, y + room * 0.12, 0.0],
                ));
            }
        }
    }
    if crown.indices.is_empty() {
        crown.add(collar(
            w * 1.02,
            w * 1.16,
            shaft * 0.86,
            shaft * 0.88,
            h * 0.002,
            64,
        ));
    }
    let pad = turning(
        &[
            [0.0, 0.0],
            [r * 0.9, 0.0],
            [r * 0.9, h * 0.014],
            [0.0, h * 0.014],
        ],
        h * 0.002,
        64,
    );
    model.part(
        "棋子",
        vec![(all.boxed(h * 0.6), body), (crown, tip), (pad, felt)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}
