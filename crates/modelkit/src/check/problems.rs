//! One finding per kind, with the number of places and the worst of them.

use super::report::{grouped, metres};
use super::tally::Tally;
use super::{geometry, motion, pictures};
use crate::Result;
use crate::progress::Ctx;
use crate::scene::Severity::{Info, Warning};
use crate::scene::{Bounds, FAR, Problem, Scene, math};
use std::collections::HashSet;

/// Materials and draw calls from which rendering is noticeably slow.
const MANY_MATERIALS: usize = 200;
const MANY_DRAWS: usize = 1_000;
const MANY_NODES: usize = 5_000;

pub fn find(scene: &Scene, bounds: &Bounds, ctx: &Ctx) -> Result<Vec<Problem>> {
    let mut out = Vec::new();
    geometry::find(scene, &mut out, ctx)?;
    pictures::find(scene, &mut out, ctx)?;
    materials(scene, &mut out);
    size(scene, bounds, &mut out);
    tree(scene, &mut out);
    motion::find(scene, &mut out);
    Ok(out)
}

fn materials(scene: &Scene, out: &mut Vec<Problem>) {
    if scene.materials.len() > MANY_MATERIALS {
        let text = format!(
            "材质有 {} 个，每个材质至少绘制一次，会拖慢显示",
            grouped(scene.materials.len())
        );
        out.push(Problem::new(
            "too-many-materials",
            Warning,
            "",
            text,
            "请合并外观相同的材质，并把小贴图拼成一张（Blender：文件 > 清理 > 清除未使用数据；3ds Max：材质编辑器 > 工具 > 精简材质；Maya：Hypershade > 编辑 > 删除未使用节点）",
        ));
    }
    let draws = |mesh: u32| {
        scene
            .meshes
            .get(mesh as usize)
            .map_or(0, |m| m.primitives.len())
    };
    let total: usize = scene
        .nodes
        .iter()
        .filter_map(|node| node.mesh)
        .map(draws)
        .sum();
    if total > MANY_DRAWS {
        let text = format!(
            "需要绘制 {} 次，零件过多会拖慢显示，手机上尤其明显",
            grouped(total)
        );
        out.push(Problem::new(
            "too-many-draws",
            Warning,
            "",
            text,
            "请把不需要单独选择的零件合并为一个网格（Blender：选中后按 Ctrl+J；3ds Max：可编辑多边形 > 附加；Maya：网格 > 结合）",
        ));
    }
}

const UNIT_ADVICE: &str = "请核对单位后重新导出（Blender：场景属性 > 单位，导出时变换 > 缩放；3ds Max：自定义 > 单位设置 > 系统单位；Maya：首选项 > 设置 > 工作单位）";

/// Reports the assumed unit for formats that store none.
fn assumed_unit(scene: &Scene, extent: f64, out: &mut Vec<Problem>) {
    let units = &scene.units;
    if !units.source.starts_with("unknown") {
        return;
    }
    let text = format!(
        "文件没有写明单位，按 1 单位 = {}处理，最长边为 {}",
        units.assumed(),
        metres(extent)
    );
    let advice = "如果尺寸不对（例如厘米、英寸建模），请导出为带单位的格式（GLB、FBX），或在建模软件中换算成米后重新导出";
    out.push(Problem::new("unit-unknown", Info, "", text, advice));
}

fn size(scene: &Scene, bounds: &Bounds, out: &mut Vec<Problem>) {
    if bounds.is_empty() {
        return;
    }
    let extent = bounds.size().into_iter().fold(0.0, f64::max);
    if extent < 0.001 {
        let text = format!("模型最长边只有 {:.4} 毫米，单位可能有误", extent * 1000.0);
        out.push(Problem::new("unit-odd", Warning, "", text, UNIT_ADVICE));
    } else if extent > 10_000.0 {
        let text = format!("模型最长边有 {:.1} 千米，单位可能有误", extent / 1000.0);
        out.push(Problem::new("unit-odd", Warning, "", text, UNIT_ADVICE));
    } else {
        assumed_unit(scene, extent, out);
    }
    far_out(scene, bounds, out);
}

