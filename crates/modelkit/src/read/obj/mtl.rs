//! Converts MTL libraries to PBR materials.
//!
//! Classic statements and the PBR extension (`Pr Pm Pc Pcr map_Pr map_Pm norm`) are read; `Ns` becomes roughness
//! √(2/(Ns+2)) when no `Pr` is given.

use super::super::lost::Losses;
use super::super::maps::{self, Maps};
use super::super::names::fold;
use super::super::side::needed;
use super::super::{Format, Input, colour, encoding};
use super::lost::Loss;
use super::parts::Draft;
use super::statements::{Entry, parse};
use super::stem;
use crate::limits::Limits;
use crate::scene::{AlphaMode, MADE_UP, Material, Problem, Severity};
use crate::{Ctx, Result, Scene};
use serde_json::json;
use std::collections::HashMap;

/// Adds a material for every name the drafts use; returns name → index.
pub fn load(
    scene: &mut Scene,
    input: &Input,
    libraries: &[String],
    drafts: &[Draft],
    losses: &mut Losses<Loss>,
    ctx: &Ctx,
) -> Result<HashMap<String, u32>> {
    let entries = read_libraries(scene, input, libraries, drafts, ctx)?;
    let library = Library::new(&entries);
    let mut maps = Maps::new(input.side, &ctx.limits);
    let mut indices = HashMap::new();
    let mut unknown = Vec::new();
    for draft in drafts {
        if indices.contains_key(&draft.material) {
            continue;
        }
        Limits::check("材质", scene.materials.len(), ctx.limits.materials)?;
        let material = match library.find(&draft.material) {
            Some(entry) => {
                lose(losses, &draft.material, scene.materials.len(), entry);
                convert(scene, &draft.material, entry, &mut maps)?
            }
            None if draft.material.is_empty() => default_material(MADE_UP),
            None => {
                unknown.push(draft.material.clone());
                default_material(&draft.material)
            }
        };
        scene.materials.push(material);
        indices.insert(draft.material.clone(), scene.materials.len() as u32 - 1);
    }
    maps::prune_images(scene);
    // One missing library explains all its missing materials.
    if !unknown.is_empty() && !entries.is_empty() {
        let count = unknown.len();
        let names = unknown
            .iter()
            .take(5)
            .cloned()
            .collect::<Vec<_>>()
            .join("、");
        scene.note(Problem::new(
            "missing-material",
            Severity::Warning,
            format!("材质 {names}"),
            format!("{count} 个材质在材质库里找不到，已用默认材质代替"),
            "请核对 obj 里的 usemtl 与 mtl 里的 newmtl 名称是否一致；用到多个 mtl 文件的，请全部打包成 zip 再上传",
        ));
    }
    Ok(indices)
}

fn default_material(name: &str) -> Material {
    Material {
        roughness: 0.7,
        ..Material::plain(name, [0.8, 0.8, 0.8, 1.0])
    }
}

/// Materials by name, as written and for comparison.
struct Library<'a> {
    entries: &'a HashMap<String, Entry>,
    folded: HashMap<String, &'a Entry>,
}

impl<'a> Library<'a> {
    fn new(entries: &'a HashMap<String, Entry>) -> Self {
        let mut names: Vec<&String> = entries.keys().collect();
        names.sort_unstable();
        let mut folded = HashMap::new();
        for name in names {
            let entry = &entries[name];
            folded.entry(fold(name)).or_insert(entry);
            if let Some(name) = without_comment(name) {
                folded.entry(fold(name)).or_insert(entry);
            }
        }
        Self { entries, folded }
    }

    /// The material of a name, the exact one first. Both files decide their encoding by themselves, so the name may
    /// have been read differently; and it may be followed by a comment.
    fn find(&self, name: &str) -> Option<&'a Entry> {
        let get = |name: &str| self.entries.get(name);
        let alike = |name: &str| self.folded.get(&fold(name)).copied();
        let other = || {
            let mut others = encoding::regarbled(name);
            others.extend(without_comment(name).map(str::to_owned));
            others
                .iter()
                .find_map(|name| get(name).or_else(|| alike(name)))
        };
        get(name).or_else(|| alike(name)).or_else(other)
    }
}

/// A name before a comment in its line.
fn without_comment(name: &str) -> Option<&str> {
    let comment = name.split_once(" #").or_else(|| name.split_once("\t#"));
    comment.map(|(name, _)| name.trim_end())
}

