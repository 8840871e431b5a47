//! FBX clips, baked to translation, rotation, scale and morph weights.

use super::beyond::Beyond;
use super::lost::Loss;
use super::take::{Take, push};
use super::weights::{self, Drivers};
use super::{Reading, quat, raw, vec3};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{Animation, AnimationPath, AnimationSampler, Problem, Severity};

pub fn read(reading: &mut Reading, ctx: &Ctx) -> Result<()> {
    let source = reading.source;
    let drivers = weights::drivers(source);
    let mut values = 0;
    for stack in &source.anim_stacks {
        // The start is taken off by this reader: the library does it twice for keys of nodes below a scaled bone.
        let options = ufbx::BakeOpts {
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
        let span = [baked.playback_time_begin, baked.playback_time_end];
        let beyond = Beyond::of(stack, span, |animated| moves(animated, &drivers));
        let take = Take {
            anim: &stack.anim,
            begin: baked.playback_time_begin,
            beyond: &beyond,
        };
        for node in &baked.nodes {
            let known = clip.samplers.len();
            node_channels(reading, &mut clip, &take, node);
            values += count(&clip.samplers[known..]);
            Limits::check("动画关键帧数据", values, ctx.limits.animation_values)?;
        }
        let known = clip.samplers.len();
        weights::read(reading, &mut clip, &take, &baked);
        values += count(&clip.samplers[known..]);
        Limits::check("动画关键帧数据", values, ctx.limits.animation_values)?;
        lasts(&mut clip, baked.playback_duration);
        if clip.channels.is_empty() {
            hold(reading, &mut clip, baked.playback_duration);
        }
        if !clip.channels.is_empty() {
            reading.scene.animations.push(clip);
        }
        lost(reading, stack, &drivers);
    }
    Ok(())
}

fn count(samplers: &[AnimationSampler]) -> usize {
    samplers.iter().map(|sampler| sampler.values.len()).sum()
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

/// Whether an animated property moves what is shown.
fn moves(animated: &ufbx::AnimProp, drivers: &Drivers) -> bool {
    let name = raw(&animated.prop_name);
    let node = animated.element.type_ == ufbx::ElementType::Node;
    (node && MOVING.contains(&name)) || drivers.contains(&(animated.element.element_id, name))
}

/// Counts what a clip changes but for places and blend shapes.
fn lost(reading: &mut Reading, stack: &ufbx::AnimStack, drivers: &Drivers) {
    use ufbx::ElementType as Type;
    for layer in &stack.layers {
        for animated in &layer.anim_props {
            let element: &ufbx::Element = &animated.element;
            let name = raw(&animated.prop_name);
            let seen = match element.type_ {
                _ if moves(animated, drivers) => false,
                Type::Node
                | Type::BlendChannel
                | Type::Light
                | Type::Camera
                | Type::Material
                | Type::Texture
                | Type::Mesh => true,
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

fn node_channels(reading: &Reading, clip: &mut Animation, take: &Take, node: &ufbx::BakedNode) {
    let index = node.typed_id as usize;
    let Some(target) = reading.nodes.get(index).copied().flatten() else {
        return;
    };
    let Some(source) = reading.source.nodes.get(index) else {
        return;
    };
    let times = take.times(source).into_iter();
    let later: Vec<(f64, ufbx::Transform)> = times
        .map(|time| (time, ufbx::evaluate_transform(take.anim, source, time)))
        .collect();
    type Part = fn(&ufbx::Transform) -> Vec<f32>;
    let mut add = |path, mut keys: Vec<(f64, Vec<f32>)>, still: bool, part: Part| {
        keys.extend(later.iter().map(|(time, whole)| (*time, part(whole))));
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = keys.first().map(|(_, value)| value.clone());
        let Some(first) = first else { return };
        // What does not move is stated all the same where the clip has it in another place than the file.
        if keys.iter().all(|(_, value)| same(value, &first)) || (still && later.is_empty()) {
            let rests = same(&first, &part(&source.local_transform));
            keys.truncate(usize::from(!rests));
        }
        let keys = keys.into_iter();
        let keys = keys.map(|(time, value)| (time - take.begin, value));
        push(clip, target, path, keys);
    };
    let keys = node.translation_keys.iter();
    add(
        AnimationPath::Translation,
        keys.map(|k| (k.time, vec3(k.value).to_vec())).collect(),
        node.constant_translation,
        |t| vec3(t.translation).to_vec(),
    );
    let keys = node.rotation_keys.iter();
    add(
        AnimationPath::Rotation,
        keys.map(|k| (k.time, quat(k.value).to_vec())).collect(),
        node.constant_rotation,
        |t| quat(t.rotation).to_vec(),
    );
    let keys = node.scale_keys.iter();
    add(
        AnimationPath::Scale,
        keys.map(|k| (k.time, vec3(k.value).to_vec())).collect(),
        node.constant_scale,
        |t| vec3(t.scale).to_vec(),
    );
}

/// Whether two translations, scales or rotations are the same but for rounding.
fn same(a: &[f32], b: &[f32]) -> bool {
    let near = |sign: f32| {
        let mut pairs = a.iter().zip(b);
        pairs.all(|(a, b)| (a - sign * b).abs() <= 1e-6 * b.abs().max(1.0))
    };
    // Opposite quaternions are one rotation.
    near(1.0) || (a.len() == 4 && near(-1.0))
}

/// Makes a clip of poses last as long as in the file.
fn lasts(clip: &mut Animation, seconds: f64) {
    let ends = clip.samplers.iter().flat_map(|s| s.times.last());
    let end = ends.copied().fold(0.0, f32::max);
    if let (true, true, Some(first)) = (end == 0.0, seconds > 0.0, clip.samplers.first_mut()) {
        first.times.push(seconds as f32);
        first.values.extend_from_within(..);
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
