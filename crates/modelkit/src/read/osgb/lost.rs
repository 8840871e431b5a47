//! What OpenSceneGraph's files hold beyond what is read.

use crate::read::seen::Seen;
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Objects of classes that are not read.
    Class,
    /// Points, lines, and lists that refer to vertices that are not there.
    Draws,
    /// Faces with positions that are no numbers.
    NotFinite,
    /// Nodes and drawables that are switched off.
    Hidden,
    /// Normals, colours and texture coordinates of another number than the vertices.
    Normals,
    Colors,
    Uvs,
    /// Secondary colours, fog coordinates and attributes of shaders.
    Attribute,
    /// Wire frames, flat shading and blending of another kind than by alpha.
    Style,
    /// A light of its own of what has a texture.
    Emission,
}

/// Classes that are read, and those that change nothing here, with the fields after `osg::StateAttribute` of the latter:
/// `4` and `8` bytes, `b` a flag, `?` what follows up to `;` depends on a flag, `!` a number of four bytes that is told
/// unless it is one of [`usual`].
pub const PASSED_OVER: [(&str, &str); 12] = [
    ("osg::ShadeModel", "!"),
    ("osg::BlendFunc", "4444"),
    ("osg::BlendEquation", "!!"),
    ("osg::BlendColor", "4444"),
    ("osg::TexEnv", "44444"),
    ("osg::LightModel", "44444bb"),
    ("osg::PolygonMode", "?b!!;"),
    ("osg::PolygonOffset", "44"),
    ("osg::Depth", "488b"),
    ("osg::LineWidth", "4"),
    ("osg::Point", "4444444"),
    ("osg::ColorMask", "bbbb"),
];

/// OpenGL values that need not be told: smooth shading, filled polygons, addition of what is blended.
pub fn usual(value: u32) -> bool {
    matches!(value, 0x1d01 | 0x1b02 | 0x8006)
}

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (code, severity, text, advice) = match loss {
        Loss::Class => (
            "unknown-objects",
            Severity::Warning,
            format!("未读取的对象：{names}"),
            "如缺少内容，请去掉特效后重新导出",
        ),
        Loss::Draws => (
            "skipped-draws",
            Severity::Warning,
            format!("{count} 组绘制数据不是三角形或已损坏，未读取"),
            "如缺少内容，请重新导出",
        ),
        Loss::NotFinite => (
            "nan-positions",
            Severity::Error,
            format!("{count} 个面的坐标不是有效数字，已丢弃"),
            "请在建模软件中检查并修复后重新导出",
        ),
        Loss::Hidden => (
            "hidden-skipped",
            Severity::Info,
            format!("{count} 个隐藏的节点未导入"),
            "如需显示，请在建模软件中取消隐藏后重新导出",
        ),
        Loss::Normals => (
            "unread-data",
            Severity::Warning,
            format!("{count} 个网格的法线不是逐顶点给出，未读取"),
            "请以逐顶点法线重新导出",
        ),
        Loss::Colors => (
            "unread-data",
            Severity::Warning,
            format!("{count} 个网格的颜色不是逐顶点给出，未读取"),
            "请以逐顶点颜色或贴图重新导出",
        ),
        Loss::Uvs => (
            "unread-data",
            Severity::Warning,
            format!("{count} 组贴图坐标与顶点数目不一致，未读取，贴图不显示"),
            "文件可能不完整，请重新导出",
        ),
        Loss::Attribute => (
            "unread-data",
            Severity::Info,
            format!("{count} 组顶点属性未读取：{names}"),
            "需要这些数据时请改用顶点颜色或贴图",
        ),
        Loss::Style => (
            "unread-data",
            Severity::Info,
            format!("{count} 处显示方式未保留（线框、平面着色或混合方式）：{names}"),
            "模型按光滑的实体显示，不影响几何",
        ),
        Loss::Emission => (
            "unread-data",
            Severity::Info,
            format!("{count} 个有贴图的材质的自发光未读取"),
            "如需自发光，请导出为带自发光贴图的 GLB",
        ),
    };
    Problem::new(code, severity, seen.place(), text, advice)
}
