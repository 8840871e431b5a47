//! PBR metallic-roughness materials.

use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

impl AlphaMode {
    pub fn gltf_name(self) -> &'static str {
        match self {
            AlphaMode::Opaque => "OPAQUE",
            AlphaMode::Mask => "MASK",
            AlphaMode::Blend => "BLEND",
        }
    }
}

/// A material's reference to a texture.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TextureRef {
    /// Index into `Scene::textures`.
    pub texture: u32,
    pub uv_set: u32,
    pub transform: Option<TextureTransform>,
}

/// KHR_texture_transform.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureTransform {
    pub offset: [f32; 2],
    /// Radians, counter-clockwise.
    pub rotation: f32,
    pub scale: [f32; 2],
    pub uv_set: Option<u32>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        TextureTransform {
            offset: [0.0; 2],
            rotation: 0.0,
            scale: [1.0; 2],
            uv_set: None,
        }
    }
}

/// Name of the material that readers make for a file that has none.
pub const MADE_UP: &str = "默认材质";

/// Colours are linear. Extension materials (clearcoat, sheen, …) stay raw JSON whose texture indices refer to
/// `Scene::textures`.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    pub name: String,
    pub base_color: [f32; 4],
    pub base_color_texture: Option<TextureRef>,
    pub metallic: f32,
    pub roughness: f32,
    pub metallic_roughness_texture: Option<TextureRef>,
    pub normal_texture: Option<TextureRef>,
    pub normal_scale: f32,
    pub occlusion_texture: Option<TextureRef>,
    pub occlusion_strength: f32,
    pub emissive: [f32; 3],
    pub emissive_texture: Option<TextureRef>,
    pub alpha_mode: AlphaMode,
    pub alpha_cutoff: f32,
    pub double_sided: bool,
    pub extensions: Map<String, Value>,
    pub extras: Option<Value>,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            alpha_cutoff: 0.5,
            double_sided: false,
            extensions: Map::new(),
            extras: None,
        }
    }
}

impl Material {
    /// A dielectric of one colour, for formats without PBR.
    pub fn plain(name: impl Into<String>, base_color: [f32; 4]) -> Material {
        Material {
            name: name.into(),
            base_color,
            metallic: 0.0,
            roughness: 0.9,
            ..Material::default()
        }
    }

    /// The opacity that is shown of a vertex of this opacity, without textures (glTF 2.0, 3.9.4): alpha counts only where
    /// the mode says so, and a mask shows a surface or not.
    pub fn shown_alpha(&self, vertex: f32) -> f32 {
        let alpha = self.base_color[3] * vertex;
        match self.alpha_mode {
            AlphaMode::Opaque => 1.0,
            AlphaMode::Mask if alpha >= self.alpha_cutoff => 1.0,
            AlphaMode::Mask => 0.0,
            AlphaMode::Blend => alpha.clamp(0.0, 1.0),
        }
    }

    /// Whether a reader made it for a file that has none.
    pub fn is_made_up(&self) -> bool {
        self.name == MADE_UP && self.base_color_texture.is_none()
    }

    /// Whether it is a colour and nothing else, or what glTF has where nothing is stated.
    pub fn is_colour(&self) -> bool {
        let plain = self.metallic == 0.0 || (self.metallic, self.roughness) == (1.0, 1.0);
        plain
            && self.emissive == [0.0; 3]
            && self.extensions.is_empty()
            && self.slots().iter().all(|(_, slot)| slot.is_none())
    }

    /// Core texture slots with the names used in reports.
    pub fn slots(&self) -> [(&'static str, Option<TextureRef>); 5] {
        [
            ("baseColor", self.base_color_texture),
            ("metallicRoughness", self.metallic_roughness_texture),
            ("normal", self.normal_texture),
            ("occlusion", self.occlusion_texture),
            ("emissive", self.emissive_texture),
        ]
    }

    /// The same to change, in the same order.
    pub fn slots_mut(&mut self) -> [&mut Option<TextureRef>; 5] {
        [
            &mut self.base_color_texture,
            &mut self.metallic_roughness_texture,
            &mut self.normal_texture,
            &mut self.occlusion_texture,
            &mut self.emissive_texture,
        ]
    }

    /// All textures with their use, extension materials included
    /// (`clearcoatTexture` → `clearcoat`).
    pub fn texture_uses(&self) -> Vec<(String, u32)> {
        let mut uses = Vec::new();
        for (name, slot) in self.slots() {
            if let Some(slot) = slot {
                uses.push((name.to_owned(), slot.texture));
            }
        }
        for value in self.extensions.values() {
            let mut value = value.clone();
            each_texture_index(&mut value, &mut |name, index| {
                uses.push((name.trim_end_matches("Texture").to_owned(), *index));
                true
            });
        }
        uses
    }

    /// Lets `change` rewrite every texture index; slots for which it returns `false` are removed.
    pub fn retarget_textures(&mut self, change: &mut dyn FnMut(&mut u32) -> bool) {
        for slot in self.slots_mut() {
            let keep = match slot {
                Some(used) => change(&mut used.texture),
                None => true,
            };
            if !keep {
                *slot = None;
            }
        }
        for value in self.extensions.values_mut() {
            each_texture_index(value, &mut |_, index| change(index));
        }
    }
}

/// Visits every `"…Texture": {"index": n}` below `value`; the visitor may change the index, and returns whether the
/// texture stays.
pub fn each_texture_index(value: &mut Value, visit: &mut dyn FnMut(&str, &mut u32) -> bool) {
    each_at_depth(value, visit, 0);
}

fn each_at_depth(value: &mut Value, visit: &mut dyn FnMut(&str, &mut u32) -> bool, depth: u32) {
    // Extension objects are two or three levels deep; deeper ones are not materials.
    if depth > 8 {
        return;
    }
    match value {
        Value::Array(items) => {
            for item in items {
                each_at_depth(item, visit, depth + 1);
            }
        }
        Value::Object(fields) => {
            let mut gone = Vec::new();
            for (name, field) in fields.iter_mut() {
                if name.ends_with("Texture") && field.is_object() {
                    let index = field.get("index").and_then(Value::as_u64);
                    let keep = match index.and_then(|i| u32::try_from(i).ok()) {
                        Some(mut index) => {
                            let keep = visit(name, &mut index);
                            field["index"] = index.into();
                            keep
                        }
                        None => false,
                    };
                    if !keep {
                        gone.push(name.clone());
                    }
                } else {
                    each_at_depth(field, visit, depth + 1);
                }
            }
            for name in gone {
                fields.remove(&name);
            }
        }
        _ => {}
    }
}
