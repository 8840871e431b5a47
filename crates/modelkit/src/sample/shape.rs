//! Surfaces as grids of points. Normals are computed, with creases, so that bevels are smooth and edges stay sharp.

use crate::read::normals::{self, Faces};
use crate::read::weld::Welder;
use crate::scene::Primitive;
use std::collections::HashMap;
use std::f32::consts::TAU;

pub type Point = [f32; 3];

/// Triangles with texture coordinates.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub positions: Vec<Point>,
    pub uvs: Vec<[f32; 2]>,
    pub indices: Vec<u32>,
}

/// A number of steps that grows with the detail.
pub fn steps(detail: f32, base: f32, least: usize) -> usize {
    ((base * detail).round() as usize).max(least)
}

impl Shape {
    /// Rows of points, `rows[j][i]`, all of the same length. Seen from outside, i runs to the right and j upwards.
    /// `wrap` joins the last column to the first. Texture coordinates run over `repeat`.
    pub fn rows(rows: &[Vec<Point>], wrap: bool, repeat: [f32; 2]) -> Shape {
        let mut shape = Shape::default();
        let width = rows.first().map_or(0, Vec::len);
        if rows.len() < 2 || width < 2 {
            return shape;
        }
        let columns = if wrap { width } else { width - 1 };
        for (j, row) in rows.iter().enumerate() {
            for i in 0..=columns {
                shape.positions.push(row[i % width]);
                let u = i as f32 / columns as f32;
                let v = j as f32 / (rows.len() - 1) as f32;
                shape.uvs.push([u * repeat[0], (1.0 - v) * repeat[1]]);
            }
        }
        let at = |i: usize, j: usize| (j * (columns + 1) + i) as u32;
        for j in 0..rows.len() - 1 {
            for i in 0..columns {
                let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                shape.triangle(a, b, c);
                shape.triangle(a, c, d);
            }
        }
        shape
    }

    /// A grid of `nu` × `nv` cells from a function of u and v in 0…1.
    pub fn patch(nu: usize, nv: usize, wrap: bool, point: impl Fn(f32, f32) -> Point) -> Shape {
        let columns = if wrap { nu } else { nu + 1 };
        let mut rows = Vec::with_capacity(nv + 1);
        for j in 0..=nv {
            let v = j as f32 / nv as f32;
            rows.push(
                (0..columns)
                    .map(|i| point(i as f32 / nu as f32, v))
                    .collect(),
            );
        }
        Shape::rows(&rows, wrap, [1.0, 1.0])
    }

    /// A profile of (radius, height), bottom to top along the outside, revolved about the y axis.
    pub fn lathe(profile: &[[f32; 2]], around: usize) -> Shape {
        let row = |&[r, y]: &[f32; 2]| {
            let point = |i: usize| {
                let angle = TAU * i as f32 / around as f32;
                [r * angle.cos(), y, -r * angle.sin()]
            };
            (0..around).map(point).collect()
        };
        let rows: Vec<Vec<Point>> = profile.iter().map(row).collect();
        Shape::rows(&rows, true, [1.0, 1.0])
    }

    fn triangle(&mut self, a: u32, b: u32, c: u32) {
        let [pa, pb, pc] = [a, b, c].map(|i| self.positions[i as usize]);
        if pa != pb && pb != pc && pa != pc {
            self.indices.extend([a, b, c]);
        }
    }

    pub fn add(&mut self, other: Shape) {
        let base = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.uvs.extend(other.uvs);
        self.indices.extend(other.indices.iter().map(|i| i + base));
    }

    pub fn map(mut self, change: impl Fn(Point) -> Point) -> Shape {
        for position in &mut self.positions {
            *position = change(*position);
        }
        self
    }

    pub fn moved(self, by: Point) -> Shape {
        self.map(|p| [p[0] + by[0], p[1] + by[1], p[2] + by[2]])
    }

    /// Rotates about an axis (0 x, 1 y, 2 z) by an angle in radians.
    pub fn turned(self, axis: usize, angle: f32) -> Shape {
        let (sin, cos) = angle.sin_cos();
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        self.map(|mut p| {
            (p[a], p[b]) = (p[a] * cos - p[b] * sin, p[a] * sin + p[b] * cos);
            p
        })
    }

    /// Repeats the texture more often.
    pub fn tiled(mut self, u: f32, v: f32) -> Shape {
        for uv in &mut self.uvs {
            *uv = [uv[0] * u, uv[1] * v];
        }
        self
    }

    /// Computes normals and shares vertices.
    pub fn finish(self, material: u32) -> Primitive {
        let mut welder = Welder::new(self.positions.len());
        let places: Vec<u32> = self.positions.iter().map(|p| welder.add(*p)).collect();
        let corners: Vec<u32> = self.indices.iter().map(|&i| places[i as usize]).collect();
        let welded = welder.finish();
        let made = normals::creased(&Faces {
            positions: &welded,
            corners: &corners,
            groups: &[],
            bits: false,
        });
        let mut known: HashMap<(u32, u32, u32), u32> = HashMap::new();
        let mut primitive = Primitive {
            material: Some(material),
            ..Primitive::default()
        };
        let mut uvs = Vec::new();
        for (&vertex, &normal) in self.indices.iter().zip(&made.corners) {
            let uv = self.uvs[vertex as usize];
            let key = (normal, uv[0].to_bits(), uv[1].to_bits());
            let next = primitive.positions.len() as u32;
            let index = *known.entry(key).or_insert(next);
            if index == next {
                primitive.positions.push(self.positions[vertex as usize]);
                primitive.normals.push(made.normals[normal as usize]);
                uvs.push(uv);
            }
            primitive.indices.push(index);
        }
        primitive.uvs.push(uvs);
        primitive
    }
}
