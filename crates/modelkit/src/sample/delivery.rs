//! A delivery of oblique photography: a city as OSGB tiles with `metadata.xml`, of any size, generated tile by tile.

mod photo;
mod plan;

use super::noise::paint;
use super::osgb::{self, Dialect, Finer, Listing, Mesh, Piece, Sides, Skin};
use crate::{Error, Result};
use image::codecs::jpeg::JpegEncoder;
use photo::{Side, wall_between};
use plan::{BLOCK, LEAN, LOT, Plan, Use};

/// Side of a tile in metres: a block, so that streets run along the edges of tiles.
const TILE: f32 = BLOCK;
/// Cells along a side of each piece; enough for the walls' lines of four lots and the edges.
const CELLS: usize = 20;
/// Side of a piece's texture in pixels.
const PICTURE: u32 = 256;
/// Metres of texture reserved for the height of a facade.
const FRONT: f32 = 12.0;

/// Parameters of a delivery.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Tiles along x and y.
    pub tiles: [usize; 2],
    /// Levels of files below each tile's root; a level has four times the pieces of the one above.
    pub levels: usize,
    pub seed: u64,
    pub srs: String,
    pub origin: [f64; 3],
    pub dialect: Dialect,
}

impl Default for Delivery {
    fn default() -> Self {
        Delivery {
            tiles: [2, 2],
            levels: 2,
            seed: 1,
            srs: "EPSG:4547".into(),
            origin: [501_027.0, 2_488_718.0, 0.0],
            dialect: Dialect::default(),
        }
    }
}

impl Delivery {
    /// Triangles in the finest level of one tile.
    pub fn triangles_of_a_tile(&self) -> usize {
        CELLS * CELLS * 2 * 4usize.pow(self.levels as u32)
    }

    /// Files the delivery consists of.
    pub fn files(&self) -> usize {
        let below: usize = (0..self.levels as u32).map(|level| 4usize.pow(level)).sum();
        1 + self.tiles[0] * self.tiles[1] * (1 + below)
    }

    /// A square of tiles with about `triangles` triangles in the finest level.
    pub fn sized(triangles: usize, seed: u64) -> Delivery {
        let mut out = Delivery {
            seed,
            ..Delivery::default()
        };
        let tiles = triangles
            .div_ceil(out.triangles_of_a_tile())
            .clamp(1, 1_000_000);
        let side = (tiles as f64).sqrt().ceil() as usize;
        out.tiles = [side, tiles.div_ceil(side)];
        out
    }

    /// Passes every file with its path to `put`.
    pub fn write(&self, put: &mut dyn FnMut(&str, &[u8]) -> Result<()>) -> Result<()> {
        let [x, y, z] = self.origin;
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<ModelMetadata version=\"1\">\n\t<SRS>{}</SRS>\n\t<SRSOrigin>{x},{y},{z}</SRSOrigin>\n</ModelMetadata>\n",
            self.srs.replace('&', "&amp;").replace('<', "&lt;"),
        );
        put("metadata.xml", text.as_bytes())?;
        for i in 0..self.tiles[0] * self.tiles[1] {
            let at = [i % self.tiles[0], i / self.tiles[0]];
            let name = format!("Tile_{:+04}_{:+04}", at[0], at[1]);
            let corner = at.map(|v| v as f32 * TILE);
            let square = Square { corner, side: TILE };
            self.file(&name, "", 0, &[square], put)?;
        }
        Ok(())
    }

    /// One file with a piece per square, and the files below it.
    fn file(
        &self,
        tile: &str,
        suffix: &str,
        level: usize,
        squares: &[Square],
        put: &mut dyn FnMut(&str, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut pieces = Vec::new();
        for (number, square) in squares.iter().enumerate() {
            let own = format!("{suffix}{number}");
            let finer = (level < self.levels).then(|| Finer {
                file: format!("{tile}_L{}_{own}.osgb", 16 + level),
                pixels: 200.0,
                center: [
                    f64::from(square.corner[0] + square.side / 2.0),
                    f64::from(square.corner[1] + square.side / 2.0),
                    20.0,
                ],
                radius: f64::from(square.side) * 0.75,
            });
            pieces.push(Piece {
                mesh: self.mesh(square)?,
                finer,
            });
        }
        let name = match level {
            0 => tile.to_owned(),
            _ => format!("{tile}_L{}_{suffix}", 15 + level),
        };
        let path = format!("Data/{tile}/{name}.osgb");
        put(&path, &osgb::write(&pieces, None, self.dialect))?;
        if level < self.levels {
            for (number, square) in squares.iter().enumerate() {
                let own = format!("{suffix}{number}");
                self.file(tile, &own, level + 1, &square.quarters(), put)?;
            }
        }
        Ok(())
    }

    fn mesh(&self, square: &Square) -> Result<Mesh> {
        let plan = Plan { seed: self.seed };
        let lines = [0, 1].map(|axis| Lines::of(&plan, axis, square.corner[axis], square.side));
        let mut mesh = Mesh {
            positions: Vec::new(),
            uvs: Vec::new(),
            indices: Vec::new(),
            listing: Listing::Shorts,
            sides: Sides::default(),
            unit: 0,
            skin: Some(Skin::File(photo(&plan, &lines)?)),
        };
        for (&y, &v) in lines[1].at.iter().zip(&lines[1].picture) {
            for (&x, &u) in lines[0].at.iter().zip(&lines[0].picture) {
                mesh.positions.push([x, y, plan.height(x, y)]);
                mesh.uvs.push([u, v]);
            }
        }
        for j in 0..CELLS {
            for i in 0..CELLS {
                let a = (j * (CELLS + 1) + i) as u32;
                let (b, d) = (a + 1, a + CELLS as u32 + 1);
                mesh.indices.extend([a, b, d + 1, a, d + 1, d]);
            }
        }
        Ok(mesh)
    }
}

