//! Findings on meshes.

use super::edges;
use super::report::grouped;
use super::tally::Tally;
use crate::Result;
use crate::progress::{Ctx, Stage};
use crate::scene::Severity::{self, Info, Warning};
use crate::scene::{Mode, Node, Primitive, Problem, Scene, math};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Ratio of height to longest edge below which a triangle counts as degenerate.
const FLAT: f64 = 1e-7;

pub fn find(scene: &Scene, out: &mut Vec<Problem>, ctx: &Ctx) -> Result<()> {
    let mut tally: HashMap<&'static str, Tally> = HashMap::new();
    let mut seen: HashSet<u64> = HashSet::new();
    let shown = shown_by(scene);
    let total = scene.meshes.len().max(1);
    for (i, mesh) in scene.meshes.iter().enumerate() {
        if i % 16 == 0 {
            let done = 0.3 + 0.6 * i as f64 / total as f64;
            ctx.report(Stage::Check, done, "正在检查几何")?;
        }
        let at = shown.get(&(i as u32));
        let node = at.and_then(|at| scene.nodes.get(*at));
        for p in &mesh.primitives {
            let doubled = usize::from(!seen.insert(content_hash(p)));
            let mut add = |code: &'static str, count: usize, of: usize| {
                let tally = tally.entry(code).or_default();
                tally.add(count, of, || {
                    let name = label(&mesh.name, i, node);
                    let material = p.material.and_then(|m| scene.materials.get(m as usize));
                    match material.map_or("", |m| m.name.as_str()) {
                        material if !material.is_empty() && mesh.primitives.len() > 1 => {
                            format!("{name}的材质 {material} 部分")
                        }
                        _ => name,
                    }
                });
            };
            add("duplicate-geometry", doubled, 1);
            examine(scene, p, &mut add);
        }
    }
    for finding in &FINDINGS {
        let Some(found) = tally.get(finding.code) else {
            continue;
        };
        let share = if finding.share {
            found.share()
        } else {
            String::new()
        };
        let message = format!(
            "{} {}{}{share}",
            grouped(found.count),
            finding.unit,
            finding.text
        );
        let severity = match found.share_of_all() > finding.grave {
            true => Warning,
            false => finding.severity,
        };
        out.extend(found.problem(finding.code, severity, message, finding.advice));
    }
    Ok(())
}

impl Tally {
    fn share_of_all(&self) -> f64 {
        self.count as f64 / self.total.max(1) as f64
    }
}

fn examine(scene: &Scene, p: &Primitive, add: &mut dyn FnMut(&'static str, usize, usize)) {
    let triangles = if p.mode == Mode::Triangles {
        p.triangle_count()
    } else {
        0
    };
    add("degenerate-triangles", degenerate(p), triangles);
    add("unreferenced-vertices", unreferenced(p), p.positions.len());
    let bare = p.normals.is_empty() && triangles > 0;
    add("no-normals", usize::from(bare), 1);
    add("inverted-normals", inverted(p), triangles);
    let edges = edges::examine(p);
    add("non-manifold", edges.non_manifold, edges.edges);
    add("mixed-winding", edges.flipped, edges.edges);
    add("duplicate-faces", edges.doubled, triangles);
    let material = p.material.and_then(|m| scene.materials.get(m as usize));
    let single = material.is_none_or(|m| !m.double_sided);
    add(
        "inside-out",
        usize::from(edges.inwards == Some(true) && single),
        1,
    );
    let textured = material.is_some_and(|m| !m.texture_uses().is_empty());
    add(
        "no-uv-but-texture",
        usize::from(textured && p.uvs.is_empty()),
        1,
    );
    add("many-influences", usize::from(p.skin_sets.len() > 1), 1);
}

/// The first node that references each mesh.
fn shown_by(scene: &Scene) -> HashMap<u32, usize> {
    let mut shown = HashMap::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(mesh) = node.mesh {
            shown.entry(mesh).or_insert(i);
        }
    }
    shown
}

