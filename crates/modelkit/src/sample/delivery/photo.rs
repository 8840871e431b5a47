//! What the aerial camera sees: roofs, facades, streets, gardens, in afternoon light.

use super::plan::{BLOCK, LEAN, LOT, Lot, Plan, ROAD, SUN, SUN_SLOPE, Use, road};
use crate::sample::noise::{fractal, mix, rgb, step};

type Color = [f32; 3];

/// Period of the noise in metres.
const GRAIN: f32 = 64.0;

/// Side of a building, by its orientation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Side {
    /// Along x: west and east (−1, +1).
    X(f32),
    /// Along y: south and north.
    Y(f32),
}

impl Plan {
    fn grain(&self, x: f32, y: f32, cells: i64, octaves: u32) -> f32 {
        fractal(x / GRAIN, y / GRAIN, cells, octaves, self.seed ^ 77)
    }

    /// Colour of the surface seen from above, lit.
    pub fn roof_and_ground(&self, x: f32, y: f32) -> Color {
        let lot = self.lot(x, y);
        let under_roof = self.roof(x, y);
        let height = self.ground(x, y) + under_roof.unwrap_or(0.0);
        let sun = if self.sunny(x, y, height) { 1.0 } else { 0.0 };
        let (base, light) = match under_roof {
            Some(_) => (self.roof_color(x, y, &lot), self.slope(x, y, sun)),
            None => self.open_ground(x, y, &lot, sun),
        };
        let grain = 0.9 + 0.2 * self.grain(x, y, 128, 3);
        base.map(|c| (c * light * grain).min(1.0))
    }

    /// Light on a slope of the surface.
    fn slope(&self, x: f32, y: f32, sun: f32) -> f32 {
        const D: f32 = 0.35;
        let dx = (self.height(x + D, y) - self.height(x - D, y)).clamp(-1.5, 1.5) / (2.0 * D);
        let dy = (self.height(x, y + D) - self.height(x, y - D)).clamp(-1.5, 1.5) / (2.0 * D);
        let length = (1.0 + dx * dx + dy * dy).sqrt();
        let facing =
            (SUN_SLOPE - dx * SUN[0] - dy * SUN[1]) / length / (1.0 + SUN_SLOPE * SUN_SLOPE).sqrt();
        0.5 + 0.72 * sun * facing.max(0.0)
    }

    fn roof_color(&self, x: f32, y: f32, lot: &Lot) -> Color {
        let [x0, x1] = self.walls(0, lot.number[0]);
        let [y0, y1] = self.walls(1, lot.number[1]);
        let rim = (x - x0).min(x1 - x).min(y - y0).min(y1 - y);
        match lot.kind {
            Use::House => {
                let colors = [0x9C5A44, 0x7E4638, 0x6A6F78, 0x8C6650];
                let tile = rgb(colors[(lot.tint * 3.99) as usize]);
                let across = if lot.along { y } else { x };
                let course = (across / 0.42).fract();
                mix(tile, tile.map(|c| c * 0.62), step(0.75, 1.0, course))
            }
            _ => {
                let colors = [0xA9A59C, 0x8F9499, 0xB7B2A6, 0x7F8A86];
                let felt = rgb(colors[(lot.tint * 3.99) as usize]);
                let stain = self.grain(x, y, 24, 4);
                let felt = mix(felt, felt.map(|c| c * 0.7), step(0.4, 0.8, stain));
                // The parapet, and panels in rows on some.
                let felt = mix(rgb(0xD2CFC8), felt, step(0.35, 0.55, rim));
                let rows = (x / 1.1).fract() > 0.12 && (y / 2.0).fract() > 0.35;
                let panel = lot.tint > 0.55 && rim > 2.2 && y - y0 < (y1 - y0) * 0.42;
                match (panel && rows, self.roof_top(x, y, lot)) {
                    (_, true) => rgb(0xC9CCD0),
                    (true, false) => rgb(0x26344F),
                    _ => felt,
                }
            }
        }
    }

