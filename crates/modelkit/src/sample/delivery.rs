//! A delivery of oblique photography: a city as OSGB tiles with `metadata.xml`, of
//! any size, made tile by tile.

use super::noise::Dice;
use super::osgb::{self, Dialect, Finer, Listing, Mesh, Piece, Skin};
use crate::{Error, Result};
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};

/// Side of a tile in metres.
const TILE: f32 = 100.0;
/// Cells along a side of each piece.
const CELLS: usize = 16;
/// Side of a piece's picture in pixels.
const PICTURE: u32 = 128;

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Delivery {
    /// Tiles along x and y.
    pub tiles: [usize; 2],
    /// Files below each tile's first; a level has four times the pieces of the one above.
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
    /// Triangles of the finest level of one tile.
    pub fn triangles_of_a_tile(&self) -> usize {
        CELLS * CELLS * 2 * 4usize.pow(self.levels as u32)
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

    /// Hands every file over with its path.
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

    /// One file with a piece a square, and the files below it.
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
        let step = square.side / CELLS as f32;
        let mut mesh = Mesh {
            positions: Vec::new(),
            uvs: Vec::new(),
            indices: Vec::new(),
            listing: Listing::Shorts,
            skin: Some(Skin::File(self.picture(square)?)),
        };
        for j in 0..=CELLS {
            for i in 0..=CELLS {
                let x = square.corner[0] + i as f32 * step;
                let y = square.corner[1] + j as f32 * step;
                mesh.positions.push([x, y, self.height(x, y)]);
                mesh.uvs.push([i, j].map(|v| v as f32 / CELLS as f32));
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

    /// The lot a point lies on: a number of its own, and whether a building covers it.
    fn lot(&self, x: f32, y: f32) -> (f32, bool) {
        const LOT: f32 = 25.0;
        let cell = [(x / LOT).floor(), (y / LOT).floor()];
        let mixed = (cell[0] as i64 as u64).wrapping_mul(73_856_093)
            ^ (cell[1] as i64 as u64).wrapping_mul(19_349_663);
        let roll = Dice::new(self.seed ^ mixed).roll();
        let inside = [x / LOT - cell[0], y / LOT - cell[1]];
        (
            roll,
            inside.iter().all(|v| (0.2..=0.8).contains(v)) && roll > 0.3,
        )
    }

    fn height(&self, x: f32, y: f32) -> f32 {
        let ground = 2.0 * (x / 60.0).sin() + 1.5 * (y / 45.0).cos();
        match self.lot(x, y) {
            (roll, true) => ground + 6.0 + roll * 30.0,
            _ => ground,
        }
    }

    fn picture(&self, square: &Square) -> Result<Vec<u8>> {
        let picture = RgbImage::from_fn(PICTURE, PICTURE, |i, j| {
            let part = |v: u32| (v as f32 + 0.5) / PICTURE as f32 * square.side;
            let (x, y) = (
                square.corner[0] + part(i),
                square.corner[1] + square.side - part(j),
            );
            let (roll, built) = self.lot(x, y);
            let grain = ((x * 3.1).sin() * (y * 2.7).cos() * 14.0) as i32;
            let base: [i32; 3] = match built {
                true => [150 + (roll * 80.0) as i32, 120 + (roll * 60.0) as i32, 110],
                false if roll > 0.3 => [110, 112, 116],
                false => [80, 128, 72],
            };
            Rgb(base.map(|v| (v + grain).clamp(0, 255) as u8))
        });
        let mut bytes = Vec::new();
        picture
            .write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 80))
            .map_err(|e| Error::Internal(format!("texture encoding: {e}")))?;
        Ok(bytes)
    }
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
