//! The textures of a tile: parts that no triangle shows lose their detail, then the requested format is applied.
//! The atlases of photogrammetry are mosaics of small pieces with large gaps: in real deliveries a fifth of the pixels
//! is drawn, and almost half of the bytes is spent on the rest.

use super::Options;
use crate::Result;
use crate::lighten::{TexturePlan, apply_textures};
use crate::progress::Ctx;
use crate::scene::{Primitive, Scene, TextureRef};
use codecs::{Wanted, recompress_jpeg};
use rayon::prelude::*;
use std::sync::Arc;

/// Pixels around a triangle that texture filtering reaches.
const MARGIN: f32 = 1.0;

/// If formats are kept, every pixel that a triangle shows stays unchanged.
pub fn pack(scene: &mut Scene, options: &Options, ctx: &Ctx) -> Result<()> {
    let wanted = wanted(scene);
    let most = ctx.limits.image_pixels;
    let jobs = scene.images.par_iter_mut().zip(wanted).with_max_len(1);
    jobs.filter(|(image, _)| image.mime == "image/jpeg")
        .for_each(|(image, wanted)| {
            if let Some(bytes) = recompress_jpeg(&image.bytes, wanted.as_ref(), most) {
                image.bytes = Arc::from(bytes);
            }
        });
    let plan = TexturePlan {
        format: options.textures,
        most: options.texture_max,
        frugal: true,
        ..TexturePlan::default()
    };
    apply_textures(scene, &plan, ctx)
}

/// The parts of each image that triangles show; `None` if that cannot be determined.
fn wanted(scene: &Scene) -> Vec<Option<Wanted>> {
    let sized = |i: &crate::scene::Image| Some(Wanted::nothing(i.width, i.height));
    let mut out: Vec<Option<Wanted>> = scene.images.iter().map(sized).collect();
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        let Some(material) = p.material.and_then(|m| scene.materials.get(m as usize)) else {
            continue;
        };
        let color = material.base_color_texture;
        for (_, texture) in material.texture_uses() {
            let image = scene
                .textures
                .get(texture as usize)
                .map(|t| t.image as usize);
            let Some(slot) = image.and_then(|i| out.get_mut(i)) else {
                continue;
            };
            let plain =
                |t: &TextureRef| t.texture == texture && t.uv_set == 0 && t.transform.is_none();
            let known = slot.take().filter(|_| color.as_ref().is_some_and(plain));
            let size = image.map(|i| &scene.images[i]).map(|i| [i.width, i.height]);
            if let (Some(mut known), Some(size)) = (known, size)
                && add(&mut known, p, size)
            {
                *slot = Some(known);
            }
        }
    }
    out
}

/// Adds a primitive's triangles; `false` if some extend beyond the image's edge.
fn add(wanted: &mut Wanted, p: &Primitive, [width, height]: [u32; 2]) -> bool {
    let Some(uvs) = p.uvs.first() else {
        return true;
    };
    for t in p.indices.as_chunks::<3>().0 {
        let corners = t.map(|i| uvs.get(i as usize).copied().unwrap_or_default());
        if !corners.iter().flatten().all(|v| (0.0..=1.0).contains(v)) {
            return false;
        }
        wanted.add(
            corners.map(|[u, v]| [u * width as f32, v * height as f32]),
            MARGIN,
        );
    }
    true
}

/// Size of a pixel of the colour textures on the surface in metres; `None` without textures.
pub fn texel(scene: &Scene) -> Option<f64> {
    let (mut surface, mut pixels) = (0.0, 0.0);
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        let material = p.material.and_then(|m| scene.materials.get(m as usize));
        let image = material
            .and_then(|m| m.base_color_texture)
            .and_then(|t| scene.textures.get(t.texture as usize))
            .and_then(|t| scene.images.get(t.image as usize));
        let (Some(image), Some(uvs)) = (image, p.uvs.first()) else {
            continue;
        };
        let size = f64::from(image.width) * f64::from(image.height);
        for &[a, b, c] in p.indices.as_chunks::<3>().0 {
            let corners = [a, b, c].map(|i| i as usize);
            let [p0, p1, p2] = corners.map(|i| p.positions[i].map(f64::from));
            let [t0, t1, t2] = corners.map(|i| uvs[i].map(f64::from));
            use crate::scene::math::{cross, dot, sub};
            let normal = cross(sub(p1, p0), sub(p2, p0));
            surface += dot(normal, normal).sqrt();
            let turn = (t1[0] - t0[0]) * (t2[1] - t0[1]) - (t2[0] - t0[0]) * (t1[1] - t0[1]);
            pixels += turn.abs() * size;
        }
    }
    let texel = (surface / pixels).sqrt();
    (texel.is_finite() && texel > 0.0).then_some(texel)
}

/// The step to which a tile's positions are rounded: a power of two, so that tiles share it, and at most an eighth of a
/// pixel.
pub fn step(texel: f64) -> f32 {
    2f64.powi((texel / 8.0).log2().floor().clamp(-30.0, 10.0) as i32) as f32
}
