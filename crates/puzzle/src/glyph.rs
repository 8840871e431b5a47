//! Signs of the puzzle: letters, digits and simple figures made of strokes.

use rand::{Rng, RngExt};

/// Points in the square from -1 to 1, x to the right and y downward; neighbours are joined.
type Stroke = &'static [(f32, f32)];

/// A sign that everybody can tell from the others, also when it is turned by up to 30 degrees.
pub type Sign = &'static [Stroke];

pub const SIGNS: [Sign; 24] = [
    // A
    &[
        &[(-0.8, 1.0), (0.0, -1.0), (0.8, 1.0)],
        &[(-0.48, 0.25), (0.48, 0.25)],
    ],
    // E
    &[
        &[(0.7, -1.0), (-0.6, -1.0), (-0.6, 1.0), (0.7, 1.0)],
        &[(-0.6, 0.0), (0.5, 0.0)],
    ],
    // F
    &[
        &[(0.7, -1.0), (-0.5, -1.0), (-0.5, 1.0)],
        &[(-0.5, 0.0), (0.45, 0.0)],
    ],
    // H
    &[
        &[(-0.7, -1.0), (-0.7, 1.0)],
        &[(0.7, -1.0), (0.7, 1.0)],
        &[(-0.7, 0.0), (0.7, 0.0)],
    ],
    // K
    &[
        &[(-0.6, -1.0), (-0.6, 1.0)],
        &[(0.7, -1.0), (-0.6, 0.1), (0.7, 1.0)],
    ],
    // M
    &[&[
        (-0.85, 1.0),
        (-0.75, -1.0),
        (0.0, 0.3),
        (0.75, -1.0),
        (0.85, 1.0),
    ]],
    // N
    &[&[(-0.7, 1.0), (-0.7, -1.0), (0.7, 1.0), (0.7, -1.0)]],
    // P
    &[&[
        (-0.5, 1.0),
        (-0.5, -1.0),
        (0.4, -1.0),
        (0.75, -0.5),
        (0.4, 0.05),
        (-0.5, 0.05),
    ]],
    // R
    &[
        &[
            (-0.6, 1.0),
            (-0.6, -1.0),
            (0.4, -1.0),
            (0.7, -0.5),
            (0.4, 0.0),
            (-0.6, 0.0),
        ],
        &[(0.0, 0.0), (0.75, 1.0)],
    ],
    // T
    &[&[(-0.8, -1.0), (0.8, -1.0)], &[(0.0, -1.0), (0.0, 1.0)]],
    // V
    &[&[(-0.8, -1.0), (0.0, 1.0), (0.8, -1.0)]],
    // W
    &[&[
        (-0.95, -1.0),
        (-0.5, 1.0),
        (0.0, -0.3),
        (0.5, 1.0),
        (0.95, -1.0),
    ]],
    // X
    &[&[(-0.75, -1.0), (0.75, 1.0)], &[(0.75, -1.0), (-0.75, 1.0)]],
    // Y
    &[
        &[(-0.8, -1.0), (0.0, 0.0), (0.8, -1.0)],
        &[(0.0, 0.0), (0.0, 1.0)],
    ],
    // C
    &[&[
        (0.7, -0.65),
        (0.2, -1.0),
        (-0.4, -0.9),
        (-0.8, -0.35),
        (-0.8, 0.35),
        (-0.4, 0.9),
        (0.2, 1.0),
        (0.7, 0.65),
    ]],
    // 3
    &[&[
        (-0.6, -0.8),
        (0.0, -1.0),
        (0.6, -0.7),
        (0.5, -0.2),
        (0.0, 0.0),
        (0.6, 0.25),
        (0.65, 0.7),
        (0.0, 1.0),
        (-0.65, 0.8),
    ]],
    // 4
    &[&[(0.35, 1.0), (0.35, -1.0), (-0.75, 0.4), (0.8, 0.4)]],
    // 5
    &[&[
        (0.6, -1.0),
        (-0.5, -1.0),
        (-0.55, -0.15),
        (0.2, -0.25),
        (0.65, 0.3),
        (0.45, 0.85),
        (-0.1, 1.0),
        (-0.65, 0.8),
    ]],
    // 7
    &[&[(-0.7, -1.0), (0.7, -1.0), (-0.2, 1.0)]],
    // 8
    &[
        &[
            (0.0, 0.0),
            (-0.5, -0.3),
            (-0.5, -0.8),
            (0.0, -1.0),
            (0.5, -0.8),
            (0.5, -0.3),
            (0.0, 0.0),
        ],
        &[
            (0.0, 0.0),
            (-0.65, 0.35),
            (-0.6, 0.85),
            (0.0, 1.0),
            (0.6, 0.85),
            (0.65, 0.35),
            (0.0, 0.0),
        ],
    ],
    // circle
    &[&[
        (0.0, -0.95),
        (0.67, -0.67),
        (0.95, 0.0),
        (0.67, 0.67),
        (0.0, 0.95),
        (-0.67, 0.67),
        (-0.95, 0.0),
        (-0.67, -0.67),
        (0.0, -0.95),
    ]],
    // triangle
    &[&[(0.0, -0.95), (0.95, 0.8), (-0.95, 0.8), (0.0, -0.95)]],
    // square
    &[&[
        (-0.8, -0.8),
        (0.8, -0.8),
        (0.8, 0.8),
        (-0.8, 0.8),
        (-0.8, -0.8),
    ]],
    // star
    &[&[
        (0.0, -1.0),
        (0.6, 0.85),
        (-0.95, -0.3),
        (0.95, -0.3),
        (-0.6, 0.85),
        (0.0, -1.0),
    ]],
];

