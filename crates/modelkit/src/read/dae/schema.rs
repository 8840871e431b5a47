//! Every element of COLLADA 1.4.1 and 1.5 that can stand in what is shown, and what becomes of it. A test in
//! `crates/engine/tests/it/dae/schema.rs` has a case for every entry.

use super::lost::{Loss, Treatment, place};
use super::xml::Xml;
use super::{Counts, extra};
use std::collections::HashMap;
use std::sync::LazyLock;

use Treatment::{Judged, Lost, Read, Silent};

/// What may stand in an element. `technique` and `technique_common` are named with the element that they are in.
type Content = (
    &'static [&'static str],
    &'static [(&'static str, Treatment)],
);

/// Authors, dates and data of applications. What the reader knows of these is in `extra.rs`.
const ASIDE: &[(&str, Treatment)] = &[("asset", Silent), ("extra", Silent), ("technique", Silent)];

/// Values of parameters: those that no slot of a material can use are told by the slot.
const VALUES: &[(&str, Treatment)] = &[
    ("float", Read),
    ("float3", Read),
    ("float4", Read),
    ("surface", Read),
    ("sampler2D", Read),
    ("annotate", Silent),
    ("semantic", Silent),
    ("modifier", Silent),
    ("float2", Silent),
    ("bool", Silent),
    ("int", Silent),
    ("enum", Silent),
    ("sampler1D", Judged(Loss::Map)),
    ("sampler3D", Judged(Loss::Map)),
    ("samplerCUBE", Judged(Loss::Map)),
    ("samplerRECT", Judged(Loss::Map)),
    ("samplerDEPTH", Judged(Loss::Map)),
];

const COLOURS: &[(&str, Treatment)] = &[("color", Read), ("param", Read), ("texture", Read)];

const NUMBERS: &[(&str, Treatment)] = &[
    ("float", Read),
    ("param", Read),
    ("texture", Lost(Loss::Map)),
];

const MESH: &[(&str, Treatment)] = &[
    ("source", Read),
    ("vertices", Read),
    ("lines", Read),
    ("linestrips", Read),
    ("polygons", Read),
    ("polylist", Read),
    ("triangles", Read),
    ("trifans", Read),
    ("tristrips", Read),
    ("extra", Read),
];

/// The light of the surroundings and what shines in it are the viewer's: of these slots only pictures would show, and
/// without rays there is nothing to reflect or to bend.
macro_rules! shading {
    ($shininess:expr) => {
        &[
            ("emission", Read),
            ("diffuse", Read),
            ("transparent", Read),
            ("transparency", Read),
            ("shininess", $shininess),
            ("ambient", Judged(Loss::Map)),
            ("specular", Judged(Loss::Map)),
            ("reflective", Judged(Loss::Map)),
            ("reflectivity", Silent),
            ("index_of_refraction", Silent),
        ]
    };
}

