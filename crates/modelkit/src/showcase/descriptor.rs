//! 64 bytes that show whether two models are alike, whatever file, order of triangles or unit of length they come in: distances
//! of random pairs of points (32 bytes, square roots of shares), proportions (4), colours by area (24, square roots of shares)
//! and size (4, logarithms).

use crate::progress::Ctx;
use crate::render::geometry::Geometry;
use crate::render::material::{self, Look};
use crate::render::texture::{Footprint, to_srgb};
use crate::scene::Mode;
use crate::{Error, Result, Scene};

pub const BYTES: usize = 64;
pub type Descriptor = [u8; BYTES];

/// Where the parts begin.
const EXTENTS: usize = 32;
const COLORS: usize = 36;
const SCALE: usize = 60;
/// Points, and pairs of each.
const POINTS: usize = 8192;
const PAIRS: usize = 24;
/// The last of the distances in means of all.
const FARTHEST: f64 = 2.4;
/// Bins for grey by lightness; the other colours by hue and lightness.
const GREYS: usize = 6;
const HUES: usize = 9;
/// Steps of a doubling of size.
const OCTAVE: f64 = 5.0;
/// Side in pixels at which textures are looked at.
const TEXTURE_SIDE: u32 = 128;

struct Point {
    place: [f64; 3],
    color: [f32; 3],
}

/// The descriptor of a model; zeros for one without geometry.
pub fn of(scene: &Scene, ctx: &Ctx) -> Result<Descriptor> {
    let mut out = [0; BYTES];
    let mut geometry = match Geometry::collect(scene) {
        Err(Error::EmptyModel(_)) => return Ok(out),
        collected => collected?,
    };
    let looks = material::looks(scene, &mut geometry, TEXTURE_SIDE, ctx)?;
    let (points, area, volume) = sampled(&geometry, &looks);
    if points.is_empty() {
        return Ok(out);
    }
    distances(&points, &mut out[..EXTENTS]);
    let size = [0, 1, 2].map(|k| f64::from(geometry.high[k] - geometry.low[k]));
    proportions(size, area, volume, &mut out[EXTENTS..COLORS]);
    colors(&points, &mut out[COLORS..SCALE]);
    let diagonal = scene.bounds().diagonal();
    let real = |unit: f64| unit * diagonal / 2.0;
    let sizes = [
        diagonal,
        real(size.into_iter().fold(0.0, f64::max)),
        real(area.sqrt()),
        real(volume.cbrt()),
    ];
    for (slot, size) in out[SCALE..].iter_mut().zip(sizes) {
        let steps = 128.0 + size.max(1e-9).log2() * OCTAVE;
        *slot = steps.round().clamp(0.0, 255.0) as u8;
    }
    Ok(out)
}

/// How unlike two models are: 0 the same, below 12 most likely one model in two files, above 60 different ones. Size
/// counts little, since files lose their unit.
pub fn distance(a: &Descriptor, b: &Descriptor) -> f64 {
    let part = |from: usize, to: usize| -> f64 {
        let pairs = a[from..to].iter().zip(&b[from..to]);
        pairs.map(|(a, b)| f64::from(a.abs_diff(*b)).powi(2)).sum()
    };
    let shape = part(0, EXTENTS) + 0.6 * part(EXTENTS, COLORS);
    (shape + 0.3 * part(COLORS, SCALE) + 0.02 * part(SCALE, BYTES)).sqrt()
}

pub fn to_hex(descriptor: &Descriptor) -> String {
    descriptor.iter().map(|b| format!("{b:02x}")).collect()
}

