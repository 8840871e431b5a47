//! Materials in the form the shader needs.

use super::geometry::{Geometry, Piece};
use super::texture::{Pictures, Slot};
use super::vector::V3;
use crate::Result;
use crate::progress::Ctx;
use crate::scene::{AlphaMode, Material, Mode, Scene, TextureRef};
use serde_json::Value;

/// A factor and the texture that scales it.
#[derive(Clone, Default)]
pub struct Factor {
    pub value: f32,
    pub texture: Option<Slot>,
}

/// glTF's metallic-roughness material with the extensions that affect appearance.
#[derive(Clone)]
pub struct Look {
    pub color: [f32; 4],
    pub color_texture: Option<Slot>,
    pub metallic: f32,
    pub roughness: f32,
    pub metal_texture: Option<Slot>,
    pub normal_texture: Option<Slot>,
    pub normal_scale: f32,
    pub occlusion_texture: Option<Slot>,
    pub occlusion: f32,
    /// Radiance, KHR_materials_emissive_strength included.
    pub glow: V3,
    pub glow_texture: Option<Slot>,
    pub alpha: AlphaMode,
    pub cutoff: f32,
    pub unlit: bool,
    /// Reflectance of a dielectric at normal incidence, by colour, and its share at all angles (in alpha).
    pub reflectance: V3,
    pub reflectance_texture: Option<Slot>,
    pub specular: f32,
    pub specular_texture: Option<Slot>,
    pub coat: Factor,
    pub coat_roughness: Factor,
    pub transmission: Factor,
    /// Transmission of the volume.
    pub tint: V3,
    pub sheen: V3,
    pub sheen_texture: Option<Slot>,
    pub sheen_roughness: f32,
    /// The background may show through.
    pub clear: bool,
}

/// Material of a model without materials.
const PLAIN: [f32; 4] = [0.62, 0.63, 0.65, 1.0];

impl Look {
    /// Unpainted: for CAD and scan formats without materials.
    pub fn plain() -> Look {
        let pictures = None;
        Look::of(
            &Scene::default(),
            &Material {
                metallic: 0.0,
                roughness: 0.5,
                ..Material::plain("", PLAIN)
            },
            pictures,
        )
    }

    fn of(scene: &Scene, m: &Material, pictures: Option<&Pictures>) -> Look {
        let load = |slot: Option<TextureRef>, srgb: bool| {
            pictures.and_then(|p| p.slot(scene, &slot?, srgb))
        };
        let raw = Extension {
            material: m,
            load: &load,
        };
        let strength = raw.number("emissive_strength", "emissiveStrength", 1.0);
        let specular = raw
            .number("specular", "specularFactor", 1.0)
            .clamp(0.0, 1.0);
        let transmission = raw.factor("transmission", "transmission");
        let color_texture = load(m.base_color_texture, true);
        let holes = color_texture.as_ref().is_some_and(Slot::has_holes);
        let blends = m.alpha_mode == AlphaMode::Blend && (m.base_color[3] < 0.999 || holes);
        Look {
            color: m.base_color,
            metallic: m.metallic,
            roughness: m.roughness,
            metal_texture: load(m.metallic_roughness_texture, false),
            normal_texture: load(m.normal_texture, false),
            normal_scale: m.normal_scale,
            occlusion_texture: load(m.occlusion_texture, false),
            occlusion: m.occlusion_strength,
            glow: m.emissive.map(|v| v * strength.clamp(0.0, 1e4)),
            glow_texture: load(m.emissive_texture, true),
            alpha: m.alpha_mode,
            cutoff: m.alpha_cutoff,
            unlit: m.extensions.contains_key("KHR_materials_unlit"),
            reflectance: m.reflectance(),
            reflectance_texture: raw.texture("specular", "specularColorTexture", true),
            specular,
            specular_texture: raw.texture("specular", "specularTexture", false),
            coat: raw.factor("clearcoat", "clearcoat"),
            coat_roughness: raw.factor("clearcoat", "clearcoatRoughness"),
            clear: blends || transmission.value > 0.0,
            transmission,
            tint: raw.tint(),
            sheen: raw.color("sheen", "sheenColorFactor", [0.0; 3]),
            sheen_texture: raw.texture("sheen", "sheenColorTexture", true),
            sheen_roughness: raw.number("sheen", "sheenRoughnessFactor", 0.0),
            color_texture,
        }
    }
}

