//! What a PLY header names beyond what is read. The format has no list of elements and properties: this one has those
//! that programs write.

use super::super::seen::Seen;
use super::data::{Has, Plan, Use};
use super::header::Header;
use crate::scene::{Problem, Scene, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Elements that are not read.
    Element,
    /// Colours that are not shown.
    Colour,
    /// Texture coordinates that are not used.
    Coordinates,
    /// Other numbers of vertices, faces and edges.
    Value,
    /// Textures that no face uses.
    Texture,
    /// Lines of the header outside the format.
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    Read,
    /// Nothing looks different without it.
    Silent,
    Lost(Loss),
}

use Treatment::{Lost, Read, Silent};

/// Elements by name; others are lost.
pub const ELEMENTS: &[(&str, Treatment)] = &[
    ("vertex", Read),
    ("face", Read),
    ("tristrips", Read),
    ("edge", Read),
    // The order in which a scanner saw the vertices, which are drawn as points.
    ("range_grid", Silent),
];

/// Properties by element and name; others are lost as values.
pub const PROPERTIES: &[(&str, &[&str], Treatment)] = &[
    ("vertex", &["x", "y", "z"], Read),
    (
        "vertex",
        &["nx", "ny", "nz", "normal_x", "normal_y", "normal_z"],
        Read,
    ),
    (
        "vertex",
        &["red", "green", "blue", "alpha", "r", "g", "b", "a"],
        Read,
    ),
    (
        "vertex",
        &[
            "diffuse_red",
            "diffuse_green",
            "diffuse_blue",
            "diffuse_alpha",
        ],
        Read,
    ),
    (
        "vertex",
        &[
            "s",
            "t",
            "u",
            "v",
            "texture_u",
            "texture_v",
            "texture_s",
            "texture_t",
            "texcoord_u",
            "texcoord_v",
            "u0",
            "v0",
            "s0",
            "t0",
        ],
        Read,
    ),
    ("vertex", &["f_dc_0", "f_dc_1", "f_dc_2"], Read),
    // The surroundings light a model; their share in its colour is not its own.
    (
        "vertex",
        &[
            "ambient_red",
            "ambient_green",
            "ambient_blue",
            "ambient_coeff",
        ],
        Silent,
    ),
    (
        "vertex",
        &[
            "specular_red",
            "specular_green",
            "specular_blue",
            "specular_coeff",
            "specular_power",
        ],
        Silent,
    ),
    // What an editor had selected, and how far a scanner trusts its measurement.
    ("vertex", &["flags", "confidence"], Silent),
    (
        "face",
        &["vertex_indices", "vertex_index", "texcoord", "texnumber"],
        Read,
    ),
    (
        "face",
        &["red", "green", "blue", "alpha", "r", "g", "b", "a"],
        Read,
    ),
    (
        "face",
        &[
            "diffuse_red",
            "diffuse_green",
            "diffuse_blue",
            "diffuse_alpha",
        ],
        Read,
    ),
    // Computed from the corners.
    (
        "face",
        &[
            "nx", "ny", "nz", "normal_x", "normal_y", "normal_z", "flags",
        ],
        Silent,
    ),
    ("face", &["color"], Lost(Loss::Colour)),
    ("tristrips", &["vertex_indices", "vertex_index"], Read),
    ("edge", &["vertex1", "vertex2"], Read),
    (
        "edge",
        &["red", "green", "blue", "alpha"],
        Lost(Loss::Colour),
    ),
    // Where a surface ends, which is seen anyway.
    ("edge", &["flags"], Silent),
];

type Losses = super::super::lost::Losses<Loss>;

fn property(element: &str, name: &str) -> Treatment {
    let mut known = PROPERTIES.iter().filter(|(of, ..)| *of == element);
    let found = known.find(|(_, names, _)| names.contains(&name));
    match found {
        Some((.., treatment)) => *treatment,
        None if name.starts_with("tex") || name.starts_with("uv") => Lost(Loss::Coordinates),
        None => Lost(Loss::Value),
    }
}

