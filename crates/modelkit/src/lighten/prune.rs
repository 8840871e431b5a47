//! Drops everything unreferenced: meshes, skins, materials, textures, images. Nodes stay, because they hold names,
//! extras and clips.

use crate::scene::{Material, Scene};

/// New indices of the kept entries.
fn renumber(keep: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let mut map = Vec::with_capacity(keep.len());
    for &kept in keep {
        map.push(if kept { Some(next) } else { None });
        next += u32::from(kept);
    }
    map
}

fn retain<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    list.retain(|_| flags.next().copied().unwrap_or(false));
}

fn mark(keep: &mut [bool], index: Option<u32>) {
    if let Some(slot) = index.and_then(|i| keep.get_mut(i as usize)) {
        *slot = true;
    }
}

pub fn unused(scene: &mut Scene) {
    meshes_and_skins(scene);
    materials(scene);
    textures(scene);
    uv_sets(scene);
}

/// Drops texture coordinates and tangents that no material reads.
pub fn unread_attributes(scene: &mut Scene) {
    unread_uvs(scene, 0);
    let bumpy = |m: &Material| {
        let uses = m.texture_uses();
        uses.iter()
            .any(|(name, _)| name.to_lowercase().contains("normal"))
    };
    let bumpy: Vec<bool> = scene.materials.iter().map(bumpy).collect();
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        let material = p.material.and_then(|m| bumpy.get(m as usize));
        // A variant may bring a normal map.
        if p.variants.is_empty() && material != Some(&true) {
            p.tangents.clear();
            p.targets.iter_mut().for_each(|t| t.tangents.clear());
        }
    }
}

/// Drops UV sets no material reads; the first stays, for users who add a texture later.
fn uv_sets(scene: &mut Scene) {
    unread_uvs(scene, 1);
}

/// Drops UV sets no material reads, except the first `kept`.
fn unread_uvs(scene: &mut Scene, kept: usize) {
    let needed: Vec<usize> = scene.materials.iter().map(|m| m.uv_sets()).collect();
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        let others = p
            .variants
            .iter()
            .filter_map(|v| v.get("material")?.as_u64());
        let materials = others.chain(p.material.map(u64::from));
        let most = materials.filter_map(|m| needed.get(m as usize)).max();
        p.uvs.truncate(most.copied().unwrap_or(0).max(kept));
    }
}

fn meshes_and_skins(scene: &mut Scene) {
    let mut meshes = vec![false; scene.meshes.len()];
    let mut skins = vec![false; scene.skins.len()];
    for node in &scene.nodes {
        mark(&mut meshes, node.mesh);
        mark(&mut skins, node.skin);
    }
    let (mesh_map, skin_map) = (renumber(&meshes), renumber(&skins));
    for node in &mut scene.nodes {
        node.mesh = node
            .mesh
            .and_then(|m| mesh_map.get(m as usize).copied().flatten());
        node.skin = node
            .skin
            .and_then(|s| skin_map.get(s as usize).copied().flatten());
    }
    retain(&mut scene.meshes, &meshes);
    retain(&mut scene.skins, &skins);
}

fn materials(scene: &mut Scene) {
    let mut keep = vec![false; scene.materials.len()];
    let variant =
        |v: &serde_json::Value| v.get("material").and_then(|m| m.as_u64()).map(|m| m as u32);
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        mark(&mut keep, p.material);
        p.variants.iter().for_each(|v| mark(&mut keep, variant(v)));
    }
    let map = renumber(&keep);
    let find = |old: u32| map.get(old as usize).copied().flatten();
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        p.material = p.material.and_then(find);
        for mapping in &mut p.variants {
            if let Some(new) = variant(mapping).and_then(find) {
                mapping["material"] = new.into();
            }
        }
    }
    retain(&mut scene.materials, &keep);
}

fn textures(scene: &mut Scene) {
    let mut keep = vec![false; scene.textures.len()];
    for material in &scene.materials {
        for (_, texture) in material.texture_uses() {
            mark(&mut keep, Some(texture));
        }
    }
    let map = renumber(&keep);
    for material in &mut scene.materials {
        material.retarget_textures(
            &mut |index| match map.get(*index as usize).copied().flatten() {
                Some(new) => {
                    *index = new;
                    true
                }
                None => false,
            },
        );
    }
    retain(&mut scene.textures, &keep);
    let mut images = vec![false; scene.images.len()];
    for texture in &scene.textures {
        mark(&mut images, Some(texture.image));
    }
    let map = renumber(&images);
    for texture in &mut scene.textures {
        texture.image = map
            .get(texture.image as usize)
            .copied()
            .flatten()
            .unwrap_or(0);
    }
    retain(&mut scene.images, &images);
}
