//! ASCII STL, read token by token, so that line breaks do not matter; in parallel, split before `facet` lines.

use super::super::encoding::Names;
use super::super::{origin, text};
use super::{Collector, Solid, check_count, colours};
use crate::read::polygon::{self, Cutter};
use crate::scene::Problem;
use crate::{Ctx, Error, Result};
use rayon::prelude::*;

#[derive(Default)]
struct Piece {
    triangles: Vec<[[f32; 3]; 3]>,
    /// Number of triangles before each solid, and its name.
    solids: Vec<(usize, Vec<u8>)>,
    bad: usize,
    cutter: Cutter,
    /// Words that some programs add for colours.
    coloured: usize,
    /// The piece ends inside a facet.
    open: bool,
}

/// What positions count from, by the first of them.
pub fn base(bytes: &[u8]) -> [f64; 3] {
    let mut rest = bytes;
    while let Some(word) = text::token(&mut rest) {
        if word.eq_ignore_ascii_case(b"vertex") {
            let mut next = || text::parse_f64(text::token(&mut rest)?);
            if let (Some(x), Some(y), Some(z)) = (next(), next(), next()) {
                return origin::base_of([x, y, z]);
            }
        }
    }
    [0.0; 3]
}

/// Positions count from `base`.
pub fn read(bytes: &[u8], base: [f64; 3], ctx: &Ctx) -> Result<(Vec<Solid>, usize, Vec<Problem>)> {
    let pieces = cut(bytes).into_par_iter().map(|piece| parse(piece, base));
    let pieces: Vec<Piece> = pieces.collect();
    let total: usize = pieces.iter().map(|piece| piece.triangles.len()).sum();
    let bad: usize = pieces.iter().map(|piece| piece.bad).sum();
    check_count(total, ctx)?;
    if pieces.iter().any(|piece| piece.open) {
        return Err(Error::corrupt(format!(
            "STL 文件不完整：在第 {} 个三角形处中断，请重新导出或重新上传",
            total + 1
        )));
    }
    if bad > 0 {
        return Err(Error::corrupt(format!(
            "STL 文件有 {bad} 处坐标无法读取，文件可能已损坏，请重新导出"
        )));
    }
    let mut names = Names::default();
    for (_, name) in pieces.iter().flat_map(|piece| &piece.solids) {
        names.add(name);
    }
    let encoding = names.encoding();
    let given_up = pieces.iter().map(|piece| piece.cutter.given_up).sum();
    let coloured = pieces.iter().any(|piece| piece.coloured > 0);
    let mut problems: Vec<Problem> = polygon::problem(given_up).into_iter().collect();
    if coloured {
        problems.push(colours::skipped(
            "文本 STL 里的颜色（color）不属于标准，未保留",
        ));
    }
    let mut solids = Vec::new();
    let mut not_finite = 0;
    let mut name = String::new();
    let mut collector = Collector::new(total);
    let mut finish = |collector: Collector, name: String| {
        not_finite += collector.not_finite;
        if !collector.indices.is_empty() {
            solids.push(collector.finish(name));
        }
    };
    for piece in pieces {
        let mut starts = piece.solids.into_iter().peekable();
        for (i, triangle) in piece.triangles.into_iter().enumerate() {
            while let Some((_, next)) = starts.next_if(|(at, _)| *at <= i) {
                let done = std::mem::replace(&mut collector, Collector::new(0));
                finish(done, std::mem::replace(&mut name, encoding.name(&next)));
            }
            collector.add(triangle);
        }
        for (_, next) in starts {
            let done = std::mem::replace(&mut collector, Collector::new(0));
            finish(done, std::mem::replace(&mut name, encoding.name(&next)));
        }
    }
    finish(collector, name);
    Ok((solids, not_finite, problems))
}

/// Pieces that consist of whole facets.
fn cut(bytes: &[u8]) -> Vec<&[u8]> {
    let target = text::chunk_size(bytes.len());
    let mut pieces = Vec::new();
    let mut rest = bytes;
    while rest.len() > target {
        let Some(at) = next_facet(rest, target) else {
            break;
        };
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece);
        rest = tail;
    }
    pieces.push(rest);
    pieces
}

