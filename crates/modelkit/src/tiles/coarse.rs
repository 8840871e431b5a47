//! Levels above the tiles: neighbours merged, with a quarter of their triangles and half of their texture's resolution.
//! The textures of photogrammetry are mosaics of small pieces that do not survive simplification. The texture of a
//! coarse level is therefore rendered anew, from above.

use super::geo::Frame;
use super::ortho::{Ortho, Shot};
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::math::Mat4;
use crate::scene::{
    Bounds, CLAMP, Image, Material, Node, Primitive, Sampler, Scene, TextureRef, decode,
};
use crate::{Error, Result, lighten};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, Rgb, RgbImage, imageops};
use std::sync::Arc;

/// Range of the side of the image a tile passes to the level above, in pixels.
const SIDES: (u32, u32) = (64, 512);
/// Range of the triangles a tile passes to the level above.
const TRIANGLES: (usize, usize) = (1_000, 8_000);
const JPEG_QUALITY: u8 = 82;

/// A coarse copy of a tile: one mesh without attributes, and an image from above. Positions are Z up.
#[derive(Clone)]
pub struct Proxy {
    positions: Vec<[f32; 3]>,
    indices: Vec<u32>,
    ortho: Ortho,
    /// Geometric error of the mesh in metres.
    pub error: f64,
}

impl Proxy {
    /// From a tile's scenes, which are Y up.
    pub fn of_scenes(scenes: &[Scene], ctx: &Ctx) -> Result<Option<Proxy>> {
        let triangles: usize = scenes.iter().map(Scene::triangle_count).sum();
        if triangles == 0 {
            return Ok(None);
        }
        let pixels: u64 = scenes
            .iter()
            .flat_map(|s| &s.images)
            .map(|i| u64::from(i.width) * u64::from(i.height))
            .sum();
        let side = ((pixels as f64).sqrt() / 2.0) as u32;
        let side = side.next_power_of_two().clamp(SIDES.0, SIDES.1);
        let mut proxy = Proxy {
            positions: Vec::new(),
            indices: Vec::new(),
            ortho: Ortho::default(),
            error: 0.0,
        };
        let mut bounds = Bounds::default();
        for p in scenes
            .iter()
            .flat_map(|s| &s.meshes)
            .flat_map(|m| &m.primitives)
        {
            let base = proxy.positions.len() as u32;
            let up = p.positions.iter().map(|&[x, y, z]| [x, -z, y]);
            proxy.positions.extend(up);
            proxy.indices.extend(p.indices.iter().map(|i| i + base));
        }
        proxy
            .positions
            .iter()
            .for_each(|p| bounds.add(p.map(f64::from)));
        let mut shot = Shot::new(&bounds, side);
        // Source images need no more than twice the resolution of the result.
        let scale = (2.0 * f64::from(side) / (pixels.max(1) as f64).sqrt()).min(1.0);
        for scene in scenes {
            for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
                shot.draw(p, &picture(scene, p, scale, &ctx.limits));
            }
        }
        proxy.ortho = shot.finish();
        let wanted = (triangles / 4).clamp(TRIANGLES.0, TRIANGLES.1);
        proxy.simplify(wanted, ctx)?;
        Ok(Some(proxy))
    }

    /// Merges neighbours at the same resolution.
    pub fn merged(parts: &[Proxy]) -> Proxy {
        let mut out = Proxy {
            positions: Vec::new(),
            indices: Vec::new(),
            ortho: Ortho::merged(parts.iter().map(|p| &p.ortho), 2 * SIDES.1),
            error: 0.0,
        };
        for part in parts {
            let base = out.positions.len() as u32;
            out.positions.extend(&part.positions);
            out.indices.extend(part.indices.iter().map(|i| i + base));
            out.error = out.error.max(part.error);
        }
        out
    }

    /// The copy for the next level up: a quarter of the triangles and pixels.
    pub fn coarser(mut self, ctx: &Ctx) -> Result<Proxy> {
        let picture = &self.ortho.picture;
        let half = |side: u32| (side / 2).clamp(4, SIDES.1);
        let (width, height) = (half(picture.width()), half(picture.height()));
        self.ortho.picture = imageops::thumbnail(picture, width, height);
        let wanted = (self.indices.len() / 12).clamp(TRIANGLES.0, TRIANGLES.1);
        self.simplify(wanted, ctx)?;
        Ok(self)
    }

    fn simplify(&mut self, wanted: usize, ctx: &Ctx) -> Result<()> {
        let mut scene = Scene::default();
        let primitive = Primitive {
            positions: std::mem::take(&mut self.positions),
            indices: std::mem::take(&mut self.indices),
            ..Primitive::default()
        };
        one_mesh(&mut scene, primitive);
        lighten::weld(&mut scene);
        let diagonal = scene.bounds().diagonal();
        let error = lighten::simplify_to_count(&mut scene, wanted, ctx)?.error;
        self.error += error * diagonal;
        let Some(mut p) = scene.meshes.pop().and_then(|mut m| m.primitives.pop()) else {
            return Ok(());
        };
        lighten::drop_unused_vertices(&mut p);
        (self.positions, self.indices) = (p.positions, p.indices);
        Ok(())
    }

    /// Transforms the mesh to another frame whose axes are almost parallel.
    pub fn moved(mut self, m: &Mat4) -> Proxy {
        for p in &mut self.positions {
            *p = crate::scene::math::point(m, *p).map(|v| v as f32);
        }
        self.ortho.shift([m[12], m[13]]);
        self
    }

    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        for p in &self.positions {
            bounds.add(p.map(f64::from));
        }
        bounds
    }

    /// Size of a pixel of the image in metres.
    pub fn texel(&self) -> f64 {
        self.ortho.texel()
    }

    /// As a scene, Y up.
    pub fn scene(&self) -> Result<Scene> {
        let mut bytes = Vec::new();
        let picture = &self.ortho.picture;
        picture
            .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))
            .map_err(|e| Error::Internal(format!("texture encoding: {e}")))?;
        let mut scene = Scene::default();
        let image = Image {
            name: String::new(),
            mime: "image/jpeg",
            bytes: Arc::from(bytes),
            width: picture.width(),
            height: picture.height(),
            was_cmyk: false,
            extras: None,
        };
        let sampler = Sampler {
            wrap_s: CLAMP,
            wrap_t: CLAMP,
            ..Sampler::default()
        };
        let texture = scene.add_texture(image, sampler);
        let mut material = Material::plain("coarse", [1.0; 4]);
        material.base_color_texture = Some(TextureRef {
            texture,
            ..TextureRef::default()
        });
        material.double_sided = true;
        material
            .extensions
            .insert("KHR_materials_unlit".into(), serde_json::json!({}));
        scene.materials.push(material);
        let primitive = Primitive {
            positions: self.positions.iter().map(|&[x, y, z]| [x, z, -y]).collect(),
            uvs: vec![self.positions.iter().map(|p| self.ortho.uv(*p)).collect()],
            indices: self.indices.clone(),
            material: Some(0),
            ..Primitive::default()
        };
        one_mesh(&mut scene, primitive);
        Ok(scene)
    }
}

