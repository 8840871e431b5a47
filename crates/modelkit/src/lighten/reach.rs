//! What each node moves, and how much a change of its transform moves it: differences of keys are judged in the world,
//! by the size of what moves, while keys are in the units of the node's parent.

use crate::scene::math::{self, Mat4};
use crate::scene::{AnimationPath, Bounds, Node, Primitive, Scene};

/// Largest difference of a quaternion's component, and of a scale as a share of it: less than two 16-bit steps in the
/// output.
pub const TOLERANCE: f32 = 5e-5;
/// Largest shift that does not show, as a share of the size of what moves; and of the size of the scene.
const SHARE: f64 = 1e-4;
const SHARE_OF_SCENE: f64 = 1e-5;
/// Scales that are zero in the rest pose leave nothing to measure.
const UNKNOWN: f64 = 1e-6;

/// What the node and all below it show, in the rest pose.
struct Reach {
    /// Diagonal of its bounds in metres; `None` if it shows nothing.
    size: Option<f64>,
    /// From the node's origin to the farthest corner in metres.
    far: f64,
    /// World length of a unit of its translation.
    unit: f64,
    /// A camera or a light moves.
    looks: bool,
}

/// Tolerances of a scene's clips.
pub struct Tolerances {
    nodes: Vec<Reach>,
    scene: f64,
}

impl Tolerances {
    pub fn of(scene: &Scene) -> Tolerances {
        let world = scene.world_matrices();
        let mut bounds = own_bounds(scene, &world);
        let looks = |n: &Node| n.camera.is_some() || n.light.is_some();
        let mut looking: Vec<bool> = scene.nodes.iter().map(looks).collect();
        let mut above: Vec<Option<u32>> = vec![None; scene.nodes.len()];
        // Children come after their parents.
        for &index in scene.walk().iter().rev() {
            for &child in &scene.nodes[index as usize].children {
                let Some(below) = bounds.get(child as usize).copied() else {
                    continue;
                };
                above[child as usize] = Some(index);
                looking[index as usize] |= looking[child as usize];
                add(&mut bounds[index as usize], &below);
            }
        }
        let reach = |i: usize| {
            let parent = above[i].map_or(math::IDENTITY, |p| world[p as usize]);
            let pivot = math::point(&world[i], [0.0; 3]);
            Reach {
                size: (!bounds[i].is_empty()).then(|| bounds[i].diagonal()),
                far: farthest(&bounds[i], pivot),
                unit: longest_axis(&parent),
                looks: looking[i],
            }
        };
        Tolerances {
            nodes: (0..scene.nodes.len()).map(reach).collect(),
            scene: scene.bounds().diagonal(),
        }
    }

    /// Largest difference of a component of these values that does not show. Never below what single precision tells
    /// apart.
    pub fn tolerance(&self, node: u32, path: AnimationPath, values: &[f32]) -> f32 {
        let most = values.iter().fold(0.0f32, |most, v| most.max(v.abs()));
        let precision = most * f32::EPSILON;
        let Some(reach) = self.nodes.get(node as usize) else {
            return precision;
        };
        let tolerance = match path {
            AnimationPath::Translation => reach.shift(self.scene) as f32,
            AnimationPath::Rotation => reach.turn() as f32,
            // Of the scale itself, which may be that of another unit.
            AnimationPath::Scale => reach.turn() as f32 * most,
            AnimationPath::Weights => 0.0,
        };
        match tolerance.is_finite() {
            true => tolerance.max(precision).max(f32::MIN_POSITIVE),
            false => precision,
        }
    }
}

impl Reach {
    /// Tolerance of a translation, in the units of the node's parent.
    fn shift(&self, scene: f64) -> f64 {
        let world = match self.size {
            Some(size) => (size * SHARE).min(scene * SHARE_OF_SCENE),
            None if self.looks => 0.0,
            None => scene * SHARE_OF_SCENE,
        };
        world / self.unit
    }