/// Points spread evenly over the surface, the surface's area, and the volume inside, where the model has unit radius.
/// A model of lines or points has those instead.
fn sampled(geometry: &Geometry, looks: &[Look]) -> (Vec<Point>, f64, f64) {
    let (mut area, mut volume) = (0.0f64, 0.0f64);
    for piece in geometry.pieces.iter().filter(|p| p.mode == Mode::Triangles) {
        for corner in piece.indices.as_chunks::<3>().0 {
            let (a, v) = measured(corner.map(|i| piece.positions[i as usize]));
            (area, volume) = (area + a, volume + v);
        }
    }
    let mut points = Vec::with_capacity(POINTS);
    if area <= 1e-12 || !area.is_finite() {
        loose(geometry, looks, &mut points);
        return (points, 0.0, 0.0);
    }
    // One point in each of equal shares of the area, wherever in the list its triangle is.
    let step = area / POINTS as f64;
    let (mut next, mut passed) = (step / 2.0, 0.0);
    for (index, piece) in geometry.pieces.iter().enumerate() {
        if piece.mode != Mode::Triangles {
            continue;
        }
        for corner in piece.indices.as_chunks::<3>().0 {
            let triangle = corner.map(|i| piece.positions[i as usize]);
            passed += measured(triangle).0;
            while passed > next && points.len() < POINTS {
                next += step;
                let weights = inside(points.len());
                points.push(Point {
                    place: [0, 1, 2].map(|axis| {
                        (0..3)
                            .map(|k| f64::from(triangle[k][axis] * weights[k]))
                            .sum()
                    }),
                    color: color_at(piece, &looks[index], corner, weights),
                });
            }
        }
    }
    (points, area, volume.abs())
}

/// Ends of lines and points, evenly over the lists.
fn loose(geometry: &Geometry, looks: &[Look], points: &mut Vec<Point>) {
    let all: usize = geometry.pieces.iter().map(|p| p.indices.len()).sum();
    let every = all.div_ceil(POINTS).max(1);
    let mut seen = 0;
    for (index, piece) in geometry.pieces.iter().enumerate() {
        for &i in &piece.indices {
            seen += 1;
            let place = piece.positions[i as usize].map(f64::from);
            if seen % every == 0 && place.iter().all(|v| v.is_finite()) {
                let color = color_at(piece, &looks[index], &[i; 3], [1.0, 0.0, 0.0]);
                points.push(Point { place, color });
            }
        }
    }
}

/// Area of a triangle, and the signed volume between it and the origin.
fn measured([a, b, c]: [[f32; 3]; 3]) -> (f64, f64) {
    let [a, b, c] = [a, b, c].map(|p| p.map(f64::from));
    let sub = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| p[k] - q[k]);
    let cross = crate::scene::math::cross(sub(b, a), sub(c, a));
    let area = cross.iter().map(|v| v * v).sum::<f64>().sqrt() / 2.0;
    let volume = (0..3).map(|k| a[k] * cross[k]).sum::<f64>() / 6.0;
    match area.is_finite() {
        true => (area, volume),
        false => (0.0, 0.0),
    }
}

/// Weights of the corners for the n-th point, even over a triangle (the R2 sequence).
fn inside(n: usize) -> [f32; 3] {
    let u = (0.5 + n as f64 * 0.754_877_666_246_692_8).fract();
    let v = (0.5 + n as f64 * 0.569_840_290_998_053_3).fract();
    let (u, v) = if u + v > 1.0 {
        (1.0 - u, 1.0 - v)
    } else {
        (u, v)
    };
    [(1.0 - u - v) as f32, u as f32, v as f32]
}

/// sRGB, 0…1.
fn color_at(
    piece: &crate::render::geometry::Piece,
    look: &Look,
    corner: &[u32; 3],
    weights: [f32; 3],
) -> [f32; 3] {
    let mut color = [look.color[0], look.color[1], look.color[2]];
    if let Some(slot) = &look.color_texture
        && let Some(uvs) = piece.uvs.get(slot.set)
    {
        let uv = [0, 1].map(|k| {
            (0..3)
                .map(|i| uvs[corner[i] as usize][k] * weights[i])
                .sum()
        });
        // A footprint of some texels, so that fine noise does not count.
        let wide = 4.0 / TEXTURE_SIDE as f32;
        let texel = slot.sample(&Footprint {
            uv,
            dx: [wide, 0.0],
            dy: [0.0, wide],
        });
        color = [0, 1, 2].map(|k| color[k] * texel[k]);
    }
    if !piece.colors.is_empty() {
        let vertex = |k: usize| -> f32 {
            (0..3)
                .map(|i| piece.colors[corner[i] as usize][k] * weights[i])
                .sum()
        };
        color = [0, 1, 2].map(|k| color[k] * vertex(k));
    }
    color.map(to_srgb)
}

