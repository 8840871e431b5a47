//! 3D Tiles 1.1 tilesets.

use crate::scene::Bounds;
use crate::scene::math::{self, Mat4};
use crate::{Error, Result};
use serde_json::{Value, json};
use std::path::Path;

/// Error in pixels at which viewers refine, the usual default: a tile whose texels (or edges) are `s` metres large has
/// an error of 16 · s.
pub const PIXELS: f64 = 16.0;

/// One tile. The box is in the tile's own frame, z up.
#[derive(Debug, Clone, Default)]
pub struct Tile {
    pub bounds: Bounds,
    /// Metres, at least that of every child.
    pub error: f64,
    /// To the parent's frame.
    pub transform: Option<Mat4>,
    pub uri: Option<String>,
    pub children: Vec<Tile>,
}

impl Tile {
    /// Adds children: the box is extended by theirs (already in this tile's frame), the error is at least theirs.
    pub fn adopt(&mut self, children: Vec<Tile>) {
        for child in &children {
            for corner in child.corners() {
                self.bounds.add(corner);
            }
            self.error = self.error.max(child.error);
        }
        self.children.extend(children);
    }

    /// Corners of the box in the parent's frame.
    pub fn corners(&self) -> [[f64; 3]; 8] {
        let b = &self.bounds;
        let m = self.transform.unwrap_or(math::IDENTITY);
        std::array::from_fn(|i| {
            let pick = |axis: usize| match i >> axis & 1 {
                0 => b.min[axis],
                _ => b.max[axis],
            };
            let [x, y, z] = [pick(0), pick(1), pick(2)];
            std::array::from_fn(|r| m[r] * x + m[4 + r] * y + m[8 + r] * z + m[12 + r])
        })
    }

    /// Extends the box for positions rounded to multiples of `step`.
    pub fn round_to(&mut self, step: Option<f32>) {
        let by = f64::from(step.unwrap_or(0.0)) / 2.0;
        for axis in 0..3 {
            self.bounds.min[axis] -= by;
            self.bounds.max[axis] += by;
        }
    }

    pub fn json(&self) -> Value {
        let mut out =
            json!({"boundingVolume": {"box": volume(&self.bounds)}, "geometricError": self.error});
        if let Some(transform) = &self.transform {
            out["transform"] = json!(transform);
        }
        out["refine"] = "REPLACE".into();
        if let Some(uri) = &self.uri {
            out["content"] = json!({"uri": uri});
        }
        if !self.children.is_empty() {
            out["children"] = self.children.iter().map(Tile::json).collect();
        }
        out
    }

    /// Number of tiles including this one, and their depth.
    pub fn count(&self) -> (usize, usize) {
        let below = self.children.iter().map(Tile::count);
        let (tiles, depth) = below.fold((0, 0), |(n, d), (cn, cd)| (n + cn, d.max(cd)));
        (tiles + 1, depth + 1)
    }
}

/// A box slightly larger than `bounds`: positions are rounded when they are quantised.
fn volume(bounds: &Bounds) -> [f64; 12] {
    let (center, size) = (bounds.center(), bounds.size());
    let half = size.map(|s| s / 2.0 * 1.0001 + 0.005);
    let mut out = [0.0; 12];
    out[..3].copy_from_slice(&center);
    for axis in 0..3 {
        out[3 + axis * 4] = half[axis];
    }
    out
}

/// Writes `tileset.json` for `root`.
pub fn write(root: &Tile, path: &Path) -> Result<u64> {
    // The error when nothing is shown: larger than any tile's.
    let error = root.error.max(root.bounds.diagonal());
    let json = json!({
        "asset": {"version": "1.1", "generator": concat!("modelkit ", env!("CARGO_PKG_VERSION"))},
        "geometricError": error,
        "root": root.json(),
    });
    let bytes = serde_json::to_vec(&json).map_err(|e| Error::Internal(e.to_string()))?;
    std::fs::write(path, &bytes).map_err(|e| Error::io(path, &e))?;
    Ok(bytes.len() as u64)
}
