//! A cable-stayed bridge over water: two pylons, deck, stays, lamps and cars.

use super::model::{Ask, BLUE, GOLD, INK, Model, PALE, Place, TEAL};
use super::noise::{Dice, fractal, mix, paint, rgb};
use super::shape::{Point, Shape, steps};
use super::solids::{cylinder, rod, rounded_box};
use crate::scene::Material;
use crate::{Result, Scene};
use image::DynamicImage;

/// Metres: half the main span, half the bridge, height of deck and pylons.
const SPAN: f32 = 110.0;
const END: f32 = 210.0;
const DECK: f32 = 22.0;
const TOP: f32 = 88.0;
const STAYS: usize = 14;

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("双塔斜拉桥", ask);
    let concrete = model.paint("混凝土", 0xD9DCE0, 0.0, 0.8);
    let white = model.paint("月白漆", 0xF4F6FA, 0.1, 0.45);
    let asphalt = model.paint("沥青", 0x2A2E36, 0.0, 0.9);
    let line = model.paint("标线", 0xFFFFFF, 0.0, 0.6);
    let stay = model.paint("斜拉索", PALE, 0.8, 0.35);
    let blue = model.paint("玄青", BLUE, 0.2, 0.4);
    let ripples = model.texture("ripples.png", || ripples(seed))?;
    let water = model.material(Material {
        roughness: 0.12,
        normal_texture: Some(ripples),
        normal_scale: 0.7,
        ..Material::plain("江水", [0.05, 0.20, 0.24, 1.0])
    });

    deck(&mut model, detail, [concrete, asphalt, line, blue]);
    let pylon = model.mesh("桥塔", pylon(detail, concrete, blue));
    for side in [-1.0f32, 1.0] {
        model.node(
            "桥塔",
            Some(pylon),
            None,
            Place::at([SPAN * side, 0.0, 0.0]),
        );
    }
    stays(&mut model, detail, stay);
    lamps(&mut model, detail, white);
    cars(&mut model, detail, seed);
    let pier = model.mesh(
        "桥墩",
        vec![(
            rounded_box([4.0, DECK - 2.0, 12.0], 1.2, detail * 0.8),
            concrete,
        )],
    );
    for x in [-END + 8.0, -165.0, 165.0, END - 8.0] {
        model.node(
            "桥墩",
            Some(pier),
            None,
            Place::at([x, (DECK - 2.0) / 2.0, 0.0]),
        );
    }
    banks(&mut model, detail, seed)?;
    let n = steps(detail, 90.0, 6);
    let sea = Shape::patch(n, n / 2, false, |u, v| {
        let (x, z) = ((u - 0.5) * 2.0 * END, (0.5 - v) * 180.0);
        let wave = 0.22 * (x * 0.21 + z * 0.13).sin() + 0.16 * (x * 0.34 - z * 0.41).sin();
        [x, wave, z]
    });
    model.part(
        "江面",
        vec![(sea.tiled(14.0, 6.0), water)],
        None,
        Place::at([0.0; 3]),
    );
    Ok(model.scene)
}

/// Green banks under both ends, on a block with river and banks.
fn banks(model: &mut Model, detail: f32, seed: u64) -> Result<()> {
    let meadow = model.texture("meadow.png", || {
        paint(256, 256, |u, v| {
            let tuft = fractal(u, v, 24, 4, seed ^ 3);
            mix(rgb(0x55763A), rgb(0x93A45C), tuft)
        })
    })?;
    let meadow = model.material(Material {
        base_color_texture: Some(meadow),
        ..Material::plain("草坡", [1.0; 4])
    });
    let earth = model.paint("基座", INK, 0.0, 0.7);
    let n = steps(detail, 36.0, 5);
    for side in [-1.0f32, 1.0] {
        let slope = Shape::patch(n, n, false, |u, v| {
            let (inner, z) = (u * 80.0, (0.5 - v) * 180.0);
            let bend = 10.0 * (z * 0.03 + side).sin();
            let rise = ((inner - 12.0 - bend) / 45.0).clamp(0.0, 1.0);
            let hill = fractal(u * 0.9, v * 0.9, 6, 3, seed) * 5.0 * rise;
            // Seen from outside, columns run to the right on both banks.
            let x = side * (END - 80.0 + inner);
            [
                x,
                -0.6 + 15.0 * rise * rise * (3.0 - 2.0 * rise) + hill,
                z * side,
            ]
        });
        let name = if side < 0.0 { "西岸" } else { "东岸" };
        model.part(
            name,
            vec![(slope.tiled(4.0, 9.0), meadow)],
            None,
            Place::at([0.0; 3]),
        );
    }
    let block = rounded_box([2.0 * END, 8.0, 180.0], 0.6, detail * 0.5).moved([0.0, -4.8, 0.0]);
    model.part("基座", vec![(block, earth)], None, Place::at([0.0; 3]));
    Ok(())
}

