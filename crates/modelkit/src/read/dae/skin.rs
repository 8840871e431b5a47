//! Skins: joints by name, the strongest weights of each vertex.

use super::controller::Chain;
use super::lost::Loss;
use super::source::{Rows, input_source, inputs, names};
use super::xml::{Xml, child, content, doubles, indices, local, named};
use super::{Reading, placing};
use crate::limits::Limits;
use crate::read::influences::Influences;
use crate::scene::Skin;
use crate::scene::math::{self, Mat4};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// A skinned instance whose joints may come later in the file.
pub struct Pending<'a> {
    pub chain: Chain<'a>,
    pub skin: Xml<'a>,
    pub instance: Xml<'a>,
    pub node: u32,
}

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
        let id = pending.chain.geometry;
        let Some(materials) = self.bound(id, pending.instance, ctx)? else {
            return Ok(());
        };
        let origin = self.geometries.get(id).map_or([0.0; 3], |g| g.origin);
        let (skin, influences) = self.skin(pending, origin, sids);
        let mesh = self.shaped(id, &materials, pending.chain.morph, ctx)?;
        let (Some(mut mesh), Some(geometry)) = (mesh, self.geometries.get(id)) else {
            return Ok(());
        };
        for (primitive, part) in mesh.primitives.iter_mut().zip(&geometry.parts) {
            self.counts.vertices += primitive.positions.len();
            Limits::check("顶点", self.counts.vertices, ctx.limits.vertices)?;
            if skin.is_some() {
                primitive.skin_sets = influences.sets(&part.origin);
            }
        }
        let mesh = self.add(mesh, origin, ctx)?;
        let skin = skin.map(|skin| {
            self.scene.skins.push(skin);
            self.scene.skins.len() as u32 - 1
        });
        if let Some(node) = self.scene.nodes.get_mut(pending.node as usize) {
            (node.mesh, node.skin) = (Some(mesh), skin);
        }
        self.weighted(pending.chain.morph, pending.node);
        Ok(())
    }

    /// The skin, and joints and weights of every position; no skin if no joint can be found.
    fn skin(
        &mut self,
        pending: &Pending<'a>,
        origin: [f64; 3],
        sids: &HashMap<&'a str, Xml<'a>>,
    ) -> (Option<Skin>, Influences) {
        let none = (None, Influences::default());
        let Some(joints) = child(pending.skin, "joints") else {
            return none;
        };
        let names = input_source(&self.ids, joints, "JOINT").map_or(Vec::new(), names);
        let inverse = input_source(&self.ids, joints, "INV_BIND_MATRIX");
        let inverse = inverse.and_then(|source| Rows::read(&self.ids, source));
        let shape = child(pending.skin, "bind_shape_matrix");
        let shape: Vec<f64> = shape.into_iter().flat_map(doubles).collect();
        let turn = [0.0, 0.0, 0.0, 1.0];
        // The vertices count from an origin.
        let shape = math::mul(
            &placing::by_columns(&shape),
            &math::compose(origin, turn, [1.0; 3]),
        );
        let roots: Vec<Xml<'a>> = named(pending.instance, "skeleton")
            .filter_map(|s| self.ids.get(local(content(s)?)?).copied())
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
                let place = ("网格", pending.chain.geometry, 0);
                self.counts.losses.add(Loss::Joint, place, name);
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
            return none;
        }
        let influences = self.influences(pending, &places, skin.joints.len() as u16);
        if influences.rests {
            skin.joints.push(pending.node);
            let bind = math::mul(&self.out_of(pending.node), &shape);
            skin.inverse_bind.push(bind.map(|v| v as f32));
        }
        (Some(skin), influences)
    }

    /// From the space of the document to that of a node.
    fn out_of(&self, node: u32) -> Mat4 {
        let world = self.scene.world_matrices();
        let top = self.top.and_then(|top| world.get(top as usize));
        let inverse = world.get(node as usize).and_then(math::inverse_affine);
        let inverse = inverse.unwrap_or(math::IDENTITY);
        top.map_or(inverse, |top| math::mul(&inverse, top))
    }

    /// Influences of every point; `rest` is the joint of what stays in the bind shape.
    fn influences(
        &mut self,
        pending: &Pending<'a>,
        places: &[Option<u16>],
        rest: u16,
    ) -> Influences {
        let mut out = Influences::new(rest);
        let Some(table) = child(pending.skin, "vertex_weights") else {
            return out;
        };
        let weights = input_source(&self.ids, table, "WEIGHT");
        let weights = weights.and_then(|source| Rows::read(&self.ids, source));
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
        for count in child(table, "vcount").into_iter().flat_map(indices) {
            let own = rows.by_ref().take(count as usize).filter_map(|row| {
                let value = row
                    .get(weight)
                    .and_then(|w| weights.as_ref()?.get::<1>(*w as usize, 0.0));
                let [value] = value.filter(|[v]| *v > 0.0 && v.is_finite())?;
                let joint = *row.get(joint)?;
                // -1 is the bind shape (COLLADA 1.4.1, `vertex_weights`).
                match joint {
                    u32::MAX => Some((rest, value)),
                    _ => Some(((*places.get(joint as usize)?)?, value)),
                }
            });
            out.push(own);
        }
        let place = ("网格", pending.chain.geometry, 0);
        let points = self.geometries.get(pending.chain.geometry);
        let points = points.map_or(0, |g| {
            g.parts
                .iter()
                .flat_map(|p| &p.origin)
                .max()
                .map_or(0, |m| m + 1)
        });
        for _ in out.points()..points as usize {
            out.push([]);
        }
        self.counts
            .losses
            .add_all(Loss::Weights, place, out.dropped);
        out
    }
}
