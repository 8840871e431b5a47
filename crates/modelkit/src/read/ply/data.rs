//! The data kept of the rows, for every encoding.

use super::super::origin;
use super::header::{Element, Kind};

/// Number of known vertex scalars, as positions in a row.
pub const ROLES: usize = 15;
pub mod places {
    //! Where a vertex row has what.
    pub const X: usize = 0;
    pub const NORMAL: usize = 3;
    pub const COLOR: usize = 6;
    pub const UV: usize = 10;
    pub const SPLAT: usize = 12;
}

use places::{COLOR, NORMAL, SPLAT, UV, X};

/// Marks an invalid index: negative, or beyond `u32`.
pub const INVALID: u32 = u32::MAX;

/// Use of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Vertex,
    Face,
    Strip,
    Edge,
    Other,
}

/// How to read the rows of one element.
pub struct Plan<'a> {
    pub element: &'a Element,
    pub purpose: Use,
    /// For each property: position in the vertex row, and divisor.
    pub roles: Vec<Option<(usize, f64)>>,
    /// Properties with the vertex indices, and with wedge texture coordinates.
    pub indices: Option<usize>,
    pub wedges: Option<usize>,
    /// Property with the number of a face's texture.
    pub texture: Option<usize>,
    /// Rows have colours.
    pub is_coloured: bool,
    /// Properties `vertex1` and `vertex2` of an edge.
    pub ends: [Option<usize>; 2],
}

impl<'a> Plan<'a> {
    pub fn new(element: &'a Element) -> Plan<'a> {
        let purpose = match element.name.as_str() {
            "vertex" => Use::Vertex,
            "face" => Use::Face,
            "tristrips" => Use::Strip,
            "edge" => Use::Edge,
            _ => Use::Other,
        };
        let named = |names: &[&str], list: bool| {
            element
                .properties
                .iter()
                .position(|p| p.list.is_some() == list && names.contains(&p.name.as_str()))
        };
        let role = |p: &super::header::Property| match purpose {
            Use::Vertex if p.list.is_none() => role(&p.name, p.kind),
            Use::Face if p.list.is_none() => {
                role(&p.name, p.kind).filter(|(place, _)| (COLOR..UV).contains(place))
            }
            _ => None,
        };
        let roles: Vec<_> = element.properties.iter().map(role).collect();
        Plan {
            element,
            purpose,
            is_coloured: (COLOR..COLOR + 3).all(|place| has_role(&roles, place)),
            roles,
            indices: named(&["vertex_indices", "vertex_index"], true)
                .or_else(|| only_list(element).filter(|_| purpose == Use::Face)),
            wedges: named(&["texcoord"], true).filter(|_| purpose == Use::Face),
            texture: named(&["texnumber"], false).filter(|_| purpose == Use::Face),
            ends: [named(&["vertex1"], false), named(&["vertex2"], false)],
        }
    }
}

/// The one list of whole numbers that is not known as anything else: faces under a name of the program's own
/// (`vertexIndices`, `connectivity`).
fn only_list(element: &Element) -> Option<usize> {
    let is_list = |p: &super::header::Property| {
        let whole = !matches!(p.kind, Kind::F32 | Kind::F64);
        p.list.is_some() && whole && !["texcoord", "color"].contains(&p.name.as_str())
    };
    let mut lists = element.properties.iter().enumerate();
    let mut lists = lists.by_ref().filter(|(_, p)| is_list(p));
    match (lists.next(), lists.next()) {
        (Some((only, _)), None) => Some(only),
        _ => None,
    }
}

fn has_role(roles: &[Option<(usize, f64)>], place: usize) -> bool {
    roles.iter().flatten().any(|(p, _)| *p == place)
}

impl Plan<'_> {
    /// Whether a property that is known is shown: the first of its kind, with its companions. `has` are the vertices'.
    pub fn is_used(&self, property: usize, has: Has) -> bool {
        let Some((place, _)) = self.roles.get(property).copied().flatten() else {
            let lists = [self.indices, self.wedges, self.texture];
            return lists.contains(&Some(property)) || self.ends.contains(&Some(property));
        };
        if self.purpose == Use::Face {
            return self.is_coloured && !has.colors;
        }
        match place {
            ..NORMAL => has.positions,
            NORMAL..COLOR => has.normals,
            COLOR..UV => has.colors,
            UV..SPLAT => has.uvs,
            _ => has.splats,
        }
    }
}

fn role(name: &str, kind: Kind) -> Option<(usize, f64)> {
    let place = match name {
        "x" => X,
        "y" => X + 1,
        "z" => X + 2,
        "nx" | "normal_x" => NORMAL,
        "ny" | "normal_y" => NORMAL + 1,
        "nz" | "normal_z" => NORMAL + 2,
        "red" | "r" | "diffuse_red" => return Some((COLOR, f64::from(kind.full()))),
        "green" | "g" | "diffuse_green" => return Some((COLOR + 1, f64::from(kind.full()))),
        "blue" | "b" | "diffuse_blue" => return Some((COLOR + 2, f64::from(kind.full()))),
        "alpha" | "a" | "diffuse_alpha" => return Some((COLOR + 3, f64::from(kind.full()))),
        "s" | "u" | "texture_u" | "texture_s" | "texcoord_u" | "u0" | "s0" => UV,
        "t" | "v" | "texture_v" | "texture_t" | "texcoord_v" | "v0" | "t0" => UV + 1,
        "f_dc_0" => SPLAT,
        "f_dc_1" => SPLAT + 1,
        "f_dc_2" => SPLAT + 2,
        _ => return None,
    };
    Some((place, 1.0))
}

