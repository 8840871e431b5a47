//! `<geometry>`: triangulates polygons, merges equal corners into vertices.

use super::material::both_sides;
use super::source::{Rows, Wire, inputs};
use super::xml::{Xml, child, indices, local, named, number};
use super::{Counts, Reading};
use crate::limits::Limits;
use crate::read::normals::{self, Faces};
use crate::read::polygon::Cutter;
use crate::read::uv_binding::MOST_UV_SETS;
use crate::read::{Format, colour};
use crate::scene::{Mode, Primitive};
use crate::{Ctx, Result};
use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// Indices of a corner's position, normal, colour and UVs: as many as the polygons have, two at least.
type Corner<const N: usize> = [u32; N];
const FEW: usize = 3 + 2;
const MOST: usize = 3 + MOST_UV_SETS;

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

/// The sources of one group of polygons.
struct Wires<'a> {
    stride: usize,
    position: (&'a str, usize),
    normal: Option<(&'a str, usize)>,
    color: Option<(&'a str, usize)>,
    uvs: Vec<(&'a str, usize)>,
    sets: Vec<usize>,
}

/// Arrays of one mesh by source id.
type Sources<'a> = HashMap<&'a str, Rows>;

impl<'a> Reading<'a> {
    /// Reads the geometry with that id, once.
    pub fn geometry(&mut self, id: &'a str, ctx: &Ctx) -> Result<Option<&Geometry<'a>>> {
        if !self.geometries.contains_key(id) {
            let mesh = self
                .ids
                .get(id)
                .and_then(|g| Some((*g, child(*g, "mesh")?)));
            let Some((geometry, mesh)) = mesh else {
                return Ok(None);
            };
            let metres = self.scene.units.meters_per_unit;
            let mut made = read(mesh, metres, &mut self.counts, ctx)?;
            made.name = super::xml::title(geometry);
            made.both_sides = both_sides([geometry, mesh]);
            self.geometries.insert(id, made);
        }
        Ok(self.geometries.get(id))
    }
}

fn read<'a>(mesh: Xml<'a>, metres: f64, counts: &mut Counts, ctx: &Ctx) -> Result<Geometry<'a>> {
    let vertices = child(mesh, "vertices");
    let places = vertices.and_then(|v| inputs(v).find(|w| w.semantic == "POSITION"));
    let mut geometry = Geometry::default();
    let mut sources = Sources::new();
    for source in named(mesh, "source") {
        let Some(id) = source.attribute("id") else {
            continue;
        };
        let rows = if places.is_some_and(|w| w.source == id) {
            Rows::places(source, metres).map(|(rows, origin)| {
                geometry.origin = origin;
                rows
            })
        } else {
            Rows::read(source)
        };
        sources.extend(rows.map(|rows| (id, rows)));
    }
    for group in mesh.children().filter(|c| c.is_element()) {
        let kind = group.tag_name().name();
        let known = [
            "triangles",
            "polylist",
            "polygons",
            "tristrips",
            "trifans",
            "lines",
            "linestrips",
        ];
        if !known.contains(&kind) {
            continue;
        }
        let Some(wires) = wires(group, vertices, counts) else {
            continue;
        };
        let make = match wires.uvs.len() + 3 <= FEW {
            true => part::<FEW>,
            false => part::<MOST>,
        };
        geometry
            .parts
            .extend(make(group, wires, &sources, counts, ctx)?);
    }
    Ok(geometry)
}

/// Error: too many vertices.
fn part<'a, const N: usize>(
    group: Xml<'a>,
    wires: Wires<'a>,
    sources: &Sources,
    counts: &mut Counts,
    ctx: &Ctx,
) -> Result<Option<Part<'a>>> {
    let kind = group.tag_name().name();
    let corners = corners::<N>(group, kind, &wires, sources, counts);
    counts.vertices += corners.len();
    Limits::check("顶点", counts.vertices, ctx.limits.vertices)?;
    if corners.is_empty() {
        return Ok(None);
    }
    let lines = kind.starts_with("line");
    let (primitive, origin) = primitive(corners, &wires, sources, lines);
    Ok(Some(Part {
        symbol: group.attribute("material").unwrap_or(""),
        primitive,
        origin,
        sets: wires.sets,
    }))
}

