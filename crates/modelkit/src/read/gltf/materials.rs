//! Materials, textures and images of a glTF.

use super::container::{Buffers, data_uri};
use super::json::{MaterialJson, Root, TextureInfo, TransformJson};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::Input;
use crate::read::maps::MISSING_ADVICE;
use crate::read::names::percent_decoded;
use crate::scene::{
    AlphaMode, Image, Material, Problem, Sampler, Scene, Severity, Texture, TextureRef,
    TextureTransform,
};

/// Reads images, textures and materials; unreadable ones become problems.
pub fn read(
    root: &Root,
    buffers: &Buffers,
    input: &Input,
    scene: &mut Scene,
    ctx: &Ctx,
) -> Result<()> {
    Limits::check(
        "贴图",
        root.images.len().max(root.textures.len()),
        ctx.limits.images,
    )?;
    Limits::check("材质", root.materials.len(), ctx.limits.materials)?;
    let images = read_images(root, buffers, input, scene, ctx)?;
    let textures = read_textures(root, &images, scene);
    for json in &root.materials {
        let mut material = material(json);
        let map = |index: &mut u32| match textures.get(*index as usize) {
            Some(Some(new)) => {
                *index = *new;
                true
            }
            _ => false,
        };
        material.retarget_textures(&mut { map });
        scene.materials.push(material);
    }
    Ok(())
}

/// New index of each image, `None` for unreadable ones.
fn read_images(
    root: &Root,
    buffers: &Buffers,
    input: &Input,
    scene: &mut Scene,
    ctx: &Ctx,
) -> Result<Vec<Option<u32>>> {
    let mut map = Vec::with_capacity(root.images.len());
    for (i, json) in root.images.iter().enumerate() {
        let file = json
            .uri
            .as_deref()
            .filter(|u| !u.starts_with("data:"))
            .map(percent_decoded);
        let base = file
            .as_deref()
            .and_then(|f| f.rsplit(['/', '\\']).next())
            .unwrap_or("");
        let name = if json.name.is_empty() {
            base.to_owned()
        } else {
            json.name.clone()
        };
        let shown = if name.is_empty() {
            format!("第 {} 张", i + 1)
        } else {
            name.clone()
        };
        let bytes = match (&json.uri, json.buffer_view) {
            (Some(uri), _) if uri.starts_with("data:") => {
                data_uri(uri).map(std::borrow::Cow::Owned)
            }
            (Some(uri), _) => input.side.find_uri(uri),
            (None, Some(view)) => buffers
                .view(view)
                .ok()
                .map(|(b, _)| std::borrow::Cow::Borrowed(b)),
            (None, None) => None,
        };
        let Some(bytes) = bytes else {
            scene.note(Problem::new(
                "missing-texture",
                Severity::Warning,
                users(root, i),
                format!("找不到贴图 {shown}"),
                MISSING_ADVICE,
            ));
            map.push(None);
            continue;
        };
        match Image::from_encoded(name, &bytes, &ctx.limits) {
            Ok(image) => {
                scene.images.push(Image {
                    extras: json.extras.clone(),
                    ..image
                });
                map.push(Some(scene.images.len() as u32 - 1));
            }
            Err(error) => {
                scene.note(Problem::new(
                    "unreadable-texture",
                    Severity::Warning,
                    users(root, i),
                    format!("贴图 {shown} 无法读取：{error}"),
                    "请把该贴图另存为 PNG 或 JPEG 后重新上传",
                ));
                map.push(None);
            }
        }
    }
    Ok(map)
}

/// The materials that use an image, formatted as the place of a finding: `材质 木头、铁`.
fn users(root: &Root, image: usize) -> String {
    let shows = |texture: &TextureInfo| {
        let texture = root.textures.get(texture.index as usize);
        texture.is_some_and(|texture| {
            let others = texture
                .extensions
                .values()
                .filter_map(|e| e.get("source")?.as_u64());
            others
                .chain(texture.source.map(u64::from))
                .any(|source| source == image as u64)
        })
    };
    let uses = |m: &&MaterialJson| {
        let pbr = &m.pbr_metallic_roughness;
        let slots = [
            &pbr.base_color_texture,
            &pbr.metallic_roughness_texture,
            &m.normal_texture,
            &m.occlusion_texture,
            &m.emissive_texture,
        ];
        slots.into_iter().flatten().any(shows)
    };
    let found = root.materials.iter().filter(uses);
    let names: Vec<&str> = found
        .map(|m| m.name.as_str())
        .filter(|n| !n.is_empty())
        .take(3)
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("材质 {}", names.join("、")),
    }
}

