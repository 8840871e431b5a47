//! Tracks of a clip on common times: compressed, a few more keys cost less than times of their own.

use crate::scene::{Animation, AnimationSampler, Interpolation};
use std::collections::HashMap;

/// Bytes of a compressed key, with its value on even times; of a time; and of the times' accessor in the document.
const KEY: usize = 3;
const TIME: usize = 2;
const ACCESSOR: usize = 110;

/// Gives linear tracks the times of a longer one that has all of theirs, with interpolated keys between their own: what
/// they show is the same. `width` is the number of components of a track's value, and zero for those to be left.
pub fn share(clip: &mut Animation, width: &[usize]) {
    let bits = |s: &AnimationSampler| s.times.iter().map(|t| t.to_bits()).collect::<Vec<u32>>();
    let mut users: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
    for (i, sampler) in clip.samplers.iter().enumerate() {
        users.entry(bits(sampler)).or_default().push(i);
    }
    let mut sets: Vec<(Vec<u32>, Vec<usize>)> = users.into_iter().collect();
    // The longest first; the order among equals must not depend on the map's.
    sets.sort_unstable_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.1.cmp(&b.1)));
    let mut bases: Vec<Vec<f32>> = Vec::new();
    for (_, tracks) in sets {
        let linear = |&i: &usize| {
            let sampler = &clip.samplers[i];
            let whole = sampler.values.len() == sampler.times.len() * width[i];
            width[i] > 0 && whole && sampler.interpolation == Interpolation::Linear
        };
        let own = clip.samplers[tracks[0]].times.clone();
        let base = bases.iter().rev().find(|base| {
            let added = (base.len() - own.len()) * tracks.len() * KEY;
            own.len() > 1 && added < ACCESSOR + own.len() * TIME && contains(base, &own)
        });
        match base {
            Some(base) if tracks.iter().all(linear) => {
                for &i in &tracks {
                    resample(&mut clip.samplers[i], width[i], base);
                }
            }
            _ => bases.push(own),
        }
    }
}

/// Whether increasing times contain others.
fn contains(base: &[f32], own: &[f32]) -> bool {
    let mut rest = base.iter();
    own.iter().all(|time| rest.any(|other| other == time))
}

fn resample(sampler: &mut AnimationSampler, width: usize, base: &[f32]) {
    let mut values = Vec::with_capacity(base.len() * width);
    for &time in base {
        let next = sampler.times.partition_point(|t| *t < time);
        let last = sampler.times.len() - 1;
        let (from, to) = (next.saturating_sub(1), next.min(last));
        values.extend(between(sampler, width, from, to, time));
    }
    sampler.times = base.to_vec();
    sampler.values = values;
}

/// The value at a time from one key's to the next one's; before the first and after the last theirs.
fn between(s: &AnimationSampler, width: usize, from: usize, to: usize, time: f32) -> Vec<f32> {
    let key = |i: usize| &s.values[i * width..(i + 1) * width];
    let (a, b) = (key(from), key(to));
    let span = s.times[to] - s.times[from];
    if time == s.times[to] || span <= 0.0 {
        return b.to_vec();
    }
    let part = ((time - s.times[from]) / span).clamp(0.0, 1.0);
    let mix = |wa: f32, wb: f32| a.iter().zip(b).map(|(a, b)| a * wa + b * wb).collect();
    if width < 4 {
        return mix(1.0 - part, part);
    }
    // Rotations turn along the shorter arc at an even speed.
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let angle = dot.abs().min(1.0).acos();
    let weight = |part: f32| match angle > 1e-3 {
        true => (angle * part).sin() / angle.sin(),
        false => part,
    };
    mix(weight(1.0 - part), weight(part) * dot.signum())
}
