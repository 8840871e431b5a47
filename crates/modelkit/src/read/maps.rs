//! Finds, decodes and combines the textures that older material models reference by file.

use super::SideFiles;
use super::layers::{self, Sheet};
use super::map::{Map, Opacity, Paint};
use super::picture;
use crate::limits::Limits;
use crate::scene::{
    AlphaMode, Image, Material, NEAREST, Problem, Sampler, Severity, Texture, TextureRef, decode,
};
use crate::{Error, Result, Scene, lfs};
use image::DynamicImage;
use std::collections::HashMap;

/// Advice for a missing texture.
pub const MISSING_ADVICE: &str = "请把这个文件名的贴图和模型放在一起（子文件夹也可以），打包成 zip 再上传；或导出为内嵌贴图的 GLB（Blender：文件 > 外部数据 > 打包资源；3ds Max、Maya：导出 FBX 时勾选“嵌入的媒体”）";

/// The finding about a texture of a file that was not found: it is missing, or cannot be unpacked. `shown` is its name
/// for users.
pub fn missing(side: &dyn SideFiles, name: &str, place: String, shown: &str) -> Problem {
    let Some(why) = side.refusal(name) else {
        let message = format!("找不到贴图 {shown}");
        return Problem::new(
            "missing-texture",
            Severity::Warning,
            place,
            message,
            MISSING_ADVICE,
        );
    };
    Problem::new(
        "unreadable-texture",
        Severity::Warning,
        place,
        format!("贴图 {shown} 无法使用：{why}"),
        "",
    )
}

/// The finding about a texture that is there and cannot be decoded.
pub fn unreadable(place: String, shown: &str, bytes: &[u8], why: &Error) -> Problem {
    // What stands in for a picture is not to be converted.
    let advice = match lfs::is_pointer(bytes) {
        true => "",
        false => "把贴图另存为 PNG 或 JPEG 后重新打包上传",
    };
    Problem::new(
        "unreadable-texture",
        Severity::Warning,
        place,
        format!("贴图 {shown} 无法使用：{why}"),
        advice,
    )
}

/// Image, wrapping and sharpness of a texture.
type Look = (u32, [u32; 2], bool);

/// Textures by file, each read and combined once.
pub struct Maps<'a> {
    side: &'a dyn SideFiles,
    limits: &'a Limits,
    /// File name or recipe → image; `None` if it is not available.
    images: HashMap<String, Option<u32>>,
    textures: HashMap<Look, u32>,
}

impl<'a> Maps<'a> {
    pub fn new(side: &'a dyn SideFiles, limits: &'a Limits) -> Self {
        Self {
            side,
            limits,
            images: HashMap::new(),
            textures: HashMap::new(),
        }
    }

    /// The unmodified texture of a file.
    pub fn texture(
        &mut self,
        scene: &mut Scene,
        material: &str,
        map: &Map,
    ) -> Result<Option<TextureRef>> {
        let image = self.image(scene, material, map)?;
        Ok(image.map(|image| self.reference(scene, image, map)))
    }

    pub fn base_color(
        &mut self,
        scene: &mut Scene,
        material: &mut Material,
        color: Option<&Map>,
        opacity: Option<&Map>,
    ) -> Result<()> {
        let name = material.name.clone();
        let color_image = match color {
            Some(map) => self.image(scene, &name, map)?,
            None => None,
        };
        let opacity_image = match opacity {
            Some(map) => self.opacity(scene, &name, map)?,
            None => None,
        };
        let image = match (color_image, opacity_image) {
            (Some(color_image), Some(opacity_image)) if color_image != opacity_image => {
                note_apart(scene, &name, color, opacity);
                let (color, opacity) = (color_image, opacity_image);
                let recipe = format!("\0alpha {color} {opacity}");
                let combined = self.derive(scene, recipe, "base-alpha.png", |pictures| {
                    Some(picture::with_alpha(
                        pictures(color).as_ref(),
                        &pictures(opacity)?,
                    ))
                })?;
                combined.unwrap_or(color)
            }
            (Some(color), _) => color,
            (None, Some(opacity)) => {
                let recipe = format!("\0alpha only {opacity}");
                let combined = self.derive(scene, recipe, "alpha.png", |pictures| {
                    Some(picture::with_alpha(None, &pictures(opacity)?))
                })?;
                let Some(combined) = combined else {
                    return Ok(());
                };
                combined
            }
            (None, None) => return Ok(()),
        };
        let Some(map) = color.filter(|_| color_image.is_some()).or(opacity) else {
            return Ok(());
        };
        material.base_color_texture = Some(self.reference(scene, image, map));
        if opacity_image.is_some() && material.alpha_mode == AlphaMode::Opaque {
            let pixels = self.decoded(scene, image);
            material.alpha_mode = pixels.map_or(AlphaMode::Opaque, |p| picture::alpha_mode(&p));
            material.double_sided |= material.alpha_mode != AlphaMode::Opaque;
        }
        Ok(())
    }

