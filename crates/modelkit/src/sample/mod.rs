//! Generated models: demonstrations for the product and input for tests.
//! Every kind is a function of a level of detail; [`generate`] searches for the level closest to the requested number
//! of triangles.

mod bridge;
mod city;
pub mod delivery;
pub mod family;
mod gears;
mod lamp;
mod lens_cube;
mod model;
mod molecule;
mod noise;
pub mod osgb;
mod pagoda;
mod robot;
mod shape;
mod solids;
mod terrain;
mod turbine;
mod vase;

use crate::{Ctx, Error, Result, Scene, Silent, Stage};
use model::Ask;

/// Names and their Chinese titles.
pub const KINDS: &[(&str, &str)] = &[
    ("lens-cube", "镜方（品牌标志：三面相交于一枚透镜的立方体）"),
    ("gears", "行星齿轮组（转动动画）"),
    ("robot-arm", "六轴机械臂（关节动画）"),
    ("turbine", "涡扇发动机（转动动画，叶片为重复部件）"),
    ("vase", "青花瓷瓶（釉面贴图）"),
    ("pagoda", "七层宝塔（重复部件）"),
    ("terrain", "山地与湖泊（地表贴图）"),
    ("lamp", "台灯（木纹贴图、自发光）"),
    ("bridge", "双塔斜拉桥（重复部件）"),
    ("molecule", "双螺旋分子（大量重复部件）"),
    ("city", "城市街区（立面贴图、重复建筑）"),
];

/// Limit on the triangles of a sample.
const MOST_TRIANGLES: usize = 50_000_000;

type Maker = fn(Ask) -> Result<Scene>;

fn maker(kind: &str) -> Option<Maker> {
    Some(match kind {
        "lens-cube" => lens_cube::make,
        "gears" => gears::make,
        "robot-arm" => robot::make,
        "turbine" => turbine::make,
        "vase" => vase::make,
        "pagoda" => pagoda::make,
        "terrain" => terrain::make,
        "lamp" => lamp::make,
        "bridge" => bridge::make,
        "molecule" => molecule::make,
        "city" => city::make,
        _ => return None,
    })
}

/// Generates a model of about `triangles` triangles (a mesh used by many nodes counts once; each kind has a minimum, at
/// most some ten thousand); without a number, at a level of detail suitable for a web page. Deterministic.
pub fn generate(kind: &str, triangles: Option<usize>, seed: u64) -> Result<Scene> {
    generate_with(kind, triangles, seed, &Ctx::new(&Silent))
}

/// [`generate`] with progress; stops between its steps when cancelled.
pub fn generate_with(kind: &str, triangles: Option<usize>, seed: u64, ctx: &Ctx) -> Result<Scene> {
    let Some(make) = maker(kind) else {
        let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        return Err(Error::Usage(format!(
            "没有名为 {kind} 的示例模型，可选：{}",
            names.join("、")
        )));
    };
    ctx.report(Stage::Write, 0.0, "正在生成模型")?;
    let mut scene = match triangles {
        None => make(Ask {
            detail: 1.0,
            seed,
            draft: false,
        })?,
        Some(wanted) => {
            let detail = nearest(make, wanted.clamp(1, MOST_TRIANGLES), seed, ctx)?;
            ctx.report(Stage::Write, 0.4, "正在生成模型")?;
            make(Ask {
                detail,
                seed,
                draft: false,
            })?
        }
    };
    scene.format = "sample".into();
    scene.main_file = kind.into();
    ctx.report(Stage::Write, 1.0, "模型已生成")?;
    Ok(scene)
}

/// The number of triangles grows with the square of the detail, but in steps: makes a few drafts by that rule and keeps
/// the closest.
fn nearest(make: Maker, wanted: usize, seed: u64, ctx: &Ctx) -> Result<f32> {
    let mut detail = 1.0f32;
    let mut best = (usize::MAX, detail);
    for draft in 0..8 {
        ctx.report(Stage::Write, 0.05 * f64::from(draft), "正在生成模型")?;
        let count = make(Ask {
            detail,
            seed,
            draft: true,
        })?
        .triangle_count()
        .max(1);
        let off = count.abs_diff(wanted);
        if off < best.0 {
            best = (off, detail);
        }
        if off * 50 <= wanted {
            break;
        }
        detail = (detail * (wanted as f32 / count as f32).sqrt()).clamp(0.02, 400.0);
    }
    Ok(best.1)
}
