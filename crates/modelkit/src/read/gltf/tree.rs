//! The node tree of a glTF: from the file's numbering to a clean tree.

use super::super::seen::Seen;
use super::accessor::Accessors;
use super::extensions::Extension;
use super::json::{NodeJson, Root, SceneJson};
use super::lost::{Loss, Losses};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::{Node, Problem, Scene, Severity, Transform};
use serde_json::{Map, Value};

/// Most scenes that are looked at for meshes.
const MOST_SCENES: usize = 100;

/// Reads the nodes reachable from the default scene (and those that joints need), each once; renumbers skins and clips
/// accordingly.
pub fn read(
    accessors: &Accessors,
    stage: &Staged,
    scene: &mut Scene,
    losses: &mut Losses,
    ctx: &Ctx,
) -> Result<()> {
    let root = accessors.root;
    Limits::check("节点", root.nodes.len(), ctx.limits.nodes)?;
    let mut walk = Walk {
        root,
        map: vec![None; root.nodes.len()],
        hidden: vec![false; root.nodes.len()],
        broken: 0,
        too_deep: 0,
    };
    for &top in &stage.tops {
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
    scene.problems.extend(stage.finding(root));
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
    for (old, json) in root.nodes.iter().enumerate() {
        let object = ("节点", json.name.as_str(), old);
        if walk.hidden[old] && (json.mesh.is_some() || light(json).is_some()) {
            losses.add(Loss::Hidden, object, "");
        } else if walk.map[old].is_none() && json.mesh.is_some() {
            losses.add(Loss::Offstage, object, "");
        }
    }
    renumber(scene, &walk.map, losses);
    instancing(accessors, scene, &walk, losses, ctx)
}

/// What is shown of a file.
pub struct Staged {
    scene: Option<usize>,
    /// The nodes at the top.
    tops: Vec<u32>,
    /// The file's own choice has no mesh.
    instead: bool,
}

impl Staged {
    /// The default scene; if that has no meshes, the first that has some, else all nodes.
    pub fn of(root: &Root) -> Staged {
        let default = root.scene.unwrap_or(0) as usize;
        let all = || {
            let parents = parents(root);
            let tops = (0..).zip(&parents);
            tops.filter_map(|(node, parent)| parent.is_none().then_some(node))
                .collect()
        };
        let staged = |scene: Option<usize>, instead: bool| Staged {
            scene,
            tops: match scene.and_then(|s| root.scenes.get(s)) {
                Some(json) => json.nodes.clone(),
                None => all(),
            },
            instead,
        };
        let shows = |staged: &Staged| has_mesh(root, &staged.tops);
        let own = staged(Some(default).filter(|s| *s < root.scenes.len()), false);
        if own.scene.is_none() || shows(&own) || root.nodes.iter().all(|n| n.mesh.is_none()) {
            return own;
        }
        let others = (0..root.scenes.len()).filter(|s| *s != default).map(Some);
        let others = others.take(MOST_SCENES).chain([None]);
        let mut others = others.map(|scene| staged(scene, true));
        others.find(shows).unwrap_or(own)
    }

    pub fn scene<'a>(&self, root: &'a Root) -> Option<&'a SceneJson> {
        self.scene.and_then(|scene| root.scenes.get(scene))
    }

    fn finding(&self, root: &Root) -> Option<Problem> {
        let shown = match (self.scene, self.scene(root)) {
            (Some(number), Some(json)) => {
                let mut seen = Seen::default();
                seen.add("场景", &json.name, number);
                seen.place()
            }
            _ => "所有节点".to_owned(),
        };
        self.instead.then(|| {
            Problem::new(
                "default-scene-empty",
                Severity::Warning,
                "",
                format!("默认场景里没有网格，已改为显示{shown}"),
                "如需显示别的内容，请把要显示的场景设为默认场景后重新导出",
            )
        })
    }
}

/// Whether a node below `tops` has a mesh.
fn has_mesh(root: &Root, tops: &[u32]) -> bool {
    let mut seen = vec![false; root.nodes.len()];
    let mut stack = tops.to_vec();
    while let Some(at) = stack.pop() {
        let (Some(node), Some(seen)) = (root.nodes.get(at as usize), seen.get_mut(at as usize))
        else {
            continue;
        };
        if !std::mem::replace(seen, true) {
            if node.mesh.is_some() {
                return true;
            }
            stack.extend(&node.children);
        }
    }
    false
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
    /// Whether KHR_node_visibility hides the node or one above it.
    hidden: Vec<bool>,
    broken: usize,
    too_deep: usize,
}

impl Walk<'_> {
    fn add(&mut self, top: u32, scene: &mut Scene, depth: usize) {
        let mut stack = vec![(top, None, 0usize, false)];
        while let Some((old, parent, level, above)) = stack.pop() {
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
            let hidden = above || is_hidden(json);
            let mut node = node(json, self.root);
            if hidden {
                // It stays, since it may be a joint, but draws nothing.
                (node.mesh, node.skin, node.light) = (None, None, None);
            }
            let new = scene.add_node(node, parent);
            self.map[old as usize] = Some(new);
            self.hidden[old as usize] = hidden;
            for &child in json.children.iter().rev() {
                stack.push((child, Some(new), level + 1, hidden));
            }
        }
    }
}

