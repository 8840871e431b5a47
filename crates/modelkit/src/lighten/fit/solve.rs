//! The least-squares step for all corners at once.

use super::{Foot, Mesh, blend};
use crate::scene::vec3::{self, Vec3};

/// Regularisation of a vertex, relative to its diagonal block: movement within the plane of all its triangles is
/// suppressed.
const STIFFNESS: f32 = 0.01;
/// Conjugate gradient steps; more make no measurable difference.
const SOLVER_STEPS: usize = 6;
/// Symmetric 3×3: xx, xy, xz, yy, yz, zz.
type Symmetric = [f32; 6];

fn times(m: &Symmetric, v: Vec3) -> Vec3 {
    [
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[1] * v[0] + m[3] * v[1] + m[4] * v[2],
        m[2] * v[0] + m[4] * v[1] + m[5] * v[2],
    ]
}

fn inverse(m: &Symmetric) -> Symmetric {
    let [a, b, c, d, e, f] = *m;
    let (x, y, z) = (d * f - e * e, c * e - b * f, b * e - c * d);
    let determinant = a * x + b * y + c * z;
    if determinant.abs() < 1e-30 {
        return [0.0; 6];
    }
    let s = 1.0 / determinant;
    [
        x * s,
        y * s,
        z * s,
        (a * f - c * c) * s,
        (b * c - a * e) * s,
        (a * d - b * b) * s,
    ]
}

/// The least-squares system for the corners' moves, over `rows` of projections.
struct System<'a> {
    mesh: &'a Mesh,
    feet: &'a [Foot],
    normals: &'a [Vec3],
    /// Robust weight of each projection.
    weights: Vec<f32>,
    stiffness: Vec<f32>,
    /// Inverse of each corner's diagonal block.
    blocks: Vec<Symmetric>,
}

impl<'a> System<'a> {
    fn new(mesh: &'a Mesh, feet: &'a [Foot], normals: &'a [Vec3]) -> Option<System<'a>> {
        let mean = feet
            .iter()
            .map(|f| f64::from(f.distance.abs()))
            .sum::<f64>();
        let mean = (mean / feet.len() as f64) as f32;
        if !(mean > 0.0 && mean.is_finite()) {
            return None;
        }
        let weights: Vec<f32> = feet
            .iter()
            .map(|f| mean / (f.distance.abs() + mean / 2.0))
            .collect();
        let mut blocks = vec![[0f32; 6]; mesh.corners.len()];
        for (foot, weight) in feet.iter().zip(&weights) {
            let [x, y, z] = normals[foot.triangle as usize];
            let product = [x * x, x * y, x * z, y * y, y * z, z * z];
            let corners = mesh.triangles[foot.triangle as usize];
            for (corner, share) in corners.into_iter().zip(foot.weights) {
                let factor = weight * share * share;
                let block = &mut blocks[corner as usize];
                for (sum, value) in block.iter_mut().zip(product) {
                    *sum += factor * value;
                }
            }
        }
        let mut stiffness = Vec::with_capacity(blocks.len());
        for block in &mut blocks {
            let own = STIFFNESS * (block[0] + block[3] + block[5]).max(1e-4);
            for diagonal in [0, 3, 5] {
                block[diagonal] += own;
            }
            stiffness.push(own);
            *block = inverse(block);
        }
        Some(System {
            mesh,
            feet,
            normals,
            weights,
            stiffness,
            blocks,
        })
    }

    /// Adds to `out`, for each projection, its normal times `value`, distributed over its corners.
    fn scatter(&self, out: &mut [Vec3], value: impl Fn(usize, &Foot) -> f32) {
        for (index, foot) in self.feet.iter().enumerate() {
            let normal = self.normals[foot.triangle as usize];
            let value = value(index, foot) * self.weights[index];
            let corners = self.mesh.triangles[foot.triangle as usize];
            for (corner, share) in corners.into_iter().zip(foot.weights) {
                let sum = &mut out[corner as usize];
                *sum = vec3::add(*sum, vec3::scale(normal, share * value));
            }
        }
    }

    fn apply(&self, moves: &[Vec3]) -> Vec<Vec3> {
        let mut out: Vec<Vec3> = moves
            .iter()
            .zip(&self.stiffness)
            .map(|(m, s)| vec3::scale(*m, *s))
            .collect();
        self.scatter(&mut out, |_, foot| {
            let corners = self.mesh.triangles[foot.triangle as usize];
            let at = blend(corners.map(|c| moves[c as usize]), foot.weights);
            vec3::dot(at, self.normals[foot.triangle as usize])
        });
        out
    }

    fn precondition(&self, v: &[Vec3]) -> Vec<Vec3> {
        self.blocks
            .iter()
            .zip(v)
            .map(|(m, v)| times(m, *v))
            .collect()
    }
}

/// Least squares by conjugate gradients with block preconditioning.
pub fn moves(mesh: &Mesh, feet: &[Foot], normals: &[Vec3]) -> Vec<Vec3> {
    let count = mesh.corners.len();
    let mut moves = vec![[0f32; 3]; count];
    let Some(system) = System::new(mesh, feet, normals) else {
        return moves;
    };
    let product = |a: &[Vec3], b: &[Vec3]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(vec3::dot(*a, *b)))
            .sum()
    };
    let mut rest = vec![[0f32; 3]; count];
    system.scatter(&mut rest, |_, foot| foot.distance);
    let mut direction = system.precondition(&rest);
    let mut norm = product(&rest, &direction);
    for _ in 0..SOLVER_STEPS {
        let image = system.apply(&direction);
        let curvature = product(&direction, &image);
        if !(curvature > 0.0 && norm > 0.0) {
            break;
        }
        let step = (norm / curvature) as f32;
        for i in 0..count {
            moves[i] = vec3::add(moves[i], vec3::scale(direction[i], step));
            rest[i] = vec3::sub(rest[i], vec3::scale(image[i], step));
        }
        let next = system.precondition(&rest);
        let after = product(&rest, &next);
        let turn = (after / norm) as f32;
        norm = after;
        for (direction, next) in direction.iter_mut().zip(next) {
            *direction = vec3::add(next, vec3::scale(*direction, turn));
        }
    }
    moves
}
