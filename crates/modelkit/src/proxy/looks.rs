//! Materials as a stand-in has them: a colour or a small colour texture, a glow, and the mean of everything else.

use crate::progress::Ctx;
use crate::render::texture::{Pictures, Slot};
use crate::scene::{AlphaMode, Image, Material, Sampler, Scene, TextureRef};
use crate::{Error, Result};
use codecs::Quality;
use image::RgbaImage;
use rayon::prelude::*;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

const WEBP: Quality = Quality::Lossy(72.0);
const EFFORT: u8 = 4;
/// Bytes of a pixel of WebP at least: an image that is far too large is not even encoded.
const LEAST_BYTES_A_PIXEL: f64 = 0.02;
/// Opacity of glass, whose refraction a stand-in leaves out.
const GLASS: f32 = 0.35;

/// The materials of a scene with what is known of their textures.
pub struct Palette {
    looks: Vec<Look>,
    /// Of triangles without a material.
    plain: Look,
    pictures: Pictures,
}

/// A material reduced to what shows from afar.
struct Look {
    /// Without textures.
    material: Material,
    color: Option<Painted>,
    glow: Option<Painted>,
}

/// A texture with the image and the sampler it uses.
struct Painted {
    slot: Slot,
    image: u32,
    sampler: Sampler,
}

impl Palette {
    /// Looks at every texture at a side of at most `side` pixels.
    pub fn of(scene: &Scene, side: u32, ctx: &Ctx) -> Result<Palette> {
        let materials = scene.materials.iter();
        let materials: Vec<Cow<Material>> = materials
            .map(|m| m.as_metal().map_or(Cow::Borrowed(m), Cow::Owned))
            .collect();
        let used: Vec<u32> = materials
            .iter()
            .flat_map(|m| {
                let slots = [
                    m.base_color_texture,
                    m.emissive_texture,
                    m.metallic_roughness_texture,
                ];
                slots.into_iter().flatten().map(|slot| slot.texture)
            })
            .collect();
        let pictures = Pictures::load(scene, &used, side, ctx)?;
        let looks = materials.iter().map(|m| Look::of(scene, m, &pictures));
        Ok(Palette {
            looks: looks.collect(),
            plain: Look::of(scene, &Material::plain("", [0.8, 0.8, 0.8, 1.0]), &pictures),
            pictures,
        })
    }

    /// The materials with textures of at most `side` pixels, 0 for none; `None` if the textures take more than `room`.
    pub fn shades(&self, side: u32, room: u64) -> Result<Option<Shades<'_>>> {
        let mut images = HashMap::new();
        if side > 0 {
            let wanted = self.wanted();
            let small = |image: &u32| Some((*image, self.pictures.picture(*image, side)?));
            let found: Vec<(u32, &RgbaImage)> = wanted.iter().filter_map(small).collect();
            let pixels: f64 = found.iter().map(|(_, p)| p.len() as f64 / 4.0).sum();
            if pixels * LEAST_BYTES_A_PIXEL > room as f64 {
                return Ok(None);
            }
            let encode = |(image, picture): &(u32, &RgbaImage)| -> Result<(u32, Image)> {
                Ok((*image, webp(picture)?))
            };
            images = found.par_iter().map(encode).collect::<Result<_>>()?;
            if images
                .values()
                .map(|i: &Image| i.bytes.len() as u64)
                .sum::<u64>()
                > room
            {
                return Ok(None);
            }
        }
        Ok(Some(Shades {
            palette: self,
            images,
        }))
    }

    /// The images that a stand-in shows.
    fn wanted(&self) -> Vec<u32> {
        let painted = self
            .looks
            .iter()
            .flat_map(|l| l.color.iter().chain(&l.glow));
        let mut images: Vec<u32> = painted.map(|p| p.image).collect();
        images.sort_unstable();
        images.dedup();
        images
    }
}

