//! What 3DS files hold beyond what the scene does: counted while reading, told afterwards.

use crate::read::seen::Seen;
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    Hidden,
    /// Maps that materials here do not have.
    Map,
    /// How surfaces look beyond colour, gloss and opacity.
    Effect,
    /// Maps and objects that are computed by plug-ins.
    Procedural,
    /// A rotation of a map with two scales.
    TurnedMap,
    Light,
    /// Fog, and pictures behind the scene.
    Atmosphere,
    /// Keys after the first.
    Motion,
    /// Faces with corners beyond the vertices.
    Beyond,
    /// Fewer UVs than vertices.
    Uvs,
    /// Faces of materials that the file does not have.
    Material,
    /// Chunks that should be there once.
    Twice,
    /// Chunks longer than what holds them, or shorter than what they hold.
    Cut,
    Unknown,
}

pub type Losses = crate::read::lost::Losses<Loss>;

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (severity, text, advice) = match loss {
        Loss::Hidden => (
            Severity::Info,
            format!("{count} 个隐藏的物体未导入"),
            "如需显示，请在建模软件中取消隐藏后重新导出",
        ),
        Loss::Map => (
            Severity::Warning,
            format!("{count} 张材质贴图的用途不受支持，未读取：{names}"),
            "如外观有差异，请在建模软件中把效果烘焙到颜色贴图上，再重新导出",
        ),
        Loss::Effect => (
            Severity::Warning,
            format!("{count} 项材质效果未保留：{names}"),
            "如外观有差异，请在建模软件中改用普通材质，或导出为 FBX 或 GLB",
        ),
        Loss::Procedural => (
            Severity::Warning,
            format!("{count} 处由插件计算的内容未读取：{names}"),
            "请在建模软件中把程序物体转为网格、程序贴图烘焙为图片，再重新导出",
        ),
        Loss::TurnedMap => (
            Severity::Warning,
            format!("{count} 张贴图的旋转平铺无法保留，按未旋转显示"),
            "请在建模软件中把贴图变换应用到 UV 上，再重新导出",
        ),
        Loss::Light => {
            let (text, advice) = crate::read::lost::lights(count, "");
            (Severity::Info, text, advice)
        }
        Loss::Atmosphere => (
            Severity::Info,
            format!("{count} 项环境效果未保留：{names}"),
            "请在网页展示中另行设置背景",
        ),
        Loss::Motion => (
            Severity::Info,
            "3DS 文件里的关键帧动画未保留".to_owned(),
            "如需动画，请导出为 FBX 或 GLB",
        ),
        Loss::Beyond => (
            Severity::Warning,
            format!("{count} 个三角形的顶点序号超出范围，已忽略"),
            "请在建模软件中检查网格，再重新导出",
        ),
        Loss::Uvs => (
            Severity::Warning,
            format!("{count} 个网格的 UV 少于顶点，未使用"),
            "请在建模软件中重新展开 UV 后导出",
        ),
        Loss::Material => (
            Severity::Warning,
            format!("{count} 组面的材质在文件里找不到，按默认材质显示：{names}"),
            "请在建模软件中重新指定材质后导出",
        ),
        Loss::Twice => (
            Severity::Warning,
            format!("{count} 处数据重复出现，只使用了最后一份：{names}"),
            "请用建模软件重新导出",
        ),
        Loss::Cut => (
            Severity::Warning,
            format!("{count} 处数据的长度与文件不符，只读取了完整的部分：{names}"),
            "文件可能已损坏，请重新导出",
        ),
        Loss::Unknown => (
            Severity::Info,
            format!("{count} 处数据的含义未知，未读取：{names}"),
            "如显示有缺失，请导出为 FBX 或 GLB",
        ),
    };
    let code = match loss {
        Loss::Hidden => "hidden-skipped",
        Loss::Motion => "animation-skipped",
        Loss::TurnedMap => "uv-transform-skipped",
        _ => "unread-data",
    };
    let place = match loss {
        Loss::Motion => String::new(),
        _ => seen.place(),
    };
    Problem::new(code, severity, place, text, advice)
}
