//! Helpers shared by readers.

use super::math;
use super::{Image, Mesh, Node, Primitive, Problem, Sampler, Scene, Texture};

impl Scene {
    pub fn add_mesh(&mut self, name: impl Into<String>, primitives: Vec<Primitive>) -> u32 {
        self.meshes.push(Mesh {
            name: name.into(),
            primitives,
            ..Mesh::default()
        });
        self.meshes.len() as u32 - 1
    }

    /// Adds a node below `parent`, or as a root.
    pub fn add_node(&mut self, node: Node, parent: Option<u32>) -> u32 {
        let index = self.nodes.len() as u32;
        self.nodes.push(node);
        match parent.and_then(|p| self.nodes.get_mut(p as usize)) {
            Some(parent) => parent.children.push(index),
            None => self.roots.push(index),
        }
        index
    }

    /// Adds an image and a texture for it; returns the texture's index.
    pub fn add_texture(&mut self, image: Image, sampler: Sampler) -> u32 {
        let name = image.name.clone();
        self.images.push(image);
        let image = self.images.len() as u32 - 1;
        self.textures.push(Texture {
            name,
            image,
            sampler,
            extras: None,
        });
        self.textures.len() as u32 - 1
    }

    pub fn note(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub fn triangle_count(&self) -> usize {
        let of = |m: &Mesh| {
            m.primitives
                .iter()
                .map(Primitive::triangle_count)
                .sum::<usize>()
        };
        self.meshes.iter().map(of).sum()
    }

    pub fn vertex_count(&self) -> usize {
        let of = |m: &Mesh| {
            m.primitives
                .iter()
                .map(|p| p.positions.len())
                .sum::<usize>()
        };
        self.meshes.iter().map(of).sum()
    }
}

impl Primitive {
    /// Smooth normals from the triangles, weighted by area. A shared vertex has one normal; unused ones point up.
    pub fn compute_normals(&mut self) {
        let mut sums = vec![[0.0f64; 3]; self.positions.len()];
        for corner in self.indices.chunks_exact(3) {
            let Some([a, b, c]) = self.triangle(corner) else {
                continue;
            };
            let face = math::cross(math::sub(b, a), math::sub(c, a));
            for &i in corner {
                for axis in 0..3 {
                    sums[i as usize][axis] += face[axis];
                }
            }
        }
        let unit = |v| {
            math::normalize(v)
                .unwrap_or([0.0, 1.0, 0.0])
                .map(|x| x as f32)
        };
        self.normals = sums.into_iter().map(unit).collect();
    }

    fn triangle(&self, corner: &[u32]) -> Option<[[f64; 3]; 3]> {
        let at = |k: usize| {
            self.positions
                .get(*corner.get(k)? as usize)
                .map(|p| p.map(f64::from))
        };
        Some([at(0)?, at(1)?, at(2)?])
    }
}
