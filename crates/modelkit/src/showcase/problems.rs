//! What the check-up finds, as it may be told to buyers: neither places nor names. Names are the maker's words, unread by
//! anybody, and where a fault is helps only the maker.

use crate::check;
use crate::progress::Ctx;
use crate::scene::Problem;
use crate::{Result, Scene};
use serde_json::{Value, json};

/// Findings whose sentence has names in the middle, in words without them.
const UNNAMED: [(&str, &str); 8] = [
    ("bad-texture", "有贴图已损坏或格式不支持"),
    (
        "default-scene-empty",
        "默认场景里没有网格，已改为显示其他内容",
    ),
    ("missing-material-library", "材质库缺失，模型以默认材质显示"),
    ("missing-texture", "有贴图缺失"),
    ("several-metadata", "有多个 metadata.xml"),
    ("unreadable-texture", "有贴图无法使用"),
    ("unsupported-extension", "有扩展数据不受支持，未保留"),
    ("uv-transform-skipped", "有贴图的旋转平铺未保留"),
];

/// The findings, the most costly first.
pub fn of(scene: &Scene, ctx: &Ctx) -> Result<Vec<Value>> {
    let found = check::found(scene, &scene.bounds(), ctx)?;
    Ok(found.iter().take(check::LONGEST).map(told).collect())
}

fn told(problem: &Problem) -> Value {
    let mut out = json!({
        "code": problem.code,
        "severity": problem.severity,
        "message": message(problem),
    });
    // As in the report: what cannot be counted has no number.
    for (name, number) in [("count", problem.count), ("of", problem.total)] {
        if number > 0 {
            out[name] = number.into();
        }
    }
    out
}

/// The finding's sentence without what it lists: names stand after a colon.
fn message(problem: &Problem) -> &str {
    let general = UNNAMED.iter().find(|(code, _)| *code == problem.code);
    let cut = || problem.message.split('：').next().unwrap_or_default();
    general.map_or_else(cut, |(_, text)| text)
}
