//! Skins and clips: existing joints, keys in order, outputs of the right length.

use super::unit_quaternion;
use crate::scene::math;
use crate::scene::{
    Animation, AnimationPath, AnimationSampler, Interpolation, Node, Problem, Scene, Severity,
    Transform,
};
use std::collections::HashSet;

pub fn clean(scene: &mut Scene) {
    clean_skins(scene);
    join_skins(scene);
    let mut dropped = 0;
    let targets: Vec<usize> = scene
        .nodes
        .iter()
        .map(|n| morphs(n, &scene.meshes))
        .collect();
    for animation in &mut scene.animations {
        animation.samplers.iter_mut().for_each(mend_keys);
        dropped += drop_channels(animation, &targets);
        drop_unused_samplers(animation);
        for channel in &animation.channels {
            if let Some(node) = scene.nodes.get_mut(channel.node as usize) {
                node.transform = as_trs(node.transform);
            }
        }
    }
    scene.animations.retain(|a| !a.channels.is_empty());
    if dropped > 0 {
        scene.note(Problem::new(
            "broken-animation",
            Severity::Warning,
            "",
            format!("{dropped} 条动画轨道数据不完整，已忽略"),
            "请重新导出动画",
        ));
    }
}

fn morphs(node: &Node, meshes: &[crate::scene::Mesh]) -> usize {
    node.mesh
        .and_then(|m| meshes.get(m as usize))
        .map_or(0, |m| m.weights.len())
}

/// Makes the joints of each skin existing and distinct, with one matrix each; vertices whose joint does not exist move
/// to joint 0.
fn clean_skins(scene: &mut Scene) {
    let nodes = scene.nodes.len() as u32;
    for skin in 0..scene.skins.len() {
        let mut seen = HashSet::new();
        for i in 0..scene.skins[skin].joints.len() {
            let joint = scene.skins[skin].joints[i];
            if joint < nodes && seen.insert(joint) {
                continue;
            }
            // A placeholder preserves the numbering of the vertices' joints.
            let name = format!("joint {i}");
            let parent = if joint < nodes {
                Some(joint)
            } else {
                scene.roots.first().copied()
            };
            let new = scene.add_node(
                Node {
                    name,
                    ..Node::default()
                },
                parent,
            );
            scene.skins[skin].joints[i] = new;
            seen.insert(new);
        }
        let joints = scene.skins[skin].joints.len();
        let matrices = &mut scene.skins[skin].inverse_bind;
        matrices.resize(joints, math::IDENTITY.map(|v| v as f32));
        for m in matrices {
            if m.iter().any(|v| !v.is_finite()) {
                *m = math::IDENTITY.map(|v| v as f32);
            }
            (m[3], m[7], m[11], m[15]) = (0.0, 0.0, 0.0, 1.0);
        }
    }
    for node in &mut scene.nodes {
        node.skin = node.skin.filter(|&s| {
            scene
                .skins
                .get(s as usize)
                .is_some_and(|s| !s.joints.is_empty())
        });
    }
    for node in &scene.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        let most = scene.skins[skin as usize].joints.len();
        let Some(mesh) = scene.meshes.get_mut(mesh as usize) else {
            continue;
        };
        for set in mesh.primitives.iter_mut().flat_map(|p| &mut p.skin_sets) {
            for joint in set.joints.iter_mut().flatten() {
                if usize::from(*joint) >= most {
                    *joint = 0;
                }
            }
        }
    }
}

