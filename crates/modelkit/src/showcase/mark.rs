//! Textures of a stand-in: colours with the mark tiled into them, everything else small.

use crate::progress::Ctx;
use crate::scene::{Image, decode};
use crate::{Error, Result, Scene};
use codecs::Quality;
use font8x8::legacy::BASIC_LEGACY;
use image::RgbaImage;
use rayon::prelude::*;
use std::sync::Arc;

const COLOR: Quality = Quality::Lossy(74.0);
const OTHER: Quality = Quality::Lossy(80.0);
const EFFORT: u8 = 4;
/// Height of the mark's letters, and the distance of two lines, in shares of the texture's longest side.
const HEIGHT: f32 = 0.05;
const LINES: f32 = 0.19;
/// Sine and cosine of the mark's slope.
const SLOPE: [f32; 2] = [-0.422_618, 0.906_308];
/// How much the letters lighten, and their shadow darkens, what is below.
const LIGHT: f32 = 0.46;
const DARK: f32 = 0.4;
/// Images that are decoded at the same time; their pixels are the memory of this step.
const AT_ONCE: usize = 2;

/// What an image is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Base colour, marked.
    Color,
    /// Added to what is lit, marked where it is bright: letters on black would shine on their own.
    Glow,
    Other,
    Unused,
}

impl Role {
    /// A picture to look at: large, and marked.
    pub fn is_shown(self) -> bool {
        matches!(self, Role::Color | Role::Glow)
    }
}

/// Slots whose images are shown as they are.
const COLORS: [&str; 2] = ["baseColor", "diffuse"];
const GLOWS: [&str; 4] = [
    "emissive",
    "sheenColor",
    "specularColor",
    "diffuseTransmissionColor",
];

/// Names of the slots that use each image.
pub fn uses(scene: &Scene) -> Vec<Vec<String>> {
    let mut out = vec![Vec::new(); scene.images.len()];
    for (name, texture) in scene.materials.iter().flat_map(|m| m.texture_uses()) {
        let image = scene.textures.get(texture as usize).map(|t| t.image);
        if let Some(list) = image.and_then(|i| out.get_mut(i as usize))
            && !list.contains(&name)
        {
            list.push(name);
        }
    }
    out
}

/// The role of every image.
pub fn roles(scene: &Scene) -> Vec<Role> {
    let role = |uses: Vec<String>| {
        let any = |of: &[&str]| uses.iter().any(|name| of.contains(&name.as_str()));
        match uses.is_empty() {
            true => Role::Unused,
            false if any(&COLORS) => Role::Color,
            false if any(&GLOWS) => Role::Glow,
            false => Role::Other,
        }
    };
    uses(scene).into_iter().map(role).collect()
}

/// The images at the sides of `[colours, others]` pixels; `None` for those that are unused or cannot be read.
pub fn textures(
    images: &[Image],
    roles: &[Role],
    [color, other]: [u32; 2],
    text: &str,
    ctx: &Ctx,
) -> Result<Vec<Option<Image>>> {
    let glyphs = Glyphs::of(text);
    let one = |(image, role): (&Image, &Role)| -> Result<Option<Image>> {
        if ctx.progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let (side, quality) = match role {
            Role::Unused => return Ok(None),
            Role::Color | Role::Glow => (color, COLOR),
            Role::Other => (other, OTHER),
        };
        let picture = match decode(&image.bytes, &ctx.limits) {
            Ok(picture) => picture,
            Err(Error::Corrupt(_) | Error::TooLarge(_)) => return Ok(None),
            Err(other) => return Err(other),
        };
        let mut small = match picture.width().max(picture.height()) > side {
            true => picture.thumbnail(side, side).to_rgba8(),
            false => picture.to_rgba8(),
        };
        drop(picture);
        if role.is_shown() {
            stamp(&mut small, &glyphs, *role == Role::Glow);
        }
        let (width, height) = small.dimensions();
        let bytes = codecs::encode_webp(small.as_raw(), width, height, quality, EFFORT)
            .map_err(|e| Error::Internal(format!("webp encoding: {e}")))?;
        Ok(Some(Image {
            name: String::new(),
            mime: "image/webp",
            bytes: Arc::from(bytes),
            width,
            height,
            was_cmyk: false,
            extras: None,
        }))
    };
    let mut out = Vec::with_capacity(images.len());
    for (images, roles) in images.chunks(AT_ONCE).zip(roles.chunks(AT_ONCE)) {
        let made: Result<Vec<_>> = images.par_iter().zip(roles).map(one).collect();
        out.extend(made?);
    }
    Ok(out)
}

