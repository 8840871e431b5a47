//! One primitive for all geometry that is drawn alike, in the pose in which the model is pictured.

use super::looks::{Shade, Shades};
use crate::limits::Limits;
use crate::render::texture::{Footprint, to_srgb};
use crate::scene::{
    AlphaMode, Baked, Material, Mode, Node, Primitive, Sampler, Scene, TextureRef, Transform,
    bake_posed, first_pose,
};
use crate::{Error, Result};
use std::collections::HashMap;

/// Most corners of triangles that are merged; a stand-in of more would take too long.
const MOST_CORNERS: usize = 60_000_000;
/// Most materials that stay apart; with more, colours go to the vertices.
const MOST_MATERIALS: usize = 24;
/// Bytes of a point or a line to plan with.
const POINT: u64 = 12;

/// What must be equal for geometry to be drawn at once. Colours and factors in coarse steps.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Kind {
    mode: Mode,
    color: Option<(u32, Sampler)>,
    glow: Option<(u32, Sampler)>,
    alpha: AlphaMode,
    double_sided: bool,
    unlit: bool,
    has_normals: bool,
    /// Base colour, glow, metal and roughness; empty where colours go to the vertices.
    steps: Vec<u8>,
}

impl Kind {
    fn of(shade: &Shade, primitive: &Primitive, has_normals: bool, rough: bool) -> Kind {
        let m = shade.material;
        let step = |v: f32, steps: f32| (v.clamp(0.0, 1.0) * steps).round() as u8;
        let mut steps = Vec::new();
        if !rough {
            steps.extend(m.base_color.map(|c| step(to_srgb(c), 96.0)));
            steps.extend(m.emissive.map(|c| step(to_srgb(c), 32.0)));
            steps.extend([step(m.metallic, 8.0), step(m.roughness, 8.0)]);
        }
        Kind {
            mode: primitive.mode,
            color: shade.color,
            glow: shade.glow,
            alpha: m.alpha_mode,
            double_sided: m.double_sided || rough,
            unlit: m.extensions.contains_key("KHR_materials_unlit"),
            has_normals,
            steps,
        }
    }
}

/// A scene of one node with a primitive of each kind, and the images of `shades`.
pub fn merged(scene: &Scene, shades: &Shades, budget: u64) -> Result<Scene> {
    let rough = kinds(scene, shades, false)?.len() > MOST_MATERIALS;
    let mut order = kinds(scene, shades, rough)?;
    let mut numbers: HashMap<Kind, usize> = HashMap::new();
    for (i, (kind, _)) in order.iter().enumerate() {
        numbers.insert(kind.clone(), i);
    }
    let mut origin = [0.0; 3];
    visit(scene, &mut |part| {
        origin = part.origin;
        let shade = shades.of(part.primitive.material);
        let kind = Kind::of(&shade, part.primitive, !part.normals.is_empty(), rough);
        if let Some(&number) = numbers.get(&kind) {
            let tint = rough.then_some(shade.material.base_color);
            append(&mut order[number].1, part, &shade, tint);
        }
        Ok(())
    })?;
    let mut out = Scene {
        units: scene.units.clone(),
        ..Scene::default()
    };
    let mut textures = HashMap::new();
    let mut primitives = Vec::new();
    for (kind, mut primitive) in order {
        thin(&mut primitive, (budget / POINT) as usize);
        if primitive.indices.is_empty() {
            continue;
        }
        let mut texture = |used: Option<(u32, Sampler)>| -> Option<TextureRef> {
            let (image, sampler) = used?;
            let image_of_it = shades.images.get(&image)?;
            let new = || out.add_texture(image_of_it.clone(), sampler);
            let texture = *textures.entry((image, sampler)).or_insert_with(new);
            Some(TextureRef {
                texture,
                ..TextureRef::default()
            })
        };
        let (base_color_texture, emissive_texture) = (texture(kind.color), texture(kind.glow));
        let first = shades.of(primitive.material).material.clone();
        let color = if rough { [1.0; 4] } else { first.base_color };
        out.materials.push(Material {
            base_color_texture,
            emissive_texture,
            base_color: color,
            double_sided: kind.double_sided,
            ..first
        });
        primitive.material = Some(out.materials.len() as u32 - 1);
        primitives.push(primitive);
    }
    if primitives.is_empty() {
        return Err(Error::EmptyModel(
            "模型中没有可以显示的几何，不需要替身".into(),
        ));
    }
    let mesh = Some(out.add_mesh("", primitives));
    out.add_node(
        Node {
            mesh,
            transform: Transform::translation(origin),
            ..Node::default()
        },
        None,
    );
    Ok(out)
}

