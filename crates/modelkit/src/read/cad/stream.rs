//! The stream written by `modelkit-cad`, specified in `cad/stream.hpp`. A child compromised by a hostile file may have
//! written it, so no count in it is trusted.

use super::step::Triangles;
use crate::limits::Limits;
use crate::progress::{Ctx, Stage};
use crate::read::encoding::Encoding;
use crate::read::origin;
use crate::scene::{
    AlphaMode, FAR, MADE_UP, Mat4, Material, Node, Primitive, Problem, Severity, Transform, Units,
    far_off, math,
};
use crate::{Error, Scene};
use std::collections::HashMap;
use std::io::{self, BufReader, Read};

const MAGIC: &[u8; 6] = b"MKCAD\x03";
/// Longest name in bytes.
const LONGEST_TEXT: usize = 1 << 16;
/// Bytes allocated at a time for lists whose length is only declared.
const CHUNK: usize = 1 << 20;
/// Lengths in the stream are millimetres.
const METRES: f64 = 0.001;

/// Reasons the child reports for not reading the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Unreadable,
    Empty,
    Memory,
    Library,
}

/// Why there is no scene.
#[derive(Debug)]
pub enum Broken {
    Refused(Refusal),
    /// The child was still running at the deadline.
    Silent,
    /// The stream is truncated or malformed.
    Ended,
    Invalid(Error),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut => Broken::Silent,
            _ => Broken::Ended,
        }
    }
}

impl From<Error> for Broken {
    fn from(error: Error) -> Self {
        Broken::Invalid(error)
    }
}

type Taken<T> = std::result::Result<T, Broken>;

/// The files that the child reads, as far as the stream asks for them.
pub trait Files {
    /// Sends the file that another refers to, or that there is none.
    fn send(&mut self, name: &str);

    /// Triangles of an entity of a file, numbered in the order of sending.
    fn triangles(&self, file: usize, entity: u32) -> crate::Result<Triangles>;
}

/// Names are in `encoding`, as the file is.
pub fn read(
    from: &mut dyn Read,
    encoding: Encoding,
    files: &mut dyn Files,
    ctx: &Ctx,
) -> Taken<Scene> {
    let mut taking = Taking {
        from: BufReader::with_capacity(CHUNK, from),
        encoding,
        files,
        ctx,
        scene: Scene::default(),
        depths: Vec::new(),
        colours: Vec::new(),
        materials: HashMap::new(),
        origins: HashMap::new(),
        vertices: 0,
        indices: 0,
    };
    if &taking.bytes::<6>()? != MAGIC {
        return Err(Broken::Ended);
    }
    while taking.record()? {}
    let origins = taking.origins;
    origin::place(&mut taking.scene, &origins);
    Ok(taking.scene)
}

struct Taking<'a> {
    from: BufReader<&'a mut dyn Read>,
    encoding: Encoding,
    files: &'a mut dyn Files,
    ctx: &'a Ctx<'a>,
    scene: Scene,
    /// Depth of each node.
    depths: Vec<usize>,
    /// Linear RGBA.
    colours: Vec<[f32; 4]>,
    /// Material by colour (none: -1) and whether it is double-sided.
    materials: HashMap<(i32, bool), u32>,
    /// What the positions of a mesh count from, if that is not zero.
    origins: HashMap<u32, [f64; 3]>,
    vertices: usize,
    indices: usize,
}

