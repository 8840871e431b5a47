//! Removes redundant keys of clips: a key that interpolation between its neighbours reproduces, and a channel whose
//! node is at rest in every clip.

pub use super::reach::TOLERANCE;

use super::reach::Tolerances;
use super::times;
use crate::scene::math::Transform;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Interpolation, Scene};
use std::collections::{HashMap, HashSet};

/// Most keys one straight segment may replace; bounds the work to this times the keys.
const LONGEST_RUN: usize = 256;

/// How the keys that remain are kept in the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// As they are: each costs its value and its time.
    Plain,
    /// Compressed: even times that tracks share cost next to nothing, while each thinned track brings uneven times of its own.
    Packed,
}

impl Keys {
    /// Whether `kept` of `keys` are worth their own times.
    fn pays(self, kept: usize, keys: usize) -> bool {
        match self {
            Self::Plain => kept < keys,
            // All that stand still share one time.
            Self::Packed if kept == 1 => keys > 2,
            // 3.7 bytes a value and 2.1 a time, against 2.6 a value of all keys (rotations of a walking whale); and the
            // times' own accessor in the document, of some 110 bytes.
            Self::Packed => kept * 58 + 1100 < keys * 26,
        }
    }
}

/// Thins every clip; clips keep their names, number and duration.
pub fn thin(scene: &mut Scene, form: Keys) {
    let tolerances = Tolerances::of(scene);
    let idle = idle_targets(scene, &tolerances);
    for clip in &mut scene.animations {
        let seconds = clip.seconds();
        let first = clip.channels.first().copied();
        let kept = |c: &crate::scene::Channel| !idle.contains(&(c.node, c.path));
        clip.channels.retain(kept);
        // A clip without movement is still a clip.
        if clip.channels.is_empty() {
            clip.channels.extend(first);
        }
        used_samplers(clip);
        let paths = paths_of(clip);
        let finest = finest(clip, &tolerances);
        for (sampler, tolerance) in clip.samplers.iter_mut().zip(finest) {
            if let Some(tolerance) = tolerance {
                thin_sampler(sampler, tolerance, form);
            }
        }
        keep_length(clip, seconds);
        if form == Keys::Packed {
            let widths = paths.iter().map(|path| path.and_then(width).unwrap_or(0));
            times::share(clip, &widths.collect::<Vec<usize>>());
        }
    }
}

/// Drops the clips of a model that none of them moves. A still clip beside others stays: it takes the model back to rest.
pub fn drop_still(scene: &mut Scene) {
    let idle = idle_targets(scene, &Tolerances::of(scene));
    let mut channels = scene.animations.iter().flat_map(|clip| &clip.channels);
    // Clips alone are all that such a file shows.
    if !scene.meshes.is_empty() && channels.all(|c| idle.contains(&(c.node, c.path))) {
        scene.animations.clear();
    }
}

/// Components per key; `None` for weights, whose number depends on the mesh.
fn width(path: AnimationPath) -> Option<usize> {
    match path {
        AnimationPath::Translation | AnimationPath::Scale => Some(3),
        AnimationPath::Rotation => Some(4),
        AnimationPath::Weights => None,
    }
}

/// Targets that stay in their rest pose in every clip that animates them.
fn idle_targets(scene: &Scene, tolerances: &Tolerances) -> HashSet<(u32, AnimationPath)> {
    let mut idle: HashMap<(u32, AnimationPath), bool> = HashMap::new();
    for clip in &scene.animations {
        for channel in &clip.channels {
            let sampler = clip.samplers.get(channel.sampler as usize);
            let rest = scene.nodes.get(channel.node as usize);
            let rests = match (sampler, rest.map(|n| &n.transform)) {
                (Some(sampler), Some(rest)) => {
                    let tolerance =
                        tolerances.tolerance(channel.node, channel.path, &sampler.values);
                    rests(sampler, channel.path, rest, tolerance)
                }
                _ => false,
            };
            *idle.entry((channel.node, channel.path)).or_insert(true) &= rests;
        }
    }
    idle.into_iter()
        .filter(|(_, idle)| *idle)
        .map(|(t, _)| t)
        .collect()
}

fn rests(
    sampler: &AnimationSampler,
    path: AnimationPath,
    rest: &Transform,
    tolerance: f32,
) -> bool {
    let Transform::Trs {
        translation,
        rotation,
        scale,
    } = rest
    else {
        return false;
    };
    let place = translation.map(|v| v as f32);
    let rest: &[f32] = match path {
        AnimationPath::Translation => &place,
        AnimationPath::Rotation => rotation,
        AnimationPath::Scale => scale,
        AnimationPath::Weights => return false,
    };
    sampler.interpolation != Interpolation::CubicSpline
        && sampler
            .values
            .chunks_exact(rest.len())
            .all(|key| near(key, rest, tolerance))
}

