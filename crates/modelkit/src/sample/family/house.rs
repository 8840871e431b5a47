//! A house with a gabled roof, windows, a door and a chimney.

use super::kit::{block, collar, plank, plate};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::{Result, Scene};
use std::f32::consts::FRAC_PI_2;

pub const FAMILY: Family = Family {
    name: "house",
    title: "坡顶小楼",
    params: &[
        size("width", "面宽（米）", [5.0, 24.0], 10.0),
        size("depth", "进深（米）", [4.0, 14.0], 7.5),
        count("floors", "层数", [1, 4], 2),
        size("pitch", "屋面坡度（度）", [15.0, 60.0], 38.0),
        count("bays", "每层窗数", [2, 8], 4),
        count("chimneys", "烟囱", [0, 2], 1),
        count("porch", "门廊：0 无，1 有", [0, 1], 1),
        count("tone", "外墙：0 红砖，1 白墙，2 灰石，3 暖黄", [0, 3], 0),
    ],
    make,
};

const FLOOR: f32 = 3.0;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [width, depth, floors, pitch, bays, chimneys, porch, color] = values(given);
    let mut model = Model::new("坡顶小楼", ask);
    let wall = match color as u8 {
        0 => model.masonry("红砖", 0xA4553F, 0xC9BFB2)?,
        1 => model.mottled("白墙", 0xEDEAE2, 0.06, 0.92)?,
        2 => model.masonry("灰石", 0x8E8F8D, 0x6C6C6A)?,
        _ => model.mottled("暖黄抹灰", 0xE0BF86, 0.08, 0.92)?,
    };
    let tiles = model.masonry(
        "瓦",
        tone([0x4A4E57, 0xA3502F, 0x3E4650, 0x7A3B2B], color),
        0x2A2A2C,
    )?;
    let trim = model.coat(
        "线脚",
        tone([0xF1EEE6, 0x5B4632, 0xE6E3DB, 0xFFFFFF], color),
    );
    let glass = model.pane();
    let door = model.wood(tone([1, 0, 4, 2], color) as f32)?;
    let stone = model.stone(0.0)?;

    let plinth = 0.45;
    let high = floors * FLOOR;
    let (x, z) = (width / 2.0, depth / 2.0);
    let rise = z * pitch.to_radians().tan();
    // The gable is one plate, so that the wall runs up into it.
    let gable = [
        [-z, 0.0],
        [z, 0.0],
        [z, high],
        [0.0, high + rise],
        [-z, high],
    ];
    let body = plate(&gable, &[], width, 0.02)
        .at(0.0, 0.0, -x)
        .turned(1, FRAC_PI_2)
        .boxed(2.4);
    let base = plank(
        [width + 0.3, plinth, depth + 0.3],
        0.04,
        [0.0, plinth / 2.0, 0.0],
        2.0,
    );
    model.part(
        "墙体",
        vec![(body.at(0.0, plinth, 0.0), wall), (base, stone)],
        None,
        Place::at([0.0; 3]),
    );

    let slope = z.hypot(rise);
    let over = 0.5;
    let pane = |side: f32| {
        let angle = pitch.to_radians();
        plank(
            [width + 2.0 * over, 0.16, slope + over],
            0.03,
            [0.0, 0.0, 0.0],
            1.6,
        )
        .turned(0, angle * side)
        .at(0.0, 0.09, side * (z / 2.0 + over / 2.0 * angle.cos()))
        .at(
            0.0,
            plinth + high + rise / 2.0 - over / 2.0 * angle.sin(),
            0.0,
        )
    };
    let ridge = plank(
        [width + 2.0 * over, 0.14, 0.34],
        0.06,
        [0.0, plinth + high + rise + 0.2, 0.0],
        1.6,
    );
    model.part(
        "屋面",
        vec![(pane(1.0), tiles), (pane(-1.0), tiles), (ridge, tiles)],
        None,
        Place::at([0.0; 3]),
    );
    let mut lines = Shape::default();
    for side in [1.0, -1.0] {
        let angle = pitch.to_radians();
        let edge = plinth + high - over * angle.sin() + 0.02;
        let gutter = collar(0.05, 0.08, 0.0, width + 2.0 * over, 0.01, 20).turned(2, FRAC_PI_2);
        lines.add(gutter.at(x + over, edge, side * (z + over * angle.cos() + 0.05)));
        lines.add(block(
            [width + 0.12, 0.18, 0.1],
            0.02,
            [0.0, plinth + high - 0.09, side * z],
        ));
        for f in 1..floors as usize {
            lines.add(block(
                [width + 0.1, 0.14, 0.08],
                0.02,
                [0.0, plinth + f as f32 * FLOOR, side * z],
            ));
        }
    }
    model.part("线脚", vec![(lines, trim)], None, Place::at([0.0; 3]));

    let step = width / bays;
    let wide = (step * 0.5).min(1.3);
    let window = window(&mut model, wide, 1.5, trim, glass);
    let middle = if bays as usize % 2 == 1 {
        (bays as usize) / 2
    } else {
        usize::MAX
    };
    let door_at = if middle == usize::MAX {
        0.0
    } else {
        -x + step * (middle as f32 + 0.5)
    };
    for f in 0..floors as usize {
        let y = plinth + f as f32 * FLOOR + 0.95;
        for i in 0..bays as usize {
            let at = -x + step * (i as f32 + 0.5);
            if f > 0 || (at - door_at).abs() > 0.75 + wide / 2.0 {
                model.node("窗", Some(window), None, Place::at([at, y, z]));
            }
            model.node(
                "窗",
                Some(window),
                None,
                Place::at([at, y, -z]).turned(1, FRAC_PI_2 * 2.0),
            );
        }
        for side in [1.0, -1.0] {
            for at in [-z * 0.45, z * 0.45] {
                model.node(
                    "窗",
                    Some(window),
                    None,
                    Place::at([side * x, y, at]).turned(1, FRAC_PI_2 * side),
                );
            }
        }
    }
    let leaf = plank([1.0, 2.15, 0.07], 0.015, [0.0, 1.075, 0.03], 0.9);
    let mut frame = block([1.24, 0.12, 0.18], 0.02, [0.0, 2.22, 0.05]);
    frame.add(block([0.12, 2.2, 0.16], 0.02, [0.56, 1.1, 0.05]));
    frame.add(block([0.12, 2.2, 0.16], 0.02, [-0.56, 1.1, 0.05]));
    for (px, py) in [(-0.24, 0.6), (0.24, 0.6), (-0.24, 1.5), (0.24, 1.5)] {
        frame.add(block([0.36, 0.7, 0.03], 0.012, [px, py, 0.07]));
    }
    model.part(
        "门",
        vec![(leaf, door), (frame, trim)],
        None,
        Place::at([door_at, plinth, z]),
    );
    let mut stairs = Shape::default();
    for i in 0..3 {
        let deep = 0.35 * (3 - i) as f32 + if porch > 0.0 { 1.3 } else { 0.0 };
        stairs.add(plank(
            [2.2, 0.15, deep],
            0.02,
            [door_at, 0.075 + 0.15 * i as f32, z + 0.12 + deep / 2.0],
            1.0,
        ));
    }
    model.part("台阶", vec![(stairs, stone)], None, Place::at([0.0; 3]));
    if porch > 0.0 {
        let mut posts = block([2.5, 0.16, 1.75], 0.03, [door_at, plinth + 2.62, z + 0.85]);
        for side in [1.0, -1.0] {
            posts.add(collar(0.01, 0.09, plinth, plinth + 2.6, 0.01, 24).at(
                door_at + side * 0.95,
                0.0,
                z + 1.5,
            ));
            posts.add(block(
                [0.28, 0.14, 0.28],
                0.03,
                [door_at + side * 0.95, plinth + 0.07, z + 1.5],
            ));
            posts.add(block(
                [0.26, 0.1, 0.26],
                0.03,
                [door_at + side * 0.95, plinth + 2.5, z + 1.5],
            ));
        }
        let hood = plate(&[[-1.35, 0.0], [1.35, 0.0], [0.0, 0.75]], &[], 1.9, 0.03).at(
            door_at,
            plinth + 2.7,
            z,
        );
        model.part(
            "门廊",
            vec![(posts, trim), (hood.boxed(1.2), tiles)],
            None,
            Place::at([0.0; 3]),
        );
    }
    for i in 0..chimneys as usize {
        let at = if i == 0 { x * 0.55 } else { -x * 0.55 };
        let top = plinth + high + rise + 0.9;
        let low = plinth + high + rise * 0.35;
        let stack = plank(
            [0.8, top - low, 0.7],
            0.02,
            [at, (top + low) / 2.0, -z * 0.25],
            1.4,
        );
        let cap = block([1.0, 0.14, 0.9], 0.03, [at, top, -z * 0.25]);
        let pot = collar(0.1, 0.15, top, top + 0.4, 0.02, 28).at(at, 0.0, -z * 0.25);
        model.part(
            "烟囱",
            vec![(stack, wall), (cap, stone), (pot, tiles)],
            None,
            Place::at([0.0; 3]),
        );
    }
    Ok(model.scene)
}

fn window(model: &mut Model, wide: f32, tall: f32, trim: u32, glass: u32) -> u32 {
    let (w, h) = (wide / 2.0, tall / 2.0);
    let hole = |x0: f32, x1: f32, y0: f32, y1: f32| vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let b = 0.05;
    let outer = [
        [-w - 0.08, -h - 0.08],
        [w + 0.08, -h - 0.08],
        [w + 0.08, h + 0.08],
        [-w - 0.08, h + 0.08],
    ];
    let holes = [
        hole(-w, -b / 2.0, -h, h * 0.25),
        hole(b / 2.0, w, -h, h * 0.25),
        hole(-w, -b / 2.0, h * 0.25 + b, h),
        hole(b / 2.0, w, h * 0.25 + b, h),
    ];
    let mut frame = plate(&outer, &holes, 0.1, 0.015).at(0.0, h, 0.0);
    frame.add(block([wide + 0.34, 0.07, 0.26], 0.015, [0.0, -0.1, 0.08]));
    let pane = block([wide + 0.02, tall + 0.02, 0.02], 0.004, [0.0, h, 0.03]);
    model.mesh("窗", vec![(frame, trim), (pane, glass)])
}
