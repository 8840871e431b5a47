//! A high-rise whose floors turn and narrow towards the top.

use super::kit::{Flat, plate, soften};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::rod;
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "tower",
    title: "高层塔楼",
    params: &[
        count("floors", "层数", [8, 90], 42),
        count("sides", "平面边数", [3, 12], 4),
        size("radius", "平面半径（米）", [8.0, 40.0], 20.0),
        size("twist", "总扭转角（度）", [0.0, 240.0], 90.0),
        size("taper", "顶层与底层之比", [0.3, 1.0], 0.7),
        count("fins", "每边竖向装饰条", [0, 8], 4),
        count("tone", "幕墙：0 蓝，1 青铜，2 银灰", [0, 2], 0),
    ],
    make,
};

const STOREY: f32 = 3.9;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [floors, sides, radius, twist, taper, fins, color] = values(given);
    let mut model = Model::new("高层塔楼", ask);
    let glass = model.paint(
        "幕墙玻璃",
        tone([0x2F5878, 0x4A3A2B, 0x4C5660], color),
        0.55,
        0.12,
    );
    let slab = model.paint(
        "楼板",
        tone([0xE9EDF1, 0xC9A878, 0xD9DCE0], color),
        0.2,
        0.4,
    );
    let metal = model.paint(
        "竖梃",
        tone([0xBFC7D0, 0x8A6B43, 0xF2F3F5], color),
        0.9,
        0.35,
    );
    let stone = model.stone(0.0)?;
    let green = model.mottled("绿化", 0x5E7F4A, 0.2, 0.95)?;

    let corner: Vec<Flat> = (0..sides as usize)
        .map(|i| {
            let (sin, cos) = (TAU * (i as f32 + 0.5) / sides).sin_cos();
            [radius * cos, radius * sin]
        })
        .collect();
    let outline = |by: f32| -> Vec<Flat> {
        let points: Vec<Flat> = corner.iter().map(|p| [p[0] * by, p[1] * by]).collect();
        soften(&points, radius * 0.35, 7, true)
    };
    let body = plate(&outline(0.94), &[], STOREY - 0.5, 0.05).laid();
    let edge = plate(&outline(1.0), &[outline(0.9)], 0.62, 0.14).laid();
    let mut bars = Shape::default();
    let points = outline(0.955);
    let many = (fins * sides) as usize;
    for i in 0..many {
        // Evenly along the outline's points, with the corners rounded as they are.
        let at = points[i * points.len() / many.max(1)];
        bars.add(rod(
            [at[0], 0.0, at[1]],
            [at[0], STOREY, at[1]],
            radius * 0.012 + 0.08,
            0.45,
        ));
    }
    let mut parts = vec![(body.at(0.0, 0.55, 0.0), glass), (edge, slab)];
    if many > 0 {
        parts.push((bars, metal));
    }
    let storey = model.mesh("标准层", parts);
    let lobby = 2.0 * STOREY;
    let mut top = Place::at([0.0; 3]);
    for i in 0..floors as usize {
        let t = i as f32 / (floors - 1.0).max(1.0);
        // Narrowing gathers towards the top.
        let scale = 1.0 + (taper - 1.0) * t * t * (1.6 - 0.6 * t);
        let place = Place::at([0.0, lobby + STOREY * i as f32, 0.0]);
        let place = place
            .turned(1, twist.to_radians() * t)
            .scaled([scale, 1.0, scale]);
        model.node(&format!("{} 层", i + 2), Some(storey), None, place);
        top = place;
    }
    let crown = plate(&outline(1.0), &[outline(0.95)], STOREY * 1.2, 0.1).laid();
    let roof = plate(&outline(0.96), &[], 0.5, 0.1).laid();
    top.translation[1] += STOREY;
    model.part("塔冠", vec![(crown, slab), (roof, metal)], None, top);
    let mast = STOREY * floors * 0.16;
    let spire = super::kit::turning(
        &[
            [0.0, 0.0],
            [radius * 0.05, 0.0],
            [radius * 0.035, mast * 0.5],
            [0.0, mast],
        ],
        radius * 0.01,
        20,
    );
    model.part(
        "天线",
        vec![(spire, metal)],
        None,
        Place::at([0.0, top.translation[1], 0.0]),
    );

    let hall = plate(&outline(1.0), &[], lobby * 0.92, 0.1).laid();
    let canopy = plate(&outline(1.14), &[], 0.7, 0.2)
        .laid()
        .at(0.0, lobby * 0.9, 0.0);
    let mut posts = Shape::default();
    for p in outline(1.09).iter().step_by(4) {
        posts.add(rod(
            [p[0], 0.4, p[1]],
            [p[0], lobby * 0.92, p[1]],
            radius * 0.022,
            0.7,
        ));
    }
    model.part(
        "大堂",
        vec![(hall, glass), (canopy, slab), (posts, metal)],
        None,
        Place::at([0.0, 0.0, 0.0]),
    );
    let side = radius * 3.2;
    let square = |half: f32| {
        soften(
            &[[-half, -half], [half, -half], [half, half], [-half, half]],
            half * 0.1,
            5,
            true,
        )
    };
    let plaza = plate(&square(side / 2.0), &[], 0.6, 0.15)
        .laid()
        .boxed(12.0);
    let lawn = plate(&square(side * 0.47), &[square(side * 0.42)], 0.5, 0.12)
        .laid()
        .boxed(8.0);
    model.part(
        "广场",
        vec![(plaza.at(0.0, -0.3, 0.0), stone), (lawn, green)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}
