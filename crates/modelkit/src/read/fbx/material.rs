//! FBX materials as metallic-roughness, and their textures.

use super::{Reading, raw};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::clean_parts;
use crate::read::maps;
use crate::read::uv_binding::Names;
use crate::read::{Format, Input, colour};
use crate::scene::{
    AlphaMode, CLAMP, Image, Material, Problem, REPEAT, Sampler, Severity, Texture, TextureRef,
    TextureTransform, decode,
};
use std::borrow::Cow;
use std::collections::HashMap;

/// Textures already read: by ufbx id, and by file so that images are stored once.
struct Textures<'a> {
    input: &'a Input<'a>,
    known: HashMap<u32, Option<TextureRef>>,
    files: HashMap<String, Option<u32>>,
    merged: HashMap<(u32, u32), Option<TextureRef>>,
}

pub fn read(reading: &mut Reading, input: &Input, ctx: &Ctx) -> Result<()> {
    Limits::check("贴图", reading.source.textures.len(), ctx.limits.images)?;
    let mut textures = Textures {
        input,
        known: HashMap::new(),
        files: HashMap::new(),
        merged: HashMap::new(),
    };
    let source = reading.source;
    for material in &source.materials {
        let made = convert(reading, &mut textures, material, ctx);
        let index = reading.scene.materials.len() as u32;
        reading.scene.materials.push(made);
        reading.uv_binding.ask(index, uv_sets(reading, material));
    }
    Ok(())
}

fn linear(rgb: [f64; 3]) -> [f32; 3] {
    colour::linear(Format::Fbx, rgb.map(|c| c.clamp(0.0, 1.0) as f32))
}

fn value(map: &ufbx::MaterialMap, default: f64) -> f64 {
    if map.has_value && map.value_vec4.x.is_finite() {
        map.value_vec4.x
    } else {
        default
    }
}

fn color(map: &ufbx::MaterialMap, default: [f64; 3]) -> [f64; 3] {
    let v = &map.value_vec4;
    let all = [v.x, v.y, v.z];
    if map.has_value && all.iter().all(|c| c.is_finite()) {
        all
    } else {
        default
    }
}

fn texture_of(map: &ufbx::MaterialMap) -> Option<&ufbx::Texture> {
    if map.texture_enabled {
        map.texture.as_deref()
    } else {
        None
    }
}

/// The texture of base colour, as [`convert`] uses it.
fn base_map(m: &ufbx::Material) -> Option<&ufbx::Texture> {
    texture_of(&m.pbr.base_color).or(texture_of(&m.fbx.diffuse_color))
}

/// The names of the UV sets that the textures of [`convert`] lie on.
fn uv_sets(reading: &Reading, m: &ufbx::Material) -> Names {
    let physical = |map| texture_of(map).filter(|_| m.features.pbr.enabled);
    let maps = [
        base_map(m),
        physical(&m.pbr.metalness).or(physical(&m.pbr.roughness)),
        normal_map(m),
        texture_of(&m.pbr.ambient_occlusion),
        texture_of(&m.pbr.emission_color),
    ];
    maps.map(|map| {
        let name = raw(&file_of(map?)?.uv_set);
        (!name.is_empty()).then(|| reading.encoding.name(name))
    })
}

/// The file texture; of a layered texture its first.
fn file_of(texture: &ufbx::Texture) -> Option<&ufbx::Texture> {
    match texture.has_file {
        true => Some(texture),
        false => texture.file_textures.iter().next().map(|t| t.as_ref()),
    }
}

