//! Helpers shared by the writers of simple formats (OBJ, STL, PLY).

use crate::Scene;
use crate::scene::{Mode, Problem, Severity, math};

/// What a format cannot hold.
pub struct Lost {
    pub materials: bool,
    pub colors: bool,
    pub lines: bool,
}

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

/// Reports what of the scene the format could not hold.
pub fn lost(scene: &Scene, format: &str, lost: Lost) -> Vec<Problem> {
    let mut parts: Vec<String> = Vec::new();
    let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    if lost.materials && scene.materials.len() > 1 {
        parts.push(format!("{} 个材质", scene.materials.len()));
    }
    if lost.materials && !scene.images.is_empty() {
        parts.push(format!("{} 张贴图", scene.images.len()));
    }
    if lost.colors && primitives().any(|p| !p.colors.is_empty()) {
        parts.push("顶点颜色".into());
    }
    if lost.lines && primitives().any(|p| p.mode != Mode::Triangles) {
        parts.push("线和点".into());
    }
    if !scene.skins.is_empty() {
        parts.push("骨骼（已按静止姿态写出）".into());
    }
    if !scene.animations.is_empty() {
        parts.push(format!("{} 段动画", scene.animations.len()));
    }
    if parts.is_empty() {
        return Vec::new();
    }
    vec![Problem::new(
        "not-kept",
        Severity::Info,
        "",
        format!("{format} 格式不能保存：{}", parts.join("、")),
        "需要保留时请改用 GLB",
    )]
}
