//! ASCII rows: one row per line, read in parallel, or a sequence of words.

use super::super::text;
use super::data::{Data, Plan, Use, blank_row, index};
use crate::{Error, Result};
use rayon::prelude::*;

/// Reads all elements. Where lines are no rows – some programs write a vertex on several lines, or everything on one –
/// the file is read as one sequence of words, in which each row has as many as it declares.
pub fn read(body: &[u8], plans: &[Plan], data: &mut Data) -> Result<()> {
    let (has, base) = (data.has, data.base);
    let fresh = || Data {
        has,
        base,
        ..Data::default()
    };
    *data = fresh();
    let by_lines = by_lines(body, plans, data);
    if matches!(by_lines, Ok(true)) {
        return Ok(());
    }
    let mut words = fresh();
    if by_words(body, plans, &mut words).is_some() {
        *data = words;
        return Ok(());
    }
    by_lines.map(|_| ())
}

/// The rows, one a line; returns whether the lines have nothing else.
fn by_lines(body: &[u8], plans: &[Plan], data: &mut Data) -> Result<bool> {
    let mut total = 0usize;
    for plan in with_rows(plans) {
        total = total.saturating_add(plan.element.count);
    }
    let pieces = text::line_chunks(body, text::chunk_size(body.len()));
    let counts: Vec<usize> = pieces
        .par_iter()
        .map(|piece| lines(piece).count())
        .collect();
    let present: usize = counts.iter().sum();
    if present < total {
        return Err(Error::corrupt(format!(
            "PLY 文件不完整：声明有 {total} 行数据，实际只有 {present} 行，请重新导出或重新上传"
        )));
    }
    let mut first = 0;
    let mut starts = Vec::with_capacity(counts.len());
    for count in counts {
        starts.push(first);
        first += count;
    }
    let has = data.has;
    data.base = base(body, plans);
    let base = data.base;
    let parts: Result<Vec<(Data, bool)>> = pieces
        .into_par_iter()
        .zip(starts)
        .map(|(piece, start)| {
            let mut part = Data {
                has,
                base,
                ..Data::default()
            };
            let is_exact = parse(piece, start, plans, &mut part)?;
            Ok((part, is_exact))
        })
        .collect();
    let mut is_exact = true;
    for (part, exact) in parts? {
        is_exact &= exact;
        data.append(part);
    }
    Ok(is_exact)
}

/// The rows, word by word; `None` if they are not all there is.
fn by_words(body: &[u8], plans: &[Plan], data: &mut Data) -> Option<()> {
    let mut rest = body;
    let mut wedges = Vec::new();
    for plan in with_rows(plans) {
        for _ in 0..plan.element.count {
            row(&mut rest, plan, data, &mut wedges)?;
        }
    }
    text::token(&mut rest).is_none().then_some(())
}

fn with_rows<'p, 'a>(plans: &'p [Plan<'a>]) -> impl Iterator<Item = &'p Plan<'a>> {
    let mut plans = plans.iter();
    std::iter::from_fn(move || plans.find(|plan| !plan.element.properties.is_empty()))
}

/// Lines that are not blank.
fn lines(piece: &[u8]) -> impl Iterator<Item = &[u8]> {
    piece
        .split(|b| text::is_line_end(*b))
        .filter(|line| line.iter().any(|b| !text::is_blank(*b)))
}

/// What positions count from, by the first vertex.
fn base(body: &[u8], plans: &[Plan]) -> Option<[f64; 3]> {
    let rows = |plan: &&Plan| !plan.element.properties.is_empty();
    let vertex = |plan: &Plan| plan.purpose == Use::Vertex;
    let plan = plans.iter().find(|plan| vertex(plan))?;
    let before = plans.iter().take_while(|plan| !vertex(plan)).filter(rows);
    let mut line = lines(body).nth(before.map(|plan| plan.element.count).sum())?;
    let mut first = Data::default();
    row(&mut line, plan, &mut first, &mut Vec::new())?;
    first.base
}

