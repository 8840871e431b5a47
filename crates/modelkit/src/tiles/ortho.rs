//! Images from straight above.

use crate::scene::{Bounds, Primitive};
use image::{Rgb, RgbImage};

/// An image of a rectangle of the ground; row 0 is the northern edge.
#[derive(Default, Clone)]
pub struct Ortho {
    pub picture: RgbImage,
    min: [f64; 2],
    max: [f64; 2],
}

impl Ortho {
    pub fn shift(&mut self, by: [f64; 2]) {
        for (axis, by) in by.into_iter().enumerate() {
            self.min[axis] += by;
            self.max[axis] += by;
        }
    }

    fn part(&self, p: [f64; 2]) -> [f64; 2] {
        let size = |k: usize| (self.max[k] - self.min[k]).max(1e-9);
        [
            (p[0] - self.min[0]) / size(0),
            (self.max[1] - p[1]) / size(1),
        ]
    }

    /// Texture coordinates of a point.
    pub fn uv(&self, p: [f32; 3]) -> [f32; 2] {
        self.part([f64::from(p[0]), f64::from(p[1])])
            .map(|v| v.clamp(0.0, 1.0) as f32)
    }

    /// Size of a pixel in metres.
    pub fn texel(&self) -> f64 {
        let area = (self.max[0] - self.min[0]) * (self.max[1] - self.min[1]);
        let pixels = f64::from(self.picture.width()) * f64::from(self.picture.height());
        (area / pixels.max(1.0)).max(0.0).sqrt()
    }

    /// Merges neighbours to one image of about the same resolution, no side above `most`.
    pub fn merged<'a>(parts: impl Iterator<Item = &'a Ortho> + Clone, most: u32) -> Ortho {
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut texel = f64::INFINITY;
        for part in parts.clone() {
            for axis in 0..2 {
                min[axis] = min[axis].min(part.min[axis]);
                max[axis] = max[axis].max(part.max[axis]);
            }
            texel = texel.min(part.texel());
        }
        let side = |k: usize| ((max[k] - min[k]) / texel.max(1e-9)).round() as u32;
        let picture = RgbImage::new(side(0).clamp(4, most), side(1).clamp(4, most));
        let mut out = Ortho { picture, min, max };
        let mut seen = vec![false; (out.picture.width() * out.picture.height()) as usize];
        let (width, height) = out.picture.dimensions();
        for part in parts {
            for (i, known) in seen.iter_mut().enumerate() {
                let (x, y) = (i as u32 % width, i as u32 / width);
                let ground = [
                    min[0] + (f64::from(x) + 0.5) / f64::from(width) * (max[0] - min[0]),
                    max[1] - (f64::from(y) + 0.5) / f64::from(height) * (max[1] - min[1]),
                ];
                let at = part.part(ground);
                if !*known && at.iter().all(|v| (0.0..=1.0).contains(v)) {
                    *known = true;
                    out.picture
                        .put_pixel(x, y, sample(&part.picture, at.map(|v| v as f32)));
                }
            }
        }
        fill(&mut out.picture, seen);
        out
    }
}

/// An image being rendered.
pub struct Shot {
    ortho: Ortho,
    heights: Vec<f32>,
}

impl Shot {
    /// An image of the area of `bounds`, with `side` pixels on the longer side.
    pub fn new(bounds: &Bounds, side: u32) -> Shot {
        let [x, y, _] = bounds.size();
        let longer = x.max(y).max(1e-9);
        let fit =
            |length: f64| ((length / longer * f64::from(side)).ceil() as u32).clamp(4, side.max(4));
        let picture = RgbImage::new(fit(x), fit(y));
        let count = (picture.width() * picture.height()) as usize;
        Shot {
            ortho: Ortho {
                picture,
                min: [bounds.min[0], bounds.min[1]],
                max: [bounds.max[0], bounds.max[1]],
            },
            heights: vec![f32::NEG_INFINITY; count],
        }
    }

