//! Textures with mip levels, filtered along the major axis of a pixel's footprint.

use crate::progress::Ctx;
use crate::scene::{CLAMP, MIRROR, Sampler, Scene, TextureRef, TextureTransform, decode};
use crate::{Error, Result};
use image::RgbaImage;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// How near a level has to be to stand for itself.
const ONE_LEVEL: f32 = 0.1;
/// Most samples along the major axis.
const MOST_TAPS: usize = 6;
/// Pixels decoded at the same time; limits memory on machines with many cores.
const AT_ONCE: u64 = 1 << 26;

static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|byte| crate::read::colour::srgb_to_linear(byte as f32 / 255.0))
});

/// sRGB value of a linear one, both 0…1.
pub fn to_srgb(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    match v <= 0.003_130_8 {
        true => v * 12.92,
        false => 1.055 * v.powf(1.0 / 2.4) - 0.055,
    }
}

/// Steps of a table of sRGB bytes by linear values: the largest is a fifth of a byte.
const STEPS: usize = 1 << 14;

static BYTES: LazyLock<Box<[u8; STEPS]>> = LazyLock::new(|| {
    let byte = |step: usize| (to_srgb(step as f32 / (STEPS - 1) as f32) * 255.0 + 0.5) as u8;
    let mut table = Box::new([0; STEPS]);
    table
        .iter_mut()
        .enumerate()
        .for_each(|(step, slot)| *slot = byte(step));
    table
});

/// sRGB byte of a linear value.
#[inline]
pub fn to_byte(v: f32) -> u8 {
    let step = (v.clamp(0.0, 1.0) * (STEPS - 1) as f32 + 0.5) as usize;
    BYTES[step % STEPS]
}

/// Linear value of an sRGB byte.
pub fn from_byte(byte: u8) -> f32 {
    LINEAR[usize::from(byte)]
}

/// All images that a scene's materials use, by image.
pub struct Pictures(HashMap<u32, Arc<Levels>>);

/// One image, each level half of the one before.
struct Levels(Vec<RgbaImage>);

impl Pictures {
    /// Decodes the images of `textures`, at most `side` pixels long. Images that cannot be decoded are left out with a
    /// warning: the plain colour is used.
    pub fn load(scene: &Scene, textures: &[u32], side: u32, ctx: &Ctx) -> Result<Pictures> {
        let mut wanted: Vec<u32> = textures
            .iter()
            .filter_map(|&t| Some(scene.textures.get(t as usize)?.image))
            .filter(|&i| (i as usize) < scene.images.len())
            .collect();
        wanted.sort_unstable();
        wanted.dedup();
        let mut found = HashMap::new();
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            if ctx.progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let pixels = |i: &u32| {
                let image = &scene.images[*i as usize];
                u64::from(image.width) * u64::from(image.height)
            };
            let mut sum = 0;
            let fits = rest
                .iter()
                .take_while(|i| {
                    sum += pixels(i);
                    sum <= AT_ONCE
                })
                .count();
            let (now, later) = rest.split_at(fits.max(1));
            rest = later;
            let one = |&i: &u32| {
                let decoded = decode(&scene.images[i as usize].bytes, &ctx.limits);
                (i, decoded.map(|picture| Levels::of(picture, side)))
            };
            let decoded: Vec<_> = now.par_iter().map(one).collect();
            for (i, levels) in decoded {
                match levels {
                    Ok(levels) => {
                        found.insert(i, Arc::new(levels));
                    }
                    Err(Error::Corrupt(reason) | Error::TooLarge(reason)) => {
                        let name = &scene.images[i as usize].name;
                        ctx.warn(&format!("贴图 {name} 未用于渲染：{reason}"));
                    }
                    Err(other) => return Err(other),
                }
            }
        }
        Ok(Pictures(found))
    }

    /// An image at the largest of its levels that is at most `side` pixels long.
    pub fn picture(&self, image: u32, side: u32) -> Option<&RgbaImage> {
        let levels = &self.0.get(&image)?.0;
        levels.iter().find(|l| l.width().max(l.height()) <= side)
    }

    /// A slot of a material; `srgb` for colours. `None` if the image is missing.
    pub fn slot(&self, scene: &Scene, slot: &TextureRef, srgb: bool) -> Option<Slot> {
        let texture = scene.textures.get(slot.texture as usize)?;
        let levels = self.0.get(&texture.image)?.clone();
        let set = slot.transform.and_then(|t| t.uv_set).unwrap_or(slot.uv_set);
        Some(Slot {
            levels,
            set: set as usize,
            matrix: matrix(slot.transform),
            sampler: texture.sampler,
            srgb,
        })
    }
}

