//! The subcommands.

use super::Build;
use super::args::{Cli, Command, PackageArgs, TargetArgs, TextureKind};
use super::check::{self, Outputs};
use super::done::{Done, figures, file_size, to_json, written_figures};
use super::growth::{Made, Source};
use super::listener::Listener;
use super::text;
use crate::lighten::{self, Target, TextureFormat};
use crate::progress::Ctx;
use crate::sample::family::{self, FAMILIES};
use crate::write::{self, Compression, OutFormat};
use crate::{Error, Result, open, sample};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(cli: &Cli, build: Build) -> Result<Done> {
    let listener = Listener::new(cli.common.progress);
    let mut ctx = Ctx::new(&listener);
    if let Some(seconds) = cli.common.max_unpack_seconds {
        ctx.limits.archive_seconds = seconds;
    }
    let name = cli.common.name.as_deref();
    match &cli.command {
        Command::Info { input } => check::run(input, name, build, &Outputs::default(), &ctx),
        Command::Check {
            input,
            preview,
            thumb,
            thumb_size,
            proxy,
            proxy_bytes,
        } => {
            let outputs = Outputs {
                preview: preview.as_deref(),
                thumb: thumb.as_deref().map(|path| (path, *thumb_size)),
                proxy: proxy.as_deref().map(|path| (path, *proxy_bytes)),
            };
            check::run(input, name, build, &outputs, &ctx)
        }
        Command::Proxy {
            input,
            output,
            bytes,
        } => check::run_proxy(input, name, output, *bytes, &ctx),
        Command::Lighten {
            input,
            output,
            target,
            texture_max,
            textures,
            plain,
            draco,
        } => {
            let options = lighten::Options {
                target: wanted(target)?,
                texture_max: *texture_max,
                textures: texture_format(*textures, OutFormat::of(output)?),
            };
            let write_options = write::Options {
                compression: compression(!plain, *draco),
                ..write::Options::default()
            };
            super::lighten::run(input, name, output, &options, &write_options, &ctx)
        }
        Command::Convert {
            input,
            output,
            compress,
            draco,
            textures,
            package,
        } => {
            let options = write::Options {
                compression: compression(*compress, *draco),
                textures: texture_format(*textures, OutFormat::of(output)?),
                ..package_options(package)?
            };
            run_convert(input, name, output, &options, &ctx)
        }
        Command::Pack {
            input,
            output,
            package,
            preview,
        } => super::pack::run(
            input,
            name,
            output,
            build.page,
            &package_options(package)?,
            preview.as_deref(),
            &ctx,
        ),
        Command::Tile { input, output, .. } => {
            super::tile::run(&cli.command, input, name, output, &ctx)
        }
        Command::Render {
            input,
            output,
            picture,
        } => super::render::run(input, name, output, picture, &ctx),
        Command::Showcase {
            input,
            output,
            mark,
            seed,
            score,
        } => {
            let options = crate::showcase::Options {
                mark: mark.clone(),
                seed: seed.clone(),
                score: *score,
            };
            super::showcase::run(input, name, output, &options, &ctx)
        }
        Command::Sample {
            kind,
            output,
            list,
            triangles,
            seed,
            set,
        } => match (list, kind, output) {
            (false, Some(kind), Some(output)) if kind == super::delivery::KIND => {
                super::delivery::run(output, *triangles, *seed, &ctx)
            }
            (false, Some(kind), Some(output)) => {
                let ask = (*triangles, *seed, set.as_slice());
                run_sample(kind, output, ask, &ctx)
            }
            _ => Ok(list_samples()),
        },
    }
}

fn compression(compress: bool, draco: bool) -> Compression {
    match (compress, draco) {
        (_, true) => Compression::Draco,
        (true, false) => Compression::Meshopt,
        (false, false) => Compression::None,
    }
}

/// Only glTF and AMRT support WebP and KTX2; the other formats would convert them back to PNG.
fn texture_format(kind: TextureKind, output: OutFormat) -> TextureFormat {
    match output.is_scene() {
        true => kind.into(),
        false => TextureFormat::Keep,
    }
}

impl From<TextureKind> for TextureFormat {
    fn from(kind: TextureKind) -> TextureFormat {
        match kind {
            TextureKind::Keep => TextureFormat::Keep,
            TextureKind::Webp => TextureFormat::Webp,
            TextureKind::Ktx2 => TextureFormat::Ktx2,
            TextureKind::Ktx2Uastc => TextureFormat::Ktx2Uastc,
        }
    }
}

