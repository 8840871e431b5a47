//! Materials as MTL with the PBR extension, and the texture files they need.

use super::word;
use crate::read::{Format, colour, picture};
use crate::scene::{AlphaMode, CLAMP, Image, Material, Problem, Severity, TextureRef, decode};
use crate::{Ctx, Result, Scene};
use image::{DynamicImage, GrayImage};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

/// Name for primitives without a material.
const DEFAULT: &str = "default";

pub struct Library {
    pub text: String,
    /// Texture files: name and bytes.
    pub files: Vec<(String, Arc<[u8]>)>,
    pub problems: Vec<Problem>,
    names: Vec<String>,
}

impl Library {
    pub fn name_of(&self, material: Option<u32>) -> &str {
        material
            .and_then(|m| self.names.get(m as usize))
            .map_or(DEFAULT, String::as_str)
    }
}

/// One channel of an image, multiplied by a factor in 255ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Channel {
    index: usize,
    factor: u32,
}

impl Channel {
    fn new(index: usize, factor: f32) -> Channel {
        Channel {
            index,
            factor: (factor.clamp(0.0, 1.0) * 255.0).round() as u32,
        }
    }
}

struct Files<'a> {
    scene: &'a Scene,
    ctx: &'a Ctx<'a>,
    files: Vec<(String, Arc<[u8]>)>,
    taken: HashSet<String>,
    /// Image and channel (or all of it) → file name.
    known: HashMap<(u32, Option<Channel>), String>,
    /// Rotated textures, or ones with a second UV set, which MTL cannot represent.
    turned: bool,
    /// The first material whose reflection follows a texture of its own, which MTL cannot represent.
    glossy: Option<String>,
}

pub fn make(scene: &Scene, ctx: &Ctx) -> Result<Library> {
    let mut files = Files {
        scene,
        ctx,
        files: Vec::new(),
        taken: HashSet::new(),
        known: HashMap::new(),
        turned: false,
        glossy: None,
    };
    let mut text = String::from("# made by modelkit\n");
    let mut names = Vec::new();
    let mut taken = HashSet::from([DEFAULT.to_owned()]);
    for material in &scene.materials {
        let name = unique(&mut taken, &word(&material.name), "");
        statements(&mut text, &name, material, &mut files)?;
        names.push(name);
    }
    let bare = scene
        .meshes
        .iter()
        .flat_map(|m| &m.primitives)
        .any(|p| p.material.is_none());
    if bare || scene.materials.is_empty() {
        let plain = Material::plain(DEFAULT, [0.8, 0.8, 0.8, 1.0]);
        statements(&mut text, DEFAULT, &plain, &mut files)?;
    }
    let mut problems = Vec::new();
    if files.turned {
        problems.push(Problem::new(
            "not-kept",
            Severity::Info,
            "",
            "OBJ 格式不能保存：贴图旋转、第二套 UV",
            "需要保留时请改用 GLB",
        ));
    }
    if let Some(name) = files.glossy {
        problems.push(Problem::new(
            "not-kept",
            Severity::Info,
            format!("材质 {name}"),
            "OBJ 格式不能保存：高光颜色贴图",
            "需要保留时请改用 GLB",
        ));
    }
    Ok(Library {
        text,
        files: files.files,
        problems,
        names,
    })
}

fn unique(taken: &mut HashSet<String>, stem: &str, ext: &str) -> String {
    let mut name = format!("{stem}{ext}");
    let mut number = 2;
    while !taken.insert(name.to_lowercase()) {
        name = format!("{stem}_{number}{ext}");
        number += 1;
    }
    name
}

fn statements(text: &mut String, name: &str, material: &Material, files: &mut Files) -> Result<()> {
    let metal = material.as_metal();
    let material = metal.as_ref().unwrap_or(material);
    if material.is_glossy() && files.glossy.is_none() {
        files.glossy = Some(name.to_owned());
    }
    let [r, g, b, _] = material.base_color;
    let alpha = material.shown_alpha(1.0);
    let [r, g, b] = colour::of_linear(Format::Obj, [r, g, b]);
    let roughness = material.roughness.clamp(0.0, 1.0);
    // The inverse of the reader's √(2/(Ns+2)), within the customary 0…1000.
    let shininess = (2.0 / (roughness * roughness).max(1e-3) - 2.0).clamp(0.0, 1000.0);
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\nnewmtl {name}\nKd {r} {g} {b}\nKs 0.04 0.04 0.04\nNs {shininess}\n"
    );
    let _ = write!(
        text,
        "d {alpha}\nPr {roughness}\nPm {}\n",
        material.metallic.clamp(0.0, 1.0)
    );
    if material.emissive != [0.0; 3] {
        let [r, g, b] = emission(material);
        let _ = writeln!(text, "Ke {r} {g} {b}");
    }
    let coat = number(material, "KHR_materials_clearcoat", "clearcoatFactor");
    if let Some(coat) = coat.filter(|coat| *coat > 0.0) {
        let rough = number(
            material,
            "KHR_materials_clearcoat",
            "clearcoatRoughnessFactor",
        );
        let rough = rough.unwrap_or(0.0).clamp(0.0, 1.0);
        let _ = write!(text, "Pc {}\nPcr {rough}\n", coat.min(1.0));
    }
    let _ = writeln!(text, "illum 2");
    if let Some(used) = material.base_color_texture {
        files.statement(text, "map_Kd", used, None, "")?;
        if material.alpha_mode != AlphaMode::Opaque {
            files.statement(text, "map_d", used, None, "")?;
        }
    }
    // Readers use these maps instead of the factors, so the factors are multiplied into them.
    if let Some(used) = material.metallic_roughness_texture {
        for (keyword, index, factor) in [("map_Pr", 1, roughness), ("map_Pm", 2, material.metallic)]
        {
            if factor > 0.0 {
                files.statement(text, keyword, used, Some(Channel::new(index, factor)), "")?;
            }
        }
    }
    if let Some(used) = material.normal_texture {
        let scale = match material.normal_scale {
            1.0 => String::new(),
            scale => format!("-bm {scale} "),
        };
        files.statement(text, "norm", used, None, &scale)?;
    }
    if let Some(used) = material.emissive_texture {
        files.statement(text, "map_Ke", used, None, "")?;
    }
    Ok(())
}