impl Taking<'_> {
    fn bytes<const N: usize>(&mut self) -> Taken<[u8; N]> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Taken<u32> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn i32(&mut self) -> Taken<i32> {
        Ok(i32::from_le_bytes(self.bytes()?))
    }

    fn f64(&mut self) -> Taken<f64> {
        Ok(f64::from_le_bytes(self.bytes()?))
    }

    /// A name.
    fn text(&mut self) -> Taken<String> {
        let length = self.u32()? as usize;
        if length > LONGEST_TEXT {
            return Err(Broken::Ended);
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes)?;
        Ok(self.encoding.name(&bytes))
    }

    /// Reads `count` four-byte values in rows of three.
    fn rows<T: Copy>(&mut self, count: usize, value: fn([u8; 4]) -> T) -> Taken<Vec<[T; 3]>> {
        let mut rows = Vec::new();
        let mut buffer = vec![0; CHUNK / 12 * 12];
        while rows.len() < count {
            let now = (count - rows.len()).min(CHUNK / 12);
            let bytes = &mut buffer[..now * 12];
            self.from.read_exact(bytes)?;
            rows.extend(bytes.as_chunks::<12>().0.iter().map(|row| {
                let at = |i: usize| value([row[i], row[i + 1], row[i + 2], row[i + 3]]);
                [at(0), at(4), at(8)]
            }));
        }
        Ok(rows)
    }

    /// Reads one record; `false` after the last.
    fn record(&mut self) -> Taken<bool> {
        match self.bytes::<1>()? {
            [b'P'] => {
                let done = f64::from(f32::from_le_bytes(self.bytes()?));
                let done = if done.is_finite() { done } else { 0.0 };
                self.ctx
                    .report(Stage::Read, 0.05 + 0.85 * done, "正在读取曲面并三角化")?;
            }
            [b'U'] => {
                let (source, metres) = (self.text()?, self.f64()?);
                self.scene.units = Units {
                    source,
                    meters_per_unit: metres,
                    up_axis: "Z".into(),
                };
            }
            [b'C'] => {
                let mut colour = [0.0f32; 4];
                for value in &mut colour {
                    *value = f32::from_le_bytes(self.bytes()?).clamp(0.0, 1.0);
                }
                Limits::check("颜色", self.colours.len(), self.ctx.limits.materials)?;
                self.colours.push(colour);
            }
            [b'M'] => self.mesh()?,
            [b'N'] => self.node()?,
            [b'X'] => {
                let name = self.text()?;
                self.files.send(&name);
            }
            [b'W'] => self.notice()?,
            [b'F'] => return Err(Broken::Refused(self.refusal()?)),
            [b'E'] => return Ok(false),
            _ => return Err(Broken::Ended),
        }
        Ok(true)
    }

    fn refusal(&mut self) -> Taken<Refusal> {
        Ok(match self.bytes::<1>()? {
            [1] => Refusal::Unreadable,
            [2] => Refusal::Empty,
            [3] => Refusal::Memory,
            _ => Refusal::Library,
        })
    }

    fn mesh(&mut self) -> Taken<()> {
        let name = self.text()?;
        let open = self.bytes::<1>()? != [0];
        let mut origin = [self.f64()?, self.f64()?, self.f64()?];
        let parts = self.u32()? as usize;
        Limits::check("网格", self.scene.meshes.len() + 1, self.ctx.limits.meshes)?;
        Limits::check("绘制单元", parts, self.ctx.limits.meshes)?;
        let mut primitives = Vec::new();
        for part in 0..parts {
            let colour = self.i32()?;
            match self.u32()? {
                0 => primitives.push(self.primitive(colour, open)?),
                entity => {
                    let first = part == 0;
                    primitives.extend(self.tessellated(colour, entity, &mut origin, first)?);
                }
            }
        }
        let [x, y, z] = origin;
        let origin = [x, z, -y].map(|v| v * METRES);
        if origin != [0.0; 3] && origin.iter().all(|v| v.is_finite()) {
            let mesh = self.scene.meshes.len() as u32;
            self.origins.insert(mesh, origin);
        }
        self.scene.add_mesh(name, primitives);
        Ok(())
    }

    fn count(&mut self, vertices: usize, corners: usize) -> Taken<()> {
        self.vertices = self.vertices.saturating_add(vertices);
        self.indices = self.indices.saturating_add(corners);
        Limits::check("顶点", self.vertices, self.ctx.limits.vertices)?;
        Limits::check("索引", self.indices, self.ctx.limits.indices)?;
        Ok(())
    }

    /// Triangles that the engine has itself. The first part of a mesh sets its origin.
    fn tessellated(
        &mut self,
        colour: i32,
        entity: u32,
        origin: &mut [f64; 3],
        first: bool,
    ) -> Taken<Option<Primitive>> {
        let file = self.u32()? as usize;
        let unit = self.f64()?;
        let Triangles {
            mut positions,
            normals,
            corners,
        } = self.files.triangles(file, entity)?;
        self.count(positions.len(), corners.len())?;
        for place in &mut positions {
            *place = place.map(|v| v * unit);
        }
        if first && let Some(place) = positions.first() {
            // Whole metres, as of other parts.
            *origin = far_off(place.map(|v| v * METRES), FAR).map(|v| v / METRES);
        }
        if corners.is_empty() {
            return Ok(None);
        }
        let near = |place: &[f64; 3]| {
            y_up(std::array::from_fn(|axis| {
                ((place[axis] - origin[axis]) * METRES) as f32
            }))
        };
        Ok(Some(Primitive {
            positions: positions.iter().map(near).collect(),
            normals: normals.into_iter().map(y_up).collect(),
            indices: corners,
            // Whether its triangles enclose something is not known.
            material: Some(self.material(colour, true)?),
            ..Primitive::default()
        }))
    }

    fn primitive(&mut self, colour: i32, open: bool) -> Taken<Primitive> {
        let (vertices, triangles) = (self.u32()? as usize, self.u32()? as usize);
        self.count(vertices, triangles.saturating_mul(3))?;
        let mut positions = self.rows(vertices, f32::from_le_bytes)?;
        let mut normals = self.rows(vertices, f32::from_le_bytes)?;
        for position in &mut positions {
            *position = y_up(position.map(|c| (f64::from(c) * METRES) as f32));
        }
        for normal in &mut normals {
            *normal = y_up(*normal);
        }
        let corners = self.rows(triangles, u32::from_le_bytes)?;
        Ok(Primitive {
            // Out-of-range indices are removed later, as for all readers.
            indices: corners.into_flattened(),
            positions,
            normals,
            material: Some(self.material(colour, open)?),
            ..Primitive::default()
        })
    }

    fn material(&mut self, colour: i32, open: bool) -> Taken<u32> {
        if let Some(&known) = self.materials.get(&(colour, open)) {
            return Ok(known);
        }
        let own = usize::try_from(colour)
            .ok()
            .and_then(|i| self.colours.get(i));
        let (name, rgba) = match own {
            Some(&rgba) => (hex(rgba), rgba),
            None => (MADE_UP.to_owned(), [0.72, 0.74, 0.77, 1.0]),
        };
        Limits::check(
            "材质",
            self.scene.materials.len() + 1,
            self.ctx.limits.materials,
        )?;
        self.scene.materials.push(Material {
            roughness: 0.6,
            alpha_mode: if rgba[3] < 1.0 {
                AlphaMode::Blend
            } else {
                AlphaMode::Opaque
            },
            double_sided: open,
            ..Material::plain(name, rgba)
        });
        let index = self.scene.materials.len() as u32 - 1;
        self.materials.insert((colour, open), index);
        Ok(index)
    }

    fn node(&mut self) -> Taken<()> {
        let parent = self.i32()?;
        let name = self.text()?;
        let mesh = self.i32()?;
        let mut rows = [0.0; 12];
        for value in &mut rows {
            *value = self.f64()?;
        }
        Limits::check("节点", self.scene.nodes.len() + 1, self.ctx.limits.nodes)?;
        let parent = u32::try_from(parent).ok();
        let depth = match parent {
            Some(parent) => *self.depths.get(parent as usize).ok_or(Broken::Ended)? + 1,
            None => 0,
        };
        Limits::check("层级", depth, self.ctx.limits.depth)?;
        self.depths.push(depth);
        let node = Node {
            name,
            mesh: u32::try_from(mesh).ok(),
            transform: transform(&rows),
            ..Node::default()
        };
        self.scene.add_node(node, parent);
        Ok(())
    }

    fn notice(&mut self) -> Taken<()> {
        let [what] = self.bytes::<1>()?;
        let count = self.u32()?;
        let first = self.text()?;
        let place = if first.is_empty() {
            String::new()
        } else {
            format!("零件 {first}")
        };
        let (code, severity, message, advice) = match what {
            1 => (
                "faces-not-meshed",
                Severity::Warning,
                format!("{count} 个曲面无法三角化，已跳过"),
                "请在 CAD 软件中检查并修复该零件后重新导出",
            ),
            2 => (
                "hidden-skipped",
                Severity::Info,
                format!("{count} 个隐藏的零件、实体或曲面未导入"),
                "如需显示，请在 CAD 软件中取消隐藏后重新导出",
            ),
            3 => (
                "curves-skipped",
                Severity::Info,
                format!("{count} 个零件只有曲线，没有面，未显示"),
                "如需显示，请导出实体或曲面",
            ),
            5 => (
                "hidden-skipped",
                Severity::Info,
                format!("{count} 个消隐（Blanked）的图元未导入"),
                "如需显示，请在 CAD 软件中取消隐藏后重新导出",
            ),
            6 => (
                "external-parts",
                Severity::Warning,
                format!("{count} 个零件所在的 STEP 文件无法解析，未显示"),
                "请检查这些零件文件，重新导出后和装配文件一起打包上传",
            ),
            _ => (
                "broken-tree",
                Severity::Warning,
                format!("{count} 个零件的装配层级过深，未导入"),
                "请在 CAD 软件中合并层级后重新导出",
            ),
        };
        self.scene
            .note(Problem::new(code, severity, place, message, advice));
        Ok(())
    }
}