fn matrix(transform: Option<TextureTransform>) -> [[f32; 3]; 2] {
    let t = transform.unwrap_or_default();
    let (sin, cos) = t.rotation.sin_cos();
    [
        [cos * t.scale[0], sin * t.scale[1], t.offset[0]],
        [-sin * t.scale[0], cos * t.scale[1], t.offset[1]],
    ]
}

impl Levels {
    fn of(picture: image::DynamicImage, side: u32) -> Levels {
        let picture = match picture.width().max(picture.height()) > side {
            true => picture.thumbnail(side, side),
            false => picture,
        };
        let mut levels = vec![picture.to_rgba8()];
        while let Some(last) = levels.last()
            && last.width().max(last.height()) > 1
        {
            let next = half(last);
            levels.push(next);
        }
        Levels(levels)
    }
}

fn half(of: &RgbaImage) -> RgbaImage {
    let (width, height) = (of.width(), of.height());
    RgbaImage::from_fn((width / 2).max(1), (height / 2).max(1), |x, y| {
        let at = |dx: u32, dy: u32| {
            of.get_pixel((2 * x + dx).min(width - 1), (2 * y + dy).min(height - 1))
                .0
                .map(u32::from)
        };
        let (a, b, c, d) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
        image::Rgba([0, 1, 2, 3].map(|k| ((a[k] + b[k] + c[k] + d[k] + 2) / 4) as u8))
    })
}

/// A texture as one slot of a material uses it.
#[derive(Clone)]
pub struct Slot {
    levels: Arc<Levels>,
    /// Set of texture coordinates.
    pub set: usize,
    matrix: [[f32; 3]; 2],
    sampler: Sampler,
    srgb: bool,
}

/// Texture coordinates of a point, and their change towards the next pixel to the right and below.
#[derive(Debug, Clone, Copy, Default)]
pub struct Footprint {
    pub uv: [f32; 2],
    pub dx: [f32; 2],
    pub dy: [f32; 2],
}

impl Slot {
    /// A picture of ours on the first set of texture coordinates.
    pub fn painted(picture: RgbaImage) -> Slot {
        Slot {
            levels: Arc::new(Levels::of(picture.into(), u32::MAX)),
            set: 0,
            matrix: matrix(None),
            sampler: Sampler::default(),
            srgb: true,
        }
    }

    /// Whether any texel is transparent.
    pub fn has_holes(&self) -> bool {
        let first = self.levels.0.first();
        first.is_some_and(|level| level.pixels().any(|p| p.0[3] < 250))
    }

    /// Mean of the whole image, linear.
    pub fn mean(&self) -> [f32; 4] {
        self.bilinear([0.5; 2], self.levels.0.len() - 1)
    }

    /// Whether both take their texels from the same coordinates.
    pub fn same_place(&self, other: &Slot) -> bool {
        self.set == other.set && self.matrix == other.matrix
    }

    /// Texture coordinates after the slot's transform.
    pub fn turned(&self, uv: [f32; 2]) -> [f32; 2] {
        let [m, n] = self.matrix;
        [m, n].map(|row| row[0] * uv[0] + row[1] * uv[1] + row[2])
    }