fn convert(
    reading: &mut Reading,
    textures: &mut Textures,
    m: &ufbx::Material,
    ctx: &Ctx,
) -> Material {
    let (pbr, fbx) = (&m.pbr, &m.fbx);
    let physical = m.features.pbr.enabled;
    let place = format!("材质 {}", reading.name(&m.element));
    let mut get = |texture: Option<&ufbx::Texture>| {
        texture.and_then(|t| find(reading, textures, t, &place, ctx))
    };
    let base_texture = get(base_map(m));
    let normal_texture = get(normal_map(m));
    let emissive_texture = get(texture_of(&pbr.emission_color));
    let occlusion_texture = get(texture_of(&pbr.ambient_occlusion));
    let opacity_texture = texture_of(&pbr.opacity).or(texture_of(&fbx.transparency_color));
    let has_opacity_map = get(opacity_texture).is_some();
    let (metal, rough) = if physical {
        (
            get(texture_of(&pbr.metalness)),
            get(texture_of(&pbr.roughness)),
        )
    } else {
        (None, None)
    };
    let metallic_roughness_texture = merge(reading, textures, metal, rough, ctx);
    if let (Some(metal), Some(rough)) = (metal, rough)
        && lies(&m.pbr.metalness) != lies(&m.pbr.roughness)
        && metal != rough
    {
        reading.scene.note(maps::apart(&reading.name(&m.element)));
    }
    let factor = value(&pbr.base_factor, 1.0).clamp(0.0, 1.0);
    // A texture replaces the colour, as in the programs that write FBX.
    let base = if base_texture.is_some() {
        [1.0; 3]
    } else {
        color(&pbr.base_color, [0.8; 3])
    };
    let alpha = opacity(m);
    let [r, g, b] = linear(base.map(|c| c * factor));
    let emission = value(&pbr.emission_factor, 1.0).max(0.0);
    let emissive = if emissive_texture.is_some() {
        [1.0; 3]
    } else {
        color(&pbr.emission_color, [0.0; 3])
    };
    let roughness = match (&metallic_roughness_texture, physical) {
        (Some(_), _) => 1.0,
        (None, true) => value(&pbr.roughness, 0.5),
        (None, false) => phong_roughness(m),
    };
    let metallic = match (&metallic_roughness_texture, physical) {
        (Some(_), _) => 1.0,
        (None, true) => value(&pbr.metalness, 0.0),
        (None, false) => 0.0,
    };
    Material {
        name: reading.name(&m.element),
        base_color: [r, g, b, alpha],
        base_color_texture: base_texture,
        metallic: metallic.clamp(0.0, 1.0) as f32,
        roughness: roughness.clamp(0.0, 1.0) as f32,
        metallic_roughness_texture,
        normal_texture,
        occlusion_texture,
        emissive: linear(emissive.map(|c| c * emission)),
        emissive_texture,
        alpha_mode: alpha_mode(reading, base_texture, has_opacity_map, alpha),
        double_sided: m.features.double_sided.enabled,
        ..Material::default()
    }
}

/// Converts Blinn's exponent to roughness; Lambert surfaces are rough.
fn phong_roughness(m: &ufbx::Material) -> f64 {
    let exponent = &m.fbx.specular_exponent;
    let strength = value(&m.fbx.specular_factor, 1.0)
        * color(&m.fbx.specular_color, [0.0; 3])
            .into_iter()
            .fold(0.0, f64::max);
    if !exponent.has_value || strength <= 0.01 {
        return 0.9;
    }
    (2.0 / (value(exponent, 20.0).max(0.0) + 2.0))
        .powf(0.25)
        .clamp(0.2, 1.0)
}

fn opacity(m: &ufbx::Material) -> f32 {
    if m.features.pbr.enabled || m.pbr.opacity.has_value {
        let v = value(&m.pbr.opacity, 1.0);
        // Full transparency is a known slip of exporters, never intended.
        return if v > 0.0 && v < 1.0 { v as f32 } else { 1.0 };
    }
    let factor = value(&m.fbx.transparency_factor, 0.0);
    let [r, g, b] = color(&m.fbx.transparency_color, [1.0; 3]);
    let transparency = factor * (r + g + b) / 3.0;
    if transparency > 0.001 && transparency < 0.999 {
        (1.0 - transparency) as f32
    } else {
        1.0
    }
}

fn alpha_mode(
    reading: &Reading,
    base: Option<TextureRef>,
    has_opacity_map: bool,
    alpha: f32,
) -> AlphaMode {
    if alpha < 1.0 {
        return AlphaMode::Blend;
    }
    let scene = &reading.scene;
    let image = base
        .and_then(|t| scene.textures.get(t.texture as usize))
        .and_then(|t| scene.images.get(t.image as usize));
    // Cut-outs have their alpha in the colour image; a separate opacity map means blending.
    match image {
        Some(image) if has_opacity_map && image.mime != "image/jpeg" => AlphaMode::Mask,
        _ => AlphaMode::Opaque,
    }
}

