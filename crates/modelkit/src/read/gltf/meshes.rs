//! Meshes of a glTF.

use super::accessor::Accessors;
use super::draco;
use super::extensions::Extension;
use super::json::{MeshJson, PrimitiveJson};
use super::lost::{Loss, Losses};
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Custom, Mesh, Mode, MorphTarget, Primitive, Scene, SkinSet};
use crate::{Error, Result};
use serde_json::{Map, Value};

/// Sets of texture coordinates and of joints that are read.
const UV_SETS: u32 = 8;
const SKIN_SETS: u32 = 4;

pub fn read(
    accessors: &Accessors,
    scene: &mut Scene,
    losses: &mut Losses,
    ctx: &Ctx,
) -> Result<()> {
    let meshes = &accessors.root.meshes;
    Limits::check("网格", meshes.len(), ctx.limits.meshes)?;
    let (mut vertices, mut indices) = (0, 0);
    for (i, json) in meshes.iter().enumerate() {
        if i % 64 == 0 {
            let done = 0.1 + 0.8 * i as f64 / meshes.len() as f64;
            ctx.report(Stage::Read, done, "正在读取几何")?;
        }
        let mesh = mesh(accessors, json, i, losses)?;
        for primitive in &mesh.primitives {
            vertices += primitive.positions.len();
            indices += primitive.indices.len();
        }
        // Many primitives may share one accessor: count the vertices they become.
        Limits::check("顶点", vertices, ctx.limits.vertices)?;
        Limits::check("索引", indices, ctx.limits.indices)?;
        scene.meshes.push(mesh);
    }
    Ok(())
}

fn mesh(
    accessors: &Accessors,
    json: &MeshJson,
    number: usize,
    losses: &mut Losses,
) -> Result<Mesh> {
    let mut mesh = Mesh {
        name: json.name.clone(),
        weights: json.weights.clone(),
        extras: json.extras.clone(),
        ..Mesh::default()
    };
    if let Some(names) = json
        .extras
        .as_ref()
        .and_then(|e| e.get("targetNames"))
        .and_then(Value::as_array)
    {
        mesh.target_names = names
            .iter()
            .map(|n| n.as_str().unwrap_or("").to_owned())
            .collect();
    }
    let object = ("网格", json.name.as_str(), number);
    for primitive in &json.primitives {
        match read_primitive(accessors, primitive)? {
            Some(read) => {
                mesh.primitives.push(read);
                left_out(accessors, primitive, &mut |loss, name| {
                    losses.add(loss, object, name);
                });
            }
            None => losses.add(Loss::Shapeless, object, ""),
        }
    }
    let targets = mesh.primitives.first().map_or(0, |p| p.targets.len());
    mesh.weights.resize(targets, 0.0);
    if mesh.target_names.len() != targets {
        mesh.target_names.clear();
    }
    Ok(mesh)
}

fn index(attributes: &Map<String, Value>, name: &str) -> Result<Option<u32>> {
    match attributes.get(name) {
        None => Ok(None),
        Some(value) => match value.as_u64().and_then(|v| u32::try_from(v).ok()) {
            Some(index) => Ok(Some(index)),
            None => Err(Error::corrupt("glTF 的顶点属性编号有误，请重新导出后上传")),
        },
    }
}

fn read_primitive(accessors: &Accessors, json: &PrimitiveJson) -> Result<Option<Primitive>> {
    let unpacked = draco::unpack(accessors, json)?;
    let accessors = unpacked.as_ref().map_or(accessors, |u| &u.accessors);
    let attributes = &json.attributes;
    let Some(position) = index(attributes, "POSITION")? else {
        return Ok(None);
    };
    let positions = accessors.floats::<3>(position)?;
    let count = positions.len();
    let mut primitive = Primitive {
        positions,
        material: json.material,
        extras: json.extras.clone(),
        ..Primitive::default()
    };
    if let Some(i) = index(attributes, "NORMAL")? {
        primitive.normals = accessors.floats(i)?;
    }
    if let Some(i) = index(attributes, "TANGENT")? {
        primitive.tangents = accessors.floats(i)?;
    }
    for set in 0..UV_SETS {
        let Some(i) = index(attributes, &format!("TEXCOORD_{set}"))? else {
            break;
        };
        primitive.uvs.push(accessors.floats(i)?);
    }
    if let Some(i) = index(attributes, "COLOR_0")? {
        primitive.colors = colors(accessors, i)?;
    }
    skin_sets(accessors, attributes, &mut primitive)?;
    custom(accessors, attributes, &mut primitive)?;
    for target in &json.targets {
        primitive.targets.push(morph_target(accessors, target)?);
    }
    if !same_length(&primitive, count) {
        return Err(Error::corrupt(
            "glTF 同一网格的顶点属性数量不一致，请重新导出后上传",
        ));
    }
    let mode = json.mode.unwrap_or(4);
    let (list, mode) = match (&unpacked, json.indices) {
        // Draco returns triangles, whatever the declared mode.
        (Some(unpacked), _) => (unpacked.indices.clone(), 4),
        (None, Some(i)) => (accessors.integers::<1>(i)?.into_flattened(), mode),
        (None, None) => ((0..count as u32).collect(), mode),
    };
    (primitive.mode, primitive.indices) = as_list(list, mode)?;
    if let Some(mappings) = json
        .extensions
        .get(Extension::Variants)
        .and_then(|v| v.get("mappings"))
    {
        primitive.variants = mappings.as_array().cloned().unwrap_or_default();
    }
    Ok(Some(primitive))
}

