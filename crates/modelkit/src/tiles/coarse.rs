//! Levels above the tiles: neighbours merged, a quarter of their triangles, half of
//! their texture's resolution.

use super::geo::Frame;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::scene::math::Mat4;
use crate::scene::{Bounds, Image, Material, Node, Primitive, Sampler, Scene, TextureRef, decode};
use crate::{Error, Result, lighten};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, Rgb, RgbImage};
use std::collections::HashMap;
use std::sync::Arc;

/// Sides of the picture a tile hands up, in pixels.
const SIDES: (u32, u32) = (64, 512);
/// Triangles a tile hands up.
const TRIANGLES: (usize, usize) = (200, 4_000);
const JPEG_QUALITY: u8 = 82;

/// A coarse copy of a tile: one mesh, one picture. Positions are z up.
pub struct Proxy {
    pub positions: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u32>,
    picture: RgbImage,
    /// Metres the mesh may be off.
    pub error: f64,
}

/// Pictures side by side, all of one size.
struct Atlas {
    picture: RgbImage,
    across: u32,
}

impl Atlas {
    fn new(cells: usize, side: u32) -> Atlas {
        let across = (cells as f64).sqrt().ceil().max(1.0) as u32;
        let rows = (cells as u32).div_ceil(across).max(1);
        let cell = (side / across).max(4);
        Atlas {
            picture: RgbImage::new(cell * across, cell * rows),
            across,
        }
    }

    fn cell(&self) -> u32 {
        self.picture.width() / self.across
    }

    fn put(&mut self, at: usize, picture: &RgbImage) {
        let cell = self.cell();
        let fitted = match picture.dimensions() == (cell, cell) {
            true => picture.clone(),
            false if picture.width() >= cell && picture.height() >= cell => {
                imageops::thumbnail(picture, cell, cell)
            }
            false => imageops::resize(picture, cell, cell, FilterType::Triangle),
        };
        let (x, y) = (
            at as u32 % self.across * cell,
            at as u32 / self.across * cell,
        );
        imageops::replace(&mut self.picture, &fitted, i64::from(x), i64::from(y));
    }

    /// UVs of one picture as UVs of the atlas, half a pixel inside the cell.
    fn place(&self, at: usize, uv: [f32; 2]) -> [f32; 2] {
        let cell = self.cell() as f32;
        let size = [self.picture.width() as f32, self.picture.height() as f32];
        let corner = [at as u32 % self.across, at as u32 / self.across].map(|c| c as f32 * cell);
        std::array::from_fn(|k| {
            let inside = uv[k].clamp(0.0, 1.0) * (cell - 1.0) + 0.5;
            (corner[k] + inside) / size[k]
        })
    }
}