fn wires<'a>(group: Xml<'a>, vertices: Option<Xml<'a>>, counts: &mut Counts) -> Option<Wires<'a>> {
    let mut all: Vec<Wire> = Vec::new();
    for wire in inputs(group) {
        match vertices {
            Some(shared) if wire.semantic == "VERTEX" => {
                all.extend(inputs(shared).map(|own| Wire {
                    offset: wire.offset,
                    ..own
                }))
            }
            _ => all.push(wire),
        }
    }
    let find = |semantic: &str| {
        let wire = all.iter().find(|w| w.semantic == semantic)?;
        Some((wire.source, wire.offset))
    };
    let mut uvs: Vec<&Wire> = all.iter().filter(|w| w.semantic == "TEXCOORD").collect();
    uvs.sort_by_key(|w| w.set);
    counts.uv_sets += usize::from(uvs.len() > MOST_UV_SETS);
    uvs.truncate(MOST_UV_SETS);
    let stride = inputs(group).map(|w| w.offset).max()?.checked_add(1)?;
    Some(Wires {
        stride: stride.min(64),
        position: find("POSITION")?,
        normal: find("NORMAL"),
        color: find("COLOR"),
        uvs: uvs.iter().map(|w| (w.source, w.offset)).collect(),
        sets: uvs.iter().map(|w| w.set).collect(),
    })
}

/// Corners of all triangles (or line ends) of a group; polygons with a corner without position are left out.
fn corners<const N: usize>(
    group: Xml<'_>,
    kind: &str,
    wires: &Wires,
    sources: &Sources,
    counts: &mut Counts,
) -> Vec<Corner<N>> {
    let mut out = Vec::new();
    let mut cutter = Cutter::default();
    let positions = sources.get(wires.position.0);
    let point = |c: &Corner<N>| positions.and_then(|p| p.get::<3>(c[0] as usize, 0.0));
    let mut add = |polygon: &[Corner<N>], out: &mut Vec<Corner<N>>| {
        let points: Option<Vec<[f32; 3]>> = polygon.iter().map(point).collect();
        if let Some(points) = points {
            cutter.cut(&points, |t| out.extend(t.map(|k| polygon[k])));
        }
    };
    let mut sizes = child(group, "vcount").into_iter().flat_map(indices);
    let lists = named(group, "p").chain(named(group, "ph").filter_map(|ph| child(ph, "p")));
    for list in lists {
        let flat: Vec<u32> = indices(list).collect();
        let rows: Vec<Corner<N>> = flat
            .chunks_exact(wires.stride)
            .map(|row| corner(row, wires))
            .collect();
        match kind {
            "polylist" => {
                let mut rest = &rows[..];
                for count in sizes.by_ref() {
                    let Some((polygon, more)) = rest.split_at_checked(count as usize) else {
                        break;
                    };
                    add(polygon, &mut out);
                    rest = more;
                }
            }
            "polygons" => add(&rows, &mut out),
            "tristrips" => {
                for (i, t) in rows.windows(3).enumerate() {
                    let t = if i % 2 == 0 {
                        [t[0], t[1], t[2]]
                    } else {
                        [t[1], t[0], t[2]]
                    };
                    add(&t, &mut out);
                }
            }
            "trifans" => {
                for pair in rows.get(1..).unwrap_or(&[]).windows(2) {
                    add(&[rows[0], pair[0], pair[1]], &mut out);
                }
            }
            "lines" => out.extend(rows.as_chunks::<2>().0.iter().flatten()),
            "linestrips" => rows.windows(2).for_each(|pair| out.extend(pair)),
            _ => rows
                .as_chunks::<3>()
                .0
                .iter()
                .for_each(|t| add(t, &mut out)),
        }
    }
    counts.given_up += cutter.given_up;
    counts.holes += named(group, "ph").flat_map(|ph| named(ph, "h")).count();
    if kind.starts_with("line") {
        let whole = |pair: &&[Corner<N>; 2]| pair.iter().all(|c| point(c).is_some());
        return out
            .as_chunks::<2>()
            .0
            .iter()
            .filter(whole)
            .flatten()
            .copied()
            .collect();
    }
    out
}

