//! ASCII rows: one row per line, read in parallel.

use super::super::text;
use super::data::{Data, Plan, Use, blank_row, index};
use crate::{Error, Result};
use rayon::prelude::*;

/// Reads all elements.
pub fn read(body: &[u8], plans: &[Plan], data: &mut Data) -> Result<()> {
    let mut total = 0usize;
    for plan in plans
        .iter()
        .filter(|plan| !plan.element.properties.is_empty())
    {
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
    let parts: Result<Vec<Data>> = pieces
        .into_par_iter()
        .zip(starts)
        .map(|(piece, start)| {
            let mut part = Data {
                has,
                base,
                ..Data::default()
            };
            parse(piece, start, plans, &mut part)?;
            Ok(part)
        })
        .collect();
    for part in parts? {
        data.append(part);
    }
    Ok(())
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
    let line = lines(body).nth(before.map(|plan| plan.element.count).sum())?;
    let mut first = Data::default();
    row(line, plan, &mut first, &mut Vec::new())?;
    first.base
}

fn parse(piece: &[u8], start: usize, plans: &[Plan], data: &mut Data) -> Result<()> {
    let mut rows = lines(piece);
    let mut number = start;
    // Row number at which the current element ends.
    let mut end = 0usize;
    let mut wedges = Vec::new();
    for plan in plans
        .iter()
        .filter(|plan| !plan.element.properties.is_empty())
    {
        end = end.saturating_add(plan.element.count);
        while number < end {
            let Some(line) = rows.next() else {
                return Ok(());
            };
            number += 1;
            if row(line, plan, data, &mut wedges).is_none() {
                return Err(Error::corrupt(format!(
                    "PLY 第 {number} 行数据无法读取，文件可能已损坏，请重新导出"
                )));
            }
        }
    }
    Ok(())
}

/// Reads one row; `None` if a number is missing or invalid.
fn row(mut line: &[u8], plan: &Plan, data: &mut Data, wedges: &mut Vec<f32>) -> Option<()> {
    match plan.purpose {
        Use::Other => return Some(()),
        Use::Edge => return edge(line, plan, data),
        _ => {}
    }
    let mut values = blank_row();
    let mut is_face = false;
    let mut texture = 0.0;
    wedges.clear();
    for (i, property) in plan.element.properties.iter().enumerate() {
        if property.list.is_none() {
            let value = text::parse_f64(text::token(&mut line)?)?;
            if let Some((role, full)) = plan.roles[i] {
                values[role] = value / full;
            } else if plan.texture == Some(i) {
                texture = value;
            }
            continue;
        }
        let count = whole(text::token(&mut line)?)?;
        let wanted = plan.indices == Some(i);
        for _ in 0..count.max(0) {
            let token = text::token(&mut line)?;
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

fn edge(mut line: &[u8], plan: &Plan, data: &mut Data) -> Option<()> {
    let mut ends = [u32::MAX; 2];
    for (i, property) in plan.element.properties.iter().enumerate() {
        let token = text::token(&mut line)?;
        if property.list.is_some() {
            for _ in 0..whole(token)?.max(0) {
                text::token(&mut line)?;
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
