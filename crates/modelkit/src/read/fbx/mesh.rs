//! FBX meshes: one primitive per material, polygons triangulated, equal corners merged.

use super::placing::{Bake, Placing, origin_of};
use super::{Reading, raw, vec3};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::encoding::Encoding;
use crate::read::influences::Influences;
use crate::read::uv_binding::MOST_UV_SETS;
use crate::read::{Format, colour};
use crate::scene::math;
use crate::scene::{Mat4, Mesh, MorphTarget, Primitive, Skin};
use std::collections::HashMap;

/// UV sets of most meshes; their corners take less memory.
const FEW: usize = 2;

impl Reading<'_> {
    /// Mesh and skin for `node`; instances with the same materials share them.
    pub fn mesh(
        &mut self,
        mesh: &ufbx::Mesh,
        node: &ufbx::Node,
        ctx: &Ctx,
    ) -> Result<Option<(u32, Option<u32>)>> {
        let materials = if node.materials.is_empty() {
            &mesh.materials
        } else {
            &node.materials
        };
        let ids: Vec<u32> = materials.iter().map(|m| m.element.typed_id).collect();
        let bake = Bake::of(mesh, node);
        let key = (mesh.element.typed_id, ids, bake.as_ref().map(Bake::key));
        if let Some(known) = self.meshes.get(&key) {
            return Ok(*known);
        }
        let name = self.name(&node.element);
        let made = self.build(mesh, &key.1, bake.as_ref(), &name, ctx)?;
        self.meshes.insert(key, made);
        Ok(made)
    }

    fn build(
        &mut self,
        mesh: &ufbx::Mesh,
        materials: &[u32],
        bake: Option<&Bake>,
        node_name: &str,
        ctx: &Ctx,
    ) -> Result<Option<(u32, Option<u32>)>> {
        Limits::check(
            "顶点",
            self.vertices + mesh.num_indices,
            ctx.limits.vertices,
        )?;
        self.vertices += mesh.num_indices;
        let origin = origin_of(mesh, bake);
        let (skin, weights) = self.skin(mesh, origin);
        let shapes = shapes(mesh, bake, self.encoding);
        let mut primitives = Vec::new();
        let from = Placing { bake, origin };
        for part in &mesh.material_parts {
            if part.num_triangles == 0 {
                continue;
            }
            let make = match mesh.uv_sets.len() {
                ..=FEW => corners::<FEW>,
                _ => corners::<MOST_UV_SETS>,
            };
            let mut primitive = make(self.source, mesh, part, from, weights.as_ref(), &shapes);
            primitive.material = match materials.get(part.index as usize) {
                Some(material) => self.material(*material, mesh, ctx)?,
                None => None,
            };
            primitives.push(primitive);
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        self.uv_sets += usize::from(mesh.uv_sets.len() > MOST_UV_SETS);
        let name = if mesh.element.name.is_empty() {
            node_name.to_owned()
        } else {
            self.name(&mesh.element)
        };
        let index = self.scene.meshes.len() as u32;
        if origin != [0.0; 3] {
            self.origins.insert(index, origin);
        }
        self.channels
            .insert(index, shapes.iter().map(|s| s.channel).collect());
        self.scene.meshes.push(Mesh {
            name,
            primitives,
            weights: shapes.iter().map(|s| s.weight).collect(),
            target_names: shapes.iter().map(|s| s.name.clone()).collect(),
            extras: None,
        });
        Ok(Some((index, skin)))
    }

    /// A material with its textures on the UV sets of this mesh that they name.
    fn material(&mut self, material: u32, mesh: &ufbx::Mesh, ctx: &Ctx) -> Result<Option<u32>> {
        if material as usize >= self.materials {
            return Ok(None);
        }
        let encoding = self.encoding;
        let set_of = |name: &str| {
            let mut sets = mesh.uv_sets.iter().take(MOST_UV_SETS);
            let place = sets.position(|set| encoding.name(raw(&set.name)) == name);
            place.unwrap_or(0) as u32
        };
        let bound = &mut self.uv_binding;
        let bound = bound.bound(&mut self.scene, &ctx.limits, material, false, set_of)?;
        Ok(Some(bound))
    }

    /// Skin of a mesh and the joints and weights of its control points.
    fn skin(&mut self, mesh: &ufbx::Mesh, origin: [f64; 3]) -> (Option<u32>, Option<Influences>) {
        let Some(deformer) = mesh.skin_deformers.iter().next() else {
            return (None, None);
        };
        let mut skin = Skin {
            name: self.name(&deformer.element),
            ..Skin::default()
        };
        let mut joint_of = Vec::with_capacity(deformer.clusters.len());
        // The vertices count from an origin.
        let origin = math::compose(origin, [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        for cluster in &deformer.clusters {
            let node = cluster.bone_node.as_ref();
            let node = node.and_then(|n| {
                self.nodes
                    .get(n.element.typed_id as usize)
                    .copied()
                    .flatten()
            });
            let Some(node) = node else {
                joint_of.push(None);
                continue;
            };
            let matrix = math::mul(&matrix(&cluster.geometry_to_bone), &origin);
            let same = skin.joints.iter().position(|&j| j == node);
            joint_of.push(Some(same.unwrap_or_else(|| {
                skin.joints.push(node);
                skin.inverse_bind.push(matrix.map(|v| v as f32));
                skin.joints.len() - 1
            }) as u16));
        }
        if skin.joints.is_empty() || skin.joints.len() > usize::from(u16::MAX) {
            return (None, None);
        }
        let mut influences = Influences::default();
        for vertex in &deformer.vertices {
            influences.push(own(deformer, vertex, &joint_of));
        }
        self.dropped_weights += influences.dropped;
        self.scene.skins.push(skin);
        (Some(self.scene.skins.len() as u32 - 1), Some(influences))
    }
}

/// Joints and weights of a control point.
fn own<'a>(
    deformer: &'a ufbx::SkinDeformer,
    vertex: &ufbx::SkinVertex,
    joint_of: &'a [Option<u16>],
) -> impl Iterator<Item = (u16, f32)> + 'a {
    let begin = vertex.weight_begin as usize;
    let weights = deformer
        .weights
        .get(begin..begin + vertex.num_weights as usize)
        .unwrap_or(&[]);
    weights.iter().filter_map(|weight| {
        let joint = joint_of.get(weight.cluster_index as usize);
        Some((joint.copied().flatten()?, weight.weight as f32))
    })
}

