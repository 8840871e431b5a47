//! Repeated meshes as one node (EXT_mesh_gpu_instancing): what the reader made of such a node is written as one again.

use super::builder::{Builder, bytes_of};
use super::column::data;
use super::quantize::Grid;
use crate::Result;
use crate::scene::math::{self, Mat4};
use crate::scene::{Node, Scene, Transform};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

pub const EXTENSION: &str = "EXT_mesh_gpu_instancing";

/// Fewer are as short as nodes.
const LEAST: usize = 8;

/// Translations, rotations and scales, a row for each instance.
type Rows = (Vec<[f32; 3]>, Vec<[f32; 4]>, Vec<[f32; 3]>);

/// The children of a node that are its instances.
pub struct Instances {
    pub parent: u32,
    pub mesh: u32,
    pub children: Vec<u32>,
}

/// All nodes whose children can be written as instances and are read as the same nodes again.
pub fn find(scene: &Scene) -> Vec<Instances> {
    let channels = scene.animations.iter().flat_map(|clip| &clip.channels);
    let mut named: HashSet<u32> = channels.map(|channel| channel.node).collect();
    for skin in &scene.skins {
        named.extend(skin.joints.iter().chain(&skin.skeleton));
    }
    named.extend(&scene.roots);
    let parents = scene.nodes.iter().enumerate();
    let found = parents.filter_map(|(i, node)| of_node(scene, i as u32, node, &named));
    found.collect()
}

fn of_node(scene: &Scene, parent: u32, node: &Node, named: &HashSet<u32>) -> Option<Instances> {
    if node.children.len() < LEAST || node.mesh.is_some() || node.skin.is_some() {
        return None;
    }
    let numbered = |index: &u32, number: usize| {
        let child = scene.nodes.get(*index as usize)?;
        let number_of = child.name.strip_prefix(&node.name)?.strip_prefix(' ')?;
        let plain = is_plain(child) && !named.contains(index);
        (plain && number_of == (number + 1).to_string()).then_some(child.mesh?)
    };
    // The reader adds instances after the other children.
    let first = node
        .children
        .iter()
        .position(|c| numbered(c, 0).is_some())?;
    let children = node.children.get(first..)?;
    let mesh = numbered(&children[0], 0)?;
    let mut all = children.iter().enumerate();
    let same = all.all(|(i, child)| numbered(child, i) == Some(mesh));
    (same && children.len() >= LEAST).then(|| Instances {
        parent,
        mesh,
        children: children.to_vec(),
    })
}

/// A node that is a mesh at a place that single precision holds, and nothing else.
fn is_plain(node: &Node) -> bool {
    let exact = match &node.transform {
        Transform::Trs { translation, .. } => {
            translation.iter().all(|v| f64::from(*v as f32) == *v)
        }
        Transform::Matrix(_) => false,
    };
    let bare = node.children.is_empty() && node.weights.is_empty() && node.extensions.is_empty();
    let alone = node.skin.is_none() && node.light.is_none() && node.camera.is_none();
    exact && bare && alone && node.extras.is_none()
}

/// Adds the instances to the JSON of their node; a grid of the mesh goes into their places. Returns the largest distance
/// along an axis of that node by which single precision of places and scales moves a position.
pub fn put(
    b: &mut Builder,
    scene: &Scene,
    instances: &Instances,
    grid: Option<&Grid>,
    node: &mut Value,
) -> Result<f64> {
    let ((translations, rotations, scales), moved) = rows(scene, instances, grid);
    let mut attributes = Map::new();
    let count = translations.len();
    let column = data(bytes_of(&translations), count, 5126, "VEC3");
    attributes.insert("TRANSLATION".into(), b.column(&column)?.into());
    if rotations.iter().any(|r| *r != [0.0, 0.0, 0.0, 1.0]) {
        let column = data(bytes_of(&rotations), count, 5126, "VEC4");
        attributes.insert("ROTATION".into(), b.column(&column)?.into());
    }
    if scales.iter().any(|s| *s != [1.0; 3]) {
        let column = data(bytes_of(&scales), count, 5126, "VEC3");
        attributes.insert("SCALE".into(), b.column(&column)?.into());
    }
    b.extension(EXTENSION, true);
    node["mesh"] = instances.mesh.into();
    node["extensions"][EXTENSION] = json!({"attributes": attributes});
    Ok(moved)
}

fn rows(scene: &Scene, instances: &Instances, grid: Option<&Grid>) -> (Rows, f64) {
    let mut rows = Rows::default();
    let mut moved = 0.0f64;
    for child in &instances.children {
        let Some(child) = scene.nodes.get(*child as usize) else {
            continue;
        };
        let Transform::Trs {
            translation,
            rotation,
            scale,
        } = &child.transform
        else {
            continue;
        };
        let (mut place, mut size) = (*translation, *scale);
        if let Some(grid) = grid {
            let matrix: Mat4 = child.transform.matrix();
            place = math::point(&matrix, grid.offset);
            size = scale.map(|s| s * grid.scale);
            let left = |v: f64| (v - f64::from(v as f32)).abs();
            // A coordinate of the grid may turn into any axis.
            let exact = scale.map(|s| f64::from(s) * f64::from(grid.scale));
            let of_size: f64 = exact.into_iter().map(|s| left(s) * grid.extent()).sum();
            let of_place = place.into_iter().map(left).fold(0.0, f64::max);
            moved = moved.max(of_place + of_size);
        }
        rows.0.push(place.map(|v| v as f32));
        rows.1.push(*rotation);
        rows.2.push(size);
    }
    (rows, moved)
}
