//! KHR_materials_pbrSpecularGlossiness, converted as KHR_materials_specular describes ("Conversions"): with an index of
//! refraction of 0 the specular colour is the reflectance at normal incidence, and diffuse light gets what is left.

use super::extensions::{self, Extension};
use super::json::{MaterialJson, SpecularJson, TextureInfo};
use crate::Result;
use crate::progress::{Ctx, Stage};
use crate::read::picture;
use crate::scene::{Image, Material, Problem, Scene, Severity, Texture, TextureRef, decode};
use image::{DynamicImage, Rgb, RgbImage};
use serde_json::json;
use std::collections::{HashMap, HashSet};

/// Pixels that are converted, in images of the largest size: few bytes may stand for many pixels.
const MOST_IMAGES: u64 = 16;

/// An image's colour, and its glossiness.
#[derive(Clone, Copy)]
struct Parts {
    color: u32,
    /// One value for the whole image; `None` if it varies.
    glossiness: Option<u8>,
}

/// Converts the materials of one file; images that several share are converted once.
pub struct Converter<'a> {
    ctx: &'a Ctx<'a>,
    pixels: u64,
    parts: HashMap<u32, Option<Parts>>,
    /// Image and factor in 255ths → image of the roughness.
    rough: HashMap<(u32, u8), Option<u32>>,
    /// Texture and image → the texture of that image with the sampler of the other.
    textures: HashMap<(u32, u32), u32>,
    /// Textures that may be needed no longer.
    sources: HashSet<u32>,
}