/// Normals of small waves.
fn ripples(seed: u64) -> DynamicImage {
    let height = |u: f32, v: f32| fractal(u.rem_euclid(1.0), v.rem_euclid(1.0), 8, 4, seed);
    paint(256, 256, |u, v| {
        const D: f32 = 1.0 / 256.0;
        let slope = |a: f32, b: f32| (a - b) * 12.0;
        let n = [
            slope(height(u - D, v), height(u + D, v)),
            slope(height(u, v + D), height(u, v - D)),
            1.0,
        ];
        let length = n.iter().map(|c| c * c).sum::<f32>().sqrt();
        n.map(|c| c / length * 0.5 + 0.5)
    })
}

/// The road rises slightly towards the middle.
fn road(x: f32) -> f32 {
    DECK + 2.5 * (1.0 - (x / END).powi(2))
}

fn deck(model: &mut Model, detail: f32, paints: [u32; 4]) {
    let [concrete, asphalt, line, blue] = paints;
    let n = steps(detail, 60.0, 6);
    let swept = |section: &[[f32; 2]], wrap: bool| {
        let row = |&[z, y]: &[f32; 2]| -> Vec<Point> {
            (0..=n)
                .map(|i| {
                    let x = -END + 2.0 * END * i as f32 / n as f32;
                    [x, road(x) + y, z]
                })
                .collect()
        };
        let mut rows: Vec<Vec<Point>> = section.iter().map(row).collect();
        if wrap {
            rows.push(row(&section[0]));
        }
        Shape::rows(&rows, false, [40.0, 1.0])
    };
    // Bottom first, then around the +z side to the top.
    let hull = [
        [-5.0, -2.4],
        [5.0, -2.4],
        [11.5, -0.7],
        [12.0, -0.2],
        [12.0, 0.15],
        [-12.0, 0.15],
        [-12.0, -0.2],
        [-11.5, -0.7],
    ];
    let top = [[9.6, 0.19], [-9.6, 0.19]];
    let mut lines = Shape::default();
    for z in [-9.2f32, -0.25, 0.25, 9.2] {
        lines.add(swept(&[[z + 0.09, 0.22], [z - 0.09, 0.22]], false));
    }
    let dashes = 70;
    for i in 0..dashes {
        let x = -END + 2.0 * END * (i as f32 + 0.5) / dashes as f32;
        for z in [-4.7f32, 4.7] {
            lines.add(rounded_box([3.0, 0.03, 0.16], 0.01, 0.2).moved([x, road(x) + 0.21, z]));
        }
    }
    let mut rails = Shape::default();
    for z in [-11.4f32, 11.4] {
        for y in [0.75, 1.15] {
            rails.add(swept(
                &[
                    [z - 0.06, y - 0.05],
                    [z + 0.06, y - 0.05],
                    [z + 0.06, y + 0.05],
                    [z - 0.06, y + 0.05],
                ],
                true,
            ));
        }
    }
    let parts = vec![
        (swept(&hull, true), concrete),
        (swept(&top, false), asphalt),
        (lines, line),
        (rails, blue),
    ];
    model.part("桥面", parts, None, Place::at([0.0; 3]));
}

/// An H whose legs lean towards each other above the deck.
fn pylon(detail: f32, concrete: u32, blue: u32) -> Vec<(Shape, u32)> {
    let mut legs = Shape::default();
    for side in [-1.0f32, 1.0] {
        legs.add(
            rounded_box([5.0, TOP, 3.6], 0.7, detail * 1.2).map(|[x, y, z]| {
                let t = y / TOP + 0.5;
                let slim = 1.15 - 0.4 * t;
                let out = 13.6 + 2.5 * (1.0 - t) - 7.5 * (t - 0.25).max(0.0).powf(1.4);
                [x * slim, y + TOP / 2.0, z * slim + side * out]
            }),
        );
    }
    let mut beams = rounded_box([4.0, 3.2, 26.0], 0.6, detail).moved([0.0, DECK - 2.6, 0.0]);
    beams.add(rounded_box([3.2, 2.6, 20.0], 0.5, detail).moved([0.0, TOP * 0.66, 0.0]));
    beams.add(rounded_box([3.0, 2.2, 17.0], 0.5, detail).moved([0.0, TOP - 4.0, 0.0]));
    let caps = rounded_box([11.0, 5.0, 38.0], 1.2, detail).moved([0.0, 1.0, 0.0]);
    let band = rounded_box([3.3, 0.5, 20.2], 0.1, detail).moved([0.0, TOP * 0.66 + 1.0, 0.0]);
    legs.add(beams);
    legs.add(caps);
    vec![(legs, concrete), (band, blue)]
}

