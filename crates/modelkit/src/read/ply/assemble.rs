//! Converts rows to primitives: triangulates polygons, unrolls strips, computes normals.

use super::super::normals::{self, Faces};
use super::super::polygon::{self, Cutter};
use super::super::weld::Welder;
use super::super::{Format, colour, painted, stl};
use super::data::{Data, INVALID};
use super::header::MOST_TEXTURES;
use crate::scene::{Mode, Primitive, Problem, Severity, picked};
use std::collections::{BTreeMap, HashMap};

/// Primitives with the textures that they use by number, and counts of what had to be left out.
#[derive(Default)]
pub struct Assembled {
    pub primitives: Vec<Primitive>,
    /// The number of the texture of each primitive.
    pub textures: Vec<u32>,
    pub problems: Vec<Problem>,
}

/// Triangles as vertex indices, with per-corner texture coordinates or none.
#[derive(Default)]
struct Triangles {
    corners: Vec<u32>,
    wedges: Vec<[f32; 2]>,
    /// The face of each triangle; those of strips have none.
    faces: Vec<u32>,
    out_of_range: usize,
    not_finite: usize,
    given_up: usize,
}

pub fn assemble(mut data: Data) -> Assembled {
    prepare(&mut data);
    let mut out = Assembled::default();
    let triangles = triangles(&data);
    let edges = edges(&data);
    if !triangles.corners.is_empty() {
        let mut whole = surface(&data, &triangles);
        if !data.face_colors.is_empty() {
            let own = |face: &u32| data.face_colors.get(*face as usize).copied();
            let colors = triangles.faces.iter().map(|f| own(f).unwrap_or([1.0; 4]));
            let mut colors: Vec<[f32; 4]> = colors.collect();
            colors.resize(whole.indices.len() / 3, [1.0; 4]);
            painted::paint(&mut whole, &colors);
        }
        for (texture, part) in by_texture(whole, &data, &triangles) {
            out.textures.push(texture);
            out.primitives.push(part);
        }
    }
    if !edges.is_empty() {
        out.primitives.push(listed(&data, Mode::Lines, &edges));
    }
    let mut not_finite = triangles.not_finite;
    let had_faces = triangles.out_of_range + triangles.not_finite > 0;
    if out.primitives.is_empty() && !had_faces {
        let finite = |i: &u32| data.positions[*i as usize].iter().all(|c| c.is_finite());
        let points: Vec<u32> = (0..data.positions.len() as u32).filter(finite).collect();
        not_finite += data.positions.len() - points.len();
        if !points.is_empty() {
            out.primitives.push(listed(&data, Mode::Points, &points));
        }
    }
    if triangles.out_of_range > 0 {
        out.problems.push(Problem::new(
            "index-out-of-range",
            Severity::Error,
            "",
            format!(
                "有 {} 个面引用了不存在的顶点，已去除",
                triangles.out_of_range
            ),
            "文件可能不完整，请重新导出",
        ));
    }
    out.problems.extend(polygon::problem(triangles.given_up));
    if not_finite > 0 {
        out.problems.push(stl::nan_problem(not_finite));
    }
    out
}

/// The parts of a surface that have one texture each.
fn by_texture(whole: Primitive, data: &Data, triangles: &Triangles) -> Vec<(u32, Primitive)> {
    let number = |face: &u32| data.face_textures.get(*face as usize).copied();
    let numbers = triangles.faces.iter().map(|f| number(f).unwrap_or(0));
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.resize(whole.indices.len() / 3, 0);
    let first = numbers.first().copied().unwrap_or(0);
    if numbers.iter().all(|n| *n == first) {
        return vec![(first, whole)];
    }
    let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (triangle, number) in whole.indices.chunks(3).zip(numbers) {
        // Whoever has more textures than that has no file for them.
        parts
            .entry(number.min(MOST_TEXTURES as u32))
            .or_default()
            .extend(triangle);
    }
    let part = |(number, mut indices): (u32, Vec<u32>)| {
        let mut known = HashMap::new();
        let mut picks = Vec::new();
        for index in &mut indices {
            *index = *known.entry(*index).or_insert_with(|| {
                picks.push(*index);
                picks.len() as u32 - 1
            });
        }
        let part = Primitive {
            mode: whole.mode,
            indices,
            positions: picked(&whole.positions, &picks),
            normals: picked(&whole.normals, &picks),
            colors: picked(&whole.colors, &picks),
            uvs: whole.uvs.iter().map(|set| picked(set, &picks)).collect(),
            ..Primitive::default()
        };
        (number, part)
    };
    parts.into_iter().map(part).collect()
}

