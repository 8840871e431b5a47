//! Skins and clips of a glTF. Node indices are still the file's.

use super::accessor::Accessors;
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Problem, Scene, Severity,
    Skin,
};

pub fn read_skins(accessors: &Accessors, scene: &mut Scene) -> Result<()> {
    for json in &accessors.root.skins {
        let inverse_bind = match json.inverse_bind_matrices {
            Some(index) => accessors.floats::<16>(index)?,
            None => Vec::new(),
        };
        scene.skins.push(Skin {
            name: json.name.clone(),
            joints: json.joints.clone(),
            inverse_bind,
            skeleton: json.skeleton,
            extras: json.extras.clone(),
        });
    }
    Ok(())
}

pub fn read_animations(accessors: &Accessors, scene: &mut Scene, ctx: &Ctx) -> Result<()> {
    let mut values = 0;
    for json in &accessors.root.animations {
        let mut animation = Animation {
            name: json.name.clone(),
            extras: json.extras.clone(),
            ..Animation::default()
        };
        for sampler in &json.samplers {
            let times = accessors.floats::<1>(sampler.input)?.into_flattened();
            let (output, _) = accessors.flat(sampler.output)?;
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
        let mut unknown = 0;
        for channel in &json.channels {
            let path = match channel.target.path.as_str() {
                "translation" => AnimationPath::Translation,
                "rotation" => AnimationPath::Rotation,
                "scale" => AnimationPath::Scale,
                "weights" => AnimationPath::Weights,
                _ => {
                    unknown += 1;
                    continue;
                }
            };
            let Some(node) = channel.target.node else {
                continue;
            };
            animation.channels.push(Channel {
                node,
                path,
                sampler: channel.sampler,
            });
        }
        if unknown > 0 {
            scene.note(Problem::new(
                "unsupported-extension",
                Severity::Warning,
                format!("动画 {}", animation.name),
                format!("{unknown} 条动画轨道的目标不受支持，已忽略"),
                "材质动画（KHR_animation_pointer）暂不支持",
            ));
        }
        scene.animations.push(animation);
    }
    Ok(())
}
