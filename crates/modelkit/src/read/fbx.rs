//! FBX reader based on ufbx: Y up, metres, hidden parts left out, materials converted to PBR, skins, blend shapes,
//! clips baked to translation, rotation and scale.

mod beyond;
mod elements;
mod lost;
mod material;
mod mesh;
mod motion;
mod optics;
mod placing;
mod shapes;
mod skin;
mod surface;
mod take;
mod textures;
mod weights;

pub use elements::{Treatment, treatment};
pub use lost::Loss;
pub use surface::{CLASSIC, PHYSICAL, Slot, Use};
pub use ufbx::ElementType;

use super::encoding::{Encoding, Names};
use super::uv_binding::{self, UvBinding};
use super::{Input, origin};
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::scene::{Node, Problem, Severity, Transform, Units};
use crate::{Error, Result, Scene};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Index of a mesh and of its skin; `None` for a mesh without faces.
type Placed = Option<(u32, Option<u32>)>;

/// Element of the geometry, materials of the node, and the transform baked into the vertices.
type MeshKey = (u32, Vec<u32>, Option<[u64; 12]>);

/// State shared by the parts of the reader.
struct Reading<'a> {
    source: &'a ufbx::Scene,
    /// Of its names: FBX has no public specification; its SDK writes UTF-8, older exporters the system's code page.
    encoding: Encoding,
    scene: Scene,
    /// New node by ufbx `typed_id`.
    nodes: Vec<Option<u32>>,
    /// Meshes and skins by what they are made of.
    meshes: HashMap<MeshKey, Placed>,
    uv_binding: UvBinding,
    /// Materials of the file; those after are the same bound to other UV sets.
    materials: usize,
    /// What the positions of a mesh count from, if that is not zero.
    origins: HashMap<u32, [f64; 3]>,
    /// Blend channels of each new mesh, in target order.
    channels: HashMap<u32, Vec<shapes::Channel>>,
    vertices: usize,
    hidden: usize,
    first_hidden: String,
    /// Control points that follow more bones than are kept.
    dropped_weights: usize,
    /// Meshes with more UV sets than are read.
    uv_sets: usize,
    losses: lost::Losses,
    optics: optics::Optics,
}

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let memory = |bytes: usize| ufbx::AllocatorOpts {
        memory_limit: bytes,
        ..Default::default()
    };
    let options = ufbx::LoadOpts {
        temp_allocator: memory(4 << 30),
        result_allocator: memory(8 << 30),
        target_axes: ufbx::CoordinateAxes::right_handed_y_up(),
        // Of a left-handed file one axis is mirrored, not the upright one. Its faces are wound as seen in its own space,
        // so they look the same in ours.
        handedness_conversion_axis: ufbx::MirrorAxis::X,
        handedness_conversion_retain_winding: true,
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        // Baked by this reader: ufbx does not turn the faces that it mirrors.
        geometry_transform_handling: ufbx::GeometryTransformHandling::Preserve,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        generate_missing_normals: true,
        normalize_normals: true,
        clean_skin_weights: true,
        node_depth_limit: ctx.limits.depth as u32,
        // File names are resolved by the reader; the library must open nothing.
        load_external_files: false,
        // SAFETY: names may be in any code page, so strings are not text; they are read by `raw` only.
        allow_unsafe: unsafe { ufbx::Unsafe::new(true) },
        unicode_error_handling: ufbx::UnicodeErrorHandling::UnsafeIgnore,
        ..Default::default()
    };
    let root = ufbx::load_memory(input.bytes, options).map_err(|e| refusal(&e, input.bytes))?;
    ctx.report(Stage::Read, 0.4, "正在读取几何")?;
    let source: &ufbx::Scene = &root;
    Limits::check("节点", source.nodes.len(), ctx.limits.nodes)?;
    Limits::check("材质", source.materials.len(), ctx.limits.materials)?;
    let mut reading = Reading {
        source,
        encoding: encoding(source),
        scene: Scene {
            units: units(source),
            has_skeleton: !source.bones.is_empty(),
            ..Scene::default()
        },
        nodes: vec![None; source.nodes.len()],
        meshes: HashMap::new(),
        uv_binding: UvBinding::default(),
        materials: source.materials.len(),
        origins: HashMap::new(),
        channels: HashMap::new(),
        vertices: 0,
        hidden: 0,
        first_hidden: String::new(),
        dropped_weights: 0,
        uv_sets: 0,
        losses: lost::Losses::default(),
        optics: optics::Optics::default(),
    };
    material::read(&mut reading, input, ctx)?;
    reading.tree();
    reading.place_meshes(ctx)?;
    ctx.report(Stage::Read, 0.8, "正在读取动画")?;
    motion::read(&mut reading, ctx)?;
    reading.note_hidden();
    reading.note_weights();
    let dropped = uv_binding::dropped(reading.uv_sets);
    reading.scene.problems.extend(dropped);
    elements::lost(&mut reading);
    lost::warnings(&mut reading);
    std::mem::take(&mut reading.losses).tell(&mut reading.scene, lost::finding);
    origin::place(&mut reading.scene, &reading.origins);
    Ok(reading.scene)
}

