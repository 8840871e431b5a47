//! Post-processing of every reader's result: establishes the invariants of the scene, and reports what had to be
//! dropped.

mod geometry;
mod motion;
mod opacity;

use super::lost;
use crate::Result;
use crate::progress::Ctx;
use crate::scene::{Mode, Problem, Scene, Severity, Transform};
use std::collections::HashSet;

pub fn clean(scene: &mut Scene, ctx: &Ctx) -> Result<()> {
    let found = geometry::clean(scene);
    report(scene, &found);
    references(scene);
    opacity::clean(scene);
    motion::clean(scene);
    drop_empty(scene);
    if scene.nodes.iter().any(|node| node.mesh.is_some()) {
        return Ok(());
    }
    if scene.meshes.iter().any(|mesh| !mesh.primitives.is_empty()) {
        scene.note(Problem::new(
            "skipped-draws",
            Severity::Warning,
            "",
            format!("{} 个网格没有被任何节点使用，未显示", scene.meshes.len()),
            "请把网格放进场景后重新导出",
        ));
    }
    if scene.animations.is_empty() && !scene.has_skeleton {
        return Err(lost::nothing(
            "文件里没有可显示的几何",
            &scene.problems,
            "请检查导出选项是否漏选了网格",
        ));
    }
    let causes = lost::causes(&scene.problems);
    let (text, advice) = match causes.is_empty() {
        true => (
            "文件只有骨骼和动画，没有几何".to_owned(),
            "如需显示模型，请连同网格一起导出",
        ),
        false => (
            format!("除了骨骼和动画，没有可显示的几何，读取时发现：{causes}"),
            "请据此检查后重新导出",
        ),
    };
    ctx.warn(&text);
    scene.note(Problem::new(
        "no-geometry",
        Severity::Warning,
        "",
        text,
        advice,
    ));
    Ok(())
}

fn report(scene: &mut Scene, found: &geometry::Found) {
    if found.not_finite > 0 {
        scene.note(Problem::new(
            "nan-positions",
            Severity::Error,
            found.place.clone(),
            format!(
                "{} 个顶点的坐标不是有效数字，相关面已丢弃",
                found.not_finite
            ),
            "请在建模软件中删除这些顶点后重新导出（Blender：网格 > 清理 > 删除松散元素；3ds Max：重置变换并塌陷修改器；Maya：网格 > 清理），或换一种导出格式再试",
        ));
    }
    if found.bad_indices > 0 {
        scene.note(Problem::new(
            "bad-indices",
            Severity::Error,
            found.place.clone(),
            format!("{} 个面引用了不存在的顶点，已丢弃", found.bad_indices),
            "文件可能不完整，请重新导出模型",
        ));
    }
    weights(scene, found);
}

fn weights(scene: &mut Scene, found: &geometry::Found) {
    let place = &found.uneven_place;
    let advice = "请在建模软件中规格化权重后重新导出（Blender：权重绘制模式，权重 > 全部规格化；3ds Max：蒙皮修改器勾选“规格化”；Maya：蒙皮 > 编辑权重 > 规格化权重）";
    if found.uneven > 0 {
        let text = format!(
            "{} 个顶点的骨骼权重之和不是 1，已自动规格化，动作变形可能与原来不同",
            found.uneven
        );
        let problem = Problem::new(
            "uneven-weights",
            Severity::Warning,
            place.clone(),
            text,
            advice,
        );
        scene.note(problem.counted(found.uneven, found.skinned));
    }
    if found.unweighted > 0 {
        let text = format!(
            "{} 个顶点没有骨骼权重，已绑到第一根骨骼，动作中可能被拉扯",
            found.unweighted
        );
        let problem = Problem::new(
            "unweighted-vertices",
            Severity::Warning,
            place.clone(),
            text,
            advice,
        );
        scene.note(problem.counted(found.unweighted, found.skinned));
    }
}

/// Removes references that are out of range.
fn references(scene: &mut Scene) {
    let (meshes, skins) = (scene.meshes.len() as u32, scene.skins.len() as u32);
    let (lights, cameras) = (scene.lights.len() as u32, scene.cameras.len() as u32);
    for node in &mut scene.nodes {
        node.mesh = node.mesh.filter(|&m| m < meshes);
        node.skin = node.skin.filter(|&s| s < skins);
        node.light = node.light.filter(|&l| l < lights);
        node.camera = node.camera.filter(|&c| c < cameras);
        if !node.transform.matrix().iter().all(|v| v.is_finite()) {
            node.transform = Transform::default();
        }
        if let Transform::Trs { rotation, .. } = &mut node.transform {
            *rotation = unit_quaternion(*rotation);
        }
        // glTF forbids matrices with a perspective part: that part is removed.
        if let Transform::Matrix(m) = &mut node.transform {
            (m[3], m[7], m[11], m[15]) = (0.0, 0.0, 0.0, 1.0);
        }
    }
    let images = scene.images.len() as u32;
    for texture in &mut scene.textures {
        texture.image = texture.image.min(images.saturating_sub(1));
    }
    let textures = if images == 0 {
        0
    } else {
        scene.textures.len() as u32
    };
    for material in &mut scene.materials {
        material.retarget_textures(&mut |index| *index < textures);
    }
    let materials = scene.materials.len() as u32;
    for primitive in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        primitive.material = primitive.material.filter(|&m| m < materials);
        primitive.variants.retain(|v| {
            v.get("material")
                .and_then(|m| m.as_u64())
                .is_some_and(|m| m < u64::from(materials))
        });
    }
}

fn unit_quaternion(q: [f32; 4]) -> [f32; 4] {
    let length = q.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    q.map(|v| (f64::from(v) / length) as f32)
}

/// Drops primitives without vertices, and removes meshes without primitives from nodes.
fn drop_empty(scene: &mut Scene) {
    for mesh in &mut scene.meshes {
        mesh.primitives.retain(|p| {
            !p.positions.is_empty() && (!p.indices.is_empty() || p.mode == Mode::Points)
        });
    }
    let mut map = Vec::with_capacity(scene.meshes.len());
    let mut kept = 0u32;
    for mesh in &scene.meshes {
        map.push(if mesh.primitives.is_empty() {
            None
        } else {
            Some(kept)
        });
        kept += u32::from(!mesh.primitives.is_empty());
    }
    scene.meshes.retain(|m| !m.primitives.is_empty());
    for node in &mut scene.nodes {
        node.mesh = node
            .mesh
            .and_then(|m| map.get(m as usize).copied().flatten());
    }
    let mut skinned = HashSet::new();
    for (i, mesh) in scene.meshes.iter().enumerate() {
        if mesh.primitives.iter().any(|p| !p.skin_sets.is_empty()) {
            skinned.insert(i as u32);
        }
    }
    for node in &mut scene.nodes {
        node.skin = node
            .skin
            .filter(|_| node.mesh.is_some_and(|m| skinned.contains(&m)));
    }
}
