//! Collada reader (DAE 1.4 and 1.5): meshes, materials, the tree with its instances, cameras, skins, morphs, and clips
//! that animate node transforms and weights of morphs.
//! The file's unit and up axis become one node above all others, so that skins and clips stay unchanged.

mod camera;
mod controller;
mod corners;
mod curve;
mod extra;
mod geometry;
mod lost;
mod material;
mod motion;
mod nodes;
mod placing;
mod schema;
mod skin;
mod source;
mod vertices;
mod xml;

pub use extra::KNOWN as EXTRAS;
pub use lost::{Loss, Treatment};
pub use schema::CONTENTS;

use super::uv_binding::{self, UvBinding};
use super::{Input, encoding, origin, polygon};
use crate::progress::Stage;
use crate::scene::{Problem, Severity, Units};
use crate::{Ctx, Error, Result, Scene};
use roxmltree::{Document, ParsingOptions};
use std::collections::{HashMap, HashSet};
use xml::{Ids, Xml, child, content};

/// Most XML nodes of a file.
const MOST_NODES: u32 = 20_000_000;

/// State shared by the parts of the reader.
struct Reading<'a> {
    ids: Ids<'a>,
    scene: Scene,
    /// Index of each `<material>` by id.
    materials: HashMap<&'a str, u32>,
    uv_binding: UvBinding,
    /// What the positions of a mesh count from, if that is not zero.
    origins: HashMap<u32, [f64; 3]>,
    geometries: HashMap<&'a str, geometry::Geometry<'a>>,
    /// Meshes by geometry and materials; skinned ones are not shared.
    meshes: HashMap<(&'a str, Vec<Option<u32>>), u32>,
    /// The same of controllers that change shapes.
    morphed: HashMap<(roxmltree::NodeId, Vec<Option<u32>>), u32>,
    /// Scene nodes that show a morph, by the source of its weights.
    weights: HashMap<roxmltree::NodeId, Vec<u32>>,
    /// Scene nodes of each `<node>`, the first instance first.
    placed: HashMap<roxmltree::NodeId, Vec<u32>>,
    skinned: Vec<skin::Pending<'a>>,
    /// The node that turns and scales the document, if one does.
    top: Option<u32>,
    /// Scene nodes that get a skinned mesh.
    reserved: HashSet<u32>,
    /// Something was left out because it is hidden.
    hid: bool,
    counts: Counts,
}

/// What was read and what was lost so far.
#[derive(Default)]
struct Counts {
    vertices: usize,
    losses: lost::Losses,
    /// Holes in polygons that could not be cut out.
    holes: usize,
    /// Polygons that could not be cut exactly.
    given_up: usize,
    /// Groups of polygons with more UV sets than are read.
    uv_sets: usize,
}

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let text = encoding::xml(input.bytes);
    // A document type alone is harmless (XML 1.0, 2.8); entities can grow without bound.
    let has_entities = text.contains("<!ENTITY");
    let options = ParsingOptions {
        allow_dtd: !has_entities,
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(&text, options).map_err(|e| match e {
        roxmltree::Error::DtdDetected => Error::unsupported(
            "DAE 文件里有实体定义（<!ENTITY>），出于安全不予读取，请去掉后重新上传",
        ),
        e => Error::corrupt(format!(
            "DAE 的 XML 无法解析（第 {} 行），请重新导出后上传",
            e.pos().row
        )),
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(Error::corrupt(
            "DAE 文件里没有 COLLADA 数据，请重新导出后上传",
        ));
    }
    let mut reading = Reading {
        ids: xml::ids(root),
        scene: Scene {
            name: super::obj::stem(input.name),
            ..Scene::default()
        },
        materials: HashMap::new(),
        uv_binding: UvBinding::default(),
        origins: HashMap::new(),
        geometries: HashMap::new(),
        meshes: HashMap::new(),
        morphed: HashMap::new(),
        weights: HashMap::new(),
        placed: HashMap::new(),
        skinned: Vec::new(),
        top: None,
        reserved: HashSet::new(),
        hid: false,
        counts: Counts::default(),
    };
    ctx.report(Stage::Read, 0.3, "正在读取材质和贴图")?;
    reading.materials(root, input, ctx)?;
    ctx.report(Stage::Read, 0.5, "正在读取几何")?;
    reading.top = reading.upright(root);
    reading.tree(root, reading.top, ctx)?;
    reading.skins(ctx)?;
    reading.clip(root, ctx)?;
    schema::walk(root, &mut reading.counts);
    reading.note_losses();
    origin::place(&mut reading.scene, &reading.origins);
    Ok(reading.scene)
}

impl<'a> Reading<'a> {
    /// Reads unit and up axis; adds the node that rotates and scales, if needed.
    fn upright(&mut self, root: Xml<'a>) -> Option<u32> {
        let asset = child(root, "asset");
        let unit = asset.and_then(|a| child(a, "unit"));
        let metres = unit
            .and_then(|u| u.attribute("meter"))
            .and_then(|m| m.trim().parse::<f64>().ok())
            .filter(|m| m.is_finite() && *m > 0.0);
        let axis = asset.and_then(|a| child(a, "up_axis"));
        let axis = axis.and_then(content).unwrap_or("Y_UP");
        self.scene.units = Units {
            source: match (unit.and_then(|u| u.attribute("name")), metres) {
                (Some(name), Some(_)) => name.chars().take(20).collect(),
                (None, Some(_)) => "m".to_owned(),
                _ => "unknown(m assumed)".to_owned(),
            },
            meters_per_unit: metres.unwrap_or(1.0),
            up_axis: axis.chars().take(1).collect(),
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let rotation = match axis {
            "Z_UP" => [-half, 0.0, 0.0, half],
            "X_UP" => [0.0, 0.0, half, half],
            _ => [0.0, 0.0, 0.0, 1.0],
        };
        let scale = metres.unwrap_or(1.0) as f32;
        if scale == 1.0 && rotation[3] == 1.0 {
            return None;
        }
        let node = crate::scene::Node {
            name: "up".to_owned(),
            transform: crate::scene::Transform::Trs {
                translation: [0.0; 3],
                rotation,
                scale: [scale; 3],
            },
            ..crate::scene::Node::default()
        };
        Some(self.scene.add_node(node, None))
    }

    fn note_losses(&mut self) {
        let counts = std::mem::take(&mut self.counts);
        self.scene
            .problems
            .extend(polygon::problem(counts.given_up));
        self.scene
            .problems
            .extend(uv_binding::dropped(counts.uv_sets));
        if counts.holes > 0 {
            self.scene.note(Problem::new(
                "polygon-holes",
                Severity::Warning,
                "",
                format!("有 {} 个多边形上的孔未保留，显示为填满", counts.holes),
                "请在建模软件中先转为三角面，再重新导出",
            ));
        }
        counts.losses.tell(&mut self.scene, lost::finding);
    }
}
