//! Opacity of 0 everywhere. Exporters of scans (PCL, vcglib, Magics) write it where they mean that there is none.

use crate::read::seen::Seen;
use crate::scene::{AlphaMode, Material, Mesh, Problem, Scene, Severity};

/// Makes meshes whose vertices are all wholly transparent opaque, and tells that. In glTF opacity counts only where a
/// material states that it does: such meshes stay invisible, as materials do, and are told.
pub fn clean(scene: &mut Scene) {
    let is_stated = matches!(scene.format.as_str(), "glb" | "gltf" | "amrt");
    let (mut mended, mut unseen) = (Seen::default(), Seen::default());
    for (number, mesh) in scene.meshes.iter_mut().enumerate() {
        if !is_clear(mesh) {
            continue;
        }
        if !is_stated {
            let parts = mesh.primitives.iter_mut();
            for color in parts.flat_map(|p| &mut p.colors) {
                color[3] = 1.0;
            }
            mended.add("网格", &mesh.name, number);
        } else if mesh.primitives.iter().any(|p| {
            let material = p.material.and_then(|m| scene.materials.get(m as usize));
            material.is_some_and(|m| m.alpha_mode != AlphaMode::Opaque)
        }) {
            unseen.add("网格", &mesh.name, number);
        }
    }
    if mended.count > 0 {
        make_opaque(scene);
        scene.note(Problem::new(
            "clear-material",
            Severity::Info,
            mended.place(),
            format!(
                "{} 个网格的顶点颜色全部写明完全透明（alpha 为 0），已按不透明显示",
                mended.count
            ),
            "许多扫描软件不用这一项，只写 0；如确需透明，请在建模软件中重新设置",
        ));
    }
    for (number, material) in scene.materials.iter().enumerate() {
        if material.alpha_mode == AlphaMode::Blend && material.base_color[3] == 0.0 {
            unseen.add("材质", &material.name, number);
        }
    }
    if unseen.count > 0 {
        scene.note(Problem::new(
            "clear-material",
            Severity::Info,
            unseen.place(),
            format!("{} 处完全透明，看不见", unseen.count),
            "如果这部分应当可见，请在建模软件中检查不透明度；如确需隐藏，请删去这部分面",
        ));
    }
}

fn is_clear(mesh: &Mesh) -> bool {
    let mut colors = mesh.primitives.iter().flat_map(|p| &p.colors).peekable();
    colors.peek().is_some() && colors.all(|color| color[3] == 0.0)
}

/// Materials that were transparent for their vertices alone are so no longer: mixing costs, and draws in a wrong order.
fn make_opaque(scene: &mut Scene) {
    let mut mixed = vec![false; scene.materials.len()];
    let mut used = vec![false; scene.materials.len()];
    for p in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let Some(at) = p.material.map(|m| m as usize).filter(|m| *m < mixed.len()) else {
            continue;
        };
        used[at] |= !p.colors.is_empty();
        mixed[at] |= p.colors.iter().any(|color| color[3] < 1.0);
    }
    let own = |m: &Material| m.base_color[3] < 1.0 || m.base_color_texture.is_some();
    for (i, material) in scene.materials.iter_mut().enumerate() {
        if used[i] && !mixed[i] && !own(material) {
            material.alpha_mode = AlphaMode::Opaque;
        }
    }
}
