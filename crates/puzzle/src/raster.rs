//! Filled shapes with soft edges on a canvas of colours. What the pictures need and no more.

/// x to the right, y downward.
pub type Point = (f32, f32);
/// Red, green and blue from 0 to 255.
pub type Color = [f32; 3];

/// Rows a pixel is split into for its soft edge.
const PARTS: usize = 4;

#[derive(Clone)]
pub struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Row by row.
    pub pixels: Vec<Color>,
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            pixels: vec![[0.0; 3]; width * height],
        }
    }

    /// Gives every pixel the color of its place.
    pub fn cover(&mut self, paint: impl Fn(f32, f32) -> Color) {
        for row in 0..self.height {
            for column in 0..self.width {
                self.pixels[row * self.width + column] =
                    paint(column as f32 + 0.5, row as f32 + 0.5);
            }
        }
    }

    /// Fills what lies within an odd number of the contours; `paint` gives color and opacity (0 to 1) of a place.
    pub fn fill(&mut self, contours: &[Vec<Point>], paint: impl Fn(f32, f32) -> (Color, f32)) {
        for span in coverage(contours, self.width, self.height) {
            for (offset, share) in span.shares.into_iter().enumerate() {
                if share > 0.0 {
                    let column = span.column + offset;
                    let (color, opacity) = paint(column as f32 + 0.5, span.row as f32 + 0.5);
                    let pixel = &mut self.pixels[span.row * self.width + column];
                    *pixel = mix(*pixel, color, (share * opacity).clamp(0.0, 1.0));
                }
            }
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.pixels.len() * 3);
        for pixel in &self.pixels {
            bytes.extend(pixel.map(|channel| channel.clamp(0.0, 255.0) as u8));
        }
        bytes
    }
}

/// A row of pixels and how much of each is covered.
pub struct Span {
    pub row: usize,
    pub column: usize,
    pub shares: Vec<f32>,
}

/// How much of each pixel lies within an odd number of the contours.
pub fn coverage(contours: &[Vec<Point>], width: usize, height: usize) -> Vec<Span> {
    let mut low = (f32::MAX, f32::MAX);
    let mut high = (f32::MIN, f32::MIN);
    for (x, y) in contours.iter().flatten() {
        low = (low.0.min(*x), low.1.min(*y));
        high = (high.0.max(*x), high.1.max(*y));
    }
    let first = low.0.floor().clamp(0.0, width as f32) as usize;
    let last = high.0.ceil().clamp(0.0, width as f32) as usize;
    let rows = low.1.floor().clamp(0.0, height as f32) as usize
        ..high.1.ceil().clamp(0.0, height as f32) as usize;
    let mut spans = Vec::new();
    let mut crossings = Vec::new();
    for row in rows {
        let mut shares = vec![0.0; last.saturating_sub(first)];
        for part in 0..PARTS {
            let y = row as f32 + (part as f32 + 0.5) / PARTS as f32;
            crossings.clear();
            for contour in contours {
                cross(contour, y, &mut crossings);
            }
            crossings.sort_by(f32::total_cmp);
            for pair in crossings.chunks_exact(2) {
                add(&mut shares, pair[0] - first as f32, pair[1] - first as f32);
            }
        }
        spans.push(Span {
            row,
            column: first,
            shares,
        });
    }
    spans
}

/// Where a closed line crosses the height `y`.
fn cross(contour: &[Point], y: f32, crossings: &mut Vec<f32>) {
    let Some(mut before) = contour.last() else {
        return;
    };
    for point in contour {
        if (before.1 <= y) != (point.1 <= y) {
            crossings.push(before.0 + (y - before.1) / (point.1 - before.1) * (point.0 - before.0));
        }
        before = point;
    }
}

/// Adds a part of a row from `from` to `to` to the shares of its pixels.
fn add(shares: &mut [f32], from: f32, to: f32) {
    let (from, to) = (from.max(0.0), to.min(shares.len() as f32));
    if to <= from {
        return;
    }
    let (left, right) = (from as usize, (to as usize).min(shares.len() - 1));
    for (column, share) in shares.iter_mut().enumerate().take(right + 1).skip(left) {
        let within = to.min(column as f32 + 1.0) - from.max(column as f32);
        *share += within / PARTS as f32;
    }
}

pub fn mix(from: Color, to: Color, share: f32) -> Color {
    [0, 1, 2].map(|c: usize| from[c] + (to[c] - from[c]) * share)
}

/// Lighter above 1, darker below.
pub fn shade(color: Color, factor: f32) -> Color {
    color.map(|channel| (channel * factor).clamp(0.0, 255.0))
}
