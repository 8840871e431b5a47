//! Colour of each sample.

use super::camera::Camera;
use super::raster::{Hit, Kind, Layers, Piece};
use super::shadow::Ground;
use crate::progress::Ctx;
use crate::scene::{AlphaMode, Scene, TextureRef, decode, math};
use crate::{Error, Result};
use rayon::prelude::*;

/// Side to which textures are brought down; a thumbnail shows no more.
const TEXTURE_SIDE: u32 = 1024;

/// Linear RGBA texels.
struct Texels {
    width: usize,
    height: usize,
    rows: Vec<[f32; 4]>,
    clamp: bool,
    slot: TextureRef,
}

/// A material as the shader needs it.
pub struct Look {
    color: [f32; 4],
    texture: Option<Texels>,
    metallic: f32,
    roughness: f32,
    emissive: [f32; 3],
    emissive_texture: Option<Texels>,
    alpha: AlphaMode,
    cutoff: f32,
    unlit: bool,
}

pub fn to_srgb(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    if v <= 0.003_130_8 {
        v * 12.92
    } else {
        1.055 * v.powf(1.0 / 2.4) - 0.055
    }
}

fn to_linear(byte: u8) -> f32 {
    let v = f32::from(byte) / 255.0;
    if v <= 0.04045 {
        v / 12.92
    } else {
        ((v + 0.055) / 1.055).powf(2.4)
    }
}