/// A true normal map. Height maps in the bump slot are not normals; a normal map put there is recognised by its file
/// name.
fn normal_map(m: &ufbx::Material) -> Option<&ufbx::Texture> {
    if let Some(texture) = texture_of(&m.pbr.normal_map).or(texture_of(&m.fbx.normal_map)) {
        return Some(texture);
    }
    let bump = texture_of(&m.fbx.bump)?;
    // These are ASCII in any encoding.
    let name = bump.raw_relative_filename.to_ascii_lowercase();
    let has = |part: &[u8]| name.windows(part.len()).any(|w| w == part);
    let named = has(b"norm") || has(b"_nrm") || has(b"_n.");
    named.then_some(bump)
}

fn find(
    reading: &mut Reading,
    textures: &mut Textures,
    texture: &ufbx::Texture,
    place: &str,
    ctx: &Ctx,
) -> Option<TextureRef> {
    let id = texture.element.element_id;
    if let Some(known) = textures.known.get(&id) {
        return *known;
    }
    let file = file_of(texture)?;
    let image = image_of(reading, textures, file, place, ctx);
    let placed = uv_transform(file);
    if placed.is_err() && image.is_some() {
        reading.scene.note(Problem::new(
            "uv-transform-skipped",
            Severity::Warning,
            place,
            format!(
                "贴图 {} 的旋转平铺无法保留，按未变换显示",
                reading.name(&file.element)
            ),
            "请在建模软件中把贴图变换应用到 UV 上，再重新导出",
        ));
    }
    let made = image.map(|image| {
        let wrap = |mode: ufbx::WrapMode| {
            if mode == ufbx::WrapMode::Clamp {
                CLAMP
            } else {
                REPEAT
            }
        };
        let sampler = Sampler {
            wrap_s: wrap(file.wrap_u),
            wrap_t: wrap(file.wrap_v),
            ..Sampler::default()
        };
        let name = reading.name(&file.element);
        reading.scene.textures.push(Texture {
            name,
            image,
            sampler,
            extras: None,
        });
        TextureRef {
            texture: reading.scene.textures.len() as u32 - 1,
            uv_set: 0,
            transform: placed.unwrap_or(None),
        }
    });
    textures.known.insert(id, made);
    made
}

/// How a map lies on the surface: its UV set and the place in it.
fn lies(map: &ufbx::MaterialMap) -> Option<(&[u8], Option<TextureTransform>)> {
    let file = file_of(texture_of(map)?)?;
    Some((raw(&file.uv_set), uv_transform(file).unwrap_or(None)))
}

/// A transform that glTF cannot hold, or that its viewers read differently: a rotation with two scales.
struct Unheld;

/// A texture's place in its UV set. FBX counts V upwards, glTF downwards: u = p, v = 1 - q.
fn uv_transform(texture: &ufbx::Texture) -> std::result::Result<Option<TextureTransform>, Unheld> {
    let m = &texture.uv_to_texture;
    let all = [m.m00, m.m01, m.m03, m.m10, m.m11, m.m13];
    if !texture.has_uv_transform {
        return Ok(None);
    }
    let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
    let size = m.m00.hypot(m.m10);
    let straight = near(m.m01, 0.0) && near(m.m10, 0.0) && m.m00 != 0.0 && m.m11 != 0.0;
    let turned = near(m.m00, m.m11) && near(m.m01, -m.m10) && size > 1e-6;
    if !all.iter().all(|v| v.is_finite()) || !(straight || turned) {
        return Err(Unheld);
    }
    let offset = [(m.m01 + m.m03) as f32, (1.0 - m.m11 - m.m13) as f32];
    let (rotation, scale) = match straight {
        true => (0.0, [m.m00 as f32, m.m11 as f32]),
        false => (m.m10.atan2(m.m00) as f32, [size as f32; 2]),
    };
    Ok(Some(TextureTransform {
        offset,
        rotation,
        scale,
        uv_set: None,
    }))
}

/// The names of a texture's file as stored: relative to the model, as ufbx resolves it, absolute.
pub fn file_names(texture: &ufbx::Texture) -> impl Iterator<Item = &[u8]> {
    let names = [
        &texture.raw_relative_filename,
        &texture.raw_filename,
        &texture.raw_absolute_filename,
    ];
    names.into_iter().map(|name| &name[..])
}