/// Colours to linear, v downwards, normals to unit length.
fn prepare(data: &mut Data) {
    colours(&mut data.colors);
    colours(&mut data.face_colors);
    for uv in data.uvs.iter_mut().chain(&mut data.wedges) {
        *uv = if uv.iter().all(|c| c.is_finite()) {
            [uv[0], 1.0 - uv[1]]
        } else {
            [0.0; 2]
        };
    }
    // Treats all-zero normals as missing.
    if data
        .normals
        .iter()
        .all(|n| normals::normalize(*n).is_none())
    {
        data.normals.clear();
    }
    for normal in &mut data.normals {
        *normal = normals::normalize(*normal).unwrap_or([0.0, 1.0, 0.0]);
    }
}

/// To linear, 0…1; numbers beyond 1 are bytes.
fn colours(colors: &mut [[f32; 4]]) {
    let bytes = colors.iter().flatten().any(|c| *c > 1.0);
    let scale = if bytes { 1.0 / 255.0 } else { 1.0 };
    for color in colors {
        let own = |c: f32| if c.is_finite() { c * scale } else { 1.0 };
        let [r, g, b] = colour::linear(Format::Ply, [color[0], color[1], color[2]].map(own));
        color[..3].copy_from_slice(&[r, g, b]);
        color[3] = if color[3].is_finite() {
            (color[3] * scale).clamp(0.0, 1.0)
        } else {
            1.0
        };
        if bytes && color[3] < 1.0 / 254.0 {
            color[3] = 1.0;
        }
    }
}

fn triangles(data: &Data) -> Triangles {
    let mut out = Triangles::default();
    let mut cutter = Cutter::default();
    let mut outline: Vec<[f32; 3]> = Vec::new();
    let mut start = 0;
    let looks = !data.face_colors.is_empty() || !data.face_textures.is_empty();
    let wedged = data.wedges.len() == data.corners.len() && !data.wedges.is_empty();
    for (number, &end) in data.ends.iter().enumerate() {
        let face = start..end as usize;
        start = end as usize;
        outline.clear();
        for &corner in &data.corners[face.clone()] {
            outline.extend(data.positions.get(corner as usize));
        }
        if outline.len() < face.len() {
            out.out_of_range += 1;
            continue;
        }
        if !outline.iter().flatten().all(|c| c.is_finite()) {
            out.not_finite += 1;
            continue;
        }
        cutter.cut(&outline, |triangle| {
            if looks {
                out.faces.push(number as u32);
            }
            for corner in triangle.map(|i| face.start + i) {
                out.corners.push(data.corners[corner]);
                if wedged {
                    out.wedges.push(data.wedges[corner]);
                }
            }
        });
    }
    out.given_up = cutter.given_up;
    unroll(data, &mut out);
    out
}

/// The winding of strips alternates; repeated vertices only change direction.
fn unroll(data: &Data, out: &mut Triangles) {
    for strip in data.strips.split(|i| *i == INVALID) {
        for (i, window) in strip.windows(3).enumerate() {
            let (a, b, c) = (window[0], window[1], window[2]);
            if a == b || b == c || a == c {
                continue;
            }
            let corners = if i % 2 == 0 { [a, b, c] } else { [b, a, c] };
            let known = corners.map(|i| data.positions.get(i as usize));
            if known.iter().any(Option::is_none) {
                out.out_of_range += 1;
            } else if !known
                .iter()
                .flatten()
                .copied()
                .flatten()
                .all(|c| c.is_finite())
            {
                out.not_finite += 1;
            } else {
                out.corners.extend(corners);
                if !out.faces.is_empty() {
                    out.faces.push(INVALID);
                }
                if !out.wedges.is_empty() {
                    out.wedges.extend([[0.0; 2]; 3]);
                }
            }
        }
    }
}

fn edges(data: &Data) -> Vec<u32> {
    let good = |i: u32| {
        data.positions
            .get(i as usize)
            .is_some_and(|p| p.iter().all(|c| c.is_finite()))
    };
    data.edges
        .iter()
        .filter(|[a, b]| good(*a) && good(*b))
        .flatten()
        .copied()
        .collect()
}

