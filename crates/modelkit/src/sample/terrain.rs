//! A tile of mountains with a lake, cut out as a block.

use super::model::{Ask, INK, Model, Place};
use super::noise::{fractal, mix, paint, rgb, step};
use super::shape::{Point, Shape, steps};
use crate::scene::{AlphaMode, Material};
use crate::{Result, Scene};
use image::DynamicImage;
use rayon::prelude::*;

/// Edge of the tile and height of its highest peak, metres.
const SIZE: f32 = 1000.0;
const PEAK: f32 = 250.0;
const WATER: f32 = 44.0;
const BOTTOM: f32 = -90.0;

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("山地与湖泊", ask);
    let ground = model.texture("terrain.png", || ground_picture(seed))?;
    let land = model.material(Material {
        base_color_texture: Some(ground),
        roughness: 0.95,
        ..Material::plain("地表", [1.0; 4])
    });
    let strata = model.texture("strata.png", || strata_picture(seed))?;
    let cut = model.material(Material {
        base_color_texture: Some(strata),
        roughness: 0.9,
        ..Material::plain("剖面", [1.0; 4])
    });
    let dark = model.paint("底面", INK, 0.1, 0.8);
    let water = model.material(Material {
        alpha_mode: AlphaMode::Blend,
        roughness: 0.06,
        ..Material::plain("湖水", [0.02, 0.16, 0.22, 0.78])
    });

    let n = steps(detail, 160.0, 8);
    let at = |i: usize| i as f32 / n as f32;
    let point = |u: f32, v: f32| [(u - 0.5) * SIZE, height(u, v, seed), (v - 0.5) * SIZE];
    let rows: Vec<Vec<Point>> = (0..=n)
        .rev()
        .map(|j| (0..=n).map(|i| point(at(i), at(j))).collect())
        .collect();
    let surface = Shape::rows(&rows, false, [1.0, 1.0]);
    let surface = Shape {
        uvs: surface
            .positions
            .iter()
            .map(|p| [p[0] / SIZE + 0.5, p[2] / SIZE + 0.5])
            .collect(),
        ..surface
    };
    model.part("地形", vec![(surface, land)], None, Place::at([0.0; 3]));

    let mut skirt = Shape::default();
    let edge = |u0: f32, v0: f32, u1: f32, v1: f32| {
        let line: Vec<Point> = (0..=n)
            .map(|i| point(u0 + (u1 - u0) * at(i), v0 + (v1 - v0) * at(i)))
            .collect();
        let floor: Vec<Point> = line.iter().map(|p| [p[0], BOTTOM, p[2]]).collect();
        let mut wall = Shape::rows(&[floor, line], false, [1.0, 1.0]);
        wall.uvs = wall
            .positions
            .iter()
            .enumerate()
            .map(|(i, p)| {
                [
                    (i % (n + 1)) as f32 / n as f32 * 2.0,
                    (PEAK - p[1]) / (PEAK - BOTTOM),
                ]
            })
            .collect();
        wall
    };
    skirt.add(edge(0.0, 1.0, 1.0, 1.0));
    skirt.add(edge(1.0, 1.0, 1.0, 0.0));
    skirt.add(edge(1.0, 0.0, 0.0, 0.0));
    skirt.add(edge(0.0, 0.0, 0.0, 1.0));
    let h = SIZE / 2.0;
    let floor = Shape::rows(
        &[
            vec![[-h, BOTTOM, -h], [h, BOTTOM, -h]],
            vec![[-h, BOTTOM, h], [h, BOTTOM, h]],
        ],
        false,
        [1.0, 1.0],
    );
    model.part(
        "剖面",
        vec![(skirt, cut), (floor, dark)],
        None,
        Place::at([0.0; 3]),
    );

    let m = steps(detail, 24.0, 2);
    let lake = Shape::patch(m, m, false, |u, v| {
        [(u - 0.5) * (SIZE - 2.0), WATER, (0.5 - v) * (SIZE - 2.0)]
    });
    model.part("湖面", vec![(lake, water)], None, Place::at([0.0; 3]));
    Ok(model.scene)
}

