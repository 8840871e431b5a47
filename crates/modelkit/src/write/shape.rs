//! Helpers shared by the writers of simple formats (OBJ, STL, PLY).

use crate::scene::math;

/// The corners of a triangle, unless an index is out of range.
pub fn triangle(positions: &[[f32; 3]], corner: &[u32]) -> Option<[[f32; 3]; 3]> {
    let at = |k: usize| positions.get(*corner.get(k)? as usize).copied();
    Some([at(0)?, at(1)?, at(2)?])
}

/// Unit normal of a triangle; zero if it has no area.
pub fn face_normal(triangle: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = triangle.map(|p| p.map(f64::from));
    let normal = math::normalize(math::cross(math::sub(b, a), math::sub(c, a)));
    normal.map_or([0.0; 3], |n| n.map(|c| c as f32))
}
