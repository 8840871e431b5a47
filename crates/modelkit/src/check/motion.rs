//! Findings on clips and skins.

use super::tally::Tally;
use crate::scene::Severity::{Info, Warning};
use crate::scene::{Animation, AnimationSampler, Interpolation, Problem, Scene, math};

pub fn find(scene: &Scene, out: &mut Vec<Problem>) {
    clips(scene, out);
    joints(scene, out);
}

fn clips(scene: &Scene, out: &mut Vec<Problem>) {
    let mut still = Tally::default();
    for (i, clip) in scene.animations.iter().enumerate() {
        let name = clip_name(clip, i);
        // Nothing to add when the reader has reported it.
        let reported = scene
            .problems
            .iter()
            .any(|p| p.code == "still-clip" && p.place == name);
        let rests = !reported && clip.samplers.iter().all(is_constant);
        still.add(usize::from(rests), 1, || name);
    }
    let text = format!("{} 段动画从头到尾没有变化，播放时看不出动作", still.count);
    let advice = "请确认动作已烘焙到骨骼或物体上再导出（Blender：物体 > 动画 > 烘焙动作；3ds Max：导出 FBX 时勾选“烘焙动画”；Maya：编辑 > 关键帧 > 烘焙模拟），不需要的请删除";
    out.extend(still.problem("still-animation", Info, text, advice));
}

fn clip_name(clip: &Animation, index: usize) -> String {
    match clip.name.as_str() {
        "" => format!("第 {} 段动画", index + 1),
        name => format!("动画 {name}"),
    }
}

/// Whether all keys hold the same value within single precision, whatever the node's units are.
fn is_constant(sampler: &AnimationSampler) -> bool {
    let keys = sampler.times.len().max(1);
    let row = sampler.values.len() / keys;
    if row == 0 {
        return true;
    }
    // The value between the tangents of a spline.
    let middle = match sampler.interpolation {
        Interpolation::CubicSpline => row / 3..row / 3 * 2,
        _ => 0..row,
    };
    let rows: Vec<&[f32]> = sampler
        .values
        .chunks_exact(row)
        .filter_map(|key| key.get(middle.clone()))
        .collect();
    let most = rows
        .iter()
        .copied()
        .flatten()
        .fold(0.0f32, |most, v| most.max(v.abs()));
    // Exporters compute rotations from angles.
    let noise = match middle.len() {
        4 => 1e-6,
        _ => 2.0 * f32::EPSILON,
    };
    let near = |(a, b): (&f32, &f32)| (a - b).abs() <= noise * most;
    let first = rows.first().copied().unwrap_or(&[]);
    rows.iter().all(|row| row.iter().zip(first).all(near))
}

fn joints(scene: &Scene, out: &mut Vec<Problem>) {
    let mut bad = Tally::default();
    for skin in &scene.skins {
        for (joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let Some(node) = scene.nodes.get(*joint as usize) else {
                continue;
            };
            let flat = math::determinant(&bind.map(f64::from)) == 0.0
                || math::determinant(&node.transform.matrix()) == 0.0;
            bad.add(usize::from(flat), 1, || format!("骨骼 {}", node.name));
        }
    }
    let text = format!(
        "{} 根骨骼的缩放为 0 或绑定矩阵无效，受它影响的面会塌成一点",
        bad.count
    );
    let advice = "请在绑定姿势下把骨骼缩放恢复为 1 后重新绑定导出（Blender：姿态模式 Alt+S；3ds Max：蒙皮修改器 > 重置所有骨骼；Maya：蒙皮 > 转到绑定姿势）";
    out.extend(bad.problem("bad-joint", Warning, text, advice));
}
