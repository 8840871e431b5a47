//! From hits to pixels, and from pixels to files.

use super::camera::Camera;
use super::manner::Ink;
use super::raster::{Hit, LAYERS, NOTHING, Raster, Tile, place};
use super::shadow::Ground;
use super::sparse::Lattice;
use super::surface::{Sent, Stage};
use super::texture::to_srgb;
use super::vector::{self as v, V3};
use crate::progress::Ctx;
use crate::{Error, Result};
use image::{Rgba, RgbaImage};
use rayon::prelude::*;

/// The background.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Backdrop {
    /// Transparent: alpha 0, the shadow as half-transparent black.
    #[default]
    Transparent,
    /// An sRGB colour.
    Color([u8; 3]),
}

/// Everything an image is made of.
pub struct Scenery<'a> {
    pub stage: Stage<'a>,
    pub raster: Raster<'a>,
    pub ground: Option<&'a Ground>,
    pub camera: &'a Camera,
    pub backdrop: Backdrop,
    pub size: [u32; 2],
}

/// Light along a sample: what has been added, and the transmission of what is behind.
#[derive(Clone, Copy)]
struct Path {
    color: V3,
    through: V3,
}

impl Scenery<'_> {
    /// Renders the whole image with `S` samples per pixel.
    pub fn paint<const S: usize>(&self, ctx: &Ctx) -> Result<RgbaImage> {
        let tiles: Vec<(usize, Vec<[u8; 4]>)> = (0..self.raster.tiles())
            .into_par_iter()
            .map(|tile| {
                if ctx.progress.cancelled() {
                    return Err(Error::Cancelled);
                }
                Ok((tile, self.tile::<S>(tile)))
            })
            .collect::<Result<_>>()?;
        let mut picture = RgbaImage::new(self.size[0], self.size[1]);
        for (tile, pixels) in tiles {
            let [left, top, width, _] = self.raster.rectangle(tile);
            for (i, pixel) in pixels.into_iter().enumerate() {
                let (x, y) = (i as u32 % width, i as u32 / width);
                picture.put_pixel(left + x, top + y, Rgba(pixel));
            }
        }
        Ok(picture)
    }

    fn tile<const S: usize>(&self, tile: usize) -> Vec<[u8; 4]> {
        let [left, top, width, height] = self.raster.rectangle(tile);
        let hits = self.raster.draw::<S>(tile);
        let lattice = Lattice::over([left, top, width, height], &hits.solid, |number, x, y| {
            self.stage.node(number, x, y)
        });
        let pixels = 0..(width * height) as usize;
        pixels
            .map(|i| {
                let (x, y) = (left + i as u32 % width, top + i as u32 / width);
                self.pixel(&hits, &lattice, i, [x as f32, y as f32])
            })
            .collect()
    }

    fn pixel<const S: usize>(
        &self,
        hits: &Tile<S>,
        lattice: &Lattice,
        index: usize,
        at: [f32; 2],
    ) -> [u8; 4] {
        let open = Path {
            color: [0.0; 3],
            through: [1.0; 3],
        };
        let mut paths = [open; S];
        if let Some(layers) = hits.clear.get(index) {
            let solid = &hits.solid[index];
            let row = |depth: usize| -> [Hit; S] {
                let hit = |s: usize| Some(layers[s][depth]).filter(|hit| hit.near > solid[s].near);
                std::array::from_fn(|s| hit(s).unwrap_or(NOTHING))
            };
            let seen = |row: &[Hit; S]| row.iter().any(|hit| *hit != NOTHING);
            for row in (0..LAYERS).map(row).take_while(seen) {
                self.meet(&row, lattice, at, &mut paths);
            }
        }
        self.meet(&hits.solid[index], lattice, at, &mut paths);
        self.finish(&paths, at)
    }

    /// Passes all paths through the surfaces they hit. Samples on the same triangle are shaded once, at the mean of
    /// their positions.
    fn meet<const S: usize>(
        &self,
        row: &[Hit; S],
        lattice: &Lattice,
        at: [f32; 2],
        paths: &mut [Path; S],
    ) {
        let mut done = [false; S];
        for first in 0..S {
            let number = row[first].number;
            if done[first] || number == u32::MAX {
                continue;
            }
            let alike = |sample: &usize| row[*sample].number == number;
            let (mut middle, mut count) = ([0.0; 2], 0.0);
            for sample in (first..S).filter(alike) {
                let [x, y] = place::<S>(sample);
                middle = [middle[0] + x, middle[1] + y];
                count += 1.0;
            }
            let x = at[0] + middle[0] / count;
            let y = at[1] + middle[1] / count;
            let sent = self.stage.send(number, x, y, lattice);
            let ink = self.stage.ink(number);
            for sample in (first..S).filter(alike) {
                done[sample] = true;
                let Some(sent) = sent else { continue };
                let [px, py] = place::<S>(sample);
                let share = |ink: &Ink| ink.at(at[0] + px, at[1] + py);
                paths[sample].meet(&sent.inked(ink.as_ref().map_or(0.0, share)));
            }
        }
    }

    /// Adds the background, averages the samples and encodes.
    fn finish<const S: usize>(&self, paths: &[Path; S], at: [f32; 2]) -> [u8; 4] {
        let shadow = self.ground.map_or(0.0, |ground| {
            let [x, y] = [at[0] + 0.5, at[1] + 0.5];
            ground.opacity(self.camera.eye, self.camera.ray(x, y)) * self.inner(x, y)
        });
        let (mut color, mut through) = ([0.0; 3], [0.0; 3]);
        for path in paths {
            color = v::add(color, v::scale(path.color, 1.0 / S as f32));
            through = v::add(through, v::scale(path.through, (1.0 - shadow) / S as f32));
        }
        let byte = |c: f32| (to_srgb(c) * 255.0).round() as u8;
        match self.backdrop {
            Backdrop::Color(ground) => {
                let mut out = [0, 0, 0, 255];
                for k in 0..3 {
                    // Uncovered background keeps its exact value.
                    out[k] = match through[k] >= 1.0 {
                        true => ground[k],
                        false => {
                            let behind =
                                crate::read::colour::srgb_to_linear(f32::from(ground[k]) / 255.0);
                            byte(color[k] + through[k] * behind)
                        }
                    };
                }
                out
            }
            Backdrop::Transparent => {
                // Exact over white, also through tinted glass, which a single alpha cannot represent.
                let passes = through[0].min(through[1]).min(through[2]).clamp(0.0, 1.0);
                let alpha = 1.0 - passes;
                let opacity = (alpha * 255.0).round() as u8;
                if opacity == 0 {
                    return [0; 4];
                }
                let straight = |k: usize| byte((color[k] + through[k] - passes) / alpha);
                [straight(0), straight(1), straight(2), opacity]
            }
        }
    }

    /// 1 inside the image, 0 at its edge: avoids cut-off shadows.
    fn inner(&self, x: f32, y: f32) -> f32 {
        let side = self.size.map(|s| s as f32);
        let away = x.min(y).min(side[0] - x).min(side[1] - y);
        v::smooth(0.0, 0.13, away / side[0].min(side[1]))
    }
}

impl Path {
    fn meet(&mut self, sent: &Sent) {
        self.color = v::add(self.color, v::mul(self.through, sent.color));
        self.through = v::mul(self.through, sent.through);
    }
}