/// Times must increase strictly from 0; keys that do not are dropped with their values.
fn mend_keys(sampler: &mut AnimationSampler) {
    for value in &mut sampler.values {
        if !value.is_finite() {
            *value = 0.0;
        }
    }
    let rising = sampler.times.windows(2).all(|w| w[0] < w[1]);
    let first = sampler.times.first().copied().unwrap_or(0.0);
    if rising && first >= 0.0 && sampler.times.iter().all(|t| t.is_finite()) {
        return;
    }
    if sampler.times.is_empty() || !sampler.values.len().is_multiple_of(sampler.times.len()) {
        sampler.times.clear();
        sampler.values.clear();
        return;
    }
    let width = sampler.values.len() / sampler.times.len();
    let mut order: Vec<usize> = (0..sampler.times.len())
        .filter(|&i| sampler.times[i].is_finite())
        .collect();
    order.sort_by(|&a, &b| sampler.times[a].total_cmp(&sampler.times[b]));
    order.dedup_by(|a, b| sampler.times[*a] == sampler.times[*b]);
    let shift = order.first().map_or(0.0, |&i| sampler.times[i].min(0.0));
    let times: Vec<f32> = order.iter().map(|&i| sampler.times[i] - shift).collect();
    let values = order
        .iter()
        .flat_map(|&i| sampler.values[i * width..(i + 1) * width].to_vec())
        .collect();
    (sampler.times, sampler.values) = (times, values);
}

fn drop_channels(animation: &mut Animation, targets: &[usize]) -> usize {
    let before = animation.channels.len();
    let mut seen = HashSet::new();
    let samplers = &mut animation.samplers;
    animation.channels.retain(|channel| {
        let Some(&morphs) = targets.get(channel.node as usize) else {
            return false;
        };
        let Some(sampler) = samplers.get_mut(channel.sampler as usize) else {
            return false;
        };
        let width = match channel.path {
            AnimationPath::Translation | AnimationPath::Scale => 3,
            AnimationPath::Rotation => 4,
            AnimationPath::Weights => morphs,
        };
        let a_key = if sampler.interpolation == Interpolation::CubicSpline {
            3 * width
        } else {
            width
        };
        if width == 0
            || sampler.times.is_empty()
            || sampler.values.len() != sampler.times.len() * a_key
        {
            return false;
        }
        if channel.path == AnimationPath::Rotation
            && sampler.interpolation != Interpolation::CubicSpline
        {
            unit_rows(&mut sampler.values);
        }
        seen.insert((channel.node, channel.path))
    });
    before - animation.channels.len()
}

fn unit_rows(values: &mut [f32]) {
    for row in values.chunks_exact_mut(4) {
        let length: f32 = row.iter().map(|v| v * v).sum();
        if (length - 1.0).abs() > 1e-5 {
            let unit = unit_quaternion([row[0], row[1], row[2], row[3]]);
            row.copy_from_slice(&unit);
        }
    }
}

fn drop_unused_samplers(animation: &mut Animation) {
    let mut map = vec![None; animation.samplers.len()];
    let mut kept = Vec::new();
    for channel in &mut animation.channels {
        let old = channel.sampler as usize;
        let new = *map[old].get_or_insert_with(|| {
            kept.push(animation.samplers[old].clone());
            kept.len() as u32 - 1
        });
        channel.sampler = new;
    }
    animation.samplers = kept;
}

/// Animated nodes need translation, rotation and scale instead of a matrix.
fn as_trs(transform: Transform) -> Transform {
    match transform {
        Transform::Matrix(m) => Transform::parts(&m),
        parts => parts,
    }
}

/// Puts the joints of each skin under one root (glTF 2.0, 3.7.3.2): other formats let bones lie side by side.
fn join_skins(scene: &mut Scene) {
    // The root above each node that is shown.
    let mut tops: Vec<Option<u32>> = vec![None; scene.nodes.len()];
    for &root in &scene.roots {
        let mut stack = vec![root];
        while let Some(at) = stack.pop() {
            if let Some(slot @ None) = tops.get_mut(at as usize) {
                *slot = Some(root);
                stack.extend(&scene.nodes[at as usize].children);
            }
        }
    }
    let apart = |skin: &crate::scene::Skin| {
        let root = |joint: &u32| tops.get(*joint as usize).copied().flatten();
        let mut roots = skin.joints.iter().filter_map(root);
        let first = roots.next();
        roots.any(|other| Some(other) != first)
    };
    if !scene.skins.iter().any(apart) {
        return;
    }
    let top = Node {
        name: "Root".to_owned(),
        children: std::mem::take(&mut scene.roots),
        ..Node::default()
    };
    scene.roots = vec![scene.nodes.len() as u32];
    scene.nodes.push(top);
}
