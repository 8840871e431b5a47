//! How well a piece goes on across the rim of a gap, as a program measures it: light, colour and edges on both sides.

use crate::jigsaw::CORE;
use crate::raster::{Canvas, Color, Point};
use crate::size::{DENSITY, PIECE};

/// Half the side of what is looked at around a gap, in picture pixels.
pub const CELL: usize = 42;
/// Ways of measuring it.
pub const MEASURES: usize = 5;

const SCALE: f32 = DENSITY as f32;
/// How far inside and outside the rim it is measured, in picture pixels.
const AWAY: f32 = 3.5;

/// The inner side of the piece's rim.
pub struct Rim {
    /// Places outside the gap's rim, from its centre.
    outside: Vec<Point>,
    colors: Vec<Color>,
    edges: Vec<Point>,
}

impl Rim {
    /// `shows`: whether the piece shows something at a place from its centre: there is nothing in its knobs' hollows.
    pub fn of(piece: &Canvas, shows: impl Fn(Point) -> bool) -> Self {
        let middle = (PIECE * DENSITY) as f32 / 2.0;
        let mut rim = Self {
            outside: Vec::new(),
            colors: Vec::new(),
            edges: Vec::new(),
        };
        for (inside, outside) in square(-AWAY).into_iter().zip(square(AWAY)) {
            if shows(inside) {
                let place = (middle + inside.0, middle + inside.1);
                rim.outside.push(outside);
                rim.colors.push(at(piece, place));
                rim.edges.push(edge(piece, place));
            }
        }
        rim
    }

    /// How well it goes on in the surroundings of a gap, whose centre is that of `cell`. More is better.
    pub fn measures(&self, cell: &Canvas) -> [f32; MEASURES] {
        let middle = (CELL * DENSITY as usize) as f32;
        let place = |point: &Point| (middle + point.0, middle + point.1);
        let colors: Vec<Color> = self.outside.iter().map(|p| at(cell, place(p))).collect();
        let edges: Vec<Point> = self.outside.iter().map(|p| edge(cell, place(p))).collect();
        let lights = |colors: &[Color]| colors.iter().map(|c| light(*c)).collect::<Vec<_>>();
        let (own, theirs) = (lights(&self.colors), lights(&colors));
        let mut tint = 0.0;
        for channel in 0..3 {
            let part = |colors: &[Color]| {
                let tints = colors.iter().map(|c| c[channel] - light(*c));
                tints.collect::<Vec<_>>()
            };
            tint += correlation(&part(&self.colors), &part(&colors)).abs();
        }
        let mut shifted = f32::MIN;
        for shift in -6..=6 {
            shifted = shifted.max(alike(&self.edges, &edges, shift));
        }
        [
            correlation(&own, &theirs).abs(),
            tint,
            alike(&self.edges, &edges, 0),
            shifted,
            -(spread(&own) - spread(&theirs)).abs(),
        ]
    }
}

/// Places along a square, `out` picture pixels outside that of the outline, from its centre.
fn square(out: f32) -> Vec<Point> {
    let half = (CORE + out) * SCALE;
    let mut places = Vec::new();
    for side in 0..4 {
        for step in 0..24 {
            let along = half * ((step as f32 + 0.5) / 12.0 - 1.0);
            places.push(match side {
                0 => (along, -half),
                1 => (half, along),
                2 => (-along, half),
                _ => (-half, -along),
            });
        }
    }
    places
}

pub fn at(canvas: &Canvas, (x, y): Point) -> Color {
    let column = x.clamp(0.0, canvas.width as f32 - 1.0) as usize;
    let row = y.clamp(0.0, canvas.height as f32 - 1.0) as usize;
    canvas.pixels[row * canvas.width + column]
}

pub fn light(color: Color) -> f32 {
    0.3 * color[0] + 0.59 * color[1] + 0.11 * color[2]
}

/// Difference of light to the right and downward.
pub fn edge(canvas: &Canvas, (x, y): Point) -> Point {
    let light = |dx, dy| light(at(canvas, (x + dx, y + dy)));
    (
        light(2.0, 0.0) - light(-2.0, 0.0),
        light(0.0, 2.0) - light(0.0, -2.0),
    )
}

pub fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

/// Standard deviation.
pub fn spread(values: &[f32]) -> f32 {
    let middle = mean(values);
    let squares: f32 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (squares / values.len().max(1) as f32).sqrt()
}

pub fn correlation(a: &[f32], b: &[f32]) -> f32 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let products = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b));
    products.sum::<f32>() / (spread(a) * spread(b) * a.len() as f32).max(1e-3)
}

/// How well edges of one line go on in the other, `shift` places along.
fn alike(own: &[Point], theirs: &[Point], shift: i64) -> f32 {
    let count = own.len() as i64;
    let (mut both, mut mine, mut other) = (0.0, 0.0, 0.0);
    for (place, edge) in own.iter().enumerate() {
        let across = theirs[(place as i64 + shift).rem_euclid(count) as usize];
        let (a, b) = (edge.0.hypot(edge.1), across.0.hypot(across.1));
        // Of lines, not of steps: twice the angle.
        let cos = (edge.0 * across.0 + edge.1 * across.1) / (a * b).max(1.0);
        both += (a * b).sqrt() * (2.0 * cos * cos - 1.0).max(0.0);
        mine += a;
        other += b;
    }
    both / (mine * other).sqrt().max(1.0)
}

/// Each column as deviation from its mean, in units of its spread.
pub fn standardise<const N: usize>(rows: &mut [[f32; N]], columns: std::ops::Range<usize>) {
    for column in columns {
        let values: Vec<f32> = rows.iter().map(|row| row[column]).collect();
        let (middle, width) = (mean(&values), spread(&values).max(1e-4));
        for row in rows.iter_mut() {
            row[column] = (row[column] - middle) / width;
        }
    }
}
