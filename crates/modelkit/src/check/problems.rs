//! Findings, one a kind, with the number of places and the first of them.

use super::edges;
use super::report::grouped;
use crate::Result;
use crate::progress::{Ctx, Stage};
use crate::scene::{Bounds, Mode, Primitive, Problem, Scene, Severity, math};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Counts a kind of finding over many places.
#[derive(Default)]
struct Tally {
    places: usize,
    count: usize,
    first: String,
}

impl Tally {
    fn add(&mut self, count: usize, place: impl FnOnce() -> String) {
        if count == 0 {
            return;
        }
        if self.places == 0 {
            self.first = place();
        }
        self.places += 1;
        self.count += count;
    }

    fn place(&self) -> String {
        if self.places > 1 {
            format!("{} 等 {} 处", self.first, self.places)
        } else {
            self.first.clone()
        }
    }
}

use Severity::{Info, Warning};

pub fn find(scene: &Scene, bounds: &Bounds, ctx: &Ctx) -> Result<Vec<Problem>> {
    let mut out = Vec::new();
    geometry(scene, &mut out, ctx)?;
    textures(scene, &mut out);
    size(bounds, &mut out);
    tree(scene, &mut out);
    Ok(out)
}

fn geometry(scene: &Scene, out: &mut Vec<Problem>, ctx: &Ctx) -> Result<()> {
    let mut tally: HashMap<&'static str, Tally> = HashMap::new();
    let mut add = |code: &'static str, count: usize, name: &str| {
        tally
            .entry(code)
            .or_default()
            .add(count, || format!("网格 {name}"));
    };
    let mut seen: HashSet<u64> = HashSet::new();
    let total = scene.meshes.len().max(1);
    for (i, mesh) in scene.meshes.iter().enumerate() {
        if i % 16 == 0 {
            ctx.report(
                Stage::Check,
                0.3 + 0.6 * i as f64 / total as f64,
                "正在检查几何",
            )?;
        }
        for p in &mesh.primitives {
            add("degenerate-triangles", degenerate(p), &mesh.name);
            add("unreferenced-vertices", unreferenced(p), &mesh.name);
            add(
                "no-normals",
                usize::from(p.normals.is_empty() && p.mode == Mode::Triangles),
                &mesh.name,
            );
            let edges = edges::examine(p);
            add("non-manifold", edges.non_manifold, &mesh.name);
            add("mixed-winding", edges.flipped, &mesh.name);
            let textured = p.material.and_then(|m| scene.materials.get(m as usize));
            let textured = textured.is_some_and(|m| !m.texture_uses().is_empty());
            add(
                "no-uv-but-texture",
                usize::from(textured && p.uvs.is_empty()),
                &mesh.name,
            );
            add(
                "duplicate-geometry",
                usize::from(!seen.insert(content_hash(p))),
                &mesh.name,
            );
        }
    }
    for (code, severity, unit, text, advice) in GEOMETRY {
        if let Some(found) = tally.get(code).filter(|t| t.count > 0) {
            let message = format!("{} {unit}{text}", grouped(found.count));
            out.push(Problem::new(code, severity, found.place(), message, advice));
        }
    }
    Ok(())
}

/// `(code, severity, unit, wording, advice)`.
const GEOMETRY: [(&str, Severity, &str, &str, &str); 7] = [
    (
        "degenerate-triangles",
        Info,
        "个",
        "三角形面积为零",
        "轻量化时会自动清除",
    ),
    (
        "unreferenced-vertices",
        Info,
        "个",
        "顶点没有被任何面使用",
        "轻量化时会自动清除",
    ),
    (
        "no-normals",
        Info,
        "处",
        "网格没有法线，按面自动计算",
        "如需平滑外观，请在导出时勾选法线",
    ),
    (
        "non-manifold",
        Info,
        "条",
        "边连接了三个以上的面",
        "如需 3D 打印或布尔运算，请先在建模软件中修复",
    ),
    (
        "mixed-winding",
        Warning,
        "条",
        "边两侧的面朝向相反，可能出现破面",
        "请在建模软件中统一面的朝向，或把材质设为双面",
    ),
    (
        "no-uv-but-texture",
        Warning,
        "处",
        "网格用了贴图但没有 UV，贴图无法显示",
        "请在建模软件中展开 UV 后重新导出",
    ),
    (
        "duplicate-geometry",
        Info,
        "处",
        "网格内容与其他网格完全相同",
        "轻量化时会自动合并为实例",
    ),
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
        let normal = math::cross(math::sub(b, a), math::sub(c, a));
        count += usize::from(normal == [0.0; 3]);
    }
    count
}

