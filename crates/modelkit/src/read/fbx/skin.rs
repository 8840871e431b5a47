//! Skins: the bones and weights of the control points of a mesh.

use super::Reading;
use super::lost::Loss;
use crate::read::influences::Influences;
use crate::scene::math;
use crate::scene::{Mat4, Skin};

/// One of the skins of a mesh, with the joint of each cluster.
struct Part<'a> {
    deformer: &'a ufbx::SkinDeformer,
    joint_of: Vec<Option<u16>>,
}

impl Part<'_> {
    /// Joints and weights of a control point.
    fn of(&self, point: usize) -> impl Iterator<Item = (u16, f32)> {
        let weights = self.deformer.vertices.get(point).and_then(|vertex| {
            let begin = vertex.weight_begin as usize;
            let end = begin.saturating_add(vertex.num_weights as usize);
            self.deformer.weights.get(begin..end)
        });
        weights.unwrap_or(&[]).iter().filter_map(|weight| {
            let joint = self.joint_of.get(weight.cluster_index as usize);
            Some((joint.copied().flatten()?, weight.weight as f32))
        })
    }
}

impl Reading<'_> {
    /// Skin of a mesh and the joints and weights of its control points. Several skins become one: the clusters of all.
    pub fn skin(
        &mut self,
        mesh: &ufbx::Mesh,
        node: &ufbx::Node,
        origin: [f64; 3],
    ) -> (Option<u32>, Option<Influences>) {
        let Some(first) = mesh.skin_deformers.iter().next() else {
            return (None, None);
        };
        let mut skin = Skin {
            name: self.name(&first.element),
            ..Skin::default()
        };
        // The vertices count from an origin.
        let origin = math::compose(origin, [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
        let mut parts = Vec::new();
        for deformer in &mesh.skin_deformers {
            let clusters = deformer.clusters.iter();
            let joint_of = clusters.map(|c| self.joint(&mut skin, c, &origin));
            parts.push(Part {
                deformer,
                joint_of: joint_of.collect(),
            });
        }
        let Ok(rest) = u16::try_from(skin.joints.len()) else {
            return (None, None);
        };
        if skin.joints.is_empty() {
            return (None, None);
        }
        let mut influences = Influences::new(rest);
        let mut shared = false;
        for point in 0..mesh.num_vertices {
            influences.push(parts.iter().flat_map(|part| part.of(point)));
            let holding = parts.iter().filter(|part| part.of(point).next().is_some());
            shared |= parts.len() > 1 && holding.count() > 1;
        }
        if influences.rests {
            // What no bone moves stays where the mesh is.
            let own = self.nodes.get(node.element.typed_id as usize);
            skin.joints
                .push(own.copied().flatten().unwrap_or(skin.joints[0]));
            let bind = math::mul(&matrix(&node.geometry_to_node), &origin);
            skin.inverse_bind.push(bind.map(|v| v as f32));
        }
        self.dropped_weights += influences.dropped;
        let name = self.name(&mesh.element);
        let object = ("网格", &name[..], mesh.element.typed_id as usize);
        if shared {
            self.losses.add(Loss::SharedSkin, object, "");
        }
        if parts.iter().any(|part| rolls(part.deformer)) {
            self.losses.add(Loss::DualQuaternion, object, "");
        }
        self.scene.skins.push(skin);
        (Some(self.scene.skins.len() as u32 - 1), Some(influences))
    }

    fn joint(&self, skin: &mut Skin, cluster: &ufbx::SkinCluster, origin: &Mat4) -> Option<u16> {
        let node = cluster.bone_node.as_ref()?;
        let node = self.nodes.get(node.element.typed_id as usize).copied()??;
        let matrix = math::mul(&matrix(&cluster.geometry_to_bone), origin);
        let bind = matrix.map(|v| v as f32);
        // The same bone may be bound in another pose by another skin.
        let mut known = skin.joints.iter().zip(&skin.inverse_bind);
        let same = known.position(|(joint, own)| *joint == node && *own == bind);
        let joint = same.unwrap_or_else(|| {
            skin.joints.push(node);
            skin.inverse_bind.push(bind);
            skin.joints.len() - 1
        });
        u16::try_from(joint).ok()
    }
}

/// Whether a skin keeps its volume where bones twist, which linear skins do not.
fn rolls(deformer: &ufbx::SkinDeformer) -> bool {
    match deformer.skinning_method {
        ufbx::SkinningMethod::DualQuaternion => true,
        ufbx::SkinningMethod::BlendedDqLinear => deformer.dq_weights.iter().any(|w| *w > 0.0),
        ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid => false,
    }
}

fn matrix(m: &ufbx::Matrix) -> Mat4 {
    [
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13,
        m.m23, 1.0,
    ]
}
