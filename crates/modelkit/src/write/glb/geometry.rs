//! Meshes as JSON and accessors.

use super::builder::{Builder, bytes_of, floats, min_max};
use super::column::{Form, Pack, data, vertices};
use super::draco::{self, Encoded};
use super::materials::Materials;
use super::quantize::Grid;
use super::skin::{eight_bit_weights, narrow_joints};
use super::targets::targets;
use super::texcoords::{self, Colors};
use crate::Result;
use crate::scene::{Custom, Mesh, Mode, Primitive, SkinSet};
use serde_json::{Map, Value, json};

/// How a mesh's numbers are encoded.
#[derive(Clone, Copy, Default)]
pub struct Packing<'a> {
    /// The quantisation grid of positions.
    pub grid: Option<&'a Grid>,
    /// Step of positions without a grid.
    pub step: Option<f32>,
    /// Draco streams of its primitives; empty without Draco.
    pub draco: &'a [Option<Encoded>],
}

/// JSON of a mesh.
pub fn mesh(
    b: &mut Builder,
    materials: &mut Materials,
    mesh: &Mesh,
    packing: Packing,
) -> Result<Value> {
    let mut primitives = Vec::with_capacity(mesh.primitives.len());
    for (i, p) in mesh.primitives.iter().enumerate() {
        let encoded = packing.draco.get(i).and_then(Option::as_ref);
        primitives.push(primitive(b, materials, p, packing, encoded)?);
    }
    let mut out = Map::new();
    if !mesh.name.is_empty() {
        out.insert("name".into(), mesh.name.clone().into());
    }
    out.insert("primitives".into(), primitives.into());
    if !mesh.weights.is_empty() {
        out.insert("weights".into(), floats(&mesh.weights));
    }
    let mut extras = mesh.extras.clone();
    if !mesh.target_names.is_empty() {
        let target = extras.get_or_insert_with(|| json!({}));
        if target.is_object() {
            target["targetNames"] = json!(mesh.target_names);
        }
    }
    if let Some(extras) = extras {
        out.insert("extras".into(), extras);
    }
    Ok(Value::Object(out))
}

fn primitive(
    b: &mut Builder,
    materials: &mut Materials,
    p: &Primitive,
    packing: Packing,
    encoded: Option<&Encoded>,
) -> Result<Value> {
    let mut out = Map::new();
    let mut extensions = Map::new();
    if let Some(encoded) = encoded {
        let (attributes, indices, extension) = draco::put(b, encoded)?;
        out.insert("attributes".into(), Value::Object(attributes));
        out.insert("indices".into(), indices.into());
        extensions.insert("KHR_draco_mesh_compression".into(), extension);
    } else {
        out.insert("attributes".into(), attributes(b, p, packing)?.into());
        if !(p.mode == Mode::Points && is_sequence(p)) {
            out.insert("indices".into(), indices(b, p)?.into());
        }
    }
    if let Some(material) = p.material {
        out.insert(
            "material".into(),
            materials.index(material, p.uvs.len()).into(),
        );
    }
    match p.mode {
        Mode::Points => out.insert("mode".into(), 0.into()),
        Mode::Lines => out.insert("mode".into(), 1.into()),
        Mode::Triangles => None,
    };
    if !p.targets.is_empty() {
        out.insert("targets".into(), targets(b, p, packing.grid)?);
    }
    if !p.variants.is_empty() {
        let mut mappings = p.variants.clone();
        for mapping in &mut mappings {
            let material = mapping.get("material").and_then(Value::as_u64).unwrap_or(0) as u32;
            mapping["material"] = materials.index(material, p.uvs.len()).into();
        }
        extensions.insert(
            "KHR_materials_variants".into(),
            json!({"mappings": mappings}),
        );
        b.extension("KHR_materials_variants", false);
    }
    if !extensions.is_empty() {
        out.insert("extensions".into(), Value::Object(extensions));
    }
    if let Some(extras) = &p.extras {
        out.insert("extras".into(), extras.clone());
    }
    Ok(Value::Object(out))
}

