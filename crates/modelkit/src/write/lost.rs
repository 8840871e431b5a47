//! What OBJ, PLY and STL cannot hold of a scene: one table of everything that a scene has.

use crate::Scene;
use crate::scene::{
    AlphaMode, CLAMP, Material, Mode, Primitive, Problem, REPEAT, Severity, Texture, TextureRef,
};
use std::collections::BTreeSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simple {
    Obj,
    Ply,
    Stl,
}

/// What becomes of a property in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Written,
    Told,
    /// Nothing looks different without it, or another row says so.
    Silent,
}

use Fate::{Silent, Told, Written};

/// A property: its text if the scene has it, and its fate in OBJ, PLY and STL.
type Row = (fn(&Has) -> Option<String>, [Fate; 3]);

/// Everything beyond triangles.
const ROWS: [Row; 28] = [
    (materials, [Written, Told, Told]),
    // PLY has the colours of materials in its vertices.
    (base_colors, [Written, Written, Told]),
    (images, [Written, Told, Told]),
    (vertex_colors, [Written, Written, Told]),
    (vertex_alpha, [Told, Written, Silent]),
    // With the textures.
    (occlusion, [Told, Silent, Silent]),
    (wrapping, [Told, Silent, Silent]),
    (sharp, [Told, Silent, Silent]),
    (uv_sets, [Told, Told, Silent]),
    // The materials' own row says it for formats without materials.
    (
        |has| has.extension("transmission", "透射"),
        [Told, Told, Told],
    ),
    (
        |has| has.extension("volume", "体积（厚度与吸收）"),
        [Told, Told, Told],
    ),
    (coat, [Told, Silent, Silent]),
    (|has| has.extension("sheen", "绒光"), [Told, Silent, Silent]),
    (
        |has| has.extension("iridescence", "薄膜干涉"),
        [Told, Silent, Silent],
    ),
    (
        |has| has.extension("anisotropy", "各向异性"),
        [Told, Silent, Silent],
    ),
    (
        |has| has.extension("dispersion", "色散"),
        [Told, Silent, Silent],
    ),
    (specular, [Told, Silent, Silent]),
    (
        |has| has.extension("ior", "折射率"),
        [Silent, Silent, Silent],
    ),
    (
        |has| has.extension("unlit", "无光照显示"),
        [Told, Silent, Silent],
    ),
    (lines, [Written, Written, Told]),
    (custom, [Told, Told, Told]),
    (skins, [Told, Told, Told]),
    (morphs, [Told, Told, Told]),
    (animations, [Told, Told, Told]),
    (cameras, [Told, Told, Told]),
    (lights, [Told, Told, Told]),
    (variants, [Told, Told, Told]),
    (extras, [Told, Told, Told]),
];

// Not in the table: normals (STL's are those of its faces), tangents (computed), both sides of a face (these formats say
// nothing about sides, and programs show both), names and the tree (OBJ has the names; the others are one shape by nature).

/// Reports what of the scene the format cannot hold.
pub fn problems(scene: &Scene, format: Simple) -> Vec<Problem> {
    let (column, title) = match format {
        Simple::Obj => (0, "OBJ"),
        Simple::Ply => (1, "PLY"),
        Simple::Stl => (2, "STL"),
    };
    let has = Has::of(scene);
    let told = ROWS.iter().filter(|(_, fates)| fates[column] == Told);
    let parts: Vec<String> = told.filter_map(|(found, _)| found(&has)).collect();
    if parts.is_empty() {
        return Vec::new();
    }
    vec![Problem::new(
        "not-kept",
        Severity::Info,
        "",
        format!("{title} 格式不能保存：{}", parts.join("、")),
        "需要保留时请改用 GLB",
    )]
}

/// A scene and what of it is drawn.
struct Has<'a> {
    scene: &'a Scene,
    primitives: Vec<&'a Primitive>,
    /// Materials that are drawn; not those that readers make where a file has none.
    materials: Vec<&'a Material>,
}

