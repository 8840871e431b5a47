//! The viewer's name, drawn over a picture of a document: a leaked copy shows who viewed it.

use anyhow::Context as _;
use font8x8::legacy::BASIC_LEGACY;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, Rgb, RgbImage};

/// Longest side shown: all text of a document stays legible, and the reply small.
const SIDE: u32 = 2_000;
const QUALITY: u8 = 85;
/// Points of a letter along each side, and between the letters of two marks.
const LETTER: i64 = 8;
const GAP: i64 = 24;
/// Tangent of the angle at which the marks rise, in thousandths.
const RISE: i64 = 360;
/// How far a point is moved towards black or white, of 255.
const STRENGTH: u16 = 88;

/// The picture as a JPEG with the name over all of it. Takes up to a second: not for a thread that others wait for.
pub fn stamped(picture: &[u8], name: &str) -> anyhow::Result<Vec<u8>> {
    let picture = image::load_from_memory(picture).context("a kept picture")?;
    let mut picture = on_white(shrunk(picture));
    let marks = Marks::new(name, picture.width());
    for (x, y, point) in picture.enumerate_pixels_mut() {
        if marks.cover(i64::from(x), i64::from(y)) {
            *point = shifted(*point);
        }
    }
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    picture.write_with_encoder(encoder)?;
    Ok(bytes)
}

fn shrunk(picture: DynamicImage) -> DynamicImage {
    if picture.width().max(picture.height()) <= SIDE {
        return picture;
    }
    picture.thumbnail(SIDE, SIDE)
}

fn on_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let picture = picture.to_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        Rgb([red, green, blue].map(|part| blend(part, 255, 255 - u16::from(alpha))))
    })
}

fn blend(from: u8, to: u8, share: u16) -> u8 {
    let mixed = u16::from(from) * (255 - share) + u16::from(to) * share;
    u8::try_from(mixed / 255).unwrap_or(u8::MAX)
}

/// Darker where it is light, lighter where it is dark: visible on any ground, with the picture below legible.
fn shifted(point: Rgb<u8>) -> Rgb<u8> {
    let light = point.0.iter().map(|part| u16::from(*part)).sum::<u16>() > 3 * 128;
    let towards = if light { 0 } else { 255 };
    Rgb(point.0.map(|part| blend(part, towards, STRENGTH)))
}

/// Rows of the same text, rising, each shifted against the one above.
struct Marks {
    text: Vec<[u8; 8]>,
    scale: i64,
}

impl Marks {
    fn new(name: &str, width: u32) -> Self {
        let glyph = |letter: char| {
            let known = BASIC_LEGACY.get(letter as usize).copied();
            known.unwrap_or(BASIC_LEGACY['?' as usize])
        };
        Self {
            text: name.chars().map(glyph).collect(),
            // Three to four marks of a usual name side by side.
            scale: (i64::from(width) / 400).max(1),
        }
    }

    fn cover(&self, x: i64, y: i64) -> bool {
        let letters = i64::try_from(self.text.len()).unwrap_or(0);
        let (x, y) = (x / self.scale, (y + x * RISE / 1_000) / self.scale);
        let row = y.div_euclid(LETTER + GAP);
        let along = (x + row * GAP).rem_euclid(letters * LETTER + GAP);
        let down = y.rem_euclid(LETTER + GAP);
        if down >= LETTER {
            return false;
        }
        let letter = usize::try_from(along / LETTER).ok();
        let Some(glyph) = letter.and_then(|at| self.text.get(at)) else {
            return false;
        };
        let line = usize::try_from(down).map_or(0, |down| glyph[down]);
        line >> (along % LETTER) & 1 == 1
    }
}