/// The bytes of a string, which need not be UTF-8.
pub(super) fn raw(text: &ufbx::String) -> &[u8] {
    let text: &str = text;
    // SAFETY: pointer and length of a slice that lives as long as the scene. It is not used as text, which it may not
    // be.
    unsafe { std::slice::from_raw_parts(text.as_ptr(), text.len()) }
}

/// The bytes of a name: older exporters of Autodesk write each byte beyond ASCII, and blanks, as `FBXASC` and three
/// digits.
fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    const MARK: &[u8] = b"FBXASC";
    if !name.windows(MARK.len()).any(|part| part == MARK) {
        return Cow::Borrowed(name);
    }
    let (mut out, mut rest) = (Vec::with_capacity(name.len()), name);
    while let Some((&first, after)) = rest.split_first() {
        let digits = rest
            .strip_prefix(MARK)
            .and_then(|after| after.split_at_checked(3));
        let byte = digits.and_then(|(digits, after)| {
            let value = std::str::from_utf8(digits).ok()?.parse::<u8>().ok()?;
            Some((value, after))
        });
        let (byte, after) = byte.unwrap_or((first, after));
        out.push(byte);
        rest = after;
    }
    Cow::Owned(out)
}

/// The encoding of all names and file names.
fn encoding(source: &ufbx::Scene) -> Encoding {
    let mut names = Names::default();
    for element in &source.elements {
        names.add(&unescaped(raw(&element.name)));
    }
    for texture in &source.textures {
        for name in textures::file_names(texture) {
            names.add(name);
        }
    }
    names.encoding()
}

/// The version that a file states, as 7400 for 7.4.
fn version(bytes: &[u8]) -> Option<u32> {
    if bytes.starts_with(b"Kaydara FBX Binary") {
        let stated = bytes.get(23..27)?.try_into().ok()?;
        return Some(u32::from_le_bytes(stated));
    }
    // The library goes by the comment, too.
    let head = String::from_utf8_lossy(bytes.get(..256).unwrap_or(bytes));
    let (_, stated) = head.split_once("; FBX ")?;
    let mut numbers = stated.split(['.', ' ', '\n', '\r']);
    let mut next = || numbers.next()?.parse::<u32>().ok().filter(|n| *n < 100);
    Some(next()? * 1000 + next()? * 100)
}

fn refusal(error: &ufbx::Error, bytes: &[u8]) -> Error {
    match error.type_ {
        ufbx::ErrorType::UnsupportedVersion if version(bytes).is_some_and(|v| v >= 7000) => {
            let stated = f64::from(version(bytes).unwrap_or(0)) / 1000.0;
            Error::unsupported(format!(
                "暂不支持 FBX {stated:.1} 版本，请在导出时选择 FBX 2014–2020 版本"
            ))
        }
        ufbx::ErrorType::MemoryLimit
        | ufbx::ErrorType::AllocationLimit
        | ufbx::ErrorType::OutOfMemory => {
            Error::TooLarge("FBX 文件展开后超出内存上限，请拆分模型后上传".into())
        }
        ufbx::ErrorType::UnsupportedVersion => {
            Error::unsupported("FBX 版本过旧，请用 FBX 2010 以上版本重新导出")
        }
        ufbx::ErrorType::TruncatedFile | ufbx::ErrorType::EmptyFile | ufbx::ErrorType::Io => {
            Error::corrupt("FBX 文件不完整（可能上传或导出中断），请重新导出后上传")
        }
        ufbx::ErrorType::NodeDepthLimit => {
            Error::corrupt("FBX 的节点层级过深，请合并层级后重新导出")
        }
        _ => Error::corrupt(
            "FBX 文件无法解析，可能已损坏，请重新导出（建议 FBX 2014 以上二进制格式）",
        ),
    }
}