/// KHR_node_visibility; hidden nodes hide those below them.
fn is_hidden(json: &NodeJson) -> bool {
    let visibility = json.extensions.get(Extension::NodeVisibility);
    visibility.and_then(|v| v.get("visible")) == Some(&Value::Bool(false))
}

fn light(json: &NodeJson) -> Option<u32> {
    json.extensions.index(Extension::LightsPunctual, "light")
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
    let in_range = |index: Option<u32>, length: usize| index.filter(|&i| (i as usize) < length);
    Node {
        name: json.name.clone(),
        transform,
        mesh: in_range(json.mesh, root.meshes.len()),
        skin: in_range(json.skin, root.skins.len()),
        camera: in_range(json.camera, root.cameras.len()),
        weights: json.weights.clone(),
        light: light(json),
        extras: json.extras.clone(),
        ..Node::default()
    }
}

fn renumber(scene: &mut Scene, map: &[Option<u32>], losses: &mut Losses) {
    let find = |old: u32| map.get(old as usize).copied().flatten();
    for skin in &mut scene.skins {
        skin.skeleton = skin.skeleton.and_then(find);
        // A missing joint keeps its index: vertices refer to joints by position.
        for joint in &mut skin.joints {
            *joint = find(*joint).unwrap_or(u32::MAX);
        }
    }
    for (i, animation) in scene.animations.iter_mut().enumerate() {
        let object = ("动画", animation.name.as_str(), i);
        animation
            .channels
            .retain_mut(|channel| match find(channel.node) {
                Some(new) => {
                    channel.node = new;
                    true
                }
                None => {
                    losses.add(Loss::Aimless, object, "");
                    false
                }
            });
    }
}

/// EXT_mesh_gpu_instancing: one child node per instance.
fn instancing(
    accessors: &Accessors,
    scene: &mut Scene,
    walk: &Walk,
    losses: &mut Losses,
    ctx: &Ctx,
) -> Result<()> {
    for (old, json) in accessors.root.nodes.iter().enumerate() {
        let shown = walk.map[old].filter(|_| !walk.hidden[old]);
        let instances = json.extensions.get(Extension::MeshGpuInstancing);
        let attributes = instances
            .and_then(|e| e.get("attributes"))
            .and_then(Value::as_object)
            .filter(|attributes| !attributes.is_empty());
        let (Some(parent), Some(attributes), Some(mesh)) = (shown, attributes, json.mesh) else {
            continue;
        };
        let transforms = transforms(accessors, attributes)?;
        for name in attributes.keys() {
            if !["TRANSLATION", "ROTATION", "SCALE"].contains(&name.as_str()) {
                losses.add(Loss::InstanceAttribute, ("节点", &json.name, old), name);
            }
        }
        let count = scene.nodes.len().saturating_add(transforms.len());
        Limits::check("节点", count, ctx.limits.nodes)?;
        scene.nodes[parent as usize].mesh = None;
        for (i, transform) in transforms.into_iter().enumerate() {
            let instance = Node {
                name: format!("{} {}", json.name, i + 1),
                transform,
                mesh: Some(mesh),
                weights: json.weights.clone(),
                ..Node::default()
            };
            scene.add_node(instance, Some(parent));
        }
    }
    Ok(())
}

/// Where each instance is; attributes of applications count instances too.
fn transforms(accessors: &Accessors, attributes: &Map<String, Value>) -> Result<Vec<Transform>> {
    let index = |name: &str| {
        let value = attributes.get(name).and_then(Value::as_u64);
        value.and_then(|i| u32::try_from(i).ok())
    };
    let three = |name: &str| {
        let rows = index(name).map(|i| accessors.floats::<3>(i)).transpose();
        rows.map(Option::unwrap_or_default)
    };
    let (translations, scales) = (three("TRANSLATION")?, three("SCALE")?);
    let rotations = index("ROTATION").map(|i| accessors.floats::<4>(i));
    let rotations = rotations.transpose()?.unwrap_or_default();
    let mut count = translations.len().max(rotations.len()).max(scales.len());
    if count == 0 {
        for name in attributes.keys() {
            count = count.max(index(name).map_or(Ok(0), |i| accessors.count(i))?);
        }
    }
    Ok((0..count)
        .map(|i| Transform::Trs {
            translation: translations.get(i).map_or([0.0; 3], |t| t.map(f64::from)),
            rotation: rotations.get(i).copied().unwrap_or([0.0, 0.0, 0.0, 1.0]),
            scale: scales.get(i).copied().unwrap_or([1.0; 3]),
        })
        .collect())
}
