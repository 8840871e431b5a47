//! Skins: joints by name, the four strongest weights of each vertex.

use super::source::{Rows, input_source, inputs, names};
use super::xml::{Xml, child, doubles, indices, local, named};
use super::{Reading, placing};
use crate::limits::Limits;
use crate::scene::math;
use crate::scene::{Mesh, Primitive, Skin, SkinSet};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// A skinned instance whose joints may come later in the file.
pub struct Pending<'a> {
    pub skin: Xml<'a>,
    pub instance: Xml<'a>,
    pub node: u32,
}

/// Joints and weights of one position.
type Influence = ([u16; 4], [f32; 4]);

impl<'a> Reading<'a> {
    pub fn skins(&mut self, ctx: &Ctx) -> Result<()> {
        let sids = self.sids();
        for pending in std::mem::take(&mut self.skinned) {
            self.skinned_mesh(&pending, &sids, ctx)?;
        }
        Ok(())
    }

    /// Nodes by the names joints are referenced with: `sid`, `id`, `name`; the first of equal ones.
    fn sids(&self) -> HashMap<&'a str, Xml<'a>> {
        let nodes = || {
            self.ids
                .values()
                .copied()
                .filter(|n| n.tag_name().name() == "node")
        };
        let mut out = HashMap::new();
        let Some(any) = self.ids.values().next() else {
            return out;
        };
        let all = any.document().root().descendants();
        let all: Vec<Xml<'a>> = all.filter(|n| n.tag_name().name() == "node").collect();
        for attribute in ["sid", "id", "name"] {
            for node in all.iter().copied().chain(nodes()) {
                if let Some(name) = node.attribute(attribute) {
                    out.entry(name).or_insert(node);
                }
            }
        }
        out
    }

    fn skinned_mesh(
        &mut self,
        pending: &Pending<'a>,
        sids: &HashMap<&'a str, Xml<'a>>,
        ctx: &Ctx,
    ) -> Result<()> {
        let Some(id) = pending.skin.attribute("source").and_then(local) else {
            return Ok(());
        };
        let Some(materials) = self.bound(id, pending.instance, ctx)? else {
            return Ok(());
        };
        let origin = self.geometries.get(id).map_or([0.0; 3], |g| g.origin);
        let (skin, influences) = self.skin(pending, origin, sids);
        let Some(geometry) = self.geometries.get(id) else {
            return Ok(());
        };
        let mut primitives = Vec::new();
        for (part, material) in geometry.parts.iter().zip(materials) {
            self.counts.vertices += part.primitive.positions.len();
            Limits::check("顶点", self.counts.vertices, ctx.limits.vertices)?;
            let mut primitive = Primitive {
                material,
                ..part.primitive.clone()
            };
            if skin.is_some() {
                primitive.skin_sets.push(set(&part.origin, &influences));
            }
            primitives.push(primitive);
        }
        self.scene.meshes.push(Mesh {
            name: geometry.name.clone(),
            primitives,
            ..Mesh::default()
        });
        let mesh = self.scene.meshes.len() as u32 - 1;
        if origin != [0.0; 3] {
            self.origins.insert(mesh, origin);
        }
        let skin = skin.map(|skin| {
            self.scene.skins.push(skin);
            self.scene.skins.len() as u32 - 1
        });
        if let Some(node) = self.scene.nodes.get_mut(pending.node as usize) {
            (node.mesh, node.skin) = (Some(mesh), skin);
        }
        Ok(())
    }