fn attributes(b: &mut Builder, p: &Primitive, packing: Packing) -> Result<Map<String, Value>> {
    let mut attributes = Map::new();
    let rows = match (packing.grid, packing.step) {
        (Some(grid), _) => gridded(b, &p.positions, grid)?,
        (None, Some(step)) if b.packed => stepped(b, &p.positions, step)?,
        _ => positions(b, &p.positions)?,
    };
    attributes.insert("POSITION".into(), rows.into());
    if !p.normals.is_empty() {
        attributes.insert("NORMAL".into(), normals(b, &p.normals)?.into());
        if !p.tangents.is_empty() {
            attributes.insert("TANGENT".into(), tangents(b, &p.tangents)?.into());
        }
    }
    for (set, uvs) in p.uvs.iter().enumerate() {
        let texels = b.texels.of_set(p, set);
        attributes.insert(format!("TEXCOORD_{set}"), uv_set(b, uvs, texels)?.into());
    }
    if !p.colors.is_empty() {
        attributes.insert("COLOR_0".into(), colors(b, &p.colors)?.into());
    }
    for (set, skin) in p.skin_sets.iter().enumerate() {
        let (joints, weights) = skin_set(b, skin, p.skin_sets.len() == 1)?;
        attributes.insert(format!("JOINTS_{set}"), joints.into());
        attributes.insert(format!("WEIGHTS_{set}"), weights.into());
    }
    for custom in &p.custom {
        if let Some(index) = custom_column(b, custom)? {
            attributes.insert(custom.name.clone(), index.into());
        }
    }
    Ok(attributes)
}

fn is_sequence(p: &Primitive) -> bool {
    p.indices.len() == p.positions.len()
        && p.indices.iter().enumerate().all(|(i, &v)| i as u32 == v)
}

fn positions(b: &mut Builder, rows: &[[f32; 3]]) -> Result<u32> {
    let column = vertices(bytes_of(rows), rows.len(), 5126, "VEC3", false);
    b.column(&column.bounded(min_max(rows)))
}

/// Whole multiples of `step` as floats: the filter keeps numbers of up to 23 bits exactly.
fn stepped(b: &mut Builder, rows: &[[f32; 3]], step: f32) -> Result<u32> {
    let round = |v: f32| ((f64::from(v) / f64::from(step)).round() * f64::from(step)) as f32;
    let rows: Vec<[f32; 3]> = rows.iter().map(|p| p.map(round)).collect();
    let far = rows
        .iter()
        .flatten()
        .fold(0.0f32, |far, v| far.max(v.abs()));
    if far / step >= (1 << 22) as f32 {
        return positions(b, &rows);
    }
    let packed = meshopt::encode_filter_exp(&rows, 24, meshopt::EncodeExpMode::SharedComponent);
    let column = vertices(bytes_of(&packed), rows.len(), 5126, "VEC3", false);
    b.column(&column.filtered("EXPONENTIAL").bounded(min_max(&rows)))
}

fn gridded(b: &mut Builder, rows: &[[f32; 3]], grid: &Grid) -> Result<u32> {
    let quantized: Vec<[u16; 4]> = rows.iter().map(|&p| grid.quantize(p)).collect();
    let (mut min, mut max) = min_max(&quantized);
    min.truncate(3);
    max.truncate(3);
    b.extension("KHR_mesh_quantization", true);
    let column = vertices(bytes_of(&quantized), rows.len(), 5123, "VEC3", !grid.whole);
    b.column(&column.bounded((min, max)))
}

fn normals(b: &mut Builder, rows: &[[f32; 3]]) -> Result<u32> {
    if !b.packed {
        return b.column(&vertices(bytes_of(rows), rows.len(), 5126, "VEC3", false));
    }
    let four: Vec<[f32; 4]> = rows.iter().map(|n| [n[0], n[1], n[2], 0.0]).collect();
    let packed: Vec<[i8; 4]> = meshopt::encode_filter_oct(&four, 8);
    b.extension("KHR_mesh_quantization", true);
    let column = vertices(bytes_of(&packed), rows.len(), 5120, "VEC3", true);
    b.column(&column.filtered("OCTAHEDRAL"))
}

fn tangents(b: &mut Builder, rows: &[[f32; 4]]) -> Result<u32> {
    if !b.packed {
        return b.column(&vertices(bytes_of(rows), rows.len(), 5126, "VEC4", false));
    }
    let packed: Vec<[i8; 4]> = meshopt::encode_filter_oct(rows, 8);
    b.extension("KHR_mesh_quantization", true);
    let column = vertices(bytes_of(&packed), rows.len(), 5120, "VEC4", true);
    b.column(&column.filtered("OCTAHEDRAL"))
}

