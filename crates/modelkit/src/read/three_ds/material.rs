//! Converts 3D Studio materials to PBR ones.

use super::chunk::Body;
use super::truncated;
use crate::read::maps::{self, Map, Maps};
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
    color: Option<Map>,
    opacity: Option<Map>,
    bump: Option<Map>,
    glow: Option<Map>,
}

pub fn read(mut body: Body) -> Result<Entry> {
    let mut entry = Entry::default();
    while let Some(mut chunk) = body.next_chunk()? {
        let body = &mut chunk.body;
        match chunk.id {
            0xa000 => entry.name = body.name().ok_or_else(truncated)?,
            0xa020 => entry.diffuse = color(*body)?,
            0xa040 => entry.shininess = percent(*body)?,
            0xa050 => entry.transparency = percent(*body)?.unwrap_or(0.0),
            0xa080 => entry.self_lit = 1.0,
            0xa084 => entry.self_lit = percent(*body)?.unwrap_or(0.0),
            0xa081 => entry.two_sided = true,
            0xa200 => entry.color = map(*body)?,
            0xa33a if entry.color.is_none() => entry.color = map(*body)?,
            0xa210 => entry.opacity = map(*body)?,
            0xa230 => entry.bump = map(*body)?,
            0xa33d => entry.glow = map(*body)?,
            _ => {}
        }
    }
    Ok(entry)
}

/// A colour as floats or bytes; the gamma-corrected form is preferred.
fn color(mut body: Body) -> Result<Option<[f32; 3]>> {
    let mut found = None;
    while let Some(mut chunk) = body.next_chunk()? {
        let bytes = |b: [u8; 3]| b.map(|v| f32::from(v) / 255.0);
        let (value, gamma) = match chunk.id {
            0x0010 => (chunk.body.floats(), false),
            0x0011 => (chunk.body.bytes().map(bytes), false),
            0x0012 => (chunk.body.bytes().map(bytes), true),
            0x0013 => (chunk.body.floats(), true),
            _ => (None, false),
        };
        if value.is_some() && (found.is_none() || gamma) {
            found = value;
        }
    }
    Ok(found)
}

/// A percentage as a fraction.
fn percent(mut body: Body) -> Result<Option<f32>> {
    let mut found = None;
    while let Some(mut chunk) = body.next_chunk()? {
        match chunk.id {
            0x0030 => found = chunk.body.u16().map(|v| f32::from(v as i16) / 100.0),
            0x0031 => found = chunk.body.f32(),
            _ => {}
        }
    }
    Ok(found.filter(|v| v.is_finite()).map(|v| v.clamp(0.0, 1.0)))
}

fn map(mut body: Body) -> Result<Option<Map>> {
    let mut map = Map::default();
    while let Some(mut chunk) = body.next_chunk()? {
        let body = &mut chunk.body;
        let mut number = |to: &mut f32| {
            if let Some(value) = body.f32().filter(|v| v.is_finite()) {
                *to = value;
            }
        };
        match chunk.id {
            0xa354 => number(&mut map.scale[1]),
            0xa356 => number(&mut map.scale[0]),
            0xa358 => number(&mut map.offset[0]),
            0xa35a => number(&mut map.offset[1]),
            0xa300 => map.file = body.name().ok_or_else(truncated)?,
            0xa351 => map.wrap = wrap(body.u16().unwrap_or(0)),
            _ => {}
        }
    }
    if map.scale.contains(&0.0) {
        map.scale = [1.0; 2];
    }
    Ok((!map.file.is_empty()).then_some(map))
}

/// Bit 1: every second tile is mirrored; bit 4: no tiles.
fn wrap(flags: u16) -> [u32; 2] {
    match (flags & 0x10 != 0, flags & 0x02 != 0) {
        (true, _) => [CLAMP; 2],
        (_, true) => [MIRROR; 2],
        _ => [REPEAT; 2],
    }
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
    let diffuse = entry.diffuse.unwrap_or([0.8; 3]);
    let diffuse = colour::linear(Format::ThreeDs, diffuse);
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
    maps.base_color(
        scene,
        &mut material,
        entry.color.as_ref(),
        entry.opacity.as_ref(),
    )?;
    if entry.color.is_some() && material.base_color_texture.is_some() {
        // The map replaces the colour.
        material.base_color = [1.0, 1.0, 1.0, alpha];
    }
    maps.normal(scene, &mut material, None, entry.bump.as_ref())?;
    if let Some(glow) = &entry.glow {
        material.emissive_texture = maps.texture(scene, &entry.name, glow)?;
        if material.emissive_texture.is_some() {
            material.emissive = [1.0; 3];
        }
    }
    Ok(material)
}
