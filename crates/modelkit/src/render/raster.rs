//! Visibility: the triangle, line or point at each sample of a tile.

use super::corners::{Between, cut_out};
use super::form::{Form, LINE, NEARER, NOBODY, Samples, place};
use super::geometry::{Geometry, corners_of};
use super::material::Look;
use super::vector::V3;
use crate::scene::{AlphaMode, Mode};
use image::RgbaImage;

/// Side of a tile in pixels.
pub const TILE: u32 = 32;
/// Translucent layers kept per sample; farther ones are dropped.
pub const LAYERS: usize = 6;
/// Most tiles a triangle is listed in; larger ones are in a separate list, so that lists stay small.
const MOST_TILES: u32 = 4;
/// Objects after which a tile is asked whether more can be seen.
const OFTEN: usize = 32;
/// Pixels of a row from which on it pays to ask which of them a triangle reaches.
const WIDE: u32 = 6;

/// A hit of a translucent surface: inverse depth (0 is nothing) and the number of the object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub near: f32,
    pub number: u32,
}

pub const NOTHING: Hit = Hit {
    near: 0.0,
    number: NOBODY,
};

/// The hits of a tile's samples; S samples per pixel, rows from the top.
pub struct Tile<const S: usize> {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    /// Nearest opaque surface; empty if no object is on the tile.
    pub solid: Vec<Samples<S>>,
    /// Least inverse depth in each pixel: what is farther is hidden.
    floor: Vec<f32>,
    /// Nearest translucent ones, nearest first; empty if there are none on the tile.
    pub clear: Vec<[[Hit; LAYERS]; S]>,
}

/// Projected geometry with the candidates of each tile.
pub struct Raster<'a> {
    geometry: &'a Geometry,
    looks: &'a [Look],
    projected: &'a [Vec<V3>],
    point: f32,
    size: [u32; 2],
    columns: u32,
    /// Small objects by tile, and where each tile's list starts.
    listed: Vec<Turn>,
    starts: Vec<u32>,
    large: Vec<Large>,
    has_clear: bool,
}

/// First and last pixel an object may touch, or tile.
type Span = [[u32; 2]; 2];

/// An object's turn in a tile: the nearest is drawn first, because it hides others. Its inverse depth, largest first, and its
/// number, in one number that is quickly sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn(u64);

impl Turn {
    fn of(near: f32, number: u32) -> Turn {
        // Positive floats are in the order of their bits.
        Turn(u64::from(!near.max(0.0).to_bits()) << 32 | u64::from(number))
    }

    fn near(self) -> f32 {
        f32::from_bits(!((self.0 >> 32) as u32))
    }

    fn number(self) -> u32 {
        self.0 as u32
    }
}

/// An object on many tiles: its turn and the tiles, so that the many others need not look at its corners.
struct Large {
    turn: Turn,
    tiles: Span,
}

impl Large {
    fn is_on(&self, [x, y]: [u32; 2]) -> bool {
        let [[x0, y0], [x1, y1]] = self.tiles;
        (x0..=x1).contains(&x) && (y0..=y1).contains(&y)
    }
}