    /// The image of an opacity map.
    fn opacity(&mut self, scene: &mut Scene, material: &str, map: &Map) -> Result<Option<u32>> {
        let image = self.image(scene, material, map)?;
        let (Some(image), Some(opacity)) = (image, map.opacity) else {
            return Ok(image);
        };
        let recipe = format!("\0opacity {image} {opacity:?}");
        self.derive(scene, recipe, "opacity.png", |pictures| {
            let Opacity {
                by_brightness,
                is_missing,
                part,
            } = opacity;
            let picture = pictures(image)?;
            Some(picture::opacity(&picture, by_brightness, is_missing, part))
        })
    }

    pub fn metallic_roughness(
        &mut self,
        scene: &mut Scene,
        material: &mut Material,
        metallic: Option<&Map>,
        roughness: Option<&Map>,
    ) -> Result<()> {
        let Some(map) = roughness.or(metallic) else {
            return Ok(());
        };
        let name = material.name.clone();
        let metal = match metallic {
            Some(map) => self.image(scene, &name, map)?,
            None => None,
        };
        let rough = match roughness {
            Some(map) => self.image(scene, &name, map)?,
            None => None,
        };
        if metal.is_none() && rough.is_none() {
            return Ok(());
        }
        let image = if metal == rough {
            // Both from one file: it is already packed as in glTF.
            metal
        } else {
            note_apart(scene, &name, metallic, roughness);
            let recipe = format!("\0mr {metal:?} {rough:?}");
            self.derive(scene, recipe, "metallic-roughness.png", |pictures| {
                let metal = metal.and_then(&pictures);
                let rough = rough.and_then(&pictures);
                picture::metallic_roughness(metal.as_ref(), rough.as_ref())
            })?
        };
        if let Some(image) = image {
            material.metallic_roughness_texture = Some(self.reference(scene, image, map));
            if rough.is_some() {
                material.roughness = 1.0;
            }
            if metal.is_some() {
                material.metallic = 1.0;
            }
        }
        Ok(())
    }

    /// `norm` is a normal map; `bump` may be one too, else it is a height map, from which normals are computed.
    pub fn normal(
        &mut self,
        scene: &mut Scene,
        material: &mut Material,
        normal: Option<&Map>,
        bump: Option<&Map>,
    ) -> Result<()> {
        let name = material.name.clone();
        if let Some(map) = normal {
            material.normal_texture = self.texture(scene, &name, map)?;
            material.normal_scale = map.bump;
            if material.normal_texture.is_some() {
                return Ok(());
            }
        }
        let Some(map) = bump else { return Ok(()) };
        let Some(image) = self.image(scene, &name, map)? else {
            return Ok(());
        };
        let Some(pixels) = self.decoded(scene, image) else {
            return Ok(());
        };
        if picture::is_normal_map(&pixels) {
            material.normal_texture = Some(self.reference(scene, image, map));
            material.normal_scale = map.bump;
            return Ok(());
        }
        let recipe = format!("\0normals {image} {}", map.bump);
        let strength = map.bump.clamp(-10.0, 10.0);
        let made = self.derive(scene, recipe, "normal-from-bump.png", |_| {
            Some(picture::normals_from_height(&pixels, strength))
        })?;
        material.normal_texture = made.map(|image| self.reference(scene, image, map));
        Ok(())
    }

    fn reference(&mut self, scene: &mut Scene, image: u32, map: &Map) -> TextureRef {
        let look = (image, map.wrap, map.sharp);
        let texture = *self.textures.entry(look).or_insert_with(|| {
            scene.textures.push(Texture {
                name: scene.images[image as usize].name.clone(),
                image,
                sampler: Sampler {
                    mag_filter: map.sharp.then_some(NEAREST),
                    wrap_s: map.wrap[0],
                    wrap_t: map.wrap[1],
                    ..Sampler::default()
                },
                extras: None,
            });
            scene.textures.len() as u32 - 1
        });
        TextureRef {
            texture,
            uv_set: 0,
            transform: map.transform(),
        }
    }

    /// The image of a map, with what lies upon it.
    fn image(&mut self, scene: &mut Scene, material: &str, map: &Map) -> Result<Option<u32>> {
        let mut below = self.single(scene, material, map)?;
        let mut sheets = Vec::new();
        let mut recipe = String::new();
        for layer in &map.layers {
            let image = match &layer.paint {
                Paint::Colour(_) => None,
                Paint::Map(above) => {
                    let Some(image) = self.image(scene, material, above)? else {
                        continue;
                    };
                    if !map.lies_like(above) {
                        scene.note(apart(material));
                    }
                    if below.is_none() {
                        below = Some(image);
                        continue;
                    }
                    Some(image)
                }
            };
            recipe += &format!(" {image:?} {layer:?}");
            sheets.push((image, layer));
        }
        let Some(below) = below else { return Ok(None) };
        if sheets.is_empty() && !map.inverted {
            return Ok(Some(below));
        }
        let recipe = format!("\0layers {below} {}{recipe}", map.inverted);
        let made = self.derive(scene, recipe, "layered.png", |pictures| {
            let ready = sheets.iter().filter_map(|(image, layer)| {
                let sheet = match (&layer.paint, image) {
                    (Paint::Colour(colour), _) => Sheet::Colour(*colour),
                    (_, image) => Sheet::Picture(pictures((*image)?)?),
                };
                Some((sheet, layer.blend, layer.alpha))
            });
            let ready: Vec<_> = ready.collect();
            let mut picture = pictures(below)?;
            if !ready.is_empty() {
                picture = layers::compose(&picture, &ready);
            }
            Some(match map.inverted {
                true => layers::inverted(&picture),
                false => picture,
            })
        })?;
        Ok(made.or(Some(below)))
    }

