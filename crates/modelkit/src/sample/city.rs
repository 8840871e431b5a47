//! Some city blocks on a clear day: buildings of several types, each many times, streets, trees, a park.

use super::model::{Ask, BLUE, INK, Model, PALE, Place, TEAL};
use super::noise::{Dice, fractal, mix, paint, rgb, step};
use super::shape::{Shape, steps};
use super::solids::{cylinder, rounded_box, sphere};
use crate::scene::Material;
use crate::{Result, Scene};
use image::DynamicImage;

const BLOCKS: usize = 5;
/// Metres: a block with its share of the road, and the lot a building stands on.
const BLOCK: f32 = 84.0;
const LOT: f32 = 30.0;

struct Kind {
    mesh: u32,
    /// Height of the mesh in metres.
    height: f32,
}

pub fn make(ask: Ask) -> Result<Scene> {
    let Ask { detail, seed, .. } = ask;
    let mut model = Model::new("城市街区", ask);
    let mut dice = Dice::new(seed);
    let kinds = kinds(&mut model, detail, seed)?;
    ground(&mut model, detail);
    let tree = tree(&mut model, detail);
    let middle = (BLOCKS as f32 - 1.0) / 2.0;
    for i in 0..BLOCKS * BLOCKS {
        let (bx, bz) = (i % BLOCKS, i / BLOCKS);
        let center = [(bx as f32 - middle) * BLOCK, (bz as f32 - middle) * BLOCK];
        let name = format!("街区 {}-{}", bx + 1, bz + 1);
        let block = model.node(&name, None, None, Place::at([center[0], 0.0, center[1]]));
        if i == BLOCKS * BLOCKS / 2 + 1 {
            park(&mut model, &mut dice, block, tree);
            continue;
        }
        // Taller towards the centre.
        let away = ((bx as f32 - middle).abs() + (bz as f32 - middle).abs()) / (2.0 * middle);
        for (x, z) in [(-1.0f32, -1.0f32), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let kind = &kinds[dice.pick(kinds.len())];
            let tall = (1.0 - away).powf(1.5) * 95.0 + dice.between(16.0, 42.0);
            let scale = [
                dice.between(0.82, 1.0),
                tall / kind.height,
                dice.between(0.82, 1.0),
            ];
            let quarter = dice.pick(4) as f32 * std::f32::consts::FRAC_PI_2;
            let at = [x * LOT * 0.55, 0.35, z * LOT * 0.55];
            model.node(
                "建筑",
                Some(kind.mesh),
                Some(block),
                Place::at(at).turned(1, quarter).scaled(scale),
            );
        }
        for k in 0..36 {
            let side = ((k / 4) as f32 - 4.0) * 7.4;
            let rim = LOT * 1.09;
            let at = match k % 4 {
                0 => [side, 0.35, rim],
                1 => [rim, 0.35, side],
                2 => [side, 0.35, -rim],
                _ => [-rim, 0.35, side],
            };
            let size = dice.between(0.7, 1.1);
            model.node(
                "行道树",
                Some(tree),
                Some(block),
                Place::at(at).scaled([size; 3]),
            );
        }
    }
    Ok(model.scene)
}

