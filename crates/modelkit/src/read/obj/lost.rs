//! What OBJ and MTL allow beyond what is read (Wavefront's Advanced Visualizer, appendix B1, and its MTL format;
//! the physically based statements of 2014 and later).

use super::super::seen::Seen;
use crate::scene::{Problem, Severity};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// Statements of OBJ.
    Curve,
    Call,
    TextureStatement,
    Unknown,
    /// Vertex colours in comments of ZBrush, of another number than the vertices.
    Polypaint,
    /// Corners without the texture coordinates or normals that they refer to.
    Reference,
    /// Statements of MTL.
    Spectral,
    Highlight,
    Map,
    Layer,
    OtherMaterial,
    Halo,
    MapOption,
    BumpBesideNormal,
    Clear,
    Duplicate,
    UnknownMaterial,
}

/// What becomes of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Read,
    /// Nothing that is shown depends on it.
    Silent,
    Lost(Loss),
}

use Fate::{Lost, Read, Silent};

/// Statements of OBJ.
pub const STATEMENTS: [(&str, Fate); 45] = [
    ("v", Read),
    ("vt", Read),
    ("vn", Read),
    ("f", Read),
    ("fo", Read),
    ("l", Read),
    ("p", Read),
    ("o", Read),
    ("g", Read),
    ("s", Read),
    ("usemtl", Read),
    ("mtllib", Read),
    // Shapes of free form.
    ("curv", Lost(Loss::Curve)),
    ("surf", Lost(Loss::Curve)),
    ("bsp", Lost(Loss::Curve)),
    ("bzp", Lost(Loss::Curve)),
    ("cdc", Lost(Loss::Curve)),
    ("cdp", Lost(Loss::Curve)),
    // What they consist of.
    ("curv2", Silent),
    ("vp", Silent),
    ("cstype", Silent),
    ("deg", Silent),
    ("bmat", Silent),
    ("step", Silent),
    ("res", Silent),
    ("parm", Silent),
    ("trim", Silent),
    ("hole", Silent),
    ("scrv", Silent),
    ("sp", Silent),
    ("end", Silent),
    ("con", Silent),
    ("mg", Silent),
    ("ctech", Silent),
    ("stech", Silent),
    // Settings of the program's own renderer.
    ("bevel", Silent),
    ("c_interp", Silent),
    ("d_interp", Silent),
    ("lod", Silent),
    ("shadow_obj", Silent),
    ("trace_obj", Silent),
    ("maplib", Silent),
    // Other files, commands, and textures apart from materials.
    ("call", Lost(Loss::Call)),
    ("csh", Lost(Loss::Call)),
    ("usemap", Lost(Loss::TextureStatement)),
];

/// Statements of MTL, in small letters.
pub const MATERIAL_STATEMENTS: [(&str, Fate); 50] = [
    ("newmtl", Read),
    ("kd", Read),
    ("ke", Read),
    ("ns", Read),
    ("d", Read),
    ("tr", Read),
    ("pr", Read),
    ("pm", Read),
    ("pc", Read),
    ("pcr", Read),
    ("map_kd", Read),
    ("map_ka", Read),
    ("map_bump", Read),
    ("bump", Read),
    ("norm", Read),
    ("map_kn", Read),
    ("map_norm", Read),
    ("map_d", Read),
    ("map_tr", Read),
    ("map_opacity", Read),
    ("map_ke", Read),
    ("map_emissive", Read),
    ("map_pr", Read),
    ("map_pm", Read),
    // The highlight's size is read from Ns; its colour has no counterpart if it is grey, which exporters write by default.
    ("ks", Lost(Loss::Highlight)),
    ("map_ks", Lost(Loss::Map)),
    ("map_ns", Lost(Loss::Map)),
    ("map_ps", Lost(Loss::Map)),
    ("map_pc", Lost(Loss::Map)),
    ("map_pcr", Lost(Loss::Map)),
    ("map_rma", Lost(Loss::Map)),
    ("map_orm", Lost(Loss::Map)),
    ("map_ao", Lost(Loss::Map)),
    ("map_tf", Lost(Loss::Map)),
    ("map_ni", Lost(Loss::Map)),
    ("refl", Lost(Loss::Map)),
    ("map_refl", Lost(Loss::Map)),
    ("disp", Lost(Loss::Map)),
    ("map_disp", Lost(Loss::Map)),
    ("decal", Lost(Loss::Map)),
    ("map_decal", Lost(Loss::Map)),
    // Layers of a physically based material, told unless they are zero.
    ("ps", Lost(Loss::Layer)),
    ("aniso", Lost(Loss::Layer)),
    ("anisor", Silent),
    // A filter of light that is not grey.
    ("tf", Lost(Loss::OtherMaterial)),
    // Ambient light is the viewer's; refraction, shading model and anti-aliasing are not those of this renderer.
    ("ka", Silent),
    ("ni", Silent),
    ("illum", Silent),
    ("sharpness", Silent),
    ("map_aat", Silent),
];

