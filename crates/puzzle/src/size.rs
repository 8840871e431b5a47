//! Sizes of the pictures.

/// Size of every picture in pixels of the page; it is drawn [`DENSITY`] times as fine.
pub const WIDTH: u32 = 360;
pub const HEIGHT: u32 = 204;
pub const DENSITY: u32 = 2;
/// Width and height of the piece.
pub const PIECE: u32 = 50;
/// Left edge of the piece over a gap, least and greatest.
pub const X_RANGE: std::ops::RangeInclusive<i32> = 38..=304;
/// Things, and so gaps, of a picture.
pub const GAPS: usize = 8;

pub(crate) const SCALE: f32 = DENSITY as f32;