/// Reads the raw objects of material extensions.
struct Extension<'a> {
    material: &'a Material,
    load: &'a dyn Fn(Option<TextureRef>, bool) -> Option<Slot>,
}

impl Extension<'_> {
    fn field(&self, extension: &str, name: &str) -> Option<&Value> {
        let name_of = format!("KHR_materials_{extension}");
        self.material.extensions.get(&name_of)?.get(name)
    }

    fn number(&self, extension: &str, name: &str, otherwise: f32) -> f32 {
        let value = self.field(extension, name).and_then(Value::as_f64);
        let value = value.map_or(otherwise, |v| v as f32);
        if value.is_finite() { value } else { otherwise }
    }

    fn color(&self, extension: &str, name: &str, otherwise: V3) -> V3 {
        let Some(list) = self.field(extension, name).and_then(Value::as_array) else {
            return otherwise;
        };
        let at = |k: usize| list.get(k).and_then(Value::as_f64).map(|v| v as f32);
        [0, 1, 2].map(|k| {
            at(k)
                .filter(|v| v.is_finite())
                .unwrap_or(otherwise[k])
                .max(0.0)
        })
    }

    fn texture(&self, extension: &str, name: &str, srgb: bool) -> Option<Slot> {
        (self.load)(TextureRef::of_raw(self.field(extension, name)?), srgb)
    }

    fn factor(&self, extension: &str, name: &str) -> Factor {
        Factor {
            value: self
                .number(extension, &format!("{name}Factor"), 0.0)
                .clamp(0.0, 1.0),
            texture: self.texture(extension, &format!("{name}Texture"), false),
        }
    }

    /// KHR_materials_volume: attenuation over the thickness.
    fn tint(&self) -> V3 {
        let color = self.color("volume", "attenuationColor", [1.0; 3]);
        let distance = self.number("volume", "attenuationDistance", 0.0);
        let thickness = self.number("volume", "thicknessFactor", 0.0);
        if distance <= 0.0 || thickness <= 0.0 {
            return [1.0; 3];
        }
        let power = (thickness / distance).min(16.0);
        color.map(|c| c.clamp(0.0, 1.0).powf(power))
    }
}

/// A look for each piece, and the tangents its normal map needs.
pub fn looks(scene: &Scene, geometry: &mut Geometry, side: u32, ctx: &Ctx) -> Result<Vec<Look>> {
    let used = |m: usize| geometry.pieces.iter().any(|p| p.material == Some(m));
    let mut textures = Vec::new();
    for (index, material) in scene.materials.iter().enumerate() {
        if used(index) {
            textures.extend(material.texture_uses().into_iter().map(|(_, t)| t));
        }
    }
    let pictures = Pictures::load(scene, &textures, side, ctx)?;
    let all: Vec<Look> = scene
        .materials
        .iter()
        .map(|m| Look::of(scene, m, Some(&pictures)))
        .collect();
    let mut out = Vec::with_capacity(geometry.pieces.len());
    for piece in &mut geometry.pieces {
        let look = piece.material.and_then(|m| all.get(m)).cloned();
        let look = fitted(look.unwrap_or_else(Look::plain), piece);
        if let Some(texture) = &look.normal_texture {
            piece.make_tangents(texture.set);
        }
        out.push(look);
    }
    Ok(out)
}

/// Adapts the material's look to the geometry.
fn fitted(mut look: Look, piece: &Piece) -> Look {
    let faint = |c: &[f32; 4]| c[3] < 0.999;
    if look.alpha == AlphaMode::Blend && piece.colors.iter().any(faint) {
        look.clear = true;
    }
    if piece.material.is_none() && !piece.colors.is_empty() {
        look.color = [1.0; 4];
    }
    // Lines have no side, and points mostly none: their colour is used unlit.
    if piece.mode != Mode::Triangles && piece.normals.is_empty() {
        look.unlit = true;
    }
    look
}
