//! Materials, textures, samplers and images as JSON.

use super::builder::{Builder, floats, shortened, single};
use super::quantize::Screen;
use crate::scene::{Material, Sampler, Scene, TextureRef, raw_uv_set, uv_set_of};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Materials as written. A primitive with fewer UV sets than its material's textures need gets a copy without those
/// textures, since the file would be invalid otherwise.
pub struct Materials<'a> {
    source: &'a [Material],
    screen: Option<Screen>,
    pub json: Vec<Value>,
    stripped: HashMap<(u32, usize), u32>,
}

impl<'a> Materials<'a> {
    pub fn new(b: &mut Builder, scene: &'a Scene) -> Materials<'a> {
        let json = scene.materials.iter().map(|m| material(b, m)).collect();
        Materials {
            source: &scene.materials,
            screen: b.screen,
            json,
            stripped: HashMap::new(),
        }
    }

    /// Index of the material for a primitive with `uv_sets` sets.
    pub fn index(&mut self, index: u32, uv_sets: usize) -> u32 {
        let Some(source) = self.source.get(index as usize) else {
            return index;
        };
        if source.uv_sets() <= uv_sets {
            return index;
        }
        if let Some(&found) = self.stripped.get(&(index, uv_sets)) {
            return found;
        }
        let mut copy = source.clone();
        strip(&mut copy, uv_sets);
        // The extensions were registered when the full material was written.
        let mut other = Builder::new(false);
        other.screen = self.screen;
        self.json.push(material(&mut other, &copy));
        let new = self.json.len() as u32 - 1;
        self.stripped.insert((index, uv_sets), new);
        new
    }
}

fn strip(material: &mut Material, uv_sets: usize) {
    let slots = [
        &mut material.base_color_texture,
        &mut material.metallic_roughness_texture,
        &mut material.normal_texture,
        &mut material.occlusion_texture,
        &mut material.emissive_texture,
    ];
    for slot in slots {
        *slot = slot.filter(|s| uv_set_of(s) < uv_sets);
    }
    for value in material.extensions.values_mut() {
        strip_raw(value, uv_sets, 0);
    }
}

fn strip_raw(value: &mut Value, uv_sets: usize, depth: u32) {
    let Value::Object(fields) = value else { return };
    if depth > 8 {
        return;
    }
    fields.retain(|name, field| !(name.ends_with("Texture") && raw_uv_set(field) >= uv_sets));
    for field in fields.values_mut() {
        strip_raw(field, uv_sets, depth + 1);
    }
}

fn material(b: &mut Builder, m: &Material) -> Value {
    let mut pbr = Map::new();
    if m.base_color != [1.0; 4] {
        pbr.insert("baseColorFactor".into(), floats(&m.base_color));
    }
    if let Some(slot) = &m.base_color_texture {
        pbr.insert("baseColorTexture".into(), texture_info(b, slot));
    }
    if m.metallic != 1.0 {
        pbr.insert("metallicFactor".into(), single(m.metallic));
    }
    if m.roughness != 1.0 {
        pbr.insert("roughnessFactor".into(), single(m.roughness));
    }
    if let Some(slot) = &m.metallic_roughness_texture {
        pbr.insert("metallicRoughnessTexture".into(), texture_info(b, slot));
    }
    let mut out = Map::new();
    if !m.name.is_empty() {
        out.insert("name".into(), m.name.clone().into());
    }
    if !pbr.is_empty() {
        out.insert("pbrMetallicRoughness".into(), Value::Object(pbr));
    }
    if let Some(slot) = &m.normal_texture {
        let mut info = texture_info(b, slot);
        if m.normal_scale != 1.0 && m.normal_scale.is_finite() {
            info["scale"] = single(m.normal_scale);
        }
        out.insert("normalTexture".into(), info);
    }
    if let Some(slot) = &m.occlusion_texture {
        let mut info = texture_info(b, slot);
        if m.occlusion_strength != 1.0 {
            info["strength"] = single(m.occlusion_strength);
        }
        out.insert("occlusionTexture".into(), info);
    }
    if let Some(slot) = &m.emissive_texture {
        out.insert("emissiveTexture".into(), texture_info(b, slot));
    }
    if m.emissive != [0.0; 3] {
        out.insert("emissiveFactor".into(), floats(&m.emissive));
    }
    if m.alpha_mode != crate::scene::AlphaMode::Opaque {
        out.insert("alphaMode".into(), m.alpha_mode.gltf_name().into());
    }
    if m.alpha_mode == crate::scene::AlphaMode::Mask && m.alpha_cutoff != 0.5 {
        out.insert("alphaCutoff".into(), single(m.alpha_cutoff));
    }
    if m.double_sided {
        out.insert("doubleSided".into(), true.into());
    }
    if !m.extensions.is_empty() {
        for (name, value) in &m.extensions {
            b.extension(name, false);
            if value.to_string().contains("\"KHR_texture_transform\"") {
                b.extension("KHR_texture_transform", false);
            }
        }
        let mut extensions = Value::Object(m.extensions.clone());
        if b.screen.is_some() {
            extensions = shortened(&extensions);
        }
        out.insert("extensions".into(), extensions);
    }
    if let Some(extras) = &m.extras {
        out.insert("extras".into(), extras.clone());
    }
    Value::Object(out)
}

fn texture_info(b: &mut Builder, slot: &TextureRef) -> Value {
    let mut info = json!({"index": slot.texture});
    if slot.uv_set != 0 {
        info["texCoord"] = slot.uv_set.into();
    }
    if let Some(t) = slot.transform {
        let mut transform = json!({"offset": floats(&t.offset), "scale": floats(&t.scale)});
        if t.rotation != 0.0 {
            transform["rotation"] = single(t.rotation);
        }
        if let Some(set) = t.uv_set {
            transform["texCoord"] = set.into();
        }
        b.extension("KHR_texture_transform", false);
        info["extensions"] = json!({"KHR_texture_transform": transform});
    }
    info
}

/// `(textures, samplers, images)`.
pub fn textures(b: &mut Builder, scene: &Scene) -> (Vec<Value>, Vec<Value>, Vec<Value>) {
    let mut images = Vec::with_capacity(scene.images.len());
    for image in &scene.images {
        let mut json = json!({"mimeType": image.mime});
        if !b.images_apart {
            json["bufferView"] = b.raw_view(&image.bytes).into();
        }
        if !image.name.is_empty() {
            json["name"] = image.name.clone().into();
        }
        if let Some(extras) = &image.extras {
            json["extras"] = extras.clone();
        }
        images.push(json);
    }
    let mut samplers = Vec::new();
    let mut known: HashMap<Sampler, usize> = HashMap::new();
    let mut textures = Vec::with_capacity(scene.textures.len());
    for texture in &scene.textures {
        let mut json = json!({});
        if !texture.name.is_empty() {
            json["name"] = texture.name.clone().into();
        }
        if texture.sampler != Sampler::default() {
            let index = *known.entry(texture.sampler).or_insert_with(|| {
                samplers.push(sampler(&texture.sampler));
                samplers.len() - 1
            });
            json["sampler"] = index.into();
        }
        match scene.images.get(texture.image as usize) {
            Some(image) if image.mime == "image/webp" => {
                b.extension("EXT_texture_webp", true);
                json["extensions"] = json!({"EXT_texture_webp": {"source": texture.image}});
            }
            Some(image) if image.mime == "image/ktx2" => {
                b.extension("KHR_texture_basisu", true);
                json["extensions"] = json!({"KHR_texture_basisu": {"source": texture.image}});
            }
            _ => json["source"] = texture.image.into(),
        }
        if let Some(extras) = &texture.extras {
            json["extras"] = extras.clone();
        }
        textures.push(json);
    }
    (textures, samplers, images)
}

fn sampler(s: &Sampler) -> Value {
    let mut json = json!({});
    let repeat = Sampler::default().wrap_s;
    for (name, wrap) in [("wrapS", s.wrap_s), ("wrapT", s.wrap_t)] {
        if wrap != repeat {
            json[name] = wrap.into();
        }
    }
    if let Some(filter) = s.mag_filter {
        json["magFilter"] = filter.into();
    }
    if let Some(filter) = s.min_filter {
        json["minFilter"] = filter.into();
    }
    json
}
