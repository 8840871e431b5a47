//! Deterministic noise, for textures and for scattering.

use image::{DynamicImage, RgbImage};
use rayon::prelude::*;

/// A sequence of pseudo-random numbers, the same for the same seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// In 0…1, excluding 1.
    pub fn roll(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.roll()
    }

    pub fn pick(&mut self, count: usize) -> usize {
        ((self.roll() * count as f32) as usize).min(count.saturating_sub(1))
    }
}

fn lattice(x: i64, y: i64, seed: u64) -> f32 {
    let mut h = seed ^ (x as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (y as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^= h >> 31;
    h = h.wrapping_mul(0x94D0_49BB_1331_11EB);
    (h >> 40) as f32 / (1u64 << 24) as f32
}

/// Value noise, 0…1, repeating after `period` cells in both directions.
pub fn value(x: f32, y: f32, period: i64, seed: u64) -> f32 {
    let (cx, cy) = (x.floor() as i64, y.floor() as i64);
    let ease = |t: f32| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (ease(x - cx as f32), ease(y - cy as f32));
    let at = |dx: i64, dy: i64| {
        lattice(
            (cx + dx).rem_euclid(period),
            (cy + dy).rem_euclid(period),
            seed,
        )
    };
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * u;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * u;
    low + (high - low) * v
}

/// Noise of several octaves over the unit square, 0…1, seamless.
pub fn fractal(u: f32, v: f32, cells: i64, octaves: u32, seed: u64) -> f32 {
    let (mut sum, mut weight, mut total) = (0.0, 1.0, 0.0);
    let mut cells = cells;
    for octave in 0..octaves {
        let scale = cells as f32;
        sum += weight
            * value(
                u * scale,
                v * scale,
                cells,
                seed.wrapping_add(u64::from(octave)),
            );
        total += weight;
        weight *= 0.5;
        cells *= 2;
    }
    sum / total
}

pub fn mix(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    let t = t.clamp(0.0, 1.0);
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

/// 0 below `from`, 1 above `to`, smooth in between.
pub fn step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// sRGB components 0…1 of `0xRRGGBB`.
pub fn rgb(hex: u32) -> [f32; 3] {
    [hex >> 16 & 255, hex >> 8 & 255, hex & 255].map(|c| c as f32 / 255.0)
}

/// An image from a function of u, v (0…1, v downwards) to sRGB components 0…1.
pub fn paint(width: u32, height: u32, color: impl Fn(f32, f32) -> [f32; 3] + Sync) -> DynamicImage {
    let mut pixels = RgbImage::new(width, height);
    let row_bytes = width as usize * 3;
    pixels
        .par_chunks_mut(row_bytes.max(1))
        .enumerate()
        .for_each(|(y, row)| {
            let v = (y as f32 + 0.5) / height as f32;
            for (x, pixel) in row.chunks_exact_mut(3).enumerate() {
                let u = (x as f32 + 0.5) / width as f32;
                pixel.copy_from_slice(
                    &color(u, v).map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8),
                );
            }
        });
    DynamicImage::ImageRgb8(pixels)
}