    /// Tolerance of a quaternion's component, and of a scale as a share of it. A quaternion turns by twice its change.
    fn turn(&self) -> f64 {
        let most = f64::from(TOLERANCE);
        match self.size {
            None => most,
            Some(size) if size > 0.0 => most.min(size * SHARE / (2.0 * self.far)),
            Some(_) => UNKNOWN,
        }
    }
}

/// Bounds in the world of what each node itself shows: its mesh, and what follows it as a joint.
fn own_bounds(scene: &Scene, world: &[Mat4]) -> Vec<Bounds> {
    let whole = |p: &Primitive, out: &mut Bounds| {
        p.positions.iter().for_each(|v| out.add(v.map(f64::from)));
    };
    let meshes: Vec<Bounds> = scene.meshes.iter().map(|m| bounds_of(m, whole)).collect();
    let mut out = vec![Bounds::default(); scene.nodes.len()];
    for (index, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.map(|m| m as usize) else {
            continue;
        };
        let skin = node.skin.and_then(|s| scene.skins.get(s as usize));
        let Some(skin) = skin else {
            if let Some(own) = meshes.get(mesh) {
                add(&mut out[index], &moved(own, &world[index]));
            }
            continue;
        };
        let mut followers = vec![Bounds::default(); skin.joints.len()];
        for p in scene
            .meshes
            .get(mesh)
            .into_iter()
            .flat_map(|m| &m.primitives)
        {
            follow(p, &mut followers);
        }
        let binds = skin.joints.iter().zip(&skin.inverse_bind);
        for ((&joint, bind), own) in binds.zip(&followers) {
            if let (Some(at), Some(slot)) = (world.get(joint as usize), out.get_mut(joint as usize))
            {
                add(slot, &moved(own, &math::mul(at, &bind.map(f64::from))));
            }
        }
    }
    out
}

fn bounds_of(mesh: &crate::scene::Mesh, each: impl Fn(&Primitive, &mut Bounds)) -> Bounds {
    let mut out = Bounds::default();
    mesh.primitives.iter().for_each(|p| each(p, &mut out));
    out
}

/// Adds each vertex to the bounds of its joints.
fn follow(p: &Primitive, followers: &mut [Bounds]) {
    for set in &p.skin_sets {
        for ((joints, weights), position) in set.joints.iter().zip(&set.weights).zip(&p.positions) {
            for (joint, weight) in joints.iter().zip(weights) {
                if let Some(own) = followers
                    .get_mut(usize::from(*joint))
                    .filter(|_| *weight > 0.0)
                {
                    own.add(position.map(f64::from));
                }
            }
        }
    }
}

fn corners(bounds: &Bounds) -> impl Iterator<Item = [f64; 3]> {
    let ends = [bounds.min, bounds.max];
    let count = if bounds.is_empty() { 0 } else { 8 };
    (0..count).map(move |i: usize| std::array::from_fn(|k| ends[i >> k & 1][k]))
}

fn moved(bounds: &Bounds, by: &Mat4) -> Bounds {
    let mut out = Bounds::default();
    for corner in corners(bounds) {
        out.add(math::point(by, corner.map(|v| v as f32)));
    }
    out
}

fn add(to: &mut Bounds, other: &Bounds) {
    corners(other).for_each(|corner| to.add(corner));
}

fn farthest(bounds: &Bounds, from: [f64; 3]) -> f64 {
    let distance = |corner| math::dot(math::sub(corner, from), math::sub(corner, from)).sqrt();
    corners(bounds).map(distance).fold(0.0, f64::max)
}

/// Length of the longest axis of a matrix.
fn longest_axis(m: &Mat4) -> f64 {
    let axis = |k: usize| math::dot([m[k], m[k + 1], m[k + 2]], [m[k], m[k + 1], m[k + 2]]).sqrt();
    [0, 4, 8].map(axis).into_iter().fold(0.0, f64::max)
}
