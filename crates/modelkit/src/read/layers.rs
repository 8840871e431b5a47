//! Pictures composed of several: the layered textures of FBX, the second map and the strength of a map in 3DS. Numbers
//! of pixels are combined as stored, as the programs that write these formats do.

use image::imageops::{self, FilterType};
use image::{DynamicImage, Rgba, RgbaImage};

/// How a layer's colours change those below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    Over,
    /// Also where the layer is transparent.
    Replace,
    Add,
    Subtract,
    Multiply,
    Multiply2x,
    Screen,
    Overlay,
    Darken,
    Lighten,
    Difference,
}

impl Blend {
    /// A channel of the result; all 0…1.
    fn channel(self, below: f32, above: f32) -> f32 {
        match self {
            Blend::Over | Blend::Replace => above,
            Blend::Add => below + above,
            Blend::Subtract => below - above,
            Blend::Multiply => below * above,
            Blend::Multiply2x => 2.0 * below * above,
            Blend::Screen => 1.0 - (1.0 - below) * (1.0 - above),
            Blend::Overlay if below < 0.5 => 2.0 * below * above,
            Blend::Overlay => 1.0 - 2.0 * (1.0 - below) * (1.0 - above),
            Blend::Darken => below.min(above),
            Blend::Lighten => below.max(above),
            Blend::Difference => (below - above).abs(),
        }
    }

    fn pixel(self, below: Rgba<u8>, above: Rgba<u8>, alpha: f32) -> Rgba<u8> {
        let [below, above] = [below, above].map(|p| p.0.map(|v| f32::from(v) / 255.0));
        let share = match self {
            Blend::Replace => alpha,
            _ => alpha * above[3],
        };
        let mut out = [0.0; 4];
        for k in 0..3 {
            let mixed = self.channel(below[k], above[k]).clamp(0.0, 1.0);
            out[k] = below[k] + (mixed - below[k]) * share;
        }
        out[3] = match self {
            Blend::Replace => below[3] + (above[3] - below[3]) * share,
            // What lies over something transparent covers it.
            Blend::Over => share + below[3] * (1.0 - share),
            _ => below[3],
        };
        // Nothing below: the layer's own colour.
        if self == Blend::Over && out[3] > 0.0 && below[3] < 1.0 {
            for k in 0..3 {
                let under = below[k] * below[3] * (1.0 - share);
                out[k] = (above[k] * share + under) / out[3];
            }
        }
        Rgba(out.map(|v| (v.clamp(0.0, 1.0) * 255.0).round() as u8))
    }
}

/// A picture or one colour.
pub enum Sheet {
    Picture(DynamicImage),
    Colour([u8; 3]),
}

/// `below` with the sheets upon it, in the size of the largest picture.
pub fn compose(below: &DynamicImage, sheets: &[(Sheet, Blend, f32)]) -> DynamicImage {
    let pixels = |p: &DynamicImage| u64::from(p.width()) * u64::from(p.height());
    let mut size = (below.width(), below.height());
    let mut most = pixels(below);
    for (sheet, ..) in sheets {
        if let Sheet::Picture(picture) = sheet
            && pixels(picture) > most
        {
            most = pixels(picture);
            size = (picture.width(), picture.height());
        }
    }
    let mut out = fitted(below.to_rgba8(), size);
    for (sheet, blend, alpha) in sheets {
        let alpha = alpha.clamp(0.0, 1.0);
        match sheet {
            Sheet::Colour([r, g, b]) => {
                for pixel in out.pixels_mut() {
                    *pixel = blend.pixel(*pixel, Rgba([*r, *g, *b, 255]), alpha);
                }
            }
            Sheet::Picture(picture) => {
                let above = fitted(picture.to_rgba8(), size);
                for (pixel, above) in out.pixels_mut().zip(above.pixels()) {
                    *pixel = blend.pixel(*pixel, *above, alpha);
                }
            }
        }
    }
    let clear = out.pixels().any(|p| p.0[3] != 255);
    let out = DynamicImage::ImageRgba8(out);
    match clear {
        true => out,
        false => DynamicImage::ImageRgb8(out.to_rgb8()),
    }
}

fn fitted(picture: RgbaImage, (width, height): (u32, u32)) -> RgbaImage {
    if picture.dimensions() == (width, height) {
        return picture;
    }
    imageops::resize(&picture, width, height, FilterType::Triangle)
}

/// Dark for bright: glossiness as roughness.
pub fn inverted(picture: &DynamicImage) -> DynamicImage {
    let mut out = picture.to_rgba8();
    imageops::invert(&mut out);
    DynamicImage::ImageRgba8(out)
}
