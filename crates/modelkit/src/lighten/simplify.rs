//! Simplification of all primitives at once, under one error budget.
//!
//! All triangles of the scene go into one list in world space, so that the
//! simplifier spends its error where it costs least, whichever part that is, and
//! neighbouring parts stay joined. Attributes are scaled to world distances: a UV
//! that slides by a millimetre on the surface weighs like a millimetre of shape.

use super::protect::{self, Shared};
use crate::Result;
use crate::progress::{Ctx, Stage};
use crate::scene::math::{self, Mat4};
use crate::scene::{Bounds, Mode, Primitive, Problem, Scene, Severity};
use meshopt::{SimplifyOptions, SimplifyVertex};

/// Weight of a normal that turns by one radian, as a part of the scene's extent.
const NORMAL_WEIGHT: f32 = 0.02;
/// Weight of a UV shift against a shift of shape of the same length.
const UV_WEIGHT: f32 = 0.5;
/// Weight of a colour that changes from black to white, as a part of the extent.
const COLOR_WEIGHT: f32 = 0.05;
/// Weight of a vertex that goes over from one joint to another, as a part of the extent:
/// what bends must keep its rings, also where the rest pose is straight.
const JOINT_WEIGHT: f32 = 0.1;
/// Weight of a morph offset against a shift of shape of the same length.
const MORPH_WEIGHT: f32 = 0.5;
/// Floats of attributes a vertex: normal, UV, colour.
const WIDTH: usize = 8;
/// The same with joints and morph offsets.
const DEFORMING_WIDTH: usize = 14;
/// Error over the diagonal from which crossing attribute seams is worth a try.
const UGLY: f64 = 0.01;

pub struct Done {
    /// Over the bounding-box diagonal.
    pub error: f64,
    pub problems: Vec<Problem>,
}

/// One primitive's place in the shared list.
struct Part {
    mesh: usize,
    primitive: usize,
    /// World, moved to the scene's centre, to local.
    inverse: Mat4,
    /// World length of one UV unit over the extent.
    uv_scale: f32,
}

/// All triangles of a scene in one list.
struct Pool {
    parts: Vec<Part>,
    offsets: Vec<usize>,
    positions: Vec<[f32; 3]>,
    /// `width` a vertex, or empty when nothing has attributes.
    attributes: Vec<f32>,
    /// `WIDTH` or `DEFORMING_WIDTH`.
    width: usize,
    indices: Vec<u32>,
    diagonal: f64,
}

struct Run {
    indices: Vec<u32>,
    positions: Vec<[f32; 3]>,
    attributes: Vec<f32>,
    /// Over the diagonal.
    error: f64,
    sloppy: bool,
}

pub fn to_count(scene: &mut Scene, wanted: usize, ctx: &Ctx) -> Result<Done> {
    if scene.triangle_count() <= wanted {
        return Ok(Done {
            error: 0.0,
            problems: Vec::new(),
        });
    }
    ctx.report(Stage::Simplify, 0.05, "正在准备减面")?;
    let pool = gather(scene);
    let run = reach(&pool, wanted, ctx)?;
    finish(scene, &pool, &run, ctx)
}

pub fn to_error(scene: &mut Scene, error: f64, ctx: &Ctx) -> Result<Done> {
    ctx.report(Stage::Simplify, 0.05, "正在准备减面")?;
    let pool = gather(scene);
    if pool.indices.is_empty() {
        return Ok(Done {
            error: 0.0,
            problems: Vec::new(),
        });
    }
    let limit = (error * pool.diagonal) as f32;
    let run = simplify(&pool, 0, limit, SimplifyOptions::None, None);
    finish(scene, &pool, &run, ctx)
}