fn kinds(model: &mut Model, detail: f32, seed: u64) -> Result<Vec<Kind>> {
    let mut facades = Vec::new();
    let styles = [
        ("玻璃幕墙", 0x5B7FA6, 0xA9CBEA, 0.14),
        ("浅色立面", 0xE6E0D2, 0x4A5A6C, 0.7),
        ("砖红立面", 0xB9745A, 0x51606E, 0.75),
        ("青灰立面", 0x8FAAA6, 0x48606A, 0.55),
    ];
    for (i, (name, wall, glass, roughness)) in styles.into_iter().enumerate() {
        let s = seed.wrapping_add(i as u64);
        let color = model.texture(&format!("facade-{}.png", i + 1), || facade(wall, glass, s))?;
        let light = model.texture(&format!("lights-{}.png", i + 1), || lights(s))?;
        facades.push(model.material(Material {
            base_color_texture: Some(color),
            emissive_texture: Some(light),
            emissive: [0.16, 0.13, 0.08],
            roughness,
            metallic: if i == 0 { 0.4 } else { 0.0 },
            ..Material::plain(name, [1.0; 4])
        }));
    }
    let roof = model.paint("屋面", 0x9B9A95, 0.0, 0.9);
    let green = model.paint("屋顶绿化", 0x6E8F57, 0.0, 0.95);
    let blue = model.paint("玄青", BLUE, 0.3, 0.4);
    let pale = model.paint("设备", PALE, 0.4, 0.5);
    let mut out = Vec::new();
    let mut add = |model: &mut Model, name: &str, height: f32, parts| {
        let mesh = model.mesh(name, parts);
        out.push(Kind { mesh, height });
    };
    let d = detail * 1.3;
    let slab = |x: f32, y: f32, z: f32| rounded_box([x, y, z], 0.35, d).moved([0.0, y / 2.0, 0.0]);
    add(
        model,
        "板式楼",
        40.0,
        vec![
            (slab(26.0, 40.0, 14.0).tiled(2.0, 3.0), facades[1]),
            (plant(40.3, d), pale),
            (flat(26.0, 14.0, 40.0, d), roof),
        ],
    );
    let mut stepped = slab(26.0, 24.0, 26.0).tiled(2.0, 2.0);
    stepped.add(slab(20.0, 44.0, 20.0).tiled(2.0, 3.0));
    stepped.add(slab(13.0, 60.0, 13.0).tiled(1.0, 4.0));
    add(
        model,
        "退台塔楼",
        60.0,
        vec![
            (stepped, facades[2]),
            (flat(26.0, 26.0, 24.0, d), green),
            (flat(20.0, 20.0, 44.0, d), green),
            (flat(13.0, 13.0, 60.0, d), roof),
            (
                cylinder(0.35, 12.0, 0.1, d * 0.4).moved([0.0, 60.0, 0.0]),
                pale,
            ),
        ],
    );
    let round = Shape::lathe(&round_profile(d), steps(d, 48.0, 8)).tiled(4.0, 4.0);
    add(
        model,
        "圆塔",
        60.0,
        vec![
            (round, facades[0]),
            (cylinder(8.0, 1.2, 0.3, d).moved([0.0, 60.0, 0.0]), blue),
        ],
    );
    let twisted = rounded_box([22.0, 60.0, 22.0], 2.2, d * 1.6)
        .moved([0.0, 30.0, 0.0])
        .map(|[x, y, z]| {
            let (sin, cos) = (y / 60.0 * 0.9).sin_cos();
            let slim = 1.0 - 0.28 * (y / 60.0).powi(2);
            [(x * cos - z * sin) * slim, y, (x * sin + z * cos) * slim]
        });
    add(
        model,
        "旋塔",
        60.0,
        vec![
            (twisted.tiled(2.0, 4.0), facades[0]),
            (flat(13.0, 13.0, 59.9, d).map(turned_top), roof),
        ],
    );
    let mut court = slab(26.0, 22.0, 8.0)
        .moved([0.0, 0.0, -9.0])
        .tiled(2.0, 2.0);
    court.add(
        slab(8.0, 22.0, 26.0)
            .moved([-9.0, 0.0, 0.0])
            .tiled(2.0, 2.0),
    );
    court.add(
        slab(12.0, 40.0, 12.0)
            .moved([6.0, 0.0, 6.0])
            .tiled(1.0, 3.0),
    );
    let mut tops = flat(26.0, 8.0, 22.0, d).moved([0.0, 0.0, -9.0]);
    tops.add(flat(8.0, 26.0, 22.0, d).moved([-9.0, 0.0, 0.0]));
    let high = flat(12.0, 12.0, 40.0, d).moved([6.0, 0.0, 6.0]);
    let court = vec![(court, facades[3]), (tops, green), (high, roof)];
    add(model, "围合楼", 40.0, court);
    let wedge = slab(24.0, 50.0, 18.0).map(|[x, y, z]| [x, y * (0.8 + 0.2 * (x / 24.0 + 0.5)), z]);
    add(
        model,
        "斜顶楼",
        50.0,
        vec![(wedge.tiled(2.0, 3.0), facades[1])],
    );
    Ok(out)
}