/// A mesh's label for its author: its name, and its node's name if that differs.
fn label(mesh: &str, index: usize, node: Option<&Node>) -> String {
    let node = node.map_or("", |node| node.name.as_str());
    match (mesh, node) {
        ("", "") => format!("第 {} 个网格", index + 1),
        ("", node) => format!("节点 {node}"),
        (mesh, node) if node.is_empty() || node == mesh => format!("网格 {mesh}"),
        (mesh, node) => format!("网格 {mesh}（节点 {node}）"),
    }
}

struct Finding {
    code: &'static str,
    severity: Severity,
    /// Share from which the finding is always a warning.
    grave: f64,
    /// Whether the share is meaningful.
    share: bool,
    unit: &'static str,
    text: &'static str,
    advice: &'static str,
}

const FINDINGS: [Finding; 11] = [
    Finding {
        code: "no-uv-but-texture",
        severity: Warning,
        grave: 2.0,
        share: false,
        unit: "处",
        text: "网格用了贴图但没有 UV，贴图无法显示",
        advice: "请展开 UV 后重新导出（Blender：编辑模式全选，UV > 智能 UV 投射；3ds Max：添加“UVW 展开”或“UVW 贴图”修改器；Maya：UV > 自动）；若已有 UV，请在导出选项中勾选 UV",
    },
    Finding {
        code: "mixed-winding",
        severity: Info,
        grave: 0.001,
        share: true,
        unit: "条",
        text: "边两侧的面朝向相反，从某些角度看会缺面",
        advice: "请统一面的朝向（Blender：编辑模式全选后按 Shift+N；3ds Max：添加“法线”修改器并勾选“统一法线”；Maya：网格显示 > 一致），或把材质设为双面",
    },
    Finding {
        code: "inside-out",
        severity: Warning,
        grave: 2.0,
        share: false,
        unit: "处",
        text: "封闭网格的面全部朝内，从外面看是透的",
        advice: "请翻转面的朝向（Blender：编辑模式全选后按 Shift+N；3ds Max：添加“法线”修改器并勾选“翻转法线”；Maya：网格显示 > 反向）；如果本来就是从里面看（天空盒、室内），可忽略",
    },
    Finding {
        code: "inverted-normals",
        severity: Info,
        grave: 0.01,
        share: true,
        unit: "个",
        text: "三角形的法线与面的朝向相反，明暗会颠倒",
        advice: "请重新计算法线（Blender：编辑模式全选后按 Shift+N，并在网格数据中清除自定义拆边法线；3ds Max：添加“编辑法线”修改器后点“重置”；Maya：网格显示 > 解除锁定法线）后重新导出",
    },
    Finding {
        code: "duplicate-faces",
        severity: Info,
        grave: 0.01,
        share: true,
        unit: "个",
        text: "三角形与另一个面完全重叠，会闪烁并白占面数",
        advice: "请删除重叠的面（Blender：编辑模式全选，网格 > 合并 > 按距离，再检查重复物体；3ds Max：用 xView 的“重叠面”找到后删除；Maya：网格 > 清理，勾选“薄片面”）；有意做成双面的，请改用双面材质",
    },
    Finding {
        code: "non-manifold",
        severity: Info,
        grave: 2.0,
        share: true,
        unit: "条",
        text: "边连接了两个以上的面",
        advice: "不影响网页显示；如需 3D 打印或布尔运算请修复（Blender：选择 > 按特征全选 > 非流形；3ds Max：xView 的“多条边”；Maya：网格 > 清理，勾选“非流形几何体”）",
    },
    Finding {
        code: "degenerate-triangles",
        severity: Info,
        grave: 0.05,
        share: true,
        unit: "个",
        text: "三角形面积为零，看不见但占面数",
        advice: "轻量化时会自动清除；也可在源文件中清理（Blender：网格 > 清理 > 简并溶解；3ds Max：添加“STL 检查”修改器查找；Maya：网格 > 清理，勾选“面积为零的面”）",
    },
    Finding {
        code: "unreferenced-vertices",
        severity: Info,
        grave: 2.0,
        share: true,
        unit: "个",
        text: "顶点没有被任何面使用",
        advice: "轻量化时会自动清除；也可在源文件中清理（Blender：网格 > 清理 > 删除松散元素；3ds Max：可编辑多边形 > 移除孤立顶点）",
    },
    Finding {
        code: "no-normals",
        severity: Info,
        grave: 2.0,
        share: false,
        unit: "处",
        text: "网格没有法线，已按面自动计算，曲面会显得有棱角",
        advice: "如需平滑外观，请在源文件中设为平滑着色，并在导出选项中勾选法线",
    },
    Finding {
        code: "duplicate-geometry",
        severity: Info,
        grave: 2.0,
        share: false,
        unit: "处",
        text: "网格内容与其他网格完全相同",
        advice: "轻量化时会自动合并为实例；在源文件中请用关联复制（Blender：Alt+D；3ds Max：克隆时选“实例”；Maya：编辑 > 特殊复制 > 实例）",
    },
    Finding {
        code: "many-influences",
        severity: Info,
        grave: 2.0,
        share: false,
        unit: "处",
        text: "蒙皮网格的顶点受 4 根以上骨骼影响，多数网页查看器只用前 4 根",
        advice: "如动作变形有差异，请把每个顶点的影响数限制为 4（Blender：权重 > 限制总数；3ds Max：蒙皮修改器 > 高级参数 > 骨骼影响限制；Maya：绑定 > 编辑蒙皮时的最大影响数）",
    },
];