    /// Linear RGBA of the footprint; white if the coordinates are non-finite.
    pub fn sample(&self, at: &Footprint) -> [f32; 4] {
        let [m, n] = self.matrix;
        let turn = |d: [f32; 2]| [m[0] * d[0] + m[1] * d[1], n[0] * d[0] + n[1] * d[1]];
        let [x, y] = turn(at.uv);
        let uv = [x + m[2], y + n[2]];
        if !uv.iter().all(|v| v.is_finite()) {
            return [1.0; 4];
        }
        let (width, height) = (self.side(0, 0), self.side(0, 1));
        let texels = |d: [f32; 2]| {
            let [x, y] = turn(d);
            let (across, down) = (x * width as f32, y * height as f32);
            let length = (across * across + down * down).sqrt();
            ([x, y], if length.is_finite() { length } else { 0.0 })
        };
        let (a, b) = (texels(at.dx), texels(at.dy));
        let (major, minor) = match a.1 > b.1 {
            true => (a, b.1),
            false => (b, a.1),
        };
        let taps = (major.1 / minor.max(1.0))
            .ceil()
            .clamp(1.0, MOST_TAPS as f32);
        // A pixel has several samples, so a sharper level than one sample's is right.
        let level = (major.1 / taps).max(1e-6).log2() - 0.35;
        let mut sum = [0.0; 4];
        for tap in 0..taps as usize {
            let t = (tap as f32 + 0.5) / taps - 0.5;
            let color = self.level([uv[0] + major.0[0] * t, uv[1] + major.0[1] * t], level);
            for k in 0..4 {
                sum[k] += color[k] / taps;
            }
        }
        sum
    }

    fn side(&self, level: usize, axis: usize) -> u32 {
        self.levels
            .0
            .get(level)
            .map_or(1, |l| if axis == 0 { l.width() } else { l.height() })
    }

    fn level(&self, uv: [f32; 2], level: f32) -> [f32; 4] {
        let last = self.levels.0.len() - 1;
        let level = level.clamp(0.0, last as f32);
        let (lower, part) = (level as usize, level.fract());
        if part < ONE_LEVEL || lower == last {
            return self.bilinear(uv, lower);
        }
        let b = self.bilinear(uv, lower + 1);
        if part > 1.0 - ONE_LEVEL {
            return b;
        }
        let a = self.bilinear(uv, lower);
        [0, 1, 2, 3].map(|k| a[k] + (b[k] - a[k]) * part)
    }

    fn bilinear(&self, uv: [f32; 2], level: usize) -> [f32; 4] {
        let picture = &self.levels.0[level];
        let (width, height) = (picture.width() as i64, picture.height() as i64);
        let (left, mut fx) = cell(uv[0] * width as f32 - 0.5);
        let (top, mut fy) = cell(uv[1] * height as f32 - 0.5);
        // Nearest filtering is kept, for pixel art.
        if level == 0 && self.sampler.mag_filter == Some(9728) {
            [fx, fy] = [fx, fy].map(|t| if t >= 0.5 { 1.0 } else { 0.0 });
        }
        let columns = [0, 1].map(|d| wrap(left + d, width, self.sampler.wrap_s));
        let rows = [0, 1].map(|d| wrap(top + d, height, self.sampler.wrap_t));
        let raw = picture.as_raw();
        let table: &[f32; 256] = &LINEAR;
        let mut sum = [0.0; 4];
        for (row, by_row) in rows.into_iter().zip([1.0 - fy, fy]) {
            for (column, by_column) in columns.into_iter().zip([1.0 - fx, fx]) {
                let at = (row * width as usize + column) * 4;
                let by = by_row * by_column;
                for (k, byte) in raw[at..at + 4].iter().enumerate() {
                    let value = match self.srgb && k < 3 {
                        true => table[usize::from(*byte)],
                        false => f32::from(*byte) / 255.0,
                    };
                    sum[k] += value * by;
                }
            }
        }
        sum
    }
}

/// The whole number below, and how far it is.
fn cell(at: f32) -> (i64, f32) {
    let near = at as i64;
    let low = if near as f32 > at { near - 1 } else { near };
    (low, at - low as f32)
}

/// Index within 0…`size` of a texel, by glTF's wrap mode.
#[inline]
fn wrap(i: i64, size: i64, mode: u32) -> usize {
    if (0..size).contains(&i) {
        return i as usize;
    }
    let i = match mode {
        CLAMP => i.clamp(0, size - 1),
        MIRROR => {
            let i = i.rem_euclid(2 * size);
            if i < size { i } else { 2 * size - 1 - i }
        }
        _ => i.rem_euclid(size),
    };
    i as usize
}
