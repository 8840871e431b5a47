//! Triangles as Draco streams (KHR_draco_mesh_compression).

use super::builder::{Builder, bytes_of, min_max};
use super::column::data;
use super::detail;
use super::skin::{eight_bit_weights, narrow_joints};
use super::texcoords::{self, Colors, Texels};
use crate::scene::{Bounds, Mode, Primitive, Scene};
use crate::{Error, Result};
use codecs::{Component, Packed, Role, Steps, encode_draco};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

/// Bits per coordinate within the primitive's bounding box: as many as keep its thinnest parts, within these bounds.
const POSITION_BITS: (u8, u8) = (14, 23);
const NORMAL_BITS: u8 = 10;
const TANGENT_BITS: u8 = 12;
/// Fewest and most bits of texture coordinates: as many as half a texel needs. The encoder rounds in single precision:
/// where the most do not suffice, coordinates stay floats.
const UV_BITS: (u8, u8) = (14, 22);
/// Draco's middle speed: slower ones gain a few percent.
const SPEED: u8 = 5;
/// Predicts texture coordinates from positions.
const STEPPED_SPEED: u8 = 3;

/// One attribute as it is encoded in the stream.
struct Attribute {
    name: String,
    role: Role,
    component: Component,
    kind: &'static str,
    width: u32,
    normalized: bool,
    bits: u8,
    bytes: Vec<u8>,
}

/// A primitive's stream and the data for its accessors.
pub struct Encoded {
    attributes: Vec<Attribute>,
    position_range: (Vec<f64>, Vec<f64>),
    /// Largest error of a coordinate in units of the mesh.
    half_step: f64,
    packed: Packed,
}

/// Streams of all primitives of all meshes, in parallel; `None` for lines, points and what cannot be encoded. With
/// `step`, positions are whole multiples of it.
pub fn encode(
    scene: &Scene,
    texels: &Texels,
    step: Option<f32>,
) -> Result<Vec<Vec<Option<Encoded>>>> {
    let one = |p: &Primitive| primitive(p, texels, step);
    let one_mesh = |mesh: &crate::scene::Mesh| mesh.primitives.par_iter().map(one).collect();
    scene.meshes.par_iter().map(one_mesh).collect()
}

/// Bits and grid for positions as whole multiples of `step`, starting at a multiple of it; fitted to the bounding box
/// if that needs more bits than a float has.
fn steps(p: &Primitive, step: f32) -> Option<(u8, Steps)> {
    let mut bounds = Bounds::default();
    p.positions
        .iter()
        .for_each(|p| bounds.add(p.map(f64::from)));
    let step = f64::from(step);
    let first = bounds.min.map(|v| (v / step).round());
    let most = (0..3)
        .map(|k| (bounds.max[k] / step).round() - first[k])
        .fold(1.0, f64::max);
    let bits = (most + 1.0).log2().ceil();
    let origin = first.map(|v| (v * step) as f32);
    let steps = Steps {
        origin,
        step: step as f32,
    };
    (bits <= 23.0).then_some((bits as u8, steps))
}

/// Largest error of a coordinate of an encoded mesh in its units.
pub fn most_moved(streams: &[Option<Encoded>]) -> f64 {
    let halves = streams.iter().flatten().map(|stream| stream.half_step);
    halves.fold(0.0, f64::max)
}

fn longest(p: &Primitive) -> f64 {
    let mut bounds = Bounds::default();
    p.positions
        .iter()
        .for_each(|p| bounds.add(p.map(f64::from)));
    bounds.size().into_iter().fold(0.0, f64::max)
}

fn position_bits(p: &Primitive) -> u8 {
    let (least, most) = POSITION_BITS;
    let needed = (longest(p) / detail::step(p) + 1.0).log2().ceil();
    // Saturates; not a number becomes zero.
    (needed as u8).clamp(least, most)
}

/// Whether a primitive becomes a stream.
fn is_encoded(p: &Primitive) -> bool {
    p.mode == Mode::Triangles && p.indices.len() >= 3 && !p.positions.is_empty()
}

/// Largest error of a coordinate of a mesh in its units, before it is encoded.
pub fn half_step(mesh: &crate::scene::Mesh) -> f64 {
    let own = |p: &Primitive| half_of(p, position_bits(p));
    let encoded = mesh.primitives.par_iter().filter(|p| is_encoded(p));
    encoded.map(own).reduce(|| 0.0, f64::max)
}

/// Half a step of a grid of so many bits over the bounds of a primitive.
fn half_of(p: &Primitive, bits: u8) -> f64 {
    longest(p) / f64::from((1u32 << bits) - 1) / 2.0
}

fn primitive(p: &Primitive, texels: &Texels, step: Option<f32>) -> Result<Option<Encoded>> {
    if !is_encoded(p) {
        return Ok(None);
    }
    let mut attributes = attributes(p, texels);
    let steps = step.and_then(|step| steps(p, step));
    let bits = match steps {
        Some((bits, _)) => bits,
        None => position_bits(p),
    };
    let columns: Vec<codecs::Column> = attributes
        .iter()
        .map(|a| codecs::Column {
            role: a.role,
            component: a.component,
            width: a.width,
            normalized: a.normalized,
            bits: match a.role {
                Role::Position => bits,
                _ => a.bits,
            },
            steps: steps.filter(|_| a.role == Role::Position).map(|s| s.1),
            bytes: &a.bytes,
        })
        .collect();
    // Morph targets stay outside the stream: their rows must still match.
    let keep_order = !p.targets.is_empty();
    let speed = if step.is_some() { STEPPED_SPEED } else { SPEED };
    let packed = encode_draco(&columns, p.positions.len(), &p.indices, keep_order, speed)
        .map_err(|e| Error::Internal(format!("Draco encoding: {e}")))?;
    for attribute in &mut attributes {
        attribute.bytes = Vec::new();
    }
    Ok(Some(Encoded {
        attributes,
        position_range: min_max(&p.positions),
        half_step: half_of(p, bits),
        packed,
    }))
}

