//! What a subcommand answers.

use crate::scene;
use crate::write::OutFormat;
use crate::{Error, Result, Scene};
use serde_json::{Value, json};
use std::path::Path;

/// A result as JSON and as text.
pub struct Done {
    pub json: Value,
    pub text: String,
}

pub(super) fn to_json(value: &impl serde::Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(|e| Error::Internal(e.to_string()))
}

pub(super) fn file_size(path: &Path) -> Result<u64> {
    Ok(std::fs::metadata(path)
        .map_err(|e| Error::io(path, &e))?
        .len())
}

/// Statistics of one side of a conversion.
pub(super) fn figures(scene: &Scene, bytes: u64) -> Value {
    let s = scene::statistics(scene);
    json!({
        "bytes": bytes,
        "triangles": s.triangles,
        "vertices": s.vertices,
        "textures": s.textures,
        "textureBytes": s.texture_bytes,
    })
}

/// Statistics of the output. Formats without a node tree store a mesh once for each node that references it.
pub(super) fn written_figures(scene: &Scene, output: &Path, format: OutFormat) -> Result<Value> {
    let mut json = figures(scene, written_size(output, format)?);
    if format == OutFormat::Amrt {
        // AMRT's writer re-encodes the textures.
        let statistics = crate::read::amrt::look(output)?.statistics;
        for field in ["triangles", "vertices", "textures", "textureBytes"] {
            json[field] = statistics[field].clone();
        }
    }
    if format.is_scene() {
        return Ok(json);
    }
    let (mut triangles, mut vertices) = (0, 0);
    for index in scene.walk() {
        let mesh = scene.nodes.get(index as usize).and_then(|node| node.mesh);
        let Some(mesh) = mesh.and_then(|mesh| scene.meshes.get(mesh as usize)) else {
            continue;
        };
        for primitive in &mesh.primitives {
            vertices += primitive.positions.len();
            if primitive.mode == scene::Mode::Triangles {
                triangles += primitive.indices.len() / 3;
            }
        }
    }
    json["triangles"] = json!(triangles);
    json["vertices"] = json!(vertices);
    Ok(json)
}

/// Size of the output in bytes: all files of an OBJ, else the single file.
pub(super) fn written_size(path: &Path, format: OutFormat) -> Result<u64> {
    let mut bytes = file_size(path)?;
    if format == OutFormat::Obj {
        bytes += std::fs::metadata(path.with_extension("mtl")).map_or(0, |m| m.len());
    }
    Ok(bytes)
}