fn stays(model: &mut Model, detail: f32, paint: u32) {
    for side in [-1.0f32, 1.0] {
        let mut fan = Shape::default();
        for i in 0..STAYS {
            let t = (i + 1) as f32 / STAYS as f32;
            for direction in [-1.0f32, 1.0] {
                let reach = t * (SPAN - 6.0).min(END - SPAN - 4.0);
                let x = SPAN * side + direction * (6.0 + reach * 0.94);
                for z in [-1.0f32, 1.0] {
                    let high = [
                        SPAN * side,
                        TOP * 0.56 + (TOP * 0.4) * t,
                        z * (10.0 - 1.8 * t),
                    ];
                    fan.add(rod([x, road(x), z * 10.8], high, 0.16, detail * 0.55));
                }
            }
        }
        model.part("斜拉索", vec![(fan, paint)], None, Place::at([0.0; 3]));
    }
}

fn lamps(model: &mut Model, detail: f32, white: u32) {
    let light = model.material(Material {
        emissive: [1.0, 0.9, 0.7],
        ..Material::plain("灯光", [1.0, 0.95, 0.85, 1.0])
    });
    let mut post = cylinder(0.12, 8.0, 0.03, detail * 0.4);
    post.add(rod([0.0, 7.9, 0.0], [0.0, 8.3, 2.4], 0.08, detail * 0.4));
    let bulb = rounded_box([0.3, 0.12, 0.9], 0.05, detail * 0.4).moved([0.0, 8.28, 2.5]);
    let mesh = model.mesh("路灯", vec![(post, white), (bulb, light)]);
    for i in 0..18 {
        let x = -END + 14.0 + (2.0 * END - 28.0) * i as f32 / 17.0;
        for (z, turn) in [(-11.0, 0.0), (11.0, std::f32::consts::PI)] {
            model.node(
                "路灯",
                Some(mesh),
                None,
                Place::at([x, road(x), z]).turned(1, turn),
            );
        }
    }
}

fn cars(model: &mut Model, detail: f32, seed: u64) {
    let mut dice = Dice::new(seed);
    let glass = model.paint("车窗", INK, 0.2, 0.08);
    let tyre = model.paint("轮胎", 0x14161A, 0.0, 0.9);
    let colors = [("蓝", BLUE), ("青", TEAL), ("金", GOLD), ("白", 0xF1F4FA)];
    let mut meshes = Vec::new();
    for (name, color) in colors {
        let paint = model.paint(&format!("车漆 {name}"), color, 0.3, 0.25);
        let body = rounded_box([4.4, 0.85, 1.8], 0.3, detail * 0.9).moved([0.0, 0.75, 0.0]);
        let cabin = rounded_box([2.4, 0.75, 1.55], 0.3, detail * 0.8).moved([-0.2, 1.35, 0.0]);
        let mut wheels = Shape::default();
        for x in [-1.4, 1.4] {
            for z in [-0.95f32, 0.75] {
                let wheel =
                    cylinder(0.34, 0.2, 0.04, detail * 0.45).turned(0, std::f32::consts::FRAC_PI_2);
                wheels.add(wheel.moved([x, 0.34, z]));
            }
        }
        meshes.push(model.mesh(
            &format!("汽车 {name}"),
            vec![(body, paint), (cabin, glass), (wheels, tyre)],
        ));
    }
    for i in 0..26 {
        let lane = [-7.0f32, -2.6, 2.6, 7.0][i % 4];
        let x = dice.between(-END + 10.0, END - 10.0);
        let turn = if lane < 0.0 {
            std::f32::consts::PI
        } else {
            0.0
        };
        let mesh = meshes[dice.pick(meshes.len())];
        model.node(
            "汽车",
            Some(mesh),
            None,
            Place::at([x, road(x) + 0.19, lane]).turned(1, turn),
        );
    }
}