/// `Ke`: the inverse of the reader's, which takes numbers above one for a colour times a strength.
fn emission(material: &Material) -> [f32; 3] {
    let strength = number(
        material,
        "KHR_materials_emissive_strength",
        "emissiveStrength",
    );
    let strength = strength
        .filter(|s| s.is_finite() && *s >= 0.0)
        .unwrap_or(1.0);
    let light = material.emissive.map(|c| c * strength);
    let brightest = light.into_iter().fold(1.0, f32::max);
    colour::of_linear(Format::Obj, light.map(|c| c / brightest)).map(|c| c * brightest)
}

/// A number of a raw extension object.
fn number(material: &Material, extension: &str, field: &str) -> Option<f32> {
    let value = material.extensions.get(extension)?.get(field)?.as_f64()?;
    Some(value as f32)
}

impl Files<'_> {
    fn statement(
        &mut self,
        text: &mut String,
        keyword: &str,
        used: TextureRef,
        channel: Option<Channel>,
        more: &str,
    ) -> Result<()> {
        let Some(texture) = self.scene.textures.get(used.texture as usize) else {
            return Ok(());
        };
        let Some(file) = self.file(texture.image, channel)? else {
            return Ok(());
        };
        let mut options = more.to_owned();
        if texture.sampler.wrap_s == CLAMP && texture.sampler.wrap_t == CLAMP {
            options.push_str("-clamp on ");
        }
        let mut uv_set = used.uv_set;
        if let Some(transform) = used.transform {
            let ([u, v], [su, sv]) = (transform.offset, transform.scale);
            // MTL counts v upwards: the inverse of the reader's conversion.
            let _ = write!(options, "-o {u} {} 0 -s {su} {sv} 1 ", 1.0 - sv - v);
            self.turned |= transform.rotation != 0.0;
            uv_set = transform.uv_set.unwrap_or(uv_set);
        }
        self.turned |= uv_set != 0;
        let _ = writeln!(text, "{keyword} {options}{file}");
        Ok(())
    }

    /// Name of the file with an image, or with one channel of it in grey.
    fn file(&mut self, image: u32, channel: Option<Channel>) -> Result<Option<String>> {
        if let Some(name) = self.known.get(&(image, channel)) {
            return Ok(Some(name.clone()));
        }
        let Some(source) = self.scene.images.get(image as usize) else {
            return Ok(None);
        };
        let Some((made, suffix)) = self.converted(source, channel)? else {
            return Ok(None);
        };
        let ext = if made.mime == "image/jpeg" {
            ".jpg"
        } else {
            ".png"
        };
        let last = source.name.rsplit(['/', '\\']).next().unwrap_or("");
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        let stem = if stem.is_empty() {
            format!("texture_{image}")
        } else {
            word(stem)
        };
        let name = unique(&mut self.taken, &format!("{stem}{suffix}"), ext);
        self.files.push((name.clone(), made.bytes));
        self.known.insert((image, channel), name.clone());
        Ok(Some(name))
    }

    /// WebP and KTX2 become PNG, which every OBJ reader supports; glTF's packed channels become separate grey images.
    fn converted(
        &self,
        source: &Image,
        channel: Option<Channel>,
    ) -> Result<Option<(Image, &'static str)>> {
        if channel.is_none() && matches!(source.mime, "image/png" | "image/jpeg") {
            return Ok(Some((source.clone(), "")));
        }
        let Ok(pixels) = decode(&source.bytes, &self.ctx.limits) else {
            return Ok(None);
        };
        let Some(channel) = channel else {
            return Ok(Some((picture::encode("", &pixels)?, "")));
        };
        let rgb = pixels.to_rgb8();
        let grey = GrayImage::from_fn(rgb.width(), rgb.height(), |x, y| {
            let value = u32::from(rgb.get_pixel(x, y).0[channel.index.min(2)]);
            image::Luma([((value * channel.factor + 127) / 255) as u8])
        });
        let suffix = if channel.index == 1 {
            "_roughness"
        } else {
            "_metallic"
        };
        Ok(Some((
            picture::encode("", &DynamicImage::ImageLuma8(grey))?,
            suffix,
        )))
    }
}