pub fn looks(scene: &Scene, ctx: &Ctx) -> Result<Vec<Look>> {
    let table: Vec<f32> = (0..=255).map(to_linear).collect();
    let load = |slot: Option<TextureRef>| -> Result<Option<Texels>> {
        let Some(slot) = slot else { return Ok(None) };
        let Some(texture) = scene.textures.get(slot.texture as usize) else {
            return Ok(None);
        };
        let Some(image) = scene.images.get(texture.image as usize) else {
            return Ok(None);
        };
        let picture = match decode(&image.bytes, &ctx.limits) {
            Ok(picture) => picture,
            // An undecodable texture leaves the plain colour.
            Err(Error::Corrupt(_) | Error::TooLarge(_)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let picture = match picture.width().max(picture.height()) > TEXTURE_SIDE {
            true => picture.thumbnail(TEXTURE_SIDE, TEXTURE_SIDE),
            false => picture,
        };
        let picture = picture.to_rgba8();
        let texel = |p: &image::Rgba<u8>| {
            let [r, g, b, a] = p.0;
            [
                table[usize::from(r)],
                table[usize::from(g)],
                table[usize::from(b)],
                f32::from(a) / 255.0,
            ]
        };
        let clamp = texture.sampler.wrap_s == 33071 && texture.sampler.wrap_t == 33071;
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        Ok(Some(Texels {
            width,
            height,
            rows: picture.pixels().map(texel).collect(),
            clamp,
            slot,
        }))
    };
    let mut looks = Vec::with_capacity(scene.materials.len());
    for m in &scene.materials {
        looks.push(Look {
            color: m.base_color,
            texture: load(m.base_color_texture)?,
            // Textures of metal and roughness are not looked at: a middle way.
            metallic: if m.metallic_roughness_texture.is_some() {
                m.metallic * 0.3
            } else {
                m.metallic
            },
            roughness: if m.metallic_roughness_texture.is_some() {
                m.roughness * 0.6
            } else {
                m.roughness
            },
            emissive: m.emissive,
            emissive_texture: load(m.emissive_texture)?,
            alpha: m.alpha_mode,
            cutoff: m.alpha_cutoff,
            unlit: m.extensions.contains_key("KHR_materials_unlit"),
        });
    }
    Ok(looks)
}

impl Texels {
    fn sample(&self, uv: [f32; 2]) -> [f32; 4] {
        let uv = match self.slot.transform {
            Some(t) => {
                let (sin, cos) = t.rotation.sin_cos();
                let (x, y) = (uv[0] * t.scale[0], uv[1] * t.scale[1]);
                [
                    x * cos + y * sin + t.offset[0],
                    y * cos - x * sin + t.offset[1],
                ]
            }
            None => uv,
        };
        if self.rows.is_empty() || !uv.iter().all(|v| v.is_finite()) {
            return [1.0; 4];
        }
        let wrap = |v: f32| {
            if self.clamp {
                v.clamp(0.0, 0.999_999)
            } else {
                v - v.floor()
            }
        };
        let x = wrap(uv[0]) * self.width as f32 - 0.5;
        let y = wrap(uv[1]) * self.height as f32 - 0.5;
        let (fx, fy) = (x - x.floor(), y - y.floor());
        let texel = |dx: i64, dy: i64| {
            let i = (x.floor() as i64 + dx).rem_euclid(self.width as i64) as usize;
            let j = (y.floor() as i64 + dy).rem_euclid(self.height as i64) as usize;
            self.rows[j * self.width + i]
        };
        let (a, b, c, d) = (texel(0, 0), texel(1, 0), texel(0, 1), texel(1, 1));
        [0, 1, 2, 3].map(|k| {
            let top = a[k] * (1.0 - fx) + b[k] * fx;
            let bottom = c[k] * (1.0 - fx) + d[k] * fx;
            top * (1.0 - fy) + bottom * fy
        })
    }
}

/// Premultiplied linear colours of all samples.
pub fn shade(
    pieces: &[Piece],
    looks: &[Look],
    layers: &Layers,
    camera: &Camera,
    ground: Option<&Ground>,
    side: u32,
) -> Vec<[f32; 4]> {
    let side = side as usize;
    let hits = layers.solid.par_iter().zip(&layers.clear).enumerate();
    hits.map(|(i, (solid, clear))| {
        let ray = camera.ray((i % side) as f64 + 0.5, (i / side) as f64 + 0.5);
        let mut color = match surface(pieces, looks, solid, ray) {
            Some([r, g, b, _]) => [r, g, b, 1.0],
            None => [
                0.0,
                0.0,
                0.0,
                ground.map_or(0.0, |g| g.opacity(camera.eye, ray)),
            ],
        };
        if clear.depth < solid.depth
            && let Some([r, g, b, a]) = surface(pieces, looks, clear, ray)
        {
            let below = 1.0 - a;
            color = [
                r * a + color[0] * below,
                g * a + color[1] * below,
                b * a + color[2] * below,
                a + color[3] * below,
            ];
        }
        color
    })
    .collect()
}

/// Linear colour and alpha of a hit; `None` where nothing is or a cut-out lets through.
fn surface(pieces: &[Piece], looks: &[Look], hit: &Hit, ray: [f64; 3]) -> Option<[f32; 4]> {
    let piece = pieces.get(hit.piece as usize)?;
    let corners = match piece.kind {
        Kind::Triangles => 3,
        Kind::Lines => 2,
        Kind::Points => 1,
    };
    let first = hit.corner as usize;
    let corner = piece.indices.get(first..first + corners)?;
    let weights = [
        1.0 - hit.weights[0] - hit.weights[1],
        hit.weights[0],
        hit.weights[1],
    ];
    let plain = Look {
        color: [0.8, 0.8, 0.8, 1.0],
        texture: None,
        metallic: 0.0,
        roughness: 0.7,
        emissive: [0.0; 3],
        emissive_texture: None,
        alpha: AlphaMode::Opaque,
        cutoff: 0.5,
        unlit: false,
    };
    let look = piece
        .material
        .and_then(|m| looks.get(m as usize))
        .unwrap_or(&plain);
    let uv = blend(&piece.uvs, corner, &weights);
    let mut color = look.color;
    if let (Some(texture), Some(uv)) = (&look.texture, uv) {
        let texel = texture.sample(uv);
        color = [0, 1, 2, 3].map(|k| color[k] * texel[k]);
    }
    if let Some(vertex) = blend(&piece.colors, corner, &weights) {
        color = [0, 1, 2, 3].map(|k| color[k] * vertex[k]);
    }
    if look.alpha == AlphaMode::Mask && color[3] < look.cutoff {
        return None;
    }
    if look.unlit || piece.kind != Kind::Triangles {
        return Some(color);
    }
    let mut lit = light(color, normal(piece, corner, &weights, ray), ray, look);
    let glow = match (&look.emissive_texture, uv) {
        (Some(texture), Some(uv)) => texture.sample(uv),
        _ => [1.0; 4],
    };
    for k in 0..3 {
        lit[k] = tone(lit[k] + look.emissive[k] * glow[k]);
    }
    Some([lit[0], lit[1], lit[2], color[3]])
}

fn blend<const N: usize>(
    rows: &[[f32; N]],
    corner: &[u32],
    weights: &[f32; 3],
) -> Option<[f32; N]> {
    let mut out = [0.0; N];
    for (&i, weight) in corner.iter().zip(weights) {
        let row = rows.get(i as usize)?;
        for k in 0..N {
            out[k] += row[k] * weight;
        }
    }
    Some(out)
}

/// Unit normal that faces the eye.
fn normal(piece: &Piece, corner: &[u32], weights: &[f32; 3], ray: [f64; 3]) -> [f64; 3] {
    let smooth =
        blend(&piece.normals, corner, weights).and_then(|n| math::normalize(n.map(f64::from)));
    let at = |k: usize| {
        piece
            .positions
            .get(corner[k] as usize)
            .map_or([0.0; 3], |p| p.map(f64::from))
    };
    let flat = || {
        math::normalize(math::cross(
            math::sub(at(1), at(0)),
            math::sub(at(2), at(0)),
        ))
    };
    let n = smooth.or_else(flat).unwrap_or([0.0, 1.0, 0.0]);
    if math::dot(n, ray) > 0.0 {
        n.map(|v| -v)
    } else {
        n
    }
}

/// Key and fill light, a sky above and a floor below.
fn light(color: [f32; 4], n: [f64; 3], ray: [f64; 3], look: &Look) -> [f32; 3] {
    let view = math::normalize(ray).unwrap_or([0.0, 0.0, -1.0]).map(|v| -v);
    let facing = math::dot(n, view).clamp(0.0, 1.0);
    let up = (n[1] * 0.5 + 0.5) as f32;
    let ambient = 0.22 + 0.33 * up;
    let (mut diffuse, mut gloss) = (ambient, 0.0);
    let shininess = f64::from(2.0 / look.roughness.clamp(0.15, 1.0).powi(4)).clamp(2.0, 2000.0);
    for (direction, strength) in [([0.25, 0.8, 0.75], 0.85f32), ([-0.8, 0.25, 0.35], 0.3)] {
        let l = math::normalize(direction).unwrap_or([0.0, 1.0, 0.0]);
        diffuse += strength * math::dot(n, l).max(0.0) as f32;
        let half = math::normalize([0, 1, 2].map(|k| l[k] + view[k])).unwrap_or(n);
        gloss += strength
            * (math::dot(n, half).max(0.0).powf(shininess) * (shininess + 8.0) / 60.0) as f32;
    }
    // A metal shows its surroundings: light above, dark at the horizon's foot.
    let mirror = [0, 1, 2].map(|k| 2.0 * facing * n[k] - view[k]);
    let around = 0.25 + 0.75 * ((mirror[1] * 0.5 + 0.5) as f32).powf(1.5);
    let fresnel = 0.04 + 0.5 * (1.0 - look.roughness) * (1.0 - facing as f32).powi(5);
    [0, 1, 2].map(|k| {
        let base = color[k];
        let matte = base * diffuse * (1.0 - look.metallic);
        let metal = base * (around + gloss) * look.metallic;
        matte + metal + (gloss * fresnel + around * fresnel * 0.5) * (1.0 - look.metallic)
    })
}

/// Softens what is brighter than white, leaves the rest nearly as it is.
fn tone(v: f32) -> f32 {
    if v <= 0.8 {
        v
    } else {
        0.8 + 0.2 * (1.0 - (-(v - 0.8) / 0.2).exp())
    }
}