fn units(source: &ufbx::Scene) -> Units {
    let settings = &source.settings;
    // What the numbers of the file are in; the program's own unit is another setting.
    let stated = ufbx::find_prop(&settings.props, "UnitScaleFactor");
    let stated = stated.map_or(1.0, |prop| prop.value_vec4.x) / 100.0;
    // Numbers without a unit stay as they are.
    let meters = match stated.is_finite() && stated > 0.0 {
        true => stated,
        false => 1.0,
    };
    let known = [
        (0.001, "mm"),
        (0.01, "cm"),
        (0.1, "dm"),
        (1.0, "m"),
        (1000.0, "km"),
        (0.0254, "in"),
        (0.3048, "ft"),
        (0.9144, "yd"),
    ];
    let name = known
        .iter()
        .find(|(m, _)| (meters / m - 1.0).abs() < 1e-3)
        .map(|(_, n)| (*n).to_owned());
    let axis = |name: &str| {
        let prop = ufbx::find_prop(&settings.props, name)?;
        Some(prop.value_int).filter(|axis| (0..=2).contains(axis))
    };
    let up = match axis("OriginalUpAxis").or_else(|| axis("UpAxis")) {
        Some(0) => "X",
        Some(2) => "Z",
        _ => "Y",
    };
    Units {
        source: name.unwrap_or_else(|| format!("{meters} m")),
        meters_per_unit: meters,
        up_axis: up.into(),
    }
}

