//! OSGB: OpenSceneGraph's binary format, the delivery format of oblique photography.
//! Supported are the classes used in such files: groups, (paged) levels of detail, transforms, drawables with all
//! primitive modes, textures, images. Other classes are skipped if the file format version allows it, else reported in
//! the error. Z is up; the format has no units, metres are assumed.

mod array;
mod classes;
mod drawable;
pub(crate) mod lost;
mod model;
mod parts;
mod pixels;
mod scene;
mod state;
mod stream;

pub(crate) use classes::parse;
pub(crate) use model::Model;
pub(crate) use parts::{Part, Switch, parts};
pub(crate) use scene::Making;
pub(crate) use stream::{File, MAGIC};

use super::{Input, obj};
use crate::limits::Limits;
use crate::progress::Stage;
use crate::scene::{Problem, Severity, Units};
use crate::{Ctx, Result, Scene};

/// Reads one file as a scene: of several levels of detail in it the finest. Finer levels in other files are not read,
/// only reported.
pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let file = File::open(input.bytes, ctx.limits.file_bytes)?;
    let model = parse(&file, ctx.limits.indices)?;
    check_sizes(&model, &ctx.limits)?;
    ctx.report(Stage::Read, 0.5, "正在整理几何")?;
    let parts = parts(&model, &ctx.limits)?;
    let making = Making {
        model: &model,
        side: input.side,
        limits: &ctx.limits,
        place: &|[x, y, z]| [x, z, -y],
        lifts: true,
        turn: &|[x, y, z]| [x, z, -y],
    };
    let all: Vec<&Part> = parts.iter().collect();
    let mut scene = making.scene(&all);
    if scene.meshes.is_empty() {
        scene.problems.extend(problems(&model));
        return Err(super::lost::nothing(
            "OSGB 文件里没有可显示的三角形",
            &scene.problems,
            "请确认导出了完整的模型",
        ));
    }
    scene.name = obj::stem(input.name);
    scene.units = Units {
        up_axis: "Z".into(),
        ..Units::default()
    };
    scene.meshes[0].name.clone_from(&scene.name);
    scene.nodes[0].name.clone_from(&scene.name);
    let finer: usize = parts.iter().map(|p| p.files.len()).sum();
    if finer > 0 {
        scene.note(Problem::new(
            "finer-levels-elsewhere",
            Severity::Info,
            "",
            format!("这是倾斜摄影的一个分块，另有 {finer} 个更精细的文件未读取"),
            "需要完整模型时，请把整个成果目录（Data 和 metadata.xml）打包，作为倾斜摄影上传",
        ));
    }
    scene.problems.extend(problems(&model));
    Ok(scene)
}

/// Reports what was left out of a file.
pub(crate) fn problems(model: &Model) -> Vec<Problem> {
    model.losses.problems(lost::finding)
}

pub(crate) fn check_sizes(model: &Model, limits: &Limits) -> Result<()> {
    Limits::check("节点", model.nodes.len(), limits.nodes)?;
    Limits::check("贴图", model.pictures.len(), limits.images)?;
    let vertices = model.geometries.iter().map(|g| g.positions.len()).sum();
    Limits::check("顶点", vertices, limits.vertices)
}
