//! Draws puzzles.
//!
//! The picture is a field of bent lines, like the engraving of a banknote. Inside a figure the lines are moved by half
//! a line: a person sees the figure at once, while its mean, contrast, direction and spacing are those of the
//! surroundings. Other figures, faults that run across the picture and small flaws break lines in the same way, and
//! the figures that are not the gap are tinted more than the gap is. What is said of this in docs/slider.md is measured in
//! the tests.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rand::{Rng, RngExt};

use super::shape::{ALL, Shape};

/// Size of every picture in pixels.
pub const WIDTH: u32 = 380;
pub const HEIGHT: u32 = 176;
/// Width and height of the piece in pixels.
pub const PIECE: u32 = 44;
/// Left edge of the gap, least and greatest.
pub const X_RANGE: std::ops::RangeInclusive<i32> = 24..=332;
const Y_RANGE: std::ops::RangeInclusive<i32> = 8..=124;

/// A drawn puzzle.
pub struct Puzzle {
    /// Left edge of the gap in pixels.
    pub x: i32,
    /// Upper edge of the gap in pixels.
    pub y: i32,
    /// Pictures as data URIs.
    pub background: String,
    pub piece: String,
}

/// Draws a puzzle at a random place.
pub fn draw(rng: &mut impl Rng) -> anyhow::Result<Puzzle> {
    let x = rng.random_range(X_RANGE);
    let y = rng.random_range(Y_RANGE);
    let field = Field::random(rng);
    let figures = figures(rng, x, y);
    let shape = figures.first().map_or(Shape::Hexagon, |gap| gap.shape);
    let faults: Vec<Fault> = (0..4).map(|_| Fault::random(rng)).collect();
    let flaws = flaws(rng);
    let palette = Palette::random(rng);
    let mut pixels = Vec::with_capacity((WIDTH * HEIGHT * 3) as usize);
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let (px, py) = (column as f32 + 0.5, row as f32 + 0.5);
            let mut phase = field.phase(px, py);
            let mut tint = 0.0;
            for figure in &figures {
                if figure.contains(px, py) {
                    phase += figure.shift;
                    tint += figure.tint;
                }
            }
            for fault in &faults {
                phase += fault.shift(px, py);
            }
            for flaw in &flaws {
                if (px - flaw.x).powi(2) + (py - flaw.y).powi(2) <= flaw.radius * flaw.radius {
                    phase += flaw.shift;
                }
            }
            let noise = rng.random_range(-1.0..1.0_f32);
            pixels.extend(palette.color(px, py, phase, tint, noise));
        }
    }
    Ok(Puzzle {
        x,
        y,
        background: data_uri(&pixels, WIDTH, HEIGHT, ExtendedColorType::Rgb8)?,
        piece: piece(shape)?,
    })
}

/// The bent lines: a plane wave on a plane that two slow waves have warped.
struct Field {
    /// Lines per pixel, times a full turn, along x and y.
    wave: (f32, f32),
    warps: [Warp; 3],
}

struct Warp {
    along: (f32, f32),
    start: f32,
    /// In turns of the lines.
    strength: f32,
}

impl Field {
    fn random(rng: &mut impl Rng) -> Self {
        let spacing = rng.random_range(5.4..6.6_f32);
        let angle = rng.random_range(0.0..std::f32::consts::PI);
        let wave = std::f32::consts::TAU / spacing;
        let mut warp = || {
            let length = rng.random_range(90.0..220.0_f32);
            let direction = rng.random_range(0.0..std::f32::consts::TAU);
            let number = std::f32::consts::TAU / length;
            Warp {
                along: (number * direction.cos(), number * direction.sin()),
                start: rng.random_range(0.0..std::f32::consts::TAU),
                strength: rng.random_range(2.0..4.5_f32),
            }
        };
        Self {
            wave: (wave * angle.cos(), wave * angle.sin()),
            warps: [warp(), warp(), warp()],
        }
    }

    fn phase(&self, x: f32, y: f32) -> f32 {
        let mut phase = self.wave.0 * x + self.wave.1 * y;
        for warp in &self.warps {
            phase += warp.strength * (warp.along.0 * x + warp.along.1 * y + warp.start).sin();
        }
        phase
    }
}

