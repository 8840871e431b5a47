//! Meshes of a glTF.

use super::super::seen::Seen;
use super::accessor::Accessors;
use super::attributes::{Reader, SKIN_SETS, UV_SETS};
use super::draco;
use super::extensions::Extension;
use super::json::{Attributes, MeshJson, PrimitiveJson};
use super::lost::{Loss, Losses, reason};
use super::shared::{self, Users};
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Mesh, Mode, Primitive, Scene};
use crate::{Error, Result};
use serde_json::Value;
use std::collections::HashMap;

pub fn read(
    accessors: &Accessors,
    scene: &mut Scene,
    losses: &mut Losses,
    ctx: &Ctx,
) -> Result<()> {
    let meshes = &accessors.root.meshes;
    Limits::check("网格", meshes.len(), ctx.limits.meshes)?;
    let (mut vertices, mut indices) = (0, 0);
    let users = Users::of(accessors, ctx.limits.indices);
    for (i, json) in meshes.iter().enumerate() {
        if i % 64 == 0 {
            let done = 0.1 + 0.8 * i as f64 / meshes.len() as f64;
            ctx.report(Stage::Read, done, "正在读取几何")?;
        }
        let mut mesh = empty_mesh(json);
        for primitive in &json.primitives {
            let object = ("网格", json.name.as_str(), i);
            let mut lost = |loss: Loss, name: &str| losses.add(loss, object, name);
            let read = read_primitive(accessors, primitive, &users, &mut lost);
            let Some(read) = read.map_err(|error| at_mesh(error, &json.name, i))? else {
                lost(Loss::Shapeless, "");
                continue;
            };
            left_out(accessors, primitive, &mut lost);
            // Many primitives may share one accessor: count what they become, and what is looked at for that.
            let sparse = sparse_rows(accessors, primitive);
            vertices = sparse.saturating_add(vertices + read.positions.len());
            indices += read.indices.len();
            Limits::check("顶点", vertices, ctx.limits.vertices)?;
            Limits::check("索引", indices, ctx.limits.indices)?;
            mesh.primitives.push(read);
        }
        let targets = mesh.primitives.first().map_or(0, |p| p.targets.len());
        mesh.weights.resize(targets, 0.0);
        if mesh.target_names.len() != targets {
            mesh.target_names.clear();
        }
        scene.meshes.push(mesh);
    }
    Ok(())
}

/// A mesh before its primitives are read.
fn empty_mesh(json: &MeshJson) -> Mesh {
    let names = json.extras.as_ref().and_then(|e| e.get("targetNames"));
    let names = names.and_then(Value::as_array).into_iter().flatten();
    Mesh {
        name: json.name.clone(),
        weights: json.weights.clone(),
        extras: json.extras.clone(),
        target_names: names.map(|n| n.as_str().unwrap_or("").to_owned()).collect(),
        ..Mesh::default()
    }
}

/// An error about what a primitive cannot do without, with the name of its mesh.
fn at_mesh(error: Error, name: &str, number: usize) -> Error {
    let Error::Corrupt(why) = error else {
        return error;
    };
    let mut seen = Seen::default();
    seen.add("网格", name, number);
    Error::corrupt(format!(
        "{}：{}，请重新导出后上传",
        seen.place(),
        reason(&why)
    ))
}

fn read_primitive(
    accessors: &Accessors,
    json: &PrimitiveJson,
    users: &Users,
    lost: &mut dyn FnMut(Loss, &str),
) -> Result<Option<Primitive>> {
    let unpacked = draco::unpack(accessors, json)?;
    let all = unpacked.as_ref().map_or(accessors, |u| &u.accessors);
    let Some(position) = json.attributes.get("POSITION") else {
        return Ok(None);
    };
    let count = all.count(position)?;
    let (mut list, mode) = match (&unpacked, json.indices) {
        // Draco returns triangles, whatever the declared mode.
        (Some(unpacked), _) => (unpacked.indices.clone(), Some(4)),
        (None, Some(i)) => (accessors.integers::<1>(i)?.into_flattened(), json.mode),
        (None, None) => ((0..count as u32).collect(), json.mode),
    };
    let rows = match unpacked.is_none() && users.share(all, position) {
        true => shared::pick(&mut list, count),
        false => None,
    };
    let some = rows.map(|rows| Accessors {
        root: all.root,
        buffers: all.buffers,
        most: all.most,
        decoded: HashMap::new(),
        rows: Some(rows),
    });
    let accessors = some.as_ref().unwrap_or(all);
    let (mode, indices) = as_list(list, mode.unwrap_or(4))?;
    let mut primitive = Primitive {
        positions: accessors.floats::<3>(position)?,
        mode,
        indices,
        material: json.material,
        extras: json.extras.clone(),
        ..Primitive::default()
    };
    let mut reader = Reader {
        accessors,
        count,
        lost,
    };
    reader.read(&json.attributes, &mut primitive)?;
    for target in &json.targets {
        primitive.targets.push(reader.morph_target(target)?);
    }
    if let Some(mappings) = json
        .extensions
        .get(Extension::Variants)
        .and_then(|v| v.get("mappings"))
    {
        primitive.variants = mappings.as_array().cloned().unwrap_or_default();
    }
    Ok(Some(primitive))
}

/// Rows of sparse accessors, each of which a primitive looks at whatever it keeps.
fn sparse_rows(accessors: &Accessors, json: &PrimitiveJson) -> usize {
    let attributes = json.attributes.iter();
    let all = attributes.chain(json.targets.iter().flat_map(Attributes::iter));
    all.fold(0, |sum: usize, (_, i)| {
        sum.saturating_add(accessors.sparse_count(i))
    })
}

/// Names the attributes of a primitive and its morph targets that [`read_primitive`] does not take.
fn left_out(accessors: &Accessors, json: &PrimitiveJson, lost: &mut dyn FnMut(Loss, &str)) {
    let attributes = &json.attributes;
    let has = |name: &str, set: u32| attributes.get(&format!("{name}_{set}")).is_some();
    let uvs = (0..UV_SETS).take_while(|&set| has("TEXCOORD", set)).count();
    let skins = (0..SKIN_SETS).take_while(|&set| has("JOINTS", set) && has("WEIGHTS", set));
    let skins = skins.count();
    for (name, accessor) in attributes.iter() {
        let below = |prefix: &str, count: usize| {
            let set = name
                .strip_prefix(prefix)
                .and_then(|s| s.parse::<usize>().ok());
            set.is_some_and(|set| set < count)
        };
        let read = match name {
            "POSITION" | "NORMAL" | "TANGENT" | "COLOR_0" => true,
            name if name.starts_with('_') => !accessors.is_matrix(accessor),
            _ => below("TEXCOORD_", uvs) || below("JOINTS_", skins) || below("WEIGHTS_", skins),
        };
        let seen = ["TEXCOORD_", "JOINTS_", "WEIGHTS_"];
        match seen.iter().any(|prefix| name.starts_with(prefix)) {
            _ if read => {}
            true => lost(Loss::Attribute, name),
            false => lost(Loss::OtherAttribute, name),
        }
    }
    for (name, _) in json.targets.iter().flat_map(Attributes::iter) {
        if !["POSITION", "NORMAL", "TANGENT"].contains(&name) {
            lost(Loss::TargetAttribute, name);
        }
    }
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
