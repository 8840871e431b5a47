//! Skins and clips of a glTF. Node indices are still the file's.

use super::accessor::Accessors;
use super::extensions::Extension;
use super::json::TargetJson;
use super::lost::{Loss, Losses, reason};
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Scene, Skin,
};
use crate::{Error, Result};
use std::collections::HashMap;

pub fn read_skins(accessors: &Accessors, scene: &mut Scene, losses: &mut Losses) -> Result<()> {
    for (i, json) in accessors.root.skins.iter().enumerate() {
        let matrices = json.inverse_bind_matrices;
        let matrices = matrices.map(|index| accessors.floats::<16>(index));
        let (joints, inverse_bind) = match matrices.transpose() {
            Ok(matrices) => (json.joints.clone(), matrices.unwrap_or_default()),
            // Without joints nothing is bound: the shape stays as it was made.
            Err(Error::Corrupt(why)) => {
                losses.add(Loss::Skin, ("骨架", &json.name, i), reason(&why));
                (Vec::new(), Vec::new())
            }
            Err(error) => return Err(error),
        };
        scene.skins.push(Skin {
            name: json.name.clone(),
            joints,
            inverse_bind,
            skeleton: json.skeleton,
            extras: json.extras.clone(),
        });
    }
    Ok(())
}

pub fn read_animations(
    accessors: &Accessors,
    scene: &mut Scene,
    losses: &mut Losses,
    ctx: &Ctx,
) -> Result<()> {
    let mut values = 0;
    for (i, json) in accessors.root.animations.iter().enumerate() {
        let mut animation = Animation {
            name: json.name.clone(),
            extras: json.extras.clone(),
            ..Animation::default()
        };
        let object = ("动画", json.name.as_str(), i);
        let mut unusable = HashMap::new();
        for (number, sampler) in (0u32..).zip(&json.samplers) {
            let keys = accessors.floats::<1>(sampler.input);
            let (times, output) = match keys.and_then(|k| Ok((k, accessors.flat(sampler.output)?)))
            {
                Ok((times, (output, _))) => (times.into_flattened(), output),
                Err(Error::Corrupt(why)) => {
                    unusable.insert(number, why);
                    Default::default()
                }
                Err(error) => return Err(error),
            };
            values += times.len() + output.len();
            Limits::check("动画关键帧数据", values, ctx.limits.animation_values)?;
            let interpolation = match sampler.interpolation.as_deref() {
                Some("STEP") => Interpolation::Step,
                Some("CUBICSPLINE") => Interpolation::CubicSpline,
                _ => Interpolation::Linear,
            };
            animation.samplers.push(AnimationSampler {
                interpolation,
                times,
                values: output,
            });
        }
        for channel in &json.channels {
            if let Some(why) = unusable.get(&channel.sampler) {
                losses.add(Loss::Channel, object, reason(why));
                continue;
            }
            match aim(&channel.target) {
                Aim::At(node, path) => animation.channels.push(Channel {
                    node,
                    path,
                    sampler: channel.sampler,
                }),
                Aim::Beyond(what) => losses.add(Loss::Pointer, object, what),
                Aim::Nothing => losses.add(Loss::Aimless, object, ""),
            }
        }
        scene.animations.push(animation);
    }
    Ok(())
}

/// What a channel moves.
enum Aim<'a> {
    At(u32, AnimationPath),
    /// A property that does not move here.
    Beyond(&'a str),
    Nothing,
}

fn aim(target: &TargetJson) -> Aim<'_> {
    if target.path != "pointer" {
        return match (path(&target.path), target.node) {
            (None, _) => Aim::Beyond(&target.path),
            (Some(path), Some(node)) => Aim::At(node, path),
            (Some(_), None) => Aim::Nothing,
        };
    }
    let pointer = target.extensions.get(Extension::AnimationPointer);
    let pointer = pointer.and_then(|p| p.get("pointer")?.as_str());
    let pointer = pointer.unwrap_or("pointer");
    // The properties of nodes are those that channels without the extension move.
    let property = pointer
        .strip_prefix("/nodes/")
        .and_then(|p| p.split_once('/'));
    let property = property.and_then(|(node, name)| Some((node.parse().ok()?, path(name)?)));
    property.map_or(Aim::Beyond(pointer), |(node, path)| Aim::At(node, path))
}

fn path(name: &str) -> Option<AnimationPath> {
    Some(match name {
        "translation" => AnimationPath::Translation,
        "rotation" => AnimationPath::Rotation,
        "scale" => AnimationPath::Scale,
        "weights" => AnimationPath::Weights,
        _ => return None,
    })
}