fn degenerate(p: &Primitive) -> usize {
    if p.mode != Mode::Triangles {
        return 0;
    }
    let mut count = 0;
    for &[a, b, c] in p.indices.as_chunks::<3>().0 {
        if a == b || b == c || a == c {
            count += 1;
            continue;
        }
        let [a, b, c] = [a, b, c].map(|i| p.positions[i as usize].map(f64::from));
        let (u, v, w) = (math::sub(b, a), math::sub(c, a), math::sub(c, b));
        let longest = math::dot(u, u).max(math::dot(v, v)).max(math::dot(w, w));
        let normal = math::cross(u, v);
        count += usize::from(math::dot(normal, normal).sqrt() <= FLAT * longest);
    }
    count
}

/// Triangles whose vertex normals point to the opposite side.
fn inverted(p: &Primitive) -> usize {
    if p.mode != Mode::Triangles || p.normals.is_empty() {
        return 0;
    }
    let mut count = 0;
    for &corners in p.indices.as_chunks::<3>().0 {
        let [a, b, c] = corners.map(|i| p.positions[i as usize].map(f64::from));
        let face = math::cross(math::sub(b, a), math::sub(c, a));
        // All three must: a smooth normal at a sharp edge may point away from one face.
        let against = |i: u32| math::dot(face, p.normals[i as usize].map(f64::from)) < 0.0;
        count += usize::from(corners.into_iter().all(against));
    }
    count
}

fn unreferenced(p: &Primitive) -> usize {
    if p.mode == Mode::Points && p.indices.is_empty() {
        return 0;
    }
    let mut used = vec![false; p.positions.len()];
    for &i in &p.indices {
        used[i as usize] = true;
    }
    used.iter().filter(|u| !**u).count()
}

/// Hash of positions, indices and material.
fn content_hash(p: &Primitive) -> u64 {
    let mut hasher = DefaultHasher::new();
    p.material.hash(&mut hasher);
    p.indices.hash(&mut hasher);
    for position in &p.positions {
        position.map(f32::to_bits).hash(&mut hasher);
    }
    for uv in p.uvs.iter().flatten() {
        uv.map(f32::to_bits).hash(&mut hasher);
    }
    hasher.finish()
}