/// Something whose lines are moved.
struct Figure {
    shape: Shape,
    center: (f32, f32),
    half: f32,
    shift: f32,
    tint: f32,
}

impl Figure {
    fn contains(&self, x: f32, y: f32) -> bool {
        let across = (x - self.center.0) / self.half;
        let down = (y - self.center.1) / self.half;
        self.shape.contains(across, down)
    }
}

/// The gap first, then figures of other shapes in its row, then one of its own shape in another row.
fn figures(rng: &mut impl Rng, x: i32, y: i32) -> Vec<Figure> {
    let mut shapes = ALL.to_vec();
    let mut next_shape = |rng: &mut dyn FnMut(usize) -> usize| {
        let place = rng(shapes.len());
        shapes.swap_remove(place)
    };
    let half = PIECE as f32 / 2.0;
    let shape = next_shape(&mut |count| rng.random_range(0..count));
    let mut figures = vec![Figure {
        shape,
        center: (x as f32 + half, y as f32 + half),
        half,
        shift: shift(rng),
        tint: tint(rng, 0.0..0.05),
    }];
    for _ in 0..200 {
        if figures.len() == 5 {
            break;
        }
        let across = rng.random_range(half..WIDTH as f32 - half);
        let down = y as f32 + half + rng.random_range(-9.0..9.0_f32);
        let apart = figures
            .iter()
            .all(|f| (f.center.0 - across).abs() > 2.0 * half + 4.0);
        if apart {
            figures.push(Figure {
                shape: next_shape(&mut |count| rng.random_range(0..count)),
                center: (across, down),
                half: half * rng.random_range(0.85..1.1_f32),
                shift: shift(rng),
                tint: tint(rng, 0.06..0.16),
            });
        }
    }
    let row = if y + PIECE as i32 / 2 < HEIGHT as i32 / 2 {
        rng.random_range(y as f32 + 3.2 * half..y as f32 + 3.6 * half)
    } else {
        rng.random_range(y as f32 - 1.6 * half..y as f32 - 1.2 * half)
    };
    figures.push(Figure {
        shape,
        center: (rng.random_range(half..WIDTH as f32 - half), row),
        half: half * rng.random_range(0.9..1.1_f32),
        shift: shift(rng),
        tint: tint(rng, 0.06..0.16),
    });
    figures
}

/// About half a line.
fn shift(rng: &mut impl Rng) -> f32 {
    std::f32::consts::PI * rng.random_range(0.82..1.18_f32)
}

fn tint(rng: &mut impl Rng, range: std::ops::Range<f32>) -> f32 {
    let strength = rng.random_range(range);
    if rng.random_bool(0.5) {
        strength
    } else {
        -strength
    }
}

/// A bent border across the whole picture beyond which the lines are moved.
struct Fault {
    normal: (f32, f32),
    offset: f32,
    bend: Warp,
    shift: f32,
}

impl Fault {
    fn random(rng: &mut impl Rng) -> Self {
        let angle = rng.random_range(0.0..std::f32::consts::TAU);
        let normal = (angle.cos(), angle.sin());
        let (x, y) = (
            rng.random_range(0.0..WIDTH as f32),
            rng.random_range(0.0..HEIGHT as f32),
        );
        let number = std::f32::consts::TAU / rng.random_range(60.0..160.0_f32);
        Self {
            normal,
            offset: x * normal.0 + y * normal.1,
            bend: Warp {
                along: (-normal.1 * number, normal.0 * number),
                start: rng.random_range(0.0..std::f32::consts::TAU),
                strength: rng.random_range(8.0..22.0_f32),
            },
            shift: shift(rng),
        }
    }

    fn shift(&self, x: f32, y: f32) -> f32 {
        let along = self.bend.along.0 * x + self.bend.along.1 * y + self.bend.start;
        let distance = x * self.normal.0 + y * self.normal.1 - self.offset;
        if distance > self.bend.strength * along.sin() {
            self.shift
        } else {
            0.0
        }
    }
}

/// A small spot with moved lines.
struct Flaw {
    x: f32,
    y: f32,
    radius: f32,
    shift: f32,
}