fn webp(picture: &RgbaImage) -> Result<Image> {
    let (width, height) = picture.dimensions();
    let bytes = codecs::encode_webp(picture.as_raw(), width, height, WEBP, EFFORT)
        .map_err(|e| Error::Internal(format!("webp encoding: {e}")))?;
    Ok(Image {
        name: String::new(),
        mime: "image/webp",
        bytes: Arc::from(bytes),
        width,
        height,
        was_cmyk: false,
        extras: None,
    })
}

impl Look {
    fn of(scene: &Scene, m: &Material, pictures: &Pictures) -> Look {
        let painted = |slot: Option<TextureRef>| {
            let slot = slot?;
            let texture = scene.textures.get(slot.texture as usize)?;
            Some(Painted {
                slot: pictures.slot(scene, &slot, true)?,
                image: texture.image,
                sampler: texture.sampler,
            })
        };
        let metal = m.metallic_roughness_texture;
        let mean = metal.and_then(|slot| Some(pictures.slot(scene, &slot, false)?.mean()));
        let [_, rough, metallic, _] = mean.unwrap_or([1.0; 4]);
        let mut material = Material {
            base_color: m.base_color.map(|c| c.clamp(0.0, 1.0)),
            metallic: m.metallic * metallic,
            roughness: m.roughness * rough,
            emissive: m.emissive.map(|c| c.clamp(0.0, 1.0)),
            alpha_mode: m.alpha_mode,
            alpha_cutoff: m.alpha_cutoff,
            double_sided: m.double_sided,
            ..Material::default()
        };
        let unlit = "KHR_materials_unlit";
        if let Some(value) = m.extensions.get(unlit) {
            material.extensions.insert(unlit.into(), value.clone());
        }
        let glass = m.extensions.get("KHR_materials_transmission");
        let through = glass.and_then(|g| g.get("transmissionFactor")?.as_f64());
        if through.is_some_and(|t| t > 0.5) && material.alpha_mode != AlphaMode::Mask {
            material.alpha_mode = AlphaMode::Blend;
            material.base_color[3] = m.shown_alpha(1.0) * GLASS;
        }
        let mut glow = painted(m.emissive_texture).filter(|_| material.emissive != [0.0; 3]);
        let color = painted(m.base_color_texture);
        // One set of texture coordinates is kept: the colour's.
        let apart = match (&color, &glow) {
            (Some(color), Some(glow)) => !color.slot.same_place(&glow.slot),
            _ => false,
        };
        if let Some(apart) = glow.take_if(|_| apart) {
            let mean = apart.slot.mean();
            material.emissive = [0, 1, 2].map(|k| material.emissive[k] * mean[k]);
        }
        Look {
            material,
            color,
            glow,
        }
    }
}

/// The looks of a stand-in with encoded textures, or with none.
pub struct Shades<'a> {
    palette: &'a Palette,
    /// By their number in the scene.
    pub images: HashMap<u32, Image>,
}

/// How a material is drawn.
pub struct Shade<'a> {
    pub material: &'a Material,
    /// Image and sampler of the colour and of the glow.
    pub color: Option<(u32, Sampler)>,
    pub glow: Option<(u32, Sampler)>,
    /// Where the texture coordinates come from.
    pub place: Option<&'a Slot>,
    /// The colour to be sampled at the vertices.
    pub baked: Option<&'a Slot>,
}

impl Shades<'_> {
    pub fn of(&self, material: Option<u32>) -> Shade<'_> {
        let looks = &self.palette.looks;
        let look = material.and_then(|m| looks.get(m as usize));
        let look = look.unwrap_or(&self.palette.plain);
        let kept = |painted: &Painted| {
            let has = self.images.contains_key(&painted.image);
            has.then_some((painted.image, painted.sampler))
        };
        let color = look.color.as_ref().and_then(kept);
        let glow = look.glow.as_ref().and_then(kept);
        let placed = match (&color, &glow) {
            (Some(_), _) => look.color.as_ref(),
            (None, Some(_)) => look.glow.as_ref(),
            (None, None) => None,
        };
        Shade {
            material: &look.material,
            place: placed.map(|painted| &painted.slot),
            baked: look
                .color
                .as_ref()
                .filter(|_| color.is_none())
                .map(|p| &p.slot),
            color,
            glow,
        }
    }
}
