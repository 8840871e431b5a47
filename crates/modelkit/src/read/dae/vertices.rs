//! The vertices of a group: equal corners are one, and missing normals are computed.

use super::corners::Corner;
use super::source::{Rows, Sources, Wires};
use crate::read::normals::{self, Faces};
use crate::read::{Format, colour};
use crate::scene::{Mode, Primitive};
use std::collections::HashMap;

/// Merges equal corners into vertices; also returns the position each came from.
pub fn primitive<const N: usize>(
    mut corners: Vec<Corner<N>>,
    wires: &Wires,
    sources: &Sources,
    lines: bool,
) -> (Primitive, Vec<u32>) {
    let rows = |wire: Option<(&str, usize)>| wire.and_then(|(source, _)| sources.get(source));
    let positions = rows(Some(wires.position));
    let normals = rows(wires.normal);
    let colors = rows(wires.color);
    let made = match (lines, positions) {
        (false, Some(positions)) => made_normals(&mut corners, positions, normals),
        _ => Vec::new(),
    };
    let mut p = Primitive {
        mode: if lines { Mode::Lines } else { Mode::Triangles },
        uvs: vec![Vec::new(); if lines { 0 } else { wires.uvs.len() }],
        ..Primitive::default()
    };
    let mut known: HashMap<Corner<N>, u32> = HashMap::new();
    let mut origin = Vec::new();
    for corner in corners {
        let next = origin.len() as u32;
        let index = *known.entry(corner).or_insert(next);
        p.indices.push(index);
        if index != next {
            continue;
        }
        origin.push(corner[0]);
        let position = positions.and_then(|r| r.get(corner[0] as usize, 0.0));
        p.positions.push(position.unwrap_or([f32::NAN; 3]));
        if !lines {
            let given = normals.and_then(|r| r.get::<3>(corner[1] as usize, 0.0));
            let unit = given.and_then(normals::normalize);
            let own = made.get(corner[1].wrapping_sub(BASE) as usize).copied();
            p.normals.push(own.or(unit).unwrap_or([0.0, 1.0, 0.0]));
        }
        for (k, uvs) in p.uvs.iter_mut().enumerate() {
            let uv = rows(wires.uvs.get(k).copied())
                .and_then(|r| r.get::<2>(corner[3 + k] as usize, 0.0));
            let [u, v] = uv
                .filter(|uv| uv.iter().all(|c| c.is_finite()))
                .unwrap_or([0.0; 2]);
            uvs.push([u, 1.0 - v]);
        }
        if colors.is_some() {
            let color = colors.and_then(|r| r.get::<4>(corner[2] as usize, 1.0));
            let color = color.unwrap_or([1.0; 4]).map(|c| match c.is_finite() {
                true => c.clamp(0.0, 1.0),
                false => 1.0,
            });
            p.colors.push(colour::linear_rgba(Format::Dae, color));
        }
    }
    (p, origin)
}

/// Generated normals are numbered from here, above any row of a file.
const BASE: u32 = 1 << 31;

/// Generates normals for triangles in which one is missing or zero; their corners refer to them from [`BASE`] on.
fn made_normals<const N: usize>(
    corners: &mut [Corner<N>],
    positions: &Rows,
    given: Option<&Rows>,
) -> Vec<[f32; 3]> {
    let good = |c: &Corner<N>| {
        let normal = given.and_then(|r| r.get::<3>(c[1] as usize, 0.0));
        normal.and_then(normals::normalize).is_some()
    };
    let lacking: Vec<usize> = (0..corners.len() / 3)
        .filter(|t| !corners[t * 3..t * 3 + 3].iter().all(good))
        .collect();
    if lacking.is_empty() {
        return Vec::new();
    }
    let points: Vec<[f32; 3]> = (0..positions.len())
        .map(|i| positions.get(i, 0.0).unwrap_or_default())
        .collect();
    let flat: Vec<u32> = lacking
        .iter()
        .flat_map(|t| corners[t * 3..t * 3 + 3].iter().map(|c| c[0]))
        .collect();
    let made = normals::creased(&Faces {
        positions: &points,
        corners: &flat,
        groups: &[],
        bits: false,
    });
    let slots = lacking.iter().flat_map(|t| t * 3..t * 3 + 3);
    for (slot, normal) in slots.zip(&made.corners) {
        corners[slot][1] = BASE + normal;
    }
    made.normals
}
