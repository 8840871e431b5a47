//! Thumbnails: a small software rasteriser. Three-quarter view, key, fill and
//! ambient light, textures, a soft contact shadow on a transparent ground.

mod camera;
mod raster;
mod shade;
mod shadow;

use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Mode, Scene, bake};
use crate::{Error, Result};
use camera::Camera;
use raster::{Kind, Piece};
use std::path::Path;

/// Samples a pixel and axis.
const SUPERSAMPLING: u32 = 2;
/// Largest thumbnail side in pixels.
const MOST_PIXELS: u32 = 4096;
/// Triangles, lines and points drawn at most; a thumbnail of more is a grey blur anyway.
const MOST_CORNERS: usize = 60_000_000;

/// Refuses sides that are no picture, or none of ours.
pub fn check_size(size: u32) -> Result<()> {
    if size == 0 || size > MOST_PIXELS {
        return Err(Error::Usage(format!(
            "缩略图边长须在 1 与 {MOST_PIXELS} 之间"
        )));
    }
    Ok(())
}

/// Renders `scene` to a square PNG of `size` pixels.
pub fn render(scene: &Scene, path: &Path, size: u32, ctx: &Ctx) -> Result<()> {
    let picture = picture(scene, size, ctx)?;
    let mut out = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut out, image::ImageFormat::Png)
        .map_err(|e| Error::Internal(format!("png encoding: {e}")))?;
    std::fs::write(path, out.into_inner()).map_err(|e| Error::io(path, &e))?;
    ctx.report(Stage::Write, 1.0, "缩略图已生成")
}

/// The picture of [`render`]: `size` × `size` pixels, sRGB with transparent ground.
pub fn picture(scene: &Scene, size: u32, ctx: &Ctx) -> Result<image::RgbaImage> {
    check_size(size)?;
    ctx.report(Stage::Write, 0.0, "正在渲染缩略图")?;
    let pieces = pieces(scene)?;
    let side = size * SUPERSAMPLING;
    let camera = Camera::around(&pieces, side);
    let layers = raster::draw(&pieces, scene, &camera, side);
    ctx.report(Stage::Write, 0.5, "正在渲染缩略图")?;
    let ground = shadow::Ground::below(&pieces);
    let looks = shade::looks(scene, ctx)?;
    let pixels = shade::shade(&pieces, &looks, &layers, &camera, ground.as_ref(), side);
    Ok(shrink(&pixels, size))
}

/// All geometry in world space.
fn pieces(scene: &Scene) -> Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut corners = 0;
    bake(scene, &mut |part| {
        let p = part.primitive;
        corners += p.indices.len();
        Limits::check("渲染索引", corners, MOST_CORNERS)?;
        pieces.push(Piece {
            kind: match p.mode {
                Mode::Triangles => Kind::Triangles,
                Mode::Lines => Kind::Lines,
                Mode::Points => Kind::Points,
            },
            indices: p.indices.clone(),
            uvs: p.uvs.first().cloned().unwrap_or_default(),
            colors: p.colors.clone(),
            material: p.material,
            positions: part.positions,
            normals: part.normals,
        });
        Ok(())
    })?;
    Ok(pieces)
}

/// Averages the samples of each pixel (premultiplied) and encodes to sRGB.
fn shrink(samples: &[[f32; 4]], size: u32) -> image::RgbaImage {
    let side = (size * SUPERSAMPLING) as usize;
    image::RgbaImage::from_fn(size, size, |x, y| {
        let mut sum = [0.0f32; 4];
        for dy in 0..SUPERSAMPLING {
            for dx in 0..SUPERSAMPLING {
                let (sx, sy) = (
                    (x * SUPERSAMPLING + dx) as usize,
                    (y * SUPERSAMPLING + dy) as usize,
                );
                let sample = samples.get(sy * side + sx).copied().unwrap_or_default();
                for k in 0..4 {
                    sum[k] += sample[k];
                }
            }
        }
        let [r, g, b, a] = sum.map(|v| v / (SUPERSAMPLING * SUPERSAMPLING) as f32);
        if a <= 0.0 {
            return image::Rgba([0, 0, 0, 0]);
        }
        let byte = |v: f32| (shade::to_srgb(v / a) * 255.0).round().clamp(0.0, 255.0) as u8;
        image::Rgba([
            byte(r),
            byte(g),
            byte(b),
            (a * 255.0).round().clamp(0.0, 255.0) as u8,
        ])
    })
}
