//! Converts MTL libraries to PBR materials.
//!
//! Classic statements and the PBR extension (`Pr Pm map_Pr map_Pm norm`) are read; `Ns` becomes roughness √(2/(Ns+2))
//! when no `Pr` is given.

use super::super::encoding::{self, Encoding};
use super::super::maps::{self, Map, Maps};
use super::super::names::{fold, unquoted};
use super::super::{Format, Input, colour, text};
use super::lines;
use super::parts::Draft;
use super::stem;
use crate::limits::Limits;
use crate::scene::{AlphaMode, CLAMP, Material, Problem, REPEAT, Severity};
use crate::{Ctx, Result, Scene};
use std::collections::HashMap;

/// One `newmtl`.
#[derive(Debug, Default)]
pub struct Entry {
    kd: Option<[f32; 3]>,
    ke: Option<[f32; 3]>,
    ns: Option<f32>,
    d: Option<f32>,
    pr: Option<f32>,
    pm: Option<f32>,
    maps: HashMap<&'static str, Map>,
}

/// Adds a material for every name the drafts use; returns name → index.
pub fn load(
    scene: &mut Scene,
    input: &Input,
    libraries: &[String],
    drafts: &[Draft],
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
            Some(entry) => convert(scene, &draft.material, entry, &mut maps)?,
            None if draft.material.is_empty() => default_material("默认材质"),
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
        if let Some(bytes) = input.side.find(name) {
            parse(&bytes, &mut entries, ctx)?;
            continue;
        }
        // One statement may reference several files, and names may contain spaces.
        let mut found = false;
        for part in name.split_whitespace().filter(|part| *part != name) {
            if let Some(bytes) = input.side.find(part) {
                parse(&bytes, &mut entries, ctx)?;
                found = true;
            }
        }
        if !found {
            missing.push(name.clone());
        }
    }
    let named = drafts.iter().any(|draft| !draft.material.is_empty());
    if entries.is_empty()
        && named
        && let Some(bytes) = input.side.find(&fallback)
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
    for name in missing {
        let shown = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
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

/// Reads a library; the first definition of a name wins.
fn parse(bytes: &[u8], entries: &mut HashMap<String, Entry>, ctx: &Ctx) -> Result<()> {
    let decoded = encoding::text(bytes);
    let mut left = decoded.as_bytes();
    let mut name = String::new();
    let mut entry = Entry::default();
    while !left.is_empty() {
        let line = lines::next(&mut left, &ctx.limits)?;
        let mut rest = &line[..];
        let Some(keyword) = text::token(&mut rest) else {
            continue;
        };
        let keyword = String::from_utf8_lossy(keyword).to_ascii_lowercase();
        if keyword == "newmtl" {
            keep(entries, &name, entry);
            Limits::check("材质", entries.len() / 2, ctx.limits.materials)?;
            name = Encoding::UTF8.name(rest);
            entry = Entry::default();
        } else {
            statement(&mut entry, &keyword, rest);
        }
    }
    keep(entries, &name, entry);
    Ok(())
}

fn keep(entries: &mut HashMap<String, Entry>, name: &str, entry: Entry) {
    if !name.is_empty() {
        entries.entry(name.to_owned()).or_insert(entry);
    }
}

fn statement(entry: &mut Entry, keyword: &str, mut rest: &[u8]) {
    let slot = match keyword {
        "kd" => {
            entry.kd = color(rest);
            return;
        }
        "ke" => {
            entry.ke = color(rest);
            return;
        }
        "ns" => {
            entry.ns = finite(&mut rest);
            return;
        }
        "d" => {
            entry.d = finite(&mut rest);
            return;
        }
        "tr" => {
            entry.d = entry.d.or_else(|| finite(&mut rest).map(|tr| 1.0 - tr));
            return;
        }
        "pr" => {
            entry.pr = finite(&mut rest);
            return;
        }
        "pm" => {
            entry.pm = finite(&mut rest);
            return;
        }
        "map_kd" => "color",
        "map_ka" => "ambient",
        "map_bump" | "bump" => "bump",
        "norm" | "map_kn" | "map_norm" => "normal",
        "map_d" | "map_opacity" => "opacity",
        "map_ke" | "map_emissive" => "emissive",
        "map_pr" => "roughness",
        "map_pm" => "metallic",
        _ => return,
    };
    if let Some(map) = map(rest) {
        entry.maps.entry(slot).or_insert(map);
    }
}

fn finite(rest: &mut &[u8]) -> Option<f32> {
    text::number(rest).filter(|value| value.is_finite())
}

/// `r g b`, or one number for all three; `spectral` and `xyz` are not supported.
fn color(mut rest: &[u8]) -> Option<[f32; 3]> {
    let r = finite(&mut rest)?;
    let g = finite(&mut rest).unwrap_or(r);
    let b = finite(&mut rest).unwrap_or(g);
    Some([r, g, b].map(|c| c.clamp(0.0, 1.0)))
}

/// Options and a file name, which may contain spaces. By the specification options precede the name; exporters and
/// people write them after it too, and comments.
pub fn map(mut rest: &[u8]) -> Option<Map> {
    let mut map = Map::default();
    while let Some(after) = option(&mut map, rest) {
        rest = after;
    }
    let whole = Map {
        file: file(rest),
        ..map.clone()
    };
    for at in starts(rest).filter(|at| *at > 0) {
        let mut map = map.clone();
        let mut tail = &rest[at..];
        while let Some(after) = option(&mut map, tail) {
            tail = after;
        }
        let is_comment = text::trim(tail).starts_with(b"#");
        if is_comment || text::trim(tail).is_empty() {
            map.file = file(&rest[..at]);
            map.whole = Some(Box::new(whole));
            return Some(map).filter(|map| !map.file.is_empty());
        }
    }
    Some(whole).filter(|map| !map.file.is_empty())
}

/// The starts of words that may end a name: options and comments.
fn starts(rest: &[u8]) -> impl Iterator<Item = usize> {
    let is_start = |at: &usize| *at == 0 || text::is_blank(rest[at - 1]);
    (0..rest.len()).filter(move |at| is_start(at) && matches!(rest[*at], b'-' | b'#'))
}

fn file(name: &[u8]) -> String {
    unquoted(&Encoding::UTF8.name(name)).to_owned()
}

/// Takes an option with its arguments off the front; returns what follows, `None` if there is none.
fn option<'a>(map: &mut Map, mut rest: &'a [u8]) -> Option<&'a [u8]> {
    let word = text::token(&mut rest)?;
    match word.to_ascii_lowercase().as_slice() {
        b"-o" => map.offset = pair(&mut rest, 0.0),
        b"-s" => map.scale = pair(&mut rest, 1.0),
        b"-t" => {
            pair(&mut rest, 0.0);
        }
        b"-bm" => map.bump = finite(&mut rest).unwrap_or(1.0),
        b"-clamp" => {
            let on = text::token(&mut rest)?.eq_ignore_ascii_case(b"on");
            map.wrap = [if on { CLAMP } else { REPEAT }; 2];
        }
        b"-mm" => {
            text::token(&mut rest);
            text::token(&mut rest);
        }
        b"-blendu" | b"-blendv" | b"-boost" | b"-cc" | b"-texres" | b"-imfchan" | b"-type" => {
            text::token(&mut rest);
        }
        _ => return None,
    }
    Some(rest)
}

/// Two of up to three numbers; the third is for solid textures.
fn pair(rest: &mut &[u8], default: f32) -> [f32; 2] {
    let mut values = [default; 3];
    for value in &mut values {
        let mut after = *rest;
        let Some(number) = finite(&mut after) else {
            break;
        };
        *value = number;
        *rest = after;
    }
    [values[0], values[1]]
}

fn convert(scene: &mut Scene, name: &str, entry: &Entry, maps: &mut Maps) -> Result<Material> {
    let mut material = default_material(name);
    let kd = entry
        .kd
        .map_or([0.8; 3], |kd| colour::linear(Format::Obj, kd));
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
    material.emissive = colour::linear(Format::Obj, entry.ke.unwrap_or([0.0; 3]));

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