/// Every kind in the order of its appearance, with an empty primitive that has the first material of it.
fn kinds(scene: &Scene, shades: &Shades, rough: bool) -> Result<Vec<(Kind, Primitive)>> {
    let mut out: Vec<(Kind, Primitive)> = Vec::new();
    let mut known = std::collections::HashSet::new();
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let shade = shades.of(primitive.material);
        let kind = Kind::of(&shade, primitive, !primitive.normals.is_empty(), rough);
        if known.insert(kind.clone()) {
            let first = Primitive {
                mode: primitive.mode,
                material: primitive.material,
                ..Primitive::default()
            };
            out.push((kind, first));
        }
    }
    Ok(out)
}

fn visit(scene: &Scene, visit: &mut dyn FnMut(&Baked) -> Result<()>) -> Result<()> {
    let posed = first_pose(scene);
    let nodes = posed.as_deref().unwrap_or(&scene.nodes);
    let mut corners = 0;
    for index in scene.walk() {
        let mesh = nodes.get(index as usize).and_then(|node| node.mesh);
        let mesh = mesh.and_then(|mesh| scene.meshes.get(mesh as usize));
        corners += mesh.map_or(0, |m| m.primitives.iter().map(|p| p.indices.len()).sum());
        Limits::check("替身索引", corners, MOST_CORNERS)?;
    }
    bake_posed(scene, nodes, &mut |part| visit(&part))
}

/// Adds a part to the primitive of its kind; `tint` is the colour that its vertices get.
fn append(to: &mut Primitive, part: &Baked, shade: &Shade, tint: Option<[f32; 4]>) {
    let p = part.primitive;
    let finite = |i: &u32| part.positions[*i as usize].iter().all(|v| v.is_finite());
    let first = to.positions.len() as u32;
    let corners = match p.mode {
        Mode::Triangles => 3,
        Mode::Lines => 2,
        Mode::Points => 1,
    };
    for corner in p
        .indices
        .chunks_exact(corners)
        .filter(|c| c.iter().all(finite))
    {
        let at = to.indices.len();
        to.indices.extend(corner.iter().map(|i| first + i));
        if part.mirrored && corners == 3 {
            to.indices.swap(at + 1, at + 2);
        }
    }
    let count = part.positions.len();
    let kept = |p: &[f32; 3]| {
        if p.iter().all(|v| v.is_finite()) {
            *p
        } else {
            [0.0; 3]
        }
    };
    to.positions.extend(part.positions.iter().map(kept));
    to.normals.extend(&part.normals);
    if let Some(slot) = shade.place {
        let uvs = p.uvs.get(slot.set);
        let uv = |i: usize| {
            uvs.and_then(|uvs| uvs.get(i))
                .map_or([0.0; 2], |uv| slot.turned(*uv))
        };
        if to.uvs.is_empty() {
            to.uvs.push(Vec::new());
        }
        to.uvs[0].extend((0..count).map(uv));
    }
    colors(to, part, shade, tint, first as usize);
}

/// Colours of the vertices: the file's, times what is baked into them.
fn colors(to: &mut Primitive, part: &Baked, shade: &Shade, tint: Option<[f32; 4]>, first: usize) {
    let p = part.primitive;
    let baked = shade
        .baked
        .and_then(|slot| Some((slot, p.uvs.get(slot.set)?)));
    if tint.is_none() && baked.is_none() && p.colors.is_empty() {
        if !to.colors.is_empty() {
            to.colors.resize(to.positions.len(), [1.0; 4]);
        }
        return;
    }
    to.colors.resize(first, [1.0; 4]);
    let times = |a: [f32; 4], b: [f32; 4]| [0, 1, 2, 3].map(|k| (a[k] * b[k]).clamp(0.0, 1.0));
    for i in 0..part.positions.len() {
        let mut color = tint.unwrap_or([1.0; 4]);
        if let Some(given) = p.colors.get(i) {
            color = times(color, *given);
        }
        if let Some((slot, uvs)) = baked
            && let Some(&uv) = uvs.get(i)
        {
            let at = Footprint {
                uv,
                ..Footprint::default()
            };
            color = times(color, slot.sample(&at));
        }
        to.colors.push(color);
    }
}

/// Keeps every n-th point or line, so that at most `most` remain.
fn thin(primitive: &mut Primitive, most: usize) {
    let corners = match primitive.mode {
        Mode::Triangles => return,
        Mode::Lines => 2,
        Mode::Points => 1,
    };
    let every = (primitive.indices.len() / corners)
        .div_ceil(most.max(1))
        .max(1);
    let kept = primitive.indices.chunks_exact(corners).step_by(every);
    primitive.indices = kept.flatten().copied().collect();
    crate::lighten::drop_unused_vertices(primitive);
}
