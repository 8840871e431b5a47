//! A wind turbine whose rotor turns.

use super::kit::{airfoil, block, circle, loft, plate, soften, turning};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place, steady};
use crate::sample::shape::Point;
use crate::{Result, Scene};
use std::f32::consts::{FRAC_PI_2, TAU};

pub const FAMILY: Family = Family {
    name: "wind-turbine",
    title: "风力发电机（转动动画）",
    params: &[
        size("hub", "轮毂高（米）", [20.0, 160.0], 90.0),
        size("rotor", "风轮直径与轮毂高之比", [0.5, 1.5], 1.1),
        count("blades", "叶片数", [2, 5], 3),
        size("chord", "叶根弦长与叶长之比", [0.05, 0.16], 0.085),
        size("twist", "叶片扭角（度）", [0.0, 30.0], 16.0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [hub, rotor, blades, chord, twist] = values(given);
    let mut model = Model::new("风力发电机", ask);
    let white = model.paint("白漆", 0xF0F2F3, 0.05, 0.38);
    let red = model.coat("警示红", 0xC23A30);
    let grey = model.paint("灰漆", 0x8A9199, 0.2, 0.5);
    let stone = model.mottled("混凝土", 0xB4B1AA, 0.1, 0.95)?;
    let grass = model.mottled("草地", 0x6E8A4C, 0.22, 1.0)?;

    let (foot, head) = (hub * 0.028, hub * 0.016);
    let tower = turning(
        &[
            [0.0, 0.0],
            [foot, 0.0],
            [(foot + head) / 2.0, hub * 0.5],
            [head, hub * 0.985],
            [0.0, hub * 0.985],
        ],
        head * 0.1,
        56,
    );
    let mut rings = super::kit::collar(foot * 0.7, foot * 1.16, 0.0, hub * 0.006, hub * 0.001, 56);
    for t in [0.33f32, 0.66] {
        let r = foot + (head - foot) * t;
        rings.add(super::kit::collar(
            r * 0.9,
            r * 1.035,
            hub * t,
            hub * (t + 0.004),
            hub * 0.0008,
            56,
        ));
    }
    let door = block(
        [foot * 0.7, foot * 1.7, foot * 0.2],
        foot * 0.06,
        [0.0, foot * 1.3, foot * 0.95],
    );
    model.part(
        "塔筒",
        vec![(tower, white), (rings, grey), (door, grey)],
        None,
        Place::at([0.0; 3]),
    );
    let pad = turning(
        &[
            [0.0, -foot * 0.4],
            [foot * 3.2, -foot * 0.4],
            [foot * 3.0, foot * 0.1],
            [0.0, foot * 0.1],
        ],
        foot * 0.1,
        48,
    );
    let lawn = turning(
        &[
            [0.0, -foot],
            [foot * 9.0, -foot],
            [foot * 8.0, -foot * 0.2],
            [0.0, -foot * 0.2],
        ],
        foot * 0.3,
        64,
    );
    model.part(
        "基础",
        vec![(pad.boxed(3.0), stone), (lawn.boxed(8.0), grass)],
        None,
        Place::at([0.0; 3]),
    );

    // The nacelle: rounded sections from the tail to the hub.
    let big = head * 1.25;
    let tail = -big * 4.2;
    let sections = (0..=14).map(|i| {
        let t = i as f32 / 14.0;
        let z = tail + (big * 1.9 - tail) * t;
        let swell = (t * 12.0).min(1.0).sqrt()
            * (1.0 - 0.25 * (1.0 - t).powi(3))
            * if t > 0.93 { 0.82 } else { 1.0 };
        let square = soften(
            &[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]],
            0.8,
            6,
            true,
        );
        square
            .iter()
            .map(|p| [p[0] * big * swell, p[1] * big * swell * 1.05 + big * 0.4, z])
            .collect::<Vec<Point>>()
    });
    let nacelle = loft(sections.collect());
    let vane = block(
        [big * 0.1, big * 0.9, big * 0.1],
        big * 0.03,
        [0.0, big * 1.8, tail * 0.75],
    );
    let body = model.part(
        "机舱",
        vec![(nacelle, white), (vane, red)],
        None,
        Place::at([0.0, hub, 0.0]),
    );

    let front = big * 2.9;
    let spin = model.node("风轮", None, Some(body), Place::at([0.0, big * 0.4, front]));
    let nose = turning(
        &[
            [0.0, -big * 1.1],
            [big * 0.9, -big * 1.1],
            [big * 0.98, -big * 0.2],
            [big * 0.75, big * 0.6],
            [big * 0.35, big * 1.05],
            [0.0, big * 1.2],
        ],
        big * 0.25,
        56,
    )
    .turned(0, FRAC_PI_2);
    let long = hub * rotor / 2.0;
    let blade = blade(long, long * chord, big * 0.34, twist.to_radians());
    let mesh = model.mesh("叶片", vec![(blade.0, white), (blade.1, red)]);
    let flange = plate(
        &circle(big * 0.42, 36, [0.0, 0.0]),
        &[],
        big * 0.24,
        big * 0.04,
    )
    .laid()
    .at(0.0, big * 0.72, 0.0);
    let hub_parts = vec![(nose, white), (flange.around_z(blades as usize), grey)];
    model.part("轮毂", hub_parts, Some(spin), Place::at([0.0; 3]));
    for i in 0..blades as usize {
        let turn = TAU * i as f32 / blades;
        model.node(
            &format!("叶片 {}", i + 1),
            Some(mesh),
            Some(spin),
            Place::at([0.0; 3]).turned(2, turn),
        );
    }
    let (times, angles) = steady(6.0, 24, -1.0, 0.0);
    model.turns("运转", &times, &[(spin, 2, angles)]);
    Ok(model.scene)
}

/// The blade upwards from the hub and its red tip.
fn blade(
    long: f32,
    chord: f32,
    root: f32,
    twist: f32,
) -> (crate::sample::shape::Shape, crate::sample::shape::Shape) {
    let ring = circle(1.0, 28, [0.0, 0.0]);
    let section = |t: f32| -> Vec<Point> {
        let wing = airfoil(1.0, 0.16, 14);
        let grown = ((t - 0.03) / 0.17).clamp(0.0, 1.0);
        let grown = grown * grown * (3.0 - 2.0 * grown);
        let wide = chord * (1.0 - 0.78 * ((t - 0.2) / 0.8).max(0.0).powf(0.85));
        let (sin, cos) = (twist * (1.0 - t).powi(2)).sin_cos();
        (0..28)
            .map(|i| {
                // Both run counter-clockwise from the nose or the tail.
                let a = ring[(i + 14) % 28];
                let b = wing[i];
                let p = [0, 1].map(|k| a[k] * root * (1.0 - grown) + b[k] * wide * grown);
                [
                    p[0] * cos - p[1] * sin,
                    t * long,
                    -(p[0] * sin + p[1] * cos),
                ]
            })
            .collect()
    };
    let part = |from: f32, to: f32, n: usize| {
        loft(
            (0..=n)
                .map(|i| section(from + (to - from) * i as f32 / n as f32))
                .collect(),
        )
    };
    (part(0.008, 0.93, 30), part(0.93, 1.0, 4))
}

impl crate::sample::shape::Shape {
    /// Copies evenly about the z axis.
    fn around_z(self, count: usize) -> Self {
        let mut all = Self::default();
        for i in 0..count {
            all.add(self.clone().turned(2, TAU * i as f32 / count as f32));
        }
        all
    }
}
