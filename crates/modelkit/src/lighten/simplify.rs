//! Simplification of all primitives at once, under one error budget.
//!
//! All triangles of the scene go into one list in world space, so that the simplifier spends its error where it costs
//! least, in any part, and neighbouring parts stay connected.

use super::fit;
use super::pool::{DEFORMING_WIDTH, Left, Pool, gather, scatter, uvs};
use super::protect::{self, Shared};
use crate::Result;
use crate::progress::{Ctx, Stage};
use crate::scene::{Problem, Scene, Severity};
use meshopt::{SimplifyOptions, SimplifyVertex};

/// Weight of a normal's rotation by one radian, relative to the scene's extent.
const NORMAL_WEIGHT: f32 = 0.02;
/// Weight of a UV shift relative to a shift in shape of the same length.
const UV_WEIGHT: f32 = 0.5;
/// Weight of a colour change from black to white, relative to the extent.
const COLOR_WEIGHT: f32 = 0.05;
/// Weight of a vertex changing from one joint to another, relative to the extent: bending parts must keep their edge
/// loops, even if the rest pose is straight.
const JOINT_WEIGHT: f32 = 0.1;
/// Weight of a morph offset relative to a shift in shape of the same length.
const MORPH_WEIGHT: f32 = 0.5;
/// If the goal is below one in this many triangles, the last stage restarts with fresh quadrics at twice the goal:
/// those of the first stage have accumulated planes of a surface that no longer exists, and the vertices have since
/// been moved to better places.
const LAST_STRETCH: usize = 3;
/// Error relative to the diagonal from which collapsing across attribute seams is tried.
const UGLY: f64 = 0.01;

pub struct Done {
    /// Relative to the bounding-box diagonal.
    pub error: f64,
    pub problems: Vec<Problem>,
}

struct Run {
    left: Left,
    /// Relative to the diagonal.
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

/// Like [`to_count`] in one run; vertices at positions for which `locked` returns true, and the edges between them,
/// stay exactly as they are.
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
    scatter(scene, pool, &run.left);
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

/// Runs that give up more and more attribute seams, until the count is met at an invisible error. A later run must be
/// clearly better than the earlier ones, because it damages the texture more.
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

/// At most one percent above the count, and not far below it: a run that drops whole parts has missed the target.
fn fits(run: &Run, wanted: usize) -> bool {
    let (count, wanted) = ((run.left.indices.len() / 3) as f64, wanted as f64);
    count > 0.0
        && count <= wanted * 1.01 + 1.0
        && count >= wanted * if run.sloppy { 0.5 } else { 0.9 } - 2.0
}

fn better(new: &Run, old: &Run, wanted: usize) -> bool {
    match (fits(old, wanted), fits(new, wanted)) {
        (true, true) => new.error < old.error * 0.7,
        (false, true) => true,
        (true, false) => false,
        (false, false) => {
            new.left.indices.len() < old.left.indices.len() && new.left.indices.len() / 3 >= wanted
        }
    }
}

fn simplify(
    pool: &Pool,
    wanted: usize,
    limit: f32,
    options: SimplifyOptions,
    flags: Option<&[SimplifyVertex]>,
) -> Run {
    let mut left = Left {
        indices: pool.indices.clone(),
        positions: pool.positions.clone(),
        attributes: pool.attributes.clone(),
    };
    // Skinned and morphing vertices do not move (see `scatter`).
    let moves = pool.width != DEFORMING_WIDTH;
    let mut error = 0.0;
    if moves && wanted > 0 && wanted * 3 * LAST_STRETCH <= left.indices.len() {
        error += collapse(&mut left, pool.width, wanted * 2, limit, options, flags);
    }
    error += collapse(&mut left, pool.width, wanted, limit, options, flags);
    if moves {
        let original = fit::Surface {
            positions: &pool.positions,
            indices: &pool.indices,
        };
        let fixed = |vertex: usize| flags.is_some_and(|f| f[vertex] == SimplifyVertex::Lock);
        fit::fit(&original, &left.indices, &mut left.positions, &fixed);
    }
    Run {
        left,
        error: f64::from(error) / pool.diagonal,
        sloppy: false,
    }
}

/// Collapses edges until `wanted` triangles remain or the error would exceed `limit`; returns the error. Both in the
/// pool's units.
fn collapse(
    left: &mut Left,
    width: usize,
    wanted: usize,
    limit: f32,
    options: SimplifyOptions,
    flags: Option<&[SimplifyVertex]>,
) -> f32 {
    const N: f32 = NORMAL_WEIGHT;
    const C: f32 = COLOR_WEIGHT;
    const J: f32 = JOINT_WEIGHT;
    const M: f32 = MORPH_WEIGHT;
    let weights: [f32; DEFORMING_WIDTH] =
        [N, N, N, UV_WEIGHT, UV_WEIGHT, C, C, C, J, J, J, M, M, M];
    let width = if left.attributes.is_empty() { 0 } else { width };
    // The second stage uses a small part of the vertices.
    let sparse = match left.indices.len() < left.positions.len() * 2 {
        true => SimplifyOptions::Sparse,
        false => SimplifyOptions::None,
    };
    let mut error = 0.0;
    let count = meshopt::simplify_with_update(
        &mut left.indices,
        &mut left.positions,
        &mut left.attributes,
        &weights[..width],
        width * size_of::<f32>(),
        flags,
        wanted * 3,
        limit,
        options | sparse | SimplifyOptions::ErrorAbsolute,
        Some(&mut error),
    );
    left.indices.truncate(count);
    error
}

/// The last resort: merges vertices on a grid, ignoring topology.
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
        left: Left {
            indices,
            positions: pool.positions.clone(),
            attributes: pool.attributes.clone(),
        },
        error: f64::from(error) * scale / pool.diagonal,
        sloppy: true,
    }
}
