//! Renders images of models on the CPU: physically based materials in studio lighting, soft shadows, anti-aliasing, a
//! transparent or coloured background; and turntables of many frames.
//! Geometry is scaled into the unit sphere ([`geometry`]); depth maps from many directions give how much light reaches
//! each point ([`shadow`]); tiles of samples resolve visibility ([`raster`]); each visible surface is shaded once per
//! pixel ([`surface`], [`light`]) and the samples become pixels ([`picture`]).

mod camera;
mod file;
mod geometry;
mod light;
mod material;
mod picture;
mod raster;
mod shadow;
mod surface;
mod texture;
mod turntable;
mod vector;

use crate::progress::{Ctx, Stage};
use crate::scene::Scene;
use crate::{Error, Result};
use camera::{Camera, View};
use geometry::Geometry;
use image::RgbaImage;
use material::Look;
use picture::Scenery;
use raster::Raster;
use rayon::prelude::*;
use shadow::{Ground, Lit, Occluders};
use std::path::Path;
use vector::V3;

pub use file::Kind;
pub use picture::Backdrop;
pub use turntable::{Turntable, turntable};

/// Largest side of an image in pixels.
const MOST_PIXELS: u32 = 4096;
/// Triangles up to this many pixels long interpolate the light of their corners.
const SMALL: f32 = 6.0;

/// Options of an image.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Width and height in pixels, 1…4096 each.
    pub size: [u32; 2],
    pub backdrop: Backdrop,
    /// Draw a soft shadow on the ground.
    pub shadow: bool,
    /// Degrees from the front towards the model's left (+x); `None`: a three-quarter view.
    pub yaw: Option<f32>,
    /// Degrees above the horizon, −90…90; `None`: depends on the model's shape.
    pub pitch: Option<f32>,
}

impl Options {
    /// A square image on a transparent background, from the view that shows the model best.
    pub fn square(side: u32) -> Options {
        Options {
            size: [side; 2],
            backdrop: Backdrop::Transparent,
            shadow: true,
            yaw: None,
            pitch: None,
        }
    }

    fn check(&self) -> Result<()> {
        self.size.into_iter().try_for_each(check_size)?;
        let finite = |v: Option<f32>| v.is_none_or(f32::is_finite);
        if !finite(self.yaw) || !self.pitch.is_none_or(|p| (-90.0..=90.0).contains(&p)) {
            return Err(Error::Usage(
                "视角有误：--yaw 须为角度，--pitch 须在 -90 与 90 之间".into(),
            ));
        }
        Ok(())
    }
}

/// Rejects sizes that are invalid or too large.
pub fn check_size(size: u32) -> Result<()> {
    if size == 0 || size > MOST_PIXELS {
        return Err(Error::Usage(format!(
            "缩略图边长须在 1 与 {MOST_PIXELS} 之间"
        )));
    }
    Ok(())
}

/// Renders `scene` to a PNG, JPEG or WebP file, by the extension of `path` (PNG if it has none).
pub fn render(scene: &Scene, path: &Path, options: &Options, ctx: &Ctx) -> Result<()> {
    let kind = Kind::of(path)?;
    let picture = picture(scene, &kind.backdrop(options), ctx)?;
    ctx.report(Stage::Write, 0.95, "正在写入图片")?;
    file::write(&picture, path, kind)?;
    ctx.report(Stage::Write, 1.0, "图片已生成")
}

/// Renders `scene` into memory.
pub fn picture(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<RgbaImage> {
    options.check()?;
    ctx.report(Stage::Write, 0.0, "正在渲染图片")?;
    let studio = Set::prepare(scene, options, ctx)?;
    let view = studio.view(options);
    let camera = Camera::framed(&studio.geometry, view, options.size);
    ctx.report(Stage::Write, 0.4, "正在渲染图片")?;
    studio.shoot::<16>(&camera, options, ctx)
}

/// A model prepared for rendering from any direction.
struct Set {
    geometry: Geometry,
    looks: Vec<Look>,
    occluders: Occluders,
}

impl Set {
    fn prepare(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Set> {
        let mut geometry = Geometry::collect(scene)?;
        let longest = options.size[0].max(options.size[1]);
        // Twice the image size: a texture is rarely seen whole.
        let side = (2 * longest).next_power_of_two().clamp(256, 4096);
        let looks = material::looks(scene, &mut geometry, side, ctx)?;
        ctx.report(Stage::Write, 0.2, "正在计算光照")?;
        let occluders = Occluders::make(&geometry, &looks, ctx)?;
        Ok(Set {
            geometry,
            looks,
            occluders,
        })
    }

    fn view(&self, options: &Options) -> View {
        let chosen = View::of(&self.geometry);
        View {
            yaw: options.yaw.map_or(chosen.yaw, f32::to_radians),
            pitch: options.pitch.map_or(chosen.pitch, f32::to_radians),
        }
    }

    /// One image with `S` samples per pixel.
    fn shoot<const S: usize>(
        &self,
        camera: &Camera,
        options: &Options,
        ctx: &Ctx,
    ) -> Result<RgbaImage> {
        let lit = self.occluders.lit(camera.view.yaw);
        let ground = options.shadow.then(|| Ground::below(&self.geometry, &lit));
        let projected: Vec<Vec<V3>> = self
            .geometry
            .pieces
            .iter()
            .map(|p| p.positions.par_iter().map(|&v| camera.project(v)).collect())
            .collect();
        let shares = self.shares(camera, &lit, &projected);
        let spacing = camera.pixels(self.geometry.point_spacing());
        let scenery = Scenery {
            stage: surface::Stage {
                geometry: &self.geometry,
                looks: &self.looks,
                camera,
                lit: &lit,
                projected: &projected,
                shares: &shares,
            },
            raster: Raster::new(
                &self.geometry,
                &self.looks,
                &projected,
                spacing.clamp(0.7, 4.0),
                options.size,
            ),
            ground: ground.as_ref(),
            camera,
            backdrop: options.backdrop,
            size: options.size,
        };
        scenery.paint::<S>(ctx)
    }

    /// Light at the corners of small triangles that face the camera: many of them share a pixel, and several share a
    /// corner.
    fn shares(&self, camera: &Camera, lit: &Lit, projected: &[Vec<V3>]) -> Vec<Vec<f32>> {
        let pieces = self.geometry.pieces.iter().zip(projected);
        pieces
            .map(|(piece, points)| {
                let mut wanted = vec![false; points.len()];
                for corner in piece.indices.as_chunks::<3>().0 {
                    let at = |k: usize| points.get(corner[k] as usize).copied();
                    let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else {
                        continue;
                    };
                    let span = |k: usize| a[k].max(b[k]).max(c[k]) - a[k].min(b[k]).min(c[k]);
                    if span(0) < SMALL && span(1) < SMALL {
                        corner.iter().for_each(|&i| wanted[i as usize] = true);
                    }
                }
                let one = |(i, wanted): (usize, &bool)| {
                    let (Some(&p), Some(&n)) = (piece.positions.get(i), piece.normals.get(i))
                    else {
                        return f32::NAN;
                    };
                    let view = vector::sub(camera.eye, p);
                    match *wanted && vector::dot(view, n) > 0.0 {
                        true => lit.part(p, n),
                        false => f32::NAN,
                    }
                };
                wanted.par_iter().enumerate().map(one).collect()
            })
            .collect()
    }
}
