//! What a picture's part looks like to a program: directions of its edges in a grid, whatever its colours are.

use crate::continuity;
use crate::raster::Canvas;

/// Directions distinguished; an edge from dark to light counts as one from light to dark.
const DIRECTIONS: usize = 8;

/// A list of numbers of length 1: parts that look alike have a product near 1.
pub type Shape = Vec<f32>;

/// The shape of a part of a picture in `grid` × `grid` fields. `counts`: which pixels are looked at.
pub fn of(part: &Canvas, grid: usize, counts: impl Fn(usize, usize) -> bool) -> Shape {
    let (width, height) = (part.width, part.height);
    let light: Vec<f32> = part
        .pixels
        .iter()
        .map(|p| 0.3 * p[0] + 0.59 * p[1] + 0.11 * p[2])
        .collect();
    let mut fields = vec![0.0_f32; grid * grid * DIRECTIONS];
    for y in (2..height.saturating_sub(2)).step_by(2) {
        for x in (2..width.saturating_sub(2)).step_by(2) {
            if !counts(x, y) {
                continue;
            }
            let i = y * width + x;
            let across = light[i + 2] - light[i - 2];
            let down = light[i + 2 * width] - light[i - 2 * width];
            let strength = across.hypot(down);
            if strength < 12.0 {
                continue;
            }
            let turn = down.atan2(across).rem_euclid(std::f32::consts::PI) / std::f32::consts::PI;
            let place = turn * DIRECTIONS as f32;
            let (first, share) = (place as usize % DIRECTIONS, place.fract());
            let field = (y * grid / height * grid + x * grid / width) * DIRECTIONS;
            // By its root: a strong edge is not worth many weak ones.
            fields[field + first] += strength.sqrt() * (1.0 - share);
            fields[field + (first + 1) % DIRECTIONS] += strength.sqrt() * share;
        }
    }
    for value in &mut fields {
        *value = value.sqrt();
    }
    let length = product(&fields, &fields).sqrt().max(1e-6);
    fields.iter_mut().for_each(|value| *value /= length);
    fields
}

/// How much edge there is.
pub fn amount(part: &Canvas, counts: impl Fn(usize, usize) -> bool) -> f32 {
    let mut sum = 0.0;
    for y in (0..part.height).step_by(2) {
        for x in (0..part.width).step_by(2) {
            if counts(x, y) {
                let (across, down) = continuity::edge(part, (x as f32, y as f32));
                sum += across.hypot(down);
            }
        }
    }
    sum
}

pub fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Parts of known things.
pub struct Known {
    /// For each kind its shapes.
    pub kinds: Vec<Vec<Shape>>,
}

impl Known {
    /// Of so many kinds, none seen yet.
    pub fn of(kinds: usize) -> Self {
        Self {
            kinds: vec![Vec::new(); kinds],
        }
    }

    /// How likely a shape is of each kind; the sum is 1. `sharpness`: how much a better likeness counts.
    pub fn likelihood(&self, shape: &Shape, sharpness: f32) -> Vec<f32> {
        let mut scores = Vec::new();
        for shapes in &self.kinds {
            let mut likenesses: Vec<f32> =
                shapes.iter().map(|known| product(known, shape)).collect();
            likenesses.sort_by(|a, b| b.total_cmp(a));
            let best = &likenesses[..likenesses.len().min(3)];
            scores.push(best.iter().sum::<f32>() / best.len().max(1) as f32);
        }
        let top = scores.iter().copied().fold(f32::MIN, f32::max);
        let mut shares: Vec<f32> = scores
            .iter()
            .map(|score| ((score - top) * sharpness).exp())
            .collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}