/// Which attributes the vertices have.
#[derive(Debug, Clone, Copy, Default)]
pub struct Has {
    pub positions: bool,
    pub normals: bool,
    pub colors: bool,
    pub uvs: bool,
    /// Gaussian splats: colours as spherical harmonics of degree 0.
    pub splats: bool,
}

impl Has {
    pub fn of(plan: &Plan) -> Has {
        let all =
            |first: usize, n: usize| (first..first + n).all(|place| has_role(&plan.roles, place));
        Has {
            positions: all(X, 3),
            normals: all(NORMAL, 3),
            colors: all(COLOR, 3),
            uvs: all(UV, 2),
            splats: all(SPLAT, 3),
        }
    }
}

/// Rows read so far.
#[derive(Default)]
pub struct Data {
    pub has: Has,
    /// What positions count from: set by the first one. Pieces read in parallel get it beforehand.
    pub base: Option<[f64; 3]>,
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// As in the file, 0…1, not yet linear.
    pub colors: Vec<[f32; 4]>,
    pub uvs: Vec<[f32; 2]>,
    /// Vertex indices of all faces, and where each ends.
    pub corners: Vec<u32>,
    pub ends: Vec<u32>,
    /// One per corner if faces have their own coordinates, else empty.
    pub wedges: Vec<[f32; 2]>,
    /// One per face if faces have colours and vertices do not, as in the file, 0…1; else empty.
    pub face_colors: Vec<[f32; 4]>,
    /// The texture of each face, if faces name one; else empty.
    pub face_textures: Vec<u32>,
    /// Strips one after the other, separated by [`INVALID`].
    pub strips: Vec<u32>,
    pub edges: Vec<[u32; 2]>,
}

/// The scalars of a vertex.
pub type Row = [f64; ROLES];

/// An empty vertex row: white, opaque, everything else zero.
pub fn blank_row() -> Row {
    let mut row = [0.0; ROLES];
    row[COLOR..COLOR + 4].fill(1.0);
    row
}

impl Data {
    /// What positions count from, by the first vertex.
    pub fn find_base(&mut self, row: &Row) -> [f64; 3] {
        *self
            .base
            .get_or_insert_with(|| origin::base_of([row[X], row[X + 1], row[X + 2]]))
    }

    pub fn vertex(&mut self, row: &Row) {
        let place = [row[X], row[X + 1], row[X + 2]];
        let base = self.find_base(row);
        self.positions.push(origin::split(place, base).0);
        let row = row.map(|v| v as f32);
        if self.has.normals {
            self.normals
                .push([row[NORMAL], row[NORMAL + 1], row[NORMAL + 2]]);
        }
        if self.has.colors {
            self.colors
                .push([row[COLOR], row[COLOR + 1], row[COLOR + 2], row[COLOR + 3]]);
        } else if self.has.splats {
            // Kerbl et al. 2023: colour = ½ + C0 · f, C0 = 1 / (2 √π).
            let color = |f: f32| (0.5 + 0.282_094_79 * f).clamp(0.0, 1.0);
            self.colors.push([
                color(row[SPLAT]),
                color(row[SPLAT + 1]),
                color(row[SPLAT + 2]),
                1.0,
            ]);
        }
        if self.has.uvs {
            self.uvs.push([row[UV], row[UV + 1]]);
        }
    }

    /// Ends a face whose indices were pushed to `corners`; `wedges` holds the coordinates, two numbers per corner, or
    /// nothing.
    pub fn face(&mut self, wedges: &[f32]) {
        let start = self.ends.last().copied().unwrap_or(0) as usize;
        let size = self.corners.len() - start;
        self.ends.push(self.corners.len() as u32);
        if wedges.len() >= size * 2 && size > 0 {
            self.wedges.resize(start, [0.0; 2]);
            self.wedges
                .extend(wedges.chunks_exact(2).take(size).map(|w| [w[0], w[1]]));
        }
    }

    /// Colour and texture of the face that was ended, of a row with these.
    pub fn look(&mut self, plan: &Plan, row: &Row, texture: f64) {
        if plan.is_coloured && !self.has.colors {
            let color = [row[COLOR], row[COLOR + 1], row[COLOR + 2], row[COLOR + 3]];
            self.face_colors.push(color.map(|v| v as f32));
        }
        if plan.texture.is_some() {
            self.face_textures.push(index(texture));
        }
    }

    /// Appends the rows of a later piece.
    pub fn append(&mut self, mut other: Data) {
        let base = self.corners.len() as u32;
        self.positions.append(&mut other.positions);
        self.normals.append(&mut other.normals);
        self.colors.append(&mut other.colors);
        self.uvs.append(&mut other.uvs);
        if !other.wedges.is_empty() {
            self.wedges.resize(base as usize, [0.0; 2]);
            self.wedges.append(&mut other.wedges);
        }
        self.corners.append(&mut other.corners);
        self.ends.extend(other.ends.iter().map(|end| end + base));
        self.face_colors.append(&mut other.face_colors);
        self.face_textures.append(&mut other.face_textures);
        self.strips.append(&mut other.strips);
        self.edges.append(&mut other.edges);
    }
}

/// A number from the file as an index.
pub fn index(value: f64) -> u32 {
    if (0.0..4_294_967_295.0).contains(&value) {
        value as u32
    } else {
        INVALID
    }
}
