//! Draws the parts of a thing: in the thing's own square from -1 to 1, whatever its place, size and turn in the picture.

use std::f32::consts::TAU;

use crate::raster::{Canvas, Color, Point, shade};

/// Place and attitude of a thing.
#[derive(Debug, Clone, Copy)]
pub struct Pose {
    /// Centre in pixels of the canvas.
    pub x: f32,
    pub y: f32,
    /// Half its width and height in pixels.
    pub half: (f32, f32),
    /// In radians.
    pub turn: f32,
    /// How far its top leans to the side, relative to its height.
    pub lean: f32,
    pub mirrored: bool,
}

/// Colours of the parts, and where the light comes from.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub tones: [Color; 5],
    /// Direction of the light, and how strong it shapes.
    pub light: Point,
}

/// Main tone, second, dark, light, accent.
pub const MAIN: usize = 0;
pub const SECOND: usize = 1;
pub const DARK: usize = 2;
pub const PALE: usize = 3;
pub const ACCENT: usize = 4;

pub struct Pen<'a> {
    pub canvas: &'a mut Canvas,
    pub pose: Pose,
    pub look: Look,
}

impl Pen<'_> {
    fn place(&self, (x, y): Point) -> Point {
        let Pose { half, turn, .. } = self.pose;
        let x = if self.pose.mirrored { -x } else { x };
        let (x, y) = ((x - y * self.pose.lean) * half.0, y * half.1);
        let (sin, cos) = turn.sin_cos();
        (
            self.pose.x + x * cos - y * sin,
            self.pose.y + x * sin + y * cos,
        )
    }

    fn contours(&mut self, contours: &[Vec<Point>], tone: usize, opacity: f32) {
        let placed: Vec<Vec<Point>> = contours
            .iter()
            .map(|points| points.iter().map(|point| self.place(*point)).collect())
            .collect();
        let Pose { x, y, half, .. } = self.pose;
        let light = self.look.light;
        let color = self.look.tones[tone];
        self.canvas.fill(&placed, |px, py| {
            let lit = (px - x) / half.0 * light.0 + (py - y) / half.1 * light.1;
            (shade(color, 1.0 + lit), opacity)
        });
    }

    pub fn shape(&mut self, tone: usize, points: &[Point]) {
        self.contours(&[points.to_vec()], tone, 1.0);
    }

    pub fn veil(&mut self, tone: usize, points: &[Point]) {
        self.contours(&[points.to_vec()], tone, 0.55);
    }

    /// Left, top, right, bottom.
    pub fn block(&mut self, tone: usize, left: f32, top: f32, right: f32, bottom: f32) {
        self.shape(
            tone,
            &[(left, top), (right, top), (right, bottom), (left, bottom)],
        );
    }

    pub fn oval(&mut self, tone: usize, center: Point, across: f32, down: f32) {
        self.shape(tone, &oval(center, across, down, 0.0));
    }

    /// The upper half of an oval.
    pub fn dome(&mut self, tone: usize, center: Point, across: f32, down: f32) {
        self.shape(tone, &arc(center, across, down, 0.5, 1.0));
    }

    /// What lies between two ovals, turned.
    pub fn hoop(&mut self, tone: usize, center: Point, outer: Point, inner: Point, turn: f32) {
        let contours = [
            oval(center, outer.0, outer.1, turn),
            oval(center, inner.0, inner.1, turn),
        ];
        self.contours(&contours, tone, 1.0);
    }

    /// The upper half of what lies between two ovals.
    pub fn arch(&mut self, tone: usize, center: Point, outer: Point, inner: Point) {
        let mut points = arc(center, outer.0, outer.1, 0.5, 1.0);
        points.extend(arc(center, inner.0, inner.1, 1.0, 0.5));
        self.shape(tone, &points);
    }

    /// A line through the points.
    pub fn line(&mut self, tone: usize, width: f32, points: &[Point]) {
        for pair in points.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let length = dx.hypot(dy).max(1e-6);
            let (nx, ny) = (-dy / length * width / 2.0, dx / length * width / 2.0);
            self.shape(
                tone,
                &[
                    (pair[0].0 + nx, pair[0].1 + ny),
                    (pair[1].0 + nx, pair[1].1 + ny),
                    (pair[1].0 - nx, pair[1].1 - ny),
                    (pair[0].0 - nx, pair[0].1 - ny),
                ],
            );
        }
        for point in points {
            self.oval(tone, *point, width / 2.0, width / 2.0);
        }
    }
}

fn oval(center: Point, across: f32, down: f32, turn: f32) -> Vec<Point> {
    let (sin, cos) = turn.sin_cos();
    let mut points = Vec::new();
    for step in 0..32 {
        let angle = TAU * step as f32 / 32.0;
        let (x, y) = (angle.cos() * across, angle.sin() * down);
        points.push((center.0 + x * cos - y * sin, center.1 + x * sin + y * cos));
    }
    points
}

/// From a share of the circle to another; 0 is to the right, a quarter below.
fn arc(center: Point, across: f32, down: f32, from: f32, to: f32) -> Vec<Point> {
    let mut points = Vec::new();
    for step in 0..=24 {
        let angle = TAU * (from + (to - from) * step as f32 / 24.0);
        points.push((
            center.0 + angle.cos() * across,
            center.1 + angle.sin() * down,
        ));
    }
    points
}