pub const CONTENTS: &[Content] = &[
    (
        &["COLLADA"],
        &[
            ("asset", Read),
            ("library_animations", Read),
            ("library_animation_clips", Read),
            ("library_cameras", Read),
            ("library_controllers", Read),
            ("library_effects", Read),
            ("library_geometries", Read),
            ("library_images", Read),
            ("library_materials", Read),
            ("library_nodes", Read),
            ("library_visual_scenes", Read),
            ("scene", Read),
            // Told where a node has one.
            ("library_lights", Silent),
            // Of no use without kinematics, which are told.
            ("library_formulas", Silent),
            ("library_force_fields", Lost(Loss::Physics)),
            ("library_physics_materials", Lost(Loss::Physics)),
            ("library_physics_models", Lost(Loss::Physics)),
            ("library_physics_scenes", Lost(Loss::Physics)),
            ("library_articulated_systems", Lost(Loss::Physics)),
            ("library_joints", Lost(Loss::Physics)),
            ("library_kinematics_models", Lost(Loss::Physics)),
            ("library_kinematics_scenes", Lost(Loss::Physics)),
        ],
    ),
    (
        &["asset"],
        &[
            ("unit", Read),
            ("up_axis", Read),
            ("contributor", Silent),
            ("created", Silent),
            ("keywords", Silent),
            ("modified", Silent),
            ("revision", Silent),
            ("subject", Silent),
            ("title", Silent),
            ("coverage", Lost(Loss::Coverage)),
        ],
    ),
    (&["library_animations"], &[("animation", Read)]),
    (&["library_cameras"], &[("camera", Read)]),
    (&["library_controllers"], &[("controller", Read)]),
    (&["library_effects"], &[("effect", Read)]),
    (&["library_geometries"], &[("geometry", Read)]),
    (&["library_images"], &[("image", Read)]),
    (&["library_materials"], &[("material", Read)]),
    (&["library_nodes"], &[("node", Read)]),
    (&["library_visual_scenes"], &[("visual_scene", Read)]),
    (
        &["library_animation_clips"],
        &[("animation_clip", Lost(Loss::Clip))],
    ),
    (
        &["animation"],
        &[
            ("animation", Read),
            ("source", Read),
            ("sampler", Read),
            ("channel", Read),
        ],
    ),
    (
        &["sampler", "joints", "targets", "vertices"],
        &[("input", Read)],
    ),
    (
        &["source"],
        &[
            ("float_array", Read),
            ("int_array", Read),
            ("Name_array", Read),
            ("IDREF_array", Read),
            ("SIDREF_array", Read),
            ("technique_common", Read),
            // No input that is read has such values.
            ("bool_array", Silent),
            ("token_array", Silent),
        ],
    ),
    (&["source/technique_common"], &[("accessor", Read)]),
    (&["accessor"], &[("param", Read)]),
    // A real camera's exposure and sensor.
    (&["camera"], &[("optics", Read), ("imager", Silent)]),
    (&["optics"], &[("technique_common", Read)]),
    (
        &["optics/technique_common"],
        &[("perspective", Read), ("orthographic", Read)],
    ),
    (
        &["perspective"],
        &[
            ("xfov", Read),
            ("yfov", Read),
            ("aspect_ratio", Read),
            ("znear", Read),
            ("zfar", Read),
        ],
    ),
    (
        &["orthographic"],
        &[
            ("xmag", Read),
            ("ymag", Read),
            ("aspect_ratio", Read),
            ("znear", Read),
            ("zfar", Read),
        ],
    ),
    (&["controller"], &[("skin", Read), ("morph", Read)]),
    (
        &["skin"],
        &[
            ("bind_shape_matrix", Read),
            ("source", Read),
            ("joints", Read),
            ("vertex_weights", Read),
        ],
    ),
    (&["morph"], &[("source", Read), ("targets", Read)]),
    (
        &["vertex_weights"],
        &[("input", Read), ("vcount", Read), ("v", Read)],
    ),
    (
        &["effect"],
        &[
            ("newparam", Read),
            ("image", Read),
            ("profile_COMMON", Read),
            ("extra", Read),
            ("annotate", Silent),
            ("profile_BRIDGE", Lost(Loss::Profile)),
            ("profile_CG", Lost(Loss::Profile)),
            ("profile_GLES", Lost(Loss::Profile)),
            ("profile_GLES2", Lost(Loss::Profile)),
            ("profile_GLSL", Lost(Loss::Profile)),
        ],
    ),
    (
        &["profile_COMMON"],
        &[
            ("newparam", Read),
            ("image", Read),
            ("technique", Read),
            ("extra", Read),
        ],
    ),
    (
        &["profile_COMMON/technique"],
        &[
            ("newparam", Read),
            ("image", Read),
            ("constant", Read),
            ("lambert", Read),
            ("phong", Read),
            ("blinn", Read),
            ("extra", Read),
        ],
    ),
    (&["phong", "blinn"], shading!(Read)),
    (&["constant", "lambert"], shading!(Silent)),
    (&["emission", "diffuse", "transparent"], COLOURS),
    (&["transparency", "shininess"], NUMBERS),
    (&["texture"], &[("extra", Read)]),
    (&["newparam", "setparam"], VALUES),
    (
        &["surface"],
        &[
            ("init_from", Read),
            ("format", Silent),
            ("format_hint", Silent),
            ("size", Silent),
            ("viewport_ratio", Silent),
            ("mip_levels", Silent),
            ("mipmap_generate", Silent),
            ("init_as_null", Judged(Loss::Map)),
            ("init_as_target", Judged(Loss::Map)),
            ("init_cube", Judged(Loss::Map)),
            ("init_planar", Judged(Loss::Map)),
            ("init_volume", Judged(Loss::Map)),
        ],
    ),
    (
        &["sampler2D"],
        &[
            ("source", Read),
            ("instance_image", Read),
            ("wrap_s", Read),
            ("wrap_t", Read),
            ("magfilter", Read),
            // Of a picture that is drawn smaller the viewer knows best.
            ("minfilter", Silent),
            ("mipfilter", Silent),
            ("mipmap_maxlevel", Silent),
            ("mipmap_bias", Silent),
            ("mip_bias", Silent),
            ("mip_max_level", Silent),
            ("mip_min_level", Silent),
            ("max_anisotropy", Silent),
            ("wrap_p", Silent),
            ("border_color", Silent),
            ("texcoord", Silent),
        ],
    ),
    (&["material"], &[("instance_effect", Read), ("extra", Read)]),
    (
        &["instance_effect"],
        &[("setparam", Read), ("technique_hint", Silent)],
    ),
    (
        &["image"],
        &[
            ("init_from", Read),
            ("create_2d", Read),
            ("data", Lost(Loss::Embedded)),
            ("create_3d", Judged(Loss::Map)),
            ("create_cube", Judged(Loss::Map)),
            ("renderable", Silent),
        ],
    ),
    (
        &["init_from"],
        &[("ref", Read), ("hex", Lost(Loss::Embedded))],
    ),
    (
        &["create_2d"],
        &[
            ("init_from", Read),
            ("array", Silent),
            ("format", Silent),
            ("mips", Silent),
            ("size_exact", Silent),
            ("size_ratio", Silent),
            ("unnormalized", Silent),
        ],
    ),
    (
        &["geometry"],
        &[
            ("mesh", Read),
            ("convex_mesh", Read),
            ("extra", Read),
            ("spline", Judged(Loss::Spline)),
            ("brep", Judged(Loss::Brep)),
        ],
    ),
    (&["mesh", "convex_mesh"], MESH),
    (
        &["lines", "linestrips", "triangles", "trifans", "tristrips"],
        &[("input", Read), ("p", Read)],
    ),
    (
        &["polylist"],
        &[("input", Read), ("vcount", Read), ("p", Read)],
    ),
    (&["polygons"], &[("input", Read), ("p", Read), ("ph", Read)]),
    (&["ph"], &[("p", Read), ("h", Read)]),
    (
        &["node"],
        &[
            ("node", Read),
            ("lookat", Read),
            ("matrix", Read),
            ("rotate", Read),
            ("scale", Read),
            ("skew", Read),
            ("translate", Read),
            ("instance_camera", Read),
            ("instance_controller", Read),
            ("instance_geometry", Read),
            ("instance_node", Read),
            ("extra", Read),
            ("instance_light", Lost(Loss::Light)),
        ],
    ),
    (&["instance_geometry"], &[("bind_material", Read)]),
    (
        &["instance_controller"],
        &[("bind_material", Read), ("skeleton", Read)],
    ),
    // Values that a program sets while it runs.
    (
        &["bind_material"],
        &[("technique_common", Read), ("param", Silent)],
    ),
    (
        &["bind_material/technique_common"],
        &[("instance_material", Read)],
    ),
    (
        &["instance_material"],
        &[("bind_vertex_input", Read), ("bind", Silent)],
    ),
    // How a program renders: its layers and passes.
    (
        &["visual_scene"],
        &[("node", Read), ("evaluate_scene", Silent)],
    ),
    (
        &["scene"],
        &[
            ("instance_visual_scene", Read),
            ("instance_physics_scene", Lost(Loss::Physics)),
            ("instance_kinematics_scene", Lost(Loss::Physics)),
        ],
    ),
];

