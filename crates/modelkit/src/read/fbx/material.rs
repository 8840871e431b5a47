//! FBX materials as metallic-roughness.

use super::Reading;
use super::lost::Loss;
use super::surface;
use super::textures::{Files, Making, texture_of};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::layers::Blend;
use crate::read::map::{Layer, Map, Paint};
use crate::read::maps::{self, Maps};
use crate::read::uv_binding::Names;
use crate::read::{Format, Input, SideFiles, colour};
use crate::scene::{AlphaMode, Material};
use serde_json::json;

pub fn read(reading: &mut Reading, input: &Input, ctx: &Ctx) -> Result<()> {
    Limits::check("贴图", reading.source.textures.len(), ctx.limits.images)?;
    let source = reading.source;
    let files = Files::new(source, input.side, reading.encoding);
    let mut maps = Maps::new(&files, &ctx.limits);
    let mut making = Making::default();
    for material in &source.materials {
        let place = format!("材质 {}", reading.name(&material.element));
        let mut map = |texture: Option<&ufbx::Texture>| {
            texture.and_then(|t| making.map(reading, &files, &place, t))
        };
        let asked = Asked::of(material, &mut map);
        let made = convert(reading, &files, &mut maps, material, &asked)?;
        let index = reading.scene.materials.len() as u32;
        reading.scene.materials.push(made);
        reading.uv_binding.ask(index, asked.uv_sets());
        surface::lost(reading, material);
        asked.lost(reading, &files, material);
    }
    maps::prune_images(&mut reading.scene);
    Ok(())
}

/// The maps of a material.
struct Asked {
    color: Option<Map>,
    opacity: Option<Map>,
    metal: Option<Map>,
    rough: Option<Map>,
    normal: Option<Map>,
    bump: Option<Map>,
    /// A map of bumps that is not used, because there is another.
    second_bump: Option<Map>,
    occlusion: Option<Map>,
    glow: Option<Map>,
}

impl Asked {
    fn of(m: &ufbx::Material, map: &mut dyn FnMut(Option<&ufbx::Texture>) -> Option<Map>) -> Asked {
        let (pbr, fbx) = (&m.pbr, &m.fbx);
        let physical = |slot| texture_of(slot).filter(|_| m.features.pbr.enabled);
        let color = map(texture_of(&pbr.base_color).or(texture_of(&fbx.diffuse_color)));
        let strength = map(texture_of(&pbr.base_factor));
        let glow = map(texture_of(&pbr.emission_color));
        let glow_strength = map(texture_of(&pbr.emission_factor));
        let classic = texture_of(&fbx.transparency_color).or(texture_of(&fbx.transparency_factor));
        let mut opacity = map(texture_of(&pbr.opacity).or(classic));
        let color = times(color, strength);
        // The alpha of the same picture, whatever lies upon it.
        if let (Some(own), Some(color)) = (&opacity, &color)
            && own.file == color.file
        {
            opacity = Some(color.clone());
        }
        let glossy = map(physical(&pbr.glossiness)).map(|map| Map {
            inverted: !map.inverted,
            ..map
        });
        // The bump slot of 3ds Max and Arnold takes heights as well as normals; the picture tells.
        let either = matches!(
            m.shader_type,
            ufbx::ShaderType::E3DsMaxPhysicalMaterial | ufbx::ShaderType::ArnoldStandardSurface
        );
        let normal = map(texture_of(&pbr.normal_map).or(texture_of(&fbx.normal_map)));
        let bump = map(texture_of(&fbx.bump)).map(|map| Map {
            bump: value(&fbx.bump_factor, 1.0) as f32,
            ..map
        });
        let (normal, bump, second_bump) = match (either, normal, bump) {
            (true, None, bump) => (None, bump, None),
            (true, normal, bump) => (None, normal, bump),
            (false, Some(normal), bump) => (Some(normal), bump.clone(), bump),
            (false, None, bump) => (None, bump, None),
        };
        Asked {
            color,
            opacity,
            metal: map(physical(&pbr.metalness)),
            rough: map(physical(&pbr.roughness)).or(glossy),
            normal,
            bump,
            second_bump,
            occlusion: map(texture_of(&pbr.ambient_occlusion)),
            glow: times(glow, glow_strength),
        }
    }

    /// Tells which of the maps were not used. Some exporters write one picture to both slots of bumps.
    fn lost(&self, reading: &mut Reading, files: &Files, m: &ufbx::Material) {
        let first = self.normal.as_ref().or(self.bump.as_ref());
        if let (Some(first), Some(second)) = (first, &self.second_bump)
            && first.file != second.file
            && files.has(&first.file)
            && files.has(&second.file)
        {
            let name = reading.name(&m.element);
            let place = ("材质", &name[..], m.element.typed_id as usize);
            reading.losses.add(Loss::BumpBesideNormal, place, "");
        }
    }

    /// The names of the UV sets that the textures of [`convert`] lie on.
    fn uv_sets(&self) -> Names {
        [
            self.color.as_ref().or(self.opacity.as_ref()),
            self.rough.as_ref().or(self.metal.as_ref()),
            self.normal.as_ref().or(self.bump.as_ref()),
            self.occlusion.as_ref(),
            self.glow.as_ref(),
        ]
        .map(|map| map?.uv_set.clone())
    }
}