    /// On top of a structure on a roof.
    fn roof_top(&self, x: f32, y: f32, lot: &Lot) -> bool {
        self.roof(x, y).is_some_and(|roof| roof > lot.height + 0.5) && lot.kind != Use::House
    }

    fn open_ground(&self, x: f32, y: f32, lot: &Lot, sun: f32) -> (Color, f32) {
        // Darker at the foot of walls.
        let corner = 0.62 + 0.38 * step(0.0, 3.0, self.near_wall(x, y));
        let light = (0.5 + 0.55 * sun) * corner;
        let crown = self.tree(x, y);
        if crown > 0.3 {
            let leaf = mix(rgb(0x35552B), rgb(0x6E8A3E), self.grain(x, y, 96, 2));
            // Lit from the side of the sun.
            let towards = self.tree(x + SUN[0] * 0.7, y + SUN[1] * 0.7);
            let shade = 0.62 + 0.5 * step(-1.2, 1.2, crown - towards);
            return (leaf.map(|c| c * shade), 0.62 + 0.45 * sun);
        }
        let under_tree = self.tree(x + SUN[0] * 2.2, y + SUN[1] * 2.2) > 1.0;
        let light = if under_tree { light * 0.66 } else { light };
        let (rx, ry) = (road(x), road(y));
        if rx < ROAD || ry < ROAD {
            return (self.street(x, y), light);
        }
        if rx.min(ry) < ROAD + 1.5 {
            let joint = (x / 0.8).fract() < 0.07 || (y / 0.8).fract() < 0.07;
            return (rgb(if joint { 0x9A968D } else { 0xB5B0A5 }), light);
        }
        let lawn = mix(rgb(0x5F7A38), rgb(0x8A9650), self.grain(x, y, 48, 4));
        let paved = mix(rgb(0xA7A29A), rgb(0x8F8B84), self.grain(x, y, 64, 3));
        let edge = self.near_wall(x, y);
        let ground = match lot.kind {
            Use::Park => match (self.grain(x, y, 10, 2) - 0.5).abs() < 0.035 {
                true => rgb(0xC8B892),
                false => lawn,
            },
            Use::House if edge > 1.2 => lawn,
            Use::Flat | Use::Tower if edge > 3.4 && lot.tint > 0.4 => lawn,
            _ => paved,
        };
        (self.car(x, y, lot, edge).unwrap_or(ground), light)
    }

    fn street(&self, x: f32, y: f32) -> Color {
        let (rx, ry) = (road(x), road(y));
        let asphalt = mix(rgb(0x54575B), rgb(0x6A6C6E), self.grain(x, y, 40, 4));
        let crossing = rx < ROAD + 0.2 && ry < ROAD + 0.2;
        let white = rgb(0xE6E4DC);
        if crossing {
            return asphalt;
        }
        // Across the street, and along it from the centre of the crossing.
        let (across, along) = if rx < ry { (rx, y) } else { (ry, x) };
        let from_crossing = along.rem_euclid(BLOCK).min(BLOCK - along.rem_euclid(BLOCK));
        let zebra = (ROAD + 1.0..ROAD + 3.6).contains(&from_crossing);
        let painted = match zebra {
            true => (across / 0.9).fract() < 0.5,
            false => {
                let middle = across < 0.09 && along.rem_euclid(6.0) < 3.2;
                let rim = (ROAD - 0.35..ROAD - 0.22).contains(&across);
                (middle || rim) && from_crossing > ROAD + 4.0
            }
        };
        if painted {
            mix(white, asphalt, 0.15)
        } else {
            self.traffic(across, along).unwrap_or(asphalt)
        }
    }

    /// Moving cars.
    fn traffic(&self, across: f32, along: f32) -> Option<Color> {
        let slot = (along / 11.0).floor();
        let roll = fractal(slot * 0.137, 0.5, 32, 1, self.seed ^ 5);
        let within = along - slot * 11.0;
        let body = (across - 1.8).abs() < 0.85 && (3.0..7.2).contains(&within) && roll > 0.62;
        body.then(|| car_color(roll, (across - 1.8).abs(), within - 3.0))
    }

