//! The one list of glTF extensions: what becomes of the data of each, and what a file gets told about the others.
//! The readers look extensions up by this list only, so that a name that is not on it cannot be honoured, and a test
//! in `crates/engine/tests/it/gltf/extensions.rs` has a case for every name.

use serde_json::Value;

/// What becomes of an extension's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// The reader turns it into a part of the scene, or needs no more than its presence.
    Applied,
    /// Stays raw in the material, and is written again.
    Kept,
    /// Is lost: what that is, and what the user can do.
    Lost(&'static str, &'static str),
}

use Treatment::{Applied, Kept, Lost};

macro_rules! list {
    ($($variant:ident $name:literal $treatment:expr,)*) => {
        /// A known extension.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Extension { $($variant,)* }

        impl Extension {
            pub const ALL: &[Extension] = &[$(Extension::$variant,)*];

            pub fn name(self) -> &'static str {
                match self { $(Extension::$variant => $name,)* }
            }

            pub fn treatment(self) -> Treatment {
                match self { $(Extension::$variant => $treatment,)* }
            }
        }
    };
}

const AS_WEB_PICTURE: &str = "请把贴图存为 PNG、JPEG 或 WebP 后重新导出";
const AT_SOURCE: &str = "本站不使用这些数据；需要时请保留原文件";
const PLAIN_LOOK: &str = "如外观有差异，请在导出时改用标准材质（金属度/粗糙度）";

list! {
    AmrtGrids "AMRT_grids" Applied,
    AnimationPointer "KHR_animation_pointer" Applied,
    DracoCompression "KHR_draco_mesh_compression" Applied,
    LightsPunctual "KHR_lights_punctual" Applied,
    MeshoptCompression "EXT_meshopt_compression" Applied,
    MeshoptCompressionKhr "KHR_meshopt_compression" Applied,
    MeshGpuInstancing "EXT_mesh_gpu_instancing" Applied,
    MeshQuantization "KHR_mesh_quantization" Applied,
    NodeVisibility "KHR_node_visibility" Applied,
    SpecularGlossiness "KHR_materials_pbrSpecularGlossiness" Applied,
    TextureBasisu "KHR_texture_basisu" Applied,
    TextureTransform "KHR_texture_transform" Applied,
    TextureWebp "EXT_texture_webp" Applied,
    Variants "KHR_materials_variants" Applied,

    Anisotropy "KHR_materials_anisotropy" Kept,
    Bump "EXT_materials_bump" Kept,
    Clearcoat "KHR_materials_clearcoat" Kept,
    DiffuseRoughness "KHR_materials_diffuse_roughness" Kept,
    DiffuseTransmission "KHR_materials_diffuse_transmission" Kept,
    Dispersion "KHR_materials_dispersion" Kept,
    EmissiveStrength "KHR_materials_emissive_strength" Kept,
    Ior "KHR_materials_ior" Kept,
    Iridescence "KHR_materials_iridescence" Kept,
    Sheen "KHR_materials_sheen" Kept,
    Specular "KHR_materials_specular" Kept,
    Transmission "KHR_materials_transmission" Kept,
    Unlit "KHR_materials_unlit" Kept,
    Volume "KHR_materials_volume" Kept,
    VolumeScatter "KHR_materials_volume_scatter" Kept,

    Avif "EXT_texture_avif" Lost("AVIF 贴图未读取", AS_WEB_PICTURE),
    Collision "KHR_physics_rigid_bodies" Lost("物理碰撞数据未保留", AT_SOURCE),
    Dds "MSFT_texture_dds" Lost("DDS 贴图未读取", AS_WEB_PICTURE),
    GaussianSplatting "KHR_gaussian_splatting" Lost(
        "高斯泼溅只按普通点云显示",
        "请用支持高斯泼溅的软件查看，或先转换为网格后上传",
    ),
    ImageBasedLight "EXT_lights_image_based" Lost(
        "环境光照未保留",
        "请在网页展示中另选环境光",
    ),
    InstanceFeatures "EXT_instance_features" Lost("实例的要素编号未保留", AT_SOURCE),
    Interactivity "KHR_interactivity" Lost("交互行为未保留", AT_SOURCE),
    Lod "MSFT_lod" Lost(
        "只读取最精细的层次，较粗的层次未保留",
        "模型外观不受影响；需要较粗的层次时请使用“轻量化”重新生成",
    ),
    MeshFeatures "EXT_mesh_features" Lost(
        "要素编号的说明未保留（顶点中的编号属性已保留）",
        AT_SOURCE,
    ),
    Mtoon "VRMC_materials_mtoon" Lost("卡通材质按普通材质显示", PLAIN_LOOK),
    StructuralMetadata "EXT_structural_metadata" Lost("结构化属性数据未保留", AT_SOURCE),
    TechniquesWebgl "KHR_techniques_webgl" Lost("自定义着色器未保留，按普通材质显示", PLAIN_LOOK),
    Vrm "VRM" Lost("VRM 角色信息（表情、骨骼对应、授权等）未保留", AT_SOURCE),
    Vrmc "VRMC_vrm" Lost("VRM 角色信息（表情、骨骼对应、授权等）未保留", AT_SOURCE),
    Xmp "KHR_xmp_json_ld" Lost("XMP 元数据（作者、版权等）未保留", "请在上传时另行填写作者和授权"),
}

impl Extension {
    pub fn named(name: &str) -> Option<Extension> {
        Self::ALL.iter().copied().find(|e| e.name() == name)
    }

    /// Whether no data of the extension `name` is lost where it belongs.
    pub fn is_honoured(name: &str) -> bool {
        Self::named(name).is_some_and(|e| matches!(e.treatment(), Applied | Kept))
    }

    /// Whether no data of the extension `name` is lost on an object of this kind, as findings call it: elsewhere it
    /// means nothing.
    pub fn is_honoured_on(name: &str, kind: &str) -> bool {
        Self::is_honoured(name) && Self::named(name).is_some_and(|e| e.kinds().contains(&kind))
    }

    /// The kinds of objects it belongs on; the file itself has no name. Of those whose data is applied or kept.
    fn kinds(self) -> &'static [&'static str] {
        use Extension as E;
        match self {
            E::AmrtGrids => &[""],
            E::AnimationPointer => &["动画"],
            E::DracoCompression => &["网格"],
            E::LightsPunctual => &["", "节点"],
            E::MeshoptCompression | E::MeshoptCompressionKhr => &["数据区间", "数据块"],
            E::MeshGpuInstancing | E::NodeVisibility => &["节点"],
            E::MeshQuantization => &[],
            E::TextureBasisu | E::TextureWebp => &["贴图"],
            E::Variants => &["", "网格"],
            // Those of materials, and of their references to textures.
            _ => &["材质"],
        }
    }
}

/// Removes the extensions inside a raw object but for `allowed`: nobody would declare them in what is written.
pub fn strip(value: &mut Value, allowed: &[Extension]) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| strip(item, allowed)),
        Value::Object(fields) => {
            if let Some(Value::Object(inner)) = fields.get_mut("extensions") {
                inner.retain(|name, _| allowed.iter().any(|e| e.name() == name));
                if inner.is_empty() {
                    fields.shift_remove("extensions");
                }
            }
            let fields = fields.iter_mut().filter(|(name, _)| *name != "extras");
            fields.for_each(|(_, field)| strip(field, allowed));
        }
        _ => {}
    }
}
