//! A planetary gear train that rotates at the right ratios.

use super::model::{Ask, BLUE, GOLD, GREY, INK, Model, PALE, Place, TEAL, steady};
use super::shape::{Shape, steps};
use super::solids::{cylinder, disc, torus};
use crate::{Result, Scene};
use std::f32::consts::{PI, TAU};

/// Teeth of sun, planets and ring: ring = sun + 2 · planet, and three planets are evenly spaced if sun + ring is
/// divisible by three.
const SUN: usize = 24;
const PLANET: usize = 18;
const RING: usize = SUN + 2 * PLANET;
const PLANETS: usize = 3;
/// Pitch diameter per tooth, metres.
const MODULE: f32 = 0.01;
const SECONDS: f32 = 12.0;

pub fn make(ask: Ask) -> Result<Scene> {
    let detail = ask.detail;
    let mut model = Model::new("行星齿轮组", ask);
    let steel = model.paint("拉丝钢", 0xC9CED6, 1.0, 0.34);
    let blue = model.paint("玄青", BLUE, 0.35, 0.35);
    let teal = model.paint("黛青", TEAL, 0.35, 0.38);
    let brass = model.paint("黄铜", GOLD, 1.0, 0.28);
    let dark = model.paint("石墨", INK, 0.6, 0.5);
    let light = model.paint("银灰", PALE, 0.85, 0.3);
    let grey = model.paint("铸铁", GREY, 0.7, 0.55);

    let stand = cylinder(0.42, 0.03, 0.008, detail * 2.0);
    model.part("底座", vec![(stand, dark)], None, Place::at([0.0; 3]));
    let level = 0.085;
    let root = model.node("齿轮组", None, None, Place::at([0.0, level, 0.0]));

    let mut ring = vec![(ring_gear(detail), grey)];
    ring.push((torus(0.388, 0.008, detail).moved([0.0, 0.045, 0.0]), brass));
    model.part("齿圈", ring, Some(root), Place::at([0.0; 3]));

    let sun = model.part(
        "太阳轮",
        gear(SUN, 0.35, detail, blue, steel),
        Some(root),
        Place::at([0.0; 3]),
    );
    let carrier = model.node("行星架", None, Some(root), Place::at([0.0; 3]));
    let mut plate = vec![(carrier_plate(detail), light)];
    plate.push((
        cylinder(0.05, 0.035, 0.006, detail).moved([0.0, 0.05, 0.0]),
        brass,
    ));
    model.part("架板", plate, Some(carrier), Place::at([0.0; 3]));

    let wheel = model.mesh("行星轮", gear(PLANET, 0.3, detail, teal, steel));
    let bolt = model.mesh(
        "销轴",
        vec![(cylinder(0.018, 0.13, 0.004, detail * 0.7), steel)],
    );
    // Carrier, sun and planets with a fixed ring: Willis' equation.
    let sun_rounds = 1.0 + RING as f32 / SUN as f32;
    let keys = 48;
    let (times, sun_angles) = steady(SECONDS, keys, sun_rounds, 0.0);
    let (_, carrier_angles) = steady(SECONDS, keys, 1.0, 0.0);
    let mut tracks = vec![(sun, 1, sun_angles), (carrier, 1, carrier_angles)];
    for i in 0..PLANETS {
        let angle = TAU * i as f32 / PLANETS as f32;
        let away = (SUN + PLANET) as f32 * MODULE / 2.0;
        let at = [away * angle.cos(), 0.0, -away * angle.sin()];
        // A tooth of the planet must meet a gap of the sun.
        let phase = angle + PI + (angle * SUN as f32 - PI) / PLANET as f32;
        let name = format!("行星轮 {}", i + 1);
        let node = model.node(
            &name,
            Some(wheel),
            Some(carrier),
            Place::at(at).turned(1, phase),
        );
        model.node(
            "销轴",
            Some(bolt),
            Some(carrier),
            Place::at([at[0], -0.045, at[2]]),
        );
        // Relative to the carrier: rolls on the ring.
        let rounds = -(RING as f32) / PLANET as f32;
        let (_, angles) = steady(SECONDS, keys, rounds, phase);
        tracks.push((node, 1, angles));
    }
    model.turns("运转", &times, &tracks);
    Ok(model.scene)
}

