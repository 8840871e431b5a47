//! Gathers all triangles of a scene in one list, and writes them back.
//! The list is in world space, its attributes scaled to world distances: a UV shift of a millimetre on the surface
//! weighs like a millimetre of shape.

use crate::scene::math::{self, Mat4};
use crate::scene::{Bounds, Mode, Primitive, Scene};

/// Attribute floats per vertex: normal, UV, colour.
pub const WIDTH: usize = 8;
/// The same with joints and morph offsets.
pub const DEFORMING_WIDTH: usize = 14;
/// One primitive's range in the shared list.
pub struct Part {
    pub mesh: usize,
    pub primitive: usize,
    /// From world space, centred on the scene, to local space.
    inverse: Mat4,
    /// World length of one UV unit, relative to the extent.
    uv_scale: f32,
}

/// All triangles of a scene in one list.
pub struct Pool {
    pub parts: Vec<Part>,
    /// First vertex of each part.
    pub offsets: Vec<usize>,
    pub positions: Vec<[f32; 3]>,
    /// `width` floats per vertex, or empty if nothing has attributes.
    pub attributes: Vec<f32>,
    /// `WIDTH` or `DEFORMING_WIDTH`.
    pub width: usize,
    pub indices: Vec<u32>,
    pub diagonal: f64,
}

/// Takes the triangles out of the scene; [`scatter`] writes the remaining ones back.
pub fn gather(scene: &mut Scene) -> Pool {
    let bounds = scene.bounds();
    let matrices = mesh_matrices(scene, &bounds);
    let diagonal = bounds.diagonal();
    let extent = bounds.size().into_iter().fold(0.0, f64::max).max(1e-12);
    let deforms = |p: &Primitive| !p.skin_sets.is_empty() || !p.targets.is_empty();
    let deforming = scene.meshes.iter().flat_map(|m| &m.primitives).any(deforms);
    let mut pool = Pool {
        parts: Vec::new(),
        offsets: Vec::new(),
        positions: Vec::new(),
        attributes: Vec::new(),
        width: if deforming { DEFORMING_WIDTH } else { WIDTH },
        indices: Vec::new(),
        diagonal: if diagonal > 0.0 { diagonal } else { 1.0 },
    };
    let has = |p: &Primitive| !p.normals.is_empty() || !p.uvs.is_empty() || !p.colors.is_empty();
    let attributed = deforming || scene.meshes.iter().flat_map(|m| &m.primitives).any(has);
    for (mesh, matrix) in matrices.iter().enumerate() {
        for (primitive, p) in scene.meshes[mesh].primitives.iter_mut().enumerate() {
            if p.mode != Mode::Triangles || p.indices.is_empty() {
                continue;
            }
            let inverse = math::inverse_affine(matrix).unwrap_or(math::IDENTITY);
            let base = pool.positions.len();
            pool.positions.extend(
                p.positions
                    .iter()
                    .map(|&v| math::point(matrix, v).map(|x| x as f32)),
            );
            let uv_scale = (uv_length(p, &pool.positions[base..]) / extent) as f32;
            if attributed {
                push_attributes(
                    &mut pool.attributes,
                    p,
                    matrix,
                    uv_scale,
                    deforming.then_some(extent),
                );
            }
            match pool.indices.is_empty() {
                true => pool.indices = std::mem::take(&mut p.indices),
                false => {
                    let own = std::mem::take(&mut p.indices);
                    pool.indices
                        .extend(own.into_iter().map(|i| base as u32 + i));
                }
            }
            pool.offsets.push(base);
            pool.parts.push(Part {
                mesh,
                primitive,
                inverse,
                uv_scale,
            });
        }
    }
    pool
}

/// World matrix of each mesh: its first node's, or for skins that of the first joint in the rest pose; translated so
/// that the scene's centre is the origin, which preserves single precision.
fn mesh_matrices(scene: &Scene, bounds: &Bounds) -> Vec<Mat4> {
    let world = scene.world_matrices();
    let mut out: Vec<Option<Mat4>> = vec![None; scene.meshes.len()];
    for index in scene.walk() {
        let node = &scene.nodes[index as usize];
        let Some(slot) = node.mesh.and_then(|m| out.get_mut(m as usize)) else {
            continue;
        };
        if slot.is_some() {
            continue;
        }
        let matrix = drawn_matrix(scene, index as usize, &world);
        *slot = Some(matrix);
    }
    let center = bounds.center();
    let place = |matrix: Option<Mat4>| {
        let mut m = matrix.unwrap_or(math::IDENTITY);
        if math::inverse_affine(&m).is_none() || !m.iter().all(|v| v.is_finite()) {
            m = math::IDENTITY;
        }
        for axis in 0..3 {
            m[12 + axis] -= center[axis];
        }
        m
    };
    out.into_iter().map(place).collect()
}