fn package_options(package: &PackageArgs) -> Result<write::Options> {
    if package.texture_max == Some(0) {
        return Err(Error::Usage("--texture-max 须大于 0".into()));
    }
    Ok(write::Options {
        texture_max: package.texture_max,
        title: package.title.clone(),
        author: package.author.clone(),
        license: package.license.clone(),
        ..write::Options::default()
    })
}

fn wanted(target: &TargetArgs) -> Result<Target> {
    let bad = |text: &str| Err(Error::Usage(text.into()));
    match (target.ratio, target.triangles, target.size_mb, target.error) {
        (Some(r), ..) if r > 0.0 && r <= 1.0 => Ok(Target::Ratio(r)),
        (Some(_), ..) => bad("--ratio 须大于 0 且不超过 1"),
        (_, Some(n), ..) if n > 0 => Ok(Target::Triangles(n)),
        (_, Some(_), ..) => bad("--triangles 须大于 0"),
        (_, _, Some(mb), _) if mb > 0.0 && mb.is_finite() => Ok(Target::SizeMb(mb)),
        (_, _, Some(_), _) => bad("--size-mb 须大于 0"),
        (_, _, _, Some(e)) if e > 0.0 && e < 1.0 => Ok(Target::Error(e)),
        _ => bad("--error 须在 0 与 1 之间"),
    }
}

fn run_convert(
    input: &Path,
    name: Option<&str>,
    output: &Path,
    options: &write::Options,
    ctx: &Ctx,
) -> Result<Done> {
    let format = OutFormat::of(output)?;
    let scene = open::read_path(input, name, &ctx.part(0.0, 0.6))?;
    let source = Source::of(&scene, input)?;
    let mut problems = scene.problems.clone();
    let made = write::write(&scene, output, format, options, &ctx.part(0.6, 1.0))?;
    let error = made.error(&scene);
    problems.extend(made.problems);
    let written = written_figures(&scene, output, format)?;
    let made = Made::Converted(options.compression, format);
    problems.extend(source.growth_of(&made, &written));
    let json = json!({
        "input": figures(&scene, file_size(input)?),
        "output": written,
        "format": format.name(),
        "error": error,
        "problems": to_json(&problems)?,
    });
    let text = text::change(&json, &problems);
    Ok(Done { json, text })
}

fn list_samples() -> Done {
    let all = || sample::KINDS.iter().chain([&super::delivery::LISTED]);
    let mut rows: Vec<Value> = all()
        .map(|(kind, text)| json!({"kind": kind, "description": text}))
        .collect();
    let mut lines: Vec<String> = all()
        .map(|(kind, text)| format!("{kind:<16} {text}"))
        .collect();
    for family in FAMILIES {
        rows.push(json!({
            "kind": family.name,
            "description": family.title,
            "parameters": family.params,
        }));
        lines.push(format!("{:<16} {}", family.name, family.title));
        let params = family.params.iter().map(|p| p.describe());
        lines.extend(params.map(|text| format!("{:<16}   {text}", "")));
    }
    Done {
        json: json!({"samples": rows}),
        text: lines.join("\n"),
    }
}

fn run_sample(
    kind: &str,
    output: &Path,
    (triangles, seed, set): (Option<usize>, u64, &[(String, f32)]),
    ctx: &Ctx,
) -> Result<Done> {
    let format = OutFormat::of(output)?;
    let scene = match family::find(kind) {
        Some(family) => family.generate(set, seed)?,
        None if !set.is_empty() => {
            return Err(Error::Usage(format!(
                "{kind} 不是参数化系列，没有 --set 参数"
            )));
        }
        None => sample::generate_with(kind, triangles, seed, &ctx.part(0.0, 0.7))?,
    };
    let options = write::Options::default();
    let problems = write::write(&scene, output, format, &options, &ctx.part(0.7, 1.0))?.problems;
    let json = json!({
        "output": written_figures(&scene, output, format)?,
        "format": format.name(),
        "problems": to_json(&problems)?,
    });
    let text = format!(
        "已生成 {kind}:{} 个三角形",
        crate::check::grouped(scene.triangle_count())
    );
    Ok(Done { json, text })
}