fn image_of(
    reading: &mut Reading,
    textures: &mut Textures,
    texture: &ufbx::Texture,
    place: &str,
    ctx: &Ctx,
) -> Option<u32> {
    let names = file_names(texture).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(|name| reading.encoding.name(name)).collect();
    let path = names.first().cloned().unwrap_or_default();
    let short = clean_parts(&path)
        .last()
        .map_or_else(|| reading.name(&texture.element), |n| (*n).to_owned());
    let key = if path.is_empty() {
        format!("#{}", texture.element.element_id)
    } else {
        path
    };
    if let Some(known) = textures.files.get(&key) {
        return *known;
    }
    let embedded: &[u8] = match (&texture.content[..], &texture.video) {
        (content, _) if !content.is_empty() => content,
        (_, Some(video)) => &video.content,
        _ => &[],
    };
    let bytes = if embedded.is_empty() {
        let side = textures.input.side;
        names.iter().find_map(|name| side.find(name))
    } else {
        Some(Cow::Borrowed(embedded))
    };
    let image = match bytes {
        Some(bytes) => match Image::from_encoded(short.clone(), &bytes, &ctx.limits) {
            Ok(image) => {
                reading.scene.images.push(image);
                Some(reading.scene.images.len() as u32 - 1)
            }
            Err(error) => {
                reading.scene.note(Problem::new(
                    "unreadable-texture",
                    Severity::Warning,
                    place,
                    format!("贴图 {short} 无法读取：{error}"),
                    "请把该贴图另存为 PNG 或 JPEG 后重新上传",
                ));
                None
            }
        },
        None => {
            reading.scene.note(Problem::new(
                "missing-texture",
                Severity::Warning,
                place,
                format!("找不到贴图 {short}"),
                crate::read::maps::MISSING_ADVICE,
            ));
            None
        }
    };
    textures.files.insert(key, image);
    image
}

/// glTF stores metalness in blue and roughness in green of one image; FBX has two images.
fn merge(
    reading: &mut Reading,
    textures: &mut Textures,
    metal: Option<TextureRef>,
    rough: Option<TextureRef>,
    ctx: &Ctx,
) -> Option<TextureRef> {
    let slot = metal.or(rough)?;
    if metal == rough {
        return Some(slot);
    }
    let key = (
        metal.map_or(u32::MAX, |t| t.texture),
        rough.map_or(u32::MAX, |t| t.texture),
    );
    if let Some(known) = textures.merged.get(&key) {
        return *known;
    }
    let pixels = |slot: Option<TextureRef>| {
        let texture = reading.scene.textures.get(slot?.texture as usize)?;
        let image = reading.scene.images.get(texture.image as usize)?;
        decode(&image.bytes, &ctx.limits).ok().map(|p| p.to_luma8())
    };
    let (metal_pixels, rough_pixels) = (pixels(metal), pixels(rough));
    let size = metal_pixels
        .as_ref()
        .or(rough_pixels.as_ref())
        .map(|p| p.dimensions());
    let made = size.and_then(|(width, height)| {
        let at = |picture: &Option<image::GrayImage>, x: u32, y: u32, missing: u8| {
            let Some(picture) = picture else {
                return missing;
            };
            let sx = u64::from(x) * u64::from(picture.width()) / u64::from(width);
            let sy = u64::from(y) * u64::from(picture.height()) / u64::from(height);
            picture.get_pixel(sx as u32, sy as u32).0[0]
        };
        let merged = image::RgbImage::from_fn(width, height, |x, y| {
            image::Rgb([
                255,
                at(&rough_pixels, x, y, 128),
                at(&metal_pixels, x, y, 0),
            ])
        });
        let mut out = std::io::Cursor::new(Vec::new());
        merged.write_to(&mut out, image::ImageFormat::Png).ok()?;
        let image =
            Image::from_encoded("metallic-roughness.png", &out.into_inner(), &ctx.limits).ok()?;
        let texture = reading.scene.add_texture(image, Sampler::default());
        Some(TextureRef { texture, ..slot })
    });
    textures.merged.insert(key, made);
    made
}
