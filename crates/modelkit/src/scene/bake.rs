//! Geometry in world space, for formats without a node tree and for measuring.

use super::math::{self, Mat4};
use super::tree::world_of;
use super::{Bounds, Mesh, Node, Primitive, Scene};
use crate::Result;

/// One primitive of one node with positions and normals in world space (rest pose of skins, default morph weights
/// applied). UVs, colours and the material are those of `primitive`. Positions count from `origin`, which is zero unless
/// the scene lies so far out that single precision would lose its shape.
pub struct Baked<'a> {
    pub node: &'a Node,
    pub node_index: u32,
    pub mesh: &'a Mesh,
    pub mesh_index: u32,
    pub primitive: &'a Primitive,
    pub origin: [f64; 3],
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// The transform is mirroring: swap two corners of each triangle.
    pub mirrored: bool,
}

impl Baked<'_> {
    /// A position in the world.
    pub fn place(&self, position: [f32; 3]) -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(position[axis]) + self.origin[axis])
    }
}

impl Scene {
    /// Bounding box of all geometry in the rest pose, metres, Y up.
    pub fn bounds(&self) -> Bounds {
        let mut bounds = Bounds::default();
        bake(self, &mut |part| {
            for position in &part.positions {
                bounds.add(part.place(*position));
            }
            Ok(())
        })
        .unwrap_or_default();
        bounds
    }

    /// What positions in the world should count from to be held in single precision: zero along an axis on which the
    /// first drawn vertex is not far out.
    pub fn origin(&self) -> [f64; 3] {
        origin_of(self, &world_of(&self.roots, &self.nodes))
    }
}

/// Metres from which on an origin is taken off an axis: single precision is right to a quarter of a millimetre below.
pub const FAR: f64 = 4096.0;

/// The whole number of units at a far place, axis by axis; zero where it is near.
pub fn far_off(place: [f64; 3], far: f64) -> [f64; 3] {
    place.map(|v| match v.abs() >= far && v.is_finite() {
        true => v.round(),
        false => 0.0,
    })
}

fn origin_of(scene: &Scene, world: &[Mat4]) -> [f64; 3] {
    let first = scene.walk().into_iter().find_map(|index| {
        let mesh = scene.nodes.get(index as usize)?.mesh?;
        let primitives = &scene.meshes.get(mesh as usize)?.primitives;
        let finite = |p: &&[f32; 3]| p.iter().all(|v| v.is_finite());
        let position = primitives.iter().flat_map(|p| &p.positions).find(finite)?;
        Some(math::point(world.get(index as usize)?, *position))
    });
    far_off(first.unwrap_or_default(), FAR)
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
    let origin = origin_of(scene, &world);
    bake_about(scene, nodes, origin, visit)
}

/// [`bake_posed`] with positions that count from `origin`.
pub fn bake_about<'a>(
    scene: &'a Scene,
    nodes: &'a [Node],
    origin: [f64; 3],
    visit: &mut dyn FnMut(Baked<'a>) -> Result<()>,
) -> Result<()> {
    let mut world = world_of(&scene.roots, nodes);
    for matrix in &mut world {
        for (to, from) in matrix[12..15].iter_mut().zip(origin) {
            *to -= from;
        }
    }
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
                origin,
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
