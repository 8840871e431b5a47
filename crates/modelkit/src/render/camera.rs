//! The camera: perspective, framed to what it sees.

use super::raster::Piece;
use crate::scene::{Bounds, math};

/// Where the eye stands, seen from the model's middle.
const EYE: [f64; 3] = [0.72, 0.5, 1.0];
/// Half the field of view, as a tangent.
const HALF_VIEW: f64 = 0.25;
/// Part of the picture the model fills; the rest is margin and shadow.
const FILL: f64 = 0.86;

pub struct Camera {
    pub eye: [f64; 3],
    right: [f64; 3],
    up: [f64; 3],
    forward: [f64; 3],
    /// Pixels a unit of tangent, and the picture's middle in tangents.
    zoom: f64,
    middle: [f64; 2],
    half: f64,
}

impl Camera {
    pub fn around(pieces: &[Piece], side: u32) -> Camera {
        let mut bounds = Bounds::default();
        for p in pieces.iter().flat_map(|p| &p.positions) {
            bounds.add(p.map(f64::from));
        }
        let center = bounds.center();
        let radius = (bounds.diagonal() / 2.0).max(1e-9);
        let back = math::normalize(EYE).unwrap_or([0.0, 0.0, 1.0]);
        let distance = radius / HALF_VIEW;
        let eye = [0, 1, 2].map(|k| center[k] + back[k] * distance);
        let forward = back.map(|v| -v);
        let right =
            math::normalize(math::cross(forward, [0.0, 1.0, 0.0])).unwrap_or([1.0, 0.0, 0.0]);
        let up = math::cross(right, forward);
        let half = f64::from(side) / 2.0;
        let mut camera = Camera {
            eye,
            right,
            up,
            forward,
            zoom: 1.0,
            middle: [0.0; 2],
            half,
        };
        camera.frame(pieces);
        camera
    }

    /// Centres and scales the picture to the projected geometry.
    fn frame(&mut self, pieces: &[Piece]) {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in pieces.iter().flat_map(|p| &p.positions) {
            let [x, y, z] = self.view(p.map(f64::from));
            for (axis, v) in [x / z, y / z].into_iter().enumerate() {
                min[axis] = min[axis].min(v);
                max[axis] = max[axis].max(v);
            }
        }
        if min[0] > max[0] {
            return;
        }
        let extent = (max[0] - min[0]).max(max[1] - min[1]).max(1e-9);
        self.middle = [(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0];
        self.zoom = 2.0 * self.half * FILL / extent;
    }

    /// Right, up and depth of a point.
    fn view(&self, p: [f64; 3]) -> [f64; 3] {
        let d = math::sub(p, self.eye);
        [
            math::dot(d, self.right),
            math::dot(d, self.up),
            math::dot(d, self.forward).max(1e-12),
        ]
    }

    /// Pixel position and depth.
    pub fn project(&self, p: [f32; 3]) -> [f32; 3] {
        let [x, y, z] = self.view(p.map(f64::from));
        [
            (self.half + (x / z - self.middle[0]) * self.zoom) as f32,
            (self.half - (y / z - self.middle[1]) * self.zoom) as f32,
            z as f32,
        ]
    }

    /// Direction from the eye through a pixel, not normalised.
    pub fn ray(&self, x: f64, y: f64) -> [f64; 3] {
        let tx = (x - self.half) / self.zoom + self.middle[0];
        let ty = (self.half - y) / self.zoom + self.middle[1];
        [0, 1, 2].map(|k| self.forward[k] + self.right[k] * tx + self.up[k] * ty)
    }
}