/// `texels` is how many of them a unit has.
fn uv_set(b: &mut Builder, rows: &[[f32; 2]], texels: f64) -> Result<u32> {
    let least = texcoords::filter_bits(rows, texels);
    if !b.packed || least > texcoords::MOST_BITS {
        return b.column(&vertices(bytes_of(rows), rows.len(), 5126, "VEC2", false));
    }
    if let Some(screen) = b.screen {
        return rounded(b, rows, screen.bits(rows).max(least));
    }
    let in_unit = rows.iter().flatten().all(|v| (0.0..=1.0).contains(v));
    if in_unit && texels <= 65_535.0 {
        let packed: Vec<[u16; 2]> = rows
            .iter()
            .map(|uv| uv.map(|v| (v * 65535.0).round() as u16))
            .collect();
        return b.column(&vertices(bytes_of(&packed), rows.len(), 5123, "VEC2", true));
    }
    rounded(b, rows, least.max(15))
}

/// Floats of `bits` bits and an exponent for each axis.
fn rounded(b: &mut Builder, rows: &[[f32; 2]], bits: i32) -> Result<u32> {
    let packed = meshopt::encode_filter_exp(rows, bits, meshopt::EncodeExpMode::SharedComponent);
    let column = vertices(bytes_of(&packed), rows.len(), 5126, "VEC2", false);
    b.column(&column.filtered("EXPONENTIAL"))
}

fn colors(b: &mut Builder, rows: &[[f32; 4]]) -> Result<u32> {
    let eight_bit = |v: &f32| (v * 255.0 - (v * 255.0).round()).abs() < 1e-3;
    if !b.packed && !rows.iter().flatten().all(eight_bit) {
        return b.column(&vertices(bytes_of(rows), rows.len(), 5126, "VEC4", false));
    }
    let (bytes, component) = match &texcoords::colors(rows) {
        Colors::Eight(packed) => (bytes_of(packed).to_vec(), 5121),
        Colors::Sixteen(packed) => (bytes_of(packed).to_vec(), 5123),
    };
    b.column(&vertices(&bytes, rows.len(), component, "VEC4", true))
}

/// Joints and weights. Compressed weights are 8-bit and sum to exactly 255, which only works within a single set.
fn skin_set(b: &mut Builder, set: &SkinSet, single: bool) -> Result<(u32, u32)> {
    let count = set.joints.len();
    let mut joints = set.joints.clone();
    let weights = if b.packed && single {
        let packed: Vec<[u8; 4]> = set.weights.iter().map(|&w| eight_bit_weights(w)).collect();
        for (joint, weight) in joints.iter_mut().flatten().zip(packed.iter().flatten()) {
            if *weight == 0 {
                *joint = 0;
            }
        }
        b.column(&vertices(bytes_of(&packed), count, 5121, "VEC4", true))?
    } else {
        b.column(&vertices(
            bytes_of(&set.weights),
            count,
            5126,
            "VEC4",
            false,
        ))?
    };
    let joints = if let Some(narrow) = narrow_joints(&joints) {
        b.column(&vertices(bytes_of(&narrow), count, 5121, "VEC4", false))?
    } else {
        b.column(&vertices(bytes_of(&joints), count, 5123, "VEC4", false))?
    };
    Ok((joints, weights))
}

fn custom_column(b: &mut Builder, custom: &Custom) -> Result<Option<u32>> {
    let kind = match custom.width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => return Ok(None),
    };
    let count = custom.values.len() / custom.width;
    b.column(&vertices(
        bytes_of(&custom.values),
        count,
        5126,
        kind,
        false,
    ))
    .map(Some)
}

fn indices(b: &mut Builder, p: &Primitive) -> Result<u32> {
    let narrow: Vec<u16>;
    // 65535 itself is the primitive restart value.
    let (bytes, component) = if p.positions.len() <= 65_535 {
        narrow = p.indices.iter().map(|&i| i as u16).collect();
        (bytes_of(&narrow), 5123)
    } else {
        (bytes_of(&p.indices), 5125)
    };
    let pack = match p.mode {
        Mode::Triangles => Pack::Triangles,
        _ => Pack::Indices,
    };
    let mut column = data(bytes, p.indices.len(), component, "SCALAR");
    column.form = Form {
        target: Some(34963),
        pack,
        ..column.form
    };
    b.column(&column)
}
