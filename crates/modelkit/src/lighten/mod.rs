//! Lightens a model: fewer triangles, smaller textures, the same appearance.
//!
//! The passes, each a small function over the scene: [`dedupe`], [`weld`], [`prune`], [`motion`], [`simplify`],
//! [`points`],
//! [`order`], [`textures`]. Names, extras, skins, morph targets and clips are kept.

mod dedupe;
mod encode;
pub(crate) mod fit;
pub(crate) mod motion;
mod order;
mod plan;
mod points;
mod pool;
mod protect;
mod prune;
mod reach;
mod simplify;
mod size;
mod textures;
mod times;
mod weld;

pub(crate) use dedupe::images as share_images;
pub(crate) use encode::uses as texture_uses;
pub(crate) use motion::{Keys, drop_still as drop_still_clips, thin as thin_motion};
pub(crate) use order::{by_first_use as drop_unused_vertices, optimize as order};
pub(crate) use plan::Plan as TexturePlan;
pub use plan::TextureFormat;
pub(crate) use pool::drawn_matrix;
pub(crate) use prune::{unread_attributes as drop_unread, unused as prune};
pub(crate) use simplify::{keeping as simplify_keeping, to_count as simplify_to_count};
pub use textures::limit as limit_textures;
pub(crate) use textures::{apply as apply_textures, encoded as encode_texture};
pub(crate) use textures::{packed as packed_textures, without_ktx2};
pub(crate) use weld::{merge_equal, weld};

use crate::check::grouped;
use crate::progress::{Ctx, Stage};
use crate::scene::{Problem, Severity};
use crate::{Result, Scene};

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// Share of the triangles and points to keep, 0…1.
    Ratio(f64),
    /// Of a model without triangles, the number of points.
    Triangles(usize),
    /// Size of the output file in MB (2^20 bytes).
    SizeMb(f64),
    /// Largest error relative to the bounding-box diagonal.
    Error(f64),
}

#[derive(Debug, Clone)]
pub struct Options {
    pub target: Target,
    /// Longest side of any texture in pixels.
    pub texture_max: Option<u32>,
    /// Format of the textures in the output.
    pub textures: TextureFormat,
}

/// What was actually reached.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    pub reached: bool,
    /// Triangles kept over triangles before; of a model without triangles, points over points.
    pub ratio: f64,
    /// The simplifier's error relative to the bounding-box diagonal.
    pub error: f64,
    pub problems: Vec<Problem>,
}

/// Lightens `scene` in place. `measure` returns the size of the scene in the output format, in bytes; it is only called
/// when the target is a size.
pub fn lighten(
    scene: &mut Scene,
    options: &Options,
    measure: &dyn Fn(&Scene) -> Result<u64>,
    ctx: &Ctx,
) -> Result<Outcome> {
    let before = scene.triangle_count();
    let points = points::count(scene);
    let mut outcome = Outcome {
        problems: std::mem::take(&mut scene.problems),
        ..Outcome::default()
    };
    ctx.report(Stage::Simplify, 0.0, "正在清理重复和无用的数据")?;
    dedupe::images(scene);
    dedupe::meshes(scene);
    prune::unused(scene);
    motion::thin(scene, Keys::Plain);
    weld::weld(scene);
    ctx.info(&format!(
        "清理后剩余三角形 {} 个，顶点 {} 个",
        grouped(scene.triangle_count()),
        grouped(scene.vertex_count())
    ));
    let plan = TexturePlan {
        format: options.textures,
        most: options.texture_max,
        ..TexturePlan::default()
    };
    let originals = scene.images.clone();
    textures::apply(scene, &plan, &ctx.part(0.1, 0.3))?;
    let part = ctx.part(0.3, 1.0);
    match options.target {
        Target::SizeMb(mb) => {
            let wanted = size::Wanted {
                bytes: (mb * 1_048_576.0) as u64,
                plan,
                originals: &originals,
            };
            size::to_size(scene, &wanted, measure, &mut outcome, &part)?;
        }
        Target::Ratio(ratio) => {
            let wanted = ((before as f64 * ratio).round() as usize).max(1);
            to_triangles(scene, wanted, &mut outcome, &part)?;
            points::thin(scene, ratio);
        }
        // Of a cloud, a number of points.
        Target::Triangles(wanted) if before == 0 && points > 0 => {
            points::thin(scene, wanted as f64 / points as f64);
            outcome.reached = true;
        }
        Target::Triangles(wanted) => to_triangles(scene, wanted, &mut outcome, &part)?,
        Target::Error(error) => {
            let done = simplify::to_error(scene, error, &part)?;
            outcome.error = done.error;
            outcome.reached = done.error <= error * 1.001;
        }
    }
    order::optimize(scene);
    let after = scene.triangle_count();
    outcome.ratio = match (before, points) {
        (0, 0) => 1.0,
        (0, points) => points::count(scene) as f64 / points as f64,
        (before, _) => after as f64 / before as f64,
    };
    outcome.problems.extend(points::tell(points, scene));
    let points_count = match options.target {
        Target::Ratio(ratio) => ratio >= 1.0 || points > 0,
        Target::Triangles(_) => points > 0,
        Target::SizeMb(_) => true,
        Target::Error(_) => false,
    };
    if !points_count && before == 0 && scene.vertex_count() > 0 {
        outcome.problems.push(points::nothing());
    }
    ctx.info(&format!(
        "三角形 {} → {}（{:.1}%），误差 {:.4}%",
        grouped(before),
        grouped(after),
        outcome.ratio * 100.0,
        outcome.error * 100.0
    ));
    Ok(outcome)
}

fn to_triangles(scene: &mut Scene, wanted: usize, outcome: &mut Outcome, ctx: &Ctx) -> Result<()> {
    let done = simplify::to_count(scene, wanted, ctx)?;
    outcome.error = done.error;
    let left = scene.triangle_count();
    outcome.reached = left as f64 <= wanted as f64 * 1.01 + 1.0;
    outcome.problems.extend(done.problems);
    if !outcome.reached {
        outcome.problems.push(Problem::new(
            "target-not-reached",
            Severity::Warning,
            "",
            format!(
                "目标 {} 个三角形，实际只能减到 {} 个",
                grouped(wanted),
                grouped(left)
            ),
            "模型由大量互不相连的小部件组成时无法再减，可先在建模软件中合并部件",
        ));
    }
    Ok(())
}