fn unreferenced(p: &Primitive) -> usize {
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

fn textures(scene: &Scene, out: &mut Vec<Problem>) {
    let (mut huge, mut odd) = (Tally::default(), Tally::default());
    for image in &scene.images {
        let place = || format!("贴图 {}", image.name);
        huge.add(usize::from(image.width.max(image.height) > 4096), place);
        let power = image.width.is_power_of_two() && image.height.is_power_of_two();
        odd.add(usize::from(!power), place);
    }
    if huge.count > 0 {
        let text = format!("{} 张贴图超过 4096 像素，手机上可能无法显示", huge.count);
        out.push(Problem::new(
            "huge-texture",
            Warning,
            huge.place(),
            text,
            "轻量化时把贴图限制在 2048 或 4096",
        ));
    }
    if odd.count > 0 {
        let text = format!("{} 张贴图的边长不是 2 的幂", odd.count);
        let advice = "不影响显示;如需最佳性能，可改为 512、1024、2048 等尺寸";
        out.push(Problem::new(
            "non-power-of-two",
            Info,
            odd.place(),
            text,
            advice,
        ));
    }
    if scene.materials.len() > 200 {
        let text = format!(
            "材质有 {} 个，会增加绘制次数",
            grouped(scene.materials.len())
        );
        out.push(Problem::new(
            "too-many-materials",
            Warning,
            "",
            text,
            "请在建模软件中合并相同的材质",
        ));
    }
}

fn size(bounds: &Bounds, out: &mut Vec<Problem>) {
    if bounds.is_empty() {
        return;
    }
    let extent = bounds.size().into_iter().fold(0.0, f64::max);
    if extent < 0.001 {
        let text = format!("模型最长边只有 {:.4} 毫米，单位可能有误", extent * 1000.0);
        out.push(Problem::new(
            "unit-odd",
            Warning,
            "",
            text,
            "请确认导出时的单位设置",
        ));
    } else if extent > 10_000.0 {
        let text = format!("模型最长边有 {:.1} 千米，单位可能有误", extent / 1000.0);
        out.push(Problem::new(
            "unit-odd",
            Warning,
            "",
            text,
            "请确认导出时的单位设置",
        ));
    }
    let center = bounds.center();
    let distance = math::dot(center, center).sqrt();
    if distance > 1000.0 && distance > 20.0 * bounds.diagonal() {
        let text = format!(
            "模型中心距原点 {:.1} 千米，显示时可能抖动",
            distance / 1000.0
        );
        out.push(Problem::new(
            "far-from-origin",
            Warning,
            "",
            text,
            "请在建模软件中把模型移到原点附近后导出",
        ));
    }
}

fn tree(scene: &Scene, out: &mut Vec<Problem>) {
    if scene.nodes.len() > 5000 {
        let text = format!(
            "节点有 {} 个，层级过于细碎会拖慢加载",
            grouped(scene.nodes.len())
        );
        out.push(Problem::new(
            "too-many-nodes",
            Warning,
            "",
            text,
            "请在建模软件中合并零碎的部件",
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
    let mut empty = Tally::default();
    for (i, node) in scene.nodes.iter().enumerate() {
        let carries = node.mesh.is_some() || node.light.is_some() || node.camera.is_some();
        let bare = !carries && node.children.is_empty() && !used.contains(&(i as u32));
        empty.add(usize::from(bare), || format!("节点 {}", node.name));
    }
    if empty.count > 0 {
        let text = format!("{} 个空节点", grouped(empty.count));
        out.push(Problem::new(
            "empty-node",
            Info,
            empty.place(),
            text,
            "不影响显示，可在建模软件中删除",
        ));
    }
}
