//! `<extra>`: what programs add to COLLADA. What changes the looks is on one list; everything else is their own affair.

use super::Counts;
use super::lost::{Loss, Treatment, place as place_of};
use super::xml::{Xml, child, content, floats, named, path};
use crate::read::map::Map;
use crate::scene::{CLAMP, MIRROR};

use Treatment::{Lost, Read};

/// Elements of techniques of extras, of whatever program: ColladaMaya, ColladaMax, OpenCOLLADA, FCollada, Blender,
/// SketchUp. What is lost is told if it has another value than this.
pub const KNOWN: &[(&str, f32, Treatment)] = &[
    ("double_sided", 0.0, Read),
    ("bump", 0.0, Read),
    ("visibility", 1.0, Read),
    ("repeatU", 1.0, Read),
    ("repeatV", 1.0, Read),
    ("offsetU", 0.0, Read),
    ("offsetV", 0.0, Read),
    ("mirrorU", 0.0, Read),
    ("mirrorV", 0.0, Read),
    ("wrapU", 1.0, Read),
    ("wrapV", 1.0, Read),
    ("rotateUV", 0.0, Lost(Loss::Placement)),
    ("rotateFrame", 0.0, Lost(Loss::Placement)),
    ("uAngle", 0.0, Lost(Loss::Placement)),
    ("vAngle", 0.0, Lost(Loss::Placement)),
    ("wAngle", 0.0, Lost(Loss::Placement)),
    ("stagger", 0.0, Lost(Loss::Placement)),
    ("coverageU", 1.0, Lost(Loss::Placement)),
    ("coverageV", 1.0, Lost(Loss::Placement)),
    ("translateFrameU", 0.0, Lost(Loss::Placement)),
    ("translateFrameV", 0.0, Lost(Loss::Placement)),
    ("displacement", 0.0, Lost(Loss::Map)),
];

/// Tells what is lost of an extra. Its value is a number, or a picture.
pub fn tell(extra: Xml<'_>, counts: &mut Counts) {
    let elements = named(extra, "technique").flat_map(|t| t.children());
    for element in elements.filter(|e| e.is_element()) {
        let name = element.tag_name().name();
        let Some((_, neutral, Lost(loss))) = KNOWN.iter().find(|(known, ..)| *known == name) else {
            continue;
        };
        let differs = floats(element).next().is_some_and(|v| v != *neutral);
        if differs || child(element, "texture").is_some() {
            let (kind, owner) = place_of(element);
            counts.losses.add(*loss, (kind, &owner, 0), name);
        }
    }
}

/// The techniques of an element's `<extra>`s, of whatever program.
fn techniques(element: Xml<'_>) -> impl Iterator<Item = Xml<'_>> {
    named(element, "extra").flat_map(|extra| named(extra, "technique"))
}

/// Whether an `<extra>` of these elements asks for both sides: SketchUp and Blender write it to the effect
/// (GOOGLEEARTH), 3ds Max too (MAX3D), Maya to the geometry (MAYA).
pub fn both_sides<'a>(elements: impl IntoIterator<Item = Xml<'a>>) -> bool {
    let mut stated = elements.into_iter().flat_map(techniques);
    stated.any(|t| {
        let value = child(t, "double_sided").and_then(content);
        matches!(value, Some("1" | "true"))
    })
}

/// Whether a node is hidden: ColladaMaya, ColladaMax and FCollada write that.
pub fn is_hidden(node: Xml<'_>) -> bool {
    techniques(node).any(|t| {
        let value = child(t, "visibility").and_then(content);
        value.is_some_and(|v| v == "0" || v.eq_ignore_ascii_case("false"))
    })
}

/// The bump texture of the first of these elements that has one.
pub fn bump<'a>(elements: impl IntoIterator<Item = Xml<'a>>) -> Option<Xml<'a>> {
    let mut stated = elements.into_iter().flat_map(techniques);
    stated.find_map(|t| path(t, &["bump", "texture"]))
}

/// Tiling as Maya and 3ds Max write it to a `<texture>`.
pub fn place(texture: Xml<'_>, map: &mut Map) {
    for technique in techniques(texture) {
        let number = |name: &str| {
            let value = floats(child(technique, name)?).next();
            value.filter(|v| v.is_finite())
        };
        for (axis, letter) in ["U", "V"].iter().enumerate() {
            let named = |name: &str| number(&format!("{name}{letter}"));
            if let Some(repeat) = named("repeat").filter(|r| *r != 0.0) {
                map.scale[axis] = repeat;
            }
            map.offset[axis] = named("offset").unwrap_or(map.offset[axis]);
            match (named("mirror"), named("wrap")) {
                (Some(mirror), _) if mirror != 0.0 => map.wrap[axis] = MIRROR,
                (_, Some(0.0)) => map.wrap[axis] = CLAMP,
                _ => {}
            }
        }
    }
}