/// What takes the positions of a node's mesh to the world in the rest pose: that of the node, or with a skin that of its
/// first joint.
pub fn drawn_matrix(scene: &Scene, index: usize, world: &[Mat4]) -> Mat4 {
    let node = scene.nodes.get(index);
    let skin = node.and_then(|n| scene.skins.get(n.skin? as usize));
    let joint = skin.and_then(|s| Some((*s.joints.first()?, s.inverse_bind.first()?)));
    let at = |index: usize| world.get(index).copied().unwrap_or(math::IDENTITY);
    match joint {
        Some((joint, bind)) => math::mul(&at(joint as usize), &bind.map(f64::from)),
        None => at(index),
    }
}

/// World length of a UV unit: the square root of the ratio of areas.
fn uv_length(p: &Primitive, world: &[[f32; 3]]) -> f64 {
    let Some(uvs) = p.uvs.first() else { return 0.0 };
    let (mut area, mut uv_area) = (0.0, 0.0);
    for t in p.indices.as_chunks::<3>().0 {
        let [a, b, c] = t.map(|i| world[i as usize].map(f64::from));
        let normal = math::cross(math::sub(b, a), math::sub(c, a));
        area += math::dot(normal, normal).sqrt();
        let [u, v, w] = t.map(|i| uvs[i as usize].map(f64::from));
        uv_area += ((v[0] - u[0]) * (w[1] - u[1]) - (w[0] - u[0]) * (v[1] - u[1])).abs();
    }
    if uv_area > 1e-20 && area.is_finite() && uv_area.is_finite() {
        (area / uv_area).sqrt()
    } else {
        0.0
    }
}

/// Appends the attributes of a primitive; with an `extent`, joints and morph targets too.
fn push_attributes(
    out: &mut Vec<f32>,
    p: &Primitive,
    matrix: &Mat4,
    uv_scale: f32,
    extent: Option<f64>,
) {
    let normal_matrix = math::normal_matrix(matrix);
    for vertex in 0..p.positions.len() {
        let normal = p.normals.get(vertex).map_or([0.0; 3], |&n| {
            let unit = math::normalize(math::direction(&normal_matrix, n));
            unit.unwrap_or_default().map(|v| v as f32)
        });
        let uv = p
            .uvs
            .first()
            .and_then(|s| s.get(vertex))
            .map_or([0.0; 2], |uv| uv.map(|v| v * uv_scale));
        let color = p
            .colors
            .get(vertex)
            .map_or([0.0; 3], |c| [c[0], c[1], c[2]]);
        out.extend(normal);
        out.extend(uv);
        out.extend(color);
        if let Some(extent) = extent {
            out.extend(joint_mix(p, vertex));
            out.extend(morph_mix(p, vertex, matrix, extent));
        }
    }
}

/// Each joint has a direction of its own; their weighted sum changes where the weights change.
fn joint_mix(p: &Primitive, vertex: usize) -> [f32; 3] {
    let mut sum = [0.0; 3];
    for set in &p.skin_sets {
        let (Some(joints), Some(weights)) = (set.joints.get(vertex), set.weights.get(vertex))
        else {
            continue;
        };
        for (joint, weight) in joints.iter().zip(weights) {
            for (axis, total) in sum.iter_mut().enumerate() {
                *total += scattered(u32::from(*joint) * 3 + axis as u32) * weight;
            }
        }
    }
    sum
}

/// Sum of the morph offsets relative to the extent, each with a factor of its own so that opposite ones do not cancel.
fn morph_mix(p: &Primitive, vertex: usize, matrix: &Mat4, extent: f64) -> [f32; 3] {
    let mut sum = [0.0; 3];
    for (i, target) in p.targets.iter().enumerate() {
        let Some(offset) = target.positions.get(vertex) else {
            continue;
        };
        let factor = 1.0 + 0.5 * scattered(i as u32);
        for (total, v) in sum.iter_mut().zip(math::direction(matrix, *offset)) {
            *total += (v / extent) as f32 * factor;
        }
    }
    sum
}

/// A pseudo-random number in -1…1, different for neighbouring `i`.
fn scattered(i: u32) -> f32 {
    let mixed = (i.wrapping_add(1)).wrapping_mul(2_654_435_761) ^ (i << 7);
    (mixed >> 8) as f32 / (1 << 23) as f32 - 1.0
}

