//! The plan of the town: lots with buildings, gardens and trees, and streets between them. Everything is a function of
//! position and seed, so that tiles generated one by one fit together.

use crate::sample::noise::{Dice, value};

/// Side of a lot in metres; a street runs along every fourth lot's edge.
pub const LOT: f32 = 25.0;
pub const BLOCK: f32 = 4.0 * LOT;
/// Half the width of a street's carriageway.
pub const ROAD: f32 = 3.6;
/// Metres from a wall's foot to its top edge: an invisible inclination.
pub const LEAN: f32 = 0.12;
/// Direction to the sun, and its slope: metres up per metre along.
pub const SUN: [f32; 2] = [-0.55, -0.835];
pub const SUN_SLOPE: f32 = 1.05;
/// Spacing of the grid of trees.
const GROVE: f32 = 4.6;

/// Type of building on a lot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Use {
    /// A house with a ridged roof.
    House,
    /// A block with a flat roof.
    Flat,
    /// A tower with a set-back top.
    Tower,
    Park,
}

#[derive(Clone, Copy, Debug)]
pub struct Lot {
    pub kind: Use,
    /// Height of the eaves above the ground in metres.
    pub height: f32,
    /// 0…1, for colours.
    pub tint: f32,
    pub number: [i64; 2],
    /// The ridge runs along x.
    pub along: bool,
}

/// A town by its seed.
#[derive(Clone, Copy)]
pub struct Plan {
    pub seed: u64,
}

impl Plan {
    fn dice(&self, cell: [i64; 2], salt: u64) -> Dice {
        let mixed = (cell[0] as u64).wrapping_mul(73_856_093)
            ^ (cell[1] as u64).wrapping_mul(19_349_663)
            ^ salt.wrapping_mul(83_492_791);
        let mut dice = Dice::new(self.seed ^ mixed);
        // The first numbers of neighbouring lots are similar.
        dice.roll();
        dice
    }

    pub fn lot(&self, x: f32, y: f32) -> Lot {
        let number = [(x / LOT).floor() as i64, (y / LOT).floor() as i64];
        let mut dice = self.dice(number, 1);
        let roll = dice.roll();
        // Districts of towers and of houses.
        let dense = value(
            number[0] as f32 / 5.0,
            number[1] as f32 / 5.0,
            1 << 20,
            self.seed,
        );
        let kind = match roll {
            r if r < 0.15 => Use::Park,
            r if r < 0.15 + 0.55 * (1.0 - dense) => Use::House,
            r if r > 0.86 => Use::Tower,
            _ => Use::Flat,
        };
        let floors = match kind {
            Use::House => 2 + dice.pick(2),
            Use::Flat => 4 + dice.pick(4),
            Use::Tower => 9 + dice.pick(8),
            Use::Park => 0,
        };
        Lot {
            kind,
            height: floors as f32 * 3.1,
            tint: dice.roll(),
            number,
            along: dice.roll() < 0.5,
        }
    }

    /// Start and end of the buildings in a column (axis 0) or row (axis 1) of lots, in metres. Whole columns share
    /// them, so that grid lines can follow every wall.
    pub fn walls(&self, axis: usize, number: i64) -> [f32; 2] {
        let mut dice = self.dice([number, axis as i64], 2);
        let low = dice.between(5.2, 6.8);
        let high = LOT - dice.between(5.2, 6.8);
        [number as f32 * LOT + low, number as f32 * LOT + high]
    }

    pub fn ground(&self, x: f32, y: f32) -> f32 {
        2.0 * (x / 160.0).sin() + 1.5 * (y / 120.0).cos()
    }