/// Metres above zero; u to the east, v to the south.
fn height(u: f32, v: f32, seed: u64) -> f32 {
    // Slightly less than one period, or opposite edges would be identical.
    let (x, y) = (u * 0.61 + 0.13, v * 0.61 + 0.29);
    let warp = fractal(x, y, 3, 3, seed ^ 77) - 0.5;
    let ridge = 1.0 - (fractal(x + warp * 0.12, y - warp * 0.1, 3, 6, seed) * 2.0 - 1.0).abs();
    let hills = fractal(x, y, 4, 5, seed ^ 5);
    let (dx, dy) = (u - 0.42, v - 0.58);
    let valley = step(0.06, 0.42, (dx * dx * 1.6 + dy * dy).sqrt() + warp * 0.12);
    let massif = ridge.powf(2.2) * (0.35 + 0.65 * hills);
    (massif * 0.98 + hills * 0.22) * PEAK * (0.12 + 0.88 * valley)
}

/// Heights on a grid: looking them up is far cheaper than computing them.
struct Relief {
    heights: Vec<f32>,
}

/// Cells of the grid along one edge.
const RELIEF: usize = 512;

impl Relief {
    fn new(seed: u64) -> Relief {
        let at = |i: usize| i as f32 / RELIEF as f32;
        let row = |j: usize| (0..=RELIEF).map(move |i| height(at(i), at(j), seed));
        let heights = (0..=RELIEF).into_par_iter().flat_map_iter(row).collect();
        Relief { heights }
    }

    fn at(&self, u: f32, v: f32) -> f32 {
        let (x, y) = (
            u.clamp(0.0, 1.0) * RELIEF as f32,
            v.clamp(0.0, 1.0) * RELIEF as f32,
        );
        let (i, j) = ((x as usize).min(RELIEF - 1), (y as usize).min(RELIEF - 1));
        let (fx, fy) = (x - i as f32, y - j as f32);
        let row = |j: usize| {
            let k = j * (RELIEF + 1) + i;
            self.heights[k] * (1.0 - fx) + self.heights[k + 1] * fx
        };
        row(j) * (1.0 - fy) + row(j + 1) * fy
    }

    /// Rise over run.
    fn slope(&self, u: f32, v: f32) -> f32 {
        let d = 1.0 / RELIEF as f32;
        let dx = self.at(u + d, v) - self.at(u - d, v);
        let dy = self.at(u, v + d) - self.at(u, v - d);
        (dx * dx + dy * dy).sqrt() / (2.0 * d * SIZE)
    }
}

fn ground_picture(seed: u64) -> DynamicImage {
    let relief = Relief::new(seed);
    paint(1024, 1024, |u, v| {
        let (y, steep) = (relief.at(u, v), relief.slope(u, v));
        let grain = fractal(u, v, 48, 4, seed ^ 21);
        let patch = fractal(u, v, 12, 4, seed ^ 22);
        let forest = mix(rgb(0x2F4A2E), rgb(0x47633A), grain);
        let meadow = mix(rgb(0x7C8B4F), rgb(0x98A062), grain);
        let rock = mix(rgb(0x6B6660), rgb(0x948C82), grain);
        let snow = mix(rgb(0xE8EDF3), rgb(0xFFFFFF), grain);
        let sand = mix(rgb(0xB6A67F), rgb(0xCDBE98), grain);
        let green = mix(forest, meadow, step(0.42, 0.6, patch));
        let mut color = mix(
            sand,
            green,
            step(WATER + 2.0, WATER + 14.0, y + patch * 8.0),
        );
        color = mix(color, rock, step(0.8, 1.25, steep + (grain - 0.5) * 0.3));
        color = mix(color, rock, step(128.0, 172.0, y + patch * 40.0));
        let white = step(165.0, 200.0, y + patch * 45.0) * (1.0 - step(1.2, 1.8, steep));
        mix(color, snow, white)
    })
}

fn strata_picture(seed: u64) -> DynamicImage {
    let layers = [0x8A7A63, 0x6F6456, 0x9B8767, 0x5A554E, 0x7D6D58].map(rgb);
    paint(1024, 512, |u, v| {
        let bent = v + (fractal(u, 0.3, 3, 4, seed ^ 41) - 0.5) * 0.18;
        let band = bent * 16.0;
        let i = band.floor().rem_euclid(5.0) as usize;
        let grain = fractal(u, v, 64, 3, seed ^ 42);
        let edge = step(0.0, 0.12, band - band.floor());
        let color = mix(layers[(i + 4) % 5], layers[i.min(4)], edge);
        mix(color, rgb(0x3F3A35), (grain - 0.5) * 0.7)
    })
}
