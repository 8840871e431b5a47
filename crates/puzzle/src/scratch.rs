//! The other check: a shield somewhere in a picture, to be uncovered by strokes.

use image::ExtendedColorType;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::picture::{HEIGHT, WIDTH, data_uri};
use crate::track::Sample;

/// Radius of the brush in pixels; the client draws with the same.
pub const BRUSH: f64 = 18.0;
/// Side of a cell in pixels.
const CELL: u32 = 8;
/// Share of the shield's cells that has to be uncovered.
const SHARE: f64 = 0.55;
const MIN_MS: f64 = 400.0;
/// Faster strokes (pixels per millisecond) are not made by a hand.
const MAX_SPEED: f64 = 8.0;
const MIN_SAMPLES: usize = 8;
const MAX_SAMPLES: usize = 2000;

/// Place and size of the shield.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shield {
    pub center_x: f64,
    pub center_y: f64,
    pub half_width: f64,
    pub half_height: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Uncovered,
    NotUncovered,
    TooFast,
}

impl Shield {
    pub fn random(rng: &mut impl Rng) -> Self {
        let half_width = rng.random_range(34.0..42.0);
        let half_height = rng.random_range(42.0..50.0);
        Self {
            center_x: rng.random_range(60.0..f64::from(WIDTH) - 60.0),
            center_y: rng.random_range(62.0..f64::from(HEIGHT) - 62.0),
            half_width,
            half_height,
        }
    }

    fn contains(&self, x: f64, y: f64) -> bool {
        let across = ((x - self.center_x) / self.half_width).abs();
        let down = (y - self.center_y) / self.half_height;
        if across > 1.0 || !(-1.0..=1.0).contains(&down) {
            return false;
        }
        // A straight upper half, the lower one narrowing to a point.
        down <= 0.1 || across <= (1.0 - ((down - 0.1) / 0.9).powi(2)).max(0.0).sqrt()
    }

    /// Centres of the cells that the shield fills.
    fn cells(&self) -> Vec<(f64, f64)> {
        let mut cells = Vec::new();
        for row in 0..HEIGHT / CELL {
            for column in 0..WIDTH / CELL {
                let at = |cell: u32| f64::from(cell * CELL) + f64::from(CELL) / 2.0;
                if self.contains(at(column), at(row)) {
                    cells.push((at(column), at(row)));
                }
            }
        }
        cells
    }

    /// What comes of strokes.
    pub fn judge(&self, strokes: &[Vec<Sample>]) -> Outcome {
        let samples: Vec<&Sample> = strokes.iter().flatten().collect();
        let finite = samples
            .iter()
            .all(|(x, y, t)| x.is_finite() && y.is_finite() && t.is_finite());
        let (Some(first), Some(last)) = (samples.first(), samples.last()) else {
            return Outcome::NotUncovered;
        };
        if !finite || samples.len() > MAX_SAMPLES {
            return Outcome::NotUncovered;
        }
        let cells = self.cells();
        let uncovered = cells
            .iter()
            .filter(|cell| is_touched(strokes, **cell))
            .count();
        if (uncovered as f64) < SHARE * cells.len() as f64 {
            return Outcome::NotUncovered;
        }
        let in_order = samples.windows(2).all(|pair| pair[0].2 <= pair[1].2);
        let duration = last.2 - first.2;
        let hasty = !in_order
            || duration < MIN_MS
            || samples.len() < MIN_SAMPLES
            || length(strokes) / duration > MAX_SPEED;
        if hasty {
            Outcome::TooFast
        } else {
            Outcome::Uncovered
        }
    }

    /// Strokes that pass: what the sandbox shows.
    pub fn solution(&self) -> Vec<Vec<Sample>> {
        let mut stroke = Vec::new();
        let mut time = 0.0;
        let mut y = self.center_y - self.half_height;
        let mut to_right = true;
        while y <= self.center_y + self.half_height {
            for step in 0..=10 {
                let share = f64::from(step) / 5.0 - 1.0;
                let across = if to_right { share } else { -share };
                stroke.push((
                    (self.center_x + across * self.half_width).round(),
                    y.round(),
                    time,
                ));
                time += 18.0;
            }
            to_right = !to_right;
            y += BRUSH;
        }
        vec![stroke]
    }
}

