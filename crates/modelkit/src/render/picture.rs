//! From hits to pixels, and from pixels to files.

use super::camera::Camera;
use super::facet::Facets;
use super::form::{NOBODY, Samples, Taken, place};
use super::manner::{EVEN_LIGHT, Manner};
use super::raster::{LAYERS, NOTHING, Raster, Tile};
use super::sent::Sent;
use super::shadow::Ground;
use super::sparse::{Lattice, Mesh, Squares};
use super::surface::Stage;
use super::texture::{from_byte, to_byte};
use super::vector::{self as v, V3};
use crate::progress::Ctx;
use crate::{Error, Result};
use image::RgbaImage;
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
    /// The shadow, and the part of the picture that it may be in.
    pub ground: Option<(&'a Ground, [[f32; 2]; 2])>,
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

impl Path {
    const OPEN: Path = Path {
        color: [0.0; 3],
        through: [1.0; 3],
    };

    fn meet(&mut self, sent: &Sent) {
        self.color = v::add(self.color, v::mul(self.through, sent.color));
        self.through = v::mul(self.through, sent.through);
    }
}

/// The hits of a tile with what shades them.
struct Canvas<'a, const S: usize> {
    hits: &'a Tile<S>,
    places: [[f32; 2]; S],
    rectangle: [u32; 4],
    /// None where light is even.
    light: Option<[Lattice; 2]>,
    /// Of a wireframe: what is sent by facets on which it changes very slowly, and by others.
    sent: Option<[Squares; 2]>,
    facets: Facets<'a>,
    /// Those of nodes.
    nodes: Facets<'a>,
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
            self.raster.lay(tile, &pixels, &mut picture);
        }
        Ok(picture)
    }

    fn tile<const S: usize>(&self, tile: usize) -> Vec<[u8; 4]> {
        let [left, top, width, height] = self.raster.rectangle(tile);
        let at = |i: u32| [(left + i % width) as f32, (top + i / width) as f32];
        let hits = self.raster.draw::<S>(tile);
        let pixels = 0..width * height;
        if hits.solid.is_empty() {
            if self.ground.is_none() {
                return vec![self.behind(); pixels.len()];
            }
            return pixels.map(|i| self.finish(&Path::OPEN, at(i))).collect();
        }
        let rectangle = [left, top, width, height];
        let meshes = [Mesh::COARSE, Mesh::FINE];
        let is_wire = self.stage.manner == Manner::Wire;
        let mut canvas = Canvas {
            hits: &hits,
            rectangle,
            places: std::array::from_fn(place::<S>),
            light: self
                .stage
                .lit
                .map(|_| meshes.map(|mesh| Lattice::over(rectangle, mesh))),
            sent: is_wire.then(|| [8.0, 2.0].map(|side| Squares::over(rectangle, side))),
            facets: Facets::default(),
            nodes: Facets::default(),
        };
        pixels
            .map(|i| {
                let path = self.pixel(&mut canvas, i as usize, at(i));
                self.finish(&path, at(i))
            })
            .collect()
    }

    /// Light and transmission of a pixel.
    fn pixel<'a, const S: usize>(
        &'a self,
        canvas: &mut Canvas<'a, S>,
        index: usize,
        at: [f32; 2],
    ) -> Path {
        let hits = canvas.hits;
        let (solid, clear) = (&hits.solid[index], hits.clear.get(index));
        let clear = clear.filter(|layers| layers.iter().any(|one| one[0] != NOTHING));
        let Some(layers) = clear else {
            return self.covered(canvas, solid, at);
        };
        let mut paths = [Path::OPEN; S];
        let row = |depth: usize| -> [u32; S] {
            let number = |s: usize| match layers[s][depth] {
                hit if hit.near > solid.near[s] => hit.number,
                _ => NOBODY,
            };
            std::array::from_fn(number)
        };
        let seen = |row: &[u32; S]| row.iter().any(|number| *number != NOBODY);
        for row in (0..LAYERS).map(row).take_while(seen) {
            self.meet(&row, canvas, at, &mut paths);
        }
        self.meet(&solid.number, canvas, at, &mut paths);
        let mut mean = Path {
            color: [0.0; 3],
            through: [0.0; 3],
        };
        for path in paths {
            mean.color = v::add(mean.color, v::scale(path.color, 1.0 / S as f32));
            mean.through = v::add(mean.through, v::scale(path.through, 1.0 / S as f32));
        }
        mean
    }

    /// A pixel of opaque surfaces only: each counts by its share of the samples.
    fn covered<'a, const S: usize>(
        &'a self,
        canvas: &mut Canvas<'a, S>,
        solid: &Samples<S>,
        at: [f32; 2],
    ) -> Path {
        let whole = u32::MAX >> (32 - S);
        match solid.single() {
            Some(NOBODY) => return Path::OPEN,
            Some(number) => return self.share(canvas, number, whole, at),
            None => {}
        }
        let mut mean = Path {
            color: [0.0; 3],
            through: [0.0; 3],
        };
        for (number, samples) in self.groups(solid) {
            let share = samples.count_ones() as f32 / S as f32;
            let path = match number {
                NOBODY => Path::OPEN,
                number => self.share(canvas, number, samples, at),
            };
            mean.color = v::add(mean.color, v::scale(path.color, share));
            mean.through = v::add(mean.through, v::scale(path.through, share));
        }
        mean
    }

    /// The objects of a pixel with the bits of their samples. Triangles of one smooth surface are shaded as the one that has most of
    /// them: within a pixel they look alike. Lines of a wireframe are each triangle's own.
    fn groups<const S: usize>(&self, solid: &Samples<S>) -> impl Iterator<Item = (u32, u32)> {
        let mut groups = [(NOBODY, 0, 0); S];
        let mut count = 0;
        solid.each(|number, samples| {
            let known = groups[..count].iter_mut().find(|(other, ..)| {
                self.stage.manner != Manner::Wire && self.stage.are_joined(*other, number)
            });
            let many = samples.count_ones();
            match known {
                Some((first, most, all)) => {
                    *all |= samples;
                    if many > *most {
                        (*first, *most) = (number, many);
                    }
                }
                None => {
                    groups[count] = (number, many, samples);
                    count += 1;
                }
            }
        });
        let plain = |(number, _, samples): (u32, u32, u32)| (number, samples);
        groups.into_iter().take(count).map(plain)
    }

    /// What an object sends from the middle of its samples, under the mean of its ink.
    fn share<'a, const S: usize>(
        &'a self,
        canvas: &mut Canvas<'a, S>,
        number: u32,
        samples: u32,
        at: [f32; 2],
    ) -> Path {
        let mut path = Path::OPEN;
        let places = Taken::of(&canvas.places, samples);
        let middle = places.middle(at);
        let Some(facet) = self.stage.facet(&mut canvas.facets, number) else {
            return path;
        };
        let stage = &self.stage;
        let (hits, [left, top, width, _]) = (canvas.hits, canvas.rectangle);
        let nodes = &mut canvas.nodes;
        let mut node = |[x, y]: [u32; 2]| {
            let numbers = &hits.solid[(y * width + x) as usize].number;
            let sample = numbers.iter().position(|number| *number != NOBODY)?;
            let [dx, dy] = canvas.places[sample];
            let at = [(left + x) as f32 + dx, (top + y) as f32 + dy];
            stage.node(stage.facet(nodes, numbers[sample])?, at)
        };
        let mut light = |position: V3, normal: V3| match &mut canvas.light {
            Some(lattices) => lattices
                .iter_mut()
                .find_map(|lattice| lattice.light(middle, position, normal, &mut node)),
            None => Some(EVEN_LIGHT),
        };
        let mut send = |at: [f32; 2]| stage.send(facet, at, &mut light);
        let sent = match &mut canvas.sent {
            Some([slow, quick]) => match stage.tinted(facet, middle) {
                Some(sent) => Some(sent),
                None if facet.is_even => slow.get(number, at, send),
                None => quick.get(number, at, send),
            },
            None => send(middle),
        };
        let Some(sent) = sent else { return path };
        let ink = facet.ink.as_ref();
        let inked = ink.map_or(0.0, |ink| ink.mean(&places, middle, at));
        path.meet(&sent.inked(inked));
        path
    }

    /// Passes all paths through the surfaces they hit. Samples on the same object are shaded once, at the mean of their
    /// positions.
    fn meet<'a, const S: usize>(
        &'a self,
        row: &[u32; S],
        canvas: &mut Canvas<'a, S>,
        at: [f32; 2],
        paths: &mut [Path; S],
    ) {
        let row = Samples {
            near: [0.0; S],
            number: *row,
        };
        row.each(|number, samples| {
            if number == NOBODY {
                return;
            }
            let path = self.share(canvas, number, samples, at);
            let sent = Sent {
                color: path.color,
                through: path.through,
            };
            for (sample, path) in paths.iter_mut().enumerate() {
                if samples >> sample & 1 == 1 {
                    path.meet(&sent);
                }
            }
        });
    }

    /// Adds the background and encodes.
    fn finish(&self, path: &Path, at: [f32; 2]) -> [u8; 4] {
        // Nothing of the ground is seen through what covers it.
        let shadow = match path.through == [0.0; 3] {
            true => 0.0,
            false => self.shadow(at),
        };
        if shadow == 0.0 && path.through == [1.0; 3] {
            return self.behind();
        }
        let (color, through) = (path.color, v::scale(path.through, 1.0 - shadow));
        match self.backdrop {
            Backdrop::Color(ground) => {
                let mut out = [0, 0, 0, 255];
                for k in 0..3 {
                    // Uncovered background keeps its exact value.
                    out[k] = match through[k] >= 1.0 {
                        true => ground[k],
                        false if through[k] <= 0.0 => to_byte(color[k]),
                        false => to_byte(color[k] + through[k] * from_byte(ground[k])),
                    };
                }
                out
            }
            Backdrop::Transparent => {
                // Exact over white, also through tinted glass, which a single alpha cannot represent.
                let passes = through[0].min(through[1]).min(through[2]).clamp(0.0, 1.0);
                let alpha = 1.0 - passes;
                let opacity = (alpha * 255.0 + 0.5) as u8;
                if opacity == 0 {
                    return [0; 4];
                }
                let straight = |k: usize| to_byte((color[k] + through[k] - passes) / alpha);
                [straight(0), straight(1), straight(2), opacity]
            }
        }
    }

    /// Opacity of the shadow on the ground.
    fn shadow(&self, at: [f32; 2]) -> f32 {
        let Some((ground, [low, high])) = self.ground else {
            return 0.0;
        };
        let [x, y] = at.map(|v| v + 0.5);
        if x < low[0] || y < low[1] || x > high[0] || y > high[1] {
            return 0.0;
        }
        match ground.opacity(self.camera.eye, self.camera.ray(x, y)) {
            0.0 => 0.0,
            opacity => opacity * self.inner(x, y),
        }
    }

    /// The background where nothing covers it.
    fn behind(&self) -> [u8; 4] {
        match self.backdrop {
            Backdrop::Color([r, g, b]) => [r, g, b, 255],
            Backdrop::Transparent => [0; 4],
        }
    }

    /// 1 inside the image, 0 at its edge: avoids cut-off shadows.
    fn inner(&self, x: f32, y: f32) -> f32 {
        let side = self.size.map(|s| s as f32);
        let away = x.min(y).min(side[0] - x).min(side[1] - y);
        v::smooth(0.0, 0.13, away / side[0].min(side[1]))
    }
}
