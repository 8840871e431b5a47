//! The node tree as posed by a clip at one moment.

use super::math::Transform;
use super::{Animation, AnimationPath, AnimationSampler, Interpolation, Node, Scene};

/// The nodes as posed by the first clip at its start; `None` without a clip. A character's rest pose mostly has its
/// arms stretched out, while its clip begins in a natural pose.
pub fn first_pose(scene: &Scene) -> Option<Vec<Node>> {
    let clip = first_clip(scene)?;
    let mut nodes = scene.nodes.clone();
    for channel in &clip.channels {
        let sampler = clip.samplers.get(channel.sampler as usize);
        let node = nodes.get_mut(channel.node as usize);
        if let (Some(sampler), Some(node)) = (sampler, node) {
            place(node, channel.path, sampler);
        }
    }
    Some(nodes)
}

/// The idle clip, recognised by its name; else the first one that animates anything.
fn first_clip(scene: &Scene) -> Option<&Animation> {
    let moves = |clip: &&Animation| !clip.channels.is_empty();
    let named = |clip: &&Animation| clip.name.to_lowercase().contains("idle");
    let mut clips = scene.animations.iter().filter(moves);
    clips.clone().find(named).or_else(|| clips.next())
}

fn place(node: &mut Node, path: AnimationPath, sampler: &AnimationSampler) {
    // A cubic key is (in-tangent, value, out-tangent).
    let value = |width: usize| {
        let from = match sampler.interpolation {
            Interpolation::CubicSpline => width,
            Interpolation::Linear | Interpolation::Step => 0,
        };
        sampler.values.get(from..from + width)
    };
    let finite = |values: &[f32]| values.iter().all(|v| v.is_finite());
    if path == AnimationPath::Weights {
        let keys = sampler.times.len().max(1);
        let parts = match sampler.interpolation {
            Interpolation::CubicSpline => 3,
            Interpolation::Linear | Interpolation::Step => 1,
        };
        if let Some(weights) = value(sampler.values.len() / keys / parts)
            && !weights.is_empty()
            && finite(weights)
        {
            node.weights = weights.to_vec();
        }
        return;
    }
    let (mut translation, mut rotation, mut scale) = parts(&node.transform);
    match path {
        AnimationPath::Translation => {
            let mut near = translation.map(|v| v as f32);
            take(&mut near, value(3));
            translation = near.map(f64::from);
        }
        AnimationPath::Scale => take(&mut scale, value(3)),
        AnimationPath::Rotation => take(&mut rotation, value(4)),
        AnimationPath::Weights => {}
    }
    let length = rotation.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 1e-6 {
        rotation = rotation.map(|v| v / length);
    }
    node.transform = Transform::Trs {
        translation,
        rotation,
        scale,
    };
}

fn parts(transform: &Transform) -> ([f64; 3], [f32; 4], [f32; 3]) {
    match transform {
        Transform::Trs {
            translation,
            rotation,
            scale,
        } => (*translation, *rotation, *scale),
        Transform::Matrix(m) => parts(&Transform::parts(m)),
    }
}

fn take<const N: usize>(slot: &mut [f32; N], values: Option<&[f32]>) {
    if let Some(values) = values.and_then(|v| <[f32; N]>::try_from(v).ok())
        && values.iter().all(|v| v.is_finite())
    {
        *slot = values;
    }
}