fn matrix(m: &ufbx::Matrix) -> Mat4 {
    [
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13,
        m.m23, 1.0,
    ]
}

/// A blend shape, expanded over the control points.
struct Shape {
    name: String,
    /// Element id of the channel, for its animation.
    channel: u32,
    weight: f32,
    positions: HashMap<u32, ([f32; 3], [f32; 3])>,
    has_normals: bool,
}

fn shapes(mesh: &ufbx::Mesh, bake: Option<&Bake>, encoding: Encoding) -> Vec<Shape> {
    let mut out = Vec::new();
    for deformer in &mesh.blend_deformers {
        for channel in &deformer.channels {
            let Some(shape) = &channel.target_shape else {
                continue;
            };
            let has_normals = shape.normal_offsets.len() == shape.offset_vertices.len();
            let mut positions = HashMap::with_capacity(shape.offset_vertices.len());
            for (i, &vertex) in shape.offset_vertices.iter().enumerate() {
                let offset = shape.position_offsets.get(i).copied().unwrap_or_default();
                let offset = vec3(bake.map_or(offset, |bake| bake.offset(offset)));
                let normal = shape.normal_offsets.get(i).copied().unwrap_or_default();
                let normal = vec3(bake.map_or(normal, |bake| bake.normal(normal)));
                positions.insert(vertex, (offset, normal));
            }
            let name = if channel.element.name.is_empty() {
                &shape.element.name
            } else {
                &channel.element.name
            };
            out.push(Shape {
                name: encoding.name(raw(name)),
                channel: channel.element.element_id,
                weight: channel.weight as f32,
                positions,
                has_normals,
            });
        }
    }
    out
}

/// A corner's values; bitwise equal corners become one vertex.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Corner<const N: usize> {
    point: u32,
    normal: [u32; 3],
    uvs: [[u32; 2]; N],
    color: [u32; 4],
}

struct Columns<'a> {
    mesh: &'a ufbx::Mesh,
    from: Placing<'a>,
    uv_sets: usize,
    color: bool,
    normal: bool,
    /// Normals were computed from the winding in the space of a left-handed file.
    inwards: bool,
}