impl<'a> Has<'a> {
    fn of(scene: &'a Scene) -> Has<'a> {
        let primitives: Vec<_> = scene.meshes.iter().flat_map(|m| &m.primitives).collect();
        let used: BTreeSet<u32> = primitives.iter().filter_map(|p| p.material).collect();
        let used = used.iter().filter_map(|m| scene.materials.get(*m as usize));
        Has {
            scene,
            materials: used.filter(|m| !m.is_made_up()).collect(),
            primitives,
        }
    }

    /// The name of an extension of materials, if one has it.
    fn extension(&self, name: &str, title: &str) -> Option<String> {
        let name = format!("KHR_materials_{name}");
        let mut materials = self.materials.iter();
        let found = materials.any(|m| m.extensions.get(&name).is_some_and(|e| is_felt(&name, e)));
        found.then(|| title.to_owned())
    }

    /// Textures with their places on the surface, of the slots that OBJ has.
    fn slots(&self) -> impl Iterator<Item = (TextureRef, &Texture)> {
        let slots = self.materials.iter().flat_map(|m| m.slots());
        let slots = slots.filter(|(name, _)| *name != "occlusion");
        slots.filter_map(|(_, slot)| {
            let slot = slot?;
            Some((slot, self.scene.textures.get(slot.texture as usize)?))
        })
    }

    fn look(&self, primitive: &Primitive) -> Option<&Material> {
        self.scene.materials.get(primitive.material? as usize)
    }
}

/// Whether an extension changes anything: exporters write all of them with a strength of 0.
fn is_felt(name: &str, extension: &serde_json::Value) -> bool {
    let strength = match name {
        "KHR_materials_transmission" => "transmissionFactor",
        "KHR_materials_volume" => "thicknessFactor",
        "KHR_materials_iridescence" => "iridescenceFactor",
        "KHR_materials_anisotropy" => "anisotropyStrength",
        "KHR_materials_dispersion" => "dispersion",
        "KHR_materials_sheen" => {
            let color = extension.get("sheenColorFactor").and_then(|c| c.as_array());
            let parts = color.into_iter().flatten();
            return parts.filter_map(|c| c.as_f64()).any(|c| c > 0.0);
        }
        "KHR_materials_specular" => {
            return extension.as_object().is_some_and(|fields| {
                fields.iter().any(|(field, value)| match field.as_str() {
                    "specularFactor" => value.as_f64() != Some(1.0),
                    "specularColorFactor" => {
                        let parts = value.as_array().into_iter().flatten();
                        parts.filter_map(|c| c.as_f64()).any(|c| c != 1.0)
                    }
                    _ => true,
                })
            });
        }
        _ => return true,
    };
    extension
        .get(strength)
        .and_then(|v| v.as_f64())
        .unwrap_or(0.0)
        > 0.0
}

fn counted(count: usize, text: &str) -> Option<String> {
    (count > 0).then(|| format!("{count} {text}"))
}

fn yes(found: bool, text: &str) -> Option<String> {
    found.then(|| text.to_owned())
}

/// One material of a colour alone is no loss of its own.
fn materials(has: &Has) -> Option<String> {
    let count = has.materials.len();
    let one = has.materials.first().is_some_and(|m| !m.is_colour());
    counted(count, "个材质").filter(|_| count > 1 || one)
}

/// What reflects like a metal is written as one, which has the colour.
fn specular(has: &Has) -> Option<String> {
    let name = "KHR_materials_specular";
    let mut materials = has.materials.iter().filter(|m| m.as_metal().is_none());
    let found = materials.any(|m| m.extensions.get(name).is_some_and(|e| is_felt(name, e)));
    yes(found, "高光强度和颜色")
}

fn base_colors(has: &Has) -> Option<String> {
    // Several materials are told as such.
    let alone = has.materials.len() == 1 && materials(has).is_none();
    let one = has.materials.first().filter(|_| alone)?;
    let [r, g, b, _] = one.base_color;
    match ([r, g, b] != [1.0; 3], one.shown_alpha(1.0) < 1.0) {
        (true, true) => Some("材质的颜色和透明度".into()),
        (true, false) => Some("材质的颜色".into()),
        (false, is_clear) => yes(is_clear, "材质的透明度"),
    }
}

fn images(has: &Has) -> Option<String> {
    counted(has.scene.images.len(), "张贴图")
}

fn vertex_colors(has: &Has) -> Option<String> {
    yes(
        has.primitives.iter().any(|p| !p.colors.is_empty()),
        "顶点颜色",
    )
}

fn vertex_alpha(has: &Has) -> Option<String> {
    let is_clear = |p: &&&Primitive| {
        let counts = has
            .look(p)
            .is_some_and(|m| m.alpha_mode != AlphaMode::Opaque);
        counts && p.colors.iter().any(|color| color[3] < 1.0)
    };
    yes(
        has.primitives.iter().find(is_clear).is_some(),
        "顶点的透明度",
    )
}

fn occlusion(has: &Has) -> Option<String> {
    yes(
        has.materials.iter().any(|m| m.occlusion_texture.is_some()),
        "环境光遮蔽贴图",
    )
}

/// MTL clamps both axes or none.
fn wrapping(has: &Has) -> Option<String> {
    let kept = |t: &Texture| {
        let wrap = (t.sampler.wrap_s, t.sampler.wrap_t);
        matches!(wrap, (REPEAT, REPEAT) | (CLAMP, CLAMP))
    };
    yes(has.slots().any(|(_, t)| !kept(t)), "贴图的镜像或单向平铺")
}

fn sharp(has: &Has) -> Option<String> {
    let nearest = Some(crate::scene::NEAREST);
    yes(
        has.slots().any(|(_, t)| t.sampler.mag_filter == nearest),
        "贴图的像素风格（最近点取样）",
    )
}

/// Sets after the first; a texture that uses one has a finding of its own.
fn uv_sets(has: &Has) -> Option<String> {
    yes(
        has.primitives.iter().any(|p| p.uvs.len() > 1),
        "第二套及以后的 UV",
    )
}

/// MTL has strength and roughness of a coat, but none of its pictures that we write.
fn coat(has: &Has) -> Option<String> {
    let coats = has.materials.iter();
    let mut coats = coats.filter_map(|m| m.extensions.get("KHR_materials_clearcoat")?.as_object());
    yes(
        coats.any(|c| c.keys().any(|key| key.ends_with("Texture"))),
        "清漆贴图",
    )
}

fn lines(has: &Has) -> Option<String> {
    yes(
        has.primitives.iter().any(|p| p.mode != Mode::Triangles),
        "线和点",
    )
}

fn custom(has: &Has) -> Option<String> {
    let all = has.primitives.iter().flat_map(|p| &p.custom);
    let names: BTreeSet<&str> = all.map(|c| c.name.as_str()).collect();
    let shown: Vec<&str> = names.into_iter().take(6).collect();
    yes(
        !shown.is_empty(),
        &format!("自定义顶点属性 {}", shown.join("、")),
    )
}

fn skins(has: &Has) -> Option<String> {
    yes(!has.scene.skins.is_empty(), "骨骼（已按静止姿态写出）")
}

fn morphs(has: &Has) -> Option<String> {
    yes(
        has.primitives.iter().any(|p| !p.targets.is_empty()),
        "变形（已按当前形态写出）",
    )
}

fn animations(has: &Has) -> Option<String> {
    counted(has.scene.animations.len(), "段动画")
}

fn cameras(has: &Has) -> Option<String> {
    counted(has.scene.cameras.len(), "个相机")
}

fn lights(has: &Has) -> Option<String> {
    counted(has.scene.lights.len(), "盏灯光")
}

fn variants(has: &Has) -> Option<String> {
    counted(has.scene.variants.len(), "种材质变体")
}

fn extras(has: &Has) -> Option<String> {
    let scene = has.scene;
    let found = scene.extras.is_some()
        || scene.nodes.iter().any(|n| n.extras.is_some())
        || scene.meshes.iter().any(|m| m.extras.is_some())
        || has.materials.iter().any(|m| m.extras.is_some())
        || has.primitives.iter().any(|p| p.extras.is_some());
    yes(found, "附加属性（extras）")
}
