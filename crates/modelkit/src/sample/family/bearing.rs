//! A deep groove ball bearing with its cage.

use super::kit::hoop;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{arc, sphere, torus};
use crate::{Result, Scene};
use std::f32::consts::{PI, TAU};

pub const FAMILY: Family = Family {
    name: "bearing",
    title: "深沟球轴承",
    params: &[
        size("bore", "内径（毫米）", [5.0, 120.0], 25.0),
        size("outer", "外径与内径之比", [1.6, 3.2], 2.08),
        size("width", "宽度（毫米）", [4.0, 60.0], 15.0),
        count("balls", "钢球数", [5, 16], 9),
        count("seal", "防尘盖：0 开式，1 单面，2 双面", [0, 2], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [bore, ratio, width, balls, seal] = values(given);
    let inner = bore / 2000.0;
    let outer = inner * ratio;
    let half = width / 2000.0;
    let middle = (inner + outer) / 2.0;
    let gap = outer - inner;
    let ball = (gap * 0.31)
        .min(half * 0.72)
        .min(middle * (PI / balls).sin() * 0.88);
    let land = ball * 0.62;
    let bevel = gap * 0.05;

    let mut model = Model::new("深沟球轴承", ask);
    let steel = model.paint("轴承钢", 0xC7CCD4, 1.0, 0.22);
    let bright = model.paint("镜面钢球", 0xE8EBF0, 1.0, 0.08);
    let brass = model.brass();
    let cover = model.paint("防尘盖", 0x2A2E35, 0.2, 0.6);

    // Sections run counter-clockwise in (radius, height); the groove is an arc about the ball's centre.
    let groove = ball * 1.03;
    let open = (land / groove).clamp(-1.0, 1.0).acos();
    let mut race = vec![[inner, half], [inner, -half], [middle - land, -half]];
    race.push([middle - land, -groove * open.sin()]);
    arc(&mut race, [middle, 0.0], groove, PI + open, PI - open, 14);
    race.push([middle - land, half]);
    let inner_ring = hoop(&race, bevel, 96);
    let mut race = vec![[outer, -half], [outer, half], [middle + land, half]];
    race.push([middle + land, groove * open.sin()]);
    arc(&mut race, [middle, 0.0], groove, open, -open, 14);
    race.push([middle + land, -half]);
    let outer_ring = hoop(&race, bevel, 96);
    model.part(
        "内圈",
        vec![(inner_ring, steel)],
        None,
        Place::at([0.0, half, 0.0]),
    );
    model.part(
        "外圈",
        vec![(outer_ring, steel)],
        None,
        Place::at([0.0, half, 0.0]),
    );

    let mesh = model.mesh("钢球", vec![(sphere(ball, 0.9), bright)]);
    let pocket = torus(ball * 1.06, ball * 0.13, 0.5);
    let mut cage = Shape::default();
    for i in 0..balls as usize {
        let angle = TAU * i as f32 / balls;
        let at = [middle * angle.cos(), half, -middle * angle.sin()];
        model.node("钢球", Some(mesh), None, Place::at(at));
        // The axes of the pockets are radial.
        cage.add(
            pocket
                .clone()
                .turned(2, PI / 2.0)
                .at(middle, 0.0, 0.0)
                .turned(1, angle),
        );
    }
    let bar = ball * 0.12;
    for side in [-1.0, 1.0] {
        let y = side * ball * 1.06;
        let section = [
            [middle - ball * 0.3, y - bar],
            [middle + ball * 0.3, y - bar],
            [middle + ball * 0.3, y + bar],
            [middle - ball * 0.3, y + bar],
        ];
        cage.add(hoop(&section, bar * 0.6, 96));
    }
    model.part(
        "保持架",
        vec![(cage, brass)],
        None,
        Place::at([0.0, half, 0.0]),
    );
    for side in 0..seal as usize {
        let low = if side == 0 { half * 0.84 } else { -half * 0.93 };
        let high = low + half * 0.09;
        let (a, b) = (middle - land * 1.02, middle + land * 1.02);
        let ring = hoop(&[[a, low], [b, low], [b, high], [a, high]], half * 0.03, 96);
        model.part(
            "防尘盖",
            vec![(ring, cover)],
            None,
            Place::at([0.0, half, 0.0]),
        );
    }
    Ok(model.scene)
}
