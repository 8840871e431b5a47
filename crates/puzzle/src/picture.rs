//! Draws puzzles: a landscape with eight things, out of the middle of each of which a piece is missing, all of one outline.
//! The piece shows the middle of one of them by night. A person sees whose middle it is; what a program can measure of the
//! gaps (outline, contrast, place) is the same for all. docs/slider.md has the measurements.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rand::Rng;

use crate::choice;
use crate::jigsaw::Outline;
use crate::raster::{Canvas, coverage};
use crate::size::SCALE;
pub use crate::size::{DENSITY, GAPS, HEIGHT, PIECE, WIDTH, X_RANGE};
use crate::sketch::Sketch;

const QUALITY: u8 = 82;

/// A drawn puzzle.
pub struct Puzzle {
    /// Left edge of the piece over its gap.
    pub x: i32,
    /// Points of the way of the piece's upper left corner, from left to right; [`height_on`] interpolates between them.
    pub path: Vec<(i32, i32)>,
    /// Pictures as data URIs.
    pub background: String,
    pub piece: String,
}

/// Draws a puzzle.
pub fn draw(rng: &mut impl Rng) -> anyhow::Result<Puzzle> {
    let sketch = Sketch::draw(rng);
    let (gap, piece) = choice::pick(rng, &sketch);
    finish(&sketch, gap, &piece)
}

fn finish(sketch: &Sketch, gap: usize, piece: &Canvas) -> anyhow::Result<Puzzle> {
    let half = PIECE as i32 / 2;
    let mut path = Vec::new();
    for stand in &sketch.stands {
        path.push((stand.gap.0 - half, stand.gap.1 - half));
    }
    // It sets out from the height at which no gap comes first, so that it hides nothing.
    let (start, end) = (path[1].1, path[path.len() - 1].1);
    path.insert(0, (0, start));
    path.push(((WIDTH - PIECE) as i32, end));
    Ok(Puzzle {
        x: sketch.stands[gap].gap.0 - half,
        path,
        background: jpeg(&sketch.canvas)?,
        piece: cut(piece, &sketch.outline)?,
    })
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
