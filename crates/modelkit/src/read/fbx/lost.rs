//! What FBX files hold beyond what the scene does: counted while reading, told afterwards.

use super::Reading;
use crate::read::seen::Seen;
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Textures of maps that materials here do not have.
    Map,
    /// Values of such maps.
    Effect,
    /// Layers of a texture that are combined in a way that is not known here.
    BlendMode,
    BumpBesideNormal,
    /// Textures computed from several pictures, or from none.
    OnePicture,
    Procedural,
    /// Colour sets after the first.
    ColourSet,
    /// Polygons of one corner.
    Point,
    /// Meshes shown smoothed.
    Subdivision,
    /// NURBS curves and what else has no mesh.
    Curve,
    Trim,
    /// NURBS surfaces that a skin or blend shapes move.
    StillSurface,
    /// Vertices that several skins hold.
    SharedSkin,
    DualQuaternion,
    /// Vertices moved by a file of positions.
    Cache,
    Light,
    Camera,
    Constraint,
    Audio,
    /// Properties that move other than nodes and blend shapes.
    Animated,
    /// Objects of unknown kinds.
    Unknown,
    /// Numbers in the file that contradict each other.
    Broken,
}

pub type Losses = crate::read::lost::Losses<Loss>;

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (severity, text, advice) = match loss {
        Loss::Map => (
            Severity::Warning,
            format!("{count} 张材质贴图的用途不受支持，未读取：{names}"),
            "如外观有差异，请在建模软件中把效果烘焙到颜色、法线、金属度和粗糙度贴图上，再重新导出",
        ),
        Loss::Effect => (
            Severity::Warning,
            format!("{count} 项材质效果未保留：{names}"),
            "如外观有差异，请在建模软件中改用金属度/粗糙度材质，或把效果烘焙到贴图上",
        ),
        Loss::BlendMode => (
            Severity::Warning,
            format!("{count} 层贴图的混合模式不受支持，按普通叠加显示：{names}"),
            "请在建模软件中把分层贴图合并为一张图片，再重新导出",
        ),
        Loss::BumpBesideNormal => {
            let (text, advice) = crate::read::lost::bumps(count);
            (Severity::Info, text, advice)
        }
        Loss::OnePicture => (
            Severity::Warning,
            format!("{count} 张贴图由程序节点计算，只读取了其中第一张图片"),
            "请在建模软件中把材质烘焙为图片贴图，再重新导出",
        ),
        Loss::Procedural => (
            Severity::Warning,
            format!("{count} 张程序贴图没有图片，未显示"),
            "请在建模软件中把程序贴图烘焙为图片，再重新导出",
        ),
        Loss::ColourSet => (
            Severity::Info,
            format!("{count} 套顶点色未读取（每个网格只读取第一套）：{names}"),
            "如需其他顶点色，请在建模软件中把它移到第一套，再重新导出",
        ),
        Loss::Point => (
            Severity::Info,
            format!("{count} 个网格含有只有一个顶点的面，这些面未显示"),
            "通常是建模时的残留；请在建模软件中清理网格",
        ),
        Loss::Subdivision => (
            Severity::Info,
            format!("{count} 个网格在建模软件中以细分（平滑）方式显示，这里按原始网格显示"),
            "如需平滑外观，请在建模软件中应用细分后重新导出",
        ),
        Loss::Curve => (
            Severity::Info,
            format!("{count} 处曲线或曲面没有网格，未参与显示：{names}"),
            "如需显示，请在建模软件中转为网格后重新导出",
        ),
        Loss::Trim => (
            Severity::Warning,
            format!("{count} 处修剪的 NURBS 曲面未参与显示：{names}"),
            "请在建模软件中转为网格后重新导出",
        ),
        Loss::StillSurface => (
            Severity::Warning,
            format!("{count} 个 NURBS 曲面的蒙皮或形变未保留"),
            "请在建模软件中转为网格后重新绑定并导出",
        ),
        Loss::SharedSkin => (
            Severity::Warning,
            format!("{count} 个网格有顶点同时受多个蒙皮控制，已合并为一个蒙皮，动作可能有差异"),
            "请在建模软件中把多个蒙皮合并为一个后重新导出",
        ),
        Loss::DualQuaternion => (
            Severity::Warning,
            format!("{count} 个网格使用双四元数蒙皮，这里按线性蒙皮显示，关节扭转处可能变细"),
            "请在建模软件中改用线性蒙皮检查效果，必要时增加扭转骨骼",
        ),
        Loss::Cache => (
            Severity::Warning,
            format!("{count} 个网格由点缓存驱动，缓存中的动画未读取"),
            "请在建模软件中把点缓存转换为形变（blend shape）或骨骼动画后重新导出",
        ),
        Loss::Light => {
            let (text, advice) = crate::read::lost::lights(count, names);
            (Severity::Info, text, advice)
        }
        Loss::Camera => (
            Severity::Info,
            format!("{count} 个相机或相机切换器未保留：{names}"),
            "请在网页展示中另行设置视角",
        ),
        Loss::Constraint => (
            Severity::Info,
            format!("{count} 个约束（如 IK、目标朝向）未计算，物体停在文件中的姿势：{names}"),
            "如需动作，请在导出时勾选“烘焙动画”",
        ),
        Loss::Audio => (
            Severity::Info,
            format!("{count} 段音频未读取：{names}"),
            "如需声音，请另行上传",
        ),
        Loss::Animated => (
            Severity::Warning,
            format!("{count} 项属性动画未保留：{names}"),
            "只支持节点的平移、旋转、缩放和形变权重的动画；显隐、材质、灯光和相机的动画请改用缩放或另行设置",
        ),
        Loss::Unknown => (
            Severity::Info,
            format!("{count} 个对象的类型未知，未读取：{names}"),
            "如显示有缺失，请在导出时关闭插件对象，或先转为普通网格",
        ),
        Loss::Broken => (
            Severity::Warning,
            format!("{count} 处数据前后矛盾，已按最接近的含义读取：{names}"),
            "请在建模软件中检查网格，再重新导出",
        ),
    };
    let code = match loss {
        Loss::Curve | Loss::Trim => "curves-skipped",
        _ => "unread-data",
    };
    Problem::new(code, severity, seen.place(), text, advice)
}

