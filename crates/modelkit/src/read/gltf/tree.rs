//! The node tree of a glTF: from the file's numbering to a clean tree.

use super::accessor::Accessors;
use super::json::{NodeJson, Root};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{Node, Problem, Scene, Severity, Transform};
use serde_json::Value;

/// Reads the nodes reachable from the default scene (and those that joints need), each once; renumbers skins and clips
/// accordingly.
pub fn read(accessors: &Accessors, scene: &mut Scene, ctx: &Ctx) -> Result<()> {
    let root = accessors.root;
    Limits::check("节点", root.nodes.len(), ctx.limits.nodes)?;
    let mut walk = Walk {
        root,
        map: vec![None; root.nodes.len()],
        broken: 0,
        too_deep: 0,
    };
    for top in tops(root) {
        walk.add(top, scene, ctx.limits.depth);
    }
    let parents = parents(root);
    for skin in 0..scene.skins.len() {
        for joint in scene.skins[skin].joints.clone() {
            if walk.map.get(joint as usize).is_some_and(Option::is_none) {
                walk.add(topmost(joint, &parents), scene, ctx.limits.depth);
            }
        }
    }
    if walk.broken > 0 {
        scene.note(Problem::new(
            "broken-tree",
            Severity::Warning,
            "",
            format!("节点层级有 {} 处重复或循环引用，已断开", walk.broken),
            "请在建模软件中检查节点层级后重新导出",
        ));
    }
    if walk.too_deep > 0 {
        scene.note(Problem::new(
            "broken-tree",
            Severity::Warning,
            "",
            format!("节点层级超过 {} 层，更深的部分已忽略", ctx.limits.depth),
            "请在建模软件中合并层级后重新导出",
        ));
    }
    let map = walk.map;
    renumber(scene, &map);
    instancing(accessors, scene, &map, ctx)
}

fn tops(root: &Root) -> Vec<u32> {
    if let Some(scene) = root.scenes.get(root.scene.unwrap_or(0) as usize) {
        return scene.nodes.clone();
    }
    let parents = parents(root);
    (0..root.nodes.len() as u32)
        .filter(|&n| parents[n as usize].is_none())
        .collect()
}

fn parents(root: &Root) -> Vec<Option<u32>> {
    let mut parents = vec![None; root.nodes.len()];
    for (i, node) in root.nodes.iter().enumerate() {
        for &child in &node.children {
            if let Some(slot) = parents.get_mut(child as usize) {
                *slot = Some(i as u32);
            }
        }
    }
    parents
}

fn topmost(node: u32, parents: &[Option<u32>]) -> u32 {
    let mut at = node;
    // A cycle has no root: any of its nodes can be the start.
    for _ in 0..parents.len() {
        match parents.get(at as usize).copied().flatten() {
            Some(parent) => at = parent,
            None => return at,
        }
    }
    at
}

struct Walk<'a> {
    root: &'a Root,
    /// New index by old index.
    map: Vec<Option<u32>>,
    broken: usize,
    too_deep: usize,
}

impl Walk<'_> {
    fn add(&mut self, top: u32, scene: &mut Scene, depth: usize) {
        let mut stack = vec![(top, None, 0usize)];
        while let Some((old, parent, level)) = stack.pop() {
            let Some(json) = self.root.nodes.get(old as usize) else {
                self.broken += 1;
                continue;
            };
            if self.map[old as usize].is_some() {
                self.broken += 1;
                continue;
            }
            if level > depth {
                self.too_deep += 1;
                continue;
            }
            let new = scene.add_node(node(json, self.root), parent);
            self.map[old as usize] = Some(new);
            for &child in json.children.iter().rev() {
                stack.push((child, Some(new), level + 1));
            }
        }
    }
}

fn node(json: &NodeJson, root: &Root) -> Node {
    let transform = match json.matrix {
        Some(matrix) => Transform::Matrix(matrix),
        None => Transform::Trs {
            translation: json.translation.unwrap_or([0.0; 3]),
            rotation: json.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: json.scale.unwrap_or([1.0; 3]),
        },
    };
    let light = json
        .extensions
        .get("KHR_lights_punctual")
        .and_then(|l| l.get("light"));
    let light = light
        .and_then(Value::as_u64)
        .and_then(|l| u32::try_from(l).ok());
    let in_range = |index: Option<u32>, length: usize| index.filter(|&i| (i as usize) < length);
    Node {
        name: json.name.clone(),
        transform,
        mesh: in_range(json.mesh, root.meshes.len()),
        skin: in_range(json.skin, root.skins.len()),
        camera: in_range(json.camera, root.cameras.len()),
        weights: json.weights.clone(),
        light,
        extras: json.extras.clone(),
        ..Node::default()
    }
}

fn renumber(scene: &mut Scene, map: &[Option<u32>]) {
    let find = |old: u32| map.get(old as usize).copied().flatten();
    for skin in &mut scene.skins {
        skin.skeleton = skin.skeleton.and_then(find);
        // A missing joint keeps its index: vertices refer to joints by position.
        for joint in &mut skin.joints {
            *joint = find(*joint).unwrap_or(u32::MAX);
        }
    }
    for animation in &mut scene.animations {
        animation
            .channels
            .retain_mut(|channel| match find(channel.node) {
                Some(new) => {
                    channel.node = new;
                    true
                }
                None => false,
            });
    }
}

/// EXT_mesh_gpu_instancing: one child node per instance.
fn instancing(
    accessors: &Accessors,
    scene: &mut Scene,
    map: &[Option<u32>],
    ctx: &Ctx,
) -> Result<()> {
    for (old, json) in accessors.root.nodes.iter().enumerate() {
        let Some(parent) = map.get(old).copied().flatten() else {
            continue;
        };
        let attributes = json
            .extensions
            .get("EXT_mesh_gpu_instancing")
            .and_then(|e| e.get("attributes"));
        let (Some(attributes), Some(mesh)) = (attributes, json.mesh) else {
            continue;
        };
        let index = |name: &str| {
            attributes
                .get(name)
                .and_then(Value::as_u64)
                .and_then(|i| u32::try_from(i).ok())
        };
        let translations = index("TRANSLATION")
            .map(|i| accessors.floats::<3>(i))
            .transpose()?
            .unwrap_or_default();
        let rotations = index("ROTATION")
            .map(|i| accessors.floats::<4>(i))
            .transpose()?
            .unwrap_or_default();
        let scales = index("SCALE")
            .map(|i| accessors.floats::<3>(i))
            .transpose()?
            .unwrap_or_default();
        let count = translations.len().max(rotations.len()).max(scales.len());
        Limits::check("节点", scene.nodes.len() + count, ctx.limits.nodes)?;
        scene.nodes[parent as usize].mesh = None;
        for i in 0..count {
            let transform = Transform::Trs {
                translation: translations.get(i).map_or([0.0; 3], |t| t.map(f64::from)),
                rotation: rotations.get(i).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: scales.get(i).copied().unwrap_or([1.0; 3]),
            };
            let name = format!("{} {}", json.name, i + 1);
            scene.add_node(
                Node {
                    name,
                    transform,
                    mesh: Some(mesh),
                    ..Node::default()
                },
                Some(parent),
            );
        }
    }
    Ok(())
}
