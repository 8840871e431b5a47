//! The outline of piece and gaps: a square with a knob, outward or inward, on each side.

use rand::{Rng, RngExt};

use crate::raster::{Canvas, Color, Point};

/// Half the side of the square, in picture pixels.
pub const CORE: f32 = 18.0;
/// Radius of a knob's head.
const KNOB: f32 = 4.1;

/// Which way the knobs go, and where on their sides they sit.
#[derive(Debug, Clone)]
pub struct Outline {
    knobs: [(f32, f32); 4],
}

impl Outline {
    pub fn random(rng: &mut impl Rng) -> Self {
        let mut knobs = [(0.0, 0.0); 4];
        for knob in &mut knobs {
            let way = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            *knob = (
                way * rng.random_range(0.88..1.02_f32),
                rng.random_range(-5.0..5.0_f32),
            );
        }
        Self { knobs }
    }

    /// The closed line around a centre; `scale` is the pixels of the canvas per pixel of the picture, `inset` moves the
    /// line inward.
    pub fn points(&self, center: Point, scale: f32, inset: f32) -> Vec<Point> {
        let half = CORE - inset;
        let mut points = Vec::new();
        for (side, (way, shift)) in self.knobs.iter().enumerate() {
            let turn = std::f32::consts::FRAC_PI_2 * side as f32;
            let (sin, cos) = turn.sin_cos();
            for (along, out) in side_points(*way, *shift, half, inset) {
                // The first side is the upper one, drawn to the right; out is upward there.
                let (x, y) = (along, -out);
                points.push((
                    center.0 + scale * (x * cos - y * sin),
                    center.1 + scale * (x * sin + y * cos),
                ));
            }
        }
        points
    }
}

impl Outline {
    /// Whether a place from the centre lies within the outline moved inward.
    pub fn contains(&self, place: Point, scale: f32, inset: f32) -> bool {
        let points = self.points((0.0, 0.0), scale, inset);
        let mut inside = false;
        let mut before = points[points.len() - 1];
        for point in points {
            let x = before.0 + (place.1 - before.1) / (point.1 - before.1) * (point.0 - before.0);
            if (before.1 <= place.1) != (point.1 <= place.1) && place.0 < x {
                inside = !inside;
            }
            before = point;
        }
        inside
    }
}

/// One side from left to right: how far along, and how far out.
fn side_points(way: f32, shift: f32, half: f32, inset: f32) -> Vec<Point> {
    /// Half the opening of the neck, as an angle of the head's circle.
    const NECK: f32 = 0.72;
    let mut points = vec![(-half, half)];
    let size = KNOB * way.abs();
    let radius = if way > 0.0 {
        size - inset
    } else {
        size + inset
    };
    // The head is a circle that the side cuts off at its neck.
    let middle = half + inset + way.signum() * NECK.cos() * size;
    for step in 0..=14 {
        let angle = NECK + (std::f32::consts::TAU - 2.0 * NECK) * step as f32 / 14.0;
        let (sin, cos) = angle.sin_cos();
        points.push((shift - sin * radius, middle - way.signum() * cos * radius));
    }
    points
}

/// Darkens the outline to a hole with a light rim. Nothing of what lay there is left: its ground is drawn by lot.
pub fn hole(rng: &mut impl Rng, canvas: &mut Canvas, outline: &Outline, center: Point, scale: f32) {
    const GROUND: Color = [24.0, 33.0, 58.0];
    let rim = outline.points(center, scale, -1.3);
    canvas.fill(&[rim], |_, _| ([255.0; 3], 0.92));
    let inner = outline.points(center, scale, 0.0);
    let seed: u32 = rng.random();
    canvas.fill(&[inner], |x, y| {
        let grain = hash(x as u32, y as u32, seed);
        let depth = 1.0 + 0.012 * (y - center.1) / scale;
        (GROUND.map(|channel| channel * depth + grain * 7.0), 1.0)
    });
}

/// From 0 to 1, the same for the same place.
fn hash(x: u32, y: u32, seed: u32) -> f32 {
    let mut value = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed;
    value ^= value >> 15;
    value = value.wrapping_mul(0x2C1B_3C6D);
    value ^= value >> 12;
    (value & 0xFF) as f32 / 255.0
}
