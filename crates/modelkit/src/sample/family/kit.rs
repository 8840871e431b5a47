//! Solids that the families share: plates with holes, swept and lofted bodies, bevelled turnings, copies about an axis.

use crate::sample::shape::{Point, Shape};
use crate::sample::solids::{cross, dot, rounded_box, sub, unit};
use std::f32::consts::{FRAC_PI_2, TAU};

/// A point of an outline, or (radius, height) of a turning.
pub type Flat = [f32; 2];

impl Shape {
    pub fn at(self, x: f32, y: f32, z: f32) -> Shape {
        self.moved([x, y, z])
    }

    /// Scales by positive factors.
    pub fn scaled(self, by: Point) -> Shape {
        self.map(|p| [p[0] * by[0], p[1] * by[1], p[2] * by[2]])
    }

    /// Lays down what was made along z: z becomes y.
    pub fn laid(self) -> Shape {
        self.turned(0, -FRAC_PI_2)
    }

    /// Copies evenly about the y axis.
    pub fn around(self, count: usize) -> Shape {
        let mut all = Shape::default();
        for i in 0..count {
            all.add(self.clone().turned(1, TAU * i as f32 / count as f32));
        }
        all
    }

    /// Copies mirrored in x; the faces keep looking outwards.
    pub fn both_sides(self) -> Shape {
        let mut other = self.clone().map(|[x, y, z]| [-x, y, z]);
        for corner in other.indices.chunks_exact_mut(3) {
            corner.swap(1, 2);
        }
        let mut all = self;
        all.add(other);
        all
    }

