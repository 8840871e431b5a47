//! Every map of an FBX material, of the classic ones and of those of physical shaders: what becomes of it.

use super::Reading;
use super::lost::Loss;
use super::textures::texture_of;
use std::collections::HashSet;

/// What becomes of a map of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Its value and its texture are part of the material.
    Read,
    /// Nothing looks different without it.
    Silent,
    /// The value is part of the material, its texture is told.
    Value,
    /// Its texture is told.
    Lost,
    /// Its texture and a value above zero are told.
    Strength,
}

use Use::{Lost, Read, Silent, Strength, Value};

/// A map with its name for users.
pub struct Slot {
    pub field: &'static str,
    pub title: &'static str,
    pub used: Use,
    get: fn(&ufbx::Material) -> &ufbx::MaterialMap,
}

macro_rules! slots {
    ($name:ident, $maps:ident, $type:ident: $($field:ident $title:literal $used:expr,)*) => {
        pub const $name: &[Slot] = &[$(Slot {
            field: stringify!($field),
            title: $title,
            used: $used,
            get: |m| &m.$maps.$field,
        },)*];

        // Every map of the library's is named in the list, or this does not compile.
        const _: fn(&ufbx::$type) = |maps| {
            let ufbx::$type { $($field: _,)* } = maps;
        };
    };
}

slots! { CLASSIC, fbx, MaterialFbxMaps:
    diffuse_factor "漫反射强度" Read,
    diffuse_color "漫反射颜色" Read,
    specular_factor "高光强度" Value,
    specular_color "高光颜色" Value,
    specular_exponent "光泽度" Value,
    reflection_factor "反射强度" Lost,
    reflection_color "反射" Lost,
    transparency_factor "透明度" Read,
    transparency_color "透明颜色" Read,
    emission_factor "自发光强度" Read,
    emission_color "自发光颜色" Read,
    // What ambient light shows is the base colour here; exporters repeat its texture.
    ambient_factor "环境光强度" Silent,
    ambient_color "环境光颜色" Silent,
    normal_map "法线" Read,
    bump "凹凸" Read,
    bump_factor "凹凸强度" Value,
    displacement_factor "置换强度" Lost,
    displacement "置换" Lost,
    vector_displacement_factor "矢量置换强度" Lost,
    vector_displacement "矢量置换" Lost,
}

slots! { PHYSICAL, pbr, MaterialPbrMaps:
    base_factor "基础色强度" Read,
    base_color "基础色" Read,
    roughness "粗糙度" Read,
    metalness "金属度" Read,
    diffuse_roughness "漫反射粗糙度" Lost,
    specular_factor "高光强度" Lost,
    specular_color "高光颜色" Lost,
    specular_ior "折射率" Value,
    specular_anisotropy "各向异性" Strength,
    // Without anisotropy it turns nothing.
    specular_rotation "各向异性方向" Lost,
    transmission_factor "透射" Value,
    transmission_color "透射颜色" Lost,
    transmission_depth "透射深度" Lost,
    transmission_scatter "透射散射" Lost,
    transmission_scatter_anisotropy "透射散射方向" Lost,
    transmission_dispersion "色散" Lost,
    transmission_roughness "透射粗糙度" Lost,
    transmission_extra_roughness "透射附加粗糙度" Lost,
    // Of renderers: order of nested glass, and of their picture channels.
    transmission_priority "透射优先级" Silent,
    transmission_enable_in_aov "透射通道" Silent,
    subsurface_factor "次表面散射" Strength,
    subsurface_color "次表面颜色" Lost,
    subsurface_radius "次表面半径" Lost,
    subsurface_scale "次表面比例" Lost,
    subsurface_anisotropy "次表面方向" Lost,
    subsurface_tint_color "次表面色调" Lost,
    subsurface_type "次表面算法" Silent,
    sheen_factor "光泽层" Value,
    sheen_color "光泽层颜色" Value,
    sheen_roughness "光泽层粗糙度" Value,
    coat_factor "清漆" Value,
    coat_color "清漆颜色" Lost,
    coat_roughness "清漆粗糙度" Value,
    // Seen only with a coat, and then hardly.
    coat_ior "清漆折射率" Lost,
    coat_anisotropy "清漆各向异性" Lost,
    coat_rotation "清漆各向异性方向" Lost,
    coat_normal "清漆法线" Lost,
    coat_affect_base_color "清漆对底色的影响" Lost,
    coat_affect_base_roughness "清漆对粗糙度的影响" Lost,
    thin_film_factor "薄膜" Strength,
    // In Arnold the thickness is what turns the film on.
    thin_film_thickness "薄膜厚度" Strength,
    thin_film_ior "薄膜折射率" Lost,
    emission_factor "自发光强度" Read,
    emission_color "自发光颜色" Read,
    opacity "不透明度" Read,
    // Light that renderers trace.
    indirect_diffuse "间接漫反射" Silent,
    indirect_specular "间接高光" Silent,
    normal_map "法线" Read,
    tangent_map "切线" Lost,
    displacement_map "置换" Lost,
    // Holes for compositing pictures.
    matte_factor "遮罩强度" Silent,
    matte_color "遮罩颜色" Silent,
    ambient_occlusion "环境光遮蔽" Read,
    glossiness "光泽度" Read,
    coat_glossiness "清漆光泽度" Value,
    transmission_glossiness "透射光泽度" Lost,
}

/// Counts what of a material is not read.
pub fn lost(reading: &mut Reading, m: &ufbx::Material) {
    let physical = m.features.pbr.enabled;
    let slots = match physical {
        true => PHYSICAL,
        false => CLASSIC,
    };
    let name = reading.name(&m.element);
    let number = m.element.typed_id as usize;
    let mut lost = |loss, what: &str| {
        reading.losses.add(loss, ("材质", &name, number), what);
    };
    for slot in slots {
        let map = (slot.get)(m);
        let told = matches!(slot.used, Lost | Value | Strength);
        if told && texture_of(map).is_some() {
            lost(Loss::Map, slot.title);
        } else if slot.used == Strength && map.value_vec4.x > 0.0 && !map.feature_disabled {
            lost(Loss::Effect, slot.title);
        }
    }
    let mut known: HashSet<u32> = HashSet::new();
    for slot in CLASSIC.iter().chain(PHYSICAL) {
        let texture = (slot.get)(m).texture.as_ref();
        known.extend(texture.map(|t| t.element.element_id));
    }
    for used in &m.textures {
        if !known.contains(&used.texture.element.element_id) {
            let prop = reading.encoding.name(super::raw(&used.material_prop));
            reading
                .losses
                .add(Loss::Map, ("材质", &name, number), &prop);
        }
    }
}
