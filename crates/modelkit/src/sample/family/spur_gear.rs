//! A spur gear with a hub, a keyway and lightening holes.

use super::gearing::outline;
use super::kit::{circle, plate};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "spur-gear",
    title: "直齿圆柱齿轮",
    params: &[
        count("teeth", "齿数", [12, 80], 24),
        size("module", "模数（毫米）", [0.5, 10.0], 2.0),
        size("width", "齿宽（毫米）", [4.0, 120.0], 20.0),
        size("bore", "轴孔占分度圆的比例", [0.12, 0.4], 0.25),
        count("holes", "减重孔", [0, 10], 0),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [teeth, module, width, bore, holes] = values(given);
    let (module, width) = (module / 1000.0, width / 1000.0);
    let pitch = teeth * module / 2.0;
    let foot = pitch - 1.2 * module;
    let bore = pitch * bore;
    let hub = (bore * 1.55).min(foot * 0.8);
    let rim = foot - 1.7 * module;
    let web = rim > hub * 1.25;
    let bevel = module * 0.14;

    let mut model = Model::new("直齿圆柱齿轮", ask);
    let steel = model.paint("磨光钢", 0xBFC5CE, 1.0, 0.3);
    let dark = model.paint("发黑钢", 0x3C424C, 0.9, 0.42);

    // The bore carries a keyway, so it is cut through everything that it meets.
    let key = bore * 0.28;
    let mut hole = Vec::new();
    let from = (key / bore).asin();
    for i in 0..=48 {
        let angle = from + (TAU - 2.0 * from) * i as f32 / 48.0;
        hole.push([bore * angle.cos(), bore * angle.sin()]);
    }
    hole.extend([[bore * 1.22, -key], [bore * 1.22, key]]);

    let teeth_only = outline(teeth as usize, module, false);
    let mut parts = Vec::new();
    if web {
        let ring = circle(rim, 96, [0.0, 0.0]);
        parts.push((plate(&teeth_only, &[ring], width, bevel), steel));
        let thin = width * 0.45;
        let (mid, room) = ((hub + rim) / 2.0, (rim - hub) / 2.0);
        let between = mid * (TAU / 2.0 / holes.max(1.0)).sin();
        let radius = (room * 0.62).min(between * 0.72);
        let cut = |i: usize| {
            let (sin, cos) = (TAU * (i as f32 + 0.5) / holes).sin_cos();
            circle(radius, 32, [mid * cos, mid * sin])
        };
        let mut cuts: Vec<_> = (0..holes as usize).map(cut).collect();
        cuts.push(circle(hub * 0.97, 72, [0.0, 0.0]));
        let disc = plate(&circle(rim * 1.004, 96, [0.0, 0.0]), &cuts, thin, bevel);
        parts.push((disc.at(0.0, 0.0, (width - thin) / 2.0), dark));
        let long = width * 1.25;
        let boss = plate(&circle(hub, 72, [0.0, 0.0]), &[hole], long, bevel * 2.0);
        parts.push((boss.at(0.0, 0.0, (width - long) / 2.0), steel));
    } else {
        parts.push((plate(&teeth_only, &[hole], width, bevel), steel));
    }
    let parts = parts.into_iter().map(|(s, m)| (s.laid(), m)).collect();
    model.part("齿轮", parts, None, Place::at([0.0; 3]));
    Ok(model.scene)
}
