//! What a subcommand answers.

use crate::scene;
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