/// Tells what the header names and the scene does not hold. Elements without rows lose nothing.
pub fn tell(scene: &mut Scene, header: &Header, plans: &[Plan], textures: usize) {
    let mut losses = Losses::default();
    let has = plans.iter().find(|plan| plan.purpose == Use::Vertex);
    let has = has.map(Has::of).unwrap_or_default();
    for plan in plans.iter().filter(|plan| plan.element.count > 0) {
        let element = plan.element.name.as_str();
        let known = ELEMENTS.iter().find(|(name, _)| *name == element);
        if known.is_none() {
            losses.add(Loss::Element, ("", "", 0), element);
            continue;
        }
        for (i, own) in plan.element.properties.iter().enumerate() {
            let treatment = property(element, &own.name);
            let loss = match treatment {
                _ if plan.indices == Some(i) && plan.is_used(i, has) => continue,
                Read if plan.is_used(i, has) => continue,
                Read => unused(plan.purpose, &own.name),
                // Told by itself: what is shown of a splat is its centre.
                Lost(Loss::Value) if has.splats && is_splats(&own.name) => continue,
                Lost(loss) if plan.purpose != Use::Other => loss,
                _ => continue,
            };
            losses.add(loss, ("", "", 0), &format!("{element}.{}", own.name));
        }
    }
    for name in header.textures.iter().skip(textures) {
        losses.add(Loss::Texture, ("", "", 0), name);
    }
    for line in &header.strange {
        losses.add(Loss::Line, ("", "", 0), line);
    }
    losses.tell(scene, finding);
}

/// The loss of a property whose companions are missing, or that another takes the place of.
fn unused(purpose: Use, name: &str) -> Loss {
    let texture = ["s", "t", "u", "v", "s0", "t0", "u0", "v0"];
    let is_color = ["red", "green", "blue", "alpha", "r", "g", "b", "a"].contains(&name);
    match purpose {
        _ if is_color || name.starts_with("diffuse_") => Loss::Colour,
        _ if texture.contains(&name) || name.starts_with("tex") => Loss::Coordinates,
        _ => Loss::Value,
    }
}

/// Properties of Gaussian splats: higher harmonics, extent, rotation and opacity.
fn is_splats(name: &str) -> bool {
    let prefixes = ["f_rest_", "f_dc_", "scale_", "rot_"];
    name == "opacity" || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (severity, text, advice) = match loss {
        Loss::Element => (
            Severity::Info,
            format!("{count} 种数据（element）未读取：{names}"),
            "支持 vertex、face、edge 和 tristrips；如果模型缺少内容，请换用 GLB 或 OBJ 导出",
        ),
        Loss::Colour => (
            Severity::Warning,
            format!("{count} 项颜色未显示：{names}"),
            "请把颜色存为顶点颜色（red、green、blue）后重新导出",
        ),
        Loss::Coordinates => (
            Severity::Warning,
            format!("{count} 项贴图坐标未使用：{names}"),
            "请导出成对的 s、t，或面上的 texcoord",
        ),
        Loss::Value => (
            Severity::Info,
            format!("{count} 项属性未保留：{names}"),
            "需要按这些数据着色时，请在软件中把它们转为顶点颜色后重新导出",
        ),
        Loss::Line => (
            Severity::Info,
            format!("文件头有 {count} 行不是 PLY 的语句，已跳过：{names}"),
            "如果是说明文字，请在行首加上 comment；如果模型缺少内容，请重新导出",
        ),
        Loss::Texture => (
            Severity::Warning,
            format!("{count} 张贴图没有面使用，未读取：{names}"),
            "面需要用 texcoord 和 texnumber 说明使用哪张贴图；或导出为 OBJ、GLB",
        ),
    };
    Problem::new("unread-data", severity, "", text, advice)
}
