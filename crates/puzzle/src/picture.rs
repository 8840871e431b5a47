//! Draws puzzles: rows of signs, each turned, leaning and drawn by an unsteady hand, light or dark on an uneven ground, crossed by
//! lines. The piece is a lens with a label that shows one sign; it has to come to rest over the same sign in its row.
//!
//! Why so: where a picture has one gap, a program finds it by its outline better than a person does. Among some
//! seventeen signs a program has to read, and whoever picks any of them is right once in seventeen times. docs/slider.md
//! tells what was measured.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rand::{Rng, RngExt};

use crate::choice::{self, Light, Slot};
use crate::glyph::{self, Pose, SIGNS, Segments};

/// Size of every picture in pixels.
pub const WIDTH: u32 = 380;
pub const HEIGHT: u32 = 160;
/// Size of the piece in pixels.
pub const PIECE_WIDTH: u32 = 44;
pub const PIECE_HEIGHT: u32 = 62;
/// Left edge of the piece over the right sign, least and greatest.
pub const X_RANGE: std::ops::RangeInclusive<i32> = 24..=332;

/// Centre of the lens in the piece, and its radius.
const LENS: (f32, f32) = (22.0, 45.0);
const LENS_RADIUS: f32 = 15.0;
/// Half the height of a sign.
const HALF: f32 = 7.3;
/// Distance of two signs in a row, and how far each strays from its place.
const PITCH: f32 = 17.0;
const STRAY: f32 = 1.2;
/// Pictures drawn at most until one has a sign that is fit.
const ATTEMPTS: usize = 16;

/// A drawn puzzle.
pub struct Puzzle {
    /// Left edge of the piece over the right sign.
    pub x: i32,
    /// Upper edge of the piece.
    pub y: i32,
    /// Pictures as data URIs.
    pub background: String,
    pub piece: String,
}

/// Draws a puzzle at a random place.
pub fn draw(rng: &mut impl Rng) -> anyhow::Result<Puzzle> {
    let wanted = choice::wanted_rank(rng);
    for attempt in 0..ATTEMPTS {
        let mut canvas = Canvas::ground(rng);
        let heights = rows(rng);
        let mut rows = Vec::new();
        for row_y in heights {
            rows.push(canvas.row(rng, row_y));
        }
        canvas.scratches(rng);
        canvas.noise(rng);
        let light = canvas.light();
        let seen = Light {
            width: WIDTH as usize,
            values: &light,
        };
        let Some((row, place)) = choice::choose(rng, &seen, &rows, wanted, attempt) else {
            continue;
        };
        let slot = rows.get(row).and_then(|slots| slots.get(place));
        let (Some(slot), Some(row_y)) = (slot, heights.get(row)) else {
            continue;
        };
        return Ok(Puzzle {
            x: piece_x(slot.x),
            y: (row_y - LENS.1).round() as i32,
            background: data_uri(&canvas.bytes(), WIDTH, HEIGHT, ExtendedColorType::Rgb8)?,
            piece: piece(SIGNS.get(slot.sign).copied().unwrap_or_default())?,
        });
    }
    anyhow::bail!("no puzzle came out in {ATTEMPTS} attempts")
}

fn piece_x(sign_x: f32) -> i32 {
    (sign_x - LENS.0).round() as i32
}

/// Heights of the rows. The upper ones leave room for the label of the piece.
fn rows(rng: &mut impl Rng) -> [f32; 3] {
    let first = rng.random_range(56.0..62.0_f32);
    let second = first + rng.random_range(35.0..38.0_f32);
    let third = second + rng.random_range(35.0..38.0_f32);
    [first, second, third]
}

/// A picture in the making, three channels from 0 to 255 per pixel.
struct Canvas {
    pixels: Vec<[f32; 3]>,
}

/// Grounds of middle brightness, so that signs can be lighter and darker.
const GROUNDS: [[f32; 3]; 4] = [
    [96.0, 136.0, 214.0],
    [84.0, 158.0, 164.0],
    [120.0, 132.0, 170.0],
    [104.0, 150.0, 196.0],
];
const DARK: [[f32; 3]; 3] = [[11.0, 16.0, 40.0], [10.0, 40.0, 84.0], [8.0, 52.0, 58.0]];
const LIGHT: [[f32; 3]; 3] = [
    [247.0, 248.0, 250.0],
    [228.0, 240.0, 255.0],
    [255.0, 244.0, 220.0],
];

