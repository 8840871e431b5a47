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
    /// Opacity of each vertex; empty if there is none.
    alphas: Vec<f32>,
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
    settle_fourth(&mut pools);
    paint(&mut pools, &painted, &mut losses);
    let (mut drafts, given_up) = parts::split(chunks, &pools, encoding, ctx)?;
    let dropped = build::dropped(&drafts);
    drafts.retain(|d| !d.corners.is_empty() || !d.segments.is_empty() || !d.points.is_empty());
    if drafts.is_empty() && !dropped.is_empty() {
        let what = "OBJ 文件里没有可显示的面、线或点";
        return Err(super::lost::nothing(what, &dropped, "请重新导出"));
    }
    if drafts.is_empty() {
        let unknown = losses.names(Loss::Unknown);
        return Err(empty(is_binary(bytes), bad_lines, curves, &unknown));
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
            alphas: std::mem::take(&mut chunk.fourth),
            positions: std::mem::take(&mut chunk.positions),
            uvs: std::mem::take(&mut chunk.uvs),
            normals: std::mem::take(&mut chunk.normals),
        };
    }
    let fourth = chunks.iter().any(|chunk| !chunk.fourth.is_empty());
    let far = chunks.iter().any(|chunk| !chunk.rest.is_empty());
    let mut pools = Pools {
        base: [0.0; 3],
        rest: Vec::new(),
        positions: Vec::with_capacity(counts[0]),
        colors: Vec::new(),
        alphas: Vec::new(),
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
        if fourth {
            pools.alphas.append(&mut std::mem::take(&mut chunk.fourth));
            pools.alphas.resize(pools.positions.len(), f32::NAN);
        }
    }
    pools
}

/// Four numbers behind a position are a colour with its opacity, or the weight w before a colour: which of them is seen
/// by the whole file. Weights are 1, and then the last number is no opacity if it varies.
fn settle_fourth(pools: &mut Pools) {
    let four = || {
        let all = pools.colors.iter().zip(&pools.alphas);
        all.filter(|(_, fourth)| !fourth.is_nan())
    };
    let first = four().next().map(|(_, fourth)| *fourth);
    let varies = four().any(|(_, fourth)| Some(*fourth) != first);
    if varies && four().all(|(color, _)| color[0] == 1.0) {
        for (color, fourth) in pools.colors.iter_mut().zip(&pools.alphas) {
            if !fourth.is_nan() {
                *color = [color[1], color[2], *fourth];
            }
        }
        pools.alphas = Vec::new();
    }
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

/// Whether the start of a file has what no text has.
fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let is_control =
        |b: &&u8| **b < 0x20 && !matches!(**b, b'\t' | b'\n' | 0x0b | 0x0c | b'\r' | 0x1a);
    head.iter().filter(is_control).count() * 50 > head.len()
}

fn empty(is_binary: bool, bad_lines: usize, curves: bool, unknown: &str) -> Error {
    if curves {
        return Error::EmptyModel(
            "OBJ 文件里只有曲线和曲面，没有网格，请在建模软件中转为网格后重新导出".into(),
        );
    }
    if is_binary {
        return Error::corrupt(
            "文件扩展名是 obj，但内容不是 OBJ 文本（是二进制数据），请确认文件没有改名或损坏，再重新导出",
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
