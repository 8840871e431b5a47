//! The report's lines and their wording.

use crate::progress::Ctx;
use crate::scene::{Bounds, Problem, Scene, Severity, Statistics, Units};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub engine: String,
    pub format: String,
    pub file_size: u64,
    pub main_file: String,
    /// 0…100.
    pub score: u32,
    pub model_num: u32,
    pub has_animation: bool,
    pub statistics: Statistics,
    /// Metres, Y up.
    pub bounding_box: BoundingBox,
    pub units: Units,
    pub materials: Vec<MaterialRow>,
    pub textures: Vec<TextureRow>,
    pub animations: Vec<AnimationRow>,
    pub problems: Vec<Problem>,
    pub recommendation: Recommendation,
}

#[derive(Debug, Clone, Serialize)]
pub struct BoundingBox {
    pub min: [f64; 3],
    pub max: [f64; 3],
    pub size: [f64; 3],
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MaterialRow {
    pub name: String,
    pub base_color: [f64; 4],
    pub metallic: f64,
    pub roughness: f64,
    pub alpha_mode: &'static str,
    pub double_sided: bool,
    pub textures: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TextureRow {
    pub name: String,
    pub width: u32,
    pub height: u32,
    pub mime_type: &'static str,
    pub bytes: usize,
    pub uses: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct AnimationRow {
    pub name: String,
    pub seconds: f64,
    pub channels: usize,
}

#[derive(Debug, Clone, Serialize)]
pub struct Recommendation {
    pub text: String,
    pub lightweight: bool,
    /// Recommended share of triangles to keep, 0…1.
    pub ratio: f64,
}

/// Six significant digits are plenty for metres in a report.
fn tidy(v: f64) -> f64 {
    (v * 1e6).round() / 1e6
}

pub fn bounding_box(bounds: &Bounds) -> BoundingBox {
    if bounds.is_empty() {
        return BoundingBox {
            min: [0.0; 3],
            max: [0.0; 3],
            size: [0.0; 3],
        };
    }
    BoundingBox {
        min: bounds.min.map(tidy),
        max: bounds.max.map(tidy),
        size: bounds.size().map(tidy),
    }
}

pub fn materials(scene: &Scene) -> Vec<MaterialRow> {
    let row = |m: &crate::scene::Material| MaterialRow {
        name: m.name.clone(),
        base_color: m.base_color.map(|v| tidy(f64::from(v))),
        metallic: tidy(f64::from(m.metallic)),
        roughness: tidy(f64::from(m.roughness)),
        alpha_mode: m.alpha_mode.gltf_name(),
        double_sided: m.double_sided,
        textures: m.texture_uses().into_iter().map(|(name, _)| name).collect(),
    };
    scene
        .materials
        .iter()
        .take(super::LONGEST)
        .map(row)
        .collect()
}

pub fn textures(scene: &Scene) -> Vec<TextureRow> {
    let mut uses: Vec<BTreeSet<String>> = vec![BTreeSet::new(); scene.images.len()];
    for material in &scene.materials {
        for (name, texture) in material.texture_uses() {
            let image = scene
                .textures
                .get(texture as usize)
                .map(|t| t.image as usize);
            if let Some(set) = image.and_then(|i| uses.get_mut(i)) {
                set.insert(name);
            }
        }
    }
    let rows = scene.images.iter().zip(uses).enumerate();
    rows.map(|(i, (image, uses))| TextureRow {
        name: if image.name.is_empty() {
            format!("贴图 {}", i + 1)
        } else {
            image.name.clone()
        },
        width: image.width,
        height: image.height,
        mime_type: image.mime,
        bytes: image.bytes.len(),
        uses: uses.into_iter().collect(),
    })
    .collect()
}

pub fn animations(scene: &Scene) -> Vec<AnimationRow> {
    let row = |a: &crate::scene::Animation| AnimationRow {
        name: a.name.clone(),
        seconds: tidy(f64::from(a.seconds())),
        channels: a.channels.len(),
    };
    scene.animations.iter().map(row).collect()
}

/// Triangles a browser on an ordinary laptop or phone renders smoothly.
const COMFORTABLE: f64 = 200_000.0;

pub fn recommend(s: &Statistics, file_size: u64, problems: &[Problem]) -> Recommendation {
    let triangles = s.triangles as f64;
    if triangles > COMFORTABLE {
        let ratio = (COMFORTABLE / triangles).max(0.02);
        let ratio = (ratio * 100.0).ceil() / 100.0;
        let text = format!(
            "模型有 {} 个三角形，建议轻量化到 {}%（约 {} 个），网页和手机上会更流畅",
            grouped(s.triangles),
            (ratio * 100.0).round(),
            grouped((triangles * ratio) as usize)
        );
        return Recommendation {
            text,
            lightweight: true,
            ratio,
        };
    }
    if s.texture_pixels > 4 * 4096 * 4096 {
        let text = format!(
            "贴图共 {}，建议轻量化并把贴图限制在 2048 以内，可明显减少显存占用",
            pixel_text(s.texture_pixels)
        );
        return Recommendation {
            text,
            lightweight: true,
            ratio: 1.0,
        };
    }
    if file_size > 50 << 20 {
        let text = format!(
            "文件有 {} MB，建议轻量化以压缩体积，加快网页加载",
            file_size >> 20
        );
        return Recommendation {
            text,
            lightweight: true,
            ratio: 1.0,
        };
    }
    let acted = problems
        .iter()
        .filter(|p| p.severity != Severity::Info)
        .count();
    let text = match acted {
        0 => "模型规模适中，可以直接在网页中使用".to_owned(),
        count => format!("模型规模适中；有 {count} 项需要注意的问题，建议先按体检报告修改再使用"),
    };
    Recommendation {
        text,
        lightweight: false,
        ratio: 1.0,
    }
}

/// `1443212` → `1,443,212`.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Pixels formatted for users.
fn pixel_text(pixels: u64) -> String {
    match pixels {
        0..10_000 => format!("{} 像素", grouped(pixels as usize)),
        _ => format!("{} 万像素", grouped((pixels as usize + 5_000) / 10_000)),
    }
}

/// Bytes formatted for users.
pub fn size_text(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MB", bytes as f64 / 1_048_576.0),
    }
}

/// Findings listed individually in the log; the report lists all.
const LOGGED: usize = 6;

/// The log lines shown during a check.
pub fn log(r: &Report, ctx: &Ctx) {
    let s = &r.statistics;
    ctx.info(&format!(
        "识别为 {} 格式，文件大小 {}",
        r.format.to_uppercase(),
        size_text(r.file_size)
    ));
    if r.main_file.contains('/') {
        ctx.info(&format!("压缩包内的主文件：{}", r.main_file));
    }
    ctx.info(&format!(
        "节点 {} 个，网格 {} 个，绘制单元 {} 个",
        grouped(s.nodes),
        grouped(s.meshes),
        grouped(s.primitives)
    ));
    ctx.info(&format!(
        "三角形 {} 个，顶点 {} 个",
        grouped(s.triangles),
        grouped(s.vertices)
    ));
    if s.lines + s.points > 0 {
        ctx.info(&format!(
            "线段 {} 条，点 {} 个",
            grouped(s.lines),
            grouped(s.points)
        ));
    }
    ctx.info(&format!("材质 {} 个", grouped(s.materials)));
    if s.textures > 0 {
        ctx.info(&format!(
            "贴图 {} 张，共 {}，{}",
            s.textures,
            pixel_text(s.texture_pixels),
            size_text(s.texture_bytes)
        ));
    } else {
        ctx.info("没有贴图");
    }
    if s.skins + s.morph_targets > 0 {
        ctx.info(&format!(
            "骨骼绑定 {} 套，变形目标 {} 个",
            s.skins, s.morph_targets
        ));
    }
    if s.animations > 0 {
        ctx.info(&format!(
            "动画 {} 段，共 {:.1} 秒",
            s.animations, s.animation_seconds
        ));
    } else {
        ctx.info("没有动画");
    }
    let [x, y, z] = r.bounding_box.size;
    ctx.info(&format!(
        "尺寸 {} × {} × {}（长 × 高 × 宽）",
        metres(x),
        metres(y),
        metres(z)
    ));
    ctx.info(&format!(
        "单位 {}，向上轴 {}，已统一为米、Y 轴向上",
        r.units.title(),
        r.units.up_axis
    ));
    let acted: Vec<&Problem> = r
        .problems
        .iter()
        .filter(|p| p.severity != Severity::Info)
        .collect();
    for problem in acted.iter().take(LOGGED) {
        let place = match problem.place.as_str() {
            "" => String::new(),
            place => format!("（{place}）"),
        };
        ctx.warn(&format!("{}{place}", problem.message));
    }
    if acted.len() > LOGGED {
        let more = acted.len() - LOGGED;
        ctx.warn(&format!("另有 {more} 项需要注意，见体检报告"));
    }
    ctx.info(&format!(
        "发现问题 {} 项，综合评分 {} 分",
        r.problems.len(),
        r.score
    ));
    ctx.info(&r.recommendation.text);
}

pub fn metres(v: f64) -> String {
    match v {
        v if v >= 1000.0 => format!("{:.2} 千米", v / 1000.0),
        v if v >= 1.0 => format!("{v:.2} 米"),
        v if v >= 0.01 => format!("{:.1} 厘米", v * 100.0),
        v if v >= 1e-5 || v == 0.0 => format!("{:.2} 毫米", v * 1000.0),
        v => format!("{:.3} 微米", v * 1e6),
    }
}
