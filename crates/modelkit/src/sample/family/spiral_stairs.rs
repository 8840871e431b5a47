//! Spiral stairs about a post, with a handrail.

use super::kit::{circle, collar, plate, sweep, turning};
use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::shape::Shape;
use crate::sample::solids::{rod, sphere};
use crate::{Result, Scene};

pub const FAMILY: Family = Family {
    name: "spiral-stairs",
    title: "旋转楼梯",
    params: &[
        count("steps", "级数", [6, 40], 16),
        size("radius", "踏步外半径（米）", [0.6, 2.5], 1.0),
        size("rise", "每级高（毫米）", [140.0, 220.0], 185.0),
        size("turn", "总转角（度）", [90.0, 900.0], 360.0),
        count("balusters", "每级栏杆数", [1, 3], 2),
        count("wood", "踏步木材", [0, 4], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [steps, radius, rise, turn, balusters, kind] = values(given);
    let rise = rise / 1000.0;
    let mut model = Model::new("旋转楼梯", ask);
    let wood = model.wood(kind)?;
    let steel = model.paint(
        "钢构",
        tone([0x2A2D32, 0x26282C, 0xD9DBDD, 0xF0F0EE, 0xB98B3E], kind),
        0.7,
        0.42,
    );
    let each = turn.to_radians() / steps;
    let (post, total) = (0.07, rise * steps);
    let open = (each * 1.12).min(1.2);
    let mut edge = Vec::new();
    for i in 0..=10 {
        let a = open * i as f32 / 10.0;
        edge.push([radius * a.cos(), radius * a.sin()]);
    }
    edge.push([
        post * 0.9 * open.cos() + 0.02,
        post * 0.9 * open.sin() + 0.02,
    ]);
    edge.push([post * 0.9, -0.03]);
    let tread = plate(&edge, &[], 0.045, 0.012)
        .laid()
        .boxed(0.8)
        .at(0.0, -0.045, 0.0);
    let mut iron = collar(post * 0.8, post * 1.35, -rise + 0.004, -0.0, 0.01, 32);
    iron.add(
        rod(
            [post, -0.065, 0.0],
            [radius * 0.96, -0.065, 0.0],
            0.018,
            0.6,
        )
        .turned(1, open * 0.5),
    );
    for k in 0..balusters as usize {
        let a = each * (k as f32 + 0.5) / balusters;
        let (x, z) = ((radius - 0.04) * a.cos(), -(radius - 0.04) * a.sin());
        let up = 0.95 + rise * a / each;
        iron.add(rod([x, -0.03, z], [x, up, z], 0.009, 0.6));
        iron.add(sphere(0.02, 0.5).at(x, up * 0.5, z));
        iron.add(
            turning(
                &[[0.0, 0.0], [0.022, 0.0], [0.014, 0.02], [0.0, 0.02]],
                0.004,
                16,
            )
            .at(x, 0.0, z),
        );
    }
    let mesh = model.mesh("踏步", vec![(tread, wood), (iron, steel)]);
    for i in 0..steps as usize {
        let place = Place::at([0.0, rise * (i as f32 + 1.0), 0.0]).turned(1, each * i as f32);
        model.node(&format!("第 {} 级", i + 1), Some(mesh), None, place);
    }
    let helix = |r: f32, lift: f32| -> Vec<[f32; 3]> {
        let n = (steps * 5.0) as usize;
        (0..=n)
            .map(|i| {
                let t = i as f32 / n as f32;
                let a = turn.to_radians() * t;
                [r * a.cos(), total * t + lift, -r * a.sin()]
            })
            .collect()
    };
    let rail = sweep(
        &helix(radius - 0.04, 0.97 + rise),
        &circle(0.025, 16, [0.0, 0.0]),
        |_| 1.0,
    )
    .boxed(0.6);
    let mut iron = sweep(
        &helix(radius - 0.04, 0.45 + rise),
        &circle(0.009, 10, [0.0, 0.0]),
        |_| 1.0,
    );
    for end in [
        helix(radius - 0.04, 0.97 + rise).first().copied(),
        helix(radius - 0.04, 0.97 + rise).last().copied(),
    ]
    .into_iter()
    .flatten()
    {
        iron.add(sphere(0.04, 0.8).moved(end));
    }
    let core = [
        [0.0, 0.0],
        [post * 2.6, 0.0],
        [post * 2.6, 0.02],
        [post, 0.035],
        [post, total + 1.0],
        [0.0, total + 1.0],
    ];
    let mut column: Shape = turning(&core, 0.008, 40);
    column.add(sphere(post * 1.15, 0.9).at(0.0, total + 1.05, 0.0));
    model.part(
        "中柱",
        vec![(column, steel), (iron, steel)],
        None,
        Place::at([0.0; 3]),
    );
    model.part("扶手", vec![(rail, wood)], None, Place::at([0.0; 3]));
    Ok(model.scene)
}