/// A flat roof with a parapet around it, at a height.
fn flat(x: f32, z: f32, height: f32, detail: f32) -> Shape {
    let d = detail * 0.4;
    let mut all = rounded_box([x - 0.4, 0.3, z - 0.4], 0.1, d).moved([0.0, height + 0.05, 0.0]);
    for side in [-1.0f32, 1.0] {
        let at = |half: f32| side * (half - 0.3);
        all.add(rounded_box([x, 1.1, 0.6], 0.15, d).moved([0.0, height + 0.4, at(z / 2.0)]));
        all.add(rounded_box([0.6, 1.1, z], 0.15, d).moved([at(x / 2.0), height + 0.4, 0.0]));
    }
    all
}

/// A point rotated like the twisted tower is at its top.
fn turned_top([x, y, z]: [f32; 3]) -> [f32; 3] {
    let (sin, cos) = 0.9f32.sin_cos();
    [x * cos - z * sin, y, x * sin + z * cos]
}

fn round_profile(detail: f32) -> Vec<[f32; 2]> {
    let n = steps(detail, 14.0, 3);
    let mut profile = vec![[0.0, 0.0]];
    for i in 0..=n {
        let t = i as f32 / n as f32;
        profile.push([11.0 + 2.2 * (t * 2.6).sin() - 1.5 * t, 60.0 * t]);
    }
    profile.push([0.0, 60.0]);
    profile
}

/// Machines on a roof.
fn plant(height: f32, detail: f32) -> Shape {
    let mut all = rounded_box([6.0, 2.4, 5.0], 0.2, detail * 0.5).moved([-5.0, height + 1.2, 0.0]);
    for i in 0..3 {
        all.add(cylinder(0.9, 1.6, 0.15, detail * 0.4).moved([2.0 + 2.6 * i as f32, height, 2.0]));
    }
    all
}

fn ground(model: &mut Model, detail: f32) {
    let asphalt = model.paint("道路", 0x565A60, 0.0, 0.95);
    let paving = model.paint("人行道", 0xC9C5BC, 0.0, 0.9);
    let mark = model.paint("标线", 0xF4F6FA, 0.0, 0.7);
    let size = BLOCKS as f32 * BLOCK + 16.0;
    let base = rounded_box([size, 2.0, size], 0.8, detail).moved([0.0, -1.0, 0.0]);
    model.part("地面", vec![(base, asphalt)], None, Place::at([0.0; 3]));
    let lot = model.mesh(
        "路缘",
        vec![(
            rounded_box([70.0, 0.7, 70.0], 0.3, detail).moved([0.0, 0.0, 0.0]),
            paving,
        )],
    );
    let dash = model.mesh(
        "标线",
        vec![(rounded_box([4.0, 0.04, 0.3], 0.01, detail * 0.2), mark)],
    );
    let middle = (BLOCKS as f32 - 1.0) / 2.0;
    for i in 0..BLOCKS * BLOCKS {
        let at = [
            ((i % BLOCKS) as f32 - middle) * BLOCK,
            0.0,
            ((i / BLOCKS) as f32 - middle) * BLOCK,
        ];
        model.node("路缘", Some(lot), None, Place::at(at));
        for k in 0..7 {
            let along = (k as f32 - 3.0) * 11.0;
            if at[2] + BLOCK / 2.0 < size / 2.0 - 20.0 {
                let place = Place::at([at[0] + along, 0.02, at[2] + BLOCK / 2.0]);
                model.node("标线", Some(dash), None, place);
            }
            if at[0] + BLOCK / 2.0 < size / 2.0 - 20.0 {
                let place = Place::at([at[0] + BLOCK / 2.0, 0.02, at[2] + along]);
                model.node(
                    "标线",
                    Some(dash),
                    None,
                    place.turned(1, std::f32::consts::FRAC_PI_2),
                );
            }
        }
    }
}

