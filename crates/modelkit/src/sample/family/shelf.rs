//! A bookcase with books on its boards.

use super::kit::{block, plank};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::noise::Dice;
use crate::sample::shape::Shape;
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "shelf",
    title: "书架",
    params: &[
        size("width", "宽（米）", [0.4, 2.4], 0.9),
        size("height", "高（米）", [0.6, 2.6], 1.9),
        count("tiers", "层数", [2, 8], 5),
        count("columns", "列数", [1, 4], 1),
        size("books", "摆书的比例", [0.0, 1.0], 0.6),
        count("back", "背板：0 无，1 有", [0, 1], 1),
        count(
            "wood",
            "木材：0 橡木，1 胡桃，2 樱桃，3 松木，4 乌木",
            [0, 4],
            0,
        ),
    ],
    make,
};

const DEPTH: f32 = 0.3;
const BOARD: f32 = 0.022;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [width, height, tiers, columns, books, back, kind] = values(given);
    let mut model = Model::new("书架", ask);
    let wood = model.wood(kind)?;
    let iron = model.paint("脚与五金", 0x2B2D31, 0.7, 0.45);
    let covers = [0x8C3B32, 0x2F4A6B, 0x49684F, 0xC9A35A].map(|c| model.coat("书封", c));
    let paper = model.paint(
        "纸",
        tone([0xEFE7D4, 0xE8DFC9, 0xEFE7D4, 0xEFE7D4, 0xF3EEDF], kind),
        0.0,
        0.95,
    );

    let low = 0.07;
    let mut case = Shape::default();
    let inner = width - BOARD;
    for c in 0..=columns as usize {
        let x = -inner / 2.0 + inner * c as f32 / columns;
        case.add(plank(
            [BOARD, height - low, DEPTH],
            0.003,
            [x, (height + low) / 2.0, 0.0],
            0.7,
        ));
    }
    let room = height - low - BOARD;
    for t in 0..=tiers as usize {
        let y = low + BOARD / 2.0 + room * t as f32 / tiers;
        let over = if t == tiers as usize { 0.03 } else { -BOARD };
        case.add(plank(
            [width + over, BOARD, DEPTH + over.max(0.0)],
            0.003,
            [0.0, y, over.max(0.0) / 2.0],
            0.7,
        ));
    }
    if back > 0.0 {
        case.add(plank(
            [width - 0.004, height - low, 0.008],
            0.002,
            [0.0, (height + low) / 2.0, -DEPTH / 2.0 + 0.004],
            0.7,
        ));
    }
    let mut feet = Shape::default();
    for (sx, sz) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
        let at = [
            sx * (width / 2.0 - 0.05),
            low / 2.0,
            sz * (DEPTH / 2.0 - 0.04),
        ];
        feet.add(block([0.035, low, 0.035], 0.006, at));
    }
    model.part(
        "柜体",
        vec![(case, wood), (feet, iron)],
        None,
        Place::at([0.0; 3]),
    );

    let mut dice = Dice::new(ask.seed);
    let mut bound = [
        Shape::default(),
        Shape::default(),
        Shape::default(),
        Shape::default(),
    ];
    let mut pages = Shape::default();
    let (bay, tall) = (inner / columns, room / tiers - BOARD);
    for t in 0..tiers as usize {
        for c in 0..columns as usize {
            let floor = low + BOARD + room * t as f32 / tiers;
            let left = -inner / 2.0 + bay * c as f32 + BOARD / 2.0;
            let mut x = 0.006;
            let fill = (bay - BOARD) * books * dice.between(0.7, 1.25).min(1.0 / books.max(0.01));
            while x < fill - 0.05 {
                let thick = dice.between(0.022, 0.05);
                let high = (tall * dice.between(0.62, 0.9)).min(0.34);
                let deep = dice.between(0.16, 0.22);
                let at = [left + x + thick / 2.0, floor + high / 2.0, -0.02];
                bound[dice.pick(4)].add(cover([thick, high, deep], at));
                pages.add(block(
                    [thick - 0.005, high - 0.008, deep - 0.004],
                    0.001,
                    [at[0], at[1], at[2] - 0.001],
                ));
                x += thick + 0.0015;
            }
        }
    }
    for (shape, cover) in bound.into_iter().zip(covers) {
        if !shape.indices.is_empty() {
            model.part("书", vec![(shape, cover)], None, Place::at([0.0; 3]));
        }
    }
    if !pages.indices.is_empty() {
        model.part("书页", vec![(pages, paper)], None, Place::at([0.0; 3]));
    }
    Ok(model.scene)
}

/// Two boards and a spine that faces the reader.
fn cover([thick, high, deep]: [f32; 3], [x, y, z]: [f32; 3]) -> Shape {
    let board = |size, at| crate::sample::solids::rounded_box(size, 0.0012, 0.2).moved(at);
    let mut all = board([0.003, high, deep], [x - thick / 2.0 + 0.0015, y, z]);
    all.add(board([0.003, high, deep], [x + thick / 2.0 - 0.0015, y, z]));
    all.add(board([thick, high, 0.004], [x, y, z + deep / 2.0]));
    all
}