/// Counts what of a mesh is not read.
pub fn mesh(reading: &mut Reading, mesh: &ufbx::Mesh) {
    let own = reading.name(&mesh.element);
    let node = mesh.element.instances.iter().next();
    let name = match (own.is_empty(), node) {
        (true, Some(node)) => reading.name(&node.element),
        _ => own,
    };
    let object = ("网格", &name[..], mesh.element.typed_id as usize);
    for set in mesh.color_sets.iter().skip(1) {
        let set = reading.encoding.name(super::raw(&set.name));
        reading.losses.add(Loss::ColourSet, object, &set);
    }
    if mesh.num_point_faces > 0 {
        reading.losses.add(Loss::Point, object, "");
    }
    // Without this, levels and creases are what programs keep for later.
    let smooth = matches!(
        mesh.subdivision_display_mode,
        ufbx::SubdivisionDisplayMode::Smooth | ufbx::SubdivisionDisplayMode::HullAndSmooth
    );
    if smooth {
        reading.losses.add(Loss::Subdivision, object, "");
    }
    if !mesh.cache_deformers.is_empty() {
        reading.losses.add(Loss::Cache, object, "");
    }
}

/// What the library found wrong.
pub fn warnings(reading: &mut Reading) {
    let source = reading.source;
    for warning in &source.metadata.warnings {
        let what = match warning.type_ {
            ufbx::WarningType::TruncatedArray => "数组长度不足",
            ufbx::WarningType::MissingGeometryData => "几何数据缺失",
            ufbx::WarningType::BadVertexWAttribute => "第四分量的数目不符",
            ufbx::WarningType::MissingPolygonMapping => "面属性没有映射方式",
            ufbx::WarningType::UnsupportedVersion => "版本未知",
            ufbx::WarningType::IndexClamped => "序号超出范围",
            ufbx::WarningType::BadBase64Content => "内嵌文件损坏",
            ufbx::WarningType::BadElementConnectedToRoot => "不是节点的对象接到了根节点",
            ufbx::WarningType::DuplicateObjectId => "对象编号重复",
            // Nothing is opened beside the file but by this reader, nothing is lost with a connection stated twice, names
            // in other encodings are read, and faces without corners show nothing. OBJ has its own reader.
            ufbx::WarningType::MissingExternalFile
            | ufbx::WarningType::DuplicateConnection
            | ufbx::WarningType::BadUnicode
            | ufbx::WarningType::EmptyFaceRemoved
            | ufbx::WarningType::ImplicitMtl
            | ufbx::WarningType::UnknownObjDirective => continue,
        };
        let object = source.elements.get(warning.element_id as usize);
        let name = object.map_or_else(String::new, |element| reading.name(element));
        let kind = if object.is_some() { "对象" } else { "" };
        let number = warning.element_id as usize;
        reading
            .losses
            .add(Loss::Broken, (kind, &name, number), what);
    }
}
