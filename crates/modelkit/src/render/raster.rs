//! Visibility: the triangle, line or point at each sample of a tile.

use super::corners::{cut_out, weights};
use super::geometry::{Geometry, Piece, corners_of};
use super::material::Look;

use super::vector::V3;
use crate::scene::{AlphaMode, Mode};

/// Side of a tile in pixels.
pub const TILE: u32 = 32;
/// Translucent layers kept per sample; farther ones are dropped.
pub const LAYERS: usize = 6;
/// Most tiles a triangle is listed in; larger ones are in a separate list, so that lists stay small.
const MOST_TILES: u32 = 4;
/// Pixels of a row from which on it pays to ask which of them a triangle reaches.
const WIDE: u32 = 6;
/// Error of a coordinate that was calculated from another, as a share of it.
const ROUNDING: f32 = 1e-5;
/// Half the width of a line, in pixels.
const LINE: f32 = 0.7;
/// A line is also on the surface whose edge it draws: its inverse depth is increased by this factor.
const NEARER: f32 = 1.0015;

/// Position of a sample in its pixel, on a grid where no two share a row or a column.
pub fn place<const S: usize>(sample: usize) -> [f32; 2] {
    let bits = S.trailing_zeros();
    // A single sample leaves no bits, and shifting all of them out is not defined.
    let column = (sample as u32).reverse_bits().checked_shr(32 - bits);
    let column = column.unwrap_or_default();
    [
        (column as f32 + 0.5) / S as f32,
        (sample as f32 + 0.5) / S as f32,
    ]
}

/// A hit: inverse depth (0 is nothing) and the number of the object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub near: f32,
    pub number: u32,
}

pub const NOTHING: Hit = Hit {
    near: 0.0,
    number: u32::MAX,
};

/// The hits of a tile's samples; S samples per pixel, rows from the top.
pub struct Tile<const S: usize> {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    /// Nearest opaque surface.
    pub solid: Vec<[Hit; S]>,
    /// Nearest translucent ones, nearest first; empty if the scene has none.
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
    /// Numbers of small objects by tile, and where each tile's list starts.
    listed: Vec<u32>,
    starts: Vec<u32>,
    large: Vec<Large>,
    has_clear: bool,
}

/// First and last pixel an object may touch, or tile.
type Span = [[u32; 2]; 2];

