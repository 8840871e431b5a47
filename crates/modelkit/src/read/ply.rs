//! PLY reader: ASCII, little and big endian; meshes, strips, edges, point clouds and the centres of Gaussian splats.
//!
//! PLY has no units: metres are assumed unless a comment states one. Colours are interpreted as sRGB. Elements and
//! properties that are not read are told by their names.

mod ascii;
mod assemble;
mod binary;
mod data;
mod header;
mod lost;
mod packed;

pub use lost::{ELEMENTS, Loss, PROPERTIES, Treatment};

use super::{Input, maps, obj, origin, units};
use crate::limits::Limits;
use crate::progress::Stage;
use crate::scene::{
    AlphaMode, Image, MADE_UP, Material, Node, Problem, Sampler, Severity, TextureRef,
};
use crate::{Ctx, Error, Result, Scene};
use data::{Data, Has, Plan, Use};
use header::{Encoding, Header};
use std::collections::BTreeMap;

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
    let is_packed = packed::is_packed(&header);
    let is_splat = is_packed || data.has.splats && data.ends.is_empty();
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
        return Err(super::lost::nothing(
            "PLY 文件里没有可以显示的面或点",
            &scene.problems,
            "请重新导出",
        ));
    }
    let mut used: BTreeMap<u32, u32> = BTreeMap::new();
    let mut textures = 0;
    let one = header
        .textures
        .first()
        .filter(|_| header.textures.len() == 1);
    let one = one.filter(|_| made.textures.len() == 1);
    for (i, primitive) in made.primitives.iter_mut().enumerate() {
        let number = made.textures.get(i).copied().unwrap_or(0);
        let file = match primitive.uvs.is_empty() {
            true => None,
            // A single texture is meant however its number counts.
            false => one.or_else(|| header.textures.get(number as usize)),
        };
        let last = if one.is_some() {
            1
        } else {
            number as usize + 1
        };
        textures = textures.max(file.map_or(0, |_| last));
        let number = if file.is_some() { number } else { u32::MAX };
        let known = match used.get(&number) {
            Some(known) => *known,
            None => {
                let material = material(&mut scene, input, file, ctx);
                scene.materials.push(material);
                scene.materials.len() as u32 - 1
            }
        };
        used.insert(number, known);
        // White below colours of vertices and faces.
        let material = &mut scene.materials[known as usize];
        if !primitive.colors.is_empty() {
            material.base_color = [1.0; 4];
            if primitive.colors.iter().any(|color| color[3] < 1.0) {
                material.alpha_mode = AlphaMode::Blend;
            }
        }
        if !lifted {
            origin::back(&mut primitive.positions, base);
        }
        units::scale(&mut primitive.positions, metres);
        primitive.material = Some(known);
    }
    // Nothing else of compressed splats is in their rows.
    let told = if is_packed { &[][..] } else { &plans };
    lost::tell(&mut scene, &header, told, textures);
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
    let is_packed = packed::is_packed(header);
    if !has.positions && !is_packed {
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
    if is_packed {
        return packed::read(body, header);
    }
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

/// Light grey, or with the texture of a file.
fn material(scene: &mut Scene, input: &Input, file: Option<&String>, ctx: &Ctx) -> Material {
    let mut material = Material {
        roughness: 0.7,
        ..Material::plain(MADE_UP, [0.72, 0.74, 0.77, 1.0])
    };
    let Some(name) = file else {
        return material;
    };
    let shown = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
    let place = || format!("材质 {}", material.name);
    let Some(bytes) = input.side.find(name) else {
        scene.note(maps::missing(input.side, name, place(), &shown));
        return material;
    };
    let image = Limits::check("贴图字节", bytes.len(), ctx.limits.image_bytes)
        .and_then(|()| Image::from_encoded(shown.clone(), &bytes, &ctx.limits));
    match image {
        Ok(image) => {
            let texture = scene.add_texture(image, Sampler::default());
            material.base_color = [1.0; 4];
            material.base_color_texture = Some(TextureRef {
                texture,
                ..TextureRef::default()
            });
        }
        Err(error) => scene.note(maps::unreadable(place(), &shown, &bytes, &error)),
    }
    material
}
