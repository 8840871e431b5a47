//! Primitives compressed with Draco (KHR_draco_mesh_compression).

use super::accessor::Accessors;
use super::extensions::Extension;
use super::json::{Attributes, PrimitiveJson};
use crate::{Error, Result};
use codecs::{CodecError, Component, DracoMesh, decode_draco};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    buffer_view: u32,
    attributes: HashMap<String, u32>,
}

/// A decoded primitive: accessors for the stream's attributes, and its triangles.
pub struct Unpacked<'a> {
    pub accessors: Accessors<'a>,
    pub indices: Vec<u32>,
}

fn broken() -> Error {
    Error::corrupt("Draco 压缩的几何数据无法解码，请关闭 Draco 压缩后重新导出")
}

fn explain(error: CodecError) -> Error {
    match error {
        CodecError::Broken => broken(),
        CodecError::TooLarge => {
            Error::TooLarge("Draco 压缩的几何数据解开后超出上限，请拆分模型后上传".into())
        }
    }
}

/// Decodes the stream of a primitive; `None` if it has none, or a broken one beside uncompressed data.
pub fn unpack<'a>(accessors: &Accessors<'a>, json: &PrimitiveJson) -> Result<Option<Unpacked<'a>>> {
    let Some(value) = json.extensions.get(Extension::DracoCompression) else {
        return Ok(None);
    };
    match decode(accessors, json, value) {
        Ok(unpacked) => Ok(Some(unpacked)),
        Err(Error::Corrupt(_)) if has_plain_data(accessors, &json.attributes) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Files may also contain the data uncompressed, for readers without Draco.
fn has_plain_data(accessors: &Accessors, attributes: &Attributes) -> bool {
    let position = attributes.get("POSITION");
    let accessor = position.and_then(|i| accessors.root.accessors.get(i as usize));
    accessor.is_some_and(|a| a.buffer_view.is_some())
}

fn decode<'a>(
    accessors: &Accessors<'a>,
    json: &PrimitiveJson,
    value: &Value,
) -> Result<Unpacked<'a>> {
    let packed: Packed = serde_json::from_value(value.clone()).map_err(|_| broken())?;
    let (bytes, _) = accessors.buffers.view(packed.buffer_view)?;
    let mesh = decode_draco(bytes, accessors.most / 3, accessors.most).map_err(explain)?;
    let mut unpacked = Accessors {
        root: accessors.root,
        buffers: accessors.buffers,
        most: accessors.most,
        decoded: HashMap::new(),
        rows: None,
    };
    for (name, unique_id) in &packed.attributes {
        let Some(index) = json.attributes.get(name) else {
            continue;
        };
        let column = match column(accessors, &mesh, index, *unique_id) {
            // Without rows: reading the attribute fails, which only positions may not.
            Err(Error::Corrupt(_)) => Vec::new(),
            column => column?,
        };
        unpacked.decoded.insert(index, column);
    }
    Ok(Unpacked {
        accessors: unpacked,
        indices: mesh.indices(),
    })
}

/// A column in the format its accessor declares.
fn column(accessors: &Accessors, mesh: &DracoMesh, index: u32, unique_id: u32) -> Result<Vec<u8>> {
    let accessor = accessors.root.accessors.get(index as usize);
    let component = accessor.and_then(|a| Component::of(a.component_type));
    let width = accessors.width(index)? as u32;
    mesh.column(unique_id, component.ok_or_else(broken)?, width)
        .map_err(explain)
}