/// Z up to Y up: a rotation by 90° about X.
fn y_up([x, y, z]: [f32; 3]) -> [f32; 3] {
    [x, z, -y]
}

/// Local transform of a node from the upper rows of its matrix, in millimetres, Z up.
fn transform(rows: &[f64; 12]) -> Transform {
    const UP: Mat4 = [
        1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    const BACK: Mat4 = [
        1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let at = |row: usize, column: usize| rows[row * 4 + column];
    let mut matrix = math::IDENTITY;
    for column in 0..4 {
        for row in 0..3 {
            let unit = if column == 3 { METRES } else { 1.0 };
            matrix[column * 4 + row] = at(row, column) * unit;
        }
    }
    let (t, r, s) = math::decompose(&math::mul(&math::mul(&UP, &matrix), &BACK));
    // Parts are placed by rotation, translation, one factor and mirroring; this removes rounding errors.
    let whole = |v: f64| {
        if (v - v.round()).abs() < 1e-9 {
            v.round()
        } else {
            v
        }
    };
    Transform::Trs {
        translation: t,
        rotation: r.map(|v| v as f32),
        scale: s.map(|v| whole(v) as f32),
    }
}

/// `#rrggbb` of a linear colour, as CAD programs show it.
fn hex(rgba: [f32; 4]) -> String {
    let byte = |c: f32| (crate::read::colour::linear_to_srgb(c) * 255.0).round() as u8;
    let [r, g, b, _] = rgba;
    format!("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b))
}
