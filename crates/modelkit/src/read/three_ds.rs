//! 3DS reader (3D Studio, chunks of a mesh file), following the published format.
//! Geometry in the file is in world space, Z up, in units of `ONE_UNIT` inches. Nodes get the objects' pivots and the
//! hierarchy of the keyframer chunk; animation is told, not kept.

mod chunk;
mod chunks;
mod keyframer;
mod lost;
mod material;
mod object;
mod optics;
mod tree;

pub use chunks::{CHUNKS, Treatment};
pub use lost::Loss;

use super::Input;
use super::encoding::Encoding;
use crate::limits::Limits;
use crate::progress::Stage;
use crate::scene::Units;
use crate::{Ctx, Error, Result, Scene};
use chunk::{Body, Chunk, Reader};
use object::Kind;
use std::collections::HashMap;

const MAIN: u16 = 0x4d4d;
const EDITOR: u16 = 0x3d3d;
const ONE_UNIT: u16 = 0x0100;
const MATERIAL: u16 = 0xafff;
const OBJECT: u16 = 0x4000;
const KEYFRAMER: u16 = 0xb000;
const INCH: f64 = 0.0254;

fn truncated() -> Error {
    Error::corrupt("3DS 文件不完整（可能上传或导出中断），请重新导出后上传")
}

/// The file's content before it becomes a scene.
#[derive(Default)]
struct Parts {
    unit: Option<f32>,
    materials: Vec<material::Entry>,
    objects: Vec<object::Object>,
    cameras: Vec<optics::Camera>,
    nodes: Vec<keyframer::Node>,
}

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let mut names = Reader::new(Encoding::UTF8);
    let mut parts = parse(Body::new(input.bytes, &names), ctx)?;
    let encoding = names.found();
    if encoding != Encoding::UTF8 {
        names = Reader::new(encoding);
        parts = parse(Body::new(input.bytes, &names), ctx)?;
    }
    let mut losses = names.losses();
    if parts.objects.is_empty() {
        return Err(super::lost::nothing(
            "3DS 文件里没有可显示的网格",
            &losses.problems(lost::finding),
            "请确认导出时选中了模型",
        ));
    }
    let metres = match parts.unit {
        Some(inches) if inches.is_finite() && inches > 0.0 => f64::from(inches) * INCH,
        _ => INCH,
    };
    let mut scene = Scene {
        name: super::obj::stem(input.name),
        units: Units {
            source: if parts.unit.is_some() {
                "in"
            } else {
                "unknown(in assumed)"
            }
            .to_owned(),
            meters_per_unit: metres,
            up_axis: "Z".to_owned(),
        },
        ..Scene::default()
    };
    ctx.report(Stage::Read, 0.5, "正在读取材质和贴图")?;
    let mut names: HashMap<String, u32> = HashMap::new();
    material::add(&mut scene, input, &parts.materials, &mut names, ctx)?;
    unmatched(&parts.objects, &names, &mut losses);
    optics::add(&mut scene, &parts.cameras, metres);
    tree::build(&mut scene, parts, &names, metres);
    losses.tell(&mut scene, lost::finding);
    Ok(scene)
}

fn parse(mut file: Body, ctx: &Ctx) -> Result<Parts> {
    let main = file
        .chunk()
        .filter(|c| c.id == MAIN)
        .ok_or_else(truncated)?;
    let mut parts = Parts::default();
    let mut body = main.body;
    while let Some(chunk) = body.next_chunk() {
        match chunk.id {
            EDITOR => editor(chunk, &mut parts, ctx)?,
            KEYFRAMER => keyframer::read(chunk.body, &mut parts.nodes, ctx)?,
            id => body.pass(id),
        }
        body.inside("", "", 0);
    }
    Ok(parts)
}

fn editor(chunk: Chunk, parts: &mut Parts, ctx: &Ctx) -> Result<()> {
    let mut body = chunk.body;
    let mut vertices = 0;
    let mut objects = 0;
    while let Some(mut chunk) = body.next_chunk() {
        body.inside("", "", 0);
        match chunk.id {
            ONE_UNIT => parts.unit = chunk.body.f32(),
            MATERIAL => {
                Limits::check("材质", parts.materials.len(), ctx.limits.materials)?;
                let number = parts.materials.len();
                parts.materials.push(material::read(chunk.body, number));
            }
            OBJECT => {
                Limits::check("网格", objects, ctx.limits.meshes)?;
                objects += 1;
                match object::read(chunk.body, objects - 1) {
                    Some(Kind::Mesh(object)) => {
                        vertices += object.positions.len();
                        Limits::check("顶点", vertices, ctx.limits.vertices)?;
                        parts.objects.push(object);
                    }
                    Some(Kind::Camera(camera)) => parts.cameras.push(camera),
                    None => {}
                }
            }
            id => body.pass(id),
        }
    }
    Ok(())
}

/// Counts groups of faces whose material is not in the file.
fn unmatched(objects: &[object::Object], known: &HashMap<String, u32>, losses: &mut lost::Losses) {
    for (number, object) in objects.iter().enumerate() {
        let groups = object.materials.iter();
        for (name, _) in groups.filter(|(name, _)| !known.contains_key(name)) {
            losses.add(Loss::Material, ("物体", &object.name, number), name);
        }
    }
}
