//! Raw pixels and block-compressed images, as some exporters embed them.

use super::model::Pixels;
use crate::limits::Limits;
use image::{DynamicImage, RgbaImage};

/// The image with the top row first; `None` for unknown formats or too little data.
pub fn picture(p: &Pixels, limits: &Limits) -> Option<DynamicImage> {
    let pixels = u64::from(p.width) * u64::from(p.height);
    if pixels == 0 || pixels > limits.image_pixels {
        return None;
    }
    let mut out = match p.format {
        0x83f0 | 0x83f1 => blocks(p, 8)?,
        0x83f2 | 0x83f3 => blocks(p, 16)?,
        _ if p.kind == 0x1401 => plain(p)?,
        _ => return None,
    };
    image::imageops::flip_vertical_in_place(&mut out);
    let out = DynamicImage::ImageRgba8(out);
    let opaque = matches!(p.format, 0x1907 | 0x80e0 | 0x1909 | 0x83f0);
    Some(match opaque {
        true => DynamicImage::ImageRgb8(out.to_rgb8()),
        false => out,
    })
}

fn plain(p: &Pixels) -> Option<RgbaImage> {
    // Bytes per pixel, and the positions of red, green, blue and alpha in it.
    let (size, places): (usize, [Option<usize>; 4]) = match p.format {
        0x1907 => (3, [Some(0), Some(1), Some(2), None]),
        0x1908 => (4, [Some(0), Some(1), Some(2), Some(3)]),
        0x80e0 => (3, [Some(2), Some(1), Some(0), None]),
        0x80e1 => (4, [Some(2), Some(1), Some(0), Some(3)]),
        0x1909 | 0x1903 => (1, [Some(0), Some(0), Some(0), None]),
        0x190a => (2, [Some(0), Some(0), Some(0), Some(1)]),
        _ => return None,
    };
    let packing = (p.packing as usize).clamp(1, 8);
    let row = (p.width as usize * size).next_multiple_of(packing);
    // The last row may lack its padding.
    if p.bytes.len() < row * (p.height as usize - 1) + p.width as usize * size {
        return None;
    }
    Some(RgbaImage::from_fn(p.width, p.height, |x, y| {
        let at = y as usize * row + x as usize * size;
        image::Rgba(places.map(|place| place.map_or(255, |k| p.bytes[at + k])))
    }))
}

/// S3TC: blocks of 4 × 4 pixels in 8 bytes, or 16 with alpha.
fn blocks(p: &Pixels, size: usize) -> Option<RgbaImage> {
    let across = p.width.div_ceil(4) as usize;
    let needed = across * p.height.div_ceil(4) as usize * size;
    let bytes = p.bytes.get(..needed)?;
    let mut out = RgbaImage::new(p.width, p.height);
    for (i, block) in bytes.chunks_exact(size).enumerate() {
        let (bx, by) = ((i % across) as u32 * 4, (i / across) as u32 * 4);
        let color = &block[size - 8..];
        let palette = palette(color, size == 16);
        let picks = u32::from_le_bytes([color[4], color[5], color[6], color[7]]);
        for k in 0..16u32 {
            let (x, y) = (bx + k % 4, by + k / 4);
            if x >= p.width || y >= p.height {
                continue;
            }
            let mut pixel = palette[(picks >> (2 * k)) as usize & 3];
            match p.format {
                0x83f2 => pixel[3] = (block[k as usize / 2] >> (4 * (k % 2)) & 15) * 17,
                0x83f3 => pixel[3] = smooth_alpha(block, k),
                0x83f0 => pixel[3] = 255,
                _ => {}
            }
            out.put_pixel(x, y, image::Rgba(pixel));
        }
    }
    Some(out)
}

/// Two RGB565 colours and two interpolated ones; one interpolated and one transparent if the first is not the larger,
/// unless `four`.
fn palette(color: &[u8], four: bool) -> [[u8; 4]; 4] {
    let value = |at: usize| u16::from_le_bytes([color[at], color[at + 1]]);
    let wide = |c: u16| {
        let part = |v: u16, bits: u32| (u32::from(v) * 255 / ((1 << bits) - 1)) as u8;
        [part(c >> 11, 5), part(c >> 5 & 63, 6), part(c & 31, 5), 255]
    };
    let (a, b) = (wide(value(0)), wide(value(2)));
    let mix = |x: u32, y: u32| -> [u8; 4] {
        std::array::from_fn(|k| ((u32::from(a[k]) * x + u32::from(b[k]) * y) / (x + y)) as u8)
    };
    match four || value(0) > value(2) {
        true => [a, b, mix(2, 1), mix(1, 2)],
        false => [a, b, mix(1, 1), [0, 0, 0, 0]],
    }
}

fn smooth_alpha(block: &[u8], k: u32) -> u8 {
    let (a, b) = (u32::from(block[0]), u32::from(block[1]));
    let mut bits = 0u64;
    for (i, byte) in block[2..8].iter().enumerate() {
        bits |= u64::from(*byte) << (8 * i);
    }
    let pick = (bits >> (3 * k)) as u32 & 7;
    let value = match (pick, a > b) {
        (0, _) => a,
        (1, _) => b,
        (n, true) => ((8 - n) * a + (n - 1) * b) / 7,
        (6, false) => 0,
        (7, false) => 255,
        (n, false) => ((6 - n) * a + (n - 1) * b) / 5,
    };
    value as u8
}
