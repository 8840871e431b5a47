//! PLY reader: ASCII, little and big endian; meshes, strips, edges, point clouds and the centres of Gaussian splats.
//!
//! PLY has no units: metres are assumed unless a comment states one. Colours are interpreted as sRGB. Elements and
//! properties with unknown names are skipped.

mod ascii;
mod assemble;
mod binary;
mod data;
mod header;

use super::{Input, obj, origin, units};
use crate::limits::Limits;
use crate::progress::Stage;
use crate::scene::{Image, Material, Node, Primitive, Problem, Sampler, Severity, TextureRef};
use crate::{Ctx, Error, Result, Scene};
use data::{Data, Has, Plan, Use};
use header::{Encoding, Header};

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let header = header::parse(input.bytes)?;
    let plans: Vec<Plan> = header.elements.iter().map(Plan::new).collect();
    let data = rows(input, &header, &plans, ctx)?;
    ctx.report(Stage::Read, 0.6, "正在整理几何")?;

    let mut scene = Scene {
        name: obj::stem(input.name),
        ..Scene::default()
    };
    let metres = units::apply(
        &mut scene,
        &input.bytes[..header.body],
        units::Assumed::Metres,
    );
    let base = data.base.unwrap_or_default();
    let lifted = origin::is_worth(base, metres);
    let is_splat = data.has.splats && data.ends.is_empty();
    let mut made = assemble::assemble(data);
    scene.problems.append(&mut made.problems);
    if is_splat {
        scene.note(Problem::new(
            "splats-as-points",
            Severity::Info,
            "",
            "文件是高斯泼溅，按点云显示各点的位置和颜色",
            "",
        ));
    }
    if made.primitives.is_empty() {
        return Err(Error::EmptyModel(
            "PLY 文件里没有可以显示的面或点，请重新导出".into(),
        ));
    }
    let material = material(&mut scene, input, &header, &made.primitives, ctx);
    scene.materials.push(material);
    for primitive in &mut made.primitives {
        if !lifted {
            origin::back(&mut primitive.positions, base);
        }
        units::scale(&mut primitive.positions, metres);
        primitive.material = Some(0);
    }
    let name = scene.name.clone();
    let mesh = scene.add_mesh(name.clone(), made.primitives);
    scene.add_node(
        Node {
            name,
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    if lifted {
        origin::lift(&mut scene, base.map(|v| v * metres));
    }
    Ok(scene)
}

fn rows(input: &Input, header: &Header, plans: &[Plan], ctx: &Ctx) -> Result<Data> {
    let vertex = plans.iter().find(|plan| plan.purpose == Use::Vertex);
    let has = vertex.map(Has::of).unwrap_or_default();
    if !has.positions {
        return Err(Error::corrupt("PLY 文件里没有顶点坐标 x、y、z，请重新导出"));
    }
    for plan in plans {
        let (what, most) = match plan.purpose {
            Use::Vertex => ("顶点", ctx.limits.vertices),
            _ => ("面", ctx.limits.indices / 3),
        };
        Limits::check(what, plan.element.count, most)?;
    }
    let body = input.bytes.get(header.body..).unwrap_or(&[]);
    let mut data = Data {
        has,
        ..Data::default()
    };
    match header.encoding {
        Encoding::Ascii => ascii::read(body, plans, &mut data)?,
        encoding => binary::read(body, plans, encoding, &mut data)?,
    }
    Limits::check("面的角", data.corners.len(), ctx.limits.indices / 3)?;
    Ok(data)
}

/// White under vertex colours or a texture, light grey otherwise.
fn material(
    scene: &mut Scene,
    input: &Input,
    header: &Header,
    primitives: &[Primitive],
    ctx: &Ctx,
) -> Material {
    let colored = primitives.iter().any(|p| !p.colors.is_empty());
    let color = if colored {
        [1.0; 4]
    } else {
        [0.72, 0.74, 0.77, 1.0]
    };
    let mut material = Material {
        roughness: 0.7,
        ..Material::plain("默认材质", color)
    };
    let has_uvs = primitives.iter().any(|p| !p.uvs.is_empty());
    let Some(name) = header.texture.as_ref().filter(|_| has_uvs) else {
        return material;
    };
    let shown = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let image = match input.side.find(name) {
        Some(bytes) if bytes.len() <= ctx.limits.image_bytes => {
            Image::from_encoded(shown.clone(), &bytes, &ctx.limits).ok()
        }
        _ => None,
    };
    match image {
        Some(image) => {
            let texture = scene.add_texture(image, Sampler::default());
            material.base_color = [1.0; 4];
            material.base_color_texture = Some(TextureRef {
                texture,
                ..TextureRef::default()
            });
        }
        None => scene.note(Problem::new(
            "missing-texture",
            Severity::Warning,
            "材质 默认材质",
            format!("找不到贴图 {shown}"),
            "把贴图和模型一起打包成 zip 再上传",
        )),
    }
    material
}
