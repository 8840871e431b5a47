//! Materials, textures and images of a glTF.

use super::super::seen::Seen;
use super::container::{Buffers, data_uri};
use super::extensions::Extension;
use super::json::{ImageJson, MaterialJson, Root, TextureInfo, TextureJson};
use super::specular::Converter;
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::Input;
use crate::read::maps::{missing, unreadable};
use crate::read::names::percent_decoded;
use crate::scene::{
    AlphaMode, Image, Material, Problem, Sampler, Scene, Severity, Texture, each_texture_index,
};
use std::borrow::Cow;

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
    let map = |index: u32| textures.get(index as usize).copied().flatten();
    let mut converter = Converter::new(ctx);
    for json in &root.materials {
        let mut material = material(json);
        material.retarget_textures(&mut |index| {
            let new = map(*index);
            *index = new.unwrap_or(*index);
            new.is_some()
        });
        converter.convert(scene, json, &mut material, &map)?;
        scene.materials.push(material);
    }
    converter.finish(scene);
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
    let (users, astray) = users(root);
    if astray.count > 0 {
        scene.note(no_such_texture(&astray));
    }
    for (i, json) in root.images.iter().enumerate() {
        if users[i].only_lost {
            map.push(None);
            continue;
        }
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
        let Some(bytes) = encoded(json, buffers, input) else {
            let file = file.as_deref().unwrap_or_default();
            scene.note(missing(input.side, file, users[i].seen.place(), &shown));
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
                scene.note(unreadable(users[i].seen.place(), &shown, &bytes, &error));
                map.push(None);
            }
        }
    }
    Ok(map)
}

/// The bytes of an image, wherever they are.
fn encoded<'a>(json: &ImageJson, buffers: &'a Buffers, input: &'a Input) -> Option<Cow<'a, [u8]>> {
    match (&json.uri, json.buffer_view) {
        (Some(uri), _) if uri.starts_with("data:") => data_uri(uri).map(Cow::Owned),
        (Some(uri), _) => input.side.find_uri(uri),
        (None, Some(view)) => buffers.view(view).ok().map(|(b, _)| Cow::Borrowed(b)),
        (None, None) => None,
    }
}

fn no_such_texture(places: &Seen) -> Problem {
    Problem::new(
        "missing-texture",
        Severity::Warning,
        places.place(),
        format!("{} 处引用的贴图在文件里不存在", places.count),
        "文件可能不完整，请重新导出模型",
    )
}

/// Who uses an image.
#[derive(Default)]
struct Users {
    /// Materials.
    seen: Seen,
    /// Only extensions whose loss has been told refer to it.
    only_lost: bool,
}

/// The users of every image, and the materials that refer to textures that do not exist.
fn users(root: &Root) -> (Vec<Users>, Seen) {
    let mut users: Vec<Users> = Vec::new();
    let mut astray = Seen::default();
    users.resize_with(root.images.len(), Users::default);
    let count = users.len();
    let raw = |texture: &TextureJson| -> Vec<usize> {
        let sources = texture
            .extensions
            .iter()
            .map(|(_, e)| e.get("source")?.as_u64());
        let sources = sources.flatten().filter_map(|s| usize::try_from(s).ok());
        sources.filter(|s| *s < count).collect()
    };
    let read = |texture: &TextureJson| {
        let sources = sources(texture).into_iter().flatten().map(|s| s as usize);
        sources.filter(|s| *s < count).collect::<Vec<_>>()
    };
    for image in root.textures.iter().flat_map(raw) {
        users[image].only_lost = true;
    }
    for image in root.textures.iter().flat_map(read) {
        users[image].only_lost = false;
    }
    for (i, material) in root.materials.iter().enumerate() {
        let mut see = |index: u32| {
            let Some(texture) = root.textures.get(index as usize) else {
                return astray.add("材质", &material.name, i);
            };
            for image in read(texture) {
                users[image].seen.add("材质", &material.name, i);
            }
        };
        let slots = material.slots().into_iter().flatten();
        slots.for_each(|slot| see(slot.index));
        for (_, value) in material.extensions.iter() {
            each_texture_index(&mut value.clone(), &mut |_, index| {
                see(*index);
                true
            });
        }
    }
    (users, astray)
}

/// The images that may stand for a texture, the best first: an extension's is meant to be the better copy.
fn sources(texture: &TextureJson) -> [Option<u32>; 3] {
    let of = |extension| texture.extensions.index(extension, "source");
    [
        of(Extension::TextureWebp),
        of(Extension::TextureBasisu),
        texture.source,
    ]
}

/// New index of each texture; `None` if its image is missing.
fn read_textures(root: &Root, images: &[Option<u32>], scene: &mut Scene) -> Vec<Option<u32>> {
    let mut map = Vec::with_capacity(root.textures.len());
    for (i, json) in root.textures.iter().enumerate() {
        let sources = sources(json);
        let found = sources.into_iter().flatten();
        let known = found.filter_map(|i| images.get(i as usize));
        let Some(image) = known.clone().find_map(|image| *image) else {
            // An image that cannot be read has been told, and so have other extensions.
            if known.count() == 0 && json.extensions.iter().next().is_none() {
                scene.note(Problem::new(
                    "missing-texture",
                    Severity::Warning,
                    "",
                    format!("第 {} 个贴图没有图片", i + 1),
                    "文件可能不完整，请重新导出模型",
                ));
            }
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
    Material {
        name: json.name.clone(),
        base_color: pbr.base_color_factor.unwrap_or([1.0; 4]).map(unit),
        base_color_texture: pbr.base_color_texture.as_ref().map(TextureInfo::slot),
        metallic: unit(pbr.metallic_factor.unwrap_or(1.0)),
        roughness: unit(pbr.roughness_factor.unwrap_or(1.0)),
        metallic_roughness_texture: pbr
            .metallic_roughness_texture
            .as_ref()
            .map(TextureInfo::slot),
        normal_texture: json.normal_texture.as_ref().map(TextureInfo::slot),
        normal_scale: json
            .normal_texture
            .as_ref()
            .and_then(|t| t.scale)
            .unwrap_or(1.0),
        occlusion_texture: json.occlusion_texture.as_ref().map(TextureInfo::slot),
        occlusion_strength: unit(
            json.occlusion_texture
                .as_ref()
                .and_then(|t| t.strength)
                .unwrap_or(1.0),
        ),
        emissive: json.emissive_factor.unwrap_or([0.0; 3]).map(unit),
        emissive_texture: json.emissive_texture.as_ref().map(TextureInfo::slot),
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
        extensions: json.extensions.kept(),
        extras: json.extras.clone(),
    }
}