impl Columns<'_> {
    fn corner<const N: usize>(&self, index: u32) -> Option<Corner<N>> {
        let i = index as usize;
        let mesh = self.mesh;
        let point = *mesh.vertex_indices.get(i)?;
        let normal = if self.normal {
            let own = pick(&mesh.vertex_normal.values, &mesh.vertex_normal.indices, i);
            let own = own.map(|n| vec3(self.from.bake.map_or(n, |bake| bake.normal(n))));
            own.map(|n| if self.inwards { n.map(|c| -c) } else { n })
        } else {
            None
        };
        let mut uvs = [[0; 2]; N];
        for (set, slot) in mesh.uv_sets.iter().zip(uvs.iter_mut()).take(self.uv_sets) {
            let uv = pick(&set.vertex_uv.values, &set.vertex_uv.indices, i);
            *slot = uv.map_or([0; 2], |uv| {
                [(uv.x as f32).to_bits(), (1.0 - uv.y as f32).to_bits()]
            });
        }
        let color = if self.color {
            pick(&mesh.vertex_color.values, &mesh.vertex_color.indices, i)
        } else {
            None
        };
        let color = color.map_or([0; 4], |c| {
            let own = [c.x, c.y, c.z, c.w].map(|v| v.clamp(0.0, 1.0) as f32);
            colour::linear_rgba(Format::Fbx, own).map(f32::to_bits)
        });
        Some(Corner {
            point,
            normal: normal.unwrap_or([0.0, 1.0, 0.0]).map(f32::to_bits),
            uvs,
            color,
        })
    }
}

fn pick<T: Copy>(values: &[T], indices: &[u32], at: usize) -> Option<T> {
    values.get(*indices.get(at)? as usize).copied()
}

/// The faces of one material as a primitive.
fn corners<const N: usize>(
    source: &ufbx::Scene,
    mesh: &ufbx::Mesh,
    part: &ufbx::MeshPart,
    from: Placing,
    weights: Option<&Influences>,
    shapes: &[Shape],
) -> Primitive {
    let columns = Columns {
        mesh,
        from,
        uv_sets: mesh.uv_sets.len().min(N),
        color: mesh.vertex_color.exists,
        normal: mesh.vertex_normal.exists,
        inwards: mesh.generated_normals && source.metadata.mirror_axis != ufbx::MirrorAxis::None,
    };
    let mut p = Primitive::default();
    let mut points: Vec<u32> = Vec::new();
    let mut known: HashMap<Corner<N>, u32> = HashMap::with_capacity(part.num_triangles);
    p.indices.reserve(part.num_triangles * 3);
    p.uvs.resize(columns.uv_sets, Vec::new());
    let mut triangles = vec![0u32; mesh.max_face_triangles * 3];
    let flips = from.bake.is_some_and(|bake| bake.flips);
    for &face in &part.face_indices {
        let Some(&face) = mesh.faces.get(face as usize) else {
            continue;
        };
        if face.num_indices < 3 || (face.num_indices as usize - 2) * 3 > triangles.len() {
            continue;
        }
        let count = ufbx::triangulate_face(&mut triangles, mesh, face) as usize;
        let list: Vec<Corner<N>> = triangles
            .iter()
            .take(count * 3)
            .filter_map(|&i| columns.corner(i))
            .collect();
        for triangle in list.as_chunks::<3>().0 {
            let [a, b, c] = triangle;
            for corner in if flips { [a, c, b] } else { [a, b, c] } {
                let next = points.len() as u32;
                let index = *known.entry(corner.clone()).or_insert(next);
                if index == next {
                    push_vertex(&mut p, &columns, corner);
                    points.push(corner.point);
                }
                p.indices.push(index);
            }
        }
    }
    deform(&mut p, &points, weights, shapes);
    p
}

fn push_vertex<const N: usize>(p: &mut Primitive, columns: &Columns, corner: &Corner<N>) {
    let position = columns.mesh.vertices.get(corner.point as usize);
    let place = |v: &ufbx::Vec3| columns.from.position(*v);
    p.positions.push(position.map_or([f32::NAN; 3], place));
    if columns.normal {
        p.normals.push(corner.normal.map(f32::from_bits));
    }
    for (set, uv) in p.uvs.iter_mut().zip(&corner.uvs) {
        set.push(uv.map(f32::from_bits));
    }
    if columns.color {
        p.colors.push(corner.color.map(f32::from_bits));
    }
}

fn deform(p: &mut Primitive, points: &[u32], weights: Option<&Influences>, shapes: &[Shape]) {
    if let Some(influences) = weights {
        p.skin_sets = influences.sets(points);
    }
    for shape in shapes {
        let mut target = MorphTarget::default();
        for point in points {
            let (position, normal) = shape.positions.get(point).copied().unwrap_or_default();
            target.positions.push(position);
            if shape.has_normals {
                target.normals.push(normal);
            }
        }
        p.targets.push(target);
    }
}