/// As [`to_count`] in one run, with the vertices for whose position `locked` answers
/// true left exactly where they are, and the edges between them.
pub fn keeping(
    scene: &mut Scene,
    wanted: usize,
    locked: &dyn Fn([f32; 3]) -> bool,
    ctx: &Ctx,
) -> Result<Done> {
    if scene.triangle_count() <= wanted {
        return Ok(Done {
            error: 0.0,
            problems: Vec::new(),
        });
    }
    let pool = gather(scene);
    let mut flags = Vec::with_capacity(pool.positions.len());
    for part in &pool.parts {
        let primitive = &scene.meshes[part.mesh].primitives[part.primitive];
        flags.extend(primitive.positions.iter().map(|p| match locked(*p) {
            true => SimplifyVertex::Lock,
            false => SimplifyVertex::None,
        }));
    }
    let run = simplify(&pool, wanted, f32::MAX, SimplifyOptions::None, Some(&flags));
    finish(scene, &pool, &run, ctx)
}

fn finish(scene: &mut Scene, pool: &Pool, run: &Run, ctx: &Ctx) -> Result<Done> {
    ctx.report(Stage::Simplify, 0.9, "正在整理减面结果")?;
    scatter(scene, pool, run);
    let mut problems = Vec::new();
    if run.sloppy {
        problems.push(Problem::new(
            "sloppy-simplification",
            Severity::Warning,
            "",
            "目标过低，已改用不保留拓扑的粗略减面，细节和贴图接缝可能变形",
            "如外观不可接受，请提高保留比例",
        ));
    }
    Ok(Done {
        error: run.error,
        problems,
    })
}

/// Runs that give up more and more of the attribute seams, until the count is met
/// at an error that cannot be seen. Later runs must be clearly better than earlier
/// ones, for they are harder on the texture.
fn reach(pool: &Pool, wanted: usize, ctx: &Ctx) -> Result<Run> {
    let uvs = uvs(pool);
    let shared = Shared {
        positions: &pool.positions,
        uvs: &uvs,
        offsets: &pool.offsets,
    };
    let permissive = SimplifyOptions::Permissive;
    let steps = [
        (SimplifyOptions::None, None),
        (permissive, Some(true)),
        (permissive, Some(false)),
        (permissive | SimplifyOptions::Prune, Some(false)),
    ];
    let mut best: Option<Run> = None;
    for (step, (options, protect)) in steps.into_iter().enumerate() {
        if best
            .as_ref()
            .is_some_and(|b| fits(b, wanted) && (b.error < UGLY || step == 3))
        {
            break;
        }
        ctx.report(Stage::Simplify, 0.1 + 0.17 * step as f64, "正在减面")?;
        let flags = protect.map(|uv_seams| protect::flags(&shared, uv_seams));
        let run = simplify(pool, wanted, f32::MAX, options, flags.as_deref());
        if best.as_ref().is_none_or(|b| better(&run, b, wanted)) {
            best = Some(run);
        }
    }
    let best = match best {
        Some(best) if fits(&best, wanted) => best,
        Some(best) => {
            ctx.report(Stage::Simplify, 0.8, "正在减面")?;
            let run = sloppy(pool, wanted);
            if better(&run, &best, wanted) {
                run
            } else {
                best
            }
        }
        None => sloppy(pool, wanted),
    };
    Ok(best)
}

/// At most a percent above the count, and not far below it either: a run that
/// throws whole parts away has not met the target.
fn fits(run: &Run, wanted: usize) -> bool {
    let (count, wanted) = ((run.indices.len() / 3) as f64, wanted as f64);
    count > 0.0
        && count <= wanted * 1.01 + 1.0
        && count >= wanted * if run.sloppy { 0.5 } else { 0.9 } - 2.0
}

fn better(new: &Run, old: &Run, wanted: usize) -> bool {
    match (fits(old, wanted), fits(new, wanted)) {
        (true, true) => new.error < old.error * 0.7,
        (false, true) => true,
        (true, false) => false,
        (false, false) => new.indices.len() < old.indices.len() && new.indices.len() / 3 >= wanted,
    }
}

