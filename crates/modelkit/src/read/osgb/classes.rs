//! Objects of the graph, and the nodes among them. The order of fields follows OpenSceneGraph's serializers; a number
//! beside a field is the file version that added or removed it.

use super::array::{Array, Draw, is_array};
use super::lost::Loss;
use super::model::{Kind, Lod, Model, Node};
use super::stream::{File, Stream, broken};
use crate::read::encoding::Encoding;
use crate::scene::math::compose;
use crate::{Error, Result};
use std::collections::HashMap;

/// The object behind an id.
#[derive(Clone)]
pub(super) enum Object {
    Nothing,
    Node(usize),
    Geometry(usize),
    State(usize),
    Material(usize),
    Texture(usize),
    Picture(usize),
    Array(usize),
    Draw(usize),
    CullFront(bool),
    /// The alpha below which nothing is drawn.
    Cutoff(f32),
    Clockwise(bool),
}

pub(super) struct Parser<'a> {
    pub s: Stream<'a>,
    pub model: Model<'a>,
    pub objects: HashMap<u32, Object>,
    pub arrays: Vec<Array>,
    /// Arrays have a numbering of their own in files before version 112.
    pub numbered: HashMap<u32, usize>,
    pub draws: Vec<Draw>,
    pub most_indices: usize,
}

/// Reads the graph of an opened file; again, if its names turn out not to be UTF-8.
pub fn parse<'a>(file: &'a File<'a>, most_indices: usize) -> Result<Model<'a>> {
    let (model, encoding) = parse_as(file, Encoding::UTF8, most_indices)?;
    if encoding == Encoding::UTF8 {
        return Ok(model);
    }
    parse_as(file, encoding, most_indices).map(|(model, _)| model)
}

/// Reads with names in `encoding`; returns the one that they are in.
fn parse_as<'a>(
    file: &'a File<'a>,
    encoding: Encoding,
    most_indices: usize,
) -> Result<(Model<'a>, Encoding)> {
    let mut parser = Parser {
        s: file.stream(encoding),
        model: Model::default(),
        objects: HashMap::new(),
        arrays: Vec::new(),
        numbered: HashMap::new(),
        draws: Vec::new(),
        // Draws may repeat vertices without an index list, hence a bound by the file's size.
        most_indices: most_indices.min(file.length().saturating_mul(16)),
    };
    let root = parser.object()?;
    let found = parser.s.names.encoding();
    let mut model = parser.model;
    model.root = match root {
        Object::Node(node) => Some(node),
        // A lone drawable is no scene graph, but it can be shown.
        Object::Geometry(geometry) => {
            model.nodes.push(Node {
                kind: Kind::Geode(vec![geometry]),
                ..Node::default()
            });
            Some(model.nodes.len() - 1)
        }
        _ => None,
    };
    Ok((model, found))
}

