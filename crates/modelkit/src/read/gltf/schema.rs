//! What the fields of a glTF hold, as far as they are read: by it [`super::tidy`] mends values of other types.

use super::extensions::Extension;

/// The kind of a value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Number of an object in one of the file's lists.
    Index,
    /// Bytes or rows.
    Count,
    Number,
    Truth,
    Text,
    /// So many numbers.
    Numbers(usize),
    /// A colour with its opacity, which some writers leave out.
    Rgba,
    /// Any count of numbers.
    NumberList,
    Indices,
    Texts,
    Object(&'static Fields),
    Objects(&'static Fields),
    /// Numbers of objects by the names of attributes.
    Attributes,
    Targets,
    /// Extension objects by name.
    Extensions,
    /// Fields of an extension of materials: numbers but for textures and colours, which their names tell.
    Surface,
}

use Kind::{
    Attributes, Count, Extensions, Index, Indices, Number, NumberList, Numbers, Object, Objects,
    Rgba, Surface, Targets, Text, Texts, Truth,
};

/// Fields by name; what else an object holds is left alone.
pub type Fields = [(&'static str, Kind)];

pub const ROOT: &Fields = &[
    ("asset", Object(ASSET)),
    ("extensionsUsed", Texts),
    ("extensionsRequired", Texts),
    ("scene", Index),
    ("scenes", Objects(SCENE)),
    ("nodes", Objects(NODE)),
    ("meshes", Objects(MESH)),
    ("accessors", Objects(ACCESSOR)),
    ("bufferViews", Objects(VIEW)),
    ("buffers", Objects(BUFFER)),
    ("materials", Objects(MATERIAL)),
    ("textures", Objects(TEXTURE)),
    ("images", Objects(IMAGE)),
    ("samplers", Objects(SAMPLER)),
    ("skins", Objects(SKIN)),
    ("animations", Objects(CLIP)),
    ("cameras", Objects(CAMERA)),
    ("extensions", Extensions),
];

const ASSET: &Fields = &[
    ("version", Text),
    ("minVersion", Text),
    ("copyright", Text),
    ("extensions", Extensions),
];

const SCENE: &Fields = &[
    ("name", Text),
    ("nodes", Indices),
    ("extensions", Extensions),
];

const NODE: &Fields = &[
    ("name", Text),
    ("children", Indices),
    ("matrix", Numbers(16)),
    ("translation", Numbers(3)),
    ("rotation", Numbers(4)),
    ("scale", Numbers(3)),
    ("mesh", Index),
    ("skin", Index),
    ("camera", Index),
    ("weights", NumberList),
    ("extensions", Extensions),
];

const MESH: &Fields = &[
    ("name", Text),
    ("primitives", Objects(PRIMITIVE)),
    ("weights", NumberList),
    ("extensions", Extensions),
];

const PRIMITIVE: &Fields = &[
    ("attributes", Attributes),
    ("indices", Index),
    ("material", Index),
    ("mode", Index),
    ("targets", Targets),
    ("extensions", Extensions),
];

const ACCESSOR: &Fields = &[
    ("bufferView", Index),
    ("byteOffset", Count),
    ("componentType", Index),
    ("normalized", Truth),
    ("count", Count),
    ("type", Text),
    ("sparse", Object(SPARSE)),
    ("extensions", Extensions),
];

const SPARSE: &Fields = &[
    ("count", Count),
    ("indices", Object(SPARSE_PART)),
    ("values", Object(SPARSE_PART)),
];

const SPARSE_PART: &Fields = &[
    ("bufferView", Index),
    ("byteOffset", Count),
    ("componentType", Index),
];

const VIEW: &Fields = &[
    ("buffer", Index),
    ("byteOffset", Count),
    ("byteLength", Count),
    ("byteStride", Count),
    ("extensions", Extensions),
];

const BUFFER: &Fields = &[
    ("uri", Text),
    ("byteLength", Count),
    ("extensions", Extensions),
];

const MATERIAL: &Fields = &[
    ("name", Text),
    ("pbrMetallicRoughness", Object(PBR)),
    ("normalTexture", Object(TEXTURE_INFO)),
    ("occlusionTexture", Object(TEXTURE_INFO)),
    ("emissiveTexture", Object(TEXTURE_INFO)),
    ("emissiveFactor", Numbers(3)),
    ("alphaMode", Text),
    ("alphaCutoff", Number),
    ("doubleSided", Truth),
    ("extensions", Extensions),
];

const PBR: &Fields = &[
    ("baseColorFactor", Rgba),
    ("baseColorTexture", Object(TEXTURE_INFO)),
    ("metallicFactor", Number),
    ("roughnessFactor", Number),
    ("metallicRoughnessTexture", Object(TEXTURE_INFO)),
    ("extensions", Extensions),
];

pub const TEXTURE_INFO: &Fields = &[
    ("index", Index),
    ("texCoord", Index),
    ("scale", Number),
    ("strength", Number),
    ("extensions", Extensions),
];

const TEXTURE: &Fields = &[
    ("name", Text),
    ("source", Index),
    ("sampler", Index),
    ("extensions", Extensions),
];

const IMAGE: &Fields = &[
    ("name", Text),
    ("uri", Text),
    ("bufferView", Index),
    ("extensions", Extensions),
];

const SAMPLER: &Fields = &[
    ("magFilter", Index),
    ("minFilter", Index),
    ("wrapS", Index),
    ("wrapT", Index),
    ("extensions", Extensions),
];

const SKIN: &Fields = &[
    ("name", Text),
    ("inverseBindMatrices", Index),
    ("joints", Indices),
    ("skeleton", Index),
    ("extensions", Extensions),
];

const CLIP: &Fields = &[
    ("name", Text),
    ("channels", Objects(CHANNEL)),
    ("samplers", Objects(CLIP_SAMPLER)),
    ("extensions", Extensions),
];

const CHANNEL: &Fields = &[
    ("sampler", Index),
    ("target", Object(TARGET)),
    ("extensions", Extensions),
];

const TARGET: &Fields = &[("node", Index), ("path", Text), ("extensions", Extensions)];

const CLIP_SAMPLER: &Fields = &[
    ("input", Index),
    ("output", Index),
    ("interpolation", Text),
    ("extensions", Extensions),
];

const CAMERA: &Fields = &[
    ("name", Text),
    ("type", Text),
    ("perspective", Object(VIEWPORT)),
    ("orthographic", Object(VIEWPORT)),
    ("extensions", Extensions),
];

const VIEWPORT: &Fields = &[
    ("aspectRatio", Number),
    ("yfov", Number),
    ("xmag", Number),
    ("ymag", Number),
    ("zfar", Number),
    ("znear", Number),
];

const TRANSFORM: &Fields = &[
    ("offset", Numbers(2)),
    ("rotation", Number),
    ("scale", Numbers(2)),
    ("texCoord", Index),
];

const LIGHT: &Fields = &[
    ("name", Text),
    ("type", Text),
    ("color", Numbers(3)),
    ("intensity", Number),
    ("range", Number),
    ("spot", Object(SPOT)),
];

const SPOT: &Fields = &[("innerConeAngle", Number), ("outerConeAngle", Number)];

const PACKED: &Fields = &[
    ("buffer", Index),
    ("byteOffset", Count),
    ("byteLength", Count),
    ("byteStride", Count),
    ("count", Count),
    ("mode", Text),
    ("filter", Text),
];

const SPECULAR: &Fields = &[
    // Missing components are 1.
    ("diffuseFactor", NumberList),
    ("diffuseTexture", Object(TEXTURE_INFO)),
    ("specularFactor", NumberList),
    ("glossinessFactor", Number),
    ("specularGlossinessTexture", Object(TEXTURE_INFO)),
];

/// What an extension's object holds.
pub fn of(extension: Extension) -> Kind {
    use Extension as E;
    Object(match extension {
        E::AnimationPointer => &[("pointer", Text)],
        E::DracoCompression => &[("bufferView", Index), ("attributes", Attributes)],
        E::LightsPunctual => &[("light", Index), ("lights", Objects(LIGHT))],
        E::MeshoptCompression | E::MeshoptCompressionKhr => PACKED,
        E::MeshGpuInstancing => &[("attributes", Attributes)],
        E::NodeVisibility => &[("visible", Truth)],
        E::SpecularGlossiness => SPECULAR,
        E::TextureBasisu | E::TextureWebp => &[("source", Index)],
        E::TextureTransform => TRANSFORM,
        E::Variants => &[
            ("variants", Objects(&[("name", Text)])),
            (
                "mappings",
                Objects(&[("material", Index), ("variants", Indices)]),
            ),
        ],
        // Those of materials; of others nothing is read but what this site writes.
        _ if E::is_honoured_on(extension.name(), "材质") => return Surface,
        _ => &[],
    })
}

/// What a field of an extension of materials holds.
pub fn of_surface(name: &str) -> Kind {
    match name {
        "extensions" => Extensions,
        name if name.ends_with("Texture") => Object(TEXTURE_INFO),
        name if name.ends_with("Color") || name.ends_with("ColorFactor") => Numbers(3),
        _ => Number,
    }
}
