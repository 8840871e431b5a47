//! Clips: channels animate single transform steps of a node, or weights of a morph. The result is translation, rotation
//! and scale, and weights.

use super::Reading;
use super::curve::Curve;
use super::lost::Loss;
use super::placing::{self, Step};
use super::source::inputs;
use super::xml::{Xml, local, named, path, title};
use crate::limits::Limits;
use crate::scene::math;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Transform};
use crate::{Ctx, Result};
use std::collections::BTreeMap;

/// Samples per second between the keys of an animated node: interpolating steps differs from interpolating their
/// product.
const RATE: f32 = 30.0;
/// Most samples of one node.
const MOST_MOMENTS: usize = 20_000;
/// Seconds that a jump takes: samples are linear.
const JUMP: f32 = 1e-3;

/// What a channel moves.
enum Aim {
    /// A step of a node: its place in the node's list.
    Step(usize),
    /// The weights in a source of a morph.
    Weights,
}

/// A curve of a step or of weights, or of one of their members.
struct Track {
    aim: Aim,
    /// `None` for all members.
    member: Option<usize>,
    curve: Curve,
}

/// What a target names: the element, its part, its member, and how many values a key needs.
type Found<'a> = std::result::Result<(Xml<'a>, Aim, Option<usize>, usize), Loss>;

/// Tracks by what they move, in the order of the file.
type Tracks<'a> = BTreeMap<u32, (Xml<'a>, Vec<Track>)>;

impl<'a> Reading<'a> {
    /// All animations of the file as one clip.
    pub fn clip(&mut self, root: Xml<'a>, ctx: &Ctx) -> Result<()> {
        let mut tracks = Tracks::new();
        let libraries = named(root, "library_animations");
        let all = libraries.flat_map(|l| l.descendants());
        let channels = all.filter(|n| n.tag_name().name() == "channel");
        for (i, channel) in channels.enumerate() {
            let animation = channel.parent().map_or_else(String::new, title);
            let place = ("动画", animation.as_str(), i);
            let target = channel.attribute("target").unwrap_or("");
            match self.track(channel) {
                Ok((xml, track)) => {
                    if track.curve.is_simplified {
                        self.counts.losses.add(Loss::Interpolation, place, target);
                    }
                    let own = tracks.entry(xml.id().get()).or_insert((xml, Vec::new()));
                    own.1.push(track);
                }
                Err(loss) => self.counts.losses.add(loss, place, target),
            }
        }
        let mut clip = Animation {
            name: "Animation".to_owned(),
            ..Animation::default()
        };
        let mut total = 0;
        for (xml, tracks) in tracks.values() {
            let moments = moments(tracks);
            total += moments.len() * 10;
            Limits::check("动画关键帧", total, ctx.limits.animation_values)?;
            if xml.tag_name().name() == "node" {
                let places = self.placed.get(&xml.id()).cloned().unwrap_or_default();
                bake(&mut clip, &places, placing::steps(*xml), tracks, moments);
                continue;
            }
            let places = self.weights.get(&xml.id()).cloned().unwrap_or_default();
            let rest = places.first().map_or(Vec::new(), |node| self.rest(*node));
            total += moments.len().saturating_mul(rest.len());
            Limits::check("动画关键帧", total, ctx.limits.animation_values)?;
            bake_weights(&mut clip, &places, rest, tracks, moments);
        }
        for channel in &clip.channels {
            // Only translation, rotation and scale can be animated.
            let moves = channel.path != AnimationPath::Weights;
            let node = self.scene.nodes.get_mut(channel.node as usize);
            if let Some(node) = node.filter(|_| moves) {
                node.transform = Transform::parts(&node.transform.matrix());
            }
        }
        if !clip.channels.is_empty() {
            self.scene.animations.push(clip);
        }
        Ok(())
    }

    /// The weights of a node's mesh.
    fn rest(&self, node: u32) -> Vec<f64> {
        let mesh = self.scene.nodes.get(node as usize).and_then(|n| n.mesh);
        let mesh = mesh.and_then(|mesh| self.scene.meshes.get(mesh as usize));
        mesh.map_or(Vec::new(), |mesh| {
            mesh.weights.iter().map(|w| f64::from(*w)).collect()
        })
    }

    /// Resolves a channel: what it moves, and its track.
    fn track(&self, channel: Xml<'a>) -> std::result::Result<(Xml<'a>, Track), Loss> {
        let target = channel.attribute("target").ok_or(Loss::Aimless)?.trim();
        let (xml, aim, member, wanted) = self.aim(target)?;
        let source = channel.attribute("source").and_then(local);
        let sampler = source.and_then(|id| self.ids.get(id).copied());
        let curve = Curve::read(&self.ids, sampler.ok_or(Loss::Keys)?)?;
        if member.is_none() && curve.width() < wanted {
            return Err(Loss::Keys);
        }
        Ok((xml, Track { aim, member, curve }))
    }

