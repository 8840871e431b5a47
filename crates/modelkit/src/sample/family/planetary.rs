//! A planetary gear set that turns at its true ratios, standing on a foot.

use super::gearing::outline;
use super::kit::{block, circle, collar, plate};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place, steady};
use crate::sample::solids::cylinder;
use crate::{Error, Result, Scene};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

pub const FAMILY: Family = Family {
    name: "planetary",
    title: "行星齿轮组（运转动画）",
    params: &[
        count("sun", "太阳轮齿数", [12, 48], 24),
        count("planet", "行星轮齿数", [12, 30], 18),
        count("planets", "行星轮个数", [2, 5], 3),
        size("module", "模数（毫米）", [1.0, 8.0], 2.0),
        size("width", "齿宽（毫米）", [8.0, 60.0], 18.0),
    ],
    make,
};

const SECONDS: f32 = 12.0;
const KEYS: usize = 48;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [sun, planet, planets, module, width] = values(given);
    if (sun + planet) * (PI / planets).sin() <= planet + 2.4 {
        return Err(Error::Usage(
            "行星轮会互相碰撞：减少 planets 或 planet，或增大 sun".into(),
        ));
    }
    let (module, width) = (module / 1000.0, width / 1000.0);
    let ring = sun + 2.0 * planet;
    let outer = ring * module / 2.0 + 4.5 * module;
    let bevel = module * 0.14;

    let mut model = Model::new("行星齿轮组", ask);
    let steel = model.paint("磨光钢", 0xC4C9D1, 1.0, 0.3);
    let blue = model.paint("蓝漆", 0x2C5FC4, 0.3, 0.36);
    let teal = model.paint("青漆", 0x1E8F8C, 0.3, 0.36);
    let brass = model.brass();
    let iron = model.iron();

    let high = outer + 4.0 * module;
    let foot = block(
        [outer * 1.5, 4.0 * module, width * 2.6],
        module,
        [0.0, 2.0 * module, width / 2.0],
    );
    let post = block(
        [outer * 0.5, 7.0 * module, width * 0.8],
        module,
        [0.0, 6.0 * module, width / 2.0],
    );
    model.part(
        "底座",
        vec![(foot, iron), (post, iron)],
        None,
        Place::at([0.0; 3]),
    );
    let root = model.node("齿轮组", None, None, Place::at([0.0, high, 0.0]));

    let bolts: Vec<_> = (0..12)
        .map(|i| {
            let (sin, cos) = (TAU * i as f32 / 12.0).sin_cos();
            let r = outer - 1.6 * module;
            circle(module * 0.7, 16, [r * cos, r * sin])
        })
        .collect();
    let mut holes = bolts;
    holes.push(outline(ring as usize, module, true));
    let annulus = plate(&circle(outer, 120, [0.0, 0.0]), &holes, width, bevel * 2.0);
    // An odd planet has a gap where an even one has a tooth.
    let shift = if planet as usize % 2 == 1 {
        PI / ring
    } else {
        0.0
    };
    model.part(
        "齿圈",
        vec![(annulus, iron)],
        Some(root),
        Place::at([0.0; 3]).turned(2, shift),
    );

    let wheel = |teeth: f32, bore: f32| {
        let hole = circle(bore, 40, [0.0, 0.0]);
        plate(
            &outline(teeth as usize, module, false),
            &[hole],
            width,
            bevel,
        )
    };
    let hub = |radius: f32, bore: f32, long: f32| {
        let shape = collar(bore, radius, 0.0, long, bevel * 2.0, 48).turned(0, FRAC_PI_2);
        shape.at(0.0, 0.0, (width - long) / 2.0)
    };
    let sun_bore = sun * module * 0.17;
    let sun_node = model.part(
        "太阳轮",
        vec![
            (wheel(sun, sun_bore), steel),
            (hub(sun * module * 0.3, sun_bore * 0.8, width * 1.3), blue),
        ],
        Some(root),
        Place::at([0.0; 3]),
    );
    let carrier = model.node("行星架", None, Some(root), Place::at([0.0; 3]));
    let away = (sun + planet) * module / 2.0;
    let pin = planet * module * 0.13;
    let lobes = |angle: f32| {
        let near = ((angle * planets).cos() * 0.5 + 0.5).powi(2);
        away * (0.62 + 0.38 * near) + 1.2 * pin + module
    };
    let edge: Vec<_> = (0..120)
        .map(|i| {
            let angle = TAU * i as f32 / 120.0;
            [lobes(angle) * angle.cos(), lobes(angle) * angle.sin()]
        })
        .collect();
    let thick = width * 0.16;
    let back = plate(&edge, &[circle(sun_bore, 40, [0.0, 0.0])], thick, bevel).at(
        0.0,
        0.0,
        -thick - width * 0.18,
    );
    model.part(
        "架板",
        vec![(back, brass)],
        Some(carrier),
        Place::at([0.0; 3]),
    );

    let wheel = model.mesh(
        "行星轮",
        vec![
            (wheel(planet, pin), steel),
            (hub(planet * module * 0.3, pin * 0.95, width * 1.12), teal),
        ],
    );
    let shaft = cylinder(pin * 0.93, width * 1.6, bevel * 2.0, 0.8).turned(0, FRAC_PI_2);
    let shaft = model.mesh("销轴", vec![(shaft, brass)]);
    let (times, sun_angles) = steady(SECONDS, KEYS, 1.0 + ring / sun, 0.0);
    let (_, angles) = steady(SECONDS, KEYS, 1.0, 0.0);
    let mut tracks = vec![(sun_node, 2, sun_angles), (carrier, 2, angles)];
    for i in 0..planets as usize {
        // The nearest place at which the teeth can be put together.
        let places = sun + ring;
        let angle = (i as f32 / planets * places).round() / places * TAU;
        let at = [away * angle.cos(), away * angle.sin(), 0.0];
        // A gap of the planet meets a tooth of the sun.
        let phase = angle + PI + (angle * sun - PI) / planet;
        let place = Place::at(at).turned(2, phase);
        let node = model.node(
            &format!("行星轮 {}", i + 1),
            Some(wheel),
            Some(carrier),
            place,
        );
        let place = Place::at([at[0], at[1], -width * 0.35]);
        model.node("销轴", Some(shaft), Some(carrier), place);
        tracks.push((node, 2, steady(SECONDS, KEYS, -ring / planet, phase).1));
    }
    model.turns("运转", &times, &tracks);
    Ok(model.scene)
}