pub(super) fn vec3(v: ufbx::Vec3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

pub(super) fn quat(q: ufbx::Quat) -> [f32; 4] {
    [q.x as f32, q.y as f32, q.z as f32, q.w as f32]
}

fn transform(t: &ufbx::Transform) -> Transform {
    Transform::Trs {
        translation: [t.translation.x, t.translation.y, t.translation.z],
        rotation: quat(t.rotation),
        scale: vec3(t.scale),
    }
}

impl Reading<'_> {
    /// The name of an object.
    fn name(&self, element: &ufbx::Element) -> String {
        self.encoding.name(&unescaped(raw(&element.name)))
    }

    /// Copies the node tree. The FBX root is kept only if it has a transform.
    fn tree(&mut self) {
        let source = self.source;
        let root: &ufbx::Node = &source.root_node;
        let keep_root = !transform(&root.local_transform).is_identity();
        let mut stack: Vec<(&ufbx::Node, Option<u32>)> = Vec::new();
        if keep_root {
            stack.push((root, None));
        } else {
            stack.extend(root.children.iter().rev().map(|c| (c.as_ref(), None)));
        }
        while let Some((node, parent)) = stack.pop() {
            let slot = node.element.typed_id as usize;
            if self.nodes.get(slot).is_none_or(Option::is_some) {
                continue;
            }
            let name = if node.is_root {
                "Root".to_owned()
            } else {
                self.name(&node.element)
            };
            let new = Node {
                name,
                transform: transform(&node.local_transform),
                ..Node::default()
            };
            let new = self.scene.add_node(new, parent);
            self.nodes[slot] = Some(new);
            stack.extend(node.children.iter().rev().map(|c| (c.as_ref(), Some(new))));
        }
    }

    /// Assigns geometry to nodes; hidden nodes stay (they may be bones) but draw nothing.
    fn place_meshes(&mut self, ctx: &Ctx) -> Result<()> {
        let source = self.source;
        let mut hidden = vec![false; source.nodes.len()];
        let layers = source.display_layers.iter().filter(|layer| !layer.visible);
        let switched_off: HashSet<u32> = layers
            .flat_map(|layer| layer.nodes.iter().map(|n| n.element.element_id))
            .collect();
        let total = source.nodes.len().max(1);
        for (i, node) in source.nodes.iter().enumerate() {
            if i % 32 == 0 {
                ctx.report(
                    Stage::Read,
                    0.4 + 0.4 * i as f64 / total as f64,
                    "正在读取几何",
                )?;
            }
            // ufbx lists parents before children.
            let above = node
                .parent
                .as_ref()
                .is_some_and(|p| hidden.get(p.element.typed_id as usize) == Some(&true));
            let slot = node.element.typed_id as usize;
            let off = switched_off.contains(&node.element.element_id);
            let now = (above && inherits(node)) || is_off(node) || off || lower_lod(node);
            if let Some(flag) = hidden.get_mut(slot) {
                *flag = now;
            }
            let Some(new) = self.nodes.get(slot).copied().flatten() else {
                continue;
            };
            let now = now || is_unshown(node);
            for attribute in &node.all_attribs {
                self.attribute(attribute, node, new, now, ctx)?;
            }
        }
        Ok(())
    }

    /// Assigns an attribute's geometry to the new node, or to a child of it if that has one already.
    fn attribute(
        &mut self,
        attribute: &ufbx::Element,
        node: &ufbx::Node,
        new: u32,
        hidden: bool,
        ctx: &Ctx,
    ) -> Result<()> {
        use ufbx::ElementType::{LineCurve, Mesh, NurbsSurface};
        if hidden {
            if matches!(attribute.type_, Mesh | NurbsSurface | LineCurve) {
                if self.hidden == 0 {
                    self.first_hidden = self.name(&node.element);
                }
                self.hidden += 1;
            }
            return Ok(());
        }
        match attribute.as_data() {
            ufbx::ElementData::Light(light) => self.light(light, node),
            ufbx::ElementData::Camera(camera) => self.camera(camera, node, new),
            _ => {}
        }
        let Some((mesh, skin)) = self.geometry(attribute, node, ctx)? else {
            return Ok(());
        };
        let mut target = new;
        if self.scene.nodes[new as usize].mesh.is_some() {
            Limits::check("节点", self.scene.nodes.len(), ctx.limits.nodes)?;
            let name = self.name(&node.element);
            let child = Node {
                name,
                ..Node::default()
            };
            target = self.scene.add_node(child, Some(new));
        }
        let target = &mut self.scene.nodes[target as usize];
        target.mesh = Some(mesh);
        target.skin = skin;
        Ok(())
    }

    fn note_weights(&mut self) {
        if self.dropped_weights > 0 {
            self.scene.note(Problem::new(
                "weights-dropped",
                Severity::Warning,
                "",
                format!(
                    "{} 个顶点受 16 根以上骨骼影响，只保留了权重最大的 16 根",
                    self.dropped_weights
                ),
                "如动作有差异，请在建模软件中限制每个顶点的骨骼数后重新导出",
            ));
        }
    }

    fn note_hidden(&mut self) {
        if self.hidden == 0 {
            return;
        }
        self.scene.note(Problem::new(
            "hidden-skipped",
            Severity::Info,
            format!("节点 {}", self.first_hidden),
            format!("{} 个隐藏或低细节层次的网格未导入", self.hidden),
            "如需显示，请在建模软件中取消隐藏后重新导出",
        ));
    }
}

/// Whether what hides the parent hides a node.
fn inherits(node: &ufbx::Node) -> bool {
    let own = ufbx::find_prop(&node.element.props, "Visibility Inheritance");
    own.is_none_or(|prop| prop.value_int != 0)
}

/// Whether a node's visibility is zero, which its children may inherit. Files before version 6 have it in percent, of
/// which the library's own answer knows whole numbers only.
fn is_off(node: &ufbx::Node) -> bool {
    let own = ufbx::find_prop(&node.element.props, "Visibility");
    let any = |prop: &ufbx::Prop| prop.value_int != 0 || prop.value_vec4.x != 0.0;
    !own.map_or(node.visible, any)
}

/// Whether what a node shows itself is off: 3ds Max hides objects so.
fn is_unshown(node: &ufbx::Node) -> bool {
    let own = ufbx::find_prop(&node.element.props, "Show");
    own.is_some_and(|prop| prop.value_int == 0)
}

/// Whether a node is a level of detail after the first; those are not shown.
fn lower_lod(node: &ufbx::Node) -> bool {
    let Some(parent) = &node.parent else {
        return false;
    };
    let is_group = parent
        .attrib
        .as_ref()
        .is_some_and(|a| a.type_ == ufbx::ElementType::LodGroup);
    let first = parent.children.iter().next();
    is_group && first.is_some_and(|f| f.element.typed_id != node.element.typed_id)
}