fn gather(scene: &Scene) -> Pool {
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
        for (primitive, p) in scene.meshes[mesh].primitives.iter().enumerate() {
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
            pool.indices
                .extend(p.indices.iter().map(|&i| base as u32 + i));
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

/// Where each mesh stands: its first node's matrix, or for skins that of the first
/// joint in the rest pose; the scene's centre is moved to the origin, which keeps
/// single precision fine-grained.
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
        let skin = node.skin.and_then(|s| scene.skins.get(s as usize));
        let joint = skin.and_then(|s| Some((*s.joints.first()?, s.inverse_bind.first()?)));
        let matrix = match joint {
            Some((joint, bind)) => {
                let joint = world.get(joint as usize).copied().unwrap_or(math::IDENTITY);
                math::mul(&joint, &bind.map(f64::from))
            }
            None => world[index as usize],
        };
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

/// World length of a UV unit: root of the ratio of the areas.
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

/// Appends the attributes of a primitive; with an `extent`, joints and morphs too.
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

/// Each joint is given a direction of its own; their weighted sum changes where the
/// weights change.
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

/// Sum of the morph offsets over the extent, each with a factor of its own so that
/// opposite ones do not cancel out.
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

/// A number in -1…1 that differs from those of the neighbours.
fn scattered(i: u32) -> f32 {
    let mixed = (i.wrapping_add(1)).wrapping_mul(2_654_435_761) ^ (i << 7);
    (mixed >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn uvs(pool: &Pool) -> Vec<[f32; 2]> {
    pool.attributes
        .chunks_exact(pool.width)
        .map(|a| [a[3], a[4]])
        .collect()
}

fn simplify(
    pool: &Pool,
    wanted: usize,
    limit: f32,
    options: SimplifyOptions,
    flags: Option<&[SimplifyVertex]>,
) -> Run {
    let mut run = Run {
        indices: pool.indices.clone(),
        positions: pool.positions.clone(),
        attributes: pool.attributes.clone(),
        error: 0.0,
        sloppy: false,
    };
    const N: f32 = NORMAL_WEIGHT;
    const C: f32 = COLOR_WEIGHT;
    const J: f32 = JOINT_WEIGHT;
    const M: f32 = MORPH_WEIGHT;
    let weights: [f32; DEFORMING_WIDTH] =
        [N, N, N, UV_WEIGHT, UV_WEIGHT, C, C, C, J, J, J, M, M, M];
    let attributed = !run.attributes.is_empty();
    let mut error = 0.0;
    let left = meshopt::simplify_with_update(
        &mut run.indices,
        &mut run.positions,
        &mut run.attributes,
        if attributed {
            &weights[..pool.width]
        } else {
            &[]
        },
        if attributed {
            pool.width * size_of::<f32>()
        } else {
            0
        },
        flags,
        wanted * 3,
        limit,
        options | SimplifyOptions::ErrorAbsolute,
        Some(&mut error),
    );
    run.indices.truncate(left);
    run.error = f64::from(error) / pool.diagonal;
    run
}

/// The last resort: merges vertices on a grid, without regard to topology.
fn sloppy(pool: &Pool, wanted: usize) -> Run {
    let mut error = 0.0;
    let indices = meshopt::simplify_sloppy_decoder(
        &pool.indices,
        &pool.positions,
        wanted * 3,
        f32::MAX,
        Some(&mut error),
    );
    let scale = f64::from(meshopt::simplify_scale_decoder(&pool.positions));
    Run {
        indices,
        positions: pool.positions.clone(),
        attributes: pool.attributes.clone(),
        error: f64::from(error) * scale / pool.diagonal,
        sloppy: true,
    }
}

/// Gives every primitive its triangles and moved vertices back.
fn scatter(scene: &mut Scene, pool: &Pool, run: &Run) {
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
        // Only the sloppy mode joins vertices of different primitives.
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

/// Takes over moved positions and attributes. Skinned and morphing primitives keep
/// theirs: their weights and offsets belong to the vertex as it was.
fn move_vertices(p: &mut Primitive, pool: &Pool, run: &Run, part: usize) {
    if !p.skin_sets.is_empty() || !p.targets.is_empty() || run.sloppy {
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

/// Meshes that lost everything are taken off their nodes; the nodes stay.
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

/// Clips must not drive morph weights of a mesh that is gone.
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