    /// Position between the walls of its lot, each −1…1 from wall to wall; `None` outside.
    fn within(&self, x: f32, y: f32, lot: &Lot) -> Option<[f32; 2]> {
        let at = [x, y];
        let mut out = [0.0; 2];
        for axis in 0..2 {
            let [low, high] = self.walls(axis, lot.number[axis]);
            let (low, high) = (low + LEAN * 0.9, high - LEAN * 0.9);
            if at[axis] < low || at[axis] > high {
                return None;
            }
            out[axis] = (at[axis] - low) / (high - low) * 2.0 - 1.0;
        }
        Some(out)
    }

    /// The roof's height above the ground at a position under one.
    pub fn roof(&self, x: f32, y: f32) -> Option<f32> {
        let lot = self.lot(x, y);
        if lot.kind == Use::Park {
            return None;
        }
        let [u, v] = self.within(x, y, &lot)?;
        let extra = match lot.kind {
            Use::House => {
                let across = if lot.along { v } else { u };
                4.2 * (1.0 - across.abs())
            }
            Use::Tower if u.abs().max(v.abs()) < 0.55 => 4.0,
            // Machines and stairs.
            Use::Flat if (u - 0.35).abs() < 0.28 && (v + 0.2).abs() < 0.3 => 2.4,
            _ => 0.0,
        };
        Some(lot.height + extra)
    }

    /// Height of a tree's crown above the ground, 0 if there is none.
    pub fn tree(&self, x: f32, y: f32) -> f32 {
        let mut most = 0.0f32;
        let cell = [(x / GROVE).floor() as i64, (y / GROVE).floor() as i64];
        for dy in -1..=1 {
            for dx in -1..=1 {
                let number = [cell[0] + dx, cell[1] + dy];
                let mut dice = self.dice(number, 3);
                let middle = [
                    (number[0] as f32 + dice.between(0.3, 0.7)) * GROVE,
                    (number[1] as f32 + dice.between(0.3, 0.7)) * GROVE,
                ];
                let (chance, radius) = (dice.roll(), dice.between(1.5, 2.6));
                let away = (x - middle[0]).hypot(y - middle[1]) / radius;
                if away < 1.0 && chance < self.grows(middle[0], middle[1]) {
                    most = most.max((1.0 - away * away).sqrt() * radius * 2.6);
                }
            }
        }
        most
    }

    /// Probability of a tree at a position.
    fn grows(&self, x: f32, y: f32) -> f32 {
        if road(x).min(road(y)) < ROAD + 0.6 || self.near_wall(x, y) < 1.8 {
            return 0.0;
        }
        match self.lot(x, y).kind {
            Use::Park => 0.62,
            Use::House => 0.4,
            Use::Flat => 0.3,
            Use::Tower => 0.2,
        }
    }

    /// Metres to the nearest wall of the lot's own building; negative under its roof.
    pub fn near_wall(&self, x: f32, y: f32) -> f32 {
        let lot = self.lot(x, y);
        if lot.kind == Use::Park {
            return LOT;
        }
        let at = [x, y];
        (0..2)
            .map(|axis| {
                let [low, high] = self.walls(axis, lot.number[axis]);
                (low - at[axis]).max(at[axis] - high)
            })
            .fold(f32::NEG_INFINITY, f32::max)
    }

    /// Surface height as seen by the aerial camera.
    pub fn height(&self, x: f32, y: f32) -> f32 {
        let top = self.roof(x, y).unwrap_or_else(|| self.tree(x, y));
        self.ground(x, y) + top
    }

    /// Whether the sun reaches a position at this height above sea level.
    pub fn sunny(&self, x: f32, y: f32, height: f32) -> bool {
        (1..10).all(|step| {
            let far = step as f32 * 2.4;
            let (sx, sy) = (x + SUN[0] * far, y + SUN[1] * far);
            let top = self.roof(sx, sy).unwrap_or(0.0);
            self.ground(sx, sy) + top < height + far * SUN_SLOPE + 0.3
        })
    }
}

/// Metres to the centre of the nearest street along one axis.
pub fn road(t: f32) -> f32 {
    let t = t.rem_euclid(BLOCK);
    t.min(BLOCK - t)
}
