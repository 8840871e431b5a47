//! Draws puzzles: a landscape with eight things, out of the middle of each of which a piece is missing, all of one outline.
//! The piece shows the middle of one of them by night. A person sees whose middle it is; what a program can measure of the
//! gaps (outline, contrast, place) is the same for all. docs/slider.md tells what was measured.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rand::{Rng, RngExt};

use crate::choice;
use crate::continuity;
use crate::jigsaw::{self, Outline};
use crate::pen::{Look, Pen, Pose};
use crate::raster::{Canvas, Point, coverage, mix};
use crate::scene;
use crate::things::{ABOVE, BELOW, Thing};

/// Size of every picture in pixels of the page; it is drawn [`DENSITY`] times as fine.
pub const WIDTH: u32 = 360;
pub const HEIGHT: u32 = 204;
pub const DENSITY: u32 = 2;
/// Width and height of the piece.
pub const PIECE: u32 = 50;
/// Left edge of the piece over a gap, least and greatest.
pub const X_RANGE: std::ops::RangeInclusive<i32> = 38..=304;
/// Things, and so gaps, of a picture.
pub const GAPS: usize = 8;

const SCALE: f32 = DENSITY as f32;
/// Centre of the first thing and of the last.
const FIRST: f32 = 67.0;
const LAST: f32 = 324.0;
/// Heights of the things above and below.
const HIGH: f32 = 54.0;
const LOW: f32 = 150.0;
const QUALITY: u8 = 82;

/// A drawn puzzle.
pub struct Puzzle {
    /// Left edge of the piece over its gap.
    pub x: i32,
    /// Points of the way of the piece's upper left corner, from left to right; between two it goes as [`height_on`] tells.
    pub path: Vec<(i32, i32)>,
    /// Pictures as data URIs.
    pub background: String,
    pub piece: String,
}

/// A thing in its place.
#[derive(Clone, Copy)]
struct Stand {
    thing: Thing,
    pose: Pose,
    look: Look,
    /// Centre of its gap in picture pixels.
    gap: (i32, i32),
    above: bool,
}

/// Draws a puzzle.
pub fn draw(rng: &mut impl Rng) -> anyhow::Result<Puzzle> {
    let sketch = Sketch::draw(rng);
    let (gap, piece) = choice::pick(rng, &sketch);
    sketch.finish(gap, &piece)
}

/// Height of the piece's corner when its left edge is at `x`: level at every point of the path, so that it rests there.
pub fn height_on(path: &[(i32, i32)], x: f32) -> f32 {
    let Some(next) = path.iter().position(|point| point.0 as f32 >= x) else {
        return path.last().map_or(0.0, |point| point.1 as f32);
    };
    let (Some(before), Some(after)) = (path.get(next.saturating_sub(1)), path.get(next)) else {
        return 0.0;
    };
    let length = (after.0 - before.0).max(1) as f32;
    let share = ((x - before.0 as f32) / length).clamp(0.0, 1.0);
    let eased = (1.0 - (std::f32::consts::PI * share).cos()) / 2.0;
    before.1 as f32 + (after.1 - before.1) as f32 * eased
}

/// A picture with all its gaps: which one is asked for is chosen then.
pub(crate) struct Sketch {
    canvas: Canvas,
    stands: Vec<Stand>,
    outline: Outline,
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

    fn finish(&self, gap: usize, piece: &Canvas) -> anyhow::Result<Puzzle> {
        let half = PIECE as i32 / 2;
        let mut path = Vec::new();
        for stand in &self.stands {
            path.push((stand.gap.0 - half, stand.gap.1 - half));
        }
        // It sets out from the height at which no gap comes first, so that it hides nothing.
        let (start, end) = (path[1].1, path[path.len() - 1].1);
        path.insert(0, (0, start));
        path.push(((WIDTH - PIECE) as i32, end));
        Ok(Puzzle {
            x: self.stands[gap].gap.0 - half,
            path,
            background: jpeg(&self.canvas)?,
            piece: cut(piece, &self.outline)?,
        })
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

/// The square of the piece with the middle of a thing by night, not quite as it stands in the picture.
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

/// The piece within its outline, with a light rim.
fn cut(canvas: &Canvas, outline: &Outline) -> anyhow::Result<String> {
    let side = canvas.width;
    let middle = (side as f32 / 2.0, side as f32 / 2.0);
    let mut framed = canvas.clone();
    let contours = [
        outline.points(middle, SCALE, -2.0),
        outline.points(middle, SCALE, 1.2),
    ];
    framed.fill(&contours, |_, _| ([255.0; 3], 0.95));
    let mut opacity = vec![0.0_f32; side * side];
    for span in coverage(&[outline.points(middle, SCALE, 0.0)], side, side) {
        for (offset, share) in span.shares.iter().enumerate() {
            opacity[span.row * side + span.column + offset] = *share;
        }
    }
    let mut pixels = Vec::with_capacity(side * side * 4);
    for (pixel, share) in framed.bytes().chunks_exact(3).zip(opacity) {
        pixels.extend_from_slice(pixel);
        pixels.push((share * 255.0) as u8);
    }
    data_uri(&pixels, side as u32, side as u32, ExtendedColorType::Rgba8)
}

fn jpeg(canvas: &Canvas) -> anyhow::Result<String> {
    let mut file = Vec::new();
    let (width, height) = (canvas.width as u32, canvas.height as u32);
    JpegEncoder::new_with_quality(&mut file, QUALITY).write_image(
        &canvas.bytes(),
        width,
        height,
        ExtendedColorType::Rgb8,
    )?;
    Ok(format!("data:image/jpeg;base64,{}", STANDARD.encode(file)))
}

/// A PNG as a data URI.
pub fn data_uri(
    pixels: &[u8],
    width: u32,
    height: u32,
    color: ExtendedColorType,
) -> anyhow::Result<String> {
    let mut file = Cursor::new(Vec::new());
    PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive)
        .write_image(pixels, width, height, color)?;
    Ok(format!(
        "data:image/png;base64,{}",
        STANDARD.encode(file.into_inner())
    ))
}