fn corner<const N: usize>(row: &[u32], wires: &Wires) -> Corner<N> {
    let at = |offset: usize| row.get(offset).copied().unwrap_or(NONE);
    let mut corner = [NONE; N];
    corner[0] = at(wires.position.1);
    corner[1] = wires.normal.map_or(NONE, |(_, offset)| at(offset));
    corner[2] = wires.color.map_or(NONE, |(_, offset)| at(offset));
    for (to, (_, offset)) in corner[3..].iter_mut().zip(&wires.uvs) {
        *to = at(*offset);
    }
    corner
}

/// Merges equal corners into vertices; also returns the position each came from.
fn primitive<const N: usize>(
    mut corners: Vec<Corner<N>>,
    wires: &Wires,
    sources: &Sources,
    lines: bool,
) -> (Primitive, Vec<u32>) {
    let rows = |wire: Option<(&str, usize)>| wire.and_then(|(source, _)| sources.get(source));
    let positions = rows(Some(wires.position));
    let normals = rows(wires.normal);
    let colors = rows(wires.color);
    let made = match (lines, positions) {
        (false, Some(positions)) => made_normals(&mut corners, positions, normals),
        _ => Vec::new(),
    };
    let mut p = Primitive {
        mode: if lines { Mode::Lines } else { Mode::Triangles },
        uvs: vec![Vec::new(); if lines { 0 } else { wires.uvs.len() }],
        ..Primitive::default()
    };
    let mut known: HashMap<Corner<N>, u32> = HashMap::new();
    let mut origin = Vec::new();
    for corner in corners {
        let next = origin.len() as u32;
        let index = *known.entry(corner).or_insert(next);
        p.indices.push(index);
        if index != next {
            continue;
        }
        origin.push(corner[0]);
        let position = positions.and_then(|r| r.get(corner[0] as usize, 0.0));
        p.positions.push(position.unwrap_or([f32::NAN; 3]));
        if !lines {
            let given = normals.and_then(|r| r.get::<3>(corner[1] as usize, 0.0));
            let unit = given.and_then(normals::normalize);
            let own = made.get(corner[1].wrapping_sub(BASE) as usize).copied();
            p.normals.push(own.or(unit).unwrap_or([0.0, 1.0, 0.0]));
        }
        for (k, uvs) in p.uvs.iter_mut().enumerate() {
            let uv = rows(wires.uvs.get(k).copied())
                .and_then(|r| r.get::<2>(corner[3 + k] as usize, 0.0));
            let [u, v] = uv
                .filter(|uv| uv.iter().all(|c| c.is_finite()))
                .unwrap_or([0.0; 2]);
            uvs.push([u, 1.0 - v]);
        }
        if colors.is_some() && !lines {
            let color = colors.and_then(|r| r.get::<4>(corner[2] as usize, 1.0));
            let color = color.unwrap_or([1.0; 4]).map(|c| match c.is_finite() {
                true => c.clamp(0.0, 1.0),
                false => 1.0,
            });
            p.colors.push(colour::linear_rgba(Format::Dae, color));
        }
    }
    (p, origin)
}

/// Generated normals are numbered from here, above any row of a file.
const BASE: u32 = 1 << 31;

/// Generates normals for triangles in which one is missing or zero; their corners refer to them from [`BASE`] on.
fn made_normals<const N: usize>(
    corners: &mut [Corner<N>],
    positions: &Rows,
    given: Option<&Rows>,
) -> Vec<[f32; 3]> {
    let good = |c: &Corner<N>| {
        let normal = given.and_then(|r| r.get::<3>(c[1] as usize, 0.0));
        normal.and_then(normals::normalize).is_some()
    };
    let lacking: Vec<usize> = (0..corners.len() / 3)
        .filter(|t| !corners[t * 3..t * 3 + 3].iter().all(good))
        .collect();
    if lacking.is_empty() {
        return Vec::new();
    }
    let points: Vec<[f32; 3]> = (0..positions.len())
        .map(|i| positions.get(i, 0.0).unwrap_or_default())
        .collect();
    let flat: Vec<u32> = lacking
        .iter()
        .flat_map(|t| corners[t * 3..t * 3 + 3].iter().map(|c| c[0]))
        .collect();
    let made = normals::creased(&Faces {
        positions: &points,
        corners: &flat,
        groups: &[],
        bits: false,
    });
    let slots = lacking.iter().flat_map(|t| t * 3..t * 3 + 3);
    for (slot, normal) in slots.zip(&made.corners) {
        corners[slot][1] = BASE + normal;
    }
    made.normals
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
