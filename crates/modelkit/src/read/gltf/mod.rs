//! glTF 2.0 and GLB reader. Everything is checked: accessor bounds, node cycles,
//! declared counts; unreadable textures become problems, broken geometry an error.

mod accessor;
mod attributes;
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
mod schema;
mod shared;
mod specular;
mod tidy;
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
use tree::Staged;

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let (text, bin) = container::split(input.bytes)?;
    let (root, unusable) = tidy::parse::<Root>(&encoding::json(text))?;
    check_version(&root)?;
    match (of_root(&root, bin, input, ctx), unusable) {
        (Ok(mut scene), unusable) => {
            scene.problems.extend(unusable);
            Ok(scene)
        }
        // What is wrong may come of what was removed.
        (Err(Error::Corrupt(text)), Some(problem)) => {
            Err(Error::Corrupt(format!("{text}。{}", problem.message)))
        }
        (Err(error), _) => Err(error),
    }
}

fn of_root(root: &Root, bin: Option<&[u8]>, input: &Input, ctx: &Ctx) -> Result<Scene> {
    let mut scene = Scene::default();
    places::check(root, &mut scene)?;
    let buffers = Buffers::load(root, bin, input, ctx)?;
    ctx.report(Stage::Read, 0.1, "正在读取几何")?;
    let accessors = Accessors {
        root,
        buffers: &buffers,
        most: ctx.limits.indices,
        decoded: HashMap::new(),
        rows: None,
    };
    let mut losses = Losses::default();
    meshes::read(&accessors, &mut scene, &mut losses, ctx)?;
    materials::read(root, &buffers, input, &mut scene, ctx)?;
    motion::read_skins(&accessors, &mut scene, &mut losses)?;
    motion::read_animations(&accessors, &mut scene, &mut losses, ctx)?;
    let stage = Staged::of(root);
    tree::read(&accessors, &stage, &mut scene, &mut losses, ctx)?;
    rest(root, &stage, &mut scene);
    lost::extras(root, stage.scene(root), &mut losses);
    losses.tell(&mut scene, lost::finding);
    Ok(scene)
}

/// Refuses versions other than 2, and files that say they need a later one. A file without a version is taken for 2.0:
/// the lists of 1.0 are objects.
fn check_version(root: &Root) -> Result<()> {
    let version = root.asset.version.trim();
    let least = root.asset.min_version.as_deref().map_or("", str::trim);
    let refused = match version.split('.').next() {
        Some("" | "2") if matches!(least, "" | "2" | "2.0") => return Ok(()),
        Some("" | "2") => least,
        _ => version,
    };
    let version: String = refused.chars().take(8).collect();
    Err(Error::unsupported(format!(
        "暂不支持 glTF {version} 版本，请导出为 glTF 2.0 后上传"
    )))
}

/// Name, extras, lights, cameras and variants.
fn rest(root: &Root, stage: &Staged, scene: &mut Scene) {
    if let Some(json) = stage.scene(root) {
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