/// What becomes of a statement. Comments begin with `#`; some files are padded with zeros.
pub fn fate(table: &[(&str, Fate)], keyword: &str) -> Option<Fate> {
    if keyword.starts_with('#') || keyword.starts_with('\0') {
        return Some(Silent);
    }
    let found = table.iter().find(|(name, _)| *name == keyword);
    found.map(|(_, fate)| *fate)
}

/// One kind of loss as a finding.
pub fn finding(loss: Loss, seen: &Seen, names: &str) -> Problem {
    let count = seen.count;
    let (code, severity, text, advice) = match loss {
        Loss::Curve => (
            "curves-skipped",
            Severity::Warning,
            format!("有 {count} 处自由曲线或曲面，未参与显示"),
            "在建模软件中转为网格后重新导出",
        ),
        Loss::Call => (
            "unread-data",
            Severity::Warning,
            format!("有 {count} 条语句调用其他文件或命令（{names}），未执行"),
            "请把被调用的内容合并到一个 obj 里再上传",
        ),
        Loss::TextureStatement => (
            "unread-data",
            Severity::Warning,
            format!("有 {count} 条语句直接给面指定贴图（{names}），未读取"),
            "请改用 mtl 材质里的贴图（map_Kd）",
        ),
        Loss::Unknown => (
            "bad-lines",
            Severity::Warning,
            format!("有 {count} 行是 OBJ 格式没有的语句，已跳过：{names}"),
            "如模型不完整，请用建模软件重新导出一次",
        ),
        Loss::Polypaint => (
            "unread-data",
            Severity::Warning,
            "ZBrush 的顶点颜色（#MRGB）与顶点数目不一致，未读取".to_owned(),
            "请在 ZBrush 中重新导出",
        ),
        Loss::Reference => (
            "index-out-of-range",
            Severity::Warning,
            format!("有 {count} 个面引用了不存在的贴图坐标或法线，这些面的贴图或明暗可能不对"),
            "文件可能不完整，请重新导出",
        ),
        Loss::Spectral => (
            "unread-data",
            Severity::Warning,
            format!("{count} 处颜色以光谱或 CIE XYZ 给出，未读取：{names}"),
            "请改用 RGB 颜色后重新导出",
        ),
        Loss::Highlight => (
            "unread-data",
            Severity::Info,
            format!("{count} 个材质的彩色高光（Ks）未读取，高光按白色显示"),
            "金属请用 PBR 材质（Pm、Pr）导出，或导出为 GLB",
        ),
        Loss::Map => (
            "unread-data",
            Severity::Warning,
            format!("{count} 张材质贴图未读取：{names}"),
            "支持颜色、透明、凹凸、法线、自发光、粗糙度和金属度贴图；需要其他贴图时请导出为 GLB",
        ),
        Loss::Layer => (
            "unread-data",
            Severity::Info,
            format!("{count} 个材质的绒毛（Ps）或各向异性（aniso）未读取"),
            "需要这些效果时请导出为 GLB",
        ),
        Loss::OtherMaterial => (
            "unread-data",
            Severity::Info,
            format!("{count} 个材质的透光颜色（Tf）未读取"),
            "需要有色玻璃时请用半透明的颜色（Kd 和 d），或导出为 GLB",
        ),
        Loss::Halo => (
            "unread-data",
            Severity::Info,
            format!("{count} 个材质的光晕透明（d -halo）按普通透明显示"),
            "请改用透明贴图（map_d）",
        ),
        Loss::MapOption => (
            "unread-data",
            Severity::Warning,
            format!("{count} 张贴图的设置未读取：{names}"),
            "请把这些调整直接做进图片里再导出",
        ),
        Loss::BumpBesideNormal => {
            let (text, advice) = crate::read::lost::bumps(count);
            ("unread-data", Severity::Info, text, advice)
        }
        Loss::Clear => (
            "clear-material",
            Severity::Info,
            format!("{count} 个材质写明完全透明（d 0 或 Tr 1），已按不透明显示"),
            "许多软件写反了透明度；如确需隐藏，请删去这部分面",
        ),
        Loss::Duplicate => (
            "unread-data",
            Severity::Warning,
            format!("{count} 个材质重名而内容不同，用了先出现的：{names}"),
            "请给材质取不同的名字后重新导出",
        ),
        Loss::UnknownMaterial => (
            "unread-data",
            Severity::Info,
            format!("材质库里有 {count} 行不认识的语句，已跳过：{names}"),
            "如材质与原来不同，请用建模软件重新导出一次",
        ),
    };
    Problem::new(code, severity, seen.place(), text, advice)
}
