//! Weights of blend shapes over time.

use super::shapes::Channel;
use super::take::{Take, push};
use super::{Reading, raw};
use crate::scene::{Animation, AnimationPath};
use std::collections::{HashMap, HashSet};

/// An element and a property of it.
type Driver<'a> = (u32, &'a [u8]);

/// The properties that move blend shapes.
pub type Drivers<'a> = HashSet<Driver<'a>>;

pub fn drivers(source: &ufbx::Scene) -> Drivers<'_> {
    let channels = source.blend_channels.iter();
    channels.map(|channel| driver(&channel.element)).collect()
}

/// What moves a blend channel: its own property, or in files before version 7 one of the node, named like the shape.
fn driver(channel: &ufbx::Element) -> Driver<'_> {
    const OWN: &[u8] = b"DeformPercent";
    let mut into = channel.connections_dst.iter();
    let other = into.find(|c| raw(&c.dst_prop) == OWN && !raw(&c.src_prop).is_empty());
    other.map_or((channel.element_id, OWN), |c| {
        (c.src.element_id, raw(&c.src_prop))
    })
}

/// How a channel moves.
struct Curve<'a> {
    baked: &'a ufbx::BakedProp,
    /// Times beyond its keys at which it is sampled, and from what.
    later: Vec<f64>,
    sampled: Option<(&'a ufbx::Anim, &'a ufbx::BlendChannel)>,
}

impl Curve<'_> {
    fn weight(&self, time: f64) -> f64 {
        match self.sampled {
            Some((anim, channel)) => ufbx::evaluate_blend_weight(anim, channel, time),
            None => at(self.baked, time) / 100.0,
        }
    }
}

/// Merges the channels of each mesh's blend shapes into one weights sampler.
pub fn read(reading: &Reading, clip: &mut Animation, take: &Take, baked: &ufbx::BakedAnim) {
    let mut moved: HashMap<Driver, &ufbx::BakedProp> = HashMap::new();
    for element in &baked.elements {
        for prop in &element.props {
            moved.insert((element.element_id, raw(&prop.name)), prop);
        }
    }
    let curve_of = |channel: &Channel| {
        let source = reading.source.elements.get(channel.element as usize)?;
        let driver = driver(source);
        let baked = *moved.get(&driver)?;
        let later = take.beyond.times([driver.0]);
        let sampled = match source.as_data() {
            ufbx::ElementData::BlendChannel(channel) => {
                (!later.is_empty()).then_some((take.anim, channel))
            }
            _ => None,
        };
        Some(Curve {
            baked,
            later,
            sampled,
        })
    };
    for (index, node) in reading.scene.nodes.iter().enumerate() {
        let Some(channels) = node.mesh.and_then(|m| reading.channels.get(&m)) else {
            continue;
        };
        let curves: Vec<Option<Curve>> = channels.iter().map(curve_of).collect();
        if curves.iter().all(Option::is_none) {
            continue;
        }
        let rest = node
            .mesh
            .and_then(|m| reading.scene.meshes.get(m as usize))
            .map(|m| m.weights.as_slice());
        let rest = rest.unwrap_or_default();
        let mut times: Vec<f64> = Vec::new();
        for (channel, curve) in channels.iter().zip(&curves) {
            let Some(curve) = curve else { continue };
            times.extend(curve.baked.keys.iter().map(|k| k.time));
            bends(channel, curve.baked, &mut times);
            times.extend(&curve.later);
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        let row = |time: f64| {
            let mut row: Vec<f32> = Vec::with_capacity(rest.len());
            for (channel, curve) in channels.iter().zip(&curves) {
                let own = rest.iter().skip(row.len()).take(channel.stops.len());
                match curve {
                    Some(curve) => row.extend(channel.weights(curve.weight(time))),
                    None => row.extend(own.copied().collect::<Vec<_>>()),
                }
            }
            (time - take.begin, row)
        };
        push(
            clip,
            index as u32,
            AnimationPath::Weights,
            times.into_iter().map(row),
        );
    }
}

/// Adds the times at which a channel passes a shape in between: there the weights bend.
fn bends(channel: &Channel, prop: &ufbx::BakedProp, times: &mut Vec<f64>) {
    for stop in channel.bends() {
        for pair in prop.keys.windows(2) {
            let [a, b] = pair else { continue };
            let [from, to] = [a, b].map(|key| key.value.x / 100.0 - stop);
            if from * to < 0.0 {
                times.push(a.time + (b.time - a.time) * from / (from - to));
            }
        }
    }
}

/// Linear interpolation between baked keys.
fn at(prop: &ufbx::BakedProp, time: f64) -> f64 {
    let keys = &prop.keys;
    let after = keys.partition_point(|k| k.time < time);
    let before = after.checked_sub(1).and_then(|i| keys.get(i));
    match (before, keys.get(after)) {
        (Some(a), Some(b)) => {
            let width = b.time - a.time;
            let t = if width > 1e-9 {
                (time - a.time) / width
            } else {
                0.0
            };
            a.value.x + (b.value.x - a.value.x) * t
        }
        (Some(only), None) | (None, Some(only)) => only.value.x,
        (None, None) => 0.0,
    }
}