/// Radius of the outline over a tooth's share of the circumference, 0…1: foot, flank, land, flank.
fn tooth(share: f32, foot: f32, tip: f32) -> f32 {
    let from_middle = (share - 0.5).abs();
    let t = ((0.33 - from_middle) / 0.17).clamp(0.0, 1.0);
    // Slightly convex, like an involute.
    foot + (tip - foot) * (t * (1.2 - 0.2 * t))
}

/// Angles dense enough that every flank gets steps of its own.
fn angles(teeth: usize, detail: f32) -> Vec<f32> {
    let flank = steps(detail, 3.0, 1);
    let mut shares = vec![0.0];
    for (from, to) in [(0.17, 0.34), (0.34, 0.66), (0.66, 0.83)] {
        for i in 0..flank {
            shares.push(from + (to - from) * i as f32 / flank as f32);
        }
    }
    shares.push(0.83);
    let mut out = Vec::new();
    for k in 0..teeth {
        out.extend(
            shares
                .iter()
                .map(|s| TAU * (k as f32 + s - 0.5) / teeth as f32),
        );
    }
    out
}

fn share_of(angle: f32, teeth: usize) -> f32 {
    (angle / TAU * teeth as f32 + 0.5).rem_euclid(1.0)
}

/// Toothed rim, a thinner web with a raised hub, in two materials.
fn gear(teeth: usize, hole: f32, detail: f32, paint: u32, steel: u32) -> Vec<(Shape, u32)> {
    let pitch = teeth as f32 * MODULE / 2.0;
    let (foot, tip) = (pitch - 1.2 * MODULE, pitch + 0.92 * MODULE);
    let inner = foot - 1.6 * MODULE;
    let list = angles(teeth, detail);
    let rim = disc(&list, 0.07, 0.004, steps(detail, 3.0, 1), |angle| {
        [inner, tooth(share_of(angle, teeth), foot, tip)]
    });
    let round: Vec<f32> = (0..steps(detail, 72.0, 12))
        .map(|i| TAU * i as f32 / steps(detail, 72.0, 12) as f32)
        .collect();
    let web = disc(&round, 0.04, 0.003, steps(detail, 4.0, 1), |_| {
        [pitch * hole * 0.8, inner + 0.002]
    });
    let hub = disc(&round, 0.085, 0.004, steps(detail, 2.0, 1), |_| {
        [0.019, pitch * hole]
    });
    vec![(rim, steel), (web, paint), (hub, steel)]
}

fn ring_gear(detail: f32) -> Shape {
    let pitch = RING as f32 * MODULE / 2.0;
    let (foot, tip) = (pitch + 1.2 * MODULE, pitch - 0.92 * MODULE);
    let outer = pitch + 0.085;
    disc(
        &angles(RING, detail),
        0.09,
        0.005,
        steps(detail, 4.0, 1),
        |angle| {
            // A tooth meets the gap of each planet, which has an even number of teeth.
            [tooth(share_of(angle, RING), foot, tip), outer]
        },
    )
}

/// A three-armed plate under the planets.
fn carrier_plate(detail: f32) -> Shape {
    let n = steps(detail, 120.0, 18);
    let round: Vec<f32> = (0..n).map(|i| TAU * i as f32 / n as f32).collect();
    let plate = disc(&round, 0.018, 0.004, steps(detail, 5.0, 1), |angle| {
        let lobe = (angle * PLANETS as f32).cos() * 0.5 + 0.5;
        [0.03, 0.12 + 0.14 * lobe * lobe * (3.0 - 2.0 * lobe)]
    });
    plate.moved([0.0, -0.048, 0.0])
}
