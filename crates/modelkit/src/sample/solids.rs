//! Solids from which the samples are built. All edges are rounded or bevelled.

use super::shape::{Point, Shape, steps};
use std::f32::consts::{FRAC_PI_2, PI, TAU};

/// A box about the origin with rounded edges.
pub fn rounded_box(size: Point, radius: f32, detail: f32) -> Shape {
    let half = size.map(|s| s / 2.0);
    let radius = radius.min(half[0]).min(half[1]).min(half[2]);
    let bevel = steps(detail, 3.0, 1);
    let longest = half[0].max(half[1]).max(half[2]);
    let lines = half.map(|h| ticks(h, radius, bevel, steps(detail, 4.0 * h / longest, 1)));
    let mut shape = Shape::default();
    for axis in 0..3 {
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in [1.0f32, -1.0] {
            let mut rows = Vec::new();
            for &v in &lines[b] {
                let mut row: Vec<Point> = Vec::new();
                for &u in &lines[a] {
                    let mut q = [0.0; 3];
                    q[axis] = half[axis] * side;
                    // The opposite side has the opposite orientation.
                    q[a] = u * side;
                    q[b] = v;
                    row.push(rounded(q, half, radius));
                }
                rows.push(row);
            }
            shape.add(Shape::rows(&rows, false, [1.0, 1.0]));
        }
    }
    shape
}

/// Positions of grid lines along one edge: denser on the rounding.
fn ticks(half: f32, radius: f32, bevel: usize, middle: usize) -> Vec<f32> {
    let flat = half - radius;
    let mut out: Vec<f32> = Vec::new();
    for i in 0..=bevel {
        let angle = FRAC_PI_2 / 2.0 * (1.0 - i as f32 / bevel as f32);
        out.push(-(flat + radius * angle.tan()));
    }
    for i in 1..middle {
        out.push(flat * (2.0 * i as f32 / middle as f32 - 1.0));
    }
    let mirrored: Vec<f32> = out[..=bevel].iter().rev().map(|x| -x).collect();
    out.extend(mirrored);
    out
}

fn rounded(q: Point, half: Point, radius: f32) -> Point {
    let mut inner = [0.0; 3];
    let mut out = [0.0; 3];
    let mut length = 0.0;
    for k in 0..3 {
        inner[k] = q[k].clamp(-(half[k] - radius), half[k] - radius);
        out[k] = q[k] - inner[k];
        length += out[k] * out[k];
    }
    let scale = if length > 0.0 {
        radius / length.sqrt()
    } else {
        0.0
    };
    [0, 1, 2].map(|k| inner[k] + out[k] * scale)
}

/// A cylinder from y = 0 to `height` with bevelled rims.
pub fn cylinder(radius: f32, height: f32, bevel: f32, detail: f32) -> Shape {
    let flat = height - 2.0 * bevel;
    let mut profile = vec![[0.0, 0.0]];
    let caps = steps(detail, 2.0, 1);
    for i in 1..=caps {
        profile.push([(radius - bevel) * i as f32 / caps as f32, 0.0]);
    }
    arc(
        &mut profile,
        [radius - bevel, bevel],
        bevel,
        -FRAC_PI_2,
        0.0,
        steps(detail, 3.0, 1),
    );
    let sides = steps(detail, (3.0 * flat / radius).clamp(1.0, 12.0), 1);
    for i in 1..=sides {
        profile.push([radius, bevel + flat * i as f32 / sides as f32]);
    }
    arc(
        &mut profile,
        [radius - bevel, height - bevel],
        bevel,
        0.0,
        FRAC_PI_2,
        steps(detail, 3.0, 1),
    );
    for i in (0..caps).rev() {
        profile.push([(radius - bevel) * i as f32 / caps as f32, height]);
    }
    Shape::lathe(&profile, steps(detail, 36.0, 6))
}

/// Appends an arc to a profile, without its first point.
pub fn arc(
    profile: &mut Vec<[f32; 2]>,
    center: [f32; 2],
    radius: f32,
    from: f32,
    to: f32,
    n: usize,
) {
    for i in 1..=n {
        let angle = from + (to - from) * i as f32 / n as f32;
        profile.push([
            center[0] + radius * angle.cos(),
            center[1] + radius * angle.sin(),
        ]);
    }
}

/// A smooth curve through the points (Catmull–Rom), `n` steps per span.
pub fn curve<const N: usize>(points: &[[f32; N]], n: usize) -> Vec<[f32; N]> {
    let mut out = Vec::new();
    let last = points.len().saturating_sub(1);
    for i in 0..last {
        let p = [
            points[i.saturating_sub(1)],
            points[i],
            points[i + 1],
            points[(i + 2).min(last)],
        ];
        for step in 0..n {
            let t = step as f32 / n as f32;
            let mut at = [0.0; N];
            for (k, value) in at.iter_mut().enumerate() {
                let [a, b, c, d] = p.map(|q| q[k]);
                *value = 0.5
                    * (2.0 * b
                        + (c - a) * t
                        + (2.0 * a - 5.0 * b + 4.0 * c - d) * t * t
                        + (3.0 * b - a - 3.0 * c + d) * t * t * t);
            }
            out.push(at);
        }
    }
    out.extend(points.last());
    out
}

