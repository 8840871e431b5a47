//! Deduplicates equal images and equal meshes.

use crate::scene::{Mesh, Primitive, Scene};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

pub fn images(scene: &mut Scene) {
    let mut first: HashMap<(u64, usize), Vec<usize>> = HashMap::new();
    let mut map: Vec<u32> = Vec::with_capacity(scene.images.len());
    for (i, image) in scene.images.iter().enumerate() {
        let mut hasher = DefaultHasher::new();
        image.bytes.hash(&mut hasher);
        let same = first
            .entry((hasher.finish(), image.bytes.len()))
            .or_default();
        match same.iter().find(|&&o| scene.images[o].bytes == image.bytes) {
            Some(&other) => map.push(other as u32),
            None => {
                same.push(i);
                map.push(i as u32);
            }
        }
    }
    for texture in &mut scene.textures {
        if let Some(&to) = map.get(texture.image as usize) {
            texture.image = to;
        }
    }
    let mut known = HashMap::new();
    let mut textures: Vec<u32> = Vec::with_capacity(scene.textures.len());
    for (i, texture) in scene.textures.iter().enumerate() {
        textures.push(
            *known
                .entry((texture.image, texture.sampler))
                .or_insert(i as u32),
        );
    }
    for material in &mut scene.materials {
        material.retarget_textures(&mut |index| match textures.get(*index as usize) {
            Some(&to) => {
                *index = to;
                true
            }
            None => false,
        });
    }
}

pub fn meshes(scene: &mut Scene) {
    let mut first: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut map: Vec<u32> = Vec::with_capacity(scene.meshes.len());
    for (i, mesh) in scene.meshes.iter().enumerate() {
        let same = first.entry(content(mesh)).or_default();
        match same.iter().find(|&&o| equal(&scene.meshes[o], mesh)) {
            Some(&other) => map.push(other as u32),
            None => {
                same.push(i);
                map.push(i as u32);
            }
        }
    }
    for node in &mut scene.nodes {
        if let Some(to) = node.mesh.and_then(|m| map.get(m as usize).copied()) {
            node.mesh = Some(to);
        }
    }
}

fn bits<const N: usize>(rows: &[[f32; N]], hasher: &mut DefaultHasher) {
    rows.len().hash(hasher);
    for row in rows {
        row.map(f32::to_bits).hash(hasher);
    }
}

fn content(mesh: &Mesh) -> u64 {
    let mut hasher = DefaultHasher::new();
    for p in &mesh.primitives {
        p.material.hash(&mut hasher);
        p.indices.hash(&mut hasher);
        bits(&p.positions, &mut hasher);
        bits(&p.normals, &mut hasher);
    }
    hasher.finish()
}

fn equal(a: &Mesh, b: &Mesh) -> bool {
    a.primitives.len() == b.primitives.len()
        && a.weights == b.weights
        && a.target_names == b.target_names
        && a.extras == b.extras
        && a.primitives
            .iter()
            .zip(&b.primitives)
            .all(|(a, b)| equal_primitives(a, b))
}

fn equal_primitives(a: &Primitive, b: &Primitive) -> bool {
    a.mode == b.mode
        && a.material == b.material
        && a.indices == b.indices
        && a.variants == b.variants
        && a.extras == b.extras
        && equal_vertices(a, b)
}

/// Whether all attributes of all vertices are equal.
pub fn equal_vertices(a: &Primitive, b: &Primitive) -> bool {
    let skins = a.skin_sets.len() == b.skin_sets.len()
        && a.skin_sets
            .iter()
            .zip(&b.skin_sets)
            .all(|(a, b)| a.joints == b.joints && a.weights == b.weights);
    let targets = a.targets.len() == b.targets.len()
        && a.targets.iter().zip(&b.targets).all(|(a, b)| {
            a.positions == b.positions && a.normals == b.normals && a.tangents == b.tangents
        });
    let custom = a.custom.len() == b.custom.len()
        && a.custom
            .iter()
            .zip(&b.custom)
            .all(|(a, b)| a.name == b.name && a.values == b.values);
    a.positions == b.positions
        && a.normals == b.normals
        && a.tangents == b.tangents
        && a.uvs == b.uvs
        && a.colors == b.colors
        && skins
        && targets
        && custom
}
