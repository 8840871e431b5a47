//! glTF 2.0 and GLB reader. Everything is checked: accessor bounds, node cycles,
//! declared counts; unreadable textures become problems, broken geometry an error.

mod accessor;
mod container;
mod draco;
mod json;
mod materials;
mod meshes;
mod meshopt_view;
mod motion;
mod tree;

use super::{Input, encoding};
use crate::progress::{Ctx, Stage};
use crate::scene::{Problem, Severity};
use crate::{Error, Result, Scene};
use accessor::Accessors;
use container::Buffers;
pub(crate) use container::{data_uri, split};
pub(crate) use json::MeshoptView;
use json::Root;
pub(crate) use meshopt_view::decode as decode_meshopt;
use std::collections::HashMap;

/// Required extensions that the reader supports.
pub(crate) const UNDERSTOOD: [&str; 15] = [
    crate::amrt::GRIDS,
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "EXT_mesh_gpu_instancing",
    "EXT_texture_webp",
    "KHR_draco_mesh_compression",
    "KHR_texture_basisu",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_lights_punctual",
    "KHR_materials_variants",
    "KHR_materials_unlit",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_emissive_strength",
    "KHR_node_visibility",
];

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let (text, bin) = container::split(input.bytes)?;
    let root: Root = serde_json::from_str(&encoding::json(text)).map_err(|e| {
        Error::corrupt(format!(
            "glTF 的 JSON 无法解析（第 {} 行），请重新导出后上传",
            e.line()
        ))
    })?;
    if !root.asset.version.starts_with("2.") {
        let version: String = root.asset.version.chars().take(8).collect();
        return Err(Error::unsupported(format!(
            "暂不支持 glTF {version} 版本，请导出为 glTF 2.0 后上传"
        )));
    }
    let mut scene = Scene::default();
    check_extensions(&root, &mut scene);
    let buffers = Buffers::load(&root, bin, input, ctx)?;
    ctx.report(Stage::Read, 0.1, "正在读取几何")?;
    let accessors = Accessors {
        root: &root,
        buffers: &buffers,
        most: ctx.limits.indices,
        decoded: HashMap::new(),
    };
    meshes::read(&accessors, &mut scene, ctx)?;
    materials::read(&root, &buffers, input, &mut scene, ctx)?;
    motion::read_skins(&accessors, &mut scene)?;
    motion::read_animations(&accessors, &mut scene, ctx)?;
    tree::read(&accessors, &mut scene, ctx)?;
    rest(&root, &mut scene);
    Ok(scene)
}

fn check_extensions(root: &Root, scene: &mut Scene) {
    for name in &root.extensions_used {
        if UNDERSTOOD.contains(&name.as_str()) || name.starts_with("KHR_materials_") {
            continue;
        }
        let shown: String = name.chars().filter(|c| !c.is_control()).take(60).collect();
        scene.note(Problem::new(
            "unsupported-extension",
            if root.extensions_required.contains(name) {
                Severity::Warning
            } else {
                Severity::Info
            },
            "",
            format!("扩展 {shown} 不受支持，相关数据未保留"),
            "如显示效果有差异，请在导出时关闭该扩展",
        ));
    }
}

/// Name, extras, lights, cameras and variants.
fn rest(root: &Root, scene: &mut Scene) {
    if let Some(json) = root.scenes.get(root.scene.unwrap_or(0) as usize) {
        scene.name = json.name.clone();
        scene.extras = json.extras.clone();
    }
    if scene.extras.is_none() {
        scene.extras = root.extras.clone();
    }
    let list = |extension: &str, field: &str| {
        let value = root.extensions.get(extension).and_then(|e| e.get(field));
        value
            .and_then(|v| v.as_array())
            .cloned()
            .unwrap_or_default()
    };
    scene.lights = list("KHR_lights_punctual", "lights");
    scene.variants = list("KHR_materials_variants", "variants");
    scene.cameras = root.cameras.clone();
}
