//! What becomes of the textures of a scene.

/// Format of the textures in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextureFormat {
    /// Unchanged; images that must be resized keep their format.
    #[default]
    Keep,
    /// WebP where it makes the image smaller (EXT_texture_webp).
    Webp,
    /// KTX2 in ETC1S (KHR_texture_basisu): stays compressed in GPU memory.
    Ktx2,
    /// Like [`TextureFormat::Ktx2`], but normals and other data in UASTC: higher quality, and larger.
    Ktx2Uastc,
}

impl TextureFormat {
    /// Whether it is KTX2 in either encoding.
    pub fn is_ktx2(self) -> bool {
        matches!(self, TextureFormat::Ktx2 | TextureFormat::Ktx2Uastc)
    }
}

/// How the textures of a scene are processed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plan {
    pub format: TextureFormat,
    /// Longest side in pixels.
    pub most: Option<u32>,
    /// Opaque PNG colour may become JPEG when formats are kept.
    pub lossy: bool,
    /// For photographs of many tiles: smaller files, and one KTX2 at a time, since its encoder needs some 200 bytes per
    /// pixel.
    pub frugal: bool,
    /// Convert even where the format makes an image larger.
    pub always: bool,
}