/// A node with a mesh of one primitive.
fn one_mesh(scene: &mut Scene, primitive: Primitive) {
    let mesh = scene.add_mesh("", vec![primitive]);
    let node = Node {
        mesh: Some(mesh),
        ..Node::default()
    };
    scene.add_node(node, None);
}

/// The texture of a primitive, scaled; its colour if it has none.
fn picture(scene: &Scene, p: &Primitive, scale: f64, limits: &Limits) -> RgbImage {
    let material = p.material.and_then(|m| scene.materials.get(m as usize));
    let image = material
        .and_then(|m| m.base_color_texture)
        .and_then(|t| scene.textures.get(t.texture as usize))
        .and_then(|t| scene.images.get(t.image as usize));
    let decoded = image.and_then(|image| decode(&image.bytes, limits).ok());
    match decoded.map(DynamicImage::into_rgb8) {
        Some(picture) => {
            let fit = |side: u32| ((f64::from(side) * scale).ceil() as u32).max(1);
            let (width, height) = (fit(picture.width()), fit(picture.height()));
            match (width, height) == picture.dimensions() {
                true => picture,
                false => imageops::thumbnail(&picture, width, height),
            }
        }
        None => {
            let color = material.map_or([0.8; 4], |m| {
                m.as_metal().map_or(m.base_color, |m| m.base_color)
            });
            let byte = |v: f32| (v.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8;
            RgbImage::from_pixel(1, 1, Rgb([byte(color[0]), byte(color[1]), byte(color[2])]))
        }
    }
}

/// Matrix from a tile's frame to the site's.
pub fn between(site: &Frame, tile: &Mat4) -> Mat4 {
    crate::scene::math::mul(&super::geo::inverse_rigid(&site.matrix), tile)
}
