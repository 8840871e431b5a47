//! A picture with all its gaps.

use rand::{Rng, RngExt};

use crate::continuity;
use crate::jigsaw::{self, Outline};
use crate::pen::{Look, Pen, Pose};
use crate::raster::{Canvas, Point, mix};
use crate::scene;
use crate::size::{DENSITY, GAPS, HEIGHT, PIECE, SCALE, WIDTH};
use crate::things::{ABOVE, BELOW, Thing};

/// Centre of the first thing and of the last.
const FIRST: f32 = 67.0;
const LAST: f32 = 324.0;
/// Heights of the things above and below.
const HIGH: f32 = 54.0;
const LOW: f32 = 150.0;

/// A thing in its place.
#[derive(Clone, Copy)]
pub(crate) struct Stand {
    thing: Thing,
    pose: Pose,
    look: Look,
    /// Centre of its gap in picture pixels.
    pub gap: (i32, i32),
    above: bool,
}

/// A picture with all its gaps: which one is asked for is chosen then.
pub(crate) struct Sketch {
    pub canvas: Canvas,
    pub stands: Vec<Stand>,
    pub outline: Outline,
}

impl Sketch {
    pub(crate) fn draw(rng: &mut impl Rng) -> Self {
        let mut canvas = Canvas::new((WIDTH * DENSITY) as usize, (HEIGHT * DENSITY) as usize);
        scene::landscape(rng, &mut canvas, SCALE);
        let stands = stands(rng);
        for stand in &stands {
            if !stand.above {
                scene::shadow(&mut canvas, &stand.pose);
            }
            (stand.thing.draw)(&mut Pen {
                canvas: &mut canvas,
                pose: stand.pose,
                look: stand.look,
            });
        }
        noise(rng, &mut canvas);
        let outline = Outline::random(rng);
        for stand in &stands {
            jigsaw::hole(rng, &mut canvas, &outline, stand.center(), SCALE);
        }
        Self {
            canvas,
            stands,
            outline,
        }
    }

    /// What is seen around each gap.
    pub(crate) fn cells(&self) -> Vec<Canvas> {
        let cell = |stand: &Stand| crop(&self.canvas, stand.center(), continuity::CELL);
        self.stands.iter().map(cell).collect()
    }

    /// The middle of a thing by night.
    pub(crate) fn night(&self, rng: &mut impl Rng, gap: usize) -> Canvas {
        night(rng, &self.stands[gap])
    }

    /// Whether the piece shows something at a place from its centre, a little away from its rim.
    pub(crate) fn shows(&self, place: Point) -> bool {
        self.outline.contains(place, SCALE, 2.0)
    }

    /// Number of the thing at a gap among all things.
    #[cfg(any(test, feature = "solver"))]
    pub(crate) fn kind(&self, gap: usize) -> usize {
        let own = self.stands[gap].thing.draw;
        let mut all = ABOVE.iter().chain(&BELOW);
        all.position(|thing| std::ptr::fn_addr_eq(thing.draw, own))
            .unwrap_or(0)
    }
}

impl Stand {
    /// Centre of the gap on the canvas.
    fn center(&self) -> Point {
        (self.gap.0 as f32 * SCALE, self.gap.1 as f32 * SCALE)
    }
}

/// Eight things, above and below by turns.
fn stands(rng: &mut impl Rng) -> Vec<Stand> {
    let (mut above, mut below) = (ABOVE.to_vec(), BELOW.to_vec());
    let begins_above = rng.random_bool(0.5);
    let pitch = (LAST - FIRST) / (GAPS - 1) as f32;
    let mut stands = Vec::new();
    for place in 0..GAPS {
        let is_above = (place % 2 == 0) == begins_above;
        let kinds = if is_above { &mut above } else { &mut below };
        let thing = kinds[rng.random_range(0..kinds.len())];
        kinds.retain(|other| other.family != thing.family);
        let height = if is_above { HIGH } else { LOW };
        let x = FIRST + pitch * place as f32 + rng.random_range(-2.0..2.0_f32);
        let y = height + rng.random_range(-4.0..4.0_f32);
        let size = rng.random_range(0.92..1.04_f32);
        stands.push(Stand {
            thing,
            pose: Pose {
                x: x * SCALE,
                y: y * SCALE,
                half: (
                    36.0 * SCALE * size * rng.random_range(0.9..1.0_f32),
                    41.0 * SCALE * size * rng.random_range(0.92..1.0_f32),
                ),
                turn: rng.random_range(-0.16..0.16_f32) * if is_above { 1.6 } else { 0.5 },
                lean: rng.random_range(-0.12..0.12_f32),
                mirrored: rng.random_bool(0.5),
            },
            look: scene::day_look(rng),
            gap: (
                (x + rng.random_range(-3.0..3.0_f32)).round() as i32,
                (y + rng.random_range(-5.0..3.0_f32)).round() as i32,
            ),
            above: is_above,
        });
    }
    stands
}

/// The square of the piece with the middle of a thing by night, slightly varied.
fn night(rng: &mut impl Rng, stand: &Stand) -> Canvas {
    let side = (PIECE * DENSITY) as usize;
    let mut canvas = Canvas::new(side, side);
    let (top, foot) = scene::night_sky(rng);
    canvas.cover(|_, y| mix(top, foot, y / side as f32));
    let (x, y) = stand.center();
    let middle = side as f32 / 2.0;
    let mut pose = stand.pose;
    let size = rng.random_range(0.93..1.07_f32);
    pose.x += middle - x + rng.random_range(-1.5..1.5_f32) * SCALE;
    pose.y += middle - y + rng.random_range(-1.5..1.5_f32) * SCALE;
    pose.half = (pose.half.0 * size, pose.half.1 * size);
    pose.turn += rng.random_range(-0.1..0.1_f32);
    (stand.thing.draw)(&mut Pen {
        canvas: &mut canvas,
        pose,
        look: scene::night_look(rng),
    });
    noise(rng, &mut canvas);
    canvas
}

fn noise(rng: &mut impl Rng, canvas: &mut Canvas) {
    for pixel in &mut canvas.pixels {
        let noise = f32::from(rng.random::<u8>() % 5) - 2.0;
        for channel in pixel {
            *channel += noise;
        }
    }
}

/// The square of `half` picture pixels around a place of the canvas; beyond the picture its edge goes on.
pub(crate) fn crop(canvas: &Canvas, center: Point, half: usize) -> Canvas {
    let half = half * DENSITY as usize;
    let mut part = Canvas::new(2 * half, 2 * half);
    for row in 0..2 * half {
        for column in 0..2 * half {
            let at = |middle: f32, offset: usize, end: usize| {
                (middle as i64 + offset as i64 - half as i64).clamp(0, end as i64 - 1) as usize
            };
            let (x, y) = (
                at(center.0, column, canvas.width),
                at(center.1, row, canvas.height),
            );
            part.pixels[row * 2 * half + column] = canvas.pixels[y * canvas.width + x];
        }
    }
    part
}
