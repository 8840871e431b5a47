//! OBJ reader: mapped text, parsed in parallel, with MTL libraries.
//! The format has no units or axes: metres and Y up are assumed unless a comment in the header states a unit. Vertex
//! colours are interpreted as sRGB; `Kd` and `Ke` as linear, like other converters to glTF do.

mod build;
pub(crate) mod corners;
mod lines;
pub(crate) mod lost;
mod mtl;
mod parse;
mod parts;
pub(crate) mod statements;

use super::encoding::{Encoding, Names};
use super::lost::Losses;
use super::mapped::Mapped;
use super::{Input, polygon, text, units};
use crate::progress::Stage;
use crate::scene::{Problem, Severity};
use crate::{Ctx, Error, Result, Scene};
use lost::Loss;
use parse::{Change, Chunk};
use rayon::prelude::*;

/// Geometry lists of the whole file.
#[derive(Default)]
struct Pools {
    /// What positions count from, in units of the file.
    base: [f64; 3],
    /// What single precision leaves out of positions; empty if none needs it.
    rest: Vec<[f32; 3]>,
    positions: Vec<[f32; 3]>,
    colors: Vec<[f32; 3]>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
}

pub fn read(input: &Input, mapped: Mapped, ctx: &Ctx) -> Result<Scene> {
    let bytes = input.bytes;
    let pieces = text::line_chunks(bytes, text::chunk_size(bytes.len()));
    let base = parse::base(bytes, &ctx.limits)?;
    let parsed: Result<Vec<Chunk>> = pieces
        .into_par_iter()
        .map(|piece| {
            let chunk = parse::parse(piece, base, &ctx.limits);
            mapped.release(piece);
            chunk
        })
        .collect();
    let mut chunks = parsed?;
    let counts = settle(&mut chunks);
    crate::limits::Limits::check("顶点", counts[0], ctx.limits.vertices)?;
    ctx.report(Stage::Read, 0.4, "正在整理几何")?;

    let mut names = Names::default();
    for chunk in &chunks {
        names.extend(&chunk.names);
    }
    let encoding = names.encoding();
    let libraries = libraries(&chunks, encoding);
    let bad_lines: usize = chunks.iter().map(|chunk| chunk.bad_lines).sum();
    let mut losses = Losses::default();
    for chunk in &mut chunks {
        losses.merge(std::mem::take(&mut chunk.lost));
    }
    let painted: Vec<[u8; 3]> = chunks
        .iter_mut()
        .flat_map(|chunk| std::mem::take(&mut chunk.polypaint))
        .collect();
    let curves = losses.has(Loss::Curve);
    let mut pools = gather(&mut chunks, counts);
    pools.base = base;
    paint(&mut pools, &painted, &mut losses);
    let (mut drafts, given_up) = parts::split(chunks, &pools, encoding, ctx)?;
    let dropped = build::dropped(&drafts);
    drafts.retain(|d| !d.corners.is_empty() || !d.segments.is_empty() || !d.points.is_empty());
    if drafts.is_empty() && !dropped.is_empty() {
        let what = "OBJ 文件里没有可显示的面、线或点";
        return Err(super::lost::nothing(what, &dropped, "请重新导出"));
    }
    if drafts.is_empty() {
        return Err(empty(bad_lines, curves, &losses.names(Loss::Unknown)));
    }

    let mut scene = Scene {
        name: stem(input.name),
        ..Scene::default()
    };
    let head = &bytes[..bytes.len().min(4096)];
    let metres = units::apply(&mut scene, head, units::Assumed::Metres);
    note_bad_lines(&mut scene, bad_lines);
    scene.problems.extend(dropped);
    scene.problems.extend(polygon::problem(given_up));
    ctx.report(Stage::Read, 0.7, "正在读取材质和贴图")?;
    let materials = mtl::load(&mut scene, input, &libraries, &drafts, &mut losses, ctx)?;
    build::build(&mut scene, drafts, pools, &materials, &mut losses, metres)?;
    losses.tell(&mut scene, lost::finding);
    Ok(scene)
}

