//! Clips of a stand-in: the first two, ten keys a second.

use crate::Scene;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Interpolation};
use std::collections::HashSet;

const MOST_CLIPS: usize = 2;
const KEYS_A_SECOND: f32 = 10.0;
/// Longer clips end here.
const MOST_SECONDS: f32 = 20.0;

pub fn shorten(scene: &mut Scene) {
    scene.animations.retain(|clip| !clip.channels.is_empty());
    scene.animations.truncate(MOST_CLIPS);
    for clip in &mut scene.animations {
        resample(clip);
    }
}

fn resample(clip: &mut Animation) {
    let seconds = clip.seconds().clamp(0.0, MOST_SECONDS);
    let count = (seconds * KEYS_A_SECOND).floor() as usize + 1;
    let times: Vec<f32> = (0..count).map(|k| k as f32 / KEYS_A_SECOND).collect();
    let turning = |c: &&crate::scene::Channel| c.path == AnimationPath::Rotation;
    let turns: HashSet<u32> = clip
        .channels
        .iter()
        .filter(turning)
        .map(|c| c.sampler)
        .collect();
    for (index, sampler) in clip.samplers.iter_mut().enumerate() {
        let Some(width) = width(sampler) else {
            continue;
        };
        let turns = turns.contains(&(index as u32));
        let values = times
            .iter()
            .flat_map(|&t| at(sampler, width, turns, t))
            .collect();
        *sampler = AnimationSampler {
            interpolation: match sampler.interpolation {
                Interpolation::Step => Interpolation::Step,
                Interpolation::Linear | Interpolation::CubicSpline => Interpolation::Linear,
            },
            times: times.clone(),
            values,
        };
    }
}

/// Components of a key's value; `None` for keys that do not fit their values.
fn width(sampler: &AnimationSampler) -> Option<usize> {
    let parts = match sampler.interpolation {
        Interpolation::CubicSpline => 3,
        Interpolation::Linear | Interpolation::Step => 1,
    };
    let width = sampler.values.len() / (sampler.times.len().max(1) * parts);
    (width > 0
        && !sampler.times.is_empty()
        && sampler.values.len() == sampler.times.len() * width * parts)
        .then_some(width)
}

/// The value at a time; `turns`: rotations.
fn at(sampler: &AnimationSampler, width: usize, turns: bool, time: f32) -> Vec<f32> {
    let cubic = sampler.interpolation == Interpolation::CubicSpline;
    let stride = if cubic { 3 * width } else { width };
    // Part 0 of a cubic key is the tangent into it, 1 its value, 2 the tangent out of it.
    let part = |key: usize, part: usize| {
        let from = key * stride + part * width;
        &sampler.values[from..from + width]
    };
    let value = |key: usize| part(key, usize::from(cubic));
    let last = sampler.times.len() - 1;
    let next = sampler.times.partition_point(|&t| t <= time);
    if next == 0 {
        return value(0).to_vec();
    }
    let key = next - 1;
    if key >= last || sampler.interpolation == Interpolation::Step {
        return value(key.min(last)).to_vec();
    }
    let span = (sampler.times[next] - sampler.times[key]).max(1e-9);
    let t = ((time - sampler.times[key]) / span).clamp(0.0, 1.0);
    let (a, b) = (value(key), value(next));
    let mut out: Vec<f32> = match cubic {
        true => {
            let (t2, t3) = (t * t, t * t * t);
            let (out_of, into) = (part(key, 2), part(next, 0));
            let one = |k: usize| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * a[k]
                    + (t3 - 2.0 * t2 + t) * span * out_of[k]
                    + (3.0 * t2 - 2.0 * t3) * b[k]
                    + (t3 - t2) * span * into[k]
            };
            (0..width).map(one).collect()
        }
        false => {
            // The short way between two rotations.
            let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
            let sign = if turns && dot < 0.0 { -1.0 } else { 1.0 };
            let between = a.iter().zip(b).map(|(a, b)| a + (b * sign - a) * t);
            between.collect()
        }
    };
    if turns {
        let length = out.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
        out.iter_mut().for_each(|v| *v /= length);
    }
    out
}