/// The surface: vertices stay as in the file, but are duplicated where creases or wedge coordinates separate them.
fn surface(data: &Data, triangles: &Triangles) -> Primitive {
    let bare = data.colors.is_empty() && data.uvs.is_empty() && triangles.wedges.is_empty();
    if data.normals.is_empty() && bare && triangles.corners.len() == data.positions.len() {
        // A triangle soup: no vertices are shared, so nothing would be smooth.
        let mut welder = Welder::new(triangles.corners.len() / 6 + 8);
        let welded: Vec<u32> = triangles
            .corners
            .iter()
            .map(|&i| welder.add(data.positions[i as usize]))
            .collect();
        return normals::creased_primitive(&Faces {
            positions: &welder.finish(),
            corners: &welded,
            groups: &[],
            bits: false,
        });
    }
    let (source, mut indices, made) = if data.normals.is_empty() {
        let faces = Faces {
            positions: &data.positions,
            corners: &triangles.corners,
            groups: &[],
            bits: false,
        };
        let made = normals::creased(&faces);
        (made.source, made.corners, made.normals)
    } else {
        as_in_file(data, triangles)
    };
    let mut picks: Vec<u32> = (0..source.len() as u32).collect();
    let mut wedge_uvs = Vec::new();
    if !triangles.wedges.is_empty() {
        (picks, wedge_uvs) = part_wedges(&mut indices, &triangles.wedges);
    }
    let of = |pick: &u32| source[*pick as usize] as usize;
    let mut primitive = Primitive {
        mode: Mode::Triangles,
        positions: picks.iter().map(|p| data.positions[of(p)]).collect(),
        normals: picks.iter().map(|p| made[*p as usize]).collect(),
        indices,
        ..Primitive::default()
    };
    if !data.colors.is_empty() {
        primitive.colors = picks.iter().map(|p| data.colors[of(p)]).collect();
    }
    if !wedge_uvs.is_empty() {
        primitive.uvs.push(wedge_uvs);
    } else if !data.uvs.is_empty() {
        primitive
            .uvs
            .push(picks.iter().map(|p| data.uvs[of(p)]).collect());
    }
    primitive
}

/// Source vertices, indices and normals if the file has normals: all its vertices are kept, unless some are non-finite,
/// then only those in use.
fn as_in_file(data: &Data, triangles: &Triangles) -> (Vec<u32>, Vec<u32>, Vec<[f32; 3]>) {
    if data.positions.iter().flatten().all(|c| c.is_finite()) {
        let source = (0..data.positions.len() as u32).collect();
        return (source, triangles.corners.clone(), data.normals.clone());
    }
    let mut place = vec![INVALID; data.positions.len()];
    let mut source: Vec<u32> = Vec::new();
    let mut indices = triangles.corners.clone();
    for index in &mut indices {
        let at = &mut place[*index as usize];
        if *at == INVALID {
            *at = source.len() as u32;
            source.push(*index);
        }
        *index = *at;
    }
    let normals = source.iter().map(|&i| data.normals[i as usize]).collect();
    (source, indices, normals)
}

/// Gives every distinct (vertex, coordinate) pair its own vertex.
fn part_wedges(indices: &mut [u32], wedges: &[[f32; 2]]) -> (Vec<u32>, Vec<[f32; 2]>) {
    let mut known: HashMap<(u32, u32, u32), u32> = HashMap::new();
    let (mut picks, mut uvs) = (Vec::new(), Vec::new());
    for (index, wedge) in indices.iter_mut().zip(wedges) {
        let key = (*index, wedge[0].to_bits(), wedge[1].to_bits());
        *index = *known.entry(key).or_insert_with(|| {
            picks.push(key.0);
            uvs.push(*wedge);
            picks.len() as u32 - 1
        });
    }
    (picks, uvs)
}

/// Lines or points: the listed vertices in that order, one each.
fn listed(data: &Data, mode: Mode, list: &[u32]) -> Primitive {
    let mut place = HashMap::new();
    let mut picks: Vec<u32> = Vec::new();
    let mut indices = Vec::with_capacity(list.len());
    if mode == Mode::Points {
        picks.extend(list);
        indices.extend(0..list.len() as u32);
    } else {
        for &vertex in list {
            indices.push(*place.entry(vertex).or_insert_with(|| {
                picks.push(vertex);
                picks.len() as u32 - 1
            }));
        }
    }
    let mut primitive = Primitive {
        mode,
        indices,
        positions: picked(&data.positions, &picks),
        colors: picked(&data.colors, &picks),
        ..Primitive::default()
    };
    if mode == Mode::Points {
        primitive.normals = picked(&data.normals, &picks);
    }
    primitive
}