    /// The skin, and joints and weights of every position; no skin if no joint can be found.
    fn skin(
        &self,
        pending: &Pending<'a>,
        origin: [f64; 3],
        sids: &HashMap<&'a str, Xml<'a>>,
    ) -> (Option<Skin>, Vec<Influence>) {
        let Some(joints) = child(pending.skin, "joints") else {
            return (None, Vec::new());
        };
        let names = input_source(&self.ids, joints, "JOINT").map_or(Vec::new(), names);
        let inverse = input_source(&self.ids, joints, "INV_BIND_MATRIX").and_then(Rows::read);
        let shape = child(pending.skin, "bind_shape_matrix");
        let shape: Vec<f64> = shape.into_iter().flat_map(doubles).collect();
        let turn = [0.0, 0.0, 0.0, 1.0];
        // The vertices count from an origin.
        let shape = math::mul(
            &placing::by_columns(&shape),
            &math::compose(origin, turn, [1.0; 3]),
        );
        let roots: Vec<Xml<'a>> = named(pending.instance, "skeleton")
            .filter_map(|s| self.ids.get(local(s.text()?)?).copied())
            .collect();
        let mut skin = Skin::default();
        // Index in the skin of each of the file's joints.
        let mut places = Vec::with_capacity(names.len());
        for (i, name) in names.iter().enumerate() {
            let below = roots.iter().find_map(|root| {
                let mut all = root.descendants();
                all.find(|n| n.attribute("sid") == Some(name) || n.attribute("id") == Some(name))
            });
            let node = below.or_else(|| sids.get(name).copied());
            let node = node.and_then(|n| self.placed.get(&n.id())?.first().copied());
            let Some(node) = node.filter(|_| skin.joints.len() < usize::from(u16::MAX)) else {
                places.push(None);
                continue;
            };
            let bind = inverse.as_ref().and_then(|rows| rows.row(i));
            let bind: Vec<f64> = bind.unwrap_or(&[]).iter().map(|v| f64::from(*v)).collect();
            let matrix = math::mul(&placing::by_columns(&bind), &shape);
            places.push(Some(skin.joints.len() as u16));
            skin.joints.push(node);
            skin.inverse_bind.push(matrix.map(|v| v as f32));
        }
        if skin.joints.is_empty() {
            return (None, Vec::new());
        }
        (Some(skin), self.influences(pending.skin, &places))
    }

    fn influences(&self, skin: Xml<'a>, places: &[Option<u16>]) -> Vec<Influence> {
        let Some(table) = child(skin, "vertex_weights") else {
            return Vec::new();
        };
        let weights = input_source(&self.ids, table, "WEIGHT").and_then(Rows::read);
        let offset = |semantic: &str| {
            let wire = inputs(table).find(|w| w.semantic == semantic);
            wire.map_or(usize::MAX, |w| w.offset)
        };
        let (joint, weight) = (offset("JOINT"), offset("WEIGHT"));
        let stride = inputs(table)
            .map(|w| w.offset)
            .max()
            .unwrap_or(1)
            .clamp(0, 63)
            + 1;
        let flat: Vec<u32> = child(table, "v").into_iter().flat_map(indices).collect();
        let mut rows = flat.chunks_exact(stride);
        let mut out = Vec::new();
        for count in child(table, "vcount").into_iter().flat_map(indices) {
            let mut of_one: Vec<(f32, u16)> = Vec::new();
            for row in rows.by_ref().take(count as usize) {
                let place = row.get(joint).and_then(|j| *places.get(*j as usize)?);
                let value = row
                    .get(weight)
                    .and_then(|w| weights.as_ref()?.get::<1>(*w as usize, 0.0));
                if let (Some(place), Some([value])) = (place, value)
                    && value > 0.0
                {
                    of_one.push((value, place));
                }
            }
            out.push(strongest(of_one));
        }
        out
    }
}

/// The four largest weights, normalised to a sum of one; a vertex without any is bound to the first joint.
fn strongest(mut of_one: Vec<(f32, u16)>) -> Influence {
    of_one.sort_by(|a, b| b.0.total_cmp(&a.0));
    of_one.truncate(4);
    let sum: f32 = of_one.iter().map(|(w, _)| w).sum();
    let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
    if !(sum > 0.0 && sum.is_finite()) {
        weights[0] = 1.0;
        return (joints, weights);
    }
    for (k, (weight, joint)) in of_one.into_iter().enumerate() {
        joints[k] = joint;
        weights[k] = weight / sum;
    }
    (joints, weights)
}

fn set(origin: &[u32], influences: &[Influence]) -> SkinSet {
    let of = |i: &u32| {
        let found = influences.get(*i as usize).copied();
        found.unwrap_or(([0; 4], [1.0, 0.0, 0.0, 0.0]))
    };
    SkinSet {
        joints: origin.iter().map(|i| of(i).0).collect(),
        weights: origin.iter().map(|i| of(i).1).collect(),
    }
}
