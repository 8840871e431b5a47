//! Geometry in world space, for formats without a node tree and for measuring.

use super::math::{self, Mat4};
use super::tree::world_of;
use super::{Bounds, Mesh, Node, Primitive, Scene};
use crate::Result;

/// One primitive of one node with positions and normals in world space (rest pose of skins, default morph weights
/// applied). UVs, colours and the material are those of `primitive`.
pub struct Baked<'a> {
    pub node: &'a Node,
    pub node_index: u32,
    pub mesh: &'a Mesh,
    pub mesh_index: u32,
    pub primitive: &'a Primitive,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// The transform is mirroring: swap two corners of each triangle.
    pub mirrored: bool,
}

impl Scene {
    /// Bounding box of all geometry in the rest pose, metres, Y up.
    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        bake(self, &mut |part| {
            for position in &part.positions {
                bounds.add(position.map(f64::from));
            }
            Ok(())
        })
        .unwrap_or_default();
        bounds
    }
}

/// Passes every drawn primitive to `visit`, in tree order.
pub fn bake<'a>(scene: &'a Scene, visit: &mut dyn FnMut(Baked<'a>) -> Result<()>) -> Result<()> {
    bake_posed(scene, &scene.nodes, visit)
}

/// [`bake`] with other transforms and weights: `nodes` replaces `scene.nodes`, one for one.
pub fn bake_posed<'a>(
    scene: &'a Scene,
    nodes: &'a [Node],
    visit: &mut dyn FnMut(Baked<'a>) -> Result<()>,
) -> Result<()> {
    let world = world_of(&scene.roots, nodes);
    for node_index in scene.walk() {
        let Some(node) = nodes.get(node_index as usize) else {
            continue;
        };
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let Some(mesh) = scene.meshes.get(mesh_index as usize) else {
            continue;
        };
        let joints = joint_matrices(scene, node, &world);
        for primitive in &mesh.primitives {
            let weights = if node.weights.is_empty() {
                &mesh.weights
            } else {
                &node.weights
            };
            let (local, local_normals) = morphed(primitive, weights);
            let matrix = &world[node_index as usize];
            let skinned = !joints.is_empty() && !primitive.skin_sets.is_empty();
            let (positions, normals) = if skinned {
                skin(primitive, &local, &local_normals, &joints)
            } else {
                let normal_matrix = math::normal_matrix(matrix);
                let positions = local
                    .iter()
                    .map(|&p| math::point(matrix, p).map(|x| x as f32));
                let normals = local_normals
                    .iter()
                    .map(|&n| unit(math::direction(&normal_matrix, n)));
                (positions.collect(), normals.collect())
            };
            let mirrored = !skinned && math::determinant(matrix) < 0.0;
            visit(Baked {
                node,
                node_index,
                mesh,
                mesh_index,
                primitive,
                positions,
                normals,
                mirrored,
            })?;
        }
    }
    Ok(())
}

fn unit(v: [f64; 3]) -> [f32; 3] {
    math::normalize(v)
        .unwrap_or([0.0, 1.0, 0.0])
        .map(|x| x as f32)
}

fn joint_matrices(scene: &Scene, node: &Node, world: &[Mat4]) -> Vec<Mat4> {
    let Some(skin) = node.skin.and_then(|s| scene.skins.get(s as usize)) else {
        return Vec::new();
    };
    let mut out = Vec::with_capacity(skin.joints.len());
    for (i, &joint) in skin.joints.iter().enumerate() {
        let world = world.get(joint as usize).copied().unwrap_or(math::IDENTITY);
        let bind = skin
            .inverse_bind
            .get(i)
            .map_or(math::IDENTITY, |m| m.map(f64::from));
        out.push(math::mul(&world, &bind));
    }
    out
}

fn morphed(primitive: &Primitive, weights: &[f32]) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let mut positions = primitive.positions.clone();
    let mut normals = primitive.normals.clone();
    for (target, &weight) in primitive.targets.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        add_scaled(&mut positions, &target.positions, weight);
        add_scaled(&mut normals, &target.normals, weight);
    }
    (positions, normals)
}

fn add_scaled(to: &mut [[f32; 3]], delta: &[[f32; 3]], weight: f32) {
    for (value, d) in to.iter_mut().zip(delta) {
        for axis in 0..3 {
            value[axis] += d[axis] * weight;
        }
    }
}

fn skin(
    primitive: &Primitive,
    local: &[[f32; 3]],
    local_normals: &[[f32; 3]],
    joints: &[Mat4],
) -> (Vec<[f32; 3]>, Vec<[f32; 3]>) {
    let mut positions = Vec::with_capacity(local.len());
    let mut normals = Vec::with_capacity(local_normals.len());
    for (vertex, &p) in local.iter().enumerate() {
        let mut blend = [0.0; 16];
        let mut total = 0.0;
        for set in &primitive.skin_sets {
            let (Some(j), Some(w)) = (set.joints.get(vertex), set.weights.get(vertex)) else {
                continue;
            };
            for k in 0..4 {
                let Some(matrix) = joints.get(usize::from(j[k])) else {
                    continue;
                };
                let weight = f64::from(w[k]);
                total += weight;
                for (sum, m) in blend.iter_mut().zip(matrix) {
                    *sum += m * weight;
                }
            }
        }
        let blend = if total > 0.0 {
            blend.map(|m| m / total)
        } else {
            math::IDENTITY
        };
        positions.push(math::point(&blend, p).map(|x| x as f32));
        if let Some(&n) = local_normals.get(vertex) {
            normals.push(unit(math::direction(&blend, n)));
        }
    }
    (positions, normals)
}