/// A colour map with the map of its strength.
fn times(color: Option<Map>, strength: Option<Map>) -> Option<Map> {
    match (color, strength) {
        (Some(mut color), Some(strength)) => {
            color.layers.push(Layer {
                paint: Paint::Map(Box::new(strength)),
                blend: Blend::Multiply,
                alpha: 1.0,
            });
            Some(color)
        }
        (color, strength) => color.or(strength),
    }
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

fn convert(
    reading: &mut Reading,
    files: &Files,
    maps: &mut Maps,
    m: &ufbx::Material,
    asked: &Asked,
) -> Result<Material> {
    let pbr = &m.pbr;
    let physical = m.features.pbr.enabled;
    let there = |map: &Option<Map>| map.as_ref().is_some_and(|map| files.has(&map.file));
    let alpha = match there(&asked.opacity) {
        true => 1.0,
        false => opacity(m),
    };
    let (roughness, metallic) = match physical {
        true => (value(&pbr.roughness, 0.5), value(&pbr.metalness, 0.0)),
        false => (phong_roughness(m), 0.0),
    };
    let mut made = Material {
        name: reading.name(&m.element),
        metallic: metallic.clamp(0.0, 1.0) as f32,
        roughness: roughness.clamp(0.0, 1.0) as f32,
        alpha_mode: match alpha < 1.0 {
            true => AlphaMode::Blend,
            false => AlphaMode::Opaque,
        },
        double_sided: m.features.double_sided.enabled,
        ..Material::default()
    };
    let scene = &mut reading.scene;
    let (color_map, opacity_map) = (asked.color.as_ref(), asked.opacity.as_ref());
    maps.base_color(scene, &mut made, color_map, opacity_map)?;
    let (metal, rough) = (asked.metal.as_ref(), asked.rough.as_ref());
    maps.metallic_roughness(scene, &mut made, metal, rough)?;
    let (normal, bump) = (asked.normal.as_ref(), asked.bump.as_ref());
    maps.normal(scene, &mut made, normal, bump)?;
    if let Some(map) = &asked.occlusion {
        made.occlusion_texture = maps.texture(scene, &made.name, map)?;
    }
    if let Some(map) = &asked.glow {
        made.emissive_texture = maps.texture(scene, &made.name, map)?;
    }
    // A texture replaces the value, as in the programs that write FBX.
    let textured = |slot: &ufbx::MaterialMap| texture_of(slot).is_some();
    let colored = made.base_color_texture.is_some() && asked.color.is_some();
    let base = match colored && (textured(&pbr.base_color) || textured(&m.fbx.diffuse_color)) {
        true => [1.0; 3],
        false => color(&pbr.base_color, [0.8; 3]),
    };
    let factor = match colored && textured(&pbr.base_factor) {
        true => 1.0,
        false => value(&pbr.base_factor, 1.0).clamp(0.0, 1.0),
    };
    let [r, g, b] = linear(base.map(|c| c * factor));
    made.base_color = [r, g, b, alpha];
    let glows = made.emissive_texture.is_some();
    let emissive = match glows && textured(&pbr.emission_color) {
        true => [1.0; 3],
        false => color(&pbr.emission_color, [0.0; 3]),
    };
    let emission = match glows && textured(&pbr.emission_factor) {
        true => 1.0,
        false => value(&pbr.emission_factor, 1.0).max(0.0),
    };
    // glTF holds what is brighter than white as a strength.
    made.emissive = linear(emissive.map(|c| c * emission.min(1.0)));
    if emission > 1.0 && made.emissive != [0.0; 3] {
        let strength = json!({"emissiveStrength": emission as f32});
        let name = "KHR_materials_emissive_strength".to_owned();
        made.extensions.insert(name, strength);
    }
    if physical {
        effects(&mut made, m);
    }
    Ok(made)
}

/// What glTF holds in extensions.
fn effects(made: &mut Material, m: &ufbx::Material) {
    let pbr = &m.pbr;
    let strength = |map: &ufbx::MaterialMap| match map.feature_disabled {
        true => 0.0,
        false => value(map, 0.0).clamp(0.0, 1.0),
    };
    let mut add = |name: &str, value| made.extensions.insert(name.to_owned(), value);
    let coat = strength(&pbr.coat_factor);
    if coat > 0.0 {
        let rough = strength(&pbr.coat_roughness);
        let data =
            json!({"clearcoatFactor": coat as f32, "clearcoatRoughnessFactor": rough as f32});
        add("KHR_materials_clearcoat", data);
    }
    let through = strength(&pbr.transmission_factor);
    if through > 0.0 {
        let data = json!({"transmissionFactor": through as f32});
        add("KHR_materials_transmission", data);
    }
    let sheen = strength(&pbr.sheen_factor);
    let tint = linear(color(&pbr.sheen_color, [1.0; 3])).map(|c| c * sheen as f32);
    if tint.iter().any(|c| *c > 0.0) {
        let rough = value(&pbr.sheen_roughness, 0.3).clamp(0.0, 1.0) as f32;
        let data = json!({"sheenColorFactor": tint, "sheenRoughnessFactor": rough});
        add("KHR_materials_sheen", data);
    }
    // 1.5 is glTF's own, and exporters write 1.52 for it.
    let index = value(&pbr.specular_ior, 1.5);
    if index >= 1.0 && (index - 1.5).abs() > 0.03 {
        add("KHR_materials_ior", json!({"ior": index as f32}));
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
    let stated = by_transparency(m);
    // Some exporters give only this one, others contradict it with zeros.
    let own = ufbx::find_prop(&m.element.props, "Opacity").map(|prop| prop.value_vec4.x as f32);
    match own {
        Some(own) if stated == 1.0 && own > 0.0 && own < 1.0 => own,
        _ => stated,
    }
}

fn by_transparency(m: &ufbx::Material) -> f32 {
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
