//! Converts 3D Studio materials to PBR ones.

use super::chunk::{Body, Chunk};
use super::lost::Loss;
use crate::read::layers::Blend;
use crate::read::map::{Layer, Map, Paint};
use crate::read::maps::{self, Maps};
use crate::read::{Format, Input, colour};
use crate::scene::{AlphaMode, CLAMP, MIRROR, Material, REPEAT};
use crate::{Ctx, Result, Scene};
use std::collections::HashMap;

/// One material as in the file; factors 0…1, colours in sRGB.
#[derive(Default)]
pub struct Entry {
    name: String,
    diffuse: Option<[f32; 3]>,
    shininess: Option<f32>,
    transparency: f32,
    self_lit: f32,
    two_sided: bool,
    color: Option<Strong>,
    second: Option<Strong>,
    opacity: Option<Strong>,
    bump: Option<Strong>,
    glow: Option<Strong>,
}

/// A map and how much of it shows, 0…1.
struct Strong {
    map: Map,
    share: f32,
}

/// Maps that materials here do not have, and the masks of all.
const OTHER_MAPS: [(u16, &str); 11] = [
    (0xa204, "高光贴图"),
    (0xa220, "反射贴图"),
    (0xa33c, "光泽贴图"),
    (0xa33e, "颜色贴图的遮罩"),
    (0xa340, "第二张颜色贴图的遮罩"),
    (0xa342, "不透明度贴图的遮罩"),
    (0xa344, "凹凸贴图的遮罩"),
    (0xa346, "光泽贴图的遮罩"),
    (0xa348, "高光贴图的遮罩"),
    (0xa34a, "自发光贴图的遮罩"),
    (0xa34c, "反射贴图的遮罩"),
];

pub fn read(mut body: Body, number: usize) -> Entry {
    let mut entry = Entry::default();
    while let Some(mut chunk) = body.next_chunk() {
        let inner = &mut chunk.body;
        match chunk.id {
            0xa000 => {
                entry.name = inner.name();
                body.inside("材质", &entry.name, number);
            }
            0xa020 => entry.diffuse = color(*inner),
            0xa040 => entry.shininess = percent(*inner),
            0xa050 => entry.transparency = percent(*inner).unwrap_or(0.0),
            0xa052 => {
                if percent(*inner).is_some_and(|falloff| falloff > 0.0) {
                    body.lose(Loss::Effect, "透明衰减");
                }
            }
            0xa080 => entry.self_lit = 1.0,
            0xa084 => entry.self_lit = percent(*inner).unwrap_or(0.0),
            0xa081 => entry.two_sided = true,
            0xa100 => match inner.u16() {
                Some(0) => body.lose(Loss::Effect, "线框"),
                Some(1) => body.lose(Loss::Effect, "平面着色"),
                Some(4) => body.lose(Loss::Effect, "金属着色"),
                _ => {}
            },
            0xa200 => entry.color = map(*inner),
            0xa33a => entry.second = map(*inner),
            0xa210 => entry.opacity = map(*inner),
            0xa230 => entry.bump = map(*inner),
            // Amount of the bump map, which states the same.
            0xa252 => {}
            0xa33d => entry.glow = map(*inner),
            id => match OTHER_MAPS.iter().find(|(known, _)| *known == id) {
                Some((_, title)) => {
                    if map(*inner).is_some() {
                        body.lose(Loss::Map, title);
                    }
                }
                None => body.pass(id),
            },
        }
    }
    entry
}

/// The value of a colour chunk and whether it is gamma-corrected.
fn value(chunk: &mut Chunk) -> (Option<[f32; 3]>, bool) {
    let bytes = |b: [u8; 3]| b.map(|v| f32::from(v) / 255.0);
    match chunk.id {
        0x0010 => (chunk.body.floats(), false),
        0x0011 => (chunk.body.bytes().map(bytes), false),
        0x0012 => (chunk.body.bytes().map(bytes), true),
        0x0013 => (chunk.body.floats(), true),
        _ => (None, false),
    }
}

/// A colour as floats or bytes; the gamma-corrected form is preferred.
fn color(mut body: Body) -> Option<[f32; 3]> {
    let mut found = None;
    while let Some(mut chunk) = body.next_chunk() {
        let (value, gamma) = value(&mut chunk);
        if value.is_none() {
            body.pass(chunk.id);
        } else if found.is_none() || gamma {
            found = value;
        }
    }
    found
}

/// The fraction that a percentage states.
fn fraction(chunk: &mut Chunk) -> Option<f32> {
    let found = match chunk.id {
        0x0030 => chunk.body.u16().map(|v| f32::from(v as i16) / 100.0),
        0x0031 => chunk.body.f32(),
        _ => None,
    };
    found.filter(|v| v.is_finite()).map(|v| v.clamp(0.0, 1.0))
}

/// A percentage as a fraction.
fn percent(mut body: Body) -> Option<f32> {
    let mut found = None;
    while let Some(mut chunk) = body.next_chunk() {
        match fraction(&mut chunk) {
            Some(value) => found = Some(value),
            None => body.pass(chunk.id),
        }
    }
    found
}

