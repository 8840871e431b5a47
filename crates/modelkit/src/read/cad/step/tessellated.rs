//! Tessellated geometry of AP242 (ISO 10303-42, tessellated shapes), which OCCT 7.6 does not know: solids, shells and
//! surfaces of triangles, strips and fans.

use super::part21::{Entity, Parameters};
use crate::Result;
use crate::limits::Limits;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// Groups in groups are followed so deep.
const DEEPEST: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Coordinates,
    /// Triangles that may be linked to a face of exact geometry; or strips and fans.
    Face {
        complex: bool,
    },
    Surface {
        complex: bool,
    },
    /// Items that may be linked to exact geometry.
    Body,
    Group,
}

impl Kind {
    fn of(keyword: &[u8]) -> Option<Kind> {
        Some(match keyword {
            b"COORDINATES_LIST" => Kind::Coordinates,
            b"TRIANGULATED_FACE" => Kind::Face { complex: false },
            b"COMPLEX_TRIANGULATED_FACE" => Kind::Face { complex: true },
            b"TRIANGULATED_SURFACE_SET" => Kind::Surface { complex: false },
            b"COMPLEX_TRIANGULATED_SURFACE_SET" => Kind::Surface { complex: true },
            b"TESSELLATED_SOLID" | b"TESSELLATED_SHELL" => Kind::Body,
            b"TESSELLATED_GEOMETRIC_SET" => Kind::Group,
            _ => return None,
        })
    }
}

/// Where the tessellated entities of a text are.
#[derive(Default)]
pub struct Tessellated(HashMap<u32, (Kind, Range<usize>)>);

/// In units of the file.
#[derive(Default)]
pub struct Triangles {
    pub positions: Vec<[f64; 3]>,
    /// As many as positions, or none.
    pub normals: Vec<[f32; 3]>,
    pub corners: Vec<u32>,
}

impl Tessellated {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes an entity if it is of a kind known here.
    pub fn note(&mut self, text: &[u8], entity: &Entity) {
        if let Some(kind) = Kind::of(&text[entity.keyword.clone()]) {
            let known = (kind, entity.parameters.clone());
            self.0.insert(entity.number, known);
        }
    }

    /// Whether an item has triangles, and does not repeat exact geometry.
    pub fn is_shown(&self, text: &[u8], number: u32) -> bool {
        match self.0.get(&number) {
            None | Some((Kind::Coordinates, _)) => false,
            Some((Kind::Body, range)) => {
                let mut parameters = Parameters::new(text, range.clone());
                parameters.skip();
                let items = parameters.references().unwrap_or_default();
                parameters.unset() && items.iter().any(|item| self.is_shown_face(text, *item))
            }
            Some(_) => self.is_shown_face(text, number),
        }
    }

    fn is_shown_face(&self, text: &[u8], number: u32) -> bool {
        let Some((Kind::Face { .. }, range)) = self.0.get(&number) else {
            return self.0.contains_key(&number);
        };
        let mut parameters = Parameters::new(text, range.clone());
        for _ in 0..4 {
            parameters.skip();
        }
        parameters.unset()
    }

    /// All triangles of an item.
    pub fn triangles(&self, text: &[u8], number: u32, limits: &Limits) -> Result<Triangles> {
        let mut reading = Reading {
            known: &self.0,
            text,
            limits,
            coordinates: HashMap::new(),
            seen: HashSet::new(),
            into: Triangles::default(),
            has_normals: true,
        };
        reading.item(number, 0)?;
        let mut into = reading.into;
        if !reading.has_normals {
            into.normals.clear();
        }
        Ok(into)
    }
}

struct Reading<'a> {
    known: &'a HashMap<u32, (Kind, Range<usize>)>,
    text: &'a [u8],
    limits: &'a Limits,
    coordinates: HashMap<u32, Rc<Vec<[f64; 3]>>>,
    /// An item is read once, also if a file refers to it in circles.
    seen: HashSet<u32>,
    into: Triangles,
    /// So far each point has one.
    has_normals: bool,
}

