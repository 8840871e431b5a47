//! Clips: channels animate single transform steps of a node; the result is translation, rotation and scale.

use super::Reading;
use super::placing::{self, Step};
use super::source::{Rows, inputs};
use super::xml::{Xml, local, named};
use crate::limits::Limits;
use crate::scene::math;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Transform};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// Samples per second between the keys of an animated node: interpolating steps differs from interpolating their
/// product.
const RATE: f32 = 30.0;
/// Most samples of one node.
const MOST_MOMENTS: usize = 20_000;

/// Keys of one step, or of one of its members.
struct Track {
    /// Index in the node's list of steps.
    step: usize,
    /// `None` for all members of the step.
    member: Option<usize>,
    times: Vec<f32>,
    values: Rows,
    held: bool,
}

impl Track {
    /// Sets the step to its value at `time`.
    fn apply(&self, time: f32, steps: &mut [Step]) {
        let after = self.times.partition_point(|t| *t <= time);
        let (from, to) = (after.saturating_sub(1), after.min(self.times.len() - 1));
        let (Some(a), Some(b)) = (self.values.row(from), self.values.row(to)) else {
            return;
        };
        let span = self.times[to] - self.times[from];
        let part = match span > 0.0 && !self.held {
            true => f64::from(((time - self.times[from]) / span).clamp(0.0, 1.0)),
            false => 0.0,
        };
        let Some(step) = steps.get_mut(self.step) else {
            return;
        };
        let start = self.member.unwrap_or(0);
        for ((to, a), b) in step.values[start..].iter_mut().zip(a).zip(b) {
            let mixed = f64::from(*a) + (f64::from(*b) - f64::from(*a)) * part;
            if mixed.is_finite() {
                *to = mixed;
            }
        }
    }
}

impl<'a> Reading<'a> {
    /// All animations of the file as one clip.
    pub fn clip(&mut self, root: Xml<'a>, ctx: &Ctx) -> Result<()> {
        let mut tracks: HashMap<&'a str, Vec<Track>> = HashMap::new();
        let libraries = named(root, "library_animations");
        for channel in libraries
            .flat_map(|l| l.descendants())
            .filter(|n| n.tag_name().name() == "channel")
        {
            if let Some((node, track)) = self.track(channel) {
                tracks.entry(node).or_default().push(track);
            }
        }
        let mut ids: Vec<&str> = tracks.keys().copied().collect();
        ids.sort_unstable();
        let mut clip = Animation {
            name: "Animation".to_owned(),
            ..Animation::default()
        };
        let mut total = 0;
        for id in ids {
            let (Some(xml), Some(tracks)) = (self.ids.get(id).copied(), tracks.get(id)) else {
                continue;
            };
            let moments = moments(tracks);
            total += moments.len() * 10;
            Limits::check("动画关键帧", total, ctx.limits.animation_values)?;
            let places = self.placed.get(&xml.id()).cloned().unwrap_or_default();
            bake(&mut clip, &places, placing::steps(xml), tracks, moments);
        }
        for channel in &clip.channels {
            // Only translation, rotation and scale can be animated.
            if let Some(node) = self.scene.nodes.get_mut(channel.node as usize) {
                node.transform = Transform::parts(&node.transform.matrix());
            }
        }
        if !clip.channels.is_empty() {
            self.scene.animations.push(clip);
        }
        Ok(())
    }

    /// Resolves a channel: the id of its target node, and its track.
    fn track(&self, channel: Xml<'a>) -> Option<(&'a str, Track)> {
        let (id, rest) = channel.attribute("target")?.split_once('/')?;
        let xml = self.ids.get(id).filter(|n| n.tag_name().name() == "node")?;
        let cut = rest.find(['.', '(']).unwrap_or(rest.len());
        let (sid, member) = rest.split_at(cut);
        let steps = placing::steps(*xml);
        let step = steps.iter().position(|s| s.sid == Some(sid))?;
        let member = match member.trim_start_matches('.') {
            "" => None,
            name => Some(steps[step].member(name)?),
        };
        let sampler = self.ids.get(local(channel.attribute("source")?)?)?;
        let source = |semantic: &str| {
            let wire = inputs(*sampler).find(|w| w.semantic == semantic)?;
            self.ids.get(wire.source).copied()
        };
        let input = Rows::read(source("INPUT")?)?;
        let values = Rows::read(source("OUTPUT")?)?;
        let times: Vec<f32> = (0..input.len().min(values.len()))
            .filter_map(|i| input.get::<1>(i, 0.0))
            .map(|[t]| t)
            .collect();
        let rising = times.windows(2).all(|t| t[0] <= t[1]) && times.iter().all(|t| t.is_finite());
        let wanted = if member.is_some() {
            1
        } else {
            steps[step].values.len().min(16)
        };
        if times.is_empty() || !rising || values.width() < wanted.min(3) && member.is_none() {
            return None;
        }
        let kinds = source("INTERPOLATION").map_or(Vec::new(), super::source::names);
        Some((
            id,
            Track {
                step,
                member,
                times,
                values,
                held: kinds.first() == Some(&"STEP"),
            },
        ))
    }
}

/// Times of all keys, and samples between them.
fn moments(tracks: &[Track]) -> Vec<f32> {
    let mut keys: Vec<f32> = tracks
        .iter()
        .flat_map(|t| t.times.iter().copied())
        .collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let mut out = Vec::with_capacity(keys.len());
    for pair in keys.windows(2) {
        let between = ((pair[1] - pair[0]) * RATE).ceil().clamp(1.0, 1000.0) as usize;
        let room = MOST_MOMENTS.saturating_sub(out.len()).max(1);
        let between = between.min(room);
        let moment = |k: usize| pair[0] + (pair[1] - pair[0]) * k as f32 / between as f32;
        out.extend((0..between).map(moment));
    }
    out.extend(keys.last());
    // Rounding must not produce equal times.
    out.dedup();
    out
}

fn bake(
    clip: &mut Animation,
    places: &[u32],
    mut steps: Vec<Step>,
    tracks: &[Track],
    times: Vec<f32>,
) {
    let (mut at, mut turn, mut size) = (Vec::new(), Vec::new(), Vec::new());
    let mut last = [0.0f64; 4];
    for time in &times {
        for track in tracks {
            track.apply(*time, &mut steps);
        }
        let (t, mut r, s) = math::decompose(&placing::compose(&steps));
        // Of the two quaternions for one rotation, the closer one.
        if r.iter().zip(&last).map(|(a, b)| a * b).sum::<f64>() < 0.0 {
            r = r.map(|v| -v);
        }
        last = r;
        at.extend(t.map(|v| v as f32));
        turn.extend(r.map(|v| v as f32));
        size.extend(s.map(|v| v as f32));
    }
    for (path, values) in [
        (AnimationPath::Translation, at),
        (AnimationPath::Rotation, turn),
        (AnimationPath::Scale, size),
    ] {
        for &node in places {
            clip.channels.push(Channel {
                node,
                path,
                sampler: clip.samplers.len() as u32,
            });
        }
        clip.samplers.push(AnimationSampler {
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        });
    }
}
