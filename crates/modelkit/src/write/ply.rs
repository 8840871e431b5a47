//! PLY writer: binary little endian, metres, world space.
//!
//! PLY has no materials: their base colour is multiplied into the vertex
//! colours (sRGB, 8 bits), unless nothing is coloured.

use super::lost::{self, Simple};
use crate::read::{Format, colour};
use crate::scene::{Baked, Material, Mode, Primitive, Problem, bake};
use crate::{Ctx, Error, Result, Scene};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The vertex properties in this file.
#[derive(Clone, Copy)]
struct Columns {
    /// Positions are so far out that they need double precision.
    far: bool,
    normals: bool,
    colors: bool,
    uvs: bool,
}

/// A primitive whose vertices were written: mesh, index in the mesh, index of its first vertex, and whether it is
/// mirrored.
struct Written {
    mesh: usize,
    primitive: usize,
    first: u32,
    mirrored: bool,
}

#[derive(Default)]
struct Counts {
    vertices: usize,
    faces: usize,
    edges: usize,
}

pub fn write(scene: &Scene, path: &Path, _ctx: &Ctx) -> Result<Vec<Problem>> {
    let failed = |e: io::Error| Error::io(path, &e);
    let counts = count(scene);
    if counts.vertices == 0 {
        return Err(Error::EmptyModel("模型没有任何几何，无法写成 PLY".into()));
    }
    if counts.vertices > u32::MAX as usize {
        return Err(Error::TooLarge(
            "顶点数量超出 PLY 格式上限，请先轻量化".into(),
        ));
    }
    let columns = columns(scene);
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path).map_err(failed)?);
    out.write_all(header(&counts, columns).as_bytes())
        .map_err(failed)?;
    let mut written = Vec::new();
    let mut next = 0u32;
    bake(scene, &mut |baked| {
        vertices(&mut out, scene, &baked, columns).map_err(failed)?;
        let same = |p: &Primitive| std::ptr::eq(p, baked.primitive);
        written.push(Written {
            mesh: baked.mesh_index as usize,
            primitive: baked.mesh.primitives.iter().position(same).unwrap_or(0),
            first: next,
            mirrored: baked.mirrored,
        });
        next += baked.positions.len() as u32;
        Ok(())
    })?;
    for piece in &written {
        faces(
            &mut out,
            &scene.meshes[piece.mesh].primitives[piece.primitive],
            piece,
        )
        .map_err(failed)?;
    }
    for piece in &written {
        edges(
            &mut out,
            &scene.meshes[piece.mesh].primitives[piece.primitive],
            piece,
        )
        .map_err(failed)?;
    }
    out.flush().map_err(failed)?;
    Ok(lost::problems(scene, Simple::Ply))
}

/// Counts per node, in the order of baking.
fn count(scene: &Scene) -> Counts {
    let mut counts = Counts::default();
    for node in scene.walk() {
        let mesh = scene.nodes[node as usize]
            .mesh
            .and_then(|m| scene.meshes.get(m as usize));
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            counts.vertices += primitive.positions.len();
            match primitive.mode {
                Mode::Triangles => counts.faces += primitive.indices.len() / 3,
                Mode::Lines => counts.edges += primitive.indices.len() / 2,
                Mode::Points => {}
            }
        }
    }
    counts
}

fn columns(scene: &Scene) -> Columns {
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    // The grey that a reader made up colours nothing by itself, only what is beside other colours.
    let own = |p: &&Primitive| {
        let material = scene.materials.get(p.material? as usize)?;
        (!material.is_made_up()).then_some(())
    };
    let mut base = primitives()
        .filter(|p| own(p).is_some())
        .map(|p| tone(look(scene, p).as_ref()));
    Columns {
        far: scene.origin() != [0.0; 3],
        normals: primitives().any(|p| !p.normals.is_empty()),
        colors: primitives().any(|p| !p.colors.is_empty()) || base.any(|color| color != [1.0; 4]),
        uvs: primitives().any(|p| !p.uvs.is_empty()),
    }
}

/// The material of a primitive, as core glTF has it.
fn look<'a>(scene: &'a Scene, primitive: &Primitive) -> Option<Cow<'a, Material>> {
    let material = scene.materials.get(primitive.material? as usize)?;
    let metal = material.as_metal();
    Some(metal.map_or(Cow::Borrowed(material), Cow::Owned))
}