pub fn sphere(radius: f32, detail: f32) -> Shape {
    let n = steps(detail, 20.0, 4);
    let mut profile = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let angle = PI * i as f32 / n as f32;
        let r = if i == 0 || i == n {
            0.0
        } else {
            radius * angle.sin()
        };
        profile.push([r, -radius * angle.cos()]);
    }
    Shape::lathe(&profile, n * 2)
}

/// A ring about the y axis.
pub fn torus(radius: f32, thickness: f32, detail: f32) -> Shape {
    let n = steps(detail, 14.0, 4);
    let mut profile = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let angle = TAU * (i % n) as f32 / n as f32;
        profile.push([radius + thickness * angle.cos(), thickness * angle.sin()]);
    }
    Shape::lathe(&profile, steps(detail, 56.0, 8))
}

/// A round rod along a polyline, closed at both ends.
pub fn tube(path: &[Point], radius: f32, detail: f32) -> Shape {
    let sides = steps(detail, 14.0, 4);
    let mut rows: Vec<Vec<Point>> = Vec::new();
    let (Some(first), Some(last)) = (path.first(), path.last()) else {
        return Shape::default();
    };
    rows.push(vec![*first; sides]);
    let mut side = [0.0f32; 3];
    for (i, here) in path.iter().enumerate() {
        let before = path[i.saturating_sub(1)];
        let after = path[(i + 1).min(path.len() - 1)];
        let along = unit(sub(after, before));
        if i == 0 {
            let rough = if along[1].abs() < 0.9 {
                [0.0, 1.0, 0.0]
            } else {
                [1.0, 0.0, 0.0]
            };
            side = unit(cross(rough, along));
        } else {
            // Propagating the frame keeps the rod from twisting.
            let d = dot(side, along);
            side = unit([0, 1, 2].map(|k| side[k] - along[k] * d));
        }
        let up = cross(along, side);
        let mut row = Vec::with_capacity(sides);
        for s in 0..sides {
            let (sin, cos) = (TAU * s as f32 / sides as f32).sin_cos();
            row.push([0, 1, 2].map(|k| here[k] + radius * (side[k] * cos + up[k] * sin)));
        }
        rows.push(row);
    }
    rows.push(vec![*last; sides]);
    Shape::rows(&rows, true, [1.0, 1.0])
}

/// A rod between two points, with steps along it.
pub fn rod(from: Point, to: Point, radius: f32, detail: f32) -> Shape {
    let n = steps(detail, 3.0, 1);
    let point = |i: usize| [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * i as f32 / n as f32);
    tube(&(0..=n).map(point).collect::<Vec<_>>(), radius, detail)
}

/// A disc with any outline: at each angle it extends from an inner to an outer radius; thickness centred on y = 0,
/// edges bevelled.
pub fn disc(
    angles: &[f32],
    thickness: f32,
    bevel: f32,
    radial: usize,
    radii: impl Fn(f32) -> [f32; 2],
) -> Shape {
    let h = thickness / 2.0;
    // Each: position between the inner and the outer radius (0…1), inset, height.
    let mut bottom = Vec::new();
    for i in 0..=radial {
        let t = i as f32 / radial as f32;
        bottom.push((t, bevel * (1.0 - 2.0 * t), -h));
    }
    let top: Vec<_> = bottom
        .iter()
        .rev()
        .map(|&(t, inset, y)| (t, inset, -y))
        .collect();
    let mut loop_points = bottom;
    loop_points.push((1.0, 0.0, -h + bevel));
    loop_points.push((1.0, 0.0, h - bevel));
    loop_points.extend(top);
    loop_points.push((0.0, 0.0, h - bevel));
    loop_points.push((0.0, 0.0, -h + bevel));
    loop_points.push((0.0, bevel, -h));
    let row = |&(t, inset, y): &(f32, f32, f32)| {
        let point = |&angle: &f32| {
            let [inner, outer] = radii(angle);
            let r = inner + (outer - inner) * t + inset;
            [r * angle.cos(), y, -r * angle.sin()]
        };
        angles.iter().map(point).collect()
    };
    let rows: Vec<Vec<Point>> = loop_points.iter().map(row).collect();
    Shape::rows(&rows, true, [1.0, 1.0])
}

pub fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn dot(a: Point, b: Point) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn unit(v: Point) -> Point {
    crate::read::normals::normalize(v).unwrap_or([0.0, 1.0, 0.0])
}
