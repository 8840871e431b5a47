//! Reaches a target file size: textures first where they dominate, then triangles.

use super::plan::Plan;
use super::textures;
use super::{Outcome, order, points, simplify};
use crate::check::grouped;
use crate::progress::{Ctx, Stage};
use crate::scene::{Image, Problem, Severity};
use crate::{Result, Scene};

/// Share of the size textures may take.
const TEXTURE_SHARE: f64 = 0.6;
/// Attempts at the number of triangles.
const ROUNDS: usize = 6;

/// The target size, and the original images: each round encodes these, so that losses do not accumulate.
pub struct Wanted<'a> {
    pub bytes: u64,
    pub plan: Plan,
    pub originals: &'a [Image],
}

pub fn to_size(
    scene: &mut Scene,
    target: &Wanted,
    measure: &dyn Fn(&Scene) -> Result<u64>,
    outcome: &mut Outcome,
    ctx: &Ctx,
) -> Result<()> {
    let wanted = target.bytes;
    order::optimize(scene);
    let mut bytes = measure(scene)?;
    if bytes > wanted {
        bytes = shrink_textures(scene, bytes, target, measure, ctx)?;
    }
    if bytes > wanted {
        bytes = fewer_triangles(scene, bytes, wanted, measure, outcome, ctx)?;
    }
    outcome.reached = bytes <= wanted;
    if !outcome.reached {
        outcome.problems.push(Problem::new(
            "target-not-reached",
            Severity::Warning,
            "",
            format!(
                "目标 {} 字节，实际只能减到 {} 字节",
                grouped(wanted as usize),
                grouped(bytes as usize)
            ),
            "可进一步缩小贴图，或删去动画和隐藏部件后再试",
        ));
    }
    Ok(())
}

fn texture_bytes(scene: &Scene) -> u64 {
    scene.images.iter().map(|i| i.bytes.len() as u64).sum()
}

fn shrink_textures(
    scene: &mut Scene,
    mut bytes: u64,
    target: &Wanted,
    measure: &dyn Fn(&Scene) -> Result<u64>,
    ctx: &Ctx,
) -> Result<u64> {
    let wanted = target.bytes;
    let longest = scene
        .images
        .iter()
        .map(|i| i.width.max(i.height))
        .max()
        .unwrap_or(0);
    for most in [4096, 2048, 1024, 512, 256] {
        let share = texture_bytes(scene) as f64;
        if bytes <= wanted || share <= wanted as f64 * TEXTURE_SHARE {
            break;
        }
        // The first round only re-encodes, so it is never skipped.
        if most > longest && most != 4096 {
            continue;
        }
        let plan = Plan {
            most: Some(target.plan.most.map_or(most, |limit| limit.min(most))),
            lossy: true,
            ..target.plan
        };
        scene.images.clone_from_slice(target.originals);
        textures::apply(scene, &plan, &ctx.part(0.0, 0.3))?;
        bytes = measure(scene)?;
    }
    Ok(bytes)
}

fn fewer_triangles(
    scene: &mut Scene,
    bytes: u64,
    wanted: u64,
    measure: &dyn Fn(&Scene) -> Result<u64>,
    outcome: &mut Outcome,
    ctx: &Ctx,
) -> Result<u64> {
    let full = scene.triangle_count();
    let fixed = texture_bytes(scene) as f64;
    let room = (wanted as f64 - fixed).max(0.0);
    let mut ratio = (room / (bytes as f64 - fixed).max(1.0)).clamp(0.001, 1.0);
    let mut best: Option<(Scene, u64, f64, Vec<Problem>)> = None;
    for round in 0..ROUNDS {
        let part = ctx.part(0.3 + 0.1 * round as f64, 0.4 + 0.1 * round as f64);
        part.report(Stage::Simplify, 0.0, "正在按目标大小减面")?;
        let mut trial = scene.clone();
        let count = ((full as f64 * ratio) as usize).max(1);
        let done = simplify::to_count(&mut trial, count, &part)?;
        points::thin(&mut trial, ratio);
        order::optimize(&mut trial);
        let size = measure(&trial)?;
        let closer = match &best {
            None => true,
            Some((_, old, ..)) if *old > wanted => size < *old,
            Some((_, old, ..)) => size <= wanted && size > *old,
        };
        if closer {
            best = Some((trial, size, done.error, done.problems));
        }
        // Within 3 % below the target is close enough.
        if size <= wanted && size as f64 >= wanted as f64 * 0.97 {
            break;
        }
        let next = ratio * 0.985 * room / (size as f64 - fixed).max(1.0);
        let next = next.clamp(0.0005, 1.0);
        if (next - ratio).abs() < ratio * 0.005 {
            break;
        }
        ratio = next;
    }
    let Some((trial, size, error, problems)) = best else {
        return Ok(bytes);
    };
    *scene = trial;
    outcome.error = error;
    outcome.problems.extend(problems);
    Ok(size)
}
