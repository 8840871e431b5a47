//! Reflectance beyond that of plain dielectrics (KHR_materials_specular, KHR_materials_ior), and the nearest material
//! without it, for formats and pictures that know metals only.

use super::{Material, TextureRef, TextureTransform};
use serde_json::Value;

/// Reflectance of a dielectric at normal incidence in core glTF.
const DIELECTRIC: f32 = 0.04;
/// What reflects more than this share of the light looks like a metal; gemstones stay below.
const MUCH: f32 = 0.2;

impl Material {
    /// Reflectance of the part that is no metal at normal incidence, linear RGB 0…1, without textures and without the
    /// strength of KHR_materials_specular.
    pub fn reflectance(&self) -> [f32; 3] {
        let ior = self.raw("KHR_materials_ior", "ior");
        let ior = ior.and_then(Value::as_f64).map_or(1.5, |v| v as f32);
        // An index of 0 stands for an infinite one: the specular colour alone says what is reflected.
        let straight = match ior {
            0.0 => 1.0,
            ior if ior.is_finite() => ((ior.max(1.0) - 1.0) / (ior.max(1.0) + 1.0)).powi(2),
            _ => DIELECTRIC,
        };
        let tone = self.raw("KHR_materials_specular", "specularColorFactor");
        [0, 1, 2].map(|k| {
            let factor = tone.and_then(|t| t.get(k)?.as_f64());
            let factor = factor.map_or(1.0, |v| v as f32);
            let factor = if factor.is_finite() {
                factor.max(0.0)
            } else {
                1.0
            };
            (straight * factor).min(1.0)
        })
    }

    /// The nearest material that core glTF holds: what reflects like a metal becomes one. Exact for a metal, which has
    /// no diffuse colour; `None` where nothing changes, or where a texture decides from pixel to pixel.
    pub fn as_metal(&self) -> Option<Material> {
        if !self.is_glossy() {
            return None;
        }
        let shine = self.shine();
        let most = shine.into_iter().fold(0.0, f32::max);
        let [r, g, b, alpha] = self.base_color;
        let texture = self
            .raw("KHR_materials_specular", "specularColorTexture")
            .and_then(TextureRef::of_raw);
        let (metallic, [r, g, b]) = match [r, g, b] == [0.0; 3] {
            true => (1.0, shine),
            false if texture.is_some() || self.base_color_texture.is_some() => return None,
            false => solved([r, g, b].map(|c| c * (1.0 - most)), shine, 1.0 - most),
        };
        let mut metal = Material {
            base_color: [r, g, b, alpha],
            base_color_texture: texture,
            metallic,
            ..self.clone()
        };
        for name in ["KHR_materials_specular", "KHR_materials_ior"] {
            metal.extensions.shift_remove(name);
        }
        Some(metal)
    }

    /// Whether it reflects more than core glTF lets anything but a metal reflect.
    pub fn is_glossy(&self) -> bool {
        self.metallic < 1.0 && self.shine().into_iter().any(|c| c > MUCH)
    }

    /// Reflectance, weakened by KHR_materials_specular.
    fn shine(&self) -> [f32; 3] {
        let strength = self.raw("KHR_materials_specular", "specularFactor");
        let strength = strength.and_then(Value::as_f64).map_or(1.0, |v| v as f32);
        self.reflectance().map(|c| c * strength.clamp(0.0, 1.0))
    }

    fn raw(&self, extension: &str, field: &str) -> Option<&Value> {
        self.extensions.get(extension)?.get(field)
    }
}

/// Metalness and base colour whose diffuse and specular parts come nearest to these; `left` is the share of light that
/// is not reflected.
fn solved(diffuse: [f32; 3], specular: [f32; 3], left: f32) -> (f32, [f32; 3]) {
    let bright =
        |c: [f32; 3]| (0.299 * c[0] * c[0] + 0.587 * c[1] * c[1] + 0.114 * c[2] * c[2]).sqrt();
    let (d, s) = (bright(diffuse), bright(specular));
    // specular = dielectric · (1 − m) + base · m, diffuse = base · (1 − dielectric) · (1 − m), for m and base.
    let a = DIELECTRIC;
    let b = d * left.max(1e-3) / (1.0 - DIELECTRIC) + s - 2.0 * DIELECTRIC;
    let c = DIELECTRIC - s;
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let metallic = ((root - b) / (2.0 * a)).clamp(0.0, 1.0);
    let base = [0, 1, 2].map(|k| {
        let dull = diffuse[k] / ((1.0 - DIELECTRIC) * (1.0 - metallic).max(1e-3));
        let shiny = (specular[k] - DIELECTRIC * (1.0 - metallic)) / metallic.max(1e-3);
        (dull + (shiny - dull) * metallic * metallic).clamp(0.0, 1.0)
    });
    (metallic, base)
}

impl TextureRef {
    /// A slot from a raw extension object, such as `clearcoatTexture`.
    pub fn of_raw(value: &Value) -> Option<TextureRef> {
        let number = |v: Option<&Value>| {
            v.and_then(Value::as_u64)
                .and_then(|n| u32::try_from(n).ok())
        };
        let pair = |v: Option<&Value>, otherwise: f32| {
            let at = |k: usize| v.and_then(|v| v.get(k)).and_then(Value::as_f64);
            [0, 1].map(|k| at(k).map_or(otherwise, |n| n as f32))
        };
        let moved = value.pointer("/extensions/KHR_texture_transform");
        Some(TextureRef {
            texture: number(value.get("index"))?,
            uv_set: number(value.get("texCoord")).unwrap_or(0),
            transform: moved.map(|t| TextureTransform {
                offset: pair(t.get("offset"), 0.0),
                rotation: t.get("rotation").and_then(Value::as_f64).unwrap_or(0.0) as f32,
                scale: pair(t.get("scale"), 1.0),
                uv_set: number(t.get("texCoord")),
            }),
        })
    }
}
