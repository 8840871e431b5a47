//! The JSON of a glTF file, as far as the reader needs it. Extension objects stay raw `serde_json` values.

use super::extensions::{Extension, Treatment, strip};
use super::tidy;
use crate::scene::{TextureRef, TextureTransform};
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Extension objects by name. Readers get at the known ones only.
#[derive(Default, Clone)]
pub struct Extensions(Map<String, Value>);

impl<'de> Deserialize<'de> for Extensions {
    /// Fails where [`tidy`] has something to mend.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(from)?;
        match tidy::extensions_fit(&mut map) {
            true => Ok(Self(map)),
            false => Err(D::Error::custom("extension")),
        }
    }
}

impl Extensions {
    pub fn get(&self, extension: Extension) -> Option<&Value> {
        self.0.get(extension.name())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    /// Those of a material that stay raw in it, without what is lost of others inside them.
    pub fn kept(&self) -> Map<String, Value> {
        let mut kept = Map::new();
        for (name, value) in &self.0 {
            if Extension::named(name).is_some_and(|e| e.treatment() == Treatment::Kept) {
                let mut value = value.clone();
                strip(&mut value, &[Extension::TextureTransform]);
                kept.insert(name.clone(), value);
            }
        }
        kept
    }

    /// A number inside an extension object: the index of something.
    pub fn index(&self, extension: Extension, field: &str) -> Option<u32> {
        let value = self.get(extension)?.get(field)?.as_u64()?;
        u32::try_from(value).ok()
    }
}

/// Numbers of accessors by the names of attributes.
#[derive(Default, Clone)]
pub struct Attributes(Vec<(String, u32)>);

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let map: Map<String, Value> = Map::deserialize(from)?;
        let number = |value: Value| value.as_u64().and_then(|n| u32::try_from(n).ok());
        let all = map.into_iter().map(|(name, v)| Some((name, number(v)?)));
        let all: Option<Vec<_>> = all.collect();
        all.map(Self).ok_or_else(|| D::Error::custom("attribute"))
    }
}

impl Attributes {
    pub fn get(&self, name: &str) -> Option<u32> {
        let mut all = self.iter();
        all.find_map(|(known, accessor)| (known == name).then_some(accessor))
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, u32)> {
        self.0.iter().map(|(name, i)| (name.as_str(), *i))
    }
}

