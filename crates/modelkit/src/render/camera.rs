//! The camera: perspective, framed to the model.

use super::geometry::Geometry;
use super::vector::{self as v, V3};

/// Slices of the body of revolution of a rotating model, and points on each rim.
const SLICES: usize = 96;
const RIM: usize = 48;

/// The camera's direction, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// From the front (+z) towards the right (+x).
    pub yaw: f32,
    /// Above the horizon.
    pub pitch: f32,
}

impl View {
    /// A three-quarter view from the front. Flat models are seen from above, thin ones from their broad side.
    pub fn of(geometry: &Geometry) -> View {
        View::of_size(v::sub(geometry.high, geometry.low))
    }

    pub fn of_size([x, y, z]: V3) -> View {
        let flat = y / x.max(z).max(1e-9);
        let rule = &facts::studio().view;
        let tall = v::smooth(rule.flat[0], rule.flat[1], flat);
        let pitch = rule.pitch_flat + (rule.pitch_tall - rule.pitch_flat) * tall;
        let yaw = match (x < rule.thin * z, z < rule.thin * x) {
            (true, _) => rule.yaw_deep,
            (_, true) => rule.yaw_broad,
            _ => rule.yaw,
        };
        View {
            yaw: f32::to_radians(yaw),
            pitch: pitch.to_radians(),
        }
    }
}

pub struct Camera {
    pub eye: V3,
    pub view: View,
    right: V3,
    up: V3,
    forward: V3,
    /// Pixels per unit of tangent, and the image's centre in tangents.
    zoom: f32,
    middle: [f32; 2],
    half: [f32; 2],
}

impl Camera {
    fn at(view: View, [width, height]: [u32; 2]) -> Camera {
        let (sin, cos) = view.pitch.sin_cos();
        let back = [view.yaw.sin() * cos, sin, view.yaw.cos() * cos];
        let right = [view.yaw.cos(), 0.0, -view.yaw.sin()];
        let forward = v::scale(back, -1.0);
        Camera {
            eye: v::scale(back, 1.0 / facts::studio().eye),
            view,
            right,
            up: v::cross(right, forward),
            forward,
            zoom: 1.0,
            middle: [0.0; 2],
            half: [width as f32 / 2.0, height as f32 / 2.0],
        }
    }

    /// A camera that shows the whole model as large as possible.
    pub fn framed(geometry: &Geometry, view: View, size: [u32; 2]) -> Camera {
        let mut camera = Camera::at(view, size);
        let mut seen = Extent::default();
        for piece in &geometry.pieces {
            piece.each_corner(|p| seen.add(camera.tangents(p)));
        }
        camera.frame(&seen);
        camera
    }

    /// A camera that shows the whole model at every rotation: frames of a turntable share it.
    pub fn turning(geometry: &Geometry, view: View, size: [u32; 2]) -> Camera {
        let mut camera = Camera::at(view, size);
        let height = (geometry.high[1] - geometry.low[1]).max(1e-6);
        let mut radius = [0.0f32; SLICES + 1];
        for piece in &geometry.pieces {
            piece.each_corner(|p| {
                let slice = (p[1] - geometry.low[1]) / height * SLICES as f32;
                let r = p[0].hypot(p[2]);
                for k in [slice.floor(), slice.ceil()] {
                    let slot = &mut radius[(k.max(0.0) as usize).min(SLICES)];
                    *slot = slot.max(r);
                }
            });
        }
        let mut seen = Extent::default();
        for (slice, r) in radius.into_iter().enumerate() {
            let y = geometry.low[1] + height * slice as f32 / SLICES as f32;
            for k in 0..RIM {
                let angle = std::f32::consts::TAU * k as f32 / RIM as f32;
                seen.add(camera.tangents([r * angle.cos(), y, r * angle.sin()]));
            }
        }
        camera.frame(&seen);
        camera
    }

    /// The same framing from another yaw.
    pub fn turned(&self, yaw: f32) -> Camera {
        let [x, y] = self.half;
        let view = View { yaw, ..self.view };
        Camera {
            zoom: self.zoom,
            middle: self.middle,
            half: [x, y],
            ..Camera::at(view, [0, 0])
        }
    }

    /// The same framing, `by` times as large about the image's centre.
    pub fn closer(self, by: f32) -> Camera {
        Camera {
            zoom: self.zoom * by,
            ..self
        }
    }

    fn frame(&mut self, seen: &Extent) {
        let [low, high] = [seen.low, seen.high];
        if low[0] > high[0] {
            return;
        }
        self.middle = [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0];
        let fill = facts::studio().fill;
        let fit = |k: usize| 2.0 * self.half[k] * fill / (high[k] - low[k]).max(1e-6);
        // Limits the zoom: a single point or a line has no extent.
        self.zoom = fit(0).min(fit(1)).min(self.half[0].max(self.half[1]) * 4e3);
    }

    /// Right, up and depth of a point.
    fn local(&self, p: V3) -> V3 {
        let d = v::sub(p, self.eye);
        [
            v::dot(d, self.right),
            v::dot(d, self.up),
            v::dot(d, self.forward).max(1e-3),
        ]
    }

    fn tangents(&self, p: V3) -> [f32; 2] {
        let [x, y, z] = self.local(p);
        [x / z, y / z]
    }

    /// Pixel position and inverse depth.
    pub fn project(&self, p: V3) -> V3 {
        let [x, y, z] = self.local(p);
        [
            self.half[0] + (x / z - self.middle[0]) * self.zoom,
            self.half[1] - (y / z - self.middle[1]) * self.zoom,
            1.0 / z,
        ]
    }

    /// Direction from the eye through a pixel, not normalised.
    pub fn ray(&self, x: f32, y: f32) -> V3 {
        let tx = (x - self.half[0]) / self.zoom + self.middle[0];
        let ty = (self.half[1] - y) / self.zoom + self.middle[1];
        [0, 1, 2].map(|k| self.forward[k] + self.right[k] * tx + self.up[k] * ty)
    }

    /// Pixels covered by a length near the origin.
    pub fn pixels(&self, length: f32) -> f32 {
        length * facts::studio().eye * self.zoom
    }
}

struct Extent {
    low: [f32; 2],
    high: [f32; 2],
}

impl Default for Extent {
    fn default() -> Extent {
        Extent {
            low: [f32::INFINITY; 2],
            high: [f32::NEG_INFINITY; 2],
        }
    }
}

impl Extent {
    fn add(&mut self, p: [f32; 2]) {
        for (k, t) in p.into_iter().enumerate() {
            self.low[k] = self.low[k].min(t);
            self.high[k] = self.high[k].max(t);
        }
    }
}