impl<'a> Raster<'a> {
    /// `point` is the radius of points in pixels.
    pub fn new(
        geometry: &'a Geometry,
        looks: &'a [Look],
        projected: &'a [Vec<V3>],
        point: f32,
        size: [u32; 2],
    ) -> Raster<'a> {
        let columns = size[0].div_ceil(TILE);
        let tiles = (columns * size[1].div_ceil(TILE)) as usize;
        let mut raster = Raster {
            geometry,
            looks,
            projected,
            point,
            size,
            columns,
            listed: Vec::new(),
            starts: vec![0; tiles + 1],
            large: Vec::new(),
            has_clear: looks.iter().any(|l| l.clear),
        };
        raster.list();
        raster
    }

    pub fn tiles(&self) -> usize {
        self.starts.len() - 1
    }

    /// Sorts all objects into the tiles' lists: counted first, then filled.
    fn list(&mut self) {
        let mut counts = vec![0u32; self.tiles()];
        let mut large = Vec::new();
        self.each_span(|turn, span| {
            let tiles = span.map(|p| p.map(|v| v / TILE));
            let [[x0, y0], [x1, y1]] = tiles;
            if (x1 - x0 + 1) * (y1 - y0 + 1) > MOST_TILES {
                large.push(Large { turn, tiles });
                return;
            }
            for y in y0..=y1 {
                for x in x0..=x1 {
                    counts[(y * self.columns + x) as usize] += 1;
                }
            }
        });
        let mut starts = vec![0u32; counts.len() + 1];
        for (i, count) in counts.iter().enumerate() {
            starts[i + 1] = starts[i] + count;
        }
        let mut next = starts.clone();
        let mut listed = vec![Turn(0); starts.last().map_or(0, |&n| n as usize)];
        self.each_span(|turn, span| {
            let [[x0, y0], [x1, y1]] = span.map(|p| p.map(|v| v / TILE));
            if (x1 - x0 + 1) * (y1 - y0 + 1) > MOST_TILES {
                return;
            }
            for y in y0..=y1 {
                for x in x0..=x1 {
                    let slot = &mut next[(y * self.columns + x) as usize];
                    listed[*slot as usize] = turn;
                    *slot += 1;
                }
            }
        });
        (self.listed, self.starts, self.large) = (listed, starts, large);
    }

    /// Visits every object inside the image with the first and last pixel it may touch.
    fn each_span(&self, mut visit: impl FnMut(Turn, Span)) {
        for (index, piece) in self.geometry.pieces.iter().enumerate() {
            let corners = corners_of(piece.mode);
            for (k, corner) in piece.indices.chunks_exact(corners).enumerate() {
                if let Some(span) = self.span(index, piece.mode, corner) {
                    let near = |i: &u32| self.projected[index][*i as usize][2];
                    let by = if piece.mode == Mode::Lines {
                        NEARER
                    } else {
                        1.0
                    };
                    let near = corner.iter().map(near).fold(0.0, f32::max) * by;
                    visit(Turn::of(near, self.geometry.starts[index] + k as u32), span);
                }
            }
        }
    }

    fn span(&self, index: usize, mode: Mode, corner: &[u32]) -> Option<Span> {
        let room = match mode {
            Mode::Triangles => 0.0,
            Mode::Lines => LINE,
            Mode::Points => self.point,
        };
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for &i in corner {
            let p = self.projected[index].get(i as usize)?;
            if !p.iter().all(|v| v.is_finite()) {
                return None;
            }
            for k in 0..2 {
                low[k] = low[k].min(p[k] - room);
                high[k] = high[k].max(p[k] + room);
            }
        }
        let most = self.size.map(|s| s as f32);
        if high[0] < 0.0 || high[1] < 0.0 || low[0] >= most[0] || low[1] >= most[1] {
            return None;
        }
        let pixel = |p: [f32; 2]| [0, 1].map(|k| (p[k].max(0.0) as u32).min(self.size[k] - 1));
        Some([pixel(low), pixel(high)])
    }

    /// Left and top pixel of a tile, its width and height.
    pub fn rectangle(&self, tile: usize) -> [u32; 4] {
        let (x, y) = (
            tile as u32 % self.columns * TILE,
            tile as u32 / self.columns * TILE,
        );
        [x, y, TILE.min(self.size[0] - x), TILE.min(self.size[1] - y)]
    }

    /// Lays the pixels of a tile into the picture.
    pub fn lay(&self, tile: usize, pixels: &[[u8; 4]], picture: &mut RgbaImage) {
        let [left, top, width, height] = self.rectangle(tile);
        let all = picture.as_flat_samples_mut().samples;
        let rows = pixels.chunks_exact(width as usize);
        for (y, row) in (top..top + height).zip(rows) {
            let at = ((y * self.size[0] + left) * 4) as usize;
            let bytes = row.as_flattened();
            all[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }

    pub fn draw<const S: usize>(&self, tile: usize) -> Tile<S> {
        let [left, top, width, height] = self.rectangle(tile);
        let mut out = Tile {
            left,
            top,
            width,
            height,
            solid: Vec::new(),
            floor: Vec::new(),
            clear: Vec::new(),
        };
        let small = &self.listed[self.starts[tile] as usize..self.starts[tile + 1] as usize];
        let place_of_tile = [left / TILE, top / TILE];
        let large = self.large.iter().filter(|one| one.is_on(place_of_tile));
        let mut turns: Vec<Turn> = large
            .map(|one| one.turn)
            .chain(small.iter().copied())
            .collect();
        if turns.is_empty() {
            return out;
        }
        turns.sort_unstable();
        let pixels = (width * height) as usize;
        out.solid = vec![Samples::EMPTY; pixels];
        out.floor = vec![0.0; pixels];
        let places: [[f32; 2]; S] = std::array::from_fn(place::<S>);
        // Opaque objects first: they hide translucent ones, which then need not be kept.
        let mut behind = Vec::new();
        let mut index = 0;
        for (count, turn) in turns.into_iter().enumerate() {
            if count % OFTEN == OFTEN - 1 && out.is_full(turn.near()) {
                break;
            }
            let first;
            (index, first) = self.geometry.find_near(index, turn.number());
            match self.has_clear && self.looks[index].clear {
                true => behind.push((index, first, turn)),
                false => self.thing(&mut out, &places, index, first, turn),
            }
        }
        if !behind.is_empty() {
            out.clear = vec![[[NOTHING; LAYERS]; S]; pixels];
        }
        for (index, first, turn) in behind {
            self.thing(&mut out, &places, index, first, turn);
        }
        out
    }

    fn thing<const S: usize>(
        &self,
        tile: &mut Tile<S>,
        places: &[[f32; 2]; S],
        index: usize,
        first: usize,
        turn: Turn,
    ) {
        let piece = &self.geometry.pieces[index];
        let Some(corner) = piece.indices.get(first..first + corners_of(piece.mode)) else {
            return;
        };
        let Some(span) = self.span(index, piece.mode, corner) else {
            return;
        };
        let span = tile.clipped(span);
        if tile.hides(span, turn.near()) {
            return;
        }
        let at = |k: usize| self.projected[index][corner[k] as usize];
        let form = match piece.mode {
            Mode::Triangles => Form::triangle([at(0), at(1), at(2)]),
            Mode::Lines => Some(Form::Line(at(0), at(1))),
            Mode::Points => Some(Form::Point(at(0), self.point)),
        };
        let Some(form) = form else { return };
        let look = &self.looks[index];
        let thing = Thing { look, turn };
        let Form::Triangle(triangle) = &form else {
            tile.visit(span, &form, turn.near(), |tile, pixel, at| {
                let nears = form.cover(at, places);
                thing.put(tile, &|_| false, pixel, nears);
            });
            return;
        };
        let slopes = triangle.slopes(places);
        let number = turn.number();
        if !look.clear && look.alpha != AlphaMode::Mask {
            // Most of all objects: nothing to decide at a sample but which is nearer.
            tile.visit(span, &form, turn.near(), |tile, pixel, at| {
                let samples = &mut tile.solid[pixel];
                triangle.put(&slopes, at, number, samples);
                tile.floor[pixel] = samples.floor();
            });
            return;
        }
        let between = Between::of(triangle.points);
        tile.visit(span, &form, turn.near(), |tile, pixel, at| {
            let mut found = Samples::EMPTY;
            triangle.put(&slopes, at, number, &mut found);
            let cut = |sample: usize| {
                let [x, y] = [0, 1].map(|k| at[k] + places[sample][k]);
                look.alpha == AlphaMode::Mask && cut_out(piece, look, corner, between.weights(x, y))
            };
            thing.put(tile, &cut, pixel, found.near);
        });
    }
}

impl<const S: usize> Tile<S> {
    /// The part of a span within the tile.
    fn clipped(&self, [low, high]: Span) -> Span {
        let (right, bottom) = (self.left + self.width - 1, self.top + self.height - 1);
        [
            [low[0].max(self.left), low[1].max(self.top)],
            [high[0].min(right), high[1].min(bottom)],
        ]
    }

    fn pixel(&self, x: u32, y: u32) -> usize {
        ((y - self.top) * self.width + (x - self.left)) as usize
    }

    /// Whether everything on the span's pixels is nearer.
    fn hides(&self, [low, high]: Span, near: f32) -> bool {
        (low[1]..=high[1]).all(|y| {
            let row = (low[0]..=high[0]).map(|x| self.floor[self.pixel(x, y)]);
            row.into_iter().all(|floor| floor >= near)
        })
    }

    /// Whether everything is nearer, so that nothing more is seen.
    fn is_full(&self, near: f32) -> bool {
        self.floor.iter().all(|floor| *floor >= near)
    }

    /// Visits the pixels of a clipped span that a form may touch, and that do not hide it.
    fn visit(
        &mut self,
        [low, high]: Span,
        form: &Form,
        near: f32,
        mut visit: impl FnMut(&mut Self, usize, [f32; 2]),
    ) {
        for y in low[1]..=high[1] {
            let (from, to) = match high[0].saturating_sub(low[0]) < WIDE {
                true => (low[0], high[0]),
                false => form.reach(y as f32, low[0], high[0]),
            };
            for x in from..=to {
                let pixel = self.pixel(x, y);
                if self.floor[pixel] < near {
                    visit(self, pixel, [x as f32, y as f32]);
                }
            }
        }
    }
}

/// Something that is not just the nearest at a sample.
struct Thing<'a> {
    look: &'a Look,
    turn: Turn,
}

impl Thing<'_> {
    /// Puts it into a pixel, but for samples at which it is `cut` out; `nears` are 0 where it is not.
    fn put<const S: usize>(
        &self,
        tile: &mut Tile<S>,
        cut: &dyn Fn(usize) -> bool,
        pixel: usize,
        nears: [f32; S],
    ) {
        let solid = &mut tile.solid[pixel];
        for (sample, near) in nears.into_iter().enumerate() {
            if near <= solid.near[sample] || cut(sample) {
                continue;
            }
            let number = self.turn.number();
            match self.look.clear {
                false => (solid.near[sample], solid.number[sample]) = (near, number),
                true => insert(&mut tile.clear[pixel][sample], Hit { near, number }),
            }
        }
        tile.floor[pixel] = solid.floor();
    }
}

/// Keeps the nearest hits, in order.
fn insert(layers: &mut [Hit; LAYERS], hit: Hit) {
    let Some(at) = layers.iter().position(|l| l.near < hit.near) else {
        return;
    };
    layers[at..].rotate_right(1);
    layers[at] = hit;
}