fn flaws(rng: &mut impl Rng) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for _ in 0..90 {
        flaws.push(Flaw {
            x: rng.random_range(0.0..WIDTH as f32),
            y: rng.random_range(0.0..HEIGHT as f32),
            radius: rng.random_range(2.0..5.0_f32),
            shift: shift(rng),
        });
    }
    flaws
}

/// Brand colours of the lines and of the ground, running from corner to corner.
struct Palette {
    line: [[f32; 3]; 2],
    ground: [[f32; 3]; 2],
    slope: (f32, f32),
}

const LINES: [[f32; 3]; 4] = [
    [31.0, 94.0, 255.0],
    [15.0, 163.0, 163.0],
    [91.0, 140.0, 255.0],
    [19.0, 26.0, 46.0],
];
const GROUNDS: [[f32; 3]; 4] = [
    [234.0, 240.0, 255.0],
    [247.0, 248.0, 250.0],
    [224.0, 246.0, 244.0],
    [255.0, 247.0, 230.0],
];

impl Palette {
    fn random(rng: &mut impl Rng) -> Self {
        let slope = rng.random_range(0.0..1.0_f32);
        let mut pick = |colors: &[[f32; 3]; 4]| colors[rng.random_range(0..colors.len())];
        Self {
            line: [pick(&LINES), pick(&LINES)],
            ground: [pick(&GROUNDS), pick(&GROUNDS)],
            slope: (slope / WIDTH as f32, (1.0 - slope) / HEIGHT as f32),
        }
    }

    fn color(&self, x: f32, y: f32, phase: f32, tint: f32, noise: f32) -> [u8; 3] {
        let place = (x * self.slope.0 + y * self.slope.1).clamp(0.0, 1.0);
        // Lines with soft edges, a little narrower than the space between them.
        let share = ((phase.cos() - 0.1) * 1.6 + 0.5).clamp(0.0, 1.0);
        let mut color = [0; 3];
        for (channel, value) in color.iter_mut().enumerate() {
            let line = mix(self.line[0][channel], self.line[1][channel], place);
            let ground = mix(self.ground[0][channel], self.ground[1][channel], place);
            let plain = mix(ground, line, share) + tint * 160.0 + noise * 16.0;
            // Steps of 8: the eye does not see them, and the file is half as large.
            *value = ((plain / 8.0).round() * 8.0).clamp(0.0, 255.0) as u8;
        }
        color
    }
}

fn mix(from: f32, to: f32, share: f32) -> f32 {
    from + (to - from) * share
}

/// The piece: its silhouette in brand colours with a light rim, edges smoothed.
fn piece(shape: Shape) -> anyhow::Result<String> {
    const SAMPLES: u32 = 4;
    let half = PIECE as f32 / 2.0;
    let mut pixels = Vec::with_capacity((PIECE * PIECE * 4) as usize);
    for row in 0..PIECE {
        for column in 0..PIECE {
            let (mut inside, mut rim) = (0, 0);
            for sample in 0..SAMPLES * SAMPLES {
                let at = |pixel: u32, step: u32| {
                    (pixel as f32 + (step as f32 + 0.5) / SAMPLES as f32 - half) / half
                };
                let (x, y) = (at(column, sample % SAMPLES), at(row, sample / SAMPLES));
                if shape.contains(x, y) {
                    inside += 1;
                    rim += u32::from(near_edge(shape, x, y));
                }
            }
            let all = (SAMPLES * SAMPLES) as f32;
            let light = if inside == 0 {
                0.0
            } else {
                rim as f32 / inside as f32
            };
            let place = (row + column) as f32 / (2 * PIECE) as f32;
            for channel in 0..3 {
                let body = mix(LINES[0][channel], LINES[1][channel], place);
                pixels.push(mix(body, 255.0, light * 0.85) as u8);
            }
            pixels.push((inside as f32 / all * 236.0) as u8);
        }
    }
    data_uri(&pixels, PIECE, PIECE, ExtendedColorType::Rgba8)
}

fn near_edge(shape: Shape, x: f32, y: f32) -> bool {
    const RIM: f32 = 0.08;
    [(RIM, 0.0), (-RIM, 0.0), (0.0, RIM), (0.0, -RIM)]
        .into_iter()
        .any(|(across, down)| !shape.contains(x + across, y + down))
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