/// Makes relative indices absolute; returns the total numbers of positions, texture coordinates and normals.
fn settle(chunks: &mut [Chunk]) -> [usize; 3] {
    let mut before = [0usize; 3];
    for chunk in chunks {
        chunk.settle(before);
        before[0] += chunk.positions.len();
        before[1] += chunk.uvs.len();
        before[2] += chunk.normals.len();
    }
    before
}

fn gather(chunks: &mut [Chunk], counts: [usize; 3]) -> Pools {
    let colored = chunks.iter().any(|chunk| !chunk.colors.is_empty());
    if let [chunk] = chunks {
        let mut colors = std::mem::take(&mut chunk.colors);
        if colored {
            colors.resize(counts[0], [1.0; 3]);
        }
        let mut rest = std::mem::take(&mut chunk.rest);
        if !rest.is_empty() {
            rest.resize(counts[0], [0.0; 3]);
        }
        return Pools {
            base: [0.0; 3],
            rest,
            colors,
            positions: std::mem::take(&mut chunk.positions),
            uvs: std::mem::take(&mut chunk.uvs),
            normals: std::mem::take(&mut chunk.normals),
        };
    }
    let far = chunks.iter().any(|chunk| !chunk.rest.is_empty());
    let mut pools = Pools {
        base: [0.0; 3],
        rest: Vec::new(),
        positions: Vec::with_capacity(counts[0]),
        colors: Vec::new(),
        uvs: Vec::with_capacity(counts[1]),
        normals: Vec::with_capacity(counts[2]),
    };
    for chunk in chunks {
        pools
            .positions
            .append(&mut std::mem::take(&mut chunk.positions));
        pools.uvs.append(&mut std::mem::take(&mut chunk.uvs));
        pools
            .normals
            .append(&mut std::mem::take(&mut chunk.normals));
        if far {
            pools.rest.append(&mut std::mem::take(&mut chunk.rest));
            pools.rest.resize(pools.positions.len(), [0.0; 3]);
        }
        if colored {
            pools.colors.append(&mut std::mem::take(&mut chunk.colors));
            pools.colors.resize(pools.positions.len(), [1.0; 3]);
        }
    }
    pools
}

/// Gives the vertices without colours those of ZBrush, which writes them as comments after the vertices.
fn paint(pools: &mut Pools, painted: &[[u8; 3]], losses: &mut Losses<Loss>) {
    if painted.is_empty() || !pools.colors.is_empty() {
        return;
    }
    if painted.len() != pools.positions.len() {
        losses.add(Loss::Polypaint, ("", "", 0), "");
        return;
    }
    let unit = |c: &[u8; 3]| c.map(|v| f32::from(v) / 255.0);
    pools.colors = painted.iter().map(unit).collect();
}

/// Material libraries in the order of reference, each once.
fn libraries(chunks: &[Chunk], encoding: Encoding) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (_, change) in chunks.iter().flat_map(|chunk| &chunk.changes) {
        let Change::Library(name) = change else {
            continue;
        };
        let name = encoding.name(name);
        if !name.is_empty() && !names.contains(&name) && names.len() < 256 {
            names.push(name);
        }
    }
    names
}

fn empty(bad_lines: usize, curves: bool, unknown: &str) -> Error {
    if curves {
        return Error::EmptyModel(
            "OBJ 文件里只有曲线和曲面，没有网格，请在建模软件中转为网格后重新导出".into(),
        );
    }
    if !unknown.is_empty() {
        return Error::corrupt(format!(
            "OBJ 文件里没有任何面、线或点，却有不认识的语句：{unknown}。OBJ 的语句是小写的（v、f、l、p），请重新导出"
        ));
    }
    if bad_lines > 0 {
        return Error::corrupt(format!(
            "OBJ 文件有 {bad_lines} 行无法读取，没有得到任何面，请重新导出"
        ));
    }
    Error::EmptyModel("OBJ 文件里没有任何面、线或点，请确认导出时选中了模型".into())
}

fn note_bad_lines(scene: &mut Scene, bad_lines: usize) {
    if bad_lines > 0 {
        scene.note(Problem::new(
            "bad-lines",
            Severity::Warning,
            "",
            format!("有 {bad_lines} 行内容不符合 OBJ 格式，已跳过"),
            "用建模软件重新导出一次",
        ));
    }
}

/// File name without folders and extension.
pub(super) fn stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match last.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => last.to_owned(),
    }
}