/// Shares of the distances of pairs, relative to their mean; each falls to two neighbouring bins.
fn distances(points: &[Point], out: &mut [u8]) {
    let count = points.len();
    let mut found = Vec::with_capacity(count * PAIRS);
    for i in 0..count {
        for k in 1..=PAIRS {
            // Partners spread over the whole list, other ones for every point.
            let j = (i * 31 + k * count / PAIRS + i * k * 7) % count;
            let (a, b) = (points[i].place, points[j].place);
            let d = [0, 1, 2].map(|axis| a[axis] - b[axis]);
            found.push(d.iter().map(|v| v * v).sum::<f64>().sqrt());
        }
    }
    let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
    if mean <= 0.0 || !mean.is_finite() {
        return;
    }
    let last = out.len() - 1;
    let mut bins = vec![0.0; out.len()];
    for d in &found {
        let at = (d / mean / FARTHEST * last as f64).clamp(0.0, last as f64);
        let bin = (at as usize).min(last);
        bins[bin] += 1.0 - at.fract();
        bins[(bin + 1).min(last)] += at.fract();
    }
    rooted(&bins, found.len() as f64, out);
}

fn rooted(bins: &[f64], all: f64, out: &mut [u8]) {
    for (slot, bin) in out.iter_mut().zip(bins) {
        *slot = ((bin / all).sqrt() * 255.0).round().clamp(0.0, 255.0) as u8;
    }
}

/// Sides of the box by length, how much surface it holds, and how full it is.
fn proportions(mut size: [f64; 3], area: f64, volume: f64, out: &mut [u8]) {
    size.sort_unstable_by(|a, b| b.total_cmp(a));
    let [a, b, c] = size;
    let around = 2.0 * (a * b + b * c + c * a);
    let shares = [
        b / a.max(1e-9),
        c / a.max(1e-9),
        (area / around.max(1e-9) / 4.0).sqrt(),
        volume / (a * b * c).max(1e-9),
    ];
    for (slot, share) in out.iter_mut().zip(shares) {
        *slot = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
    }
}

/// Shares of the area by colour; each point falls to neighbouring bins.
fn colors(points: &[Point], out: &mut [u8]) {
    let mut bins = vec![0.0f64; out.len()];
    for point in points {
        let [r, g, b] = point.color.map(f64::from);
        let (most, least) = (r.max(g).max(b), r.min(g).min(b));
        let chroma = most - least;
        // From grey to coloured without a step.
        let vivid =
            ((chroma / most.max(1e-6) - 0.08) / 0.2).clamp(0.0, 1.0) * (most * 4.0).min(1.0);
        let level = most * (GREYS - 1) as f64;
        let low = (level as usize).min(GREYS - 1);
        bins[low] += (1.0 - vivid) * (1.0 - level.fract());
        bins[(low + 1).min(GREYS - 1)] += (1.0 - vivid) * level.fract();
        if vivid <= 0.0 {
            continue;
        }
        let sixth = match most {
            m if m == r => ((g - b) / chroma).rem_euclid(6.0),
            m if m == g => (b - r) / chroma + 2.0,
            _ => (r - g) / chroma + 4.0,
        };
        let hue = sixth / 6.0 * HUES as f64;
        let bright = ((most - 0.35) / 0.4).clamp(0.0, 1.0);
        let (first, part) = (hue as usize % HUES, hue.fract());
        for (index, share) in [(first, 1.0 - part), ((first + 1) % HUES, part)] {
            bins[GREYS + index] += vivid * share * (1.0 - bright);
            bins[GREYS + HUES + index] += vivid * share * bright;
        }
    }
    rooted(&bins, points.len() as f64, out);
}
