//! What a stand-in leaves out: names, extras, attributes of applications, cameras and lights.

use crate::Scene;
use serde_json::{Map, Value};

/// A copy without all of it.
pub fn bare(scene: &Scene) -> Scene {
    let mut out = Scene {
        units: scene.units.clone(),
        format: scene.format.clone(),
        nodes: scene.nodes.clone(),
        roots: scene.roots.clone(),
        meshes: scene.meshes.clone(),
        materials: scene.materials.clone(),
        textures: scene.textures.clone(),
        images: scene.images.clone(),
        skins: scene.skins.clone(),
        animations: scene.animations.clone(),
        has_skeleton: scene.has_skeleton,
        ..Scene::default()
    };
    for node in &mut out.nodes {
        (node.name, node.extras) = (String::new(), None);
        (node.light, node.camera) = (None, None);
        node.extensions = Map::new();
    }
    for mesh in &mut out.meshes {
        (mesh.name, mesh.extras) = (String::new(), None);
        mesh.target_names = Vec::new();
        for p in &mut mesh.primitives {
            (p.custom, p.variants, p.extras) = (Vec::new(), Vec::new(), None);
            p.extensions = Map::new();
        }
    }
    for material in &mut out.materials {
        (material.name, material.extras) = (String::new(), None);
        material
            .extensions
            .retain(|name, _| name.starts_with("KHR_materials_"));
        for value in material.extensions.values_mut() {
            without_extras(value, 0);
        }
    }
    for texture in &mut out.textures {
        (texture.name, texture.extras) = (String::new(), None);
    }
    for image in &mut out.images {
        (image.name, image.extras) = (String::new(), None);
    }
    for skin in &mut out.skins {
        (skin.name, skin.extras) = (String::new(), None);
    }
    for clip in &mut out.animations {
        (clip.name, clip.extras) = (String::new(), None);
    }
    out
}

fn without_extras(value: &mut Value, depth: u32) {
    if let Value::Object(fields) = value
        && depth < 8
    {
        fields.remove("extras");
        for field in fields.values_mut() {
            without_extras(field, depth + 1);
        }
    }
}

/// Drops primitives without content, and takes meshes without primitives off their nodes.
pub fn drop_empty(scene: &mut Scene) {
    for mesh in &mut scene.meshes {
        mesh.primitives.retain(|p| !p.indices.is_empty());
    }
    let meshes = &scene.meshes;
    for node in &mut scene.nodes {
        node.mesh = node.mesh.filter(|m| {
            let mesh = meshes.get(*m as usize);
            mesh.is_some_and(|m| !m.primitives.is_empty())
        });
        if node.mesh.is_none() {
            node.skin = None;
            node.weights = Vec::new();
        }
    }
}