/// Grid lines of a piece along one axis: at its edges, at the foot and the top of every wall, the rest in between.
struct Lines {
    /// Metres.
    at: Vec<f32>,
    /// Share of the texture, 0…1; a wall gets more than its footprint.
    picture: Vec<f32>,
    /// For each cell: the direction it faces, if it is a wall.
    walls: Vec<Option<f32>>,
}

impl Lines {
    fn of(plan: &Plan, axis: usize, from: f32, side: f32) -> Lines {
        let to = from + side;
        let mut at = vec![from, to];
        for number in (from / LOT).floor() as i64..(to / LOT).ceil() as i64 {
            let [low, high] = plan.walls(axis, number);
            at.extend([low, low + LEAN, high - LEAN, high]);
        }
        at.retain(|t| (from..=to).contains(t));
        at.sort_by(f32::total_cmp);
        at.truncate(CELLS + 1);
        while at.len() < CELLS + 1 {
            let gap = |i: usize| at[i + 1] - at[i];
            let widest = (0..at.len() - 1).max_by(|&a, &b| gap(a).total_cmp(&gap(b)));
            let i = widest.unwrap_or(0);
            at.insert(i + 1, (at[i] + at[i + 1]) / 2.0);
        }
        let wall = |pair: &[f32]| wall_between(plan, axis, pair[0], pair[1]);
        let walls: Vec<Option<f32>> = at.windows(2).map(wall).collect();
        let widths = at.windows(2).zip(&walls).map(|(pair, wall)| match wall {
            Some(_) => FRONT,
            None => pair[1] - pair[0],
        });
        let mut picture = vec![0.0];
        let mut sum = 0.0;
        for width in widths {
            sum += width;
            picture.push(sum);
        }
        for t in &mut picture {
            *t /= sum;
        }
        Lines { at, picture, walls }
    }

    /// The cell at a position in the texture, and the position within the cell.
    fn find(&self, t: f32) -> (usize, f32) {
        let cell = self.picture.partition_point(|&p| p <= t).clamp(1, CELLS) - 1;
        let width = self.picture[cell + 1] - self.picture[cell];
        (cell, ((t - self.picture[cell]) / width).clamp(0.0, 1.0))
    }

    fn place(&self, cell: usize, part: f32) -> f32 {
        self.at[cell] + (self.at[cell + 1] - self.at[cell]) * part
    }
}

/// The texture of a piece: the ground and the roofs from above, the facades in the strips between.
fn photo(plan: &Plan, [across, down]: &[Lines; 2]) -> Result<Vec<u8>> {
    let picture = paint(PICTURE, PICTURE, |u, v| {
        let (i, fx) = across.find(u);
        // Rows of the texture run from the top.
        let (j, fy) = down.find(1.0 - v);
        let (x, y) = (across.place(i, fx), down.place(j, fy));
        let lot = plan.lot(x, y);
        let up = |part: f32, side: f32| if side < 0.0 { part } else { 1.0 - part };
        match (across.walls[i], down.walls[j]) {
            _ if lot.kind == Use::Park => plan.roof_and_ground(x, y),
            (Some(side), _) if plan.near_wall(x, y) <= 0.0 => {
                plan.front(&lot, Side::X(side), y, up(fx, side))
            }
            (_, Some(side)) if plan.near_wall(x, y) <= 0.0 => {
                plan.front(&lot, Side::Y(side), x, up(fy, side))
            }
            _ => plan.roof_and_ground(x, y),
        }
    });
    let mut bytes = Vec::new();
    picture
        .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 82))
        .map_err(|e| Error::Internal(format!("texture encoding: {e}")))?;
    Ok(bytes)
}

/// A part of the ground.
#[derive(Clone, Copy)]
struct Square {
    corner: [f32; 2],
    side: f32,
}

impl Square {
    fn quarters(&self) -> [Square; 4] {
        let half = self.side / 2.0;
        [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].map(|[x, y]| Square {
            corner: [self.corner[0] + x * half, self.corner[1] + y * half],
            side: half,
        })
    }
}