fn map(mut body: Body) -> Option<Strong> {
    let mut map = Map::default();
    let (mut share, mut degrees) = (1.0, 0.0);
    while let Some(mut chunk) = body.next_chunk() {
        let inner = &mut chunk.body;
        let mut number = |to: &mut f32| {
            if let Some(value) = inner.f32().filter(|v| v.is_finite()) {
                *to = value;
            }
        };
        match chunk.id {
            0x0030 | 0x0031 => share = fraction(&mut chunk).unwrap_or(share),
            0xa354 => number(&mut map.scale[0]),
            0xa356 => number(&mut map.scale[1]),
            0xa358 => number(&mut map.offset[0]),
            0xa35a => number(&mut map.offset[1]),
            0xa35c => number(&mut degrees),
            0xa300 => map.file = inner.name(),
            0xa351 => {
                let flags = inner.u16().unwrap_or(0);
                map.wrap = wrap(flags);
                map.inverted = flags & 0x08 != 0;
                if flags & 0x280 != 0 {
                    body.lose(Loss::Effect, "贴图着色");
                }
            }
            id => body.pass(id),
        }
    }
    if map.scale.contains(&0.0) {
        map.scale = [1.0; 2];
    }
    if map.file.is_empty() {
        return None;
    }
    if degrees != 0.0 && !turn(&mut map, degrees.to_radians()) {
        body.lose(Loss::TurnedMap, "");
    }
    Some(Strong { map, share })
}

/// Turns the picture about the middle of the surface's square, counter-clockwise. `false` with two scales: viewers of
/// glTF disagree about those.
fn turn(map: &mut Map, angle: f32) -> bool {
    let [across, up] = map.scale;
    if (across - up).abs() > 1e-6 {
        return false;
    }
    // The place in the picture goes the other way.
    map.rotation = -angle;
    let (sin, cos) = map.rotation.sin_cos();
    map.offset[0] += across * (0.5 - 0.5 * cos + 0.5 * sin);
    map.offset[1] += across * (0.5 - 0.5 * sin - 0.5 * cos);
    true
}

/// Bit 1: every second tile is mirrored; bit 4: no tiles.
fn wrap(flags: u16) -> [u32; 2] {
    match (flags & 0x10 != 0, flags & 0x02 != 0) {
        (true, _) => [CLAMP; 2],
        (_, true) => [MIRROR; 2],
        _ => [REPEAT; 2],
    }
}

/// The map with a colour over it as far as it does not show.
fn over(strong: &Strong, colour: [f32; 3]) -> Map {
    let mut map = strong.map.clone();
    if strong.share < 1.0 {
        map.layers.push(Layer {
            paint: Paint::Colour(colour.map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8)),
            blend: Blend::Over,
            alpha: 1.0 - strong.share,
        });
    }
    map
}

/// The colour maps as one: the second lies over the first, which lies over the colour.
fn colors(entry: &Entry, diffuse: [f32; 3]) -> Option<Map> {
    let (first, second) = match (&entry.color, &entry.second) {
        (Some(first), second) => (first, second.as_ref()),
        (None, Some(second)) => (second, None),
        (None, None) => return None,
    };
    let mut map = over(first, diffuse);
    if let Some(second) = second {
        map.layers.push(Layer {
            paint: Paint::Map(Box::new(second.map.clone())),
            blend: Blend::Over,
            alpha: second.share,
        });
    }
    Some(map)
}

/// Adds all materials; `names` receives their indices.
pub fn add(
    scene: &mut Scene,
    input: &Input,
    entries: &[Entry],
    names: &mut HashMap<String, u32>,
    ctx: &Ctx,
) -> Result<()> {
    let mut maps = Maps::new(input.side, &ctx.limits);
    for entry in entries {
        let material = convert(scene, entry, &mut maps)?;
        scene.materials.push(material);
        let index = scene.materials.len() as u32 - 1;
        names.entry(entry.name.clone()).or_insert(index);
    }
    maps::prune_images(scene);
    Ok(())
}

fn convert(scene: &mut Scene, entry: &Entry, maps: &mut Maps) -> Result<Material> {
    let stated = entry.diffuse.unwrap_or([0.8; 3]);
    let diffuse = colour::linear(Format::ThreeDs, stated);
    // Some exporters write full transparency but mean the opposite.
    let alpha = match 1.0 - entry.transparency {
        a if a <= 0.0 => 1.0,
        a => a,
    };
    let mut material = Material::plain(&entry.name, [diffuse[0], diffuse[1], diffuse[2], alpha]);
    if alpha < 1.0 {
        material.alpha_mode = AlphaMode::Blend;
    }
    // Glossiness in percent maps to exponents from 1 to 1024.
    let exponent = 2f32.powf(10.0 * entry.shininess.unwrap_or(0.1));
    material.roughness = (2.0 / (exponent + 2.0)).sqrt();
    material.double_sided = entry.two_sided;
    material.emissive = diffuse.map(|c| c * entry.self_lit);
    let color = colors(entry, stated);
    // Where the opacity map does not show, the surface is opaque.
    let opacity = entry.opacity.as_ref().map(|map| over(map, [1.0; 3]));
    maps.base_color(scene, &mut material, color.as_ref(), opacity.as_ref())?;
    if color.is_some() && material.base_color_texture.is_some() {
        // The map replaces the colour.
        material.base_color = [1.0, 1.0, 1.0, alpha];
    }
    let bump = entry.bump.as_ref().map(|bump| Map {
        bump: bump.share,
        ..bump.map.clone()
    });
    maps.normal(scene, &mut material, None, bump.as_ref())?;
    if let Some(glow) = &entry.glow {
        material.emissive_texture = maps.texture(scene, &entry.name, &glow.map)?;
        if material.emissive_texture.is_some() {
            material.emissive = [glow.share; 3];
        }
    }
    Ok(material)
}
