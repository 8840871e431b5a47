//! The colour space of each source: of vertex colours, and of colours and emission of materials. Scenes are linear, as
//! glTF is (3.7.2.1, 3.9.2). Pictures have their own statement and are not concerned.

use facts::Format;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Space {
    Linear,
    Srgb,
}

/// What the numbers of a format mean. Those that state nothing follow one rule, so that equal numbers give equal
/// colours: they are what the author saw on the screen, which is how the programs that write them choose colours.
pub fn space(format: Format) -> Space {
    match format {
        // Stated by the specification.
        Format::Glb | Format::Gltf | Format::Amrt => Space::Linear,
        // Stated by the library that reads them, which has converted them already.
        Format::Step | Format::Iges => Space::Linear,
        // Not stated; three.js and the programs themselves show them as sRGB.
        Format::Obj | Format::Ply | Format::Stl | Format::Fbx => Space::Srgb,
        Format::Dae | Format::ThreeDs | Format::Osgb => Space::Srgb,
        // Not read.
        Format::Rvt | Format::Jt | Format::Zip | Format::Rar => Space::Srgb,
    }
}

/// A colour of a format, components 0…1, as the scene has it.
pub fn linear(format: Format, rgb: [f32; 3]) -> [f32; 3] {
    match space(format) {
        Space::Linear => rgb,
        Space::Srgb => rgb.map(srgb_to_linear),
    }
}

/// The same with an opacity, which is linear everywhere.
pub fn linear_rgba(format: Format, [r, g, b, a]: [f32; 4]) -> [f32; 4] {
    let [r, g, b] = linear(format, [r, g, b]);
    [r, g, b, a]
}

/// A linear colour as the format has it, for writers.
pub fn of_linear(format: Format, rgb: [f32; 3]) -> [f32; 3] {
    match space(format) {
        Space::Linear => rgb,
        Space::Srgb => rgb.map(linear_to_srgb),
    }
}

/// sRGB component 0…1 to linear.
pub fn srgb_to_linear(c: f32) -> f32 {
    let c = c.clamp(0.0, 1.0);
    if c <= 0.040_45 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

/// Linear component 0…1 to sRGB.
pub fn linear_to_srgb(c: f32) -> f32 {
    let c = c.clamp(0.0, 1.0);
    // White is exactly white.
    if c == 1.0 {
        1.0
    } else if c <= 0.003_130_8 {
        c * 12.92
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}