impl Reading<'_> {
    fn item(&mut self, number: u32, depth: usize) -> Result<()> {
        let Some((kind, range)) = self.known.get(&number) else {
            return Ok(());
        };
        if !self.seen.insert(number) {
            return Ok(());
        }
        let mut parameters = Parameters::new(self.text, range.clone());
        // The name.
        parameters.skip();
        match *kind {
            Kind::Coordinates => {}
            Kind::Body | Kind::Group if depth < DEEPEST => {
                for item in parameters.references().unwrap_or_default() {
                    self.item(item, depth + 1)?;
                }
            }
            Kind::Body | Kind::Group => {}
            Kind::Face { complex } => self.surface(&mut parameters, true, complex)?,
            Kind::Surface { complex } => self.surface(&mut parameters, false, complex)?,
        }
        Ok(())
    }

    fn surface(&mut self, from: &mut Parameters, links: bool, complex: bool) -> Result<()> {
        if let Some(surface) = read_surface(from, links, complex) {
            let points = self.coordinates_of(surface.coordinates);
            self.add(&surface, &points);
            Limits::check("顶点", self.into.positions.len(), self.limits.vertices)?;
            Limits::check("索引", self.into.corners.len(), self.limits.indices)?;
        }
        Ok(())
    }

    fn coordinates_of(&mut self, number: u32) -> Rc<Vec<[f64; 3]>> {
        if let Some(known) = self.coordinates.get(&number) {
            return Rc::clone(known);
        }
        let mut points = Vec::new();
        if let Some((Kind::Coordinates, range)) = self.known.get(&number) {
            let mut parameters = Parameters::new(self.text, range.clone());
            // Name and count.
            parameters.skip();
            parameters.skip();
            points = parameters.list(row).unwrap_or_default();
        }
        let points = Rc::new(points);
        self.coordinates.insert(number, Rc::clone(&points));
        points
    }

    /// Adds the triangles whose corners all exist.
    fn add(&mut self, surface: &Surface, points: &[[f64; 3]]) {
        let mut places: HashMap<u32, u32> = HashMap::new();
        for triangle in &surface.triangles {
            let found = triangle.map(|corner| surface.place(corner, points));
            let [Some(a), Some(b), Some(c)] = found else {
                continue;
            };
            for (corner, point) in triangle.iter().zip([a, b, c]) {
                let next = self.into.positions.len() as u32;
                let place = *places.entry(*corner).or_insert(next);
                if place == next {
                    self.into.positions.push(point);
                    let normal = surface.normal(*corner);
                    self.has_normals &= normal.is_some();
                    self.into
                        .normals
                        .push(normal.unwrap_or_default().map(|v| v as f32));
                }
                self.into.corners.push(place);
            }
        }
    }
}

/// Numbers count from 1.
struct Surface {
    coordinates: u32,
    /// None, one for all, or one for each point.
    normals: Vec<[f64; 3]>,
    /// The coordinates of each point; none: points are coordinates.
    points: Vec<u32>,
    triangles: Vec<[u32; 3]>,
}

impl Surface {
    fn place(&self, point: u32, all: &[[f64; 3]]) -> Option<[f64; 3]> {
        let at = point.checked_sub(1)? as usize;
        let number = match self.points.is_empty() {
            true => at,
            false => self.points.get(at)?.checked_sub(1)? as usize,
        };
        all.get(number).copied()
    }

    fn normal(&self, point: u32) -> Option<[f64; 3]> {
        match self.normals[..] {
            [one] => Some(one),
            _ => self.normals.get(point.checked_sub(1)? as usize).copied(),
        }
    }
}

fn row(from: &mut Parameters) -> Option<[f64; 3]> {
    from.list(Parameters::real)?.try_into().ok()
}

/// What follows the name of a face or surface.
fn read_surface(from: &mut Parameters, links: bool, complex: bool) -> Option<Surface> {
    let coordinates = from.reference()?;
    from.skip();
    let normals = from.list(row)?;
    if links {
        from.skip();
    }
    let points = from.list(Parameters::index)?;
    let mut triangles = Vec::new();
    let mut runs = from.list(|run| run.list(Parameters::index))?;
    if complex {
        for strip in &runs {
            // Every other triangle of a strip runs the other way around.
            let turned = strip.windows(3).enumerate().map(|(i, t)| match i % 2 {
                0 => [t[0], t[1], t[2]],
                _ => [t[1], t[0], t[2]],
            });
            triangles.extend(turned);
        }
        for fan in from.list(|run| run.list(Parameters::index))? {
            let around = fan.get(1..).unwrap_or_default().windows(2);
            triangles.extend(around.map(|edge| [fan[0], edge[0], edge[1]]));
        }
    } else {
        triangles.extend(
            runs.drain(..)
                .filter_map(|run| <[u32; 3]>::try_from(run).ok()),
        );
    }
    Some(Surface {
        coordinates,
        normals,
        points,
        triangles,
    })
}
