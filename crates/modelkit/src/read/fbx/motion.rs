//! FBX clips, baked to translation, rotation, scale and morph weights.

use super::lost::Loss;
use super::shapes::Channel as BlendChannel;
use super::{Reading, quat, raw, vec3};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Problem, Severity,
};
use std::collections::HashMap;

pub fn read(reading: &mut Reading, ctx: &Ctx) -> Result<()> {
    let source = reading.source;
    let mut values = 0;
    for stack in &source.anim_stacks {
        let options = ufbx::BakeOpts {
            trim_start_time: true,
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            max_keyframe_segments: 4096,
            ..Default::default()
        };
        let name = reading.name(&stack.element);
        let Ok(baked) = ufbx::bake_anim(source, &stack.anim, options) else {
            reading.scene.note(Problem::new(
                "broken-animation",
                Severity::Warning,
                format!("动画 {name}"),
                "动画无法读取，已忽略",
                "请把动画烘焙为关键帧后重新导出",
            ));
            continue;
        };
        let mut clip = Animation {
            name,
            ..Animation::default()
        };
        for node in &baked.nodes {
            node_channels(reading, &mut clip, node);
        }
        weight_channels(reading, &mut clip, &baked);
        values += clip.samplers.iter().map(|s| s.values.len()).sum::<usize>();
        Limits::check("动画关键帧数据", values, ctx.limits.animation_values)?;
        if clip.channels.is_empty() {
            hold(reading, &mut clip, baked.playback_duration);
        }
        if !clip.channels.is_empty() {
            reading.scene.animations.push(clip);
        }
        lost(reading, stack);
    }
    Ok(())
}

/// Properties of nodes that move them.
const MOVING: [&[u8]; 10] = [
    b"Lcl Translation",
    b"Lcl Rotation",
    b"Lcl Scaling",
    b"PreRotation",
    b"PostRotation",
    b"RotationOffset",
    b"ScalingOffset",
    b"RotationPivot",
    b"ScalingPivot",
    b"RotationOrder",
];

/// Counts what a clip changes but for places and blend shapes.
fn lost(reading: &mut Reading, stack: &ufbx::AnimStack) {
    use ufbx::ElementType as Type;
    for layer in &stack.layers {
        for animated in &layer.anim_props {
            let element: &ufbx::Element = &animated.element;
            let name = raw(&animated.prop_name);
            let seen = match element.type_ {
                Type::Node => !MOVING.contains(&name),
                Type::BlendChannel => name != b"DeformPercent",
                Type::Light | Type::Camera | Type::Material | Type::Texture | Type::Mesh => true,
                // Of layers, which are mixed, and of what is not shown or told itself.
                _ => false,
            };
            let mut curves = animated.anim_value.curves.iter().flatten();
            if seen && curves.any(|c| c.max_value > c.min_value) && !idle(element, name) {
                let place = reading.name(element);
                let what = reading.encoding.name(name);
                let number = element.typed_id as usize;
                reading
                    .losses
                    .add(Loss::Animated, ("对象", &place, number), &what);
            }
        }
    }
}

/// Whether nothing looks different for a property: those that users or rigs add, and those of the editor.
fn idle(element: &ufbx::Element, name: &[u8]) -> bool {
    const EDITOR: [&[u8]; 5] = [
        b"Color",
        b"LockInfluenceWeights",
        b"MaxHandle",
        b"Freeze",
        b"Size",
    ];
    let node = element.type_ == ufbx::ElementType::Node;
    let mut props = element.props.props.iter();
    let own = props.find(|prop| raw(&prop.name) == name);
    let added = own.is_some_and(|p| p.flags.has_any(ufbx::PropFlags::USER_DEFINED));
    // Shaders of plug-ins have all their properties as user properties.
    node && (added || EDITOR.contains(&name))
}

fn node_channels(reading: &Reading, clip: &mut Animation, node: &ufbx::BakedNode) {
    let Some(target) = reading.nodes.get(node.typed_id as usize).copied().flatten() else {
        return;
    };
    if !node.constant_translation {
        let keys = node.translation_keys.iter();
        push(
            clip,
            target,
            AnimationPath::Translation,
            keys.map(|k| (k.time, vec3(k.value).to_vec())),
        );
    }
    if !node.constant_rotation {
        let keys = node.rotation_keys.iter();
        push(
            clip,
            target,
            AnimationPath::Rotation,
            keys.map(|k| (k.time, quat(k.value).to_vec())),
        );
    }
    if !node.constant_scale {
        let keys = node.scale_keys.iter();
        push(
            clip,
            target,
            AnimationPath::Scale,
            keys.map(|k| (k.time, vec3(k.value).to_vec())),
        );
    }
}

/// Keeps a clip without movement: its first node holds still for the duration, since a glTF clip needs at least one
/// channel.
fn hold(reading: &mut Reading, clip: &mut Animation, seconds: f64) {
    let scene = &mut reading.scene;
    let Some(node) = reading.nodes.iter().flatten().min().copied() else {
        return;
    };
    let matrix = scene.nodes[node as usize].transform.matrix();
    let rest = [matrix[12] as f32, matrix[13] as f32, matrix[14] as f32];
    let end = if seconds > 0.0 { seconds } else { 1.0 / 30.0 };
    let keys = [0.0, end].map(|time| (time, rest.to_vec()));
    push(clip, node, AnimationPath::Translation, keys.into_iter());
    scene.note(Problem::new(
        "still-clip",
        Severity::Info,
        format!("动画 {}", clip.name),
        "这段动画里没有任何运动，已原样保留",
        "如不需要，请在导出时取消勾选动画",
    ));
}

fn push(
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

/// Merges the channels of each mesh's blend shapes into one weights sampler.
fn weight_channels(reading: &Reading, clip: &mut Animation, baked: &ufbx::BakedAnim) {
    let mut curves: HashMap<u32, &ufbx::BakedProp> = HashMap::new();
    for element in &baked.elements {
        for prop in &element.props {
            if raw(&prop.name) == b"DeformPercent" {
                curves.insert(element.element_id, prop);
            }
        }
    }
    for (index, node) in reading.scene.nodes.iter().enumerate() {
        let Some(channels) = node.mesh.and_then(|m| reading.channels.get(&m)) else {
            continue;
        };
        if !channels.iter().any(|c| curves.contains_key(&c.element)) {
            continue;
        }
        let rest = node
            .mesh
            .and_then(|m| reading.scene.meshes.get(m as usize))
            .map(|m| m.weights.as_slice());
        let rest = rest.unwrap_or_default();
        let mut times: Vec<f64> = Vec::new();
        for channel in channels {
            if let Some(prop) = curves.get(&channel.element) {
                times.extend(prop.keys.iter().map(|k| k.time));
                bends(channel, prop, &mut times);
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup_by(|a, b| (*a - *b).abs() < 1e-6);
        let row = |time: f64| {
            let mut row: Vec<f32> = Vec::with_capacity(rest.len());
            for channel in channels {
                let own = rest.iter().skip(row.len()).take(channel.stops.len());
                match curves.get(&channel.element) {
                    Some(prop) => row.extend(channel.weights(at(prop, time) / 100.0)),
                    None => row.extend(own.copied().collect::<Vec<_>>()),
                }
            }
            (time, row)
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
fn bends(channel: &BlendChannel, prop: &ufbx::BakedProp, times: &mut Vec<f64>) {
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
