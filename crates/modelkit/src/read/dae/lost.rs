//! What COLLADA allows beyond what the scene holds: counted while reading, told afterwards.

use super::super::seen::Seen;
use super::xml::{Xml, title};
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Elements that no version of COLLADA has there.
    Unknown,
    /// Where the model lies on Earth.
    Coverage,
    Physics,
    Light,
    Camera,
    /// Content of other files, and what no element has as its id.
    External,
    Dangling,
    Hidden,
    Offstage,
    /// Geometries without a mesh, or with one that has no polygons.
    Spline,
    Brep,
    Shapeless,
    /// Polygons without positions, with a wrong index, or with a wrong number of corners.
    Unplaced,
    Outside,
    Ragged,
    Attribute,
    /// More than one controller of a kind on a geometry.
    Chained,
    Target,
    Joint,
    Weights,
    /// Materials: shaders, effects without the common profile, further techniques, pictures of slots that are not
    /// read, and how they lie.
    Profile,
    Plain,
    Technique,
    Map,
    Embedded,
    Placement,
    /// Animations.
    Clip,
    Channel,
    Aimless,
    Keys,
    Interpolation,
}

/// What becomes of something that a file may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    Read,
    /// Nothing looks different without it.
    Silent,
    /// Is told wherever it stands.
    Lost(Loss),
    /// Is told by the reader where it would be shown.
    Judged(Loss),
}

pub type Losses = super::super::lost::Losses<Loss>;

const AS_MESH: &str = "请在建模软件中转换为网格（多边形）后重新导出";
const CHECK: &str = "文件可能不完整，请重新导出";
const AS_FBX: &str = "需要这些动画时，请导出为 FBX 或 GLB";

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let (code, severity) = rank(loss);
    let (text, advice) = words(loss, seen.count, names);
    // Not everything has a name.
    let text = text.trim_end_matches('：').to_owned();
    Problem::new(code, severity, seen.place(), text, advice)
}

fn rank(loss: Loss) -> (&'static str, Severity) {
    use Severity::{Error, Info, Warning};
    match loss {
        Loss::Unknown
        | Loss::Coverage
        | Loss::Physics
        | Loss::Light
        | Loss::Camera
        | Loss::Offstage
        | Loss::Attribute
        | Loss::Profile
        | Loss::Clip => ("unread-data", Info),
        Loss::Hidden => ("hidden-skipped", Info),
        Loss::Spline => ("curves-skipped", Warning),
        Loss::Weights => ("weights-dropped", Warning),
        Loss::Outside => ("index-out-of-range", Error),
        _ => ("unread-data", Warning),
    }
}

fn words(loss: Loss, count: usize, names: &str) -> (String, &'static str) {
    match loss {
        Loss::Unknown => (
            format!("{count} 个元素不属于 COLLADA 标准，未读取：{names}"),
            "如果模型缺少内容，请换用标准的 DAE 导出器重新导出",
        ),
        Loss::Coverage => (
            "文件记录的地理位置未保留".to_owned(),
            "需要时请在上传后另行填写位置，或保留原文件",
        ),
        Loss::Physics => (
            format!("{count} 处物理或机构运动数据未保留：{names}"),
            "模型外观不受影响；需要这些数据时请保留原文件",
        ),
        Loss::Light => super::super::lost::lights(count, names),
        Loss::Camera => (
            format!("{count} 个相机的参数不完整，未保留"),
            "请在建模软件中检查相机的视角后重新导出",
        ),
        Loss::External => (
            format!("{count} 处引用了其他文件中的内容，未读取：{names}"),
            "请在建模软件中把外部引用合并到同一个文件后重新导出",
        ),
        Loss::Dangling => (
            format!("{count} 处引用的对象不存在，已忽略：{names}"),
            CHECK,
        ),
        Loss::Hidden => (
            format!("{count} 个隐藏的网格未导入"),
            "如需显示，请在建模软件中取消隐藏后重新导出",
        ),
        Loss::Offstage => (
            format!("{count} 个场景没有被选用，其中的内容未显示"),
            "如需显示，请把各个场景分别导出",
        ),
        Loss::Spline => (format!("{count} 条样条曲线未显示"), AS_MESH),
        Loss::Brep => (format!("{count} 个边界表示（brep）实体未显示"), AS_MESH),
        Loss::Shapeless => (
            format!("{count} 个几何没有多边形，未显示"),
            "请确认导出时没有缺失几何；点云请导出为 PLY",
        ),
        Loss::Unplaced => (
            format!("{count} 组图元没有顶点坐标（POSITION），已忽略：{names}"),
            CHECK,
        ),
        Loss::Outside => (format!("{count} 个面或线引用了不存在的顶点，已去除"), CHECK),
        Loss::Ragged => (
            format!("{count} 组图元的角数和索引数不一致，多出的部分未显示：{names}"),
            CHECK,
        ),
        Loss::Attribute => (
            format!("{count} 项顶点数据未读取：{names}"),
            "支持坐标、法线、UV 和一套顶点颜色；需要其他数据时请烘焙到贴图或合并后重新导出",
        ),
        Loss::Chained => (
            format!("{count} 个叠加的同类控制器未生效"),
            "请在建模软件中合并蒙皮或变形后重新导出",
        ),
        Loss::Target => (
            format!("{count} 个变形目标的几何不存在，已忽略：{names}"),
            CHECK,
        ),
        Loss::Joint => (
            format!("{count} 根骨骼在场景里找不到，对应的权重已忽略：{names}"),
            "请把骨骼和网格一起导出",
        ),
        Loss::Weights => (
            format!("{count} 个顶点受 16 根以上骨骼影响，只保留了权重最大的 16 根"),
            "如动作有差异，请在建模软件中限制每个顶点的骨骼数后重新导出",
        ),
        _ => surfaces_and_motion(loss, count, names),
    }
}

