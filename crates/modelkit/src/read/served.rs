//! Whether a GLB can be handed to browsers as it is.

use super::gltf::split;
use serde_json::Value;

/// Required extensions that the viewer's loader supports.
const OPENED: [&str; 10] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_unlit",
    "KHR_materials_variants",
    "KHR_mesh_quantization",
    "KHR_texture_basisu",
    "KHR_texture_transform",
];

/// A whole GLB 2.0 that refers to nothing outside itself and requires nothing that the viewer lacks. The file must have
/// been read without a problem before.
pub fn opens_in_browsers(bytes: &[u8]) -> bool {
    let declared = bytes
        .get(8..12)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    if !bytes.starts_with(b"glTF") || declared.map(u64::from) != Some(bytes.len() as u64) {
        return false;
    }
    let root = split(bytes)
        .ok()
        .map(|(json, _)| serde_json::from_slice::<Value>(json));
    let Some(Ok(root)) = root else { return false };
    let list = |name: &str| {
        root.get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    // Even data URIs are refused: a file that needs them is not the smaller one.
    let within = list("buffers")
        .chain(list("images"))
        .all(|item| item.get("uri").is_none());
    let required = list("extensionsRequired").all(|name| {
        let name = name.as_str().unwrap_or_default();
        // Core materials with additions; their older form is no longer drawn.
        let material = name.starts_with("KHR_materials_") && !name.ends_with("Glossiness");
        material || OPENED.contains(&name)
    });
    let old = list("extensionsUsed").any(|name| name == "KHR_materials_pbrSpecularGlossiness");
    within && required && !old
}
