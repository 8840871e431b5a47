//! `<geometry>`: the groups of polygons and lines of a mesh, and what an instance binds to them.

use super::corners::{self, FEW, MOST};
use super::extra::both_sides;
use super::lost::{Loss, Treatment};
use super::schema;
use super::source::{Rows, Sources, Wire, Wires, inputs};
use super::xml::{Ids, Xml, child, local, named, number, title};
use super::{Counts, Reading, vertices};
use crate::limits::Limits;
use crate::read::uv_binding::MOST_UV_SETS;
use crate::scene::Primitive;
use crate::{Ctx, Result};
use std::collections::HashMap;

/// A geometry before materials are bound to it.
#[derive(Default)]
pub struct Geometry<'a> {
    pub name: String,
    pub parts: Vec<Part<'a>>,
    /// What its positions count from.
    pub origin: [f64; 3],
    /// It is drawn on both sides, whatever its materials say.
    pub both_sides: bool,
}

/// A group of polygons.
pub struct Part<'a> {
    /// The material as the instance's bindings know it.
    pub symbol: &'a str,
    pub primitive: Primitive,
    /// The source position of each vertex.
    pub origin: Vec<u32>,
    /// The numbers in the file of the UV sets that were read.
    pub sets: Vec<usize>,
}

impl<'a> Reading<'a> {
    /// Reads the geometry with that id, once.
    pub fn geometry(&mut self, id: &'a str, ctx: &Ctx) -> Result<Option<&Geometry<'a>>> {
        if !self.geometries.contains_key(id) {
            let Some((geometry, mesh)) = self.mesh_of(id) else {
                return Ok(None);
            };
            let metres = self.scene.units.meters_per_unit;
            let mut made = Geometry {
                name: title(geometry),
                both_sides: both_sides([geometry, mesh]),
                ..Geometry::default()
            };
            read(&mut made, &self.ids, mesh, metres, &mut self.counts, ctx)?;
            self.geometries.insert(id, made);
        }
        Ok(self.geometries.get(id))
    }

    /// A geometry and its mesh.
    fn mesh_of(&self, id: &str) -> Option<(Xml<'a>, Xml<'a>)> {
        let geometry = *self.ids.get(id)?;
        let mesh = child(geometry, "mesh").or_else(|| child(geometry, "convex_mesh"));
        Some((geometry, mesh?))
    }

    /// The positions of a geometry in the order of the file, and what they count from.
    pub fn positions(&self, id: &str) -> Option<(Rows, [f64; 3])> {
        let (_, mesh) = self.mesh_of(id)?;
        let wire = inputs(child(mesh, "vertices")?).find(|w| w.semantic == "POSITION")?;
        let source = *self.ids.get(wire.source)?;
        Rows::places(&self.ids, source, self.scene.units.meters_per_unit)
    }

    /// Tells why nothing is shown of an instance's geometry.
    pub fn note_shapeless(&mut self, id: &'a str) {
        let geometry = self.ids.get(id).copied();
        let has = |name: &str| geometry.is_some_and(|g| child(g, name).is_some());
        let loss = match geometry {
            None => Loss::Dangling,
            Some(_) if has("spline") => Loss::Spline,
            Some(_) if has("brep") => Loss::Brep,
            Some(_) => Loss::Shapeless,
        };
        let name = geometry.map_or_else(|| id.to_owned(), title);
        self.counts.losses.add(loss, ("网格", &name, 0), "");
    }
}

/// Error: too many vertices.
fn read<'a>(
    geometry: &mut Geometry<'a>,
    ids: &Ids<'a>,
    mesh: Xml<'a>,
    metres: f64,
    counts: &mut Counts,
    ctx: &Ctx,
) -> Result<()> {
    let shared = child(mesh, "vertices");
    let places = shared.and_then(|v| inputs(v).find(|w| w.semantic == "POSITION"));
    let mut sources = Sources::new();
    for group in mesh.children().filter(|c| c.is_element()) {
        let kind = group.tag_name().name();
        if !corners::KINDS.contains(&kind) {
            continue;
        }
        let place = ("网格", geometry.name.as_str(), 0);
        let Some(wires) = wires(group, shared, place, counts) else {
            counts.losses.add(Loss::Unplaced, place, kind);
            continue;
        };
        for id in wires.sources() {
            let source = ids.get(id).copied().filter(|_| !sources.contains_key(id));
            let Some(source) = source else { continue };
            let rows = match places.is_some_and(|w| w.source == id) {
                true => Rows::places(ids, source, metres).map(|(rows, origin)| {
                    geometry.origin = origin;
                    rows
                }),
                false => Rows::read(ids, source),
            };
            sources.extend(rows.map(|rows| (id, rows)));
        }
        let make = match wires.uvs.len() + 3 <= FEW {
            true => part::<FEW>,
            false => part::<MOST>,
        };
        let part = make(group, wires, &sources, &geometry.name, counts, ctx)?;
        geometry.parts.extend(part);
    }
    Ok(())
}

