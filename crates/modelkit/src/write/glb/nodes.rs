//! The node tree: meshes on quantised grids get a node that scales them, repeated ones become instances.

use super::builder::{Builder, floats, single};
use super::instances;
use super::quantize::Grid;
use super::rounding;
use crate::scene::{Node, Transform};
use crate::{Result, Scene};
use serde_json::{Value, json};

/// The nodes of a file.
pub struct Nodes {
    pub json: Vec<Value>,
    /// By node of the scene: its number, and that of the node that holds its mesh. With quantised positions that is a
    /// child with the grid's offset and scale, except under a skin. An instance has no number.
    pub numbers: Vec<u32>,
    carriers: Vec<u32>,
    /// Largest distance in metres by which instances move a position in the rest pose.
    pub moved: f64,
}

impl Nodes {
    /// The number of a node of the scene.
    pub fn number(&self, node: u32) -> u32 {
        self.numbers.get(node as usize).copied().unwrap_or(node)
    }

    /// The number of the node that holds its mesh.
    pub fn carrier(&self, node: u32) -> u32 {
        self.carriers.get(node as usize).copied().unwrap_or(node)
    }
}

/// `folds` writes repeated meshes as instances where that loses nothing.
pub fn nodes(b: &mut Builder, scene: &Scene, grids: &[Option<Grid>], folds: bool) -> Result<Nodes> {
    let grid_of = |mesh: u32| grids.get(mesh as usize).and_then(Option::as_ref);
    let groups = match folds {
        true => instances::find(scene),
        false => Vec::new(),
    };
    let mut folded = vec![false; scene.nodes.len()];
    for child in groups.iter().flat_map(|group| &group.children) {
        folded[*child as usize] = true;
    }
    let mut count = 0;
    let number = |folded: &bool| {
        count += u32::from(!folded);
        if *folded { u32::MAX } else { count - 1 }
    };
    let numbers: Vec<u32> = folded.iter().map(number).collect();
    let of = |node: &u32| numbers.get(*node as usize).copied();
    let mut out = Nodes {
        json: Vec::with_capacity(count as usize),
        carriers: numbers.clone(),
        numbers: Vec::new(),
        moved: 0.0,
    };
    for (node, _) in scene
        .nodes
        .iter()
        .zip(&folded)
        .filter(|(_, folded)| !**folded)
    {
        let children = node.children.iter().filter_map(of);
        let children: Vec<u32> = children.filter(|number| *number != u32::MAX).collect();
        out.json.push(self::node(b, node, &children));
    }
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.filter(|_| !folded[i]) else {
            continue;
        };
        let at = numbers[i] as usize;
        let grid = grid_of(mesh).filter(|_| node.skin.is_none());
        let mut carrier = json!({});
        if let Some(grid) = grid {
            carrier["translation"] = floats(&grid.offset);
            carrier["scale"] = floats(&[grid.scale; 3]);
        }
        let target = match grid {
            Some(_) => &mut carrier,
            None => &mut out.json[at],
        };
        target["mesh"] = mesh.into();
        if let Some(skin) = node.skin {
            target["skin"] = skin.into();
        }
        if !node.weights.is_empty() {
            target["weights"] = floats(&node.weights);
        }
        if grid.is_some() {
            let index = out.json.len();
            out.json.push(carrier);
            out.carriers[i] = index as u32;
            match out.json[at]
                .get_mut("children")
                .and_then(Value::as_array_mut)
            {
                Some(children) => children.push(index.into()),
                None => out.json[at]["children"] = json!([index]),
            }
        }
    }
    let world = match groups.is_empty() {
        true => Vec::new(),
        false => scene.world_matrices(),
    };
    for group in &groups {
        let at = numbers[group.parent as usize] as usize;
        let moved = instances::put(b, scene, group, grid_of(group.mesh), &mut out.json[at])?;
        let shown = world
            .get(group.parent as usize)
            .map_or(1.0, rounding::corner);
        out.moved = out.moved.max(moved * shown);
    }
    out.numbers = numbers;
    Ok(out)
}

/// A component of a unit quaternion without the noise below its precision: 1.2e-9 is zero.
fn seven_digits(v: f32) -> f32 {
    ((f64::from(v) * 1e7).round() / 1e7) as f32
}

/// A factor without the noise of conversions: 0.9999999 is one.
fn one_or(v: f32) -> f32 {
    if (v - 1.0).abs() < 5e-7 { 1.0 } else { v }
}

/// Numbers of a transform: where single precision is exact enough, its shorter form.
fn places(values: &[f64]) -> Value {
    const NEAR: f64 = 1024.0;
    let short = |v: &f64| match v.abs() < NEAR {
        true => single(*v as f32),
        false => json!(v),
    };
    values.iter().map(short).collect()
}

/// A node without its mesh.
fn node(b: &mut Builder, node: &Node, children: &[u32]) -> Value {
    let mut json = json!({});
    if !node.name.is_empty() {
        json["name"] = node.name.clone().into();
    }
    if !children.is_empty() {
        json["children"] = json!(children);
    }
    match &node.transform {
        Transform::Matrix(m) => {
            if !node.transform.is_identity() {
                json["matrix"] = places(m);
            }
        }
        Transform::Trs {
            translation,
            rotation,
            scale,
        } => {
            if *translation != [0.0; 3] {
                json["translation"] = places(translation);
            }
            let (rotation, scale) = match b.screen {
                Some(_) => (rotation.map(seven_digits), scale.map(one_or)),
                None => (*rotation, *scale),
            };
            if rotation != [0.0, 0.0, 0.0, 1.0] {
                json["rotation"] = floats(&rotation);
            }
            if scale != [1.0; 3] {
                json["scale"] = floats(&scale);
            }
        }
    }
    if let Some(camera) = node.camera {
        json["camera"] = camera.into();
    }
    let mut extensions = node.extensions.clone();
    if let Some(light) = node.light {
        extensions.insert("KHR_lights_punctual".into(), json!({"light": light}));
    }
    if !extensions.is_empty() {
        for name in extensions.keys() {
            b.extension(name, false);
        }
        json["extensions"] = Value::Object(extensions);
    }
    if let Some(extras) = &node.extras {
        json["extras"] = extras.clone();
    }
    json
}