fn surfaces_and_motion(loss: Loss, count: usize, names: &str) -> (String, &'static str) {
    match loss {
        Loss::Profile => (
            format!("{count} 处自定义着色器未保留：{names}"),
            "如外观有差异，请在导出时改用标准材质（Phong、Blinn 或 Lambert）",
        ),
        Loss::Plain => (
            format!("{count} 个材质没有标准描述（profile_COMMON），显示为灰色：{names}"),
            "请在导出时改用标准材质（Phong、Blinn 或 Lambert）",
        ),
        Loss::Technique => (
            format!("{count} 个材质有多种画法（technique），只读取了第一种"),
            "如外观有差异，请只保留一种画法后重新导出",
        ),
        Loss::Map => (
            format!("{count} 张材质贴图的用途或类型不受支持，未读取：{names}"),
            "支持漫反射、自发光、透明和凹凸贴图；其他效果请烘焙到这些贴图，或导出为 GLB",
        ),
        Loss::Embedded => (
            format!("{count} 张内嵌在 DAE 里的图片未读取"),
            "请把贴图存为单独的文件，和模型一起打包成 zip 再上传",
        ),
        Loss::Placement => (
            format!("{count} 张贴图的旋转等摆放设置未生效：{names}"),
            "请在建模软件中把贴图的旋转应用到 UV 后重新导出",
        ),
        Loss::Clip => (
            format!("{count} 段动画剪辑的划分未保留，全部动画合为一段：{names}"),
            "需要分段的动画时，请导出为 FBX 或 GLB",
        ),
        Loss::Channel => (
            format!("{count} 条动画轨道的目标不受支持，已忽略：{names}"),
            "只支持节点的平移、旋转、缩放、矩阵和变形权重；材质、灯光、相机等动画暂不支持",
        ),
        Loss::Aimless => (
            format!("{count} 条动画轨道的目标不在显示的场景里，已忽略：{names}"),
            AS_FBX,
        ),
        Loss::Keys => (
            format!("{count} 条动画轨道的关键帧不完整或次序有误，已忽略：{names}"),
            CHECK,
        ),
        _ => (
            format!("{count} 条动画轨道的插值方式不受支持，按直线插值：{names}"),
            "请在建模软件中把曲线烘焙为线性关键帧后重新导出",
        ),
    }
}

/// The nearest object above an element that users know by name.
pub fn place(element: Xml<'_>) -> (&'static str, String) {
    let kind = |xml: Xml| match xml.tag_name().name() {
        "node" => Some("节点"),
        "effect" | "material" => Some("材质"),
        "geometry" => Some("网格"),
        "controller" => Some("控制器"),
        "animation" | "animation_clip" => Some("动画"),
        "image" => Some("图片"),
        _ => None,
    };
    let found = element
        .ancestors()
        .find_map(|xml| Some((kind(xml)?, title(xml))));
    found.unwrap_or(("", String::new()))
}