/// The colour of a material, with the opacity that is shown.
fn tone(material: Option<&Cow<Material>>) -> [f32; 4] {
    material.map_or([1.0; 4], |m| {
        let [r, g, b, _] = m.base_color;
        [r, g, b, m.shown_alpha(1.0)]
    })
}

fn header(counts: &Counts, columns: Columns) -> String {
    let mut text = String::from(
        "ply\nformat binary_little_endian 1.0\ncomment made by modelkit\ncomment units: m\n",
    );
    text += &format!("element vertex {}\n", counts.vertices);
    let place = if columns.far { "double" } else { "float" };
    for name in ["x", "y", "z"] {
        text += &format!("property {place} {name}\n");
    }
    let mut floats = Vec::new();
    if columns.normals {
        floats.extend(["nx", "ny", "nz"]);
    }
    if columns.uvs {
        floats.extend(["s", "t"]);
    }
    for name in floats {
        text += &format!("property float {name}\n");
    }
    if columns.colors {
        for name in ["red", "green", "blue", "alpha"] {
            text += &format!("property uchar {name}\n");
        }
    }
    if counts.faces > 0 {
        text += &format!(
            "element face {}\nproperty list uchar uint vertex_indices\n",
            counts.faces
        );
    }
    if counts.edges > 0 {
        text += &format!(
            "element edge {}\nproperty uint vertex1\nproperty uint vertex2\n",
            counts.edges
        );
    }
    text + "end_header\n"
}

fn vertices(
    out: &mut impl Write,
    scene: &Scene,
    baked: &Baked,
    columns: Columns,
) -> io::Result<()> {
    let material = look(scene, baked.primitive);
    let base = tone(material.as_ref());
    let uvs = baked.primitive.uvs.first();
    for (i, position) in baked.positions.iter().enumerate() {
        match columns.far {
            true => {
                for value in baked.place(*position) {
                    out.write_all(&value.to_le_bytes())?;
                }
            }
            false => floats(out, position)?,
        }
        if columns.normals {
            floats(out, baked.normals.get(i).unwrap_or(&[0.0; 3]))?;
        }
        if columns.uvs {
            let uv = uvs.and_then(|uvs| uvs.get(i));
            floats(out, &uv.map_or([0.0; 2], |[u, v]| [*u, 1.0 - *v]))?;
        }
        if columns.colors {
            let color = baked.primitive.colors.get(i).unwrap_or(&[1.0; 4]);
            let shown = [0, 1, 2].map(|k| color[k] * base[k]);
            let alpha = match &material {
                Some(material) => material.shown_alpha(color[3]),
                None => color[3],
            };
            let [r, g, b] = colour::of_linear(Format::Ply, shown);
            let bytes = [r, g, b, alpha].map(|c| (c.clamp(0.0, 1.0) * 255.0).round() as u8);
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}

fn floats(out: &mut impl Write, values: &[f32]) -> io::Result<()> {
    for value in values {
        out.write_all(&value.to_le_bytes())?;
    }
    Ok(())
}

fn faces(out: &mut impl Write, primitive: &Primitive, piece: &Written) -> io::Result<()> {
    if primitive.mode != Mode::Triangles {
        return Ok(());
    }
    for corner in primitive.indices.chunks_exact(3) {
        let (a, mut b, mut c) = (corner[0], corner[1], corner[2]);
        if piece.mirrored {
            (b, c) = (c, b);
        }
        let mut record = [3u8; 13];
        for (slot, index) in record[1..].chunks_exact_mut(4).zip([a, b, c]) {
            slot.copy_from_slice(&(piece.first + index).to_le_bytes());
        }
        out.write_all(&record)?;
    }
    Ok(())
}

fn edges(out: &mut impl Write, primitive: &Primitive, piece: &Written) -> io::Result<()> {
    if primitive.mode != Mode::Lines {
        return Ok(());
    }
    for index in &primitive.indices[..primitive.indices.len() / 2 * 2] {
        out.write_all(&(piece.first + index).to_le_bytes())?;
    }
    Ok(())
}