/// Application data that has no place in the scene: present or not.
pub type Extras = Option<IgnoredAny>;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Root {
    pub asset: Asset,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub scene: Option<u32>,
    pub scenes: Vec<SceneJson>,
    pub nodes: Vec<NodeJson>,
    pub meshes: Vec<MeshJson>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub materials: Vec<MaterialJson>,
    pub textures: Vec<TextureJson>,
    pub images: Vec<ImageJson>,
    pub samplers: Vec<SamplerJson>,
    pub skins: Vec<SkinJson>,
    pub animations: Vec<AnimationJson>,
    pub cameras: Vec<Value>,
    pub extensions: Extensions,
    pub extras: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Asset {
    pub version: String,
    pub min_version: Option<String>,
    pub copyright: String,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct SceneJson {
    pub name: String,
    pub nodes: Vec<u32>,
    pub extras: Option<Value>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct NodeJson {
    pub name: String,
    pub children: Vec<u32>,
    pub matrix: Option<[f64; 16]>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f32; 4]>,
    pub scale: Option<[f32; 3]>,
    pub mesh: Option<u32>,
    pub skin: Option<u32>,
    pub camera: Option<u32>,
    pub weights: Vec<f32>,
    pub extensions: Extensions,
    pub extras: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct MeshJson {
    pub name: String,
    pub primitives: Vec<PrimitiveJson>,
    pub weights: Vec<f32>,
    pub extras: Option<Value>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct PrimitiveJson {
    pub attributes: Attributes,
    pub indices: Option<u32>,
    pub material: Option<u32>,
    pub mode: Option<u32>,
    pub targets: Vec<Attributes>,
    pub extensions: Extensions,
    pub extras: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Accessor {
    pub buffer_view: Option<u32>,
    pub byte_offset: u64,
    pub component_type: u32,
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<Sparse>,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Sparse {
    pub count: u64,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SparsePart {
    pub buffer_view: u32,
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct BufferView {
    pub buffer: u32,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
    pub extensions: Extensions,
    pub extras: Extras,
}

/// EXT_meshopt_compression of a buffer view.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct MeshoptView {
    pub buffer: u32,
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: u64,
    pub count: u64,
    pub mode: String,
    pub filter: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct MaterialJson {
    pub name: String,
    pub pbr_metallic_roughness: Pbr,
    pub normal_texture: Option<TextureInfo>,
    pub occlusion_texture: Option<TextureInfo>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: Extensions,
    pub extras: Option<Value>,
}

impl MaterialJson {
    /// Core texture slots.
    pub fn slots(&self) -> [Option<&TextureInfo>; 5] {
        let pbr = &self.pbr_metallic_roughness;
        [
            pbr.base_color_texture.as_ref(),
            pbr.metallic_roughness_texture.as_ref(),
            self.normal_texture.as_ref(),
            self.occlusion_texture.as_ref(),
            self.emissive_texture.as_ref(),
        ]
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct Pbr {
    pub base_color_factor: Option<[f32; 4]>,
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: Option<f32>,
    pub roughness_factor: Option<f32>,
    pub metallic_roughness_texture: Option<TextureInfo>,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct TextureInfo {
    pub index: u32,
    pub tex_coord: u32,
    pub scale: Option<f32>,
    pub strength: Option<f32>,
    pub extensions: Extensions,
    pub extras: Extras,
}

impl TextureInfo {
    /// The slot with its KHR_texture_transform, under the file's number of the texture.
    pub fn slot(&self) -> TextureRef {
        let transform = self.extensions.get(Extension::TextureTransform);
        let transform =
            transform.and_then(|t| serde_json::from_value::<TransformJson>(t.clone()).ok());
        TextureRef {
            texture: self.index,
            uv_set: self.tex_coord,
            transform: transform.map(|t| TextureTransform {
                offset: t.offset.unwrap_or([0.0; 2]),
                rotation: t.rotation,
                scale: t.scale.unwrap_or([1.0; 2]),
                uv_set: t.tex_coord,
            }),
        }
    }
}

/// KHR_materials_pbrSpecularGlossiness.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SpecularJson {
    pub diffuse_factor: Vec<f64>,
    pub diffuse_texture: Option<TextureInfo>,
    pub specular_factor: Vec<f64>,
    pub glossiness_factor: Option<f64>,
    pub specular_glossiness_texture: Option<TextureInfo>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct TransformJson {
    pub offset: Option<[f32; 2]>,
    pub rotation: f32,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<u32>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct TextureJson {
    pub name: String,
    pub source: Option<u32>,
    pub sampler: Option<u32>,
    pub extensions: Extensions,
    pub extras: Option<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct ImageJson {
    pub name: String,
    pub uri: Option<String>,
    pub buffer_view: Option<u32>,
    pub extras: Option<Value>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SamplerJson {
    pub mag_filter: Option<u32>,
    pub min_filter: Option<u32>,
    pub wrap_s: Option<u32>,
    pub wrap_t: Option<u32>,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct SkinJson {
    pub name: String,
    pub inverse_bind_matrices: Option<u32>,
    pub joints: Vec<u32>,
    pub skeleton: Option<u32>,
    pub extras: Option<Value>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct AnimationJson {
    pub name: String,
    pub channels: Vec<ChannelJson>,
    pub samplers: Vec<AnimationSamplerJson>,
    pub extras: Option<Value>,
    pub extensions: Extensions,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct ChannelJson {
    pub sampler: u32,
    pub target: TargetJson,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct TargetJson {
    pub node: Option<u32>,
    pub path: String,
    pub extensions: Extensions,
    pub extras: Extras,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct AnimationSamplerJson {
    pub input: u32,
    pub output: u32,
    pub interpolation: Option<String>,
    pub extensions: Extensions,
    pub extras: Extras,
}