impl Parser<'_> {
    /// One object with its class name, or a reference to an earlier one.
    pub fn object(&mut self) -> Result<Object> {
        let class = self.s.string()?;
        if class == "NULL" {
            return Ok(Object::Nothing);
        }
        self.s.open()?;
        let id = self.s.u32()?;
        let known = self.objects.get(&id).cloned();
        let object = match known {
            Some(object) => object,
            None => {
                let object = self.fields(&class, id)?;
                self.objects.insert(id, object.clone());
                object
            }
        };
        self.s.skip_to_close();
        Ok(object)
    }

    /// An object preceded by a presence flag.
    pub fn maybe_object(&mut self) -> Result<Object> {
        match self.s.bool()? {
            true => self.object(),
            false => Ok(Object::Nothing),
        }
    }

    pub fn maybe_objects(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            self.maybe_object()?;
        }
        Ok(())
    }

    fn fields(&mut self, class: &str, id: u32) -> Result<Object> {
        if let Some(object) = self.node(class, id)? {
            return Ok(object);
        }
        match class {
            "osg::Geometry" => return self.geometry(),
            "osg::DrawArrays" => return self.draw(50),
            "osg::DrawArrayLengths" => return self.draw(51),
            "osg::DrawElementsUByte" => return self.draw(52),
            "osg::DrawElementsUShort" => return self.draw(53),
            "osg::DrawElementsUInt" => return self.draw(54),
            _ => {}
        }
        if is_array(class) {
            return self.array_object(class);
        }
        if let Some(object) = self.state_object(class)? {
            return Ok(object);
        }
        self.unknown(class)
    }

    /// An unsupported class: skipped if the file has brackets.
    fn unknown(&mut self, class: &str) -> Result<Object> {
        let shown: String = class
            .chars()
            .filter(|c| c.is_alphanumeric() || *c == ':')
            .take(40)
            .collect();
        if !self.s.can_skip() {
            return Err(Error::unsupported(format!(
                "OSGB 文件含有无法读取的对象 {shown}，请去掉特效后重新导出"
            )));
        }
        self.lose(Loss::Class, &shown);
        Ok(Object::Nothing)
    }

    /// Fields of `osg::Object`: the name.
    pub fn base(&mut self) -> Result<String> {
        let name = self.s.string()?;
        self.s.i32()?;
        if self.s.version < 77 {
            if self.s.bool()? {
                self.s.open()?;
                self.object()?;
                self.s.close();
            }
        } else {
            self.maybe_object()?;
        }
        Ok(name)
    }

    pub fn lose(&mut self, loss: Loss, what: &str) {
        self.model.losses.add(loss, ("", "", 0), what);
    }

    /// Fields of `osg::Node`: the state set, and whether anything of it is drawn.
    pub fn node_base(&mut self) -> Result<(Option<usize>, bool)> {
        if self.s.bool()? {
            self.s.open()?;
            self.s.doubles::<4>()?;
            self.s.close();
        }
        self.maybe_objects(4)?;
        self.s.bool()?;
        // Nodes without any bit are in no view.
        let shown = self.s.u32()? != 0;
        if self.s.version < 77 && self.s.bool()? {
            self.strings()?;
        }
        let state = match self.maybe_object()? {
            Object::State(state) => Some(state),
            _ => None,
        };
        Ok((state, shown))
    }

    pub fn strings(&mut self) -> Result<Vec<String>> {
        let count = self.s.count(4)?;
        self.s.open()?;
        let list: Result<Vec<String>> = (0..count).map(|_| self.s.string()).collect();
        self.s.close();
        list
    }

    fn node(&mut self, class: &str, id: u32) -> Result<Option<Object>> {
        const NODES: &[&str] = &[
            "osg::Node",
            "osg::Group",
            "osg::LOD",
            "osg::PagedLOD",
            "osg::ProxyNode",
            "osg::Geode",
            "osg::Transform",
            "osg::MatrixTransform",
            "osg::PositionAttitudeTransform",
            "osg::Switch",
            "osg::CoordinateSystemNode",
        ];
        if !NODES.contains(&class) {
            return Ok(None);
        }
        let index = self.model.nodes.len();
        self.model.nodes.push(Node::default());
        // Registered before its children are read: they may refer to it.
        self.objects.insert(id, Object::Node(index));
        self.base()?;
        let (state, shown) = self.node_base()?;
        let mut children = Vec::new();
        if !matches!(
            class,
            "osg::Node" | "osg::PagedLOD" | "osg::ProxyNode" | "osg::Geode"
        ) {
            children = self.flagged_children()?;
        }
        let kind = match class {
            "osg::Geode" => Kind::Geode(self.drawables()?),
            "osg::LOD" => Kind::Lod(self.lod()?),
            "osg::PagedLOD" => {
                let lod = self.lod()?;
                Kind::Lod(self.paged(lod, &mut children)?)
            }
            "osg::ProxyNode" => Kind::Lod(self.proxy(&mut children)?),
            "osg::Transform" | "osg::MatrixTransform" | "osg::PositionAttitudeTransform" => {
                self.transform(class)?
            }
            "osg::Switch" => {
                self.s.bool()?;
                let count = self.s.count(1)?;
                let shown = self.s.take(count)?.to_vec();
                let all = children.len();
                let mut at = 0;
                children.retain(|_| {
                    at += 1;
                    shown.get(at - 1) != Some(&0)
                });
                for _ in children.len()..all {
                    self.lose(Loss::Hidden, "");
                }
                Kind::Group
            }
            "osg::CoordinateSystemNode" => {
                self.s.string()?;
                self.s.string()?;
                self.maybe_object()?;
                Kind::Group
            }
            _ => Kind::Group,
        };
        let holds = !children.is_empty() || matches!(&kind, Kind::Geode(list) if !list.is_empty());
        let node = match shown || !holds {
            true => Node {
                children,
                state,
                kind,
            },
            false => {
                self.lose(Loss::Hidden, "");
                Node::default()
            }
        };
        self.model.nodes[index] = node;
        Ok(Some(Object::Node(index)))
    }

    fn flagged_children(&mut self) -> Result<Vec<usize>> {
        match self.s.bool()? {
            true => self.children(true),
            false => Ok(Vec::new()),
        }
    }

    /// A counted list of nodes; some lists have no brackets when empty.
    fn children(&mut self, always_bracketed: bool) -> Result<Vec<usize>> {
        let count = self.s.count(4)?;
        let mut list = Vec::new();
        if count == 0 && !always_bracketed {
            return Ok(list);
        }
        self.s.open()?;
        for _ in 0..count {
            if let Object::Node(node) = self.object()? {
                list.push(node);
            }
        }
        self.s.close();
        Ok(list)
    }

    fn drawables(&mut self) -> Result<Vec<usize>> {
        let mut list = Vec::new();
        if !self.s.bool()? {
            return Ok(list);
        }
        let count = self.s.count(4)?;
        self.s.open()?;
        for _ in 0..count {
            if let Object::Geometry(geometry) = self.object()? {
                list.push(geometry);
            }
        }
        self.s.close();
        Ok(list)
    }

    fn transform(&mut self, class: &str) -> Result<Kind> {
        self.s.i32()?;
        let matrix = match class {
            "osg::MatrixTransform" => {
                self.s.open()?;
                // A row-major matrix for row vectors: the same memory layout as column-major for column vectors.
                let matrix = self.s.doubles::<16>()?;
                self.s.close();
                matrix
            }
            "osg::PositionAttitudeTransform" => {
                let position = self.s.doubles::<3>()?;
                let attitude = self.s.doubles::<4>()?;
                let scale = self.s.doubles::<3>()?;
                let pivot = self.s.doubles::<3>()?;
                let mut matrix = compose(position, attitude, scale);
                let moved: [f64; 3] =
                    std::array::from_fn(|row| (0..3).map(|k| matrix[k * 4 + row] * pivot[k]).sum());
                for axis in 0..3 {
                    matrix[12 + axis] -= moved[axis];
                }
                matrix
            }
            _ => return Ok(Kind::Group),
        };
        match matrix.iter().all(|v| v.is_finite()) {
            true => Ok(Kind::Transform(Box::new(matrix))),
            false => Err(broken()),
        }
    }

    fn lod(&mut self) -> Result<Lod> {
        let mut lod = Lod::default();
        self.s.i32()?;
        if self.s.bool()? {
            lod.radius = Some(self.s.doubles::<4>()?[3]).filter(|r| r.is_finite() && *r > 0.0);
        }
        lod.pixels = self.s.i32()? == 1;
        if self.s.bool()? {
            let count = self.s.count(8)?;
            self.s.open()?;
            for _ in 0..count {
                lod.ranges.push(self.s.floats()?);
            }
            self.s.close();
        }
        Ok(lod)
    }

    fn paged(&mut self, mut lod: Lod, children: &mut Vec<usize>) -> Result<Lod> {
        // The path on the author's machine is of no use.
        if self.s.bool()? && self.s.bool()? {
            self.s.string()?;
        }
        if self.s.version < 70 {
            self.s.u32()?;
        }
        self.s.u32()?;
        self.s.bool()?;
        if self.s.bool()? {
            lod.files = self.strings()?;
            let count = self.s.count(8)?;
            self.s.open()?;
            self.s.take(count * 8)?;
            self.s.close();
        }
        if self.s.bool()? {
            *children = self.children(false)?;
        }
        Ok(lod)
    }

    fn proxy(&mut self, children: &mut Vec<usize>) -> Result<Lod> {
        let mut lod = Lod::default();
        if self.s.bool()? {
            lod.files = self.strings()?;
        }
        if self.s.bool()? {
            *children = self.children(false)?;
        }
        self.s.string()?;
        self.s.i32()?;
        self.s.i32()?;
        if self.s.bool()? {
            self.s.doubles::<4>()?;
        }
        Ok(lod)
    }
}
