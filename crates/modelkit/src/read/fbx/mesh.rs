//! FBX meshes: one primitive per material, polygons triangulated, equal corners merged. NURBS surfaces become meshes,
//! polylines and polygons of two corners lines.

use super::lost::Loss;
use super::placing::{Bake, Placing, origin_of};
use super::shapes::{Shape, shapes};
use super::{MeshKey, Placed, Reading, raw, vec3};
use crate::Result;
use crate::limits::Limits;
use crate::progress::Ctx;
use crate::read::influences::Influences;
use crate::read::uv_binding::MOST_UV_SETS;
use crate::read::{Format, colour};
use crate::scene::{Mesh, Mode, MorphTarget, Primitive};
use std::collections::HashMap;

/// UV sets of most meshes; their corners take less memory.
const FEW: usize = 2;

/// What a mesh is made of, and how a node shows it.
struct Shown<'a> {
    mesh: &'a ufbx::Mesh,
    node: &'a ufbx::Node,
    materials: &'a [u32],
    bake: Option<&'a Bake>,
    /// Of a NURBS surface.
    surface: Option<&'a ufbx::NurbsSurface>,
}

impl Reading<'_> {
    /// Mesh and skin of an attribute of `node`; instances with the same materials share them. `None` if it has no
    /// geometry.
    pub fn geometry(
        &mut self,
        attribute: &ufbx::Element,
        node: &ufbx::Node,
        ctx: &Ctx,
    ) -> Result<Placed> {
        match attribute.as_data() {
            ufbx::ElementData::Mesh(mesh) => self.mesh(mesh, node, ctx),
            ufbx::ElementData::NurbsSurface(surface) => self.surface(surface, node, ctx),
            ufbx::ElementData::LineCurve(curve) => self.polyline(curve, node, ctx),
            _ => Ok(None),
        }
    }

    fn key(&self, attribute: &ufbx::Element, node: &ufbx::Node, own: &[u32]) -> MeshKey {
        let of_node = node.materials.iter().map(|m| m.element.typed_id);
        let mut materials: Vec<u32> = of_node.collect();
        if materials.is_empty() {
            materials.extend(own);
        }
        (attribute.element_id, materials, None)
    }

    fn mesh(&mut self, mesh: &ufbx::Mesh, node: &ufbx::Node, ctx: &Ctx) -> Result<Placed> {
        let own: Vec<u32> = mesh.materials.iter().map(|m| m.element.typed_id).collect();
        let bake = Bake::of(node, mesh.skin_deformers.is_empty());
        let mut key = self.key(&mesh.element, node, &own);
        key.2 = bake.as_ref().map(Bake::key);
        if let Some(known) = self.meshes.get(&key) {
            return Ok(*known);
        }
        super::lost::mesh(self, mesh);
        let shown = Shown {
            mesh,
            node,
            materials: &key.1,
            bake: bake.as_ref(),
            surface: None,
        };
        let made = self.build(&shown, ctx)?;
        self.meshes.insert(key, made);
        Ok(made)
    }

    /// A NURBS surface as a mesh.
    fn surface(
        &mut self,
        surface: &ufbx::NurbsSurface,
        node: &ufbx::Node,
        ctx: &Ctx,
    ) -> Result<Placed> {
        let own = surface.material.as_ref().map(|m| m.element.typed_id);
        let bake = Bake::of(node, true);
        let mut key = self.key(&surface.element, node, own.as_slice());
        key.2 = bake.as_ref().map(Bake::key);
        if let Some(known) = self.meshes.get(&key) {
            return Ok(*known);
        }
        let steps = |basis: &ufbx::NurbsBasis| basis.spans.len().saturating_mul(SPAN);
        let corners = steps(&surface.basis_u).saturating_mul(steps(&surface.basis_v));
        Limits::check(
            "顶点",
            self.vertices.saturating_add(corners),
            ctx.limits.vertices,
        )?;
        let options = ufbx::TessellateSurfaceOpts {
            span_subdivision_u: SPAN,
            span_subdivision_v: SPAN,
            ..Default::default()
        };
        let name = self.name(&node.element);
        let object = ("节点", &name[..], node.element.typed_id as usize);
        let valid = surface.basis_u.valid && surface.basis_v.valid;
        let made = match ufbx::tessellate_nurbs_surface(surface, options) {
            Ok(mesh) if valid => {
                if deforms(&surface.element) {
                    self.losses.add(Loss::StillSurface, object, "");
                }
                let shown = Shown {
                    mesh: &mesh,
                    node,
                    materials: &key.1,
                    bake: bake.as_ref(),
                    surface: Some(surface),
                };
                self.build(&shown, ctx)?
            }
            _ => {
                self.losses.add(Loss::Curve, object, "NurbsSurface");
                None
            }
        };
        self.meshes.insert(key, made);
        Ok(made)
    }

    /// A polyline as lines.
    fn polyline(
        &mut self,
        curve: &ufbx::LineCurve,
        node: &ufbx::Node,
        ctx: &Ctx,
    ) -> Result<Placed> {
        let bake = Bake::of(node, true);
        let mut key = self.key(&curve.element, node, &[]);
        key.2 = bake.as_ref().map(Bake::key);
        if let Some(known) = self.meshes.get(&key) {
            return Ok(*known);
        }
        self.vertices = self.vertices.saturating_add(curve.point_indices.len());
        Limits::check("顶点", self.vertices, ctx.limits.vertices)?;
        let origin = origin_of(&curve.control_points, bake.as_ref());
        let from = Placing {
            bake: bake.as_ref(),
            origin,
        };
        let place = |index: &u32| {
            let point = curve.control_points.get(*index as usize);
            point.map_or([f32::NAN; 3], |point| from.position(*point))
        };
        let mut lines = Primitive {
            mode: Mode::Lines,
            positions: curve.point_indices.iter().map(place).collect(),
            ..Primitive::default()
        };
        for segment in &curve.segments {
            let begin = segment.index_begin;
            let end = begin.saturating_add(segment.num_indices);
            let end = end.min(lines.positions.len() as u32);
            let pairs = (begin..end).zip(begin.saturating_add(1)..end);
            lines.indices.extend(pairs.flat_map(|(a, b)| [a, b]));
        }
        let mut made = None;
        if !lines.indices.is_empty() {
            if let Some(material) = key.1.first().filter(|m| (**m as usize) < self.materials) {
                let bound = &mut self.uv_binding;
                let scene = &mut self.scene;
                lines.material = Some(bound.bound(scene, &ctx.limits, *material, false, |_| 0)?);
            }
            let name = self.own_name(&curve.element, node);
            let index = self.scene.add_mesh(name, vec![lines]);
            if origin != [0.0; 3] {
                self.origins.insert(index, origin);
            }
            made = Some((index, None));
        }
        self.meshes.insert(key, made);
        Ok(made)
    }

    /// The name of an attribute, else of its node.
    fn own_name(&self, attribute: &ufbx::Element, node: &ufbx::Node) -> String {
        match attribute.name.is_empty() {
            true => self.name(&node.element),
            false => self.name(attribute),
        }
    }

    fn build(&mut self, shown: &Shown, ctx: &Ctx) -> Result<Placed> {
        let (mesh, bake) = (shown.mesh, shown.bake);
        let corners = self.vertices.saturating_add(mesh.num_indices);
        Limits::check("顶点", corners, ctx.limits.vertices)?;
        self.vertices = corners;
        let origin = origin_of(&mesh.vertices, bake);
        let (skin, weights) = self.skin(mesh, shown.node, origin);
        let (channels, shapes) = shapes(mesh, bake, self.encoding);
        let columns = Columns::new(self.source, shown, origin);
        let make = match mesh.uv_sets.len() {
            ..=FEW => corners_of::<FEW>,
            _ => corners_of::<MOST_UV_SETS>,
        };
        let mut primitives = Vec::new();
        for part in &mesh.material_parts {
            let mut modes = Vec::new();
            if part.num_triangles > 0 {
                modes.push(Mode::Triangles);
            }
            if part.num_line_faces > 0 {
                modes.push(Mode::Lines);
            }
            for mode in modes {
                let mut primitive = make(&columns, part, mode, weights.as_ref(), &shapes);
                if primitive.indices.is_empty() {
                    continue;
                }
                primitive.material = match shown.materials.get(part.index as usize) {
                    Some(material) => self.material(*material, mesh, ctx)?,
                    None => None,
                };
                primitives.push(primitive);
            }
        }
        if primitives.is_empty() {
            return Ok(None);
        }
        self.uv_sets += usize::from(mesh.uv_sets.len() > MOST_UV_SETS);
        let attribute = shown
            .surface
            .map_or(&mesh.element, |surface| &surface.element);
        let index = self.scene.meshes.len() as u32;
        if origin != [0.0; 3] {
            self.origins.insert(index, origin);
        }
        self.channels.insert(index, channels);
        self.scene.meshes.push(Mesh {
            name: self.own_name(attribute, shown.node),
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
}

/// Faces along each span of a NURBS surface.
const SPAN: usize = 8;

/// Whether a skin or blend shapes move an attribute.
fn deforms(attribute: &ufbx::Element) -> bool {
    let mut sources = attribute.connections_dst.iter().map(|c| c.src.type_);
    sources.any(|kind| {
        matches!(
            kind,
            ufbx::ElementType::SkinDeformer
                | ufbx::ElementType::BlendDeformer
                | ufbx::ElementType::CacheDeformer
        )
    })
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
    /// The back of the faces is outside.
    flips: bool,
    /// Knots that stand for 0 and 1 of the only UV set, across and up: of a NURBS surface, whose mesh has no list.
    knots: Option<[[f64; 2]; 2]>,
}

impl<'a> Columns<'a> {
    fn new(source: &ufbx::Scene, shown: &Shown<'a>, origin: [f64; 3]) -> Columns<'a> {
        let (mesh, bake) = (shown.mesh, shown.bake);
        let mirrored = source.metadata.mirror_axis != ufbx::MirrorAxis::None;
        let knots = shown
            .surface
            .filter(|_| mesh.vertex_uv.exists)
            .map(|surface| {
                [&surface.basis_u, &surface.basis_v].map(|basis| {
                    let wide = (basis.t_max - basis.t_min).abs();
                    [basis.t_min, if wide > 1e-9 { wide } else { 1.0 }]
                })
            });
        let turned = shown.surface.is_some_and(|surface| surface.flip_normals);
        Columns {
            mesh,
            from: Placing { bake, origin },
            uv_sets: match knots {
                Some(_) => 1,
                None => mesh.uv_sets.len().min(MOST_UV_SETS),
            },
            color: mesh.vertex_color.exists,
            normal: mesh.vertex_normal.exists,
            inwards: mesh.generated_normals && mirrored,
            flips: bake.is_some_and(|bake| bake.flips) != turned,
            knots,
        }
    }

    fn uv(&self, set: usize, corner: usize) -> Option<ufbx::Vec2> {
        let mesh = self.mesh;
        let Some(knots) = self.knots else {
            let uv = &mesh.uv_sets.get(set)?.vertex_uv;
            return pick(&uv.values, &uv.indices, corner);
        };
        let uv = pick(&mesh.vertex_uv.values, &mesh.vertex_uv.indices, corner)?;
        let [[u, wide], [v, high]] = knots;
        Some(ufbx::Vec2 {
            x: (uv.x - u) / wide,
            y: (uv.y - v) / high,
        })
    }

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
        for (set, slot) in uvs.iter_mut().enumerate().take(self.uv_sets) {
            *slot = self.uv(set, i).map_or([0; 2], |uv| {
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

/// The faces of one material as a primitive: polygons, or those of two corners as lines.
fn corners_of<const N: usize>(
    columns: &Columns,
    part: &ufbx::MeshPart,
    mode: Mode,
    weights: Option<&Influences>,
    shapes: &[Shape],
) -> Primitive {
    let mesh = columns.mesh;
    let mut vertices = Vertices::<N> {
        columns,
        primitive: Primitive {
            mode,
            ..Primitive::default()
        },
        points: Vec::new(),
        known: HashMap::with_capacity(part.num_triangles),
    };
    let p = &mut vertices.primitive;
    p.indices.reserve(part.num_triangles * 3);
    p.uvs.resize(columns.uv_sets.min(N), Vec::new());
    let mut triangles = vec![0u32; mesh.max_face_triangles * 3];
    for &face in &part.face_indices {
        let hole = mesh.face_hole.get(face as usize) == Some(&true);
        let Some(&face) = mesh.faces.get(face as usize) else {
            continue;
        };
        if mode == Mode::Lines {
            let ends = [face.index_begin, face.index_begin.saturating_add(1)];
            if let ([Some(a), Some(b)], 2) = (ends.map(|i| columns.corner(i)), face.num_indices) {
                vertices.push(&a);
                vertices.push(&b);
            }
            continue;
        }
        let room = (face.num_indices as usize).saturating_sub(2) * 3;
        if hole || room == 0 || room > triangles.len() {
            continue;
        }
        let count = ufbx::triangulate_face(&mut triangles, mesh, face) as usize;
        let corners = triangles.iter().take(count * 3);
        let list: Vec<Corner<N>> = corners.filter_map(|&i| columns.corner(i)).collect();
        for [a, b, c] in list.as_chunks::<3>().0 {
            for corner in if columns.flips { [a, c, b] } else { [a, b, c] } {
                vertices.push(corner);
            }
        }
    }
    let Vertices {
        mut primitive,
        points,
        ..
    } = vertices;
    if mode == Mode::Lines {
        // They have no side that a computed one could be of.
        primitive.normals = Vec::new();
    }
    deform(&mut primitive, &points, weights, shapes);
    primitive
}

/// A primitive in the making.
struct Vertices<'a, const N: usize> {
    columns: &'a Columns<'a>,
    primitive: Primitive,
    /// The control point of each vertex.
    points: Vec<u32>,
    known: HashMap<Corner<N>, u32>,
}

impl<const N: usize> Vertices<'_, N> {
    fn push(&mut self, corner: &Corner<N>) {
        let next = self.points.len() as u32;
        let index = *self.known.entry(corner.clone()).or_insert(next);
        if index == next {
            push_vertex(&mut self.primitive, self.columns, corner);
            self.points.push(corner.point);
        }
        self.primitive.indices.push(index);
    }
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
            let (position, normal) = shape.offsets.get(point).copied().unwrap_or_default();
            target.positions.push(position);
            if shape.has_normals && p.mode == Mode::Triangles {
                target.normals.push(normal);
            }
        }
        p.targets.push(target);
    }
}
