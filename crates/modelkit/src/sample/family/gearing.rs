//! Toothed outlines.

use super::kit::Flat;
use std::f32::consts::TAU;

/// An outline with `teeth` teeth of `module` metres; tooth 0 is at angle 0. `inside` points the teeth inwards.
pub fn outline(teeth: usize, module: f32, inside: bool) -> Vec<Flat> {
    let pitch = teeth as f32 * module / 2.0;
    let (foot, tip) = match inside {
        true => (pitch + 1.2 * module, pitch - 0.92 * module),
        false => (pitch - 1.2 * module, pitch + 0.92 * module),
    };
    // Share of a tooth's pitch and of its height: foot, convex flank, land, and back.
    let half = [
        (0.0, 0.0),
        (0.16, 0.0),
        (0.195, 0.12),
        (0.25, 0.5),
        (0.3, 0.82),
        (0.345, 1.0),
    ];
    let mirrored = half.iter().skip(1).rev().map(|(s, h)| (1.0 - s, *h));
    let shares: Vec<(f32, f32)> = half.iter().copied().chain(mirrored).collect();
    let mut out = Vec::new();
    for k in 0..teeth {
        for (share, height) in &shares {
            let (sin, cos) = (TAU * (k as f32 + share - 0.5) / teeth as f32).sin_cos();
            let r = foot + (tip - foot) * height;
            out.push([r * cos, r * sin]);
        }
    }
    out
}