    /// Texture coordinates from each face's main direction, one repeat every `size` metres, the grain (u) along the
    /// longest side.
    pub fn boxed(self, size: f32) -> Shape {
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for p in &self.positions {
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        let extent = sub(high, low);
        let long = widest(extent);
        let mut out = Shape::default();
        for corner in self.indices.chunks_exact(3) {
            let points = [0, 1, 2].map(|k| self.positions[corner[k] as usize]);
            let axis = widest(cross(sub(points[1], points[0]), sub(points[2], points[0])));
            let (u, v) = match axis == long {
                true => ((axis + 1) % 3, (axis + 2) % 3),
                false => (long, 3 - axis - long),
            };
            for p in points {
                out.indices.push(out.positions.len() as u32);
                out.positions.push(p);
                out.uvs.push([p[u] / size, p[v] / size]);
            }
        }
        out
    }
}

fn widest(v: Point) -> usize {
    let size = v.map(f32::abs);
    if size[0] >= size[1] && size[0] >= size[2] {
        0
    } else if size[1] >= size[2] {
        1
    } else {
        2
    }
}

/// A box about (x, y, z) with rounded edges, few triangles.
pub fn block(size: Point, radius: f32, at: Point) -> Shape {
    rounded_box(size, radius, 0.5).moved(at)
}

/// One of many slender ones: its edges are only broken.
pub fn slat(size: Point, radius: f32, at: Point) -> Shape {
    rounded_box(size, radius, 0.2).moved(at)
}

/// A block with a wood or stone texture running along it.
pub fn plank(size: Point, radius: f32, at: Point, repeat: f32) -> Shape {
    rounded_box(size, radius, 0.5).boxed(repeat).moved(at)
}

/// A circle, counter-clockwise.
pub fn circle(radius: f32, n: usize, center: Flat) -> Vec<Flat> {
    (0..n)
        .map(|i| {
            let (sin, cos) = (TAU * i as f32 / n as f32).sin_cos();
            [center[0] + radius * cos, center[1] + radius * sin]
        })
        .collect()
}

/// Rounds the corners of a profile by up to `radius`, `n` steps each. `closed` also rounds the first corner.
pub fn soften(points: &[Flat], radius: f32, n: usize, closed: bool) -> Vec<Flat> {
    let count = points.len();
    let mut out = Vec::new();
    for (i, &here) in points.iter().enumerate() {
        let edge = !closed && (i == 0 || i + 1 == count);
        if edge || count < 3 {
            out.push(here);
            continue;
        }
        let before = points[(i + count - 1) % count];
        let after = points[(i + 1) % count];
        let pull = |to: Flat| {
            let (dx, dy) = (to[0] - here[0], to[1] - here[1]);
            let length = dx.hypot(dy).max(1e-9);
            let far = radius.min(length * 0.48) / length;
            [here[0] + dx * far, here[1] + dy * far]
        };
        let (a, b) = (pull(before), pull(after));
        for step in 0..=n {
            let t = step as f32 / n as f32;
            let weights = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
            out.push([0, 1].map(|k| a[k] * weights[0] + here[k] * weights[1] + b[k] * weights[2]));
        }
    }
    out
}

/// A solid of revolution about y from axis to axis: (radius, height) from the bottom along the outside to the top.
pub fn turning(points: &[Flat], bevel: f32, around: usize) -> Shape {
    Shape::lathe(&soften(points, bevel, 3, false), around)
}

/// A ring about y from a closed, counter-clockwise section of (radius, height).
pub fn hoop(section: &[Flat], bevel: f32, around: usize) -> Shape {
    let mut profile = soften(section, bevel, 3, true);
    profile.extend(profile.first().copied());
    Shape::lathe(&profile, around)
}

/// A ring with a rectangular section.
pub fn collar(inner: f32, outer: f32, low: f32, high: f32, bevel: f32, around: usize) -> Shape {
    let section = [[inner, low], [outer, low], [outer, high], [inner, high]];
    hoop(&section, bevel, around)
}

/// Closed sections one above the other, each counter-clockwise seen from the last; the ends are shut.
pub fn loft(sections: Vec<Vec<Point>>) -> Shape {
    let shut = |section: Option<&Vec<Point>>| -> Vec<Point> {
        let section = section.map(Vec::as_slice).unwrap_or_default();
        let n = section.len().max(1) as f32;
        let sum = section.iter().fold([0.0; 3], |s: Point, p| {
            [s[0] + p[0], s[1] + p[1], s[2] + p[2]]
        });
        vec![sum.map(|x| x / n); section.len()]
    };
    let (first, last) = (shut(sections.first()), shut(sections.last()));
    let mut rows = vec![first];
    rows.extend(sections);
    rows.push(last);
    Shape::rows(&rows, true, [1.0, 1.0])
}

/// A profile (counter-clockwise) along a path, `scale` of its size at 0…1 of the way; closed at both ends.
pub fn sweep(path: &[Point], profile: &[Flat], scale: impl Fn(f32) -> f32) -> Shape {
    let last = path.len().saturating_sub(1).max(1);
    let mut side = [0.0f32; 3];
    let mut sections = Vec::new();
    for (i, here) in path.iter().enumerate() {
        let along = unit(sub(
            path[(i + 1).min(path.len() - 1)],
            path[i.saturating_sub(1)],
        ));
        let rough = match i {
            0 if along[1].abs() < 0.9 => cross([0.0, 1.0, 0.0], along),
            0 => cross([0.0, 0.0, 1.0], along),
            _ => {
                let d = dot(side, along);
                [0, 1, 2].map(|k| side[k] - along[k] * d)
            }
        };
        side = unit(rough);
        let up = cross(along, side);
        let size = scale(i as f32 / last as f32);
        let place = |p: &Flat| [0, 1, 2].map(|k| here[k] + size * (side[k] * p[0] + up[k] * p[1]));
        sections.push(profile.iter().map(place).collect());
    }
    loft(sections)
}

/// A symmetric blade section, counter-clockwise, the nose at -x.
pub fn airfoil(chord: f32, thickness: f32, n: usize) -> Vec<Flat> {
    let half = |t: f32| {
        thickness
            * chord
            * (1.48 * t.sqrt() - 0.63 * t - 1.76 * t * t + 1.42 * t.powi(3) - 0.51 * t.powi(4))
                .max(0.004)
    };
    let at = |i: usize| (1.0 - (FRAC_PI_2 * 2.0 * i as f32 / n as f32).cos()) / 2.0;
    let mut out: Vec<Flat> = (0..=n)
        .map(|i| [chord * (at(i) - 0.35), -half(at(i))])
        .collect();
    out.extend((1..n).rev().map(|i| [chord * (at(i) - 0.35), half(at(i))]));
    out
}

/// A plate in the xy plane from z = 0 to `thickness` with holes and bevelled edges.
pub fn plate(outer: &[Flat], holes: &[Vec<Flat>], thickness: f32, bevel: f32) -> Shape {
    let mut loops: Vec<Vec<Flat>> = Vec::new();
    for (i, points) in std::iter::once(outer)
        .chain(holes.iter().map(Vec::as_slice))
        .enumerate()
    {
        let mut points = points.to_vec();
        if (area(&points) > 0.0) != (i == 0) {
            points.reverse();
        }
        loops.push(points);
    }
    let bevel = bevel.min(thickness * 0.45);
    let mut shape = Shape::default();
    let steps = [(1.0, 0.0), (0.3, 0.3), (0.0, 1.0)];
    for points in &loops {
        let mut rows = Vec::new();
        let mut add = |inset: f32, z: f32| {
            rows.push(
                inward(points, inset * bevel)
                    .iter()
                    .map(|p| [p[0], p[1], z])
                    .collect::<Vec<Point>>(),
            );
        };
        for (inset, rise) in steps {
            add(inset, rise * bevel);
        }
        for (inset, rise) in steps.iter().rev() {
            add(*inset, thickness - rise * bevel);
        }
        shape.add(Shape::rows(&rows, true, [1.0, 1.0]));
    }
    let inset: Vec<Vec<Flat>> = loops.iter().map(|points| inward(points, bevel)).collect();
    let (points, triangles) = fill(&inset);
    for top in [false, true] {
        let base = shape.positions.len() as u32;
        for p in &points {
            shape
                .positions
                .push([p[0], p[1], if top { thickness } else { 0.0 }]);
            shape.uvs.push(*p);
        }
        for [a, b, c] in &triangles {
            let (b, c) = if top { (b, c) } else { (c, b) };
            shape.indices.extend([base + a, base + b, base + c]);
        }
    }
    shape
}

fn area(points: &[Flat]) -> f32 {
    let pairs = points.iter().zip(points.iter().cycle().skip(1));
    pairs.map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>() / 2.0
}

/// The outline moved to its left by `distance`, corner by corner.
fn inward(points: &[Flat], distance: f32) -> Vec<Flat> {
    let n = points.len();
    let normal = |a: Flat, b: Flat| {
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let length = dx.hypot(dy).max(1e-9);
        [-dy / length, dx / length]
    };
    (0..n)
        .map(|i| {
            let (a, b, c) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
            let (p, q) = (normal(a, b), normal(b, c));
            // The mitre, kept short at sharp corners.
            let scale = distance / (1.0 + p[0] * q[0] + p[1] * q[1]).max(0.4);
            [b[0] + (p[0] + q[0]) * scale, b[1] + (p[1] + q[1]) * scale]
        })
        .collect()
}

/// Triangles of an outline (counter-clockwise) with holes (clockwise): holes are joined by a cut, then ears are clipped.
fn fill(loops: &[Vec<Flat>]) -> (Vec<Flat>, Vec<[u32; 3]>) {
    let points: Vec<Flat> = loops.iter().flatten().copied().collect();
    let mut starts = Vec::new();
    let mut next = 0;
    for points in loops {
        starts.push(next..next + points.len());
        next += points.len();
    }
    let mut ring: Vec<usize> = starts.first().cloned().unwrap_or(0..0).collect();
    let edges: Vec<(usize, usize)> = starts
        .iter()
        .flat_map(|r| {
            r.clone()
                .map(|i| (i, if i + 1 == r.end { r.start } else { i + 1 }))
        })
        .collect();
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for hole in starts.iter().skip(1) {
        let mut best: Option<(f32, usize, usize)> = None;
        for h in hole.clone() {
            for (place, &r) in ring.iter().enumerate() {
                let far = (points[h][0] - points[r][0]).hypot(points[h][1] - points[r][1]);
                if best.is_some_and(|(least, ..)| far >= least) {
                    continue;
                }
                let free = edges.iter().chain(&cuts).all(|&(a, b)| {
                    [a, b].contains(&h)
                        || [a, b].contains(&r)
                        || !crossing(points[h], points[r], points[a], points[b])
                });
                if free {
                    best = Some((far, h, place));
                }
            }
        }
        let Some((_, h, place)) = best else { continue };
        let from = ring[place];
        let turn = hole.clone().cycle().skip(h - hole.start).take(hole.len());
        let insert: Vec<usize> = turn.chain([h, from]).collect();
        cuts.push((h, from));
        ring.splice(place + 1..place + 1, insert);
    }
    let triangles = clip(&points, ring);
    (points, triangles)
}

fn side(a: Flat, b: Flat, c: Flat) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn crossing(a: Flat, b: Flat, c: Flat, d: Flat) -> bool {
    side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0
}

fn clip(points: &[Flat], mut ring: Vec<usize>) -> Vec<[u32; 3]> {
    let mut out = Vec::new();
    let mut at = 0;
    let mut idle = 0;
    while ring.len() > 2 && idle <= ring.len() {
        let n = ring.len();
        let [a, b, c] = [ring[(at + n - 1) % n], ring[at % n], ring[(at + 1) % n]];
        let corners = [points[a], points[b], points[c]];
        let convex = side(corners[0], corners[1], corners[2]) > 0.0;
        let inside = |p: Flat| {
            side(corners[0], corners[1], p) >= 0.0
                && side(corners[1], corners[2], p) >= 0.0
                && side(corners[2], corners[0], p) >= 0.0
        };
        let ear = convex
            && ring
                .iter()
                .all(|&i| corners.contains(&points[i]) || !inside(points[i]));
        if ear {
            out.push([a as u32, b as u32, c as u32]);
            ring.remove(at % n);
            idle = 0;
            // On to the next corner, so that no fan of slivers grows from one.
            at = (at % n + 1) % ring.len().max(1);
        } else {
            at = (at + 1) % n;
            idle += 1;
        }
    }
    out
}