impl<'a> Converter<'a> {
    pub fn new(ctx: &'a Ctx<'a>) -> Converter<'a> {
        Converter {
            ctx,
            pixels: ctx.limits.image_pixels.saturating_mul(MOST_IMAGES),
            parts: HashMap::new(),
            rough: HashMap::new(),
            textures: HashMap::new(),
            sources: HashSet::new(),
        }
    }

    /// Replaces the metallic-roughness parameters, which are a fallback, by the extension's own, if `json` has it. `map`
    /// is the scene's index of a texture of the file.
    pub fn convert(
        &mut self,
        scene: &mut Scene,
        json: &MaterialJson,
        material: &mut Material,
        map: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<()> {
        let Some(raw) = json.extensions.get(Extension::SpecularGlossiness) else {
            return Ok(());
        };
        // Values of other types have been removed and told.
        let old: SpecularJson = serde_json::from_value(raw.clone()).unwrap_or_default();
        let slot = |info: &Option<TextureInfo>| {
            let slot = info.as_ref()?.slot();
            let texture = map(slot.texture)?;
            Some(TextureRef { texture, ..slot })
        };
        let [r, g, b, a] = component(&old.diffuse_factor);
        material.base_color = [r, g, b, a].map(|v| v as f32);
        material.base_color_texture = slot(&old.diffuse_texture);
        material.metallic = 0.0;
        material.metallic_roughness_texture = None;
        let glossiness = old.glossiness_factor.map_or(1.0, unit);
        material.roughness = (1.0 - glossiness) as f32;
        let mut specular = json!({});
        let [r, g, b, _] = component(&old.specular_factor);
        if [r, g, b] != [1.0; 3] {
            specular["specularColorFactor"] = json!([r, g, b]);
        }
        if let Some(slot) = slot(&old.specular_glossiness_texture) {
            match self.split(scene, &slot, glossiness, material)? {
                Some(texture) => {
                    let mut info = raw["specularGlossinessTexture"].clone();
                    extensions::strip(&mut info, &[Extension::TextureTransform]);
                    info["index"] = texture.into();
                    specular["specularColorTexture"] = info;
                }
                None => scene.note(Problem::new(
                    "unreadable-texture",
                    Severity::Warning,
                    format!("材质 {}", json.name),
                    "高光/光泽度贴图无法解码或总量过大，该贴图未保留",
                    "请把贴图另存为较小的 PNG，或改用金属度/粗糙度材质后重新导出",
                )),
            }
        }
        let name = |extension: Extension| extension.name().to_owned();
        let extensions = &mut material.extensions;
        extensions.insert(name(Extension::Specular), specular);
        extensions.insert(name(Extension::Ior), json!({"ior": 0}));
        Ok(())
    }

    /// Sets the roughness and returns the texture of the colour; `None` if the image cannot be converted.
    fn split(
        &mut self,
        scene: &mut Scene,
        slot: &TextureRef,
        factor: f64,
        material: &mut Material,
    ) -> Result<Option<u32>> {
        let Some(image) = scene.textures.get(slot.texture as usize).map(|t| t.image) else {
            return Ok(None);
        };
        let Some(parts) = self.parts(scene, image)? else {
            return Ok(None);
        };
        match parts.glossiness {
            Some(value) => material.roughness = (1.0 - factor * f64::from(value) / 255.0) as f32,
            None if factor == 0.0 => {}
            None => {
                let Some(rough) = self.rough(scene, image, factor)? else {
                    return Ok(None);
                };
                material.roughness = 1.0;
                material.metallic_roughness_texture = Some(TextureRef {
                    texture: self.texture(scene, slot.texture, rough),
                    ..*slot
                });
            }
        }
        Ok(Some(self.texture(scene, slot.texture, parts.color)))
    }

    fn texture(&mut self, scene: &mut Scene, like: u32, image: u32) -> u32 {
        self.sources.insert(like);
        let Some(source) = scene.textures.get(like as usize).cloned() else {
            return like;
        };
        if source.image == image {
            return like;
        }
        *self.textures.entry((like, image)).or_insert_with(|| {
            scene.textures.push(Texture { image, ..source });
            scene.textures.len() as u32 - 1
        })
    }

    /// The colours as an image without alpha: encoders may give up the colour of what is transparent to them.
    fn parts(&mut self, scene: &mut Scene, image: u32) -> Result<Option<Parts>> {
        if let Some(known) = self.parts.get(&image) {
            return Ok(*known);
        }
        let opaque = scene.images.get(image as usize).map(|i| i.mime) == Some("image/jpeg");
        let own = Parts {
            color: image,
            glossiness: Some(255),
        };
        let parts = match (opaque, self.decoded(scene, image)?) {
            (true, _) => Some(own),
            (false, None) => None,
            (false, Some(pixels)) if !pixels.color().has_alpha() => Some(own),
            (false, Some(pixels)) => {
                let rgba = pixels.to_rgba8();
                let first = rgba.pixels().next().map_or(255, |p| p.0[3]);
                let even = rgba.pixels().all(|p| p.0[3] == first);
                let color = DynamicImage::ImageRgb8(pixels.into_rgb8());
                let color = push(scene, image, "specular", &color)?;
                Some(Parts {
                    color,
                    glossiness: even.then_some(first),
                })
            }
        };
        self.parts.insert(image, parts);
        Ok(parts)
    }

    /// Roughness in green, as glTF has it: 1 − glossiness.
    fn rough(&mut self, scene: &mut Scene, image: u32, factor: f64) -> Result<Option<u32>> {
        let key = (image, (factor * 255.0).round() as u8);
        if let Some(known) = self.rough.get(&key) {
            return Ok(*known);
        }
        let made = match self.decoded(scene, image)? {
            None => None,
            Some(pixels) => {
                let rgba = pixels.into_rgba8();
                let factor = f64::from(key.1) / 255.0;
                let green = |a: u8| (255.0 - factor * f64::from(a)).round() as u8;
                let (width, height) = rgba.dimensions();
                let rough = RgbImage::from_fn(width, height, |x, y| {
                    Rgb([255, green(rgba.get_pixel(x, y).0[3]), 0])
                });
                let rough = DynamicImage::ImageRgb8(rough);
                Some(push(scene, image, "roughness", &rough)?)
            }
        };
        self.rough.insert(key, made);
        Ok(made)
    }

    /// The pixels of an image, if there is room for another one.
    fn decoded(&mut self, scene: &Scene, image: u32) -> Result<Option<DynamicImage>> {
        self.ctx.report(Stage::Read, 0.9, "正在转换材质")?;
        let Some(source) = scene.images.get(image as usize) else {
            return Ok(None);
        };
        let pixels = u64::from(source.width) * u64::from(source.height);
        if pixels > self.pixels || scene.images.len() >= self.ctx.limits.images {
            return Ok(None);
        }
        self.pixels -= pixels;
        Ok(decode(&source.bytes, &self.ctx.limits).ok())
    }

    /// Drops textures and images that only served as input.
    pub fn finish(self, scene: &mut Scene) {
        let materials = scene.materials.iter();
        let used: HashSet<u32> = materials
            .flat_map(|m| m.texture_uses().into_iter().map(|(_, t)| t))
            .collect();
        let drop = |texture: &u32| self.sources.contains(texture) && !used.contains(texture);
        let textures = std::mem::take(&mut scene.textures);
        let (gone, kept): (Vec<_>, Vec<_>) = (0u32..).zip(textures).partition(|(i, _)| drop(i));
        if gone.is_empty() {
            scene.textures = kept.into_iter().map(|(_, texture)| texture).collect();
            return;
        }
        let moved: HashMap<u32, u32> = kept.iter().map(|(old, _)| *old).zip(0..).collect();
        scene.textures = kept.into_iter().map(|(_, texture)| texture).collect();
        for material in &mut scene.materials {
            material.retarget_textures(&mut |index| match moved.get(index) {
                Some(new) => {
                    *index = *new;
                    true
                }
                None => false,
            });
        }
        let shown: HashSet<u32> = scene.textures.iter().map(|t| t.image).collect();
        let idle: HashSet<u32> = gone.iter().map(|(_, texture)| texture.image).collect();
        let images = (0u32..).zip(std::mem::take(&mut scene.images));
        let images = images.filter(|(i, _)| shown.contains(i) || !idle.contains(i));
        let (numbers, images): (Vec<u32>, Vec<Image>) = images.unzip();
        let moved: HashMap<u32, u32> = numbers.into_iter().zip(0..).collect();
        scene.images = images;
        for texture in &mut scene.textures {
            texture.image = moved.get(&texture.image).copied().unwrap_or(texture.image);
        }
    }
}

/// Adds a picture made from `source`; returns its index.
fn push(scene: &mut Scene, source: u32, what: &str, pixels: &DynamicImage) -> Result<u32> {
    let name = scene.images.get(source as usize).map(|i| i.name.as_str());
    let name = name.unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let name = match stem.is_empty() {
        true => format!("{what}.png"),
        false => format!("{stem}-{what}.png"),
    };
    scene.images.push(picture::encode(&name, pixels)?);
    Ok(scene.images.len() as u32 - 1)
}

/// 0…1; what is no number counts as the default, 1.
fn unit(value: f64) -> f64 {
    match value.is_finite() {
        true => value.clamp(0.0, 1.0),
        false => 1.0,
    }
}

/// Up to four components; 1 where there is none.
fn component(values: &[f64]) -> [f64; 4] {
    [0, 1, 2, 3].map(|k| values.get(k).copied().map_or(1.0, unit))
}