static TABLE: LazyLock<HashMap<(&str, &str), Treatment>> = LazyLock::new(|| {
    let mut table = HashMap::new();
    for (parents, entries) in CONTENTS {
        for parent in *parents {
            for (name, treatment) in *entries {
                table.insert((*parent, *name), *treatment);
            }
        }
    }
    table
});

/// What becomes of an element in another; `None` if that is not known.
fn of(parent: &str, name: &str) -> Option<Treatment> {
    let aside = || ASIDE.iter().find(|(aside, _)| *aside == name);
    let known = TABLE.get(&(parent, name)).copied();
    known.or_else(|| aside().map(|(_, treatment)| *treatment))
}

/// What becomes of an input of a mesh by its semantic.
pub fn semantic(name: &str) -> Treatment {
    match name {
        "POSITION" | "NORMAL" | "COLOR" | "TEXCOORD" | "UV" | "VERTEX" => Read,
        // Viewers compute them from normals and UVs (glTF 2.0, 3.7.2.1), as the baked maps expect.
        "TANGENT" | "BINORMAL" | "TEXTANGENT" | "TEXBINORMAL" => Silent,
        _ => Lost(Loss::Attribute),
    }
}

/// Tells of elements that are lost, and of those that no version of COLLADA has.
pub fn walk(root: Xml<'_>, counts: &mut Counts) {
    let mut stack = vec![root];
    while let Some(parent) = stack.pop() {
        let context = context(parent);
        // Most elements have the name of the one before.
        let mut last = ("", Some(Silent));
        for element in parent.children().filter(|c| c.is_element()) {
            let name = element.tag_name().name();
            if name != last.0 {
                last = (name, of(&context, name));
            }
            match last.1 {
                Some(Read) if name == "extra" => extra::tell(element, counts),
                Some(Read) if has_content(element) => stack.push(element),
                Some(Lost(loss)) => tell(loss, element, counts),
                None => tell(Loss::Unknown, element, counts),
                _ => {}
            }
        }
    }
}

/// Whether an element is one that has elements.
fn has_content(element: Xml<'_>) -> bool {
    element.children().any(|c| c.is_element())
}

fn context(element: Xml<'_>) -> String {
    let name = element.tag_name().name();
    match (name, element.parent()) {
        ("technique" | "technique_common", Some(parent)) => {
            format!("{}/{name}", parent.tag_name().name())
        }
        _ => name.to_owned(),
    }
}

fn tell(loss: Loss, element: Xml<'_>, counts: &mut Counts) {
    let what = match loss {
        Loss::Unknown | Loss::Profile | Loss::Physics => element.tag_name().name(),
        Loss::Light => element
            .attribute("url")
            .unwrap_or("")
            .trim_start_matches('#'),
        _ => element.attribute("name").unwrap_or(""),
    };
    let (kind, name) = place(element);
    counts.losses.add(loss, (kind, &name, 0), what);
}
