//! Converts quantised positions back to metres: the meshes' grids are removed from nodes and skins, so that the scene
//! has the nodes it was written with.

use crate::amrt::GRIDS;
use crate::scene::math::{self, Mat4};
use crate::scene::{AnimationPath, Mesh, Scene, Transform};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Document {
    extensions: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Grids {
    meshes: Vec<Grid>,
}

/// `position = offset + scale · stored`.
#[derive(Deserialize, Clone, Copy)]
struct Grid {
    offset: [f32; 3],
    scale: f32,
}

impl Grid {
    fn is_sound(&self) -> bool {
        self.offset.iter().all(|v| v.is_finite()) && self.scale.is_finite() && self.scale > 0.0
    }

    fn inverse(&self) -> Mat4 {
        let s = 1.0 / f64::from(self.scale);
        let t = self.offset.map(|v| -f64::from(v) * s);
        math::compose(t, [0.0, 0.0, 0.0, 1.0], [s, s, s])
    }
}

/// Undoes the grids that `document` declares. A document without (valid) grids is used as its nodes are.
pub fn undo(scene: &mut Scene, document: &[u8]) {
    let Some(grids) = grids(document).filter(|grids| grids.len() == scene.meshes.len()) else {
        return;
    };
    for (mesh, grid) in scene.meshes.iter_mut().zip(&grids) {
        widen(mesh, grid);
    }
    skins(scene, &grids);
    let carriers = carriers(scene, &grids);
    dissolve(scene, &carriers);
}

fn grids(document: &[u8]) -> Option<Vec<Grid>> {
    let document: Document = serde_json::from_slice(document).ok()?;
    let grids = document.extensions.get(GRIDS)?.clone();
    let grids: Grids = serde_json::from_value(grids).ok()?;
    let sound = grids.meshes.iter().all(Grid::is_sound);
    sound.then_some(grids.meshes)
}

fn widen(mesh: &mut Mesh, grid: &Grid) {
    for primitive in &mut mesh.primitives {
        for p in &mut primitive.positions {
            for (value, offset) in p.iter_mut().zip(grid.offset) {
                *value = offset + grid.scale * *value;
            }
        }
        let targets = primitive.targets.iter_mut().flat_map(|t| &mut t.positions);
        for delta in targets {
            *delta = delta.map(|v| v * grid.scale);
        }
    }
}

fn skins(scene: &mut Scene, grids: &[Grid]) {
    let mut grid_of: HashMap<u32, Grid> = HashMap::new();
    for node in &scene.nodes {
        if let (Some(mesh), Some(skin)) = (node.mesh, node.skin)
            && let Some(grid) = grids.get(mesh as usize)
        {
            grid_of.insert(skin, *grid);
        }
    }
    for (skin, grid) in grid_of {
        let Some(skin) = scene.skins.get_mut(skin as usize) else {
            continue;
        };
        for m in &mut skin.inverse_bind {
            *m = math::mul(&m.map(f64::from), &grid.inverse()).map(|v| v as f32);
            (m[3], m[7], m[11], m[15]) = (0.0, 0.0, 0.0, 1.0);
        }
    }
}

/// Removes the grid from every node with a mesh and no skin; returns the nodes that hold nothing else.
fn carriers(scene: &mut Scene, grids: &[Grid]) -> Vec<bool> {
    let mut carriers = vec![false; scene.nodes.len()];
    for (node, carrier) in scene.nodes.iter_mut().zip(&mut carriers) {
        let grid = node.mesh.and_then(|mesh| grids.get(mesh as usize));
        // Positions in metres have no node of their own.
        let none = |grid: &&Grid| grid.offset == [0.0; 3] && grid.scale == 1.0;
        let Some(grid) = grid.filter(|grid| node.skin.is_none() && !none(grid)) else {
            continue;
        };
        let whole = matches!(&node.transform, Transform::Trs { translation, rotation, scale }
            if translation.map(|v| v as f32) == grid.offset && *rotation == [0.0, 0.0, 0.0, 1.0] && *scale == [grid.scale; 3]);
        node.transform = match whole {
            true => Transform::default(),
            false => Transform::Matrix(math::mul(&node.transform.matrix(), &grid.inverse())),
        };
        let plain = node.children.is_empty() && node.name.is_empty() && node.extras.is_none();
        *carrier = whole && plain && node.camera.is_none() && node.light.is_none();
    }
    // An animated node or a joint is more than a carrier.
    let channels = scene.animations.iter().flat_map(|clip| &clip.channels);
    let moved = channels.filter(|c| c.path != AnimationPath::Weights);
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints);
    for node in moved.map(|c| c.node).chain(joints.copied()) {
        if let Some(carrier) = carriers.get_mut(node as usize) {
            *carrier = false;
        }
    }
    carriers
}

/// Moves the meshes of carriers to their parents, and removes the carriers from the tree.
fn dissolve(scene: &mut Scene, carriers: &[bool]) {
    let is_carrier = |node: u32| carriers.get(node as usize).copied().unwrap_or(false);
    // The node that replaces each: itself, or the parent of a carrier.
    let mut target: Vec<u32> = (0..scene.nodes.len() as u32).collect();
    for parent in 0..scene.nodes.len() {
        let own = scene.nodes[parent].mesh.is_some();
        let mut found = scene.nodes[parent]
            .children
            .iter()
            .filter(|c| is_carrier(**c));
        // The writer gives a node one mesh, hence one carrier.
        let (Some(&carrier), None, false) = (found.next(), found.next(), own) else {
            continue;
        };
        let Some(taken) = scene.nodes.get(carrier as usize) else {
            continue;
        };
        let (mesh, weights) = (taken.mesh, taken.weights.clone());
        let node = &mut scene.nodes[parent];
        (node.mesh, node.weights) = (mesh, weights);
        node.children.retain(|&c| c != carrier);
        target[carrier as usize] = parent as u32;
    }
    let mut new = vec![0u32; scene.nodes.len()];
    let mut count = 0;
    for (old, slot) in new.iter_mut().enumerate() {
        *slot = count;
        count += u32::from(target[old] == old as u32);
    }
    let renamed = |old: u32| match target.get(old as usize) {
        Some(&target) => new[target as usize],
        None => u32::MAX,
    };
    for skin in &mut scene.skins {
        skin.joints.iter_mut().for_each(|j| *j = renamed(*j));
        skin.skeleton = skin.skeleton.map(renamed);
    }
    let channels = scene.animations.iter_mut().flat_map(|c| &mut c.channels);
    channels.for_each(|channel| channel.node = renamed(channel.node));
    scene.roots.iter_mut().for_each(|r| *r = renamed(*r));
    let mut at = 0;
    scene.nodes.retain(|_| {
        at += 1;
        target[at - 1] == at as u32 - 1
    });
    for node in &mut scene.nodes {
        node.children.iter_mut().for_each(|c| *c = renamed(*c));
    }
}