/// Straight pieces of a drawn sign, in pixels around its centre: from x, from y, to x, to y.
pub type Segments = Vec<[f32; 4]>;

/// How a sign is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    /// Radians, clockwise.
    pub turn: f32,
    /// Half width and half height in pixels.
    pub half: (f32, f32),
    /// Share of its height by which the top leans over.
    pub lean: f32,
}

impl Pose {
    /// As large as the signs of the picture are, upright.
    pub fn plain(half: f32) -> Self {
        Self {
            turn: 0.0,
            half: (half * 0.86, half),
            lean: 0.0,
        }
    }

    fn place(&self, (x, y): (f32, f32)) -> (f32, f32) {
        let (x, y) = ((x - self.lean * y) * self.half.0, y * self.half.1);
        let (sin, cos) = self.turn.sin_cos();
        (x * cos - y * sin, x * sin + y * cos)
    }
}

/// The segments of a sign in a pose.
pub fn segments(sign: Sign, pose: &Pose) -> Segments {
    shaken(sign, pose, &mut || 0.0)
}

/// The same, every point moved a little: `shake` is the farthest move in pixels.
pub fn hand_drawn(rng: &mut impl Rng, sign: Sign, pose: &Pose, shake: f32) -> Segments {
    shaken(sign, pose, &mut || rng.random_range(-shake..=shake))
}

fn shaken(sign: Sign, pose: &Pose, shake: &mut dyn FnMut() -> f32) -> Segments {
    let mut segments = Vec::new();
    for stroke in sign {
        let mut last: Option<(f32, f32)> = None;
        for point in *stroke {
            let (x, y) = pose.place(*point);
            let here = (x + shake(), y + shake());
            if let Some(from) = last {
                segments.push([from.0, from.1, here.0, here.1]);
            }
            last = Some(here);
        }
    }
    segments
}

/// Distance of a point from the nearest segment in pixels.
pub fn distance(segments: &[[f32; 4]], x: f32, y: f32) -> f32 {
    let mut nearest = f32::INFINITY;
    for [from_x, from_y, to_x, to_y] in segments {
        let (dx, dy) = (to_x - from_x, to_y - from_y);
        let (px, py) = (x - from_x, y - from_y);
        let square = (dx * dx + dy * dy).max(1e-6);
        let along = ((px * dx + py * dy) / square).clamp(0.0, 1.0);
        let (off_x, off_y) = (px - along * dx, py - along * dy);
        nearest = nearest.min(off_x * off_x + off_y * off_y);
    }
    nearest.sqrt()
}