/// Start of the next line at or after `from` whose first word is `facet`.
fn next_facet(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes
            .get(at..)?
            .iter()
            .position(|b| text::is_line_end(*b))?
            + 1;
        let mut rest = &bytes[at..];
        if is_facet(text::token(&mut rest)?) {
            return Some(at);
        }
    }
}

/// `facet`, also where no blank follows it.
fn is_facet(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"facet") || word.eq_ignore_ascii_case(b"facetnormal")
}

/// Where a solid's name ends: at the end of its line, or before the first facet or the word `next` in it, as files
/// of a single line have it.
fn name_end(text: &[u8], next: &[u8]) -> usize {
    let line = text.iter().position(|b| text::is_line_end(*b));
    let line = text.get(..line.unwrap_or(text.len())).unwrap_or(text);
    let mut rest = line;
    let mut last = (0, &b""[..]);
    while let Some(word) = text::token(&mut rest) {
        let start = line.len() - rest.len() - word.len();
        let begins = last.1.eq_ignore_ascii_case(b"facet") && word.eq_ignore_ascii_case(b"normal");
        if begins {
            return last.0;
        }
        if word.eq_ignore_ascii_case(b"facetnormal") || word.eq_ignore_ascii_case(next) {
            return start;
        }
        last = (start, word);
    }
    line.len()
}

fn parse(bytes: &[u8], base: [f64; 3]) -> Piece {
    let mut piece = Piece::default();
    let mut rest = bytes;
    let mut corners: Vec<[f32; 3]> = Vec::new();
    while let Some(word) = text::token(&mut rest) {
        // Some programs part the words that end something: `end facet`.
        let is_end = word.eq_ignore_ascii_case(b"end");
        let word = match is_end.then(|| text::token(&mut rest)).flatten() {
            Some(b) if b.eq_ignore_ascii_case(b"facet") => &b"endfacet"[..],
            Some(b) if b.eq_ignore_ascii_case(b"loop") => &b"endloop"[..],
            Some(b) if b.eq_ignore_ascii_case(b"solid") => &b"endsolid"[..],
            Some(other) => other,
            None => word,
        };
        // The words of a facet, the most frequent first; everything else in it (`normal`, its numbers, `outer loop`)
        // can be skipped.
        if word.eq_ignore_ascii_case(b"vertex") {
            let mut next = || text::parse_f64(text::token(&mut rest)?);
            match (next(), next(), next()) {
                (Some(x), Some(y), Some(z)) => corners.push(origin::split([x, y, z], base).0),
                _ if rest.is_empty() => piece.open = true,
                _ => piece.bad += 1,
            }
        } else if is_facet(word) {
            piece.open = true;
            close(&mut corners, &mut piece);
        } else if word.eq_ignore_ascii_case(b"endfacet") {
            piece.open = false;
            close(&mut corners, &mut piece);
        } else if word.eq_ignore_ascii_case(b"endloop") {
            // Some programs leave out `endfacet`.
            piece.open &= corners.len() < 3;
        } else if word.eq_ignore_ascii_case(b"solid") {
            let name = rest.get(..name_end(rest, b"endsolid")).unwrap_or(rest);
            piece.solids.push((piece.triangles.len(), name.to_vec()));
            rest = rest.get(name.len()..).unwrap_or(&[]);
        } else if word.eq_ignore_ascii_case(b"endsolid") {
            rest = rest.get(name_end(rest, b"solid")..).unwrap_or(&[]);
        } else if word.eq_ignore_ascii_case(b"color") {
            piece.coloured += 1;
        }
    }
    if !piece.open {
        close(&mut corners, &mut piece);
    }
    piece
}

/// Ends a facet: three corners are a triangle, more (invalid, but they occur) a polygon.
fn close(corners: &mut Vec<[f32; 3]>, piece: &mut Piece) {
    let Piece {
        triangles, cutter, ..
    } = piece;
    match corners.iter().flatten().all(|c| c.is_finite()) {
        true => cutter.cut(corners, |triangle| {
            triangles.push(triangle.map(|i| corners[i]))
        }),
        // Counted with the triangles that are not numbers.
        false => {
            triangles.extend((2..corners.len()).map(|i| [corners[0], corners[i - 1], corners[i]]))
        }
    }
    corners.clear();
}