fn tree(model: &mut Model, detail: f32) -> u32 {
    let bark = model.paint("树干", 0x5B4636, 0.0, 0.9);
    let leaf = model.paint("树冠", 0x5E8A45, 0.0, 0.9);
    let mut crown = sphere(1.9, detail * 0.5)
        .map(|[x, y, z]| [x, y * 1.15, z])
        .moved([0.0, 4.4, 0.0]);
    crown.add(sphere(1.3, detail * 0.4).moved([0.9, 3.6, 0.5]));
    crown.add(sphere(1.2, detail * 0.4).moved([-0.8, 3.7, -0.6]));
    model.mesh(
        "行道树",
        vec![
            (cylinder(0.2, 3.0, 0.05, detail * 0.3), bark),
            (crown, leaf),
        ],
    )
}

fn park(model: &mut Model, dice: &mut Dice, block: u32, tree: u32) {
    let grass = model.paint("草地", 0x6F9A5B, 0.0, 0.95);
    let pool = model.paint("水池", TEAL, 0.1, 0.08);
    let rim = model.paint("池沿", INK, 0.1, 0.6);
    let parts = vec![
        (
            rounded_box([66.0, 0.3, 66.0], 0.1, 1.0).moved([0.0, 0.45, 0.0]),
            grass,
        ),
        (cylinder(13.0, 0.6, 0.2, 1.2).moved([0.0, 0.4, 0.0]), rim),
        (cylinder(12.2, 0.1, 0.02, 1.2).moved([0.0, 0.96, 0.0]), pool),
    ];
    model.part("公园", parts, Some(block), Place::at([0.0; 3]));
    for _ in 0..60 {
        let (angle, r) = (
            dice.between(0.0, std::f32::consts::TAU),
            dice.between(16.0, 31.0),
        );
        let size = dice.between(0.8, 1.6);
        let at = [r * angle.cos(), 0.5, r * angle.sin()];
        model.node(
            "树",
            Some(tree),
            Some(block),
            Place::at(at).scaled([size; 3]),
        );
    }
}

/// Cell of the facade grid and the place within it.
fn cell(u: f32, v: f32) -> (f32, f32, f32, f32) {
    let (x, y) = (u * 8.0, v * 8.0);
    (x.floor(), y.floor(), x.fract(), y.fract())
}

/// 1 on glass.
fn pane(fx: f32, fy: f32) -> f32 {
    let inside = |t: f32| step(0.19, 0.23, t) * (1.0 - step(0.77, 0.81, t));
    inside(fx) * inside(fy) * if (fx - 0.5).abs() < 0.02 { 0.3 } else { 1.0 }
}

fn facade(wall: u32, glass: u32, seed: u64) -> DynamicImage {
    paint(512, 512, |u, v| {
        let (cx, cy, fx, fy) = cell(u, v);
        let shade = fractal((cx + 0.5) / 8.0, (cy + 0.5) / 8.0, 8, 1, seed);
        let dirt = fractal(u, v, 32, 3, seed ^ 9) * 0.18;
        let window = mix(
            rgb(glass),
            rgb(0xB9D0E2),
            0.15 + 0.45 * shade + (0.5 - fy) * 0.5,
        );
        mix(mix(rgb(wall), rgb(0x2A2E36), dirt), window, pane(fx, fy))
    })
}

/// One window in five is lit.
fn lights(seed: u64) -> DynamicImage {
    paint(256, 256, |u, v| {
        let (cx, cy, fx, fy) = cell(u, v);
        let lot = Dice::new(seed ^ ((cx as u64) << 8 | cy as u64).wrapping_mul(0x9E37_79B9)).roll();
        let on = if lot < 0.2 { 0.35 + lot * 2.0 } else { 0.0 };
        [on * pane(fx, fy); 3]
    })
}
