//! A thrown and glazed vessel: its walls have a true thickness.

use super::surfaces::tone;
use super::{Family, count, size, values};
use crate::sample::model::{Ask, Model, Place};
use crate::sample::noise::{fractal, mix, paint, rgb, step};
use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{curve, sphere, torus};
use crate::scene::Material;
use crate::{Result, Scene};
use std::f32::consts::TAU;

pub const FAMILY: Family = Family {
    name: "pottery",
    title: "陶瓷器皿",
    params: &[
        size("height", "高（毫米）", [40.0, 600.0], 280.0),
        size("belly", "腹径与高之比", [0.25, 1.6], 0.6),
        size("shoulder", "最宽处的高度", [0.2, 0.85], 0.6),
        size("neck", "颈径与腹径之比", [0.15, 1.0], 0.35),
        size("lip", "口径与颈径之比", [0.8, 2.2], 1.4),
        count("flutes", "瓜棱数，0 为光面", [0, 24], 0),
        count(
            "glaze",
            "釉色：0 青瓷，1 天青，2 窑变红，3 白瓷，4 黑釉",
            [0, 4],
            0,
        ),
    ],
    make,
};

const AROUND: usize = 144;

fn make(ask: Ask, given: &[f32]) -> Result<Scene> {
    let [height, belly, shoulder, neck, lip, flutes, glaze] = values(given);
    let h = height / 1000.0;
    let wide = h * belly / 2.0;
    let mut model = Model::new("陶瓷器皿", ask);
    let top = rgb(tone(
        [0x9DB8A0, 0xA9C6CF, 0x8E2B22, 0xF2EFE8, 0x1E1A19],
        glaze,
    ));
    let low = rgb(tone(
        [0x6F8F78, 0x6F9BB0, 0x3D1414, 0xDDD9CF, 0x4A2A1B],
        glaze,
    ));
    let seed = ask.seed;
    let map = model.texture("glaze.png", || {
        paint(256, 256, move |u, v| {
            let flow = fractal(u, v, 5, 5, seed);
            let spots = step(0.66, 0.8, fractal(u, v, 24, 2, seed + 9)) * 0.12;
            mix(top, low, v * 0.75 + (flow - 0.5) * 0.9 + spots)
        })
    })?;
    let glazed = model.material(Material {
        base_color_texture: Some(map),
        roughness: 0.16,
        ..Material::plain("釉", [1.0; 4])
    });
    let clay = model.paint("胎", 0xB89B7C, 0.0, 0.85);
    let rim_paint = model.paint(
        "口沿",
        tone([0x6B5B45, 0x7E6B52, 0x2A1512, 0xC9A85C, 0xB58A3C], glaze),
        0.2,
        0.4,
    );

    let throat = wide * neck;
    let mouth = (throat * lip).min(wide * 1.25);
    let neck_at = (shoulder + (1.0 - shoulder) * 0.72).min(0.93);
    let wall = (h * 0.018).min(throat * 0.2);
    let line = [
        [wide * 0.5, h * 0.025],
        [wide * 0.62, h * shoulder * 0.3],
        [wide * 0.9, h * shoulder * 0.68],
        [wide, h * shoulder],
        [
            wide * (0.45 + neck * 0.5),
            h * (shoulder + (neck_at - shoulder) * 0.6),
        ],
        [throat, h * neck_at],
        [mouth, h * 0.985],
    ];
    let outside = curve(&line, 9);
    let bulge = |y: f32| {
        (std::f32::consts::PI * (y / (h * neck_at)).clamp(0.0, 1.0))
            .sin()
            .max(0.0)
    };
    let row = |r: f32, y: f32| -> Vec<Point> {
        (0..AROUND)
            .map(|i| {
                let angle = TAU * i as f32 / AROUND as f32;
                let wave = if flutes > 0.0 {
                    (angle * flutes / 2.0).sin().abs() - 0.6
                } else {
                    0.0
                };
                let radius = r * (1.0 + wave * 0.09 * bulge(y));
                [radius * angle.cos(), y, -radius * angle.sin()]
            })
            .collect()
    };
    let mut rows = vec![row(0.0, h * 0.03), row(wide * 0.42, h * 0.025)];
    rows.extend(outside.iter().map(|[r, y]| row(*r, *y)));
    rows.push(row(mouth - wall * 0.35, h));
    rows.push(row(mouth - wall, h * 0.985));
    rows.extend(
        outside
            .iter()
            .rev()
            .skip(1)
            .map(|[r, y]| row((r - wall).max(wall * 0.5), y.max(h * 0.05))),
    );
    rows.push(row(0.0, h * 0.05));
    let body = Shape::rows(&rows, true, [2.0, 1.0]);
    let foot = super::kit::collar(wide * 0.36, wide * 0.5, 0.0, h * 0.04, h * 0.006, 96);
    let lip = torus(mouth - wall * 0.45, wall * 0.42, 1.0).at(0.0, h * 0.995, 0.0);
    let mut beads = Shape::default();
    if flutes > 0.0 {
        beads.add(torus(throat * 1.01, wall * 0.5, 1.0).at(0.0, h * neck_at, 0.0));
        beads.add(
            sphere(wall * 0.4, 0.5)
                .at(throat * 1.06, h * neck_at, 0.0)
                .around(flutes as usize),
        );
    }
    let mut parts = vec![(body, glazed), (foot, clay), (lip, rim_paint)];
    if !beads.indices.is_empty() {
        parts.push((beads, rim_paint));
    }
    model.part("器身", parts, None, Place::at([0.0; 3]));
    Ok(model.scene)
}