fn far_out(scene: &Scene, bounds: &Bounds, out: &mut Vec<Problem>) {
    let center = bounds.center();
    let distance = math::dot(center, center).sqrt();
    if distance <= 1000.0 || distance <= 20.0 * bounds.diagonal() {
        return;
    }
    let kilometres = distance / 1000.0;
    let place = center.map(|v| format!("{v:.3}")).join("，");
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let all = primitives.flat_map(|p| &p.positions).flatten();
    let reach = all
        .filter(|v| v.is_finite())
        .fold(0.0, |most: f32, v| most.max(v.abs()));
    let (severity, text) = if f64::from(reach) < FAR {
        let text = format!(
            "模型中心距原点 {kilometres:.1} 千米；形状按双精度读取，偏移量（中心 {place} 米）保留在上层节点中，本站显示不受影响"
        );
        (Info, text)
    } else {
        let step = f64::from(reach.next_up() - reach);
        let text = format!(
            "模型中心距原点 {kilometres:.1} 千米，而顶点是单精度数，相邻的值相差 {step:.3} 米：细小的形状可能已丢失，显示时可能抖动"
        );
        (Warning, text)
    };
    out.push(Problem::new(
        "far-from-origin",
        severity,
        "",
        text,
        "请把模型移到原点附近后导出（Blender：物体 > 设置原点 > 原点到几何中心，再按 Alt+G；3ds Max：层次面板“仅影响轴”居中到对象，再把移动工具的 X、Y、Z 归零；Maya：修改 > 居中枢轴，再按“修改 > 捕捉对齐”移回原点）；需要保留地理坐标的，请记下偏移量，或作为倾斜摄影上传",
    ));
}

fn tree(scene: &Scene, out: &mut Vec<Problem>) {
    if scene.nodes.len() > MANY_NODES {
        let text = format!(
            "节点有 {} 个，层级过于细碎会拖慢加载",
            grouped(scene.nodes.len())
        );
        out.push(Problem::new(
            "too-many-nodes",
            Warning,
            "",
            text,
            "请合并零碎的部件，并删除不需要的辅助物体",
        ));
    }
    let mut used: HashSet<u32> = scene
        .skins
        .iter()
        .flat_map(|s| s.joints.iter().copied())
        .collect();
    used.extend(
        scene
            .animations
            .iter()
            .flat_map(|a| &a.channels)
            .map(|c| c.node),
    );
    let (mut empty, mut flat) = (Tally::default(), Tally::default());
    for (i, node) in scene.nodes.iter().enumerate() {
        let carries = node.mesh.is_some() || node.light.is_some() || node.camera.is_some();
        let bare = !carries && node.children.is_empty() && !used.contains(&(i as u32));
        let place = || match node.name.as_str() {
            "" => format!("第 {} 个节点", i + 1),
            name => format!("节点 {name}"),
        };
        empty.add(usize::from(bare), 1, place);
        let gone = math::determinant(&node.transform.matrix()) == 0.0;
        flat.add(usize::from(gone && !used.contains(&(i as u32))), 1, place);
    }
    let text = format!("{} 个空节点，不含任何内容", grouped(empty.count));
    let advice = "不影响显示，可在建模软件中删除（空物体、辅助点、空组）";
    out.extend(empty.problem("empty-node", Info, text, advice));
    let text = format!("{} 个节点的缩放为 0，其中的内容看不见", grouped(flat.count));
    let advice = "请把缩放改回 1（Blender：按 N 在“条目”里改；3ds Max：缩放工具输入 100%；Maya：通道盒），不需要的请删除";
    out.extend(flat.problem("flattened-node", Warning, text, advice));
}
