//! Every place of the glTF schema that may hold extensions: which of them a file gets told about.

use super::super::seen::{Seen, shown};
use super::extensions::{Extension, Treatment};
use super::json::{Extensions, Root, TextureInfo};
use crate::scene::{Problem, Scene, Severity};
use crate::{Error, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// Most names of extensions that are told apart.
const MOST: usize = 1000;
/// Findings about extensions of one file; the rest is summed up.
const MOST_TOLD: usize = 20;

/// Refuses a file that requires what is not on the list, and tells what is lost of the extensions it uses.
pub fn check(root: &Root, scene: &mut Scene) -> Result<()> {
    let required = &root.extensions_required;
    let unknown: Vec<String> = required
        .iter()
        .filter(|name| Extension::named(name).is_none())
        .take(3)
        .map(|name| shown(name))
        .collect();
    if !unknown.is_empty() {
        return Err(Error::unsupported(format!(
            "文件声明必须支持扩展 {} 才能正确显示，目前不支持；请在导出时关闭该扩展，或换用其他格式后上传",
            unknown.join("、")
        )));
    }
    let mut found = lost(root, Extension::is_honoured_on);
    for name in root.extensions_used.iter().chain(required) {
        if !Extension::is_honoured(name) && found.len() < MOST {
            found.entry(name.clone()).or_default();
        }
    }
    let rest = found.len().saturating_sub(MOST_TOLD);
    for (name, seen) in found.iter().take(MOST_TOLD) {
        scene.note(finding(name, seen, required.contains(name)));
    }
    if rest > 0 {
        let text = format!("另有 {rest} 个扩展不受支持，相关数据未保留");
        let advice = "请在导出时关闭不需要的扩展";
        let info = Severity::Info;
        scene.note(Problem::new(
            "unsupported-extension",
            info,
            "",
            text,
            advice,
        ));
    }
    Ok(())
}

fn finding(name: &str, seen: &Seen, required: bool) -> Problem {
    let shown_name = shown(name);
    let (text, advice) = match Extension::named(name).map(Extension::treatment) {
        Some(Treatment::Lost(what, advice)) => (format!("{what}（扩展 {shown_name}）"), advice),
        Some(Treatment::Applied | Treatment::Kept) => (
            format!("扩展 {shown_name} 写在它不起作用的对象上，该处数据未保留"),
            "请在建模软件中检查导出设置后重新导出",
        ),
        None => (
            format!("扩展 {shown_name} 不受支持，相关数据未保留"),
            "如显示效果有差异，请在导出时关闭该扩展",
        ),
    };
    let severity = match required {
        true => Severity::Warning,
        false => Severity::Info,
    };
    let place = seen.place();
    Problem::new("unsupported-extension", severity, place, text, advice)
}

/// Extensions with data in the file that are not `honoured`, by name.
fn lost(root: &Root, honoured: fn(&str, &str) -> bool) -> BTreeMap<String, Seen> {
    let mut found: BTreeMap<String, Seen> = BTreeMap::new();
    each(root, &mut |kind, name, number, extension| {
        if honoured(extension, kind) || (found.len() >= MOST && !found.contains_key(extension)) {
            return;
        }
        let seen = found.entry(extension.to_owned()).or_default();
        match kind {
            "" => seen.count += 1,
            kind => seen.add(kind, name, number),
        }
    });
    found
}

/// Kind, name and number of an object, and the name of an extension in it.
type See<'a> = dyn FnMut(&'static str, &str, usize, &str) + 'a;

fn each(root: &Root, see: &mut See) {
    for extensions in [&root.extensions, &root.asset.extensions] {
        own(extensions, &mut |name| see("", "", 0, name));
    }
    surfaces(root, see);
    geometry(root, see);
    for (i, scene) in root.scenes.iter().enumerate() {
        own(&scene.extensions, &mut |e| see("场景", &scene.name, i, e));
    }
    for (i, node) in root.nodes.iter().enumerate() {
        own(&node.extensions, &mut |e| see("节点", &node.name, i, e));
    }
    for (i, skin) in root.skins.iter().enumerate() {
        own(&skin.extensions, &mut |e| see("骨架", &skin.name, i, e));
    }
    for (i, camera) in root.cameras.iter().enumerate() {
        let name = camera.get("name").and_then(Value::as_str).unwrap_or("");
        nested(camera, &mut |e| see("相机", name, i, e));
    }
    for (i, clip) in root.animations.iter().enumerate() {
        let mut at = |e: &str| see("动画", &clip.name, i, e);
        own(&clip.extensions, &mut at);
        for sampler in &clip.samplers {
            own(&sampler.extensions, &mut at);
        }
        for channel in &clip.channels {
            own(&channel.extensions, &mut at);
            own(&channel.target.extensions, &mut at);
        }
    }
}

/// Materials, textures, images and samplers.
fn surfaces(root: &Root, see: &mut See) {
    for (i, material) in root.materials.iter().enumerate() {
        let mut at = |e: &str| see("材质", &material.name, i, e);
        own(&material.extensions, &mut at);
        own(&material.pbr_metallic_roughness.extensions, &mut at);
        let slots = material.slots().into_iter().flatten();
        slots.for_each(|slot: &TextureInfo| own(&slot.extensions, &mut at));
    }
    for (i, texture) in root.textures.iter().enumerate() {
        own(&texture.extensions, &mut |e| {
            see("贴图", &texture.name, i, e)
        });
    }
    for (i, image) in root.images.iter().enumerate() {
        own(&image.extensions, &mut |e| see("图片", &image.name, i, e));
    }
    for (i, sampler) in root.samplers.iter().enumerate() {
        own(&sampler.extensions, &mut |e| see("采样器", "", i, e));
    }
}

/// Meshes and what their numbers lie in.
fn geometry(root: &Root, see: &mut See) {
    for (i, mesh) in root.meshes.iter().enumerate() {
        let mut at = |e: &str| see("网格", &mesh.name, i, e);
        own(&mesh.extensions, &mut at);
        for primitive in &mesh.primitives {
            own(&primitive.extensions, &mut at);
        }
    }
    for (i, accessor) in root.accessors.iter().enumerate() {
        own(&accessor.extensions, &mut |e| see("访问器", "", i, e));
    }
    for (i, view) in root.buffer_views.iter().enumerate() {
        own(&view.extensions, &mut |e| see("数据区间", "", i, e));
    }
    for (i, buffer) in root.buffers.iter().enumerate() {
        own(&buffer.extensions, &mut |e| see("数据块", "", i, e));
    }
}

/// The extensions of an object, and those inside their data.
fn own(extensions: &Extensions, see: &mut dyn FnMut(&str)) {
    for (name, value) in extensions.iter() {
        see(name);
        nested(value, see);
    }
}

/// The extensions inside raw JSON, which serde_json has limited in depth.
fn nested(value: &Value, see: &mut dyn FnMut(&str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| nested(item, see)),
        Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| *name != "extras") {
                if name == "extensions"
                    && let Value::Object(inner) = field
                {
                    inner.keys().for_each(|name| see(name));
                }
                nested(field, see);
            }
        }
        _ => {}
    }
}