impl Canvas {
    /// Two colours and soft patches, some with straight edges like the faces of cubes.
    fn ground(rng: &mut impl Rng) -> Self {
        let from = GROUNDS[rng.random_range(0..GROUNDS.len())];
        let to = GROUNDS[rng.random_range(0..GROUNDS.len())];
        let slope = rng.random_range(0.0..1.0_f32);
        let mut faces = Vec::new();
        for _ in 0..14 {
            let angle = std::f32::consts::FRAC_PI_3 * rng.random_range(0..6_i32) as f32 + 0.52;
            faces.push((
                rng.random_range(0.0..WIDTH as f32),
                rng.random_range(0.0..HEIGHT as f32),
                rng.random_range(16.0..46.0_f32),
                (angle.cos(), angle.sin(), angle.tan()),
                rng.random_range(-16.0..16.0_f32),
            ));
        }
        let mut pixels = Vec::with_capacity((WIDTH * HEIGHT) as usize);
        for row in 0..HEIGHT {
            for column in 0..WIDTH {
                let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
                let place = slope * x / WIDTH as f32 + (1.0 - slope) * y / HEIGHT as f32;
                let mut shade = 0.0;
                for (center_x, center_y, half, (cos, sin, tan), strength) in &faces {
                    let (dx, dy) = (x - center_x, y - center_y);
                    let along = dx * cos + dy * sin;
                    // A rhombus: one side along the angle, one upright.
                    if dx.abs() <= half * 0.87 && (dy - dx * tan).abs() <= *half {
                        shade += strength * (1.0 - 0.3 * along / half);
                    }
                }
                pixels.push([0, 1, 2].map(|c: usize| mix(from[c], to[c], place) + shade));
            }
        }
        Self { pixels }
    }

    /// Draws a row of signs, each once, and answers where they stand.
    fn row(&mut self, rng: &mut impl Rng, row_y: f32) -> Vec<Slot> {
        let mut signs: Vec<usize> = (0..SIGNS.len()).collect();
        let mut slots = Vec::new();
        let mut place = rng.random_range(2.0..2.0 + PITCH);
        while place < WIDTH as f32 - 2.0 && !signs.is_empty() {
            let sign = signs.swap_remove(rng.random_range(0..signs.len()));
            let x = place + rng.random_range(-STRAY..STRAY);
            let y = row_y + rng.random_range(-2.5..2.5_f32);
            self.sign(rng, sign, x, y);
            slots.push(Slot {
                sign,
                x,
                y,
                eligible: X_RANGE.contains(&piece_x(x)),
            });
            place += PITCH;
        }
        slots
    }

    fn sign(&mut self, rng: &mut impl Rng, sign: usize, x: f32, y: f32) {
        let pose = Pose {
            turn: rng.random_range(-0.5..0.5_f32),
            half: (
                HALF * rng.random_range(0.7..1.05_f32),
                HALF * rng.random_range(0.84..1.14_f32),
            ),
            lean: rng.random_range(-0.3..0.3_f32),
        };
        let shape = SIGNS.get(sign).copied().unwrap_or_default();
        let segments = glyph::hand_drawn(rng, shape, &pose, 1.2);
        let strength = rng.random_range(0.66..0.95_f32);
        let width = rng.random_range(1.7..2.6_f32);
        let colors = if rng.random_bool(0.5) { DARK } else { LIGHT };
        let color = colors[rng.random_range(0..colors.len())];
        self.strokes(&segments, x, y, width, color, strength);
    }

    fn strokes(
        &mut self,
        segments: &Segments,
        x: f32,
        y: f32,
        width: f32,
        color: [f32; 3],
        strength: f32,
    ) {
        let reach = 14;
        for down in -reach..=reach {
            for across in -reach..=reach {
                let (column, row) = (x.round() as i32 + across, y.round() as i32 + down);
                let distance =
                    glyph::distance(segments, column as f32 + 0.5 - x, row as f32 + 0.5 - y);
                let share = (width / 2.0 + 0.5 - distance).clamp(0.0, 1.0) * strength;
                self.blend(column, row, color, share);
            }
        }
    }

    fn blend(&mut self, column: i32, row: i32, color: [f32; 3], share: f32) {
        if share <= 0.0
            || !(0..WIDTH as i32).contains(&column)
            || !(0..HEIGHT as i32).contains(&row)
        {
            return;
        }
        if let Some(pixel) = self
            .pixels
            .get_mut(row as usize * WIDTH as usize + column as usize)
        {
            for channel in 0..3 {
                pixel[channel] = mix(pixel[channel], color[channel], share);
            }
        }
    }

