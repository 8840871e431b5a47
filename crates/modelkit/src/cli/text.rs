//! Results as text for users.

use crate::check::{Report, grouped};
use crate::scene::{Problem, Severity};
use serde_json::Value;

pub fn report(r: &Report) -> String {
    let s = &r.statistics;
    let mut out = format!(
        "{}（{}）  评分 {}\n",
        r.main_file,
        r.format.to_uppercase(),
        r.score
    );
    out += &format!(
        "  节点 {}  网格 {}  绘制单元 {}  三角形 {}  顶点 {}\n",
        s.nodes,
        s.meshes,
        s.primitives,
        grouped(s.triangles),
        grouped(s.vertices)
    );
    if s.lines + s.points > 0 {
        out += &format!("  线段 {}  点 {}\n", grouped(s.lines), grouped(s.points));
    }
    out += &format!(
        "  材质 {}  贴图 {}（{} 字节）\n",
        s.materials,
        s.textures,
        grouped(s.texture_bytes as usize)
    );
    out += &format!(
        "  骨骼 {}  变形目标 {}  动画 {}（{} 秒）\n",
        s.skins, s.morph_targets, s.animations, s.animation_seconds
    );
    let [x, y, z] = r.bounding_box.size;
    out += &format!(
        "  尺寸 {x} × {y} × {z} 米  单位 {}  向上轴 {}\n",
        r.units.title(),
        r.units.up_axis
    );
    out += &problems(&r.problems);
    out += &format!("  建议：{}", r.recommendation.text);
    out
}

pub fn problems(list: &[Problem]) -> String {
    let mut out = String::new();
    for p in list {
        let level = match p.severity {
            Severity::Error => "错误",
            Severity::Warning => "注意",
            Severity::Info => "提示",
        };
        let place = if p.place.is_empty() {
            String::new()
        } else {
            format!("[{}] ", p.place)
        };
        out += &format!("  {level}:{place}{}\n", p.message);
        if !p.advice.is_empty() {
            out += &format!("       {}\n", p.advice);
        }
    }
    out
}

/// Input and output of a conversion side by side.
pub fn change(result: &Value, list: &[Problem]) -> String {
    let mut out = String::new();
    for (name, field) in [
        ("字节", "bytes"),
        ("三角形", "triangles"),
        ("顶点", "vertices"),
        ("贴图字节", "textureBytes"),
    ] {
        let number = |side: &str| grouped(result[side][field].as_u64().unwrap_or(0) as usize);
        out += &format!("  {name} {} → {}\n", number("input"), number("output"));
    }
    if let Some(ratio) = result["ratio"].as_f64() {
        let reached = if result["reached"].as_bool() == Some(true) {
            "已达到目标"
        } else {
            "未达到目标"
        };
        let error = result["error"].as_f64().unwrap_or(0.0);
        out += &format!(
            "  保留比例 {:.2}%  误差 {:.4}%  {reached}\n",
            ratio * 100.0,
            error * 100.0
        );
    } else if let Some(error) = result["error"].as_f64().filter(|error| *error > 0.0) {
        out += &format!(
            "  坐标取整的误差不超过 {:.4}%（相对于对角线）\n",
            error * 100.0
        );
    }
    out += &problems(list);
    out.trim_end().to_owned()
}
