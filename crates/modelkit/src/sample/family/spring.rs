//! A compression spring between two seats.

use super::kit::{circle, collar, sweep};
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "spring",
    title: "圆柱螺旋弹簧",
    params: &[
        size("diameter", "中径（毫米）", [8.0, 200.0], 40.0),
        size("wire", "线径与中径之比", [0.06, 0.24], 0.14),
        size("turns", "有效圈数", [3.0, 16.0], 7.0),
        size("pitch", "节距与线径之比", [1.3, 4.0], 2.2),
        size("taper", "上端与下端直径之比", [0.4, 1.0], 1.0),
        count("seats", "弹簧座：0 无，1 有", [0, 1], 1),
    ],
    make,
};

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [diameter, wire, turns, pitch, taper, seats] = values(given);
    let radius = diameter / 2000.0;
    let wire = radius * 2.0 * wire;
    let mut model = Model::new("螺旋弹簧", ask);
    let steel = model.paint("弹簧钢", 0x5B6470, 1.0, 0.28);
    let seat = model.paint("镀锌座", 0xC2AE74, 1.0, 0.36);
    // One closed coil at each end.
    let all = turns + 2.0;
    let n = (all * 28.0) as usize;
    let mut path = Vec::new();
    let mut y = wire / 2.0;
    for i in 0..=n {
        let at = all * i as f32 / n as f32;
        let open = at.clamp(0.0, 1.0).min((all - at).clamp(0.0, 1.0));
        if i > 0 {
            y += wire * (1.02 + (pitch - 1.02) * open) * all / n as f32;
        }
        let r = radius * (1.0 + (taper - 1.0) * at / all);
        path.push([r * (at * TAU).cos(), y, -r * (at * TAU).sin()]);
    }
    let coil = sweep(&path, &circle(wire / 2.0, 16, [0.0, 0.0]), |_| 1.0);
    let base = if seats > 0.0 { wire * 0.9 } else { 0.0 };
    model.part(
        "弹簧",
        vec![(coil, steel)],
        None,
        Place::at([0.0, base, 0.0]),
    );
    if seats > 0.0 {
        let plate = |r: f32, low: f32, boss: f32| {
            let mut shape = collar(
                r * 0.35,
                r + wire * 0.9,
                low,
                low + wire * 0.9,
                wire * 0.15,
                72,
            );
            shape.add(collar(
                r * 0.33,
                r - wire * 0.62,
                low.min(low + boss),
                (low + boss).max(low + wire * 0.9),
                wire * 0.15,
                72,
            ));
            shape
        };
        let top = base + y + wire / 2.0;
        model.part(
            "下座",
            vec![(plate(radius, 0.0, wire * 2.0), seat)],
            None,
            Place::at([0.0; 3]),
        );
        model.part(
            "上座",
            vec![(plate(radius * taper, top, -wire * 1.1), seat)],
            None,
            Place::at([0.0; 3]),
        );
    }
    Ok(model.scene)
}
