//! Which sign of the row becomes the one to be found.
//!
//! A program that looks for a sign compares its shape with the picture in many turns and sizes, or takes the most or
//! least conspicuous place. The same is done here, and a sign is chosen that such a search ranks low: what is asked for is
//! what programs of this kind misread.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use rand::{Rng, RngExt};

use crate::glyph::{self, Pose, SIGNS};

/// Brightness of a picture, row by row.
pub struct Light<'a> {
    pub width: usize,
    pub values: &'a [f32],
}

/// A sign of the row.
pub struct Slot {
    /// Index into [`SIGNS`].
    pub sign: usize,
    /// Centre in pixels.
    pub x: f32,
    pub y: f32,
    /// Whether it may be the one to be found.
    pub eligible: bool,
}

/// Half the height of the signs that are searched for, in pixels.
const HALF: f32 = 7.3;
/// Half the side of the square that is compared, in pixels.
const REACH: i32 = 8;
const TURNS: [f32; 6] = [-0.42, -0.26, -0.1, 0.06, 0.22, 0.38];
const SIZES: [f32; 2] = [0.88, 1.04];
const SHIFTS: [i32; 4] = [-2, -1, 0, 1];
/// Ranks that are wanted, each as often as the others: how many signs look more like the one to be found than itself.
const WANTED: std::ops::Range<usize> = 6..18;

/// Attempts after which any sign will do.
const PATIENCE: usize = 10;

/// A square of values with mean 0 and length 1, filled up with zeros to a multiple of eight.
type Unit = Vec<f32>;

/// Every sign in every turn and size.
static MASKS: LazyLock<Vec<Vec<Unit>>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for sign in SIGNS {
        let mut masks = Vec::new();
        for turn in TURNS {
            for size in SIZES {
                masks.push(unit(mask(sign, turn, HALF * size)));
            }
        }
        all.push(masks);
    }
    all
});

pub fn wanted_rank(rng: &mut impl Rng) -> usize {
    rng.random_range(WANTED)
}

/// The slot to be found, as row and place in it: one near the wanted rank, the nearer the fewer attempts were made;
/// `None` if there is none.
pub fn choose(
    rng: &mut impl Rng,
    light: &Light<'_>,
    rows: &[Vec<Slot>],
    wanted: usize,
    attempt: usize,
) -> Option<(usize, usize)> {
    let first = rng.random_range(0..rows.len().max(1));
    for step in 0..rows.len() {
        let index = (first + step) % rows.len();
        let slots = rows.get(index)?;
        if let Some(slot) = choose_in_row(rng, light, slots, wanted, attempt) {
            return Some((index, slot));
        }
    }
    None
}

fn choose_in_row(
    rng: &mut impl Rng,
    light: &Light<'_>,
    slots: &[Slot],
    wanted: usize,
    attempt: usize,
) -> Option<usize> {
    let mut fit: Vec<usize> = (0..slots.len()).filter(|i| slots[*i].eligible).collect();
    for score in [mean, contrast] {
        drop_extremes(&mut fit, |i| score(&patch(light, slots[i].x, slots[i].y)));
    }
    let seen: Vec<Vec<[Unit; 2]>> = slots.iter().map(|slot| views(light, slot)).collect();
    // What the search finds at once, or next, is not asked for while there is a choice.
    let least = if attempt > PATIENCE { 0 } else { 4 };
    let room = 1 + 2 * attempt;
    let ranks = wanted.saturating_sub(room).max(least)..=wanted + room;
    while !fit.is_empty() {
        let slot = fit.swap_remove(rng.random_range(0..fit.len()));
        if is_ranked(&seen, slots, slot, &ranks) {
            return Some(slot);
        }
    }
    None
}

/// Drops the slots with the least and the greatest score.
fn drop_extremes(fit: &mut Vec<usize>, score: impl Fn(usize) -> f32) {
    fit.sort_by(|a, b| score(*a).total_cmp(&score(*b)));
    fit.pop();
    if !fit.is_empty() {
        fit.remove(0);
    }
}

/// Whether the number of slots that look more like the sign of slot `own` than the slot itself lies within `ranks`.
fn is_ranked(
    seen: &[Vec<[Unit; 2]>],
    slots: &[Slot],
    own: usize,
    ranks: &RangeInclusive<usize>,
) -> bool {
    let Some(masks) = slots.get(own).and_then(|slot| MASKS.get(slot.sign)) else {
        return false;
    };
    let likeness = |slot: usize| {
        let mut best = 0.0_f32;
        for [light, strength] in seen.get(slot).map_or(&[][..], Vec::as_slice) {
            for mask in masks {
                best = best
                    .max(product(light, mask).abs())
                    .max(product(strength, mask));
            }
        }
        best
    };
    let mine = likeness(own);
    let (mut more, mut left) = (0, slots.len().saturating_sub(1));
    for slot in (0..slots.len()).filter(|slot| *slot != own) {
        // Most signs are found at once, and that shows before all others have been looked at.
        if more + left < *ranks.start() || more > *ranks.end() {
            return false;
        }
        more += usize::from(likeness(slot) > mine);
        left -= 1;
    }
    ranks.contains(&more)
}

/// What lies at and around a slot: brightness, and how much strokes stand out, be they light or dark.
fn views(light: &Light<'_>, slot: &Slot) -> Vec<[Unit; 2]> {
    let mut views = Vec::new();
    for across in SHIFTS {
        for down in SHIFTS {
            let plain = patch(light, slot.x + across as f32, slot.y + down as f32);
            let mut sorted = plain.clone();
            sorted.sort_by(f32::total_cmp);
            let middle = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
            let strength = plain.iter().map(|value| (value - middle).abs()).collect();
            views.push([unit(plain), unit(strength)]);
        }
    }
    views
}

/// The square around a place; beyond the picture its edge goes on.
fn patch(light: &Light<'_>, x: f32, y: f32) -> Vec<f32> {
    let height = (light.values.len() / light.width.max(1)) as i32;
    let mut values = Vec::with_capacity(((2 * REACH + 1) * (2 * REACH + 1)) as usize);
    for down in -REACH..=REACH {
        for across in -REACH..=REACH {
            let column = (x as i32 + across).clamp(0, light.width as i32 - 1);
            let row = (y as i32 + down).clamp(0, height - 1);
            let index = row as usize * light.width + column as usize;
            values.push(light.values.get(index).copied().unwrap_or(0.0));
        }
    }
    values
}

fn mask(sign: glyph::Sign, turn: f32, half: f32) -> Vec<f32> {
    let pose = Pose {
        turn,
        ..Pose::plain(half)
    };
    let segments = glyph::segments(sign, &pose);
    let mut values = Vec::new();
    for down in -REACH..=REACH {
        for across in -REACH..=REACH {
            let distance = glyph::distance(&segments, across as f32, down as f32);
            values.push((2.0 - distance).clamp(0.0, 1.0));
        }
    }
    values
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

fn contrast(values: &[f32]) -> f32 {
    let middle = mean(values);
    values.iter().map(|value| (value - middle).powi(2)).sum()
}

fn unit(values: Vec<f32>) -> Unit {
    let middle = mean(&values);
    let length = contrast(&values).sqrt().max(1e-6);
    let mut unit: Unit = values
        .into_iter()
        .map(|value| (value - middle) / length)
        .collect();
    unit.resize(unit.len().next_multiple_of(8), 0.0);
    unit
}

/// Sum of products, in eight lanes that the processor can compute at once.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let (a, _) = a.as_chunks::<8>();
    let (b, _) = b.as_chunks::<8>();
    let mut lanes = [0.0_f32; 8];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum()
}
