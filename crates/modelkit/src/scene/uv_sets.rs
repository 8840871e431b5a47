//! Which sets of texture coordinates a material uses.

use super::{Material, TextureRef};
use serde_json::Value;

/// The highest set a slot refers to.
pub fn uv_set_of(slot: &TextureRef) -> usize {
    let moved = slot.transform.and_then(|t| t.uv_set).unwrap_or(0);
    slot.uv_set.max(moved) as usize
}

/// The highest set a raw `{"index": …, "texCoord": …}` refers to.
pub fn raw_uv_set(info: &Value) -> usize {
    let own = info.get("texCoord").and_then(Value::as_u64).unwrap_or(0) as usize;
    let moved = info
        .pointer("/extensions/KHR_texture_transform/texCoord")
        .and_then(Value::as_u64);
    moved.map_or(own, |m| own.max(m as usize))
}

impl Material {
    /// Number of sets a primitive must have for all textures of this material.
    pub fn uv_sets(&self) -> usize {
        let core = self
            .slots()
            .iter()
            .filter_map(|(_, slot)| slot.as_ref().map(|s| uv_set_of(s) + 1))
            .max();
        let raw = self.extensions.values().map(|v| raw_sets(v, 0)).max();
        core.unwrap_or(0).max(raw.unwrap_or(0))
    }
}

/// Number of sets that the textures inside a raw extension object need.
fn raw_sets(value: &Value, depth: u32) -> usize {
    let Value::Object(fields) = value else {
        return 0;
    };
    if depth > 8 {
        return 0;
    }
    let mut most = 0;
    for (name, field) in fields {
        if name.ends_with("Texture") && field.get("index").is_some() {
            most = most.max(raw_uv_set(field) + 1);
        } else {
            most = most.max(raw_sets(field, depth + 1));
        }
    }
    most
}