    /// Draws a textured primitive (Y up); the highest surface wins.
    pub fn draw(&mut self, p: &Primitive, picture: &RgbImage) {
        let (width, height) = self.ortho.picture.dimensions();
        let corner = |(i, &[x, y, z]): (usize, &[f32; 3])| -> Corner {
            let [u, v] = self.ortho.part([f64::from(x), f64::from(-z)]);
            let uv = p.uvs.first().and_then(|s| s.get(i)).copied();
            let at = [u * f64::from(width), v * f64::from(height)];
            (at, y, uv.unwrap_or_default())
        };
        let all: Vec<Corner> = p.positions.iter().enumerate().map(corner).collect();
        for t in p.indices.as_chunks::<3>().0 {
            let corners = t.map(|i| all[i as usize]);
            triangle(&corners, [width, height], &mut |at, [a, b, c]| {
                let mix = |f: &dyn Fn(usize) -> f32| a * f(0) + b * f(1) + c * f(2);
                let high = mix(&|k| corners[k].1);
                if high <= self.heights[at] {
                    return;
                }
                self.heights[at] = high;
                let uv = [0, 1].map(|axis| mix(&|k| corners[k].2[axis]));
                let (x, y) = (at as u32 % width, at as u32 / width);
                self.ortho.picture.put_pixel(x, y, sample(picture, uv));
            });
        }
    }

    /// Returns the image; uncovered pixels take the nearest colour.
    pub fn finish(mut self) -> Ortho {
        let seen = self.heights.iter().map(|h| h.is_finite()).collect();
        fill(&mut self.ortho.picture, seen);
        self.ortho
    }
}

type Corner = ([f64; 2], f32, [f32; 2]);

/// Visits the pixels whose centre is in a triangle, with the corners' weights.
fn triangle(c: &[Corner; 3], size: [u32; 2], visit: &mut dyn FnMut(usize, [f32; 3])) {
    let [a, b, c] = [c[0].0, c[1].0, c[2].0];
    let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if area.abs() < 1e-9 || !area.is_finite() {
        return;
    }
    let range = |k: usize| {
        let low = a[k].min(b[k]).min(c[k]).floor().max(0.0) as u32;
        let high = a[k].max(b[k]).max(c[k]).ceil().min(f64::from(size[k])) as u32;
        low..high
    };
    for y in range(1) {
        for x in range(0) {
            let p = [f64::from(x) + 0.5, f64::from(y) + 0.5];
            let side = |s: [f64; 2], t: [f64; 2]| {
                ((s[0] - p[0]) * (t[1] - p[1]) - (t[0] - p[0]) * (s[1] - p[1])) / area
            };
            let weights = [side(b, c), side(c, a), side(a, b)];
            if weights.iter().all(|w| *w >= -1e-9) {
                visit((y * size[0] + x) as usize, weights.map(|w| w as f32));
            }
        }
    }
}

/// The nearest pixel; texture coordinates are clamped.
fn sample(picture: &RgbImage, uv: [f32; 2]) -> Rgb<u8> {
    let at = |v: f32, size: u32| ((v.clamp(0.0, 1.0) * size as f32) as u32).min(size - 1);
    *picture.get_pixel(at(uv[0], picture.width()), at(uv[1], picture.height()))
}

/// Grows the covered pixels over the others.
fn fill(picture: &mut RgbImage, mut seen: Vec<bool>) {
    let (width, height) = picture.dimensions();
    let mut front: Vec<u32> = (0..seen.len() as u32)
        .filter(|&i| seen[i as usize])
        .collect();
    while !front.is_empty() {
        let mut next = Vec::new();
        for i in front {
            let (x, y) = (i % width, i / width);
            let color = *picture.get_pixel(x, y);
            let around = [
                (x.wrapping_sub(1), y),
                (x + 1, y),
                (x, y.wrapping_sub(1)),
                (x, y + 1),
            ];
            for (x, y) in around {
                let at = y.wrapping_mul(width).wrapping_add(x);
                if x < width && y < height && !seen[at as usize] {
                    seen[at as usize] = true;
                    picture.put_pixel(x, y, color);
                    next.push(at);
                }
            }
        }
        front = next;
    }
}
