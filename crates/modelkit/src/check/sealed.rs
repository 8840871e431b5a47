//! The report on a file whose geometry is proprietary: its metadata only.

use super::report::{self, Recommendation, Report};
use crate::progress::Ctx;
use crate::read::sealed::Sealed;
use crate::scene::{self, Problem, Scene, Severity};

/// Report on a file of `file_size` bytes, named `name` by its owner.
pub fn check_sealed(sealed: &Sealed, name: &str, file_size: u64, ctx: &Ctx) -> Report {
    let format = sealed.format;
    ctx.info(&format!(
        "识别为 {} 格式，文件大小 {}",
        format.title(),
        report::size_text(file_size)
    ));
    ctx.info(&format!("版本：{}", sealed.version));
    for (what, value) in &sealed.facts {
        ctx.info(&format!("{what}：{value}"));
    }
    if sealed.picture.is_some() {
        ctx.info("文件自带预览图，已用作缩略图");
    }
    ctx.warn(&sealed.reason());
    ctx.info(sealed.advice());
    let empty = Scene::default();
    Report {
        engine: super::engine(),
        format: format.name().to_owned(),
        file_size,
        main_file: name.to_owned(),
        score: 0,
        model_num: 1,
        has_animation: false,
        statistics: scene::statistics(&empty),
        bounding_box: report::bounding_box(&empty.bounds()),
        units: scene::Units {
            source: "unknown".into(),
            ..scene::Units::default()
        },
        materials: Vec::new(),
        textures: Vec::new(),
        animations: Vec::new(),
        problems: problems(sealed),
        recommendation: Recommendation {
            text: sealed.advice().to_owned(),
            lightweight: false,
            ratio: 1.0,
        },
    }
}

fn problems(sealed: &Sealed) -> Vec<Problem> {
    let closed = Problem::new(
        "geometry-closed",
        Severity::Error,
        "",
        sealed.reason(),
        sealed.advice(),
    );
    let fact = |(what, value): &(&'static str, String)| {
        Problem::new("file-fact", Severity::Info, *what, value.clone(), "")
    };
    let mut problems = vec![closed];
    problems.extend(sealed.facts.iter().map(fact));
    problems
}
