//! The check-up of a model: statistics, problems, score and advice.

mod edges;
mod geometry;
mod motion;
mod pictures;
mod problems;
mod report;
mod sealed;
mod tally;

pub use report::{AnimationRow, MaterialRow, Recommendation, Report, TextureRow, grouped};
pub use sealed::check_sealed;

use crate::progress::{Ctx, Stage};
use crate::scene::{self, Bounds, Problem, Severity, Statistics};
use crate::{Result, Scene};

/// The engine as its reports name it; the program puts its version behind it, as `modelkit --version` prints it.
fn engine() -> String {
    "modelkit".to_owned()
}

/// Longest list in a report; counts stay complete.
pub(crate) const LONGEST: usize = 200;

/// Report on a scene read from a file of `file_size` bytes.
pub fn check(scene: &Scene, file_size: u64, ctx: &Ctx) -> Result<Report> {
    ctx.report(Stage::Check, 0.0, "正在统计模型数据")?;
    let statistics = scene::statistics(scene);
    let bounds = scene.bounds();
    ctx.report(Stage::Check, 0.3, "正在检查几何")?;
    let problems = found(scene, &bounds, ctx)?;
    let recommendation = report::recommend(&statistics, file_size, &problems);
    let mut report = Report {
        engine: engine(),
        format: scene.format.clone(),
        file_size,
        main_file: scene.main_file.clone(),
        score: score(&statistics, &problems),
        model_num: scene.model_num.max(1),
        has_animation: !scene.animations.is_empty(),
        bounding_box: report::bounding_box(&bounds),
        units: scene.units.clone(),
        materials: report::materials(scene),
        textures: report::textures(scene),
        animations: report::animations(scene),
        problems,
        recommendation,
        statistics,
    };
    report.materials.truncate(LONGEST);
    report.textures.truncate(LONGEST);
    report.animations.truncate(LONGEST);
    report.problems.truncate(LONGEST);
    report::log(&report, ctx);
    ctx.report(Stage::Check, 1.0, "检查完成")?;
    Ok(report)
}

/// What the reader and the checks find, the most costly first.
pub(crate) fn found(scene: &Scene, bounds: &Bounds, ctx: &Ctx) -> Result<Vec<Problem>> {
    let mut problems = scene.problems.clone();
    problems.extend(problems::find(scene, bounds, ctx)?);
    let weight = |p: &Problem| (p.severity, (p.share() * 1e6) as u64);
    problems.sort_by_key(|p| std::cmp::Reverse(weight(p)));
    Ok(problems)
}

/// 100 for a light model without findings. Size costs up to 25 each for triangles and texture pixels and 15 for draw
/// calls; findings cost by severity and by the share of the model they affect, up to a limit of
/// their own ([`facts::Score`]).
fn score(s: &Statistics, problems: &[Problem]) -> u32 {
    let over = |value: f64, free: f64, most: f64| {
        // Ten times the free amount costs half of the maximum, a hundred times all of it.
        if value <= free {
            0.0
        } else {
            ((value / free).log10() / 2.0).min(1.0) * most
        }
    };
    let figures = facts::score();
    let weight = over(s.triangles as f64, figures.triangles, 25.0)
        + over(s.texture_pixels as f64, figures.texture_pixels, 25.0)
        + over(s.primitives as f64, figures.draws, 15.0);
    // Of several findings of one kind only the worst counts.
    let mut worst: std::collections::HashMap<&str, f64> = std::collections::HashMap::new();
    for problem in problems {
        let most = match problem.severity {
            Severity::Error => 20.0,
            Severity::Warning => 8.0,
            Severity::Info => 0.5,
        };
        let cost = most * (0.4 + 0.6 * (problem.share() * 5.0).min(1.0));
        let known = worst.entry(problem.code).or_default();
        *known = known.max(cost);
    }
    let faults: f64 = worst.values().sum();
    (100.0 - weight - f64::min(faults, figures.faults_most))
        .round()
        .clamp(0.0, 100.0) as u32
}