fn near(a: &[f32], b: &[f32], tolerance: f32) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance)
}

/// Drops samplers that no channel uses.
fn used_samplers(clip: &mut Animation) {
    let mut moved: HashMap<u32, u32> = HashMap::new();
    let mut kept = Vec::new();
    for channel in &mut clip.channels {
        let next = kept.len() as u32;
        let to = *moved.entry(channel.sampler).or_insert(next);
        if to == next {
            kept.extend(clip.samplers.get(channel.sampler as usize).cloned());
        }
        channel.sampler = to;
    }
    clip.samplers = kept;
}

/// What each sampler animates; `None` where the width is unknown.
fn paths_of(clip: &Animation) -> Vec<Option<AnimationPath>> {
    let mut paths = vec![None; clip.samplers.len()];
    for channel in &clip.channels {
        if let Some(path) = paths.get_mut(channel.sampler as usize) {
            *path = width(channel.path).map(|_| channel.path);
        }
    }
    paths
}

/// The smallest tolerance of what each sampler animates; `None` where the width is unknown.
fn finest(clip: &Animation, tolerances: &Tolerances) -> Vec<Option<f32>> {
    let mut finest: Vec<Option<f32>> = vec![None; clip.samplers.len()];
    for channel in clip.channels.iter().filter(|c| width(c.path).is_some()) {
        let index = channel.sampler as usize;
        if let (Some(slot), Some(sampler)) = (finest.get_mut(index), clip.samplers.get(index)) {
            let own = tolerances.tolerance(channel.node, channel.path, &sampler.values);
            *slot = Some(slot.map_or(own, |other| other.min(own)));
        }
    }
    finest
}

pub fn thin_sampler(sampler: &mut AnimationSampler, tolerance: f32, form: Keys) {
    let keys = sampler.times.len();
    if keys < 2 || sampler.interpolation == Interpolation::CubicSpline {
        return;
    }
    let width = sampler.values.len() / keys;
    if width == 0 || sampler.values.len() != width * keys {
        return;
    }
    let key = |i: usize| &sampler.values[i * width..(i + 1) * width];
    let mut kept = vec![0];
    let mut from = 0;
    for to in 2..=keys {
        let spans = to < keys
            && to - from <= LONGEST_RUN
            && (from + 1..to).all(|between| {
                let implied = implied(sampler, width, from, to, between);
                near(&implied, key(between), tolerance)
            });
        if !spans {
            from = to - 1;
            kept.push(from);
        }
    }
    let constant = kept.iter().all(|&i| near(key(i), key(0), tolerance));
    if constant {
        kept.truncate(1);
    }
    if !form.pays(kept.len(), keys) {
        return;
    }
    sampler.values = kept.iter().flat_map(|&i| key(i).to_vec()).collect();
    sampler.times = kept.iter().map(|&i| sampler.times[i]).collect();
}

/// The value interpolated between two keys at the time of a third. Within the tolerance rotations are so close that
/// linear interpolation replaces the arc.
fn implied(
    sampler: &AnimationSampler,
    width: usize,
    from: usize,
    to: usize,
    at: usize,
) -> Vec<f32> {
    let key = |i: usize| &sampler.values[i * width..(i + 1) * width];
    if sampler.interpolation == Interpolation::Step {
        return key(from).to_vec();
    }
    let span = sampler.times[to] - sampler.times[from];
    let part = match span > 0.0 {
        true => (sampler.times[at] - sampler.times[from]) / span,
        false => 0.0,
    };
    let mut out: Vec<f32> = key(from)
        .iter()
        .zip(key(to))
        .map(|(a, b)| a + (b - a) * part)
        .collect();
    if width == 4 {
        let length = out.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-6);
        out.iter_mut().for_each(|v| *v /= length);
    }
    out
}

/// Restores the last key of a clip that became shorter by dropped keys.
fn keep_length(clip: &mut Animation, seconds: f32) {
    if clip.seconds() >= seconds {
        return;
    }
    if let Some(sampler) = clip.samplers.first_mut() {
        let width = sampler.values.len() / sampler.times.len().max(1);
        let last = sampler.values[sampler.values.len() - width..].to_vec();
        if sampler.interpolation != Interpolation::CubicSpline {
            sampler.times.push(seconds);
            sampler.values.extend(last);
        }
    }
}
