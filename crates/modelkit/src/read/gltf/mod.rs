//! glTF 2.0 and GLB reader. Everything is checked: accessor bounds, node cycles,
//! declared counts; unreadable textures become problems, broken geometry an error.

mod accessor;
mod container;
mod draco;
mod extensions;
mod json;
mod lost;
mod materials;
mod meshes;
mod meshopt_view;
mod motion;
mod places;
mod specular;
mod tree;

use super::{Input, encoding};
use crate::progress::{Ctx, Stage};
use crate::{Error, Result, Scene};
use accessor::Accessors;
use container::Buffers;
pub(crate) use container::{data_uri, split};
pub use extensions::{Extension, Treatment};
pub(crate) use json::MeshoptView;
use json::Root;
use lost::Losses;
pub(crate) use meshopt_view::decode as decode_meshopt;
use serde_json::Value;
use std::collections::HashMap;

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let (text, bin) = container::split(input.bytes)?;
    let root: Root = serde_json::from_str(&encoding::json(text)).map_err(|e| {
        Error::corrupt(format!(
            "glTF 的 JSON 无法解析（第 {} 行），请重新导出后上传",
            e.line()
        ))
    })?;
    check_version(&root)?;
    let mut scene = Scene::default();
    places::check(&root, &mut scene)?;
    let buffers = Buffers::load(&root, bin, input, ctx)?;
    ctx.report(Stage::Read, 0.1, "正在读取几何")?;
    let accessors = Accessors {
        root: &root,
        buffers: &buffers,
        most: ctx.limits.indices,
        decoded: HashMap::new(),
    };
    let mut losses = Losses::default();
    meshes::read(&accessors, &mut scene, &mut losses, ctx)?;
    materials::read(&root, &buffers, input, &mut scene, ctx)?;
    motion::read_skins(&accessors, &mut scene)?;
    motion::read_animations(&accessors, &mut scene, &mut losses, ctx)?;
    tree::read(&accessors, &mut scene, &mut losses, ctx)?;
    rest(&root, &mut scene);
    lost::extras(&root, &mut losses);
    losses.tell(&mut scene, lost::finding);
    Ok(scene)
}

/// Refuses versions other than 2.0, and files that say they need a later one.
fn check_version(root: &Root) -> Result<()> {
    let least = root.asset.min_version.as_ref();
    let newer = least.filter(|least| least.as_str() != "2.0");
    let version = match root.asset.version.starts_with("2.") {
        true => newer,
        false => Some(&root.asset.version),
    };
    match version {
        None => Ok(()),
        Some(version) => {
            let version: String = version.chars().take(8).collect();
            Err(Error::unsupported(format!(
                "暂不支持 glTF {version} 版本，请导出为 glTF 2.0 后上传"
            )))
        }
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
    scene.copyright = root.asset.copyright.clone();
    let list = |extension: Extension, field: &str| {
        let value = root.extensions.get(extension).and_then(|e| e.get(field));
        let mut items = value.and_then(|v| v.as_array()).cloned();
        let items = items.iter_mut().flatten();
        items.map(raw).collect()
    };
    scene.lights = list(Extension::LightsPunctual, "lights");
    scene.variants = list(Extension::Variants, "variants");
    scene.cameras = root.cameras.clone().iter_mut().map(raw).collect();
}

/// A raw object as it is written again: the extensions inside it have been told about.
fn raw(value: &mut Value) -> Value {
    extensions::strip(value, &[]);
    value.take()
}