    /// The image a map refers to: of its channel, where one is stated.
    fn single(&mut self, scene: &mut Scene, material: &str, map: &Map) -> Result<Option<u32>> {
        let image = self.file(scene, material, map)?;
        let (Some(image), Some(channel)) = (image, map.channel) else {
            return Ok(image);
        };
        let recipe = format!("\0channel {channel:?} {image}");
        let made = self.derive(scene, recipe, "channel.png", |pictures| {
            Some(picture::only(&pictures(image)?, channel))
        })?;
        Ok(made.or(Some(image)))
    }

    /// The image of a file, read on first use; a problem is reported once per file.
    fn file(&mut self, scene: &mut Scene, material: &str, map: &Map) -> Result<Option<u32>> {
        let key = map.file.to_lowercase();
        if let Some(known) = self.images.get(&key) {
            return Ok(*known);
        }
        let shown = map
            .file
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or(&map.file)
            .to_owned();
        let place = format!("材质 {material}");
        let whole = map.whole.as_ref();
        let found = self.side.find(&map.file);
        let image = match found.or_else(|| self.side.find(&whole?.file)) {
            None => {
                let name = match (self.side.refusal(&map.file), whole) {
                    (None, Some(whole)) => &whole.file,
                    _ => &map.file,
                };
                scene.note(missing(self.side, name, place, &shown));
                None
            }
            Some(bytes) => match self.load(&shown, &bytes) {
                Ok(image) => Some(push(scene, image, self.limits)?),
                Err(error) => {
                    scene.note(unreadable(place, &shown, &bytes, &error));
                    None
                }
            },
        };
        self.images.insert(key, image);
        Ok(image)
    }

    fn load(&self, name: &str, bytes: &[u8]) -> Result<Image> {
        Limits::check("贴图字节", bytes.len(), self.limits.image_bytes)?;
        Image::from_encoded(name, bytes, self.limits)
    }

    fn decoded(&self, scene: &Scene, image: u32) -> Option<DynamicImage> {
        decode(&scene.images.get(image as usize)?.bytes, self.limits).ok()
    }

    /// An image derived from others, once per recipe.
    fn derive(
        &mut self,
        scene: &mut Scene,
        recipe: String,
        name: &str,
        make: impl FnOnce(&dyn Fn(u32) -> Option<DynamicImage>) -> Option<DynamicImage>,
    ) -> Result<Option<u32>> {
        if let Some(known) = self.images.get(&recipe) {
            return Ok(*known);
        }
        let made = make(&|image| self.decoded(scene, image));
        let image = match made {
            Some(pixels) => Some(push(scene, picture::encode(name, &pixels)?, self.limits)?),
            None => None,
        };
        self.images.insert(recipe, image);
        Ok(image)
    }
}

fn note_apart(scene: &mut Scene, material: &str, first: Option<&Map>, second: Option<&Map>) {
    if let (Some(first), Some(second)) = (first, second)
        && !first.lies_like(second)
    {
        scene.note(apart(material));
    }
}

/// Two maps became one, which lies on the surface like the first.
pub fn apart(material: &str) -> Problem {
    Problem::new(
        "maps-apart",
        Severity::Warning,
        format!("材质 {material}"),
        "两张贴图合并为一张，但它们的 UV 或平铺设置不同，合并后第二张可能错位",
        "请在建模软件中让这两张贴图使用同一套 UV 和相同的平铺设置，再重新导出",
    )
}

fn push(scene: &mut Scene, image: Image, limits: &Limits) -> Result<u32> {
    Limits::check("贴图", scene.images.len() + 1, limits.images)?;
    scene.images.push(image);
    Ok(scene.images.len() as u32 - 1)
}

/// Drops images that only served as input of others.
pub fn prune_images(scene: &mut Scene) {
    let mut moved = vec![None; scene.images.len()];
    let mut kept = Vec::new();
    for texture in &mut scene.textures {
        let from = texture.image as usize;
        let to = *moved[from].get_or_insert_with(|| {
            kept.push(scene.images[from].clone());
            kept.len() as u32 - 1
        });
        texture.image = to;
    }
    scene.images = kept;
}