/// Reads every referenced library, or the one beside the model with its name.
fn read_libraries(
    scene: &mut Scene,
    input: &Input,
    libraries: &[String],
    drafts: &[Draft],
    ctx: &Ctx,
) -> Result<HashMap<String, Entry>> {
    let mut entries = HashMap::new();
    let mut missing = Vec::new();
    let fallback = format!("{}.mtl", stem(input.name));
    for name in libraries {
        let why = match needed(input.side, name) {
            Ok(bytes) => {
                parse(&bytes, &mut entries, ctx)?;
                continue;
            }
            Err(why) => why,
        };
        // One statement may reference several files, and names may contain spaces.
        let mut found = false;
        for part in name.split_whitespace().filter(|part| *part != name) {
            if let Ok(bytes) = needed(input.side, part) {
                parse(&bytes, &mut entries, ctx)?;
                found = true;
            }
        }
        if !found {
            missing.push((name.clone(), why));
        }
    }
    let named = drafts.iter().any(|draft| !draft.material.is_empty());
    if entries.is_empty()
        && named
        && let Ok(bytes) = needed(input.side, &fallback)
    {
        parse(&bytes, &mut entries, ctx)?;
        missing.clear();
    }
    for map in entries
        .values_mut()
        .flat_map(|entry| entry.maps.values_mut())
    {
        *map = std::mem::take(map).settle(input.side);
    }
    for (name, why) in missing {
        let shown = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
        if !why.is_empty() {
            scene.note(Problem::new(
                "missing-material-library",
                Severity::Warning,
                "",
                format!("材质库 {shown} 无法使用：{why}。模型以默认材质显示"),
                "",
            ));
            continue;
        }
        scene.note(Problem::new(
            "missing-material-library",
            Severity::Warning,
            "",
            format!("找不到材质库 {shown}，模型以默认材质显示"),
            "把 mtl 文件和模型一起打包成 zip 再上传",
        ));
    }
    Ok(entries)
}

/// Emission; what is brighter than white has a strength of its own.
fn emit(material: &mut Material, ke: [f32; 3]) {
    let brightest = ke.into_iter().fold(1.0, f32::max);
    material.emissive = colour::linear(Format::Obj, ke.map(|c| c / brightest));
    if brightest > 1.0 {
        material.extensions.insert(
            "KHR_materials_emissive_strength".into(),
            json!({"emissiveStrength": brightest}),
        );
    }
}

/// Adds what a material loses to `losses`.
fn lose(losses: &mut Losses<Loss>, name: &str, number: usize, entry: &Entry) {
    let mut add = |loss, what: &str| losses.add(loss, ("材质", name, number), what);
    for (loss, what) in &entry.lost {
        add(*loss, what);
    }
    if entry.d.is_some_and(|d| d <= 0.0) {
        add(Loss::Clear, "");
    }
    let file = |slot: &str| entry.maps.get(slot).map(|map| fold(&map.file));
    if let (Some(color), Some(ambient)) = (file("color"), file("ambient"))
        && color != ambient
    {
        add(Loss::Map, "map_ka");
    }
    if let (Some(normal), Some(bump)) = (file("normal"), file("bump"))
        && normal != bump
    {
        add(Loss::BumpBesideNormal, "");
    }
}

fn convert(scene: &mut Scene, name: &str, entry: &Entry, maps: &mut Maps) -> Result<Material> {
    let mut material = default_material(name);
    let kd = entry.kd.map_or([0.8; 3], |kd| {
        colour::linear(Format::Obj, kd.map(|c| c.min(1.0)))
    });
    // Some exporters write full transparency but mean the opposite.
    let alpha = entry.d.map_or(1.0, |d| d.clamp(0.0, 1.0));
    let alpha = if alpha == 0.0 { 1.0 } else { alpha };
    material.base_color = [kd[0], kd[1], kd[2], alpha];
    if alpha < 1.0 {
        material.alpha_mode = AlphaMode::Blend;
    }
    if let Some(ns) = entry.ns {
        material.roughness = (2.0 / (ns.max(0.0) + 2.0)).sqrt();
    }
    material.roughness = entry.pr.unwrap_or(material.roughness).clamp(0.0, 1.0);
    material.metallic = entry.pm.unwrap_or(0.0).clamp(0.0, 1.0);
    emit(&mut material, entry.ke.unwrap_or([0.0; 3]));
    if let Some(coat) = entry.pc.filter(|coat| *coat > 0.0) {
        let roughness = entry.pcr.unwrap_or(0.0).clamp(0.0, 1.0);
        material.extensions.insert(
            "KHR_materials_clearcoat".into(),
            json!({"clearcoatFactor": coat.min(1.0), "clearcoatRoughnessFactor": roughness}),
        );
    }

    let slot = |name: &str| entry.maps.get(name);
    let color = slot("color").or(slot("ambient"));
    maps.base_color(scene, &mut material, color, slot("opacity"))?;
    if material.base_color_texture.is_some() && (kd == [0.0; 3] || entry.kd.is_none()) {
        // Black would hide the texture; exporters mean white.
        material.base_color = [1.0, 1.0, 1.0, alpha];
    }
    maps.metallic_roughness(scene, &mut material, slot("metallic"), slot("roughness"))?;
    maps.normal(scene, &mut material, slot("normal"), slot("bump"))?;
    if let Some(map) = slot("emissive") {
        material.emissive_texture = maps.texture(scene, name, map)?;
        if material.emissive_texture.is_some() && material.emissive == [0.0; 3] {
            material.emissive = [1.0; 3];
        }
    }
    Ok(material)
}
