//! What can be seen in a picture: its fingerprint, and the codes in it.

use image::{DynamicImage, GenericImageView};
use image_hasher::{HashAlg, Hasher, HasherConfig, ImageHash};

/// Bits of a fingerprint along each side.
const SIDE: u32 = 16;
/// Fingerprints that differ in at most so many of their 256 bits are the same picture: scaled, compressed or slightly cut.
pub const SAME: u32 = 26;
/// Up to here a person has to review it.
pub const ALIKE: u32 = 44;
/// A picture with fewer set, or unset, bits is so plain that others look like it by chance.
const FEWEST: u32 = 24;
/// Longest side in which codes are looked for.
const CODE_SIDE: u32 = 1_280;

/// Perceptual fingerprint of a picture: close ones look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(Vec<u8>);

impl Fingerprint {
    pub(crate) fn of(picture: &DynamicImage) -> Self {
        // Small first: the hash is of 16 by 16 points, and its own way of getting there is slow for large pictures.
        let small = picture.thumbnail_exact(SIDE * 8, SIDE * 8);
        Self(hasher().hash_image(&small).as_bytes().to_vec())
    }

    /// As [`Fingerprint::text`] wrote it.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = hex::decode(text).ok()?;
        (bytes.len() * 8 == (SIDE * SIDE) as usize).then_some(Self(bytes))
    }

    /// Hex.
    pub fn text(&self) -> String {
        hex::encode(&self.0)
    }

    /// Bits that differ.
    pub fn distance(&self, other: &Self) -> u32 {
        let bits = |print: &Self| ImageHash::<Box<[u8]>>::from_bytes(&print.0).ok();
        match (bits(self), bits(other)) {
            (Some(one), Some(two)) => one.dist(&two),
            _ => u32::MAX,
        }
    }

    /// Whether the picture has too little in it to be distinguished from others.
    pub fn is_plain(&self) -> bool {
        let set: u32 = self.0.iter().map(|byte| byte.count_ones()).sum();
        !(FEWEST..=SIDE * SIDE - FEWEST).contains(&set)
    }
}

fn hasher() -> Hasher {
    HasherConfig::new()
        .hash_size(SIDE, SIDE)
        .hash_alg(HashAlg::Mean)
        .preproc_dct()
        .to_hasher()
}

/// The QR codes of a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Codes {
    pub texts: Vec<String>,
    /// One is there that cannot be read.
    pub unreadable: bool,
}

pub(crate) fn codes(picture: &DynamicImage) -> Codes {
    let (width, height) = picture.dimensions();
    let grey = match width.max(height) > CODE_SIDE {
        true => picture.thumbnail(CODE_SIDE, CODE_SIDE).to_luma8(),
        false => picture.to_luma8(),
    };
    let mut codes = read(&grey);
    if codes.texts.is_empty() {
        // Light on dark is not looked for by the reader.
        let mut turned = grey;
        image::imageops::invert(&mut turned);
        let second = read(&turned);
        codes.texts = second.texts;
        codes.unreadable |= second.unreadable;
    }
    codes
}

fn read(grey: &image::GrayImage) -> Codes {
    let (width, height) = grey.dimensions();
    let mut prepared =
        rqrr::PreparedImage::prepare_from_greyscale(width as usize, height as usize, |x, y| {
            grey.get_pixel(x as u32, y as u32).0[0]
        });
    let mut codes = Codes::default();
    for grid in prepared.detect_grids() {
        match grid.decode() {
            Ok((_, text)) => codes.texts.push(text),
            Err(_) => codes.unreadable = true,
        }
    }
    codes
}