pub fn uvs(pool: &Pool) -> Vec<[f32; 2]> {
    pool.attributes
        .chunks_exact(pool.width)
        .map(|a| [a[3], a[4]])
        .collect()
}

/// The remainder of a pool after simplification.
pub struct Left {
    pub indices: Vec<u32>,
    /// As many as in the pool, moved or not.
    pub positions: Vec<[f32; 3]>,
    pub attributes: Vec<f32>,
}

/// Writes triangles and moved vertices back to every primitive.
pub fn scatter(scene: &mut Scene, pool: &Pool, run: &Left) {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); pool.parts.len()];
    let owner = |vertex: u32| pool.offsets.partition_point(|&o| o <= vertex as usize) - 1;
    for &[a, b, c] in run.indices.as_chunks::<3>().0 {
        let part = owner(a);
        let base = pool.offsets[part] as u32;
        let end = pool
            .offsets
            .get(part + 1)
            .copied()
            .unwrap_or(pool.positions.len()) as u32;
        // Only the sloppy mode merges vertices of different primitives.
        if (base..end).contains(&b) && (base..end).contains(&c) {
            lists[part].extend([a - base, b - base, c - base]);
        }
    }
    for (part, list) in lists.into_iter().enumerate() {
        let place = &pool.parts[part];
        let primitive = &mut scene.meshes[place.mesh].primitives[place.primitive];
        move_vertices(primitive, pool, run, part);
        primitive.indices = list;
    }
    for mesh in &mut scene.meshes {
        mesh.primitives
            .retain(|p| p.mode != Mode::Triangles || !p.indices.is_empty());
    }
    drop_empty_meshes(scene);
}

/// Applies moved positions and attributes. Skinned and morphing primitives keep theirs: weights and offsets belong to
/// the vertex at its old place.
fn move_vertices(p: &mut Primitive, pool: &Pool, run: &Left, part: usize) {
    if !p.skin_sets.is_empty() || !p.targets.is_empty() {
        return;
    }
    let (place, base) = (&pool.parts[part], pool.offsets[part]);
    let count = p.positions.len();
    for i in 0..count {
        let (before, after) = (pool.positions[base + i], run.positions[base + i]);
        if before != after && after.iter().all(|v| v.is_finite()) {
            p.positions[i] = math::point(&place.inverse, after).map(|v| v as f32);
        }
    }
    let back = math::normal_matrix(&place.inverse);
    let rows = run
        .attributes
        .chunks_exact(pool.width)
        .skip(base)
        .take(count);
    let old = pool.attributes.chunks_exact(pool.width).skip(base);
    for (i, (row, old)) in rows.zip(old).enumerate() {
        if row == old || !row.iter().all(|v| v.is_finite()) {
            continue;
        }
        if let Some(normal) = p.normals.get_mut(i)
            && let Some(unit) = math::normalize(math::direction(&back, [row[0], row[1], row[2]]))
        {
            *normal = unit.map(|v| v as f32);
        }
        if place.uv_scale > 0.0
            && let Some(uv) = p.uvs.first_mut().and_then(|s| s.get_mut(i))
        {
            *uv = [row[3] / place.uv_scale, row[4] / place.uv_scale];
        }
        if let Some(color) = p.colors.get_mut(i) {
            *color = [
                row[5].clamp(0.0, 1.0),
                row[6].clamp(0.0, 1.0),
                row[7].clamp(0.0, 1.0),
                color[3],
            ];
        }
    }
}

/// Removes meshes without triangles from their nodes; the nodes stay.
fn drop_empty_meshes(scene: &mut Scene) {
    for node in &mut scene.nodes {
        let empty = node
            .mesh
            .and_then(|m| scene.meshes.get(m as usize))
            .is_some_and(|m| m.primitives.is_empty());
        if empty {
            node.mesh = None;
            node.skin = None;
            node.weights.clear();
        }
    }
    let gone: Vec<bool> = scene
        .meshes
        .iter()
        .map(|m| !m.primitives.is_empty())
        .collect();
    if gone.iter().all(|kept| *kept) {
        return;
    }
    super::prune::unused(scene);
    drop_weight_channels(scene);
}

/// Drops channels that animate morph weights of a removed mesh.
fn drop_weight_channels(scene: &mut Scene) {
    let nodes = &scene.nodes;
    for animation in &mut scene.animations {
        animation.channels.retain(|c| {
            c.path != crate::scene::AnimationPath::Weights
                || nodes.get(c.node as usize).is_some_and(|n| n.mesh.is_some())
        });
    }
    scene.animations.retain(|a| !a.channels.is_empty());
}