fn attributes(p: &Primitive, texels: &Texels) -> Vec<Attribute> {
    let floats = |name: String, role, kind, width, bits, bytes: &[u8]| Attribute {
        name,
        role,
        component: Component::F32,
        kind,
        width,
        normalized: false,
        bits,
        bytes: bytes.to_vec(),
    };
    let mut out = vec![floats(
        "POSITION".into(),
        Role::Position,
        "VEC3",
        3,
        POSITION_BITS.0,
        bytes_of(&p.positions),
    )];
    if !p.normals.is_empty() {
        let rows = bytes_of(&p.normals);
        out.push(floats(
            "NORMAL".into(),
            Role::Normal,
            "VEC3",
            3,
            NORMAL_BITS,
            rows,
        ));
        if !p.tangents.is_empty() {
            let rows = bytes_of(&p.tangents);
            out.push(floats(
                "TANGENT".into(),
                Role::Generic,
                "VEC4",
                4,
                TANGENT_BITS,
                rows,
            ));
        }
    }
    for (set, uvs) in p.uvs.iter().enumerate() {
        let name = format!("TEXCOORD_{set}");
        out.push(floats(
            name,
            Role::TexCoord,
            "VEC2",
            2,
            uv_bits(uvs, texels.of_set(p, set)),
            bytes_of(uvs),
        ));
    }
    if !p.colors.is_empty() {
        let (component, bytes) = match &texcoords::colors(&p.colors) {
            Colors::Eight(rows) => (Component::U8, bytes_of(rows).to_vec()),
            Colors::Sixteen(rows) => (Component::U16, bytes_of(rows).to_vec()),
        };
        let name = "COLOR_0".into();
        out.push(exact(name, Role::Color, component, true, &bytes));
    }
    skins(p, &mut out);
    for custom in &p.custom {
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"].get(custom.width.wrapping_sub(1));
        if let Some(kind) = kind {
            let (name, width) = (custom.name.clone(), custom.width as u32);
            out.push(floats(
                name,
                Role::Generic,
                kind,
                width,
                0,
                bytes_of(&custom.values),
            ));
        }
    }
    out
}

/// Bits of texture coordinates; 0 keeps them as they are.
fn uv_bits(rows: &[[f32; 2]], texels: f64) -> u8 {
    let (least, most) = UV_BITS;
    match u8::try_from(texcoords::grid_bits(rows, texels)) {
        Ok(bits) if bits <= most => bits.max(least),
        Ok(_) => 0,
        Err(_) => least,
    }
}

/// Four integers per vertex, stored losslessly.
fn exact(
    name: String,
    role: Role,
    component: Component,
    normalized: bool,
    bytes: &[u8],
) -> Attribute {
    Attribute {
        name,
        role,
        component,
        kind: "VEC4",
        width: 4,
        normalized,
        bits: 0,
        bytes: bytes.to_vec(),
    }
}

fn skins(p: &Primitive, out: &mut Vec<Attribute>) {
    for (number, set) in p.skin_sets.iter().enumerate() {
        let name = format!("JOINTS_{number}");
        out.push(match narrow_joints(&set.joints) {
            Some(narrow) => exact(name, Role::Generic, Component::U8, false, bytes_of(&narrow)),
            None => exact(
                name,
                Role::Generic,
                Component::U16,
                false,
                bytes_of(&set.joints),
            ),
        });
        let name = format!("WEIGHTS_{number}");
        if p.skin_sets.len() == 1 {
            let rows: Vec<[u8; 4]> = set.weights.iter().map(|&w| eight_bit_weights(w)).collect();
            out.push(exact(
                name,
                Role::Generic,
                Component::U8,
                true,
                bytes_of(&rows),
            ));
        } else {
            // Quantised separately, the sets would no longer sum to one.
            let rows = bytes_of(&set.weights);
            out.push(exact(name, Role::Generic, Component::F32, false, rows));
        }
    }
}

/// `(attributes, indices, extension)` of a primitive for its JSON.
pub fn put(b: &mut Builder, encoded: &Encoded) -> Result<(Map<String, Value>, u32, Value)> {
    let mut attributes = Map::new();
    let mut ids = Map::new();
    for (id, attribute) in encoded.attributes.iter().enumerate() {
        let range = (attribute.role == Role::Position).then(|| encoded.position_range.clone());
        let component = attribute.component as u32;
        let mut column = data(&[], encoded.packed.points, component, attribute.kind);
        column.form.normalized = attribute.normalized;
        column.min_max = range;
        let index = b.accessor(&column, None);
        attributes.insert(attribute.name.clone(), index.into());
        ids.insert(attribute.name.clone(), id.into());
    }
    let component = if encoded.packed.points <= 65_535 {
        5123
    } else {
        5125
    };
    let indices = b.accessor(
        &data(&[], encoded.packed.faces * 3, component, "SCALAR"),
        None,
    );
    let view = b.raw_view(&encoded.packed.bytes);
    b.extension("KHR_draco_mesh_compression", true);
    Ok((
        attributes,
        indices,
        json!({"bufferView": view, "attributes": ids}),
    ))
}
