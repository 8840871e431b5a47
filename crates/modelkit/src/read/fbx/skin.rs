//! Skins: the bones and weights of the control points of a mesh.

use super::Reading;
use super::lost::Loss;
use crate::scene::math;
use crate::scene::{Mat4, Skin, SkinSet};

/// Influences kept per vertex: FBX has no limit, readers of glTF know four sets of four.
const MOST_INFLUENCES: usize = 16;

/// Joints and weights of the control points of a mesh.
#[derive(Default)]
pub struct Influences {
    list: Vec<(u16, f32)>,
    /// The end of each control point's.
    ends: Vec<usize>,
    /// Control points with more than are kept.
    dropped: usize,
    /// Control points that several skins hold.
    shared: usize,
}

/// One of the skins of a mesh, with the joint of each cluster.
struct Part<'a> {
    deformer: &'a ufbx::SkinDeformer,
    joint_of: Vec<Option<u16>>,
}

impl Part<'_> {
    fn add(&self, point: usize, own: &mut Vec<(u16, f32)>) {
        let Some(vertex) = self.deformer.vertices.get(point) else {
            return;
        };
        let begin = vertex.weight_begin as usize;
        let end = begin.saturating_add(vertex.num_weights as usize);
        for weight in self.deformer.weights.get(begin..end).unwrap_or(&[]) {
            let joint = self.joint_of.get(weight.cluster_index as usize);
            let Some(joint) = joint.copied().flatten() else {
                continue;
            };
            match own.iter_mut().find(|(known, _)| *known == joint) {
                Some(entry) => entry.1 += weight.weight as f32,
                None => own.push((joint, weight.weight as f32)),
            }
        }
    }
}

impl Reading<'_> {
    /// Skin of a mesh and the joints and weights of its control points. Several skins become one: the clusters of all.
    pub fn skin(
        &mut self,
        mesh: &ufbx::Mesh,
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
        if skin.joints.is_empty() || skin.joints.len() > usize::from(u16::MAX) {
            return (None, None);
        }
        let mut influences = Influences::default();
        let points = parts.iter().map(|part| part.deformer.vertices.len()).max();
        for point in 0..points.unwrap_or(0) {
            influences.push(&parts, point);
        }
        self.dropped_weights += influences.dropped;
        let name = self.name(&mesh.element);
        let object = ("网格", &name[..], mesh.element.typed_id as usize);
        if influences.shared > 0 {
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

impl Influences {
    fn of(&self, point: u32) -> &[(u16, f32)] {
        let point = point as usize;
        let start = match point {
            0 => 0,
            _ => self.ends.get(point - 1).copied().unwrap_or(0),
        };
        let end = self.ends.get(point).copied().unwrap_or(start);
        self.list.get(start..end).unwrap_or_default()
    }

    /// Adds the influences of the next control point, the strongest first, normalised to a sum of 1.
    fn push(&mut self, skins: &[Part], point: usize) {
        let mut own: Vec<(u16, f32)> = Vec::new();
        let mut holding = 0;
        for skin in skins {
            let before = own.len();
            skin.add(point, &mut own);
            holding += usize::from(own.len() > before);
        }
        self.shared += usize::from(holding > 1);
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.dropped += usize::from(own.len() > MOST_INFLUENCES);
        own.truncate(MOST_INFLUENCES);
        let total: f32 = own.iter().map(|(_, weight)| weight).sum();
        let share = |weight: f32| if total > 0.0 { weight / total } else { 0.0 };
        let own = own.into_iter();
        self.list
            .extend(own.map(|(joint, weight)| (joint, share(weight))));
        self.ends.push(self.list.len());
    }

    /// Sets of four for the vertices made from `points`.
    pub fn sets(&self, points: &[u32]) -> Vec<SkinSet> {
        let most = points.iter().map(|point| self.of(*point).len()).max();
        let count = most.unwrap_or(0).div_ceil(4).max(1);
        let mut sets = vec![SkinSet::default(); count];
        for point in points {
            let own = self.of(*point);
            for (k, set) in sets.iter_mut().enumerate() {
                let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
                let four = own.iter().skip(k * 4).take(4);
                for (slot, (joint, weight)) in four.enumerate() {
                    joints[slot] = *joint;
                    weights[slot] = *weight;
                }
                // What no cluster holds follows the first joint.
                if own.is_empty() && k == 0 {
                    weights[0] = 1.0;
                }
                set.joints.push(joints);
                set.weights.push(weights);
            }
        }
        sets
    }
}

fn matrix(m: &ufbx::Matrix) -> Mat4 {
    [
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13,
        m.m23, 1.0,
    ]
}
