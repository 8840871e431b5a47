//! What core glTF allows beyond what the scene holds: counted while reading, told afterwards.

use super::super::seen::Seen;
use super::json::{Root, SceneJson};
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Primitives without positions.
    Shapeless,
    /// Attributes of vertices that change what is seen, and others.
    Attribute,
    OtherAttribute,
    /// Attributes whose data is unusable.
    Unusable,
    /// Attributes of morph targets, and of instances.
    TargetAttribute,
    InstanceAttribute,
    /// Nodes with a mesh outside the scene that is shown.
    Offstage,
    Hidden,
    /// Skins and channels whose data is unusable.
    Skin,
    Channel,
    /// Channels whose target is no property that moves here, and those without a node of the scene.
    Pointer,
    Aimless,
    /// Application data of objects that have no place for it.
    Extras,
}

pub type Losses = super::super::lost::Losses<Loss>;

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (severity, text, advice) = match loss {
        Loss::Shapeless => (
            Severity::Warning,
            format!("{count} 个图元没有顶点坐标（POSITION），已忽略"),
            "请确认导出时没有缺失几何，并关闭不常用的几何扩展后重新导出",
        ),
        Loss::Attribute => (
            Severity::Warning,
            format!("{count} 项顶点属性未读取：{names}"),
            "支持 TEXCOORD_0…7、JOINTS_0…3 和 WEIGHTS_0…3，编号须从 0 起连续，JOINTS 和 WEIGHTS 须成对；请减少或重新编号后导出",
        ),
        Loss::OtherAttribute => (
            Severity::Info,
            format!("{count} 项顶点属性未读取：{names}"),
            "支持 COLOR_0 和名称以下划线开头、最多四个分量的属性；需要其他数据时请改用这样的名称后重新导出",
        ),
        Loss::Unusable => (
            Severity::Warning,
            format!("{count} 项顶点属性的数据有误，已忽略：{names}"),
            "请升级或更换导出程序后重新导出",
        ),
        Loss::TargetAttribute => (
            Severity::Warning,
            format!("{count} 项形变属性未读取：{names}"),
            "形变目标只支持位置、法线和切线，请去掉其他形变后重新导出",
        ),
        Loss::InstanceAttribute => (
            Severity::Info,
            format!("{count} 项实例属性未读取：{names}"),
            "实例只支持平移、旋转和缩放；需要其他数据时请把实例展开为普通节点后重新导出",
        ),
        Loss::Offstage => (
            Severity::Info,
            format!("{count} 个带网格的节点不在默认场景里，未显示"),
            "如需显示，请把它们放进默认场景，或把各个场景分别导出",
        ),
        Loss::Hidden => (
            Severity::Info,
            format!("{count} 个隐藏节点（KHR_node_visibility）的内容未导入"),
            "如需显示，请在建模软件中取消隐藏后重新导出",
        ),
        Loss::Skin => (
            Severity::Warning,
            format!("{count} 副骨架的绑定矩阵有误，蒙皮已忽略：{names}"),
            "请升级或更换导出程序后重新导出",
        ),
        Loss::Channel => (
            Severity::Warning,
            format!("{count} 条动画轨道的数据有误，已忽略：{names}"),
            "请升级或更换导出程序后重新导出",
        ),
        Loss::Pointer => (
            Severity::Warning,
            format!("{count} 条动画轨道的目标不受支持，已忽略：{names}"),
            "只支持节点的平移、旋转、缩放和形变权重；材质、灯光等动画（KHR_animation_pointer）暂不支持",
        ),
        Loss::Aimless => (
            Severity::Warning,
            format!("{count} 条动画轨道没有指向场景里的节点，已忽略"),
            "请检查动画对象是否在默认场景里，然后重新导出",
        ),
        Loss::Extras => (
            Severity::Info,
            format!("{count} 处附加数据（extras）未保留：{names}"),
            "附加数据请放在场景、节点、网格、图元、材质、贴图、图片、骨架或动画上",
        ),
    };
    let code = match loss {
        Loss::Hidden => "hidden-skipped",
        Loss::Shapeless => "skipped-draws",
        Loss::Pointer => "unsupported-extension",
        _ => "unread-data",
    };
    Problem::new(code, severity, seen.place(), text, advice)
}

/// The reason in an error's text, without what readers of whole files add to it.
pub fn reason(text: &str) -> &str {
    let text = text.strip_prefix("glTF 的").unwrap_or(text);
    text.strip_suffix("，请重新导出后上传").unwrap_or(text)
}

/// Application data in objects that the scene does not have.
pub fn extras(root: &Root, scene: Option<&SceneJson>, losses: &mut Losses) {
    let mut note = |has: bool, kind: &'static str, name: &str, number: usize, what: &str| {
        if has {
            losses.add(Loss::Extras, (kind, name, number), what);
        }
    };
    note(root.asset.extras.is_some(), "文件信息", "asset", 0, "asset");
    // Those of the scene take the place of the file's.
    let both = root.extras.is_some() && scene.is_some_and(|s| s.extras.is_some());
    note(both, "文件信息", "glTF", 0, "glTF");
    for (i, material) in root.materials.iter().enumerate() {
        let pbr = &material.pbr_metallic_roughness;
        let slots = material.slots().into_iter().flatten();
        let inner = pbr.extras.is_some() || slots.into_iter().any(|s| s.extras.is_some());
        note(inner, "材质", &material.name, i, "贴图引用");
    }
    for (i, sampler) in root.samplers.iter().enumerate() {
        note(sampler.extras.is_some(), "采样器", "", i, "采样器");
    }
    for (i, clip) in root.animations.iter().enumerate() {
        let channels = clip.channels.iter();
        let mut inner = channels.map(|c| c.extras.is_some() || c.target.extras.is_some());
        let samplers = clip.samplers.iter().any(|s| s.extras.is_some());
        note(
            inner.any(|x| x) || samplers,
            "动画",
            &clip.name,
            i,
            "动画轨道",
        );
    }
    for (i, accessor) in root.accessors.iter().enumerate() {
        note(accessor.extras.is_some(), "访问器", "", i, "访问器");
    }
    for (i, view) in root.buffer_views.iter().enumerate() {
        note(view.extras.is_some(), "数据区间", "", i, "数据区间");
    }
    for (i, buffer) in root.buffers.iter().enumerate() {
        note(buffer.extras.is_some(), "数据块", "", i, "数据块");
    }
}