    fn aim(&self, target: &str) -> Found<'a> {
        let Some((id, rest)) = target.split_once('/') else {
            let cut = target.find('(').unwrap_or(target.len());
            let (id, member) = target.split_at(cut);
            return self.aim_at_weights(id, member);
        };
        let xml = self.ids.get(id).copied().ok_or(Loss::Aimless)?;
        let cut = rest.find(['.', '(']).unwrap_or(rest.len());
        let (sid, member) = rest.split_at(cut);
        if xml.tag_name().name() != "node" {
            let morph = path(xml, &["morph", "targets"]);
            let weights = morph.and_then(|t| inputs(t).find(|w| w.semantic == "MORPH_WEIGHT"));
            return self.aim_at_weights(weights.map_or(id, |w| w.source), member);
        }
        let steps = placing::steps(xml);
        let step = steps.iter().position(|s| s.sid == Some(sid));
        let step = step.ok_or(Loss::Channel)?;
        if !self.placed.contains_key(&xml.id()) {
            return Err(Loss::Aimless);
        }
        let member = match member.trim_start_matches('.') {
            "" => None,
            name => Some(steps[step].member(name).ok_or(Loss::Channel)?),
        };
        let wanted = steps[step].values.len().min(3);
        Ok((xml, Aim::Step(step), member, wanted))
    }

    /// A source of weights, or its array, by id.
    fn aim_at_weights(&self, id: &str, member: &str) -> Found<'a> {
        let xml = self.ids.get(id).copied().ok_or(Loss::Aimless)?;
        let source = [Some(xml), xml.parent()].into_iter().flatten();
        let known = source
            .into_iter()
            .find(|s| self.weights.contains_key(&s.id()));
        let source = known.ok_or(Loss::Channel)?;
        let member = match member.trim_matches(['(', ')']) {
            "" => None,
            number => Some(number.parse().map_err(|_| Loss::Channel)?),
        };
        Ok((source, Aim::Weights, member, 1))
    }
}

impl Track {
    fn apply(&self, time: f32, values: &mut [f64]) {
        let start = self.member.unwrap_or(0);
        // A member is one value, however wide the rows are.
        let end = self
            .member
            .map_or(values.len(), |member| member.saturating_add(1));
        if let Some(own) = values.get_mut(start..end) {
            self.curve.apply(time, own);
        }
    }
}

/// Times of all keys, and samples between them.
fn moments(tracks: &[Track]) -> Vec<f32> {
    let mut keys: Vec<f32> = tracks
        .iter()
        .flat_map(|t| t.curve.times.iter().copied())
        .collect();
    keys.sort_by(f32::total_cmp);
    keys.dedup();
    let jumps = tracks.iter().any(|t| t.curve.jumps());
    let mut out = Vec::with_capacity(keys.len());
    for pair in keys.windows(2) {
        let between = ((pair[1] - pair[0]) * RATE).ceil().clamp(1.0, 1000.0) as usize;
        let room = MOST_MOMENTS.saturating_sub(out.len()).max(1);
        let between = between.min(room);
        let moment = |k: usize| pair[0] + (pair[1] - pair[0]) * k as f32 / between as f32;
        out.extend((0..between).map(moment));
        let before = pair[1] - JUMP;
        if jumps && out.last().is_some_and(|last| *last < before) {
            out.push(before);
        }
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
            if let Aim::Step(step) = track.aim
                && let Some(step) = steps.get_mut(step)
            {
                track.apply(*time, &mut step.values);
            }
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
        add(clip, places, path, times.clone(), values);
    }
}

fn bake_weights(
    clip: &mut Animation,
    places: &[u32],
    mut weights: Vec<f64>,
    tracks: &[Track],
    times: Vec<f32>,
) {
    let mut values = Vec::new();
    for time in &times {
        for track in tracks {
            track.apply(*time, &mut weights);
        }
        values.extend(weights.iter().map(|w| *w as f32));
    }
    if !weights.is_empty() {
        add(clip, places, AnimationPath::Weights, times, values);
    }
}

fn add(
    clip: &mut Animation,
    places: &[u32],
    path: AnimationPath,
    times: Vec<f32>,
    values: Vec<f32>,
) {
    let sampler = clip.samplers.len() as u32;
    let channel = |node: &u32| Channel {
        node: *node,
        path,
        sampler,
    };
    clip.channels.extend(places.iter().map(channel));
    clip.samplers.push(AnimationSampler {
        interpolation: Interpolation::Linear,
        times,
        values,
    });
}
