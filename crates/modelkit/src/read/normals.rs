//! Computes normals for geometry without any.
//!
//! The faces around every position are grouped into fans: two faces belong together if they share an edge and either
//! have a smoothing group in common or meet at less than the crease angle. Each fan gets one normal, weighted by the
//! corner angle (Thürmer and Wüthrich 1998), so that a machine part keeps its edges and a scan stays smooth.

use crate::scene::Primitive;
use crate::scene::vec3::{cross, dot, sub};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU16, Ordering};

/// Cosine of the crease angle, 44°: a 45° chamfer keeps its edge, a cylinder
/// of ten sides stays round.
pub const CREASE_COSINE: f32 = 0.719_34;

/// Most fans at one position.
const MOST_FANS: usize = u16::MAX as usize;

/// Positions processed by one task.
const BLOCK: usize = 32 * 1024;

/// The lists of corners around positions are built for this many parts of a mesh, one after the other: each part costs
/// a pass over all corners, and saves its share of the list's memory.
const PARTS: usize = 4;

/// Minimum positions per part, so that there is work for every core.
pub const LEAST_PART: usize = 8 * BLOCK;

/// Result of [`creased`]; `normals[i]` belongs to position `source[i]`.
pub struct Creased {
    /// Unit normals.
    pub normals: Vec<[f32; 3]>,
    /// Index of the position each normal belongs to.
    pub source: Vec<u32>,
    /// One entry per corner of the input: index into `normals`.
    pub corners: Vec<u32>,
}

/// The faces of one mesh.
pub struct Faces<'a> {
    pub positions: &'a [[f32; 3]],
    /// Three position indices per triangle; all must be in range.
    pub corners: &'a [u32],
    /// Smoothing group of each triangle, 0 for none; empty if the file has no smoothing information.
    pub groups: &'a [u32],
    /// Groups are bit sets: faces with a common bit are smooth together.
    pub bits: bool,
}

impl Faces<'_> {
    fn point(&self, corner: usize) -> [f32; 3] {
        self.positions[self.corners[corner] as usize]
    }

    /// Unit normal of a triangle, or zero.
    fn normal(&self, triangle: usize) -> [f32; 3] {
        let [a, b, c] = [0, 1, 2].map(|k| self.point(triangle * 3 + k));
        normalize(cross(sub(b, a), sub(c, a))).unwrap_or([0.0; 3])
    }

    /// Whether the edge between two neighbouring triangles is smooth; each is given with its index in `normals`.
    fn smooth(&self, normals: &[[f32; 3]], a: (usize, usize), b: (usize, usize)) -> bool {
        if let (Some(&group_a), Some(&group_b)) = (self.groups.get(a.0), self.groups.get(b.0)) {
            return match self.bits {
                true => group_a & group_b != 0,
                false => group_a == group_b && group_a != 0,
            };
        }
        let (na, nb) = (normals[a.1], normals[b.1]);
        // A degenerate triangle has no normal and must not separate its neighbours.
        na == [0.0; 3] || nb == [0.0; 3] || dot(na, nb) >= CREASE_COSINE
    }
}

/// Computes normals with creases. `corners.len()` must be a multiple of three.
/// Data per corner dominates a reader's memory, so it is kept small: for one part of the positions at a time the list
/// of the corners around each, and for every corner the number of its fan at its position.
pub fn creased(faces: &Faces) -> Creased {
    let fans: Vec<AtomicU16> = (0..faces.corners.len())
        .map(|_| AtomicU16::new(0))
        .collect();
    let count = faces.positions.len();
    let part = count
        .div_ceil(PARTS)
        .next_multiple_of(BLOCK)
        .max(LEAST_PART);
    let mut blocks: Vec<Block> = Vec::with_capacity(count.div_ceil(BLOCK));
    for first in (0..count).step_by(part) {
        let positions = first..count.min(first + part);
        let (starts, incident) = incidence(faces, &positions);
        blocks.par_extend(
            (0..positions.len().div_ceil(BLOCK))
                .into_par_iter()
                .map(|block| {
                    let first = block * BLOCK;
                    let last = (first + BLOCK).min(positions.len());
                    gather_block(faces, &starts[first..=last], &incident, &fans)
                }),
        );
    }

    let total = blocks.iter().map(|block| block.normals.len()).sum();
    let mut normals = Vec::with_capacity(total);
    let mut source = Vec::with_capacity(total);
    // Index of the first normal of each position.
    let mut firsts = Vec::with_capacity(faces.positions.len());
    for block in blocks {
        normals.extend_from_slice(&block.normals);
        for count in block.counts {
            let position = firsts.len() as u32;
            firsts.push(source.len() as u32);
            source.extend(std::iter::repeat_n(position, usize::from(count)));
        }
    }
    let corners = faces
        .corners
        .iter()
        .zip(fans)
        .map(|(&position, fan)| firsts[position as usize] + u32::from(fan.into_inner()))
        .collect();
    Creased {
        normals,
        source,
        corners,
    }
}

/// Converts triangles to a primitive with normals; a vertex on a crease is duplicated for each side.
pub fn creased_primitive(faces: &Faces) -> Primitive {
    let made = creased(faces);
    let position = |&index: &u32| faces.positions[index as usize];
    Primitive {
        positions: made.source.iter().map(position).collect(),
        normals: made.normals,
        indices: made.corners,
        ..Primitive::default()
    }
}

