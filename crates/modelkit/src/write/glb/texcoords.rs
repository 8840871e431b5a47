//! How exact texture coordinates and vertex colours must be where files are compressed.

use crate::read::colour::{linear_to_srgb, srgb_to_linear};
use crate::scene::{Material, Primitive, Scene, TextureTransform};
use serde_json::Value;

/// Bits of the numbers that the exponential filter keeps: those of a float.
pub const MOST_BITS: i32 = 24;

/// Texels for each unit of texture coordinates: the most of all textures that a set places.
#[derive(Default)]
pub struct Texels {
    /// By material and set.
    materials: Vec<Vec<f64>>,
}

impl Texels {
    pub fn of(scene: &Scene) -> Texels {
        let sides: Vec<f64> = scene
            .textures
            .iter()
            .map(|texture| {
                let image = scene.images.get(texture.image as usize);
                image.map_or(0.0, |i| f64::from(i.width.max(i.height)))
            })
            .collect();
        let materials = scene.materials.iter();
        Texels {
            materials: materials.map(|m| of_material(m, &sides)).collect(),
        }
    }

    /// Of a set of this primitive; 0 if no texture uses it.
    pub fn of_set(&self, p: &Primitive, set: usize) -> f64 {
        let other = |mapping: &Value| u32::try_from(mapping.get("material")?.as_u64()?).ok();
        let materials = p.variants.iter().filter_map(other).chain(p.material);
        let texels = materials.filter_map(|m| self.materials.get(m as usize)?.get(set));
        texels.copied().fold(0.0, f64::max)
    }
}

fn of_material(material: &Material, sides: &[f64]) -> Vec<f64> {
    let mut sets: Vec<f64> = Vec::new();
    let mut see = |texture: u64, set: u64, scale: f64| {
        let side = usize::try_from(texture).ok().and_then(|t| sides.get(t));
        let set = usize::try_from(set).unwrap_or(usize::MAX);
        // Primitives have eight sets at most.
        if let Some(side) = side.filter(|_| set < 64) {
            sets.resize(sets.len().max(set + 1), 0.0);
            sets[set] = sets[set].max(side * scale);
        }
    };
    for slot in material.slots().into_iter().filter_map(|(_, slot)| slot) {
        let TextureTransform { scale, uv_set, .. } = slot.transform.unwrap_or_default();
        let set = uv_set.unwrap_or(slot.uv_set);
        see(u64::from(slot.texture), u64::from(set), larger(scale));
    }
    for value in material.extensions.values() {
        each_raw(value, &mut see, 0);
    }
    sets
}

/// The larger scale of both axes.
fn larger(scale: [f32; 2]) -> f64 {
    f64::from(scale[0].abs().max(scale[1].abs()))
}

/// Every `"…Texture"` of a raw extension object, with its set and scale.
fn each_raw(value: &Value, see: &mut dyn FnMut(u64, u64, f64), depth: u32) {
    let Value::Object(fields) = value else {
        return;
    };
    if depth > 8 {
        return;
    }
    for (name, field) in fields {
        let index = field.get("index").and_then(Value::as_u64);
        let Some(index) = index.filter(|_| name.ends_with("Texture")) else {
            each_raw(field, see, depth + 1);
            continue;
        };
        let transform = field.pointer("/extensions/KHR_texture_transform");
        let moved = transform.and_then(|t| t.get("texCoord")?.as_u64());
        let own = field.get("texCoord").and_then(Value::as_u64);
        let scale = transform.and_then(|t| t.get("scale")?.as_array());
        let scale = scale.into_iter().flatten().filter_map(Value::as_f64);
        let scale = scale.map(f64::abs).reduce(f64::max).unwrap_or(1.0);
        see(index, moved.or(own).unwrap_or(0), scale);
    }
}

/// The power of two above all coordinates: the exponent that they share in the exponential filter.
pub fn exponent(rows: &[[f32; 2]]) -> i32 {
    let far = rows.iter().flatten().fold(0.0f32, |m, v| m.max(v.abs()));
    (far.max(f32::MIN_POSITIVE).log2().floor() as i32 + 1).max(0)
}

/// Bits with the sign that keep coordinates to half a texel, if all share the exponent of the farthest.
pub fn filter_bits(rows: &[[f32; 2]], texels: f64) -> i32 {
    match texels > 0.0 {
        true => exponent(rows) + 1 + texels.log2().ceil() as i32,
        false => 0,
    }
}

/// Bits that keep coordinates to half a texel on a grid over their range.
pub fn grid_bits(rows: &[[f32; 2]], texels: f64) -> i32 {
    let mut range = 0.0f64;
    for axis in 0..2 {
        let ends = rows
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |e, uv| {
                (e.0.min(uv[axis]), e.1.max(uv[axis]))
            });
        range = range.max(f64::from(ends.1) - f64::from(ends.0));
    }
    (range * texels + 1.0).log2().ceil() as i32
}

/// Vertex colours as integers, which are linear.
pub enum Colors {
    Eight(Vec<[u8; 4]>),
    Sixteen(Vec<[u16; 4]>),
}

/// Sixteen bits where eight would show: a step of them is thirteen of sRGB in the dark. Those of sixteen bits are as
/// round as half a step of sRGB allows, so that they compress well.
pub fn colors(rows: &[[f32; 4]]) -> Colors {
    let eight = |v: f32| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
    let shows = |v: f32| {
        let kept = linear_to_srgb(f32::from(eight(v)) / 255.0);
        (kept - linear_to_srgb(v.clamp(0.0, 1.0))).abs() > 1.0 / 255.0
    };
    if !rows.iter().any(|c| c[..3].iter().any(|v| shows(*v))) {
        return Colors::Eight(rows.iter().map(|c| c.map(eight)).collect());
    }
    let sixteen = |[r, g, b, a]: &[f32; 4]| {
        let [r, g, b] = [*r, *g, *b].map(round_within_srgb);
        [r, g, b, u16::from(eight(*a)) * 257]
    };
    Colors::Sixteen(rows.iter().map(sixteen).collect())
}

/// The number with the most zeros at its end whose sRGB differs by less than half of 1/255.
fn round_within_srgb(v: f32) -> u16 {
    let v = v.clamp(0.0, 1.0);
    let shown = linear_to_srgb(v);
    let end = |by: f32| f64::from(srgb_to_linear((shown + by).clamp(0.0, 1.0))) * 65_535.0;
    // A little less, for what rounding adds.
    let (low, high) = (end(-0.49 / 255.0).ceil(), end(0.49 / 255.0).floor());
    let exact = (f64::from(v) * 65_535.0).round();
    let fits = |unit: &f64| (low..=high).contains(&((exact / unit).round() * unit));
    let unit = [256.0, 128.0, 64.0, 32.0, 16.0, 8.0, 4.0, 2.0]
        .into_iter()
        .find(fits);
    let unit = unit.unwrap_or(1.0);
    // Saturates at the highest value.
    ((exact / unit).round() * unit) as u16
}