/// Error: too many vertices.
fn part<'a, const N: usize>(
    group: Xml<'a>,
    wires: Wires<'a>,
    sources: &Sources,
    name: &str,
    counts: &mut Counts,
    ctx: &Ctx,
) -> Result<Option<Part<'a>>> {
    let corners = corners::read::<N>(group, &wires, sources, name, counts);
    counts.vertices += corners.len();
    Limits::check("顶点", counts.vertices, ctx.limits.vertices)?;
    if corners.is_empty() {
        return Ok(None);
    }
    let lines = group.tag_name().name().starts_with("line");
    let (primitive, origin) = vertices::primitive(corners, &wires, sources, lines);
    Ok(Some(Part {
        symbol: group.attribute("material").unwrap_or(""),
        primitive,
        origin,
        sets: wires.sets,
    }))
}

/// The inputs of a group; `shared` are those that all groups have by position. `None` if there are no positions.
fn wires<'a>(
    group: Xml<'a>,
    shared: Option<Xml<'a>>,
    place: (&'static str, &str, usize),
    counts: &mut Counts,
) -> Option<Wires<'a>> {
    let mut all: Vec<Wire> = Vec::new();
    for wire in inputs(group) {
        match shared {
            Some(shared) if wire.semantic == "VERTEX" => {
                all.extend(inputs(shared).map(|own| Wire {
                    offset: wire.offset,
                    ..own
                }))
            }
            _ => all.push(wire),
        }
    }
    let of = |semantic: &str| {
        let mut own: Vec<&Wire> = all.iter().filter(|w| w.semantic == semantic).collect();
        own.sort_by_key(|w| w.set);
        own
    };
    let first = |semantic: &str| of(semantic).first().map(|w| (w.source, w.offset));
    let mut uvs = of("TEXCOORD");
    if uvs.is_empty() {
        uvs = of("UV");
    }
    for color in of("COLOR").iter().skip(1) {
        let name = format!("COLOR {}", color.set);
        counts.losses.add(Loss::Attribute, place, &name);
    }
    for wire in &all {
        if let Treatment::Lost(loss) = schema::semantic(wire.semantic) {
            counts.losses.add(loss, place, wire.semantic);
        }
    }
    counts.uv_sets += usize::from(uvs.len() > MOST_UV_SETS);
    uvs.truncate(MOST_UV_SETS);
    let stride = inputs(group).map(|w| w.offset).max()?.checked_add(1)?;
    Some(Wires {
        stride: stride.min(64),
        position: first("POSITION")?,
        normal: first("NORMAL"),
        color: first("COLOR"),
        uvs: uvs.iter().map(|w| (w.source, w.offset)).collect(),
        sets: uvs.iter().map(|w| w.set).collect(),
    })
}

/// What an instance binds to a symbol.
pub struct Binding<'a> {
    pub material: &'a str,
    /// UV set by the name that the effect uses.
    sets: HashMap<&'a str, usize>,
}

/// The bindings of an instance by symbol.
pub fn bindings<'a>(instance: Xml<'a>) -> HashMap<&'a str, Binding<'a>> {
    let common = super::xml::path(instance, &["bind_material", "technique_common"]);
    let materials = common
        .into_iter()
        .flat_map(|c| named(c, "instance_material"));
    let read = |xml: Xml<'a>| {
        let inputs = named(xml, "bind_vertex_input").filter(|i| {
            let kind = i.attribute("input_semantic");
            kind.is_none_or(|kind| kind == "TEXCOORD")
        });
        let set = |i: Xml<'a>| {
            Some((
                i.attribute("semantic")?,
                number(i, "input_set").unwrap_or(0),
            ))
        };
        let binding = Binding {
            material: local(xml.attribute("target")?)?,
            sets: inputs.filter_map(set).collect(),
        };
        Some((xml.attribute("symbol")?, binding))
    };
    materials.filter_map(read).collect()
}

impl Part<'_> {
    /// The index among the sets that were read of the one that an effect names. Without a binding exporters mean the
    /// number in the name (`UVSET1`, `CHANNEL2`).
    pub fn set_of(&self, name: &str, binding: Option<&Binding>) -> u32 {
        let bound = binding.and_then(|b| b.sets.get(name).copied());
        let set = bound.or_else(|| {
            let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
            let end = digits.find(|c: char| !c.is_ascii_digit());
            digits[..end.unwrap_or(digits.len())].parse().ok()
        });
        let place = set.and_then(|set| self.sets.iter().position(|own| *own == set));
        place.unwrap_or(0) as u32
    }
}
