//! Morph targets as accessors, each attribute of each target in its smallest form.

use super::builder::{Builder, bytes_of, min_max};
use super::column::vertices;
use super::quantize::Grid;
use crate::Result;
use crate::scene::{MorphTarget, Primitive};
use serde_json::{Map, Value};

pub fn targets(b: &mut Builder, p: &Primitive, grid: Option<&Grid>) -> Result<Value> {
    let still = vec![[0.0; 3]; p.positions.len()];
    let or_still = |rows: &[[f32; 3]]| match rows.is_empty() {
        true => still.clone(),
        // Without the sign of zero, which would make a still vertex one that moves.
        false => rows.iter().map(|row| row.map(|v| v + 0.0)).collect(),
    };
    let moves = |rows: fn(&MorphTarget) -> &[[f32; 3]]| {
        let mut values = p.targets.iter().flat_map(|t| rows(t).iter().flatten());
        values.any(|v| *v != 0.0)
    };
    let normals = !p.normals.is_empty() && moves(|t| &t.normals);
    let tangents = !p.normals.is_empty() && !p.tangents.is_empty() && moves(|t| &t.tangents);
    let mut out = Vec::with_capacity(p.targets.len());
    for target in &p.targets {
        let mut json = Map::new();
        let rows = or_still(&target.positions);
        json.insert("POSITION".into(), offsets(b, &rows, grid)?.into());
        // Three.js takes the base normals where one target has none and another has.
        if normals {
            let rows = or_still(&target.normals);
            json.insert("NORMAL".into(), turns(b, &rows)?.into());
        }
        if tangents {
            let rows = or_still(&target.tangents);
            json.insert("TANGENT".into(), turns(b, &rows)?.into());
        }
        out.push(Value::Object(json));
    }
    Ok(out.into())
}

/// Position offsets, in units of the grid if there is one.
fn offsets(b: &mut Builder, rows: &[[f32; 3]], grid: Option<&Grid>) -> Result<u32> {
    let Some(grid) = grid else {
        return wide(b, rows, true);
    };
    let scaled: Vec<[f32; 3]> = rows.iter().map(|d| d.map(|v| v / grid.scale)).collect();
    if grid.whole && scaled.iter().flatten().all(|v| v.abs() <= 32767.0) {
        let steps = |d: &[f32; 3]| [d[0], d[1], d[2], 0.0].map(|v| v.round() as i16);
        let packed: Vec<[i16; 4]> = scaled.iter().map(steps).collect();
        return short(b, &packed, false, true);
    }
    if scaled.iter().flatten().all(|v| v.abs() <= 1.0) {
        let packed: Vec<[i16; 4]> = scaled.iter().map(|&d| sixteen_bit(d)).collect();
        return short(b, &packed, true, true);
    }
    wide(b, &scaled, true)
}

/// Offsets of normals or tangents.
fn turns(b: &mut Builder, rows: &[[f32; 3]]) -> Result<u32> {
    if b.packed && rows.iter().flatten().all(|v| v.abs() <= 1.0) {
        let packed: Vec<[i16; 4]> = rows.iter().map(|&d| sixteen_bit(d)).collect();
        return short(b, &packed, true, false);
    }
    wide(b, rows, false)
}

fn wide(b: &mut Builder, rows: &[[f32; 3]], bounded: bool) -> Result<u32> {
    let mut column = vertices(bytes_of(rows), rows.len(), 5126, "VEC3", false);
    column.sparse = true;
    column.min_max = bounded.then(|| min_max(rows));
    b.column(&column)
}

fn short(b: &mut Builder, rows: &[[i16; 4]], normalized: bool, bounded: bool) -> Result<u32> {
    let (mut min, mut max) = min_max(rows);
    min.truncate(3);
    max.truncate(3);
    let mut column = vertices(bytes_of(rows), rows.len(), 5122, "VEC3", normalized);
    column.sparse = true;
    column.min_max = bounded.then_some((min, max));
    b.column(&column)
}

fn sixteen_bit(d: [f32; 3]) -> [i16; 4] {
    let [x, y, z] = d.map(|v| (v.clamp(-1.0, 1.0) * 32767.0).round() as i16);
    [x, y, z, 0]
}
