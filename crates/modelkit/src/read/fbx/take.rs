//! A clip that is being read, and the channels it gets.

use super::beyond::Beyond;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Channel, Interpolation};

/// What the channels of a clip are read from.
pub struct Take<'a> {
    pub anim: &'a ufbx::Anim,
    /// Time in seconds at which it starts.
    pub begin: f64,
    pub beyond: &'a Beyond<'a>,
}

impl Take<'_> {
    /// Times beyond the keys at which a node has to be sampled: its own, and those of the scale that it makes up for.
    pub fn times(&self, node: &ufbx::Node) -> Vec<f64> {
        let helper = node.parent.as_ref().and_then(|p| p.scale_helper.as_ref());
        let helper = helper.map(|helper| helper.element.element_id);
        let own = node.element.element_id;
        self.beyond.times([own].into_iter().chain(helper))
    }
}

/// Adds a channel of these keys, in order: times in seconds, values of one width.
pub fn push(
    clip: &mut Animation,
    node: u32,
    path: AnimationPath,
    keys: impl Iterator<Item = (f64, Vec<f32>)>,
) {
    let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    for (time, value) in keys {
        let time = time as f32;
        // A step is two keys at the same time in double precision; one of them survives.
        if times.last().is_some_and(|last| *last >= time) {
            let from = values.len() - value.len().min(values.len());
            values.truncate(from);
            values.extend(value);
            continue;
        }
        times.push(time);
        values.extend(value);
    }
    if times.is_empty() {
        return;
    }
    clip.samplers.push(AnimationSampler {
        interpolation: Interpolation::Linear,
        times,
        values,
    });
    clip.channels.push(Channel {
        node,
        path,
        sampler: clip.samplers.len() as u32 - 1,
    });
}