fn colors(accessors: &Accessors, index: u32) -> Result<Vec<[f32; 4]>> {
    if accessors.width(index)? == 3 {
        let rows = accessors.floats::<3>(index)?;
        return Ok(rows.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect());
    }
    accessors.floats::<4>(index)
}

fn skin_sets(
    accessors: &Accessors,
    attributes: &Map<String, Value>,
    primitive: &mut Primitive,
) -> Result<()> {
    for set in 0..SKIN_SETS {
        let joints = index(attributes, &format!("JOINTS_{set}"))?;
        let weights = index(attributes, &format!("WEIGHTS_{set}"))?;
        let (Some(joints), Some(weights)) = (joints, weights) else {
            break;
        };
        let narrow = |j: u32| u16::try_from(j).unwrap_or(u16::MAX);
        let joints = accessors
            .integers::<4>(joints)?
            .into_iter()
            .map(|row| row.map(narrow))
            .collect();
        primitive.skin_sets.push(SkinSet {
            joints,
            weights: accessors.floats(weights)?,
        });
    }
    Ok(())
}

fn custom(
    accessors: &Accessors,
    attributes: &Map<String, Value>,
    primitive: &mut Primitive,
) -> Result<()> {
    for name in attributes.keys().filter(|n| n.starts_with('_')) {
        let Some(i) = index(attributes, name)? else {
            continue;
        };
        if accessors.is_matrix(i) {
            continue;
        }
        let (values, width) = accessors.flat(i)?;
        primitive.custom.push(Custom {
            name: name.clone(),
            width,
            values,
        });
    }
    Ok(())
}

/// Names the attributes of a primitive and its morph targets that [`read_primitive`] does not take.
fn left_out(accessors: &Accessors, json: &PrimitiveJson, lost: &mut dyn FnMut(Loss, &str)) {
    let attributes = &json.attributes;
    let has = |name: &str, set: u32| attributes.contains_key(&format!("{name}_{set}"));
    let uvs = (0..UV_SETS).take_while(|&set| has("TEXCOORD", set)).count();
    let skins = (0..SKIN_SETS).take_while(|&set| has("JOINTS", set) && has("WEIGHTS", set));
    let skins = skins.count();
    for (name, accessor) in attributes {
        let below = |prefix: &str, count: usize| {
            let set = name
                .strip_prefix(prefix)
                .and_then(|s| s.parse::<usize>().ok());
            set.is_some_and(|set| set < count)
        };
        let read = match name.as_str() {
            "POSITION" | "NORMAL" | "TANGENT" | "COLOR_0" => true,
            name if name.starts_with('_') => {
                let accessor = accessor.as_u64().and_then(|i| u32::try_from(i).ok());
                accessor.is_some_and(|i| !accessors.is_matrix(i))
            }
            _ => below("TEXCOORD_", uvs) || below("JOINTS_", skins) || below("WEIGHTS_", skins),
        };
        let seen = ["TEXCOORD_", "JOINTS_", "WEIGHTS_"];
        match seen.iter().any(|prefix| name.starts_with(prefix)) {
            _ if read => {}
            true => lost(Loss::Attribute, name),
            false => lost(Loss::OtherAttribute, name),
        }
    }
    for name in json.targets.iter().flat_map(Map::keys) {
        if !["POSITION", "NORMAL", "TANGENT"].contains(&name.as_str()) {
            lost(Loss::TargetAttribute, name);
        }
    }
}

fn morph_target(accessors: &Accessors, json: &Map<String, Value>) -> Result<MorphTarget> {
    let read = |name: &str| -> Result<Vec<[f32; 3]>> {
        match index(json, name)? {
            Some(i) => accessors.floats(i),
            None => Ok(Vec::new()),
        }
    };
    Ok(MorphTarget {
        positions: read("POSITION")?,
        normals: read("NORMAL")?,
        tangents: read("TANGENT")?,
    })
}

fn same_length(p: &Primitive, count: usize) -> bool {
    let ok = |length: usize| length == 0 || length == count;
    ok(p.normals.len())
        && ok(p.tangents.len())
        && ok(p.colors.len())
        && p.uvs.iter().all(|s| s.len() == count)
        && p.skin_sets
            .iter()
            .all(|s| s.joints.len() == count && s.weights.len() == count)
        && p.custom.iter().all(|c| c.values.len() == count * c.width)
        && p.targets
            .iter()
            .all(|t| ok(t.positions.len()) && ok(t.normals.len()) && ok(t.tangents.len()))
}

/// Converts strips, fans and loops to plain lists.
fn as_list(list: Vec<u32>, mode: u32) -> Result<(Mode, Vec<u32>)> {
    let mut out = Vec::new();
    let mode = match mode {
        0 => return Ok((Mode::Points, list)),
        1 => return Ok((Mode::Lines, list)),
        4 => return Ok((Mode::Triangles, list)),
        2 | 3 => {
            for pair in list.windows(2) {
                out.extend_from_slice(pair);
            }
            if let (2, Some(&first), Some(&last)) = (mode, list.first(), list.last()) {
                out.extend([last, first]);
            }
            Mode::Lines
        }
        5 => {
            for (i, t) in list.windows(3).enumerate() {
                out.extend(if i % 2 == 0 {
                    [t[0], t[1], t[2]]
                } else {
                    [t[1], t[0], t[2]]
                });
            }
            Mode::Triangles
        }
        6 => {
            let first = list.first().copied().unwrap_or(0);
            for pair in list.get(1..).unwrap_or(&[]).windows(2) {
                out.extend([first, pair[0], pair[1]]);
            }
            Mode::Triangles
        }
        _ => return Err(Error::corrupt("glTF 的图元类型有误，请重新导出后上传")),
    };
    Ok((mode, out))
}