impl Proxy {
    /// Of a tile's scenes, which are Y up.
    pub fn of_scenes(scenes: &[Scene], ctx: &Ctx) -> Result<Option<Proxy>> {
        let triangles: usize = scenes.iter().map(Scene::triangle_count).sum();
        if triangles == 0 {
            return Ok(None);
        }
        let cells = cells(scenes, &ctx.limits);
        let pixels: u64 = cells
            .pictures
            .iter()
            .map(|p| u64::from(p.width()) * u64::from(p.height()))
            .sum();
        let side = ((pixels as f64).sqrt() / 2.0) as u32;
        let side = side.next_power_of_two().clamp(SIDES.0, SIDES.1);
        let mut atlas = Atlas::new(cells.pictures.len(), side);
        for (at, picture) in cells.pictures.iter().enumerate() {
            atlas.put(at, picture);
        }
        let mut proxy = Proxy {
            positions: Vec::new(),
            uvs: Vec::new(),
            indices: Vec::new(),
            picture: RgbImage::new(1, 1),
            error: 0.0,
        };
        for (number, scene) in scenes.iter().enumerate() {
            for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
                let cell = cells.of.get(&(number, p.material)).copied().unwrap_or(0);
                let base = proxy.positions.len() as u32;
                proxy
                    .positions
                    .extend(p.positions.iter().map(|&[x, y, z]| [x, -z, y]));
                let uvs = p.uvs.first();
                proxy.uvs.extend((0..p.positions.len()).map(|i| {
                    let uv = uvs.and_then(|u| u.get(i)).copied().unwrap_or([0.5; 2]);
                    atlas.place(cell, uv)
                }));
                proxy.indices.extend(p.indices.iter().map(|i| i + base));
            }
        }
        proxy.picture = atlas.picture;
        let wanted = (triangles / 4).clamp(TRIANGLES.0, TRIANGLES.1);
        proxy.simplify(wanted, ctx)?;
        Ok(Some(proxy))
    }

    /// Neighbours as one, at the same resolution.
    pub fn merged(parts: &[Proxy]) -> Proxy {
        let side = parts.iter().map(|p| p.picture.width()).max().unwrap_or(1);
        let across = (parts.len() as f64).sqrt().ceil() as u32;
        let mut atlas = Atlas::new(parts.len(), side * across);
        let mut out = Proxy {
            positions: Vec::new(),
            uvs: Vec::new(),
            indices: Vec::new(),
            picture: RgbImage::new(1, 1),
            error: 0.0,
        };
        for (at, part) in parts.iter().enumerate() {
            atlas.put(at, &part.picture);
            let base = out.positions.len() as u32;
            out.positions.extend(&part.positions);
            out.uvs
                .extend(part.uvs.iter().map(|&uv| atlas.place(at, uv)));
            out.indices.extend(part.indices.iter().map(|i| i + base));
            out.error = out.error.max(part.error);
        }
        out.picture = atlas.picture;
        out
    }

    /// What the next level up gets: a quarter of the triangles and pixels.
    pub fn coarser(mut self, ctx: &Ctx) -> Result<Proxy> {
        let (width, height) = self.picture.dimensions();
        let half = |side: u32| (side / 2).clamp(4, SIDES.1);
        self.picture = imageops::thumbnail(&self.picture, half(width), half(height));
        let wanted = (self.indices.len() / 12).clamp(TRIANGLES.0, TRIANGLES.1);
        self.simplify(wanted, ctx)?;
        Ok(self)
    }

    fn simplify(&mut self, wanted: usize, ctx: &Ctx) -> Result<()> {
        let mut scene = Scene::default();
        let primitive = Primitive {
            positions: std::mem::take(&mut self.positions),
            uvs: vec![std::mem::take(&mut self.uvs)],
            indices: std::mem::take(&mut self.indices),
            ..Primitive::default()
        };
        let mesh = scene.add_mesh("", vec![primitive]);
        let node = Node {
            mesh: Some(mesh),
            ..Node::default()
        };
        scene.add_node(node, None);
        let diagonal = scene.bounds().diagonal();
        let error = lighten::simplify_to_count(&mut scene, wanted, ctx)?.error;
        self.error += error * diagonal;
        let Some(mut p) = scene.meshes.pop().and_then(|mut m| m.primitives.pop()) else {
            return Ok(());
        };
        lighten::drop_unused_vertices(&mut p);
        (self.positions, self.indices) = (p.positions, p.indices);
        self.uvs = p.uvs.pop().unwrap_or_default();
        Ok(())
    }

    /// Moves the mesh to another frame.
    pub fn moved(mut self, m: &Mat4) -> Proxy {
        for p in &mut self.positions {
            *p = crate::scene::math::point(m, *p).map(|v| v as f32);
        }
        self
    }

    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        for p in &self.positions {
            bounds.add(p.map(f64::from));
        }
        bounds
    }

    /// Metres a pixel of the picture covers, on average.
    pub fn texel(&self) -> f64 {
        let [x, y, _] = self.bounds().size();
        let pixels = f64::from(self.picture.width()) * f64::from(self.picture.height());
        (x * y / pixels).sqrt()
    }

    /// As a scene, Y up.
    pub fn scene(&self) -> Result<Scene> {
        let mut bytes = Vec::new();
        self.picture
            .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))
            .map_err(|e| Error::Internal(format!("texture encoding: {e}")))?;
        let mut scene = Scene::default();
        let image = Image {
            name: String::new(),
            mime: "image/jpeg",
            bytes: Arc::from(bytes),
            width: self.picture.width(),
            height: self.picture.height(),
            extras: None,
        };
        let sampler = Sampler {
            wrap_s: 33_071,
            wrap_t: 33_071,
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
            uvs: vec![self.uvs.clone()],
            indices: self.indices.clone(),
            material: Some(0),
            ..Primitive::default()
        };
        let mesh = scene.add_mesh("", vec![primitive]);
        let node = Node {
            mesh: Some(mesh),
            ..Node::default()
        };
        scene.add_node(node, None);
        Ok(scene)
    }
}

/// Pictures of the materials, and which scene's material uses which.
struct Cells {
    pictures: Vec<RgbImage>,
    of: HashMap<(usize, Option<u32>), usize>,
}

fn cells(scenes: &[Scene], limits: &Limits) -> Cells {
    let mut cells = Cells {
        pictures: Vec::new(),
        of: HashMap::new(),
    };
    for (number, scene) in scenes.iter().enumerate() {
        for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
            if cells.of.contains_key(&(number, p.material)) {
                continue;
            }
            let material = p.material.and_then(|m| scene.materials.get(m as usize));
            let texture = material.and_then(|m| m.base_color_texture);
            let image = texture
                .and_then(|t| scene.textures.get(t.texture as usize))
                .and_then(|t| scene.images.get(t.image as usize));
            let picture = image
                .and_then(|image| decode(&image.bytes, limits).ok())
                .map(DynamicImage::into_rgb8);
            let color = material.map_or([0.8; 4], |m| m.base_color);
            let flat = || {
                let byte = |v: f32| (v.clamp(0.0, 1.0).powf(1.0 / 2.2) * 255.0) as u8;
                RgbImage::from_pixel(8, 8, Rgb([byte(color[0]), byte(color[1]), byte(color[2])]))
            };
            cells.of.insert((number, p.material), cells.pictures.len());
            cells.pictures.push(picture.unwrap_or_else(flat));
        }
    }
    cells
}

/// Matrix from a tile's frame to the site's.
pub fn between(site: &Frame, tile: &Mat4) -> Mat4 {
    crate::scene::math::mul(&super::geo::inverse_rigid(&site.matrix), tile)
}
