//! Every type of element that an FBX file can hold: what becomes of it.

use super::lost::Loss;
use super::{Reading, raw};
use std::collections::HashSet;
use ufbx::ElementType as Type;

/// What becomes of the elements of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// Part of the scene, or what is not is told where it is read.
    Read,
    /// Told.
    Lost(Loss),
    /// Nothing looks different without it.
    Silent,
}

use Treatment::{Lost, Read, Silent};

/// What becomes of the elements of a type.
pub fn treatment(kind: Type) -> Treatment {
    match kind {
        Type::Node
        | Type::Mesh
        | Type::Bone
        | Type::Camera
        | Type::NurbsSurface
        | Type::LineCurve
        | Type::LodGroup
        | Type::SkinDeformer
        | Type::SkinCluster
        | Type::BlendDeformer
        | Type::BlendChannel
        | Type::BlendShape
        | Type::Material
        | Type::Texture
        | Type::Video
        | Type::Shader
        | Type::ShaderBinding
        | Type::AnimStack
        | Type::AnimLayer
        | Type::AnimValue
        | Type::AnimCurve
        | Type::DisplayLayer => Read,
        // Told with the node that carries it.
        Type::Light => Read,
        // Told with the mesh that it moves.
        Type::CacheDeformer => Read,
        Type::NurbsCurve | Type::ProceduralGeometry => Lost(Loss::Curve),
        Type::NurbsTrimSurface => Lost(Loss::Trim),
        Type::StereoCamera | Type::CameraSwitcher => Lost(Loss::Camera),
        Type::Constraint => Lost(Loss::Constraint),
        Type::AudioClip => Lost(Loss::Audio),
        Type::Unknown => Lost(Loss::Unknown),
        // The edge of a trimmed surface, and the file of a cache: told with those.
        Type::NurbsTrimBoundary | Type::CacheFile => Silent,
        // Handles that programs draw for grabbing, and points without a shape.
        Type::Marker | Type::Empty => Silent,
        // What was selected in the program that wrote the file.
        Type::SelectionSet | Type::SelectionNode => Silent,
        // Names of bones for motion capture, and where bones once were: clusters have their own binding.
        Type::Character | Type::Pose => Silent,
        // Holds the clips, which are told.
        Type::AudioLayer => Silent,
        // Data of applications.
        Type::MetadataObject => Silent,
    }
}

/// Kinds of objects without a meaning for what is seen, by the name in the file: settings, thumbnails, data of
/// programs, and groups that only sort objects.
const IDLE: [&[u8]; 11] = [
    b"SceneInfo",
    b"GlobalInfo",
    b"Container",
    b"CollectionExclusive",
    b"Collection",
    b"Document",
    b"GlobalSettings",
    b"Thumbnail",
    b"AnimationCurveFilter",
    b"Preset",
    // Of the rig of a character for motion capture.
    b"ControlSetPlug",
];

/// Counts the elements that are not read.
pub fn lost(reading: &mut Reading) {
    let source = reading.source;
    let moved = moved_nodes(source);
    for element in &source.elements {
        let Lost(loss) = treatment(element.type_) else {
            continue;
        };
        let what = match element.as_data() {
            ufbx::ElementData::Unknown(unknown) => {
                let names = [&unknown.type_, &unknown.super_type, &unknown.sub_type];
                if names.iter().any(|name| IDLE.contains(&raw(name))) {
                    continue;
                }
                // Its kind in the file and what that is more closely.
                let names = [&unknown.super_type, &unknown.sub_type];
                let names = names.iter().filter(|name| !name.is_empty());
                let names: Vec<String> =
                    names.map(|name| reading.encoding.name(raw(name))).collect();
                names.join(" ")
            }
            ufbx::ElementData::Constraint(constraint) => {
                let node = constraint.node.as_ref();
                let still = node.is_none_or(|n| !moved.contains(&n.element.element_id));
                if !constraint.active || !still {
                    continue;
                }
                reading.encoding.name(raw(&constraint.type_name))
            }
            // Of rigs, which are grabbed by them: what nothing shows is nothing lost.
            _ if loss == Loss::Curve && element.instances.is_empty() => continue,
            _ => format!("{:?}", element.type_),
        };
        let name = reading.name(element);
        let node = element.instances.iter().next();
        let name = match (name.is_empty(), node) {
            (true, Some(node)) => reading.name(&node.element),
            _ => name,
        };
        let object = ("对象", &name[..], element.typed_id as usize);
        reading.losses.add(loss, object, &what);
    }
}

/// Nodes that a clip moves: their motion holds what constraints did.
fn moved_nodes(source: &ufbx::Scene) -> HashSet<u32> {
    let mut moved = HashSet::new();
    for layer in &source.anim_layers {
        for prop in &layer.anim_props {
            if raw(&prop.prop_name).starts_with(b"Lcl ") {
                moved.insert(prop.element.element_id);
            }
        }
    }
    moved
}