    /// Cars parked in front of blocks.
    fn car(&self, x: f32, y: f32, lot: &Lot, edge: f32) -> Option<Color> {
        if !matches!(lot.kind, Use::Flat | Use::Tower) || !(0.4..3.4).contains(&edge) {
            return None;
        }
        let slot = (x / 2.6).floor();
        let roll = fractal(slot * 0.173, (y / LOT).floor() * 0.31, 64, 1, self.seed ^ 9);
        let (within, below) = (x - slot * 2.6, y.rem_euclid(LOT));
        let row = (0.4..4.8).contains(&below);
        (row && (0.4..2.2).contains(&within) && roll > 0.5)
            .then(|| car_color(roll, (within - 1.3).abs(), below - 0.4))
    }

    /// Colour of a facade: metres along it, share of its height from the foot (0…1).
    pub fn front(&self, lot: &Lot, side: Side, along: f32, up: f32) -> Color {
        let walls = [0xCFC3AE, 0xB9B4AA, 0xA8705A, 0xD9D2C4, 0x9DA7AE, 0xC4A98A];
        let wall = rgb(walls[(lot.tint * 5.99) as usize]);
        let meters = up * lot.height;
        let floor = (meters / 3.1).fract();
        let bay = (along / 2.5).fract();
        let glass = match lot.kind {
            Use::Tower => (0.06..0.94).contains(&bay) && (0.16..0.92).contains(&floor),
            _ => (0.27..0.73).contains(&bay) && (0.28..0.76).contains(&floor),
        };
        let number = (along / 2.5).floor() * 7.0 + (meters / 3.1).floor();
        let roll = fractal(number * 0.0917, lot.tint, 64, 1, self.seed ^ 21);
        let shop = meters < 3.1 && lot.kind != Use::House && lot.tint > 0.35;
        let base = if shop {
            match (0.05..0.95).contains(&bay) && (0.05..0.75).contains(&floor) {
                true => rgb(0x39424A),
                false => mix(
                    wall,
                    rgb([0x8A3B2E, 0x2F5D6B, 0x6B6B3A][(lot.tint * 2.99) as usize]),
                    0.7,
                ),
            }
        } else if glass {
            mix(rgb(0x2B3640), rgb(0x8FA6B5), roll * 0.8)
        } else if floor < 0.07 {
            wall.map(|c| c * 0.78)
        } else {
            wall
        };
        let facing = match side {
            Side::X(sign) => SUN[0] * sign,
            Side::Y(sign) => SUN[1] * sign,
        };
        // Bounce from the ground fades upwards into the sky's light.
        let light = 0.46 + 0.1 * up + 0.55 * facing.max(0.0);
        let foot = 0.72 + 0.28 * step(0.0, 2.5, meters);
        base.map(|c| (c * light * foot).min(1.0))
    }
}

fn car_color(roll: f32, across: f32, along: f32) -> Color {
    let colors = [0xE8E8E6, 0x24282E, 0x9A1F22, 0x2B4C7E, 0xB9BDC2];
    let body = rgb(colors[((roll * 97.0) as usize) % colors.len()]);
    let window = (1.0..1.6).contains(&along) || (2.7..3.2).contains(&along);
    if window && across < 0.7 {
        rgb(0x20262C)
    } else {
        body
    }
}

/// Whether two grid lines are the foot and the top of a wall; the sign gives its orientation.
pub fn wall_between(plan: &Plan, axis: usize, from: f32, to: f32) -> Option<f32> {
    let number = ((from + to) / 2.0 / LOT).floor() as i64;
    let [low, high] = plan.walls(axis, number);
    let is = |a: f32, b: f32| (from - a).abs() < LEAN * 0.2 && (to - b).abs() < LEAN * 0.2;
    match (is(low, low + LEAN), is(high - LEAN, high)) {
        (true, _) => Some(-1.0),
        (_, true) => Some(1.0),
        _ => None,
    }
}
