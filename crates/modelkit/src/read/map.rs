//! A texture as a material refers to it.

use super::SideFiles;
use super::layers::Blend;
use super::picture::Channel;
use crate::scene::{REPEAT, TextureTransform};

/// A texture reference of a material with the options that are used; v runs upwards.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    pub file: String,
    pub offset: [f32; 2],
    pub scale: [f32; 2],
    /// Radians, counter-clockwise, about the origin: u' = s(u cos - v sin) + offset. With it both scales are equal.
    pub rotation: f32,
    /// What lies beyond the edges, to the side and up.
    pub wrap: [u32; 2],
    /// Name of the UV set, where the format has names; the mesh says which it is.
    pub uv_set: Option<String>,
    /// Strength of a bump map.
    pub bump: f32,
    /// The channel that a map of single values is in, where it is stated.
    pub channel: Option<Channel>,
    /// Settings that are not applied.
    pub unapplied: Vec<&'static str>,
    /// What lies upon it, from the bottom up; each lies on the surface as this map does.
    pub layers: Vec<Layer>,
    /// Dark stands for bright.
    pub inverted: bool,
    /// How an opacity map is to be read, if not by its alpha or, without that, its brightness.
    pub opacity: Option<Opacity>,
    /// The pixels stay sharp when drawn larger.
    pub sharp: bool,
    /// The statement read as nothing but a name: it may be a file's.
    pub whole: Option<Box<Map>>,
}

/// What lies upon a map.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    pub paint: Paint,
    pub blend: Blend,
    /// 0…1.
    pub alpha: f32,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Paint {
    Map(Box<Map>),
    /// The same everywhere, in sRGB.
    Colour([u8; 3]),
}

impl Default for Map {
    fn default() -> Self {
        Map {
            file: String::new(),
            offset: [0.0; 2],
            scale: [1.0; 2],
            rotation: 0.0,
            wrap: [REPEAT; 2],
            uv_set: None,
            bump: 1.0,
            channel: None,
            unapplied: Vec::new(),
            layers: Vec::new(),
            inverted: false,
            opacity: None,
            sharp: false,
            whole: None,
        }
    }
}

impl Map {
    /// The reading that has a file.
    pub fn settle(mut self, side: &dyn SideFiles) -> Map {
        match self.whole.take() {
            Some(whole) if side.has(&whole.file) => *whole,
            _ => self,
        }
    }

    /// Whether both lie in the same way on a surface.
    pub fn lies_like(&self, other: &Map) -> bool {
        let placed = |map: &Map| (map.offset, map.scale, map.rotation, map.wrap);
        placed(self) == placed(other) && self.uv_set == other.uv_set
    }

    /// Scale, rotation and offset with v downwards, as in glTF.
    pub fn transform(&self) -> Option<TextureTransform> {
        if self.offset == [0.0; 2] && self.scale == [1.0; 2] && self.rotation == 0.0 {
            return None;
        }
        let [across, up] = self.scale;
        let (sin, cos) = match self.rotation == 0.0 {
            true => (0.0, 1.0),
            false => self.rotation.sin_cos(),
        };
        Some(TextureTransform {
            offset: [
                self.offset[0] - across * sin,
                1.0 - up * cos - self.offset[1],
            ],
            rotation: self.rotation,
            scale: self.scale,
            ..TextureTransform::default()
        })
    }
}

/// Opacity by a value of a picture, scaled by `part`; or what is missing from it to full opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Opacity {
    /// The brightness, whatever the alpha is.
    pub by_brightness: bool,
    pub is_missing: bool,
    pub part: f32,
}