/// Corners around each of `positions` in ascending order, as offsets and one flat list.
fn incidence(faces: &Faces, positions: &Range<usize>) -> (Vec<u32>, Vec<u32>) {
    let place = |position: u32| {
        let place = (position as usize).wrapping_sub(positions.start);
        (place < positions.len()).then_some(place)
    };
    let mut starts = vec![0u32; positions.len() + 1];
    let mut total = 0;
    for place in faces.corners.iter().filter_map(|&position| place(position)) {
        starts[place] += 1;
        total += 1;
    }
    // The ends of the lists; filled from the back, each end becomes a start.
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    let mut incident = vec![0u32; total];
    for (corner, &position) in faces.corners.iter().enumerate().rev() {
        if let Some(place) = place(position) {
            starts[place] -= 1;
            incident[starts[place] as usize] = corner as u32;
        }
    }
    (starts, incident)
}

struct Block {
    normals: Vec<[f32; 3]>,
    /// Number of normals at each position.
    counts: Vec<u16>,
}

/// Reusable buffers of one task.
#[derive(Default)]
struct Scratch {
    /// (neighbouring position, local face) for both edges of every corner.
    edges: Vec<(u32, u32)>,
    parent: Vec<u32>,
    /// Normals of the faces around the position.
    normals: Vec<[f32; 3]>,
    group: Vec<u16>,
}

fn gather_block(faces: &Faces, starts: &[u32], incident: &[u32], fans: &[AtomicU16]) -> Block {
    let mut block = Block {
        normals: Vec::new(),
        counts: Vec::with_capacity(starts.len() - 1),
    };
    let mut scratch = Scratch::default();
    for pair in starts.windows(2) {
        let corners = &incident[pair[0] as usize..pair[1] as usize];
        let before = block.normals.len();
        if !corners.is_empty() {
            scratch.normals.clear();
            let normal = |&corner: &u32| faces.normal(corner as usize / 3);
            scratch.normals.extend(corners.iter().map(normal));
            join_fans(faces, corners, &mut scratch);
            add_normals(faces, corners, &mut scratch, &mut block.normals, fans);
        }
        block.counts.push((block.normals.len() - before) as u16);
    }
    block
}

fn join_fans(faces: &Faces, corners: &[u32], scratch: &mut Scratch) {
    scratch.edges.clear();
    scratch.parent.clear();
    for (local, &corner) in corners.iter().enumerate() {
        let corner = corner as usize;
        let triangle = corner / 3 * 3;
        let side = corner - triangle;
        scratch
            .edges
            .push((faces.corners[triangle + (side + 1) % 3], local as u32));
        scratch
            .edges
            .push((faces.corners[triangle + (side + 2) % 3], local as u32));
        scratch.parent.push(local as u32);
    }
    scratch.edges.sort_unstable();
    for pair in scratch.edges.windows(2) {
        let [(neighbour_a, a), (neighbour_b, b)] = [pair[0], pair[1]];
        if neighbour_a != neighbour_b || a == b {
            continue;
        }
        let side = |local: u32| (corners[local as usize] as usize / 3, local as usize);
        if faces.smooth(&scratch.normals, side(a), side(b)) {
            let (ra, rb) = (find(&mut scratch.parent, a), find(&mut scratch.parent, b));
            scratch.parent[ra as usize] = rb;
        }
    }
}

fn add_normals(
    faces: &Faces,
    corners: &[u32],
    scratch: &mut Scratch,
    normals: &mut Vec<[f32; 3]>,
    fans: &[AtomicU16],
) {
    let base = normals.len();
    scratch.group.clear();
    scratch.group.resize(corners.len(), u16::MAX);
    for (local, &corner) in corners.iter().enumerate() {
        let root = find(&mut scratch.parent, local as u32) as usize;
        if scratch.group[root] == u16::MAX {
            // Further fans at one position share the last number.
            let next = (normals.len() - base).min(MOST_FANS - 1);
            scratch.group[root] = next as u16;
            if base + next == normals.len() {
                normals.push([0.0; 3]);
            }
        }
        let fan = scratch.group[root];
        fans[corner as usize].store(fan, Ordering::Relaxed);
        let weight = corner_angle(faces, corner as usize);
        let sum = &mut normals[base + usize::from(fan)];
        for (sum, axis) in sum.iter_mut().zip(scratch.normals[local]) {
            *sum += axis * weight;
        }
    }
    for normal in &mut normals[base..] {
        // Faces that cancel out, or only degenerate ones: any direction will do, but it must have unit length.
        *normal = normalize(*normal).unwrap_or([0.0, 1.0, 0.0]);
    }
}

fn find(parent: &mut [u32], mut at: u32) -> u32 {
    while parent[at as usize] != at {
        let above = parent[parent[at as usize] as usize];
        parent[at as usize] = above;
        at = above;
    }
    at
}

fn corner_angle(faces: &Faces, corner: usize) -> f32 {
    let triangle = corner / 3 * 3;
    let side = corner - triangle;
    let here = faces.point(corner);
    let to_a = normalize(sub(faces.point(triangle + (side + 1) % 3), here));
    let to_b = normalize(sub(faces.point(triangle + (side + 2) % 3), here));
    match (to_a, to_b) {
        (Some(a), Some(b)) => dot(a, b).clamp(-1.0, 1.0).acos(),
        _ => 0.0,
    }
}

/// Unit vector, or `None` for zero and non-finite lengths. Scaled first, so that tiny and huge models neither underflow
/// nor overflow.
pub fn normalize(v: [f32; 3]) -> Option<[f32; 3]> {
    let largest = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if largest == 0.0 || !largest.is_finite() {
        return None;
    }
    let scaled = [v[0] / largest, v[1] / largest, v[2] / largest];
    let length = dot(scaled, scaled).sqrt();
    if !length.is_finite() || length == 0.0 {
        return None;
    }
    Some([scaled[0] / length, scaled[1] / length, scaled[2] / length])
}
