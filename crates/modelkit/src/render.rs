//! Renders images of models on the CPU: physically based materials in studio lighting, soft shadows, anti-aliasing, a
//! transparent or coloured background; and turntables of many frames.
//! Geometry is scaled into the unit sphere ([`geometry`]); depth maps from many directions give how much light reaches
//! each point ([`shadow`]), computed at few of them ([`sparse`]); tiles of samples resolve visibility ([`raster`]); each visible surface is shaded once per
//! pixel ([`surface`], [`light`]) and the samples become pixels ([`picture`]).

pub(crate) mod camera;
mod corners;
mod facet;
mod file;
pub(crate) mod form;
pub(crate) mod geometry;
pub(crate) mod layout;
mod light;
mod manner;
pub(crate) mod material;
mod picture;
pub(crate) mod raster;
mod sent;
mod shade;
mod shadow;
pub(crate) mod sparse;
mod surface;
pub(crate) mod texture;
mod turntable;
pub(crate) mod vector;

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
use shadow::{Ground, Occluders};
use sparse::{Corners, Tints};
use std::path::Path;
use vector::V3;

pub use file::Kind;
pub(crate) use file::write as write_picture;
pub(crate) use layout::uv_layout;
pub use manner::Manner;
pub use picture::Backdrop;
pub use turntable::{Turntable, turntable};

/// Largest side of an image in pixels.
const MOST_PIXELS: u32 = 4096;
/// Largest zoom.
const MOST_ZOOM: f32 = 32.0;
/// Longest side of an image with sixteen samples in a pixel; larger ones have eight.
const LARGE: u32 = 1536;

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
    /// How often larger than the whole model, 1…32.
    pub zoom: f32,
    pub manner: Manner,
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
            zoom: 1.0,
            manner: Manner::Shaded,
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
        if !(1.0..=MOST_ZOOM).contains(&self.zoom) {
            return Err(Error::Usage(format!("--zoom 须在 1 与 {MOST_ZOOM} 之间")));
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
    let set = Set::prepare(scene, options, ctx)?;
    ctx.report(Stage::Write, 0.4, "正在渲染图片")?;
    set.picture(options, ctx)
}

/// A model prepared for rendering from any direction, in one manner.
pub(crate) struct Set {
    geometry: Geometry,
    looks: Vec<Look>,
    /// None where the manner has even light.
    occluders: Option<Occluders>,
    manner: Manner,
}

impl Set {
    pub(crate) fn prepare(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Set> {
        let mut geometry = Geometry::collect(scene)?;
        let longest = options.size[0].max(options.size[1]);
        // Twice the image size: a texture is rarely seen whole.
        let side = (2 * longest).next_power_of_two().clamp(256, 4096);
        let looks = match options.manner {
            Manner::Shaded => material::looks(scene, &mut geometry, side, ctx)?,
            manner => manner.looks(&mut geometry),
        };
        ctx.report(Stage::Write, 0.2, "正在计算光照")?;
        let occluders = match options.manner.has_shadows() {
            true => Some(Occluders::make(&geometry, &looks, ctx)?),
            false => None,
        };
        Ok(Set {
            geometry,
            looks,
            occluders,
            manner: options.manner,
        })
    }

    /// The same model in a manner of even light.
    pub(crate) fn without_light(mut self, manner: Manner) -> Set {
        Set {
            looks: manner.looks(&mut self.geometry),
            geometry: self.geometry,
            occluders: None,
            manner,
        }
    }

    /// One image; its manner is the one the model was prepared for.
    pub(crate) fn picture(&self, options: &Options, ctx: &Ctx) -> Result<RgbaImage> {
        options.check()?;
        let view = self.view(options);
        let camera = Camera::framed(&self.geometry, view, options.size).closer(options.zoom);
        match options.size[0].max(options.size[1]) > LARGE {
            true => self.shoot::<8>(&camera, options, ctx),
            false => self.shoot::<16>(&camera, options, ctx),
        }
    }

    /// The direction that shows the model best, yaw and pitch in degrees.
    pub(crate) fn best_view(&self) -> [f32; 2] {
        let view = View::of(&self.geometry);
        [view.yaw, view.pitch].map(f32::to_degrees)
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
        let lit = self.occluders.as_ref().map(|o| o.lit(camera.view.yaw));
        let ground = lit.as_ref().filter(|_| options.shadow).map(Ground::below);
        let projected: Vec<Vec<V3>> = self
            .geometry
            .pieces
            .iter()
            .map(|p| p.positions.par_iter().map(|&v| camera.project(v)).collect())
            .collect();
        let corners = |points: &Vec<V3>| Corners::new(points.len());
        let shares: Vec<Corners> = projected.iter().map(corners).collect();
        let tints: Vec<Tints> = match self.manner {
            Manner::Wire => projected.iter().map(|p| Tints::new(p.len())).collect(),
            _ => Vec::new(),
        };
        let spacing = camera.pixels(self.geometry.point_spacing());
        let scenery = Scenery {
            stage: surface::Stage {
                geometry: &self.geometry,
                looks: &self.looks,
                camera,
                turn: camera.view.yaw.sin_cos().into(),
                lit: lit.as_ref(),
                manner: self.manner,
                projected: &projected,
                shares: &shares,
                tints: &tints,
            },
            raster: Raster::new(
                &self.geometry,
                &self.looks,
                &projected,
                spacing.clamp(0.7, 4.0),
                options.size,
            ),
            ground: ground.as_ref().map(|ground| (ground, ground.place(camera))),
            camera,
            backdrop: options.backdrop,
            size: options.size,
        };
        scenery.paint::<S>(ctx)
    }
}