/// Writes the mark in sloping lines over the whole picture, each line shifted against the last; if it `glows`, by as much
/// as the place shines.
fn stamp(picture: &mut RgbaImage, glyphs: &Glyphs, glows: bool) {
    let side = picture.width().max(picture.height()) as f32;
    let cell = (side * HEIGHT).max(8.0);
    let away = cell * 0.07;
    let (between, line) = (
        cell * (glyphs.width() + 2.5),
        (side * LINES).max(cell * 2.5),
    );
    let ink = |x: f32, y: f32| {
        let [sin, cos] = SLOPE;
        let (u, v) = (x * cos + y * sin, y * cos - x * sin);
        let row = (v / line).floor();
        let shift = row * between * 0.37;
        let along = (u + shift).rem_euclid(between);
        glyphs.ink(along / cell, (v - row * line) / cell)
    };
    let mix = |from: u8, to: f32, by: f32| (f32::from(from) + (to - f32::from(from)) * by) as u8;
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (x, y) = (x as f32, y as f32);
        let (dark, mut light) = (ink(x - away, y - away) * DARK, ink(x, y) * LIGHT);
        if glows {
            let [r, g, b, _] = pixel.0;
            light *= f32::from(r.max(g).max(b)) / 255.0;
        }
        if dark + light > 0.0 {
            for channel in &mut pixel.0[..3] {
                *channel = mix(mix(*channel, 0.0, dark), 255.0, light);
            }
        }
    }
}

/// The letters of the mark on a grid of eight points each.
struct Glyphs(Vec<[u8; 8]>);

impl Glyphs {
    fn of(text: &str) -> Glyphs {
        let glyph = |c: char| BASIC_LEGACY.get(c as usize).copied().unwrap_or_default();
        Glyphs(text.chars().map(glyph).collect())
    }

    /// In heights of a letter.
    fn width(&self) -> f32 {
        self.0.len() as f32
    }

    /// Share of ink at a place in heights of a letter; the points are joined by smooth outlines.
    fn ink(&self, x: f32, y: f32) -> f32 {
        if !(-0.1..=1.1).contains(&y) || x < -0.1 || x > self.width() + 0.1 {
            return 0.0;
        }
        let (x, y) = (x * 8.0 - 0.5, y * 8.0 - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (fx, fy) = (x - left, y - top);
        let at = |dx: i32, dy: i32| self.point(left as i32 + dx, top as i32 + dy);
        let upper = at(0, 0) * (1.0 - fx) + at(1, 0) * fx;
        let lower = at(0, 1) * (1.0 - fx) + at(1, 1) * fx;
        let share = upper * (1.0 - fy) + lower * fy;
        let t = ((share - 0.36) / 0.24).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    fn point(&self, x: i32, y: i32) -> f32 {
        let glyph = usize::try_from(x.div_euclid(8))
            .ok()
            .and_then(|i| self.0.get(i));
        let row = usize::try_from(y).ok();
        match glyph.zip(row).and_then(|(glyph, row)| glyph.get(row)) {
            Some(bits) => f32::from(bits >> x.rem_euclid(8) & 1),
            None => 0.0,
        }
    }
}
