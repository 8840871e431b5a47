//! The subcommand `lighten`.

use super::done::{Done, figures, file_size, to_json, written_figures, written_size};
use super::growth::{Made, Source};
use super::text;
use crate::lighten::{self, Outcome, Target};
use crate::progress::Ctx;
use crate::scene::{Problem, Severity};
use crate::write::{self, OutFormat};
use crate::{Result, Scene, open};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

pub fn run(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    options: &lighten::Options,
    write_options: &write::Options,
    ctx: &Ctx,
) -> Result<Done> {
    let start = Instant::now();
    let format = OutFormat::of(output)?;
    let mut scene = open::read_path(input, name, &ctx.part(0.0, 0.3))?;
    let before = figures(&scene, file_size(input)?);
    let source = Source::of(&scene, input)?;
    let measure = |scene: &Scene| -> Result<u64> {
        let quiet = Ctx::new(&crate::Silent);
        write::write(scene, output, format, write_options, &quiet)?;
        written_size(output, format)
    };
    let target_within = match options.target {
        Target::Error(error) => within(error, write::rounding(&scene, format, write_options)),
        other => other,
    };
    let within = lighten::Options {
        target: target_within,
        ..options.clone()
    };
    let mut outcome = lighten::lighten(&mut scene, &within, &measure, &ctx.part(0.3, 0.9))?;
    let written = write::write(&scene, output, format, write_options, &ctx.part(0.9, 1.0))?;
    add_rounding(&mut outcome, options.target, written.error(&scene));
    let mut problems = outcome.problems;
    problems.extend(written.problems);
    let written = written_figures(&scene, output, format)?;
    let made = Made::Lightened(write_options.compression, format);
    problems.extend(source.growth_of(&made, &written));
    let json = json!({
        "input": before,
        "output": written,
        "target": target(options.target),
        "reached": outcome.reached,
        "ratio": outcome.ratio,
        "error": outcome.error,
        "seconds": (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
        "problems": to_json(&problems)?,
    });
    let text = text::change(&json, &problems);
    Ok(Done { json, text })
}

fn target(target: Target) -> Value {
    let (kind, value) = match target {
        Target::Ratio(v) => ("ratio", json!(v)),
        Target::Triangles(v) => ("triangles", json!(v)),
        Target::SizeMb(v) => ("size-mb", json!(v)),
        Target::Error(v) => ("error", json!(v)),
    };
    json!({"kind": kind, "value": value})
}

/// An error that leaves room for the rounding of positions; at least half of it.
fn within(error: f64, rounding: f64) -> Target {
    Target::Error((error - rounding).max(error / 2.0))
}

/// The error told is that of the file, whose positions are rounded.
fn add_rounding(outcome: &mut Outcome, target: Target, rounding: f64) {
    outcome.error += rounding;
    let Target::Error(wanted) = target else {
        return;
    };
    outcome.reached = outcome.error <= wanted * 1.001;
    if !outcome.reached {
        outcome.problems.push(Problem::new(
            "target-not-reached",
            Severity::Warning,
            "",
            format!(
                "目标误差 {:.4}%，实际误差 {:.4}%，其中坐标取整占 {:.4}%",
                wanted * 100.0,
                outcome.error * 100.0,
                rounding * 100.0
            ),
            "压缩会把坐标取整；需要更小的误差时请加 --plain 输出未压缩的文件",
        ));
    }
}