/// An object on many tiles: its number and the tiles, so that the many others need not look at its corners.
struct Large {
    number: u32,
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
        self.each_span(|number, span| {
            let tiles = span.map(|p| p.map(|v| v / TILE));
            let [[x0, y0], [x1, y1]] = tiles;
            if (x1 - x0 + 1) * (y1 - y0 + 1) > MOST_TILES {
                large.push(Large { number, tiles });
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
        let mut listed = vec![0u32; starts.last().map_or(0, |&n| n as usize)];
        self.each_span(|number, span| {
            let [[x0, y0], [x1, y1]] = span.map(|p| p.map(|v| v / TILE));
            if (x1 - x0 + 1) * (y1 - y0 + 1) > MOST_TILES {
                return;
            }
            for y in y0..=y1 {
                for x in x0..=x1 {
                    let slot = &mut next[(y * self.columns + x) as usize];
                    listed[*slot as usize] = number;
                    *slot += 1;
                }
            }
        });
        (self.listed, self.starts, self.large) = (listed, starts, large);
    }

    /// Visits every object inside the image with the first and last pixel it may touch.
    fn each_span(&self, mut visit: impl FnMut(u32, Span)) {
        for (index, piece) in self.geometry.pieces.iter().enumerate() {
            let corners = corners_of(piece.mode);
            for (k, corner) in piece.indices.chunks_exact(corners).enumerate() {
                if let Some(span) = self.span(index, piece.mode, corner) {
                    visit(self.geometry.starts[index] + k as u32, span);
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

    pub fn draw<const S: usize>(&self, tile: usize) -> Tile<S> {
        let [left, top, width, height] = self.rectangle(tile);
        let pixels = (width * height) as usize;
        let clear = if self.has_clear { pixels } else { 0 };
        let mut out = Tile {
            left,
            top,
            width,
            height,
            solid: vec![[NOTHING; S]; pixels],
            clear: vec![[[NOTHING; LAYERS]; S]; clear],
        };
        let places: [[f32; 2]; S] = std::array::from_fn(place::<S>);
        let small = self.starts[tile] as usize..self.starts[tile + 1] as usize;
        let place = [left / TILE, top / TILE];
        let large = self.large.iter().filter(|one| one.is_on(place));
        let large: Vec<u32> = large.map(|one| one.number).collect();
        // Opaque objects first: they hide translucent ones, which then need not be kept.
        for clear in [false, true] {
            if clear && !self.has_clear {
                break;
            }
            let mut index = 0;
            for &number in large.iter().chain(&self.listed[small.clone()]) {
                let first;
                (index, first) = self.geometry.find_near(index, number);
                if self.looks[index].clear == clear {
                    self.thing(&mut out, &places, index, first, number);
                }
            }
        }
        out
    }

    fn thing<const S: usize>(
        &self,
        tile: &mut Tile<S>,
        places: &[[f32; 2]; S],
        index: usize,
        first: usize,
        number: u32,
    ) {
        let piece = &self.geometry.pieces[index];
        let Some(corner) = piece.indices.get(first..first + corners_of(piece.mode)) else {
            return;
        };
        let Some([low, high]) = self.span(index, piece.mode, corner) else {
            return;
        };
        let at = |k: usize| self.projected[index][corner[k] as usize];
        let shape = match piece.mode {
            Mode::Triangles => Form::triangle([at(0), at(1), at(2)]),
            Mode::Lines => Some(Form::Line(at(0), at(1))),
            Mode::Points => Some(Form::Point(at(0), self.point)),
        };
        let Some(shape) = shape else { return };
        let thing = Thing {
            look: &self.looks[index],
            piece,
            corner,
            number,
        };
        let (from_x, to_x) = (
            low[0].max(tile.left),
            high[0].min(tile.left + tile.width - 1),
        );
        let (from_y, to_y) = (
            low[1].max(tile.top),
            high[1].min(tile.top + tile.height - 1),
        );
        for y in from_y..=to_y {
            let (from_x, to_x) = match to_x - from_x < WIDE {
                true => (from_x, to_x),
                false => shape.reach(y as f32, from_x, to_x),
            };
            for x in from_x..=to_x {
                let nears = shape.cover(x as f32, y as f32, places);
                if nears.iter().any(|&near| near > 0.0) {
                    thing.put(tile, &shape, [x, y], places, nears);
                }
            }
        }
    }
}

/// A projected triangle, line or point.
pub enum Form {
    /// Corners, and for each corner's weight its value at the origin and its gradient.
    Triangle([V3; 3], [V3; 3]),
    Line(V3, V3),
    Point(V3, f32),
}

impl Form {
    pub fn triangle([a, b, c]: [V3; 3]) -> Option<Form> {
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area == 0.0 || !area.is_finite() {
            return None;
        }
        let edge = |p: V3, q: V3| {
            let (dx, dy) = (-(q[1] - p[1]) / area, (q[0] - p[0]) / area);
            [-(dx * p[0] + dy * p[1]), dx, dy]
        };
        Some(Form::Triangle(
            [a, b, c],
            [edge(b, c), edge(c, a), edge(a, b)],
        ))
    }

    /// The pixels of a row that it may touch, of those between `from` and `to`; a little more, because of rounding. `from` is
    /// beyond `to` where it touches none.
    pub fn reach(&self, y: f32, from: u32, to: u32) -> (u32, u32) {
        let Form::Triangle([a, b, c], edges) = self else {
            return (from, to);
        };
        let (mut low, mut high) = (from as f32, to as f32);
        for ([_, dx, dy], origin) in edges.iter().zip([b, c, a]) {
            // Where the pixel's best corner reaches the edge, as in `cover`.
            let best = dy * (y - origin[1]) + dx.max(0.0) + dy.max(0.0);
            let away = best / dx;
            let room = 1.0 + (origin[0].abs() + away.abs()) * ROUNDING;
            let at = origin[0] - away;
            // Comparisons are false for what is not a number: then this edge decides nothing.
            if *dx > 0.0 && at - room > low {
                low = at - room;
            }
            if *dx < 0.0 && at + room < high {
                high = at + room;
            }
        }
        match low <= high {
            true => (low as u32, high as u32),
            false => (1, 0),
        }
    }

    /// Inverse depth at each sample of a pixel; 0 if a sample is not covered.
    pub fn cover<const S: usize>(&self, x: f32, y: f32, places: &[[f32; 2]; S]) -> [f32; S] {
        match self {
            Form::Triangle([a, b, c], edges) => {
                // Relative to the pixel, for precision: edge functions have large terms far from the origin.
                let [[_, ax, ay], [_, bx, by], [_, cx, cy]] = *edges;
                let first_a = ax * (x - b[0]) + ay * (y - b[1]);
                let first_b = bx * (x - c[0]) + by * (y - c[1]);
                let first_c = cx * (x - a[0]) + cy * (y - a[1]);
                let mut out = [0.0; S];
                // No sample is inside if the pixel's best corner is outside of an edge.
                let best = |first: f32, dx: f32, dy: f32| first + dx.max(0.0) + dy.max(0.0);
                if best(first_a, ax, ay) < 0.0
                    || best(first_b, bx, by) < 0.0
                    || best(first_c, cx, cy) < 0.0
                {
                    return out;
                }
                for (slot, &[px, py]) in out.iter_mut().zip(places) {
                    let wa = first_a + ax * px + ay * py;
                    let wb = first_b + bx * px + by * py;
                    let wc = first_c + cx * px + cy * py;
                    let near = wa * a[2] + wb * b[2] + wc * c[2];
                    let inside = wa >= 0.0 && wb >= 0.0 && wc >= 0.0;
                    *slot = if inside { near } else { 0.0 };
                }
                out
            }
            Form::Line(a, b) => {
                let d = [b[0] - a[0], b[1] - a[1]];
                let length2 = d[0] * d[0] + d[1] * d[1];
                places.map(|[px, py]| {
                    let p = [x + px - a[0], y + py - a[1]];
                    let t = match length2 > 0.0 {
                        true => ((p[0] * d[0] + p[1] * d[1]) / length2).clamp(0.0, 1.0),
                        false => 0.0,
                    };
                    let away = (p[0] - d[0] * t).hypot(p[1] - d[1] * t);
                    match away <= LINE {
                        true => (a[2] + (b[2] - a[2]) * t) * NEARER,
                        false => 0.0,
                    }
                })
            }
            Form::Point(p, radius) => places.map(|[px, py]| {
                let away = (x + px - p[0]).hypot(y + py - p[1]);
                if away <= *radius { p[2] } else { 0.0 }
            }),
        }
    }
}

struct Thing<'a> {
    look: &'a Look,
    piece: &'a Piece,
    corner: &'a [u32],
    number: u32,
}

impl Thing<'_> {
    fn put<const S: usize>(
        &self,
        tile: &mut Tile<S>,
        shape: &Form,
        [x, y]: [u32; 2],
        places: &[[f32; 2]; S],
        nears: [f32; S],
    ) {
        let pixel = ((y - tile.top) * tile.width + (x - tile.left)) as usize;
        if !self.look.clear && self.look.alpha != AlphaMode::Mask {
            // Most of all objects: nothing to decide at a sample but which is nearer.
            for (solid, near) in tile.solid[pixel].iter_mut().zip(nears) {
                let nearer = near > solid.near;
                solid.near = if nearer { near } else { solid.near };
                solid.number = if nearer { self.number } else { solid.number };
            }
            return;
        }
        for (sample, near) in nears.into_iter().enumerate() {
            let solid = &mut tile.solid[pixel][sample];
            if near <= solid.near {
                continue;
            }
            let [px, py] = places[sample];
            if self.look.alpha == AlphaMode::Mask
                && let Form::Triangle(points, _) = shape
                && cut_out(
                    self.piece,
                    self.look,
                    self.corner,
                    weights(*points, x as f32 + px, y as f32 + py),
                )
            {
                continue;
            }
            let hit = Hit {
                near,
                number: self.number,
            };
            match self.look.clear {
                false => *solid = hit,
                true => insert(&mut tile.clear[pixel][sample], hit),
            }
        }
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