    /// Thin bent lines across the picture, and short ones between the signs.
    fn scratches(&mut self, rng: &mut impl Rng) {
        for _ in 0..9 {
            let colors = if rng.random_bool(0.5) { DARK } else { LIGHT };
            let color = colors[rng.random_range(0..colors.len())];
            let (start, end) = (
                rng.random_range(34.0..HEIGHT as f32),
                rng.random_range(34.0..HEIGHT as f32),
            );
            let bend = rng.random_range(-14.0..14.0_f32);
            let length = rng.random_range(0.012..0.04_f32);
            let strength = rng.random_range(0.35..0.7_f32);
            for column in 0..WIDTH as i32 {
                let share = column as f32 / WIDTH as f32;
                let y = mix(start, end, share) + bend * (length * column as f32).sin();
                self.blend(column, y as i32, color, strength * (1.0 - y.fract()));
                self.blend(column, y as i32 + 1, color, strength * y.fract());
            }
        }
        for _ in 0..80 {
            let colors = if rng.random_bool(0.5) { DARK } else { LIGHT };
            let color = colors[rng.random_range(0..colors.len())];
            let (x, y) = (
                rng.random_range(0.0..WIDTH as f32),
                rng.random_range(0.0..HEIGHT as f32),
            );
            let (angle, half) = (
                rng.random_range(0.0..6.3_f32),
                rng.random_range(1.5..4.5_f32),
            );
            let (dx, dy) = (angle.cos() * half, angle.sin() * half);
            let segment = vec![[-dx, -dy, dx, dy]];
            let width = rng.random_range(1.0..1.8_f32);
            self.strokes(&segment, x, y, width, color, rng.random_range(0.3..0.7_f32));
        }
    }

    fn noise(&mut self, rng: &mut impl Rng) {
        for pixel in &mut self.pixels {
            let noise = rng.random_range(-9.0..9.0_f32);
            for channel in pixel {
                // Steps of 6: the eye does not see them, and the file is smaller.
                *channel = (((*channel + noise) / 6.0).round() * 6.0).clamp(0.0, 255.0);
            }
        }
    }

    fn light(&self) -> Vec<f32> {
        self.pixels
            .iter()
            .map(|p| 0.3 * p[0] + 0.59 * p[1] + 0.11 * p[2])
            .collect()
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.pixels.len() * 3);
        for pixel in &self.pixels {
            bytes.extend(pixel.map(|channel| channel as u8));
        }
        bytes
    }
}

fn mix(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// The piece: a lens to look through, and above it a label with the sign to be found.
fn piece(sign: glyph::Sign) -> anyhow::Result<String> {
    const SAMPLES: u32 = 3;
    let segments = glyph::segments(sign, &Pose::plain(8.4));
    let mut pixels = Vec::with_capacity((PIECE_WIDTH * PIECE_HEIGHT * 4) as usize);
    for row in 0..PIECE_HEIGHT {
        for column in 0..PIECE_WIDTH {
            let mut sum = [0.0_f32; 4];
            for sample in 0..SAMPLES * SAMPLES {
                let part = |step: u32| (step as f32 + 0.5) / SAMPLES as f32;
                let x = column as f32 + part(sample % SAMPLES);
                let y = row as f32 + part(sample / SAMPLES);
                let [red, green, blue, alpha] = piece_color(&segments, x, y);
                for (total, value) in
                    sum.iter_mut()
                        .zip([red * alpha, green * alpha, blue * alpha, alpha])
                {
                    *total += value;
                }
            }
            let alpha = sum[3].max(1e-6);
            let count = (SAMPLES * SAMPLES) as f32;
            pixels.extend([sum[0], sum[1], sum[2]].map(|channel| (channel / alpha) as u8));
            pixels.push((sum[3] / count * 255.0) as u8);
        }
    }
    data_uri(&pixels, PIECE_WIDTH, PIECE_HEIGHT, ExtendedColorType::Rgba8)
}

/// Red, green and blue (0 to 255) and opacity (0 to 1) of a point of the piece.
fn piece_color(segments: &Segments, x: f32, y: f32) -> [f32; 4] {
    const BLUE: [f32; 4] = [31.0, 94.0, 255.0, 1.0];
    const WHITE: [f32; 4] = [255.0, 255.0, 255.0, 1.0];
    const CLEAR: [f32; 4] = [255.0, 255.0, 255.0, 0.0];
    let label_x = (x - LENS.0).abs();
    if label_x <= 13.0 && (1.0..=27.0).contains(&y) {
        if glyph::distance(segments, x - LENS.0, y - 14.0) <= 1.3 {
            return WHITE;
        }
        return BLUE;
    }
    let radius = (x - LENS.0).hypot(y - LENS.1);
    if radius > LENS_RADIUS + 1.5 {
        return CLEAR;
    }
    if radius > LENS_RADIUS {
        return WHITE;
    }
    if radius > LENS_RADIUS - 2.4 {
        return BLUE;
    }
    CLEAR
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
