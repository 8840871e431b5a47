//! Where the vertices of a mesh are: transforms that are baked into them, and the origin that they count from.

use crate::read::origin;

/// How positions of a mesh become those of its primitives.
#[derive(Clone, Copy)]
pub struct Placing<'a> {
    pub bake: Option<&'a Bake>,
    /// What they count from.
    pub origin: [f64; 3],
}

impl Placing<'_> {
    pub fn position(&self, v: ufbx::Vec3) -> [f32; 3] {
        let v = self.bake.map_or(v, |bake| bake.point(v));
        let [x, y, z] = self.origin;
        [(v.x - x) as f32, (v.y - y) as f32, (v.z - z) as f32]
    }
}

/// The origin to take off the vertices of a mesh; ufbx has converted it to metres.
pub fn origin_of(vertices: &[ufbx::Vec3], bake: Option<&Bake>) -> [f64; 3] {
    let places = vertices.iter().map(|v| {
        let v = bake.map_or(*v, |bake| bake.point(*v));
        [v.x, v.y, v.z]
    });
    origin::middle_of(places, 1.0)
}

/// The geometric transform of a node, which applies to its mesh alone and is baked into the vertices. A skin takes the
/// vertices as they are.
pub struct Bake {
    points: ufbx::Matrix,
    normals: ufbx::Matrix,
    /// It mirrors, so faces have to be turned.
    pub flips: bool,
}

impl Bake {
    /// `free` is a mesh without a skin.
    pub fn of(node: &ufbx::Node, free: bool) -> Option<Bake> {
        let points = node.geometry_to_node;
        let applies = node.has_geometry_transform && free;
        applies.then(|| Bake {
            normals: ufbx::matrix_for_normals(&points),
            flips: ufbx::matrix_determinant(&points) < 0.0,
            points,
        })
    }

    /// For sharing meshes: the exact matrix.
    pub fn key(&self) -> [u64; 12] {
        let m = &self.points;
        [
            m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
        ]
        .map(f64::to_bits)
    }

    fn point(&self, v: ufbx::Vec3) -> ufbx::Vec3 {
        ufbx::transform_position(&self.points, v)
    }

    pub fn offset(&self, v: ufbx::Vec3) -> ufbx::Vec3 {
        ufbx::transform_direction(&self.points, v)
    }

    pub fn normal(&self, v: ufbx::Vec3) -> ufbx::Vec3 {
        ufbx::transform_direction(&self.normals, v)
    }
}