/// New index of each texture; `None` if its image is missing.
fn read_textures(root: &Root, images: &[Option<u32>], scene: &mut Scene) -> Vec<Option<u32>> {
    let mut map = Vec::with_capacity(root.textures.len());
    for json in &root.textures {
        let of = |extension: &str| {
            let source = json.extensions.get(extension)?.get("source")?.as_u64()?;
            u32::try_from(source).ok()
        };
        let find =
            |index: Option<u32>| index.and_then(|i| images.get(i as usize).copied().flatten());
        // An extension's image is preferred over its fallback: it is meant to be the better copy.
        let image = find(of("EXT_texture_webp"))
            .or_else(|| find(of("KHR_texture_basisu")))
            .or_else(|| find(json.source));
        let Some(image) = image else {
            map.push(None);
            continue;
        };
        let sampler = json.sampler.and_then(|s| root.samplers.get(s as usize));
        let sampler = sampler.map_or(Sampler::default(), |s| Sampler {
            mag_filter: s.mag_filter.filter(|f| [9728, 9729].contains(f)),
            min_filter: s
                .min_filter
                .filter(|f| [9728, 9729, 9984, 9985, 9986, 9987].contains(f)),
            wrap_s: s
                .wrap_s
                .filter(|w| [33071, 33648].contains(w))
                .unwrap_or(10497),
            wrap_t: s
                .wrap_t
                .filter(|w| [33071, 33648].contains(w))
                .unwrap_or(10497),
        });
        scene.textures.push(Texture {
            name: json.name.clone(),
            image,
            sampler,
            extras: json.extras.clone(),
        });
        map.push(Some(scene.textures.len() as u32 - 1));
    }
    map
}

fn material(json: &MaterialJson) -> Material {
    let pbr = &json.pbr_metallic_roughness;
    let unit = |v: f32| {
        if v.is_finite() {
            v.clamp(0.0, 1.0)
        } else {
            1.0
        }
    };
    let mut material = Material {
        name: json.name.clone(),
        base_color: pbr.base_color_factor.unwrap_or([1.0; 4]).map(unit),
        base_color_texture: pbr.base_color_texture.as_ref().map(texture_ref),
        metallic: unit(pbr.metallic_factor.unwrap_or(1.0)),
        roughness: unit(pbr.roughness_factor.unwrap_or(1.0)),
        metallic_roughness_texture: pbr.metallic_roughness_texture.as_ref().map(texture_ref),
        normal_texture: json.normal_texture.as_ref().map(texture_ref),
        normal_scale: json
            .normal_texture
            .as_ref()
            .and_then(|t| t.scale)
            .unwrap_or(1.0),
        occlusion_texture: json.occlusion_texture.as_ref().map(texture_ref),
        occlusion_strength: unit(
            json.occlusion_texture
                .as_ref()
                .and_then(|t| t.strength)
                .unwrap_or(1.0),
        ),
        emissive: json.emissive_factor.unwrap_or([0.0; 3]).map(unit),
        emissive_texture: json.emissive_texture.as_ref().map(texture_ref),
        alpha_mode: match json.alpha_mode.as_deref() {
            Some("MASK") => AlphaMode::Mask,
            Some("BLEND") => AlphaMode::Blend,
            _ => AlphaMode::Opaque,
        },
        alpha_cutoff: json
            .alpha_cutoff
            .filter(|c| c.is_finite() && *c >= 0.0)
            .unwrap_or(0.5),
        double_sided: json.double_sided,
        extensions: json.extensions.clone(),
        extras: json.extras.clone(),
    };
    specular_glossiness(&mut material);
    material
        .extensions
        .retain(|name, _| name.starts_with("KHR_materials_"));
    material
}

/// Converts the deprecated specular-glossiness model to metallic-roughness, as far as the factors and the diffuse
/// texture allow.
fn specular_glossiness(material: &mut Material) {
    let Some(old) = material
        .extensions
        .remove("KHR_materials_pbrSpecularGlossiness")
    else {
        return;
    };
    let number = |v: &serde_json::Value| v.as_f64().map(|x| x.clamp(0.0, 1.0) as f32);
    if let Some(diffuse) = old.get("diffuseFactor").and_then(|d| d.as_array()) {
        for (to, from) in material.base_color.iter_mut().zip(diffuse) {
            *to = number(from).unwrap_or(1.0);
        }
    }
    if let Some(texture) = old.get("diffuseTexture") {
        let info: Option<TextureInfo> = serde_json::from_value(texture.clone()).ok();
        material.base_color_texture = info.as_ref().map(texture_ref);
    }
    material.metallic = 0.0;
    material.metallic_roughness_texture = None;
    material.roughness = 1.0 - old.get("glossinessFactor").and_then(number).unwrap_or(1.0);
}

fn texture_ref(info: &TextureInfo) -> TextureRef {
    let transform = info.extensions.get("KHR_texture_transform");
    let transform = transform.and_then(|t| serde_json::from_value::<TransformJson>(t.clone()).ok());
    TextureRef {
        texture: info.index,
        uv_set: info.tex_coord,
        transform: transform.map(|t| TextureTransform {
            offset: t.offset.unwrap_or([0.0; 2]),
            rotation: t.rotation,
            scale: t.scale.unwrap_or([1.0; 2]),
            uv_set: t.tex_coord,
        }),
    }
}
