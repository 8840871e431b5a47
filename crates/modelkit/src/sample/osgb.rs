//! A small OSGB writer: only what tests, demonstrations and benchmarks need.

mod state;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Variants found in real files.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    pub version: u32,
    /// Lengths before blocks, so that readers can skip what they do not know.
    pub brackets: bool,
    pub zlib: bool,
}

impl Default for Dialect {
    /// The output of the usual reconstruction software.
    fn default() -> Self {
        Dialect {
            version: 80,
            brackets: false,
            zlib: false,
        }
    }
}

/// How triangles are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    Bytes,
    Shorts,
    Words,
    /// The index list is one strip.
    Strip,
    /// A fan around the first index.
    Fan,
    /// Four indices per face.
    Quads,
    /// Vertices in order, without indices.
    InOrder,
}

/// The texture of a mesh.
#[derive(Debug, Clone)]
pub enum Skin {
    /// An encoded file.
    File(Vec<u8>),
    /// Width, height, RGB rows from the bottom up.
    Pixels(u32, u32, Vec<u8>),
    /// In a file beside the model.
    Named(String),
}

#[derive(Debug, Clone)]
pub struct Mesh {
    pub positions: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub indices: Vec<u32>,
    pub listing: Listing,
    pub skin: Option<Skin>,
    pub sides: Sides,
    /// Unit of the texture and its UVs; lower ones have UVs of zeros and no texture.
    pub unit: u32,
}

/// Which sides a state set asks for: modes and attributes, `None` if not stated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sides {
    pub cull: Option<bool>,
    pub cull_front: Option<bool>,
    pub clockwise: Option<bool>,
}

/// A mesh and the file that refines it.
#[derive(Debug, Clone)]
pub struct Piece {
    pub mesh: Mesh,
    pub finer: Option<Finer>,
}

#[derive(Debug, Clone)]
pub struct Finer {
    pub file: String,
    /// Diameter on screen at which the refinement replaces it.
    pub pixels: f32,
    pub center: [f64; 3],
    pub radius: f64,
}

struct Writer {
    out: Vec<u8>,
    dialect: Dialect,
    ids: u32,
    open: Vec<usize>,
}

/// A file of pieces; below a transform if `moved` is set.
pub fn write(pieces: &[Piece], moved: Option<[f64; 3]>, dialect: Dialect) -> Vec<u8> {
    let mut w = Writer {
        out: Vec::new(),
        dialect,
        ids: 0,
        open: Vec::new(),
    };
    match (pieces, moved) {
        ([piece], None) => w.piece(piece),
        _ => {
            let class = if moved.is_some() {
                "osg::MatrixTransform"
            } else {
                "osg::Group"
            };
            w.object(class);
            w.node();
            w.bool(true);
            w.u32(pieces.len() as u32);
            w.begin();
            for piece in pieces {
                w.piece(piece);
            }
            w.end();
            if let Some([x, y, z]) = moved {
                w.u32(0);
                w.begin();
                let matrix = [
                    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, x, y, z, 1.0,
                ];
                w.doubles(&matrix);
                w.end();
            }
            w.end();
        }
    }
    let mut file = b"\xa1\x0e\x91\x6c\x45\x45\xfb\x1a".to_vec();
    let attributes = if dialect.brackets { 4 } else { 0 };
    for number in [1, dialect.version, attributes] {
        file.extend(u32::to_le_bytes(number));
    }
    let name: &[u8] = if dialect.zlib { b"zlib" } else { b"0" };
    file.extend((name.len() as u32).to_le_bytes());
    file.extend(name);
    if dialect.zlib {
        let mut packer = GzEncoder::new(file, Compression::fast());
        // Writing to memory cannot fail.
        let _ = packer.write_all(&w.out);
        return packer.finish().unwrap_or_default();
    }
    file.extend(&w.out);
    file
}

impl Writer {
    fn u32(&mut self, v: u32) {
        self.out.extend(v.to_le_bytes());
    }

    fn bool(&mut self, v: bool) {
        self.out.push(u8::from(v));
    }

    fn doubles(&mut self, list: &[f64]) {
        list.iter().for_each(|v| self.out.extend(v.to_le_bytes()));
    }

    fn floats(&mut self, list: &[f32]) {
        list.iter().for_each(|v| self.out.extend(v.to_le_bytes()));
    }

    fn string(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.out.extend(text.as_bytes());
    }

    fn absent(&mut self, count: usize) {
        self.out.extend(std::iter::repeat_n(0, count));
    }

    fn begin(&mut self) {
        if self.dialect.brackets {
            self.open.push(self.out.len());
            self.absent(if self.dialect.version > 148 { 8 } else { 4 });
        }
    }

    fn end(&mut self) {
        if let Some(at) = self.open.pop() {
            let size = (self.out.len() - at) as u64;
            let width = if self.dialect.version > 148 { 8 } else { 4 };
            self.out[at..at + width].copy_from_slice(&size.to_le_bytes()[..width]);
        }
    }

    /// Class, id and the fields of `osg::Object`; the caller ends the object.
    fn object(&mut self, class: &str) {
        self.string(class);
        self.begin();
        self.ids += 1;
        self.u32(self.ids);
        self.base();
    }

    fn base(&mut self) {
        self.string("");
        self.u32(2);
        self.bool(false);
    }