fn is_touched(strokes: &[Vec<Sample>], cell: (f64, f64)) -> bool {
    for stroke in strokes {
        if let [only] = stroke.as_slice()
            && distance(cell, only, only) <= BRUSH
        {
            return true;
        }
        if stroke
            .windows(2)
            .any(|pair| distance(cell, &pair[0], &pair[1]) <= BRUSH)
        {
            return true;
        }
    }
    false
}

/// Distance of a point from the segment between two samples.
fn distance(point: (f64, f64), from: &Sample, to: &Sample) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let square = dx * dx + dy * dy;
    let along = if square == 0.0 {
        0.0
    } else {
        (((point.0 - from.0) * dx + (point.1 - from.1) * dy) / square).clamp(0.0, 1.0)
    };
    (point.0 - from.0 - along * dx).hypot(point.1 - from.1 - along * dy)
}

fn length(strokes: &[Vec<Sample>]) -> f64 {
    let mut length = 0.0;
    for stroke in strokes {
        for pair in stroke.windows(2) {
            length += (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        }
    }
    length
}

/// Draws the shield on a quiet ground, strong enough to shine through the client's cover. Returns a data URI.
pub fn draw(rng: &mut impl Rng, shield: &Shield) -> anyhow::Result<String> {
    let mut pixels = Vec::with_capacity((WIDTH * HEIGHT * 3) as usize);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
            let noise = rng.random_range(0..3_u8) * 4;
            let mut color = [232, 238, 250];
            if shield.contains(x, y) {
                color = if x < shield.center_x {
                    [31, 94, 240]
                } else {
                    [15, 150, 163]
                };
                let inner = Shield {
                    half_width: shield.half_width - 6.0,
                    half_height: shield.half_height - 6.0,
                    ..shield.clone()
                };
                if !inner.contains(x, y) {
                    color = [11, 16, 32];
                }
            } else if (column / 20 + row / 20) % 2 == 0 {
                color = [222, 230, 246];
            }
            pixels.extend(color.map(|channel: u8| channel.saturating_add(noise)));
        }
    }
    data_uri(&pixels, WIDTH, HEIGHT, ExtendedColorType::Rgb8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shield() -> Shield {
        Shield {
            center_x: 150.0,
            center_y: 90.0,
            half_width: 38.0,
            half_height: 46.0,
        }
    }

    #[test]
    fn the_shown_solution_passes() {
        for _ in 0..50 {
            let shield = Shield::random(&mut rand::rng());
            assert_eq!(
                shield.judge(&shield.solution()),
                Outcome::Uncovered,
                "{shield:?}"
            );
        }
    }

    #[test]
    fn a_little_is_not_enough() {
        let shield = shield();
        assert_eq!(shield.judge(&[]), Outcome::NotUncovered);
        let dab = vec![vec![(150.0, 90.0, 0.0), (152.0, 90.0, 900.0)]];
        assert_eq!(shield.judge(&dab), Outcome::NotUncovered);
        let beside: Vec<Vec<Sample>> = shield
            .solution()
            .into_iter()
            .map(|stroke| {
                stroke
                    .into_iter()
                    .map(|(x, y, t)| (x + 110.0, y, t))
                    .collect()
            })
            .collect();
        assert_eq!(shield.judge(&beside), Outcome::NotUncovered);
        let wild = vec![vec![(f64::NAN, 0.0, 0.0), (f64::INFINITY, 0.0, 900.0)]];
        assert_eq!(shield.judge(&wild), Outcome::NotUncovered);
    }

    #[test]
    fn haste_is_noticed() {
        let shield = shield();
        let hasty: Vec<Vec<Sample>> = shield
            .solution()
            .into_iter()
            .map(|stroke| {
                stroke
                    .into_iter()
                    .map(|(x, y, t)| (x, y, t / 10.0))
                    .collect()
            })
            .collect();
        assert_eq!(shield.judge(&hasty), Outcome::TooFast);
    }
}