/// Reads the rows of a piece; returns whether its lines have nothing else.
fn parse(piece: &[u8], start: usize, plans: &[Plan], data: &mut Data) -> Result<bool> {
    let mut rows = lines(piece);
    let mut number = start;
    // Row number at which the current element ends.
    let mut end = 0usize;
    let mut wedges = Vec::new();
    let mut is_exact = true;
    for plan in with_rows(plans) {
        end = end.saturating_add(plan.element.count);
        while number < end {
            let Some(mut line) = rows.next() else {
                return Ok(is_exact);
            };
            number += 1;
            // What is not read may be written as it likes.
            if plan.purpose == Use::Other {
                continue;
            }
            if row(&mut line, plan, data, &mut wedges).is_none() {
                return Err(Error::corrupt(format!(
                    "PLY 第 {number} 行数据无法读取，文件可能已损坏，请重新导出"
                )));
            }
            is_exact &= text::token(&mut line).is_none();
        }
    }
    Ok(is_exact)
}

/// Reads one row off the front of `line`; `None` if a number is missing or invalid.
fn row(line: &mut &[u8], plan: &Plan, data: &mut Data, wedges: &mut Vec<f32>) -> Option<()> {
    match plan.purpose {
        Use::Other => return skip(line, plan),
        Use::Edge => return edge(line, plan, data),
        _ => {}
    }
    let mut values = blank_row();
    let mut is_face = false;
    let mut texture = 0.0;
    wedges.clear();
    for (i, property) in plan.element.properties.iter().enumerate() {
        if property.list.is_none() {
            let value = text::parse_f64(text::token(line)?)?;
            if let Some((role, full)) = plan.roles[i] {
                values[role] = value / full;
            } else if plan.texture == Some(i) {
                texture = value;
            }
            continue;
        }
        let count = whole(text::token(line)?)?;
        let wanted = plan.indices == Some(i);
        for _ in 0..count.max(0) {
            let token = text::token(line)?;
            if wanted {
                let value = whole(token).map_or(-1.0, |n| n as f64);
                match plan.purpose {
                    Use::Strip => data.strips.push(index(value)),
                    _ => data.corners.push(index(value)),
                }
            } else if plan.wedges == Some(i) {
                wedges.push(text::parse_f32(token)?);
            }
        }
        is_face |= wanted && plan.purpose == Use::Face;
        if wanted && plan.purpose == Use::Strip {
            data.strips.push(u32::MAX);
        }
    }
    if is_face {
        data.face(wedges);
        data.look(plan, &values, texture);
    }
    if plan.purpose == Use::Vertex {
        data.vertex(&values);
    }
    Some(())
}

/// A whole number, which may be written like any other: `3.0`, `1e2`.
fn whole(token: &[u8]) -> Option<i64> {
    text::parse_i64(token).or_else(|| {
        let value = text::parse_f64(token)?;
        let is_whole = value.fract() == 0.0 && value.abs() < 1e15;
        is_whole.then_some(value as i64)
    })
}

fn edge(line: &mut &[u8], plan: &Plan, data: &mut Data) -> Option<()> {
    let mut ends = [u32::MAX; 2];
    for (i, property) in plan.element.properties.iter().enumerate() {
        let token = text::token(line)?;
        if property.list.is_some() {
            for _ in 0..whole(token)?.max(0) {
                text::token(line)?;
            }
            continue;
        }
        for (side, end) in ends.iter_mut().enumerate() {
            if plan.ends[side] == Some(i) {
                *end = index(whole(token)? as f64);
            }
        }
    }
    data.edges.push(ends);
    Some(())
}

/// Passes over a row of an element that is not read.
fn skip(line: &mut &[u8], plan: &Plan) -> Option<()> {
    for property in &plan.element.properties {
        let token = text::token(line)?;
        if property.list.is_some() {
            for _ in 0..whole(token)?.max(0) {
                text::token(line)?;
            }
        }
    }
    Some(())
}