    fn node(&mut self) {
        self.absent(5);
        self.bool(true);
        self.u32(u32::MAX);
        if self.dialect.version < 77 {
            self.bool(false);
        }
        self.bool(false);
    }

    fn piece(&mut self, piece: &Piece) {
        let Some(finer) = &piece.finer else {
            return self.geode(&piece.mesh);
        };
        self.object("osg::PagedLOD");
        self.node();
        // Explicit centre and radius, ranges in pixels.
        self.u32(1);
        self.bool(true);
        self.doubles(&finer.center);
        self.doubles(&[finer.radius]);
        self.u32(1);
        self.bool(true);
        self.u32(2);
        self.begin();
        self.floats(&[0.0, finer.pixels, finer.pixels, 1e6]);
        self.end();
        self.bool(true);
        self.bool(false);
        if self.dialect.version < 70 {
            self.u32(0);
        }
        self.u32(0);
        self.bool(false);
        self.bool(true);
        self.u32(2);
        self.begin();
        self.string("");
        self.string(&finer.file);
        self.end();
        self.u32(2);
        self.begin();
        self.floats(&[0.0, 1.0, 0.0, 1.0]);
        self.end();
        self.bool(true);
        self.u32(1);
        self.begin();
        self.geode(&piece.mesh);
        self.end();
        self.end();
    }

    fn geode(&mut self, mesh: &Mesh) {
        self.object("osg::Geode");
        self.node();
        self.bool(true);
        self.u32(1);
        self.begin();
        self.geometry(mesh);
        self.end();
        self.end();
    }

    fn geometry(&mut self, mesh: &Mesh) {
        let version = self.dialect.version;
        self.object("osg::Geometry");
        if version >= 154 {
            // From version 154 a drawable is a node: its fields come first, the state set among them.
            self.absent(5);
            self.bool(true);
            self.u32(u32::MAX);
            self.state(mesh);
        }
        if version < 156 {
            match version >= 154 {
                true => self.bool(false),
                false => self.state(mesh),
            }
        }
        self.absent(3);
        self.bool(true);
        self.bool(true);
        self.bool(false);
        if version < 156 {
            self.absent(4);
        }
        if version >= 142 {
            self.u32(u32::MAX);
        }
        if version >= 145 {
            self.bool(true);
        }
        self.u32(1);
        self.draw(mesh);
        let positions: Vec<f32> = mesh.positions.iter().flatten().copied().collect();
        let uvs: Vec<f32> = mesh.uvs.iter().flatten().copied().collect();
        if version >= 112 {
            self.bool(true);
            self.array("osg::Vec3Array", &positions, 3);
            self.absent(4);
            self.u32(mesh.unit + 1);
            for _ in 0..mesh.unit {
                self.array("osg::Vec2Array", &vec![0.0; uvs.len()], 2);
            }
            self.array("osg::Vec2Array", &uvs, 2);
            self.u32(0);
        } else {
            self.bool(true);
            self.begin();
            self.old_array(16, &positions, 3);
            self.end();
            self.absent(4);
            self.bool(true);
            self.u32(mesh.unit + 1);
            self.begin();
            for _ in 0..mesh.unit {
                self.begin();
                self.old_array(15, &vec![0.0; uvs.len()], 2);
                self.end();
            }
            self.begin();
            self.old_array(15, &uvs, 2);
            self.end();
            self.end();
            self.absent(2);
        }
        self.end();
    }

    fn array(&mut self, class: &str, values: &[f32], width: usize) {
        self.object(class);
        if self.dialect.version >= 147 {
            self.bool(false);
        }
        self.u32(4);
        self.bool(false);
        self.bool(false);
        self.u32((values.len() / width) as u32);
        self.floats(values);
        self.end();
    }

    fn old_array(&mut self, kind: u32, values: &[f32], width: usize) {
        self.bool(true);
        self.ids += 1;
        self.u32(self.ids);
        self.u32(kind);
        self.u32((values.len() / width) as u32);
        self.begin();
        self.floats(values);
        self.end();
        self.bool(false);
        self.u32(4);
        self.u32(0);
    }

    fn draw(&mut self, mesh: &Mesh) {
        let (kind, class) = match mesh.listing {
            Listing::InOrder => (50, "osg::DrawArrays"),
            Listing::Bytes => (52, "osg::DrawElementsUByte"),
            Listing::Words => (54, "osg::DrawElementsUInt"),
            _ => (53, "osg::DrawElementsUShort"),
        };
        let mode = match mesh.listing {
            Listing::Strip => 5,
            Listing::Fan => 6,
            Listing::Quads => 7,
            _ => 4,
        };
        let new = self.dialect.version >= 112;
        if new {
            self.object(class);
            if self.dialect.version >= 147 {
                self.bool(false);
            }
            self.u32(0);
        } else {
            self.u32(kind);
        }
        self.u32(mode);
        if !new && self.dialect.version > 96 {
            self.u32(0);
        }
        if kind == 50 {
            self.u32(0);
            self.u32(mesh.positions.len() as u32);
        } else {
            self.u32(mesh.indices.len() as u32);
            if !new {
                self.begin();
            }
            for &index in &mesh.indices {
                let width = [1, 2, 4][kind as usize - 52];
                self.out.extend(&index.to_le_bytes()[..width]);
            }
            if !new {
                self.end();
            }
        }
        if new {
            self.end();
        }
    }
}
