//! `<controller>`: skins, morphs, and one on top of the other.

use super::Reading;
use super::lost::Loss;
use super::source::{Rows, input_source, names};
use super::xml::{Xml, child, local, title};
use crate::limits::Limits;
use crate::scene::{Mesh, MorphTarget};
use crate::{Ctx, Result};
use std::collections::HashMap;

/// Most controllers on top of each other.
const MOST_CHAINED: usize = 16;

/// What a controller shows: a geometry, whose shape is changed first and then moved by joints.
pub struct Chain<'a> {
    pub geometry: &'a str,
    pub morph: Option<Xml<'a>>,
    pub skin: Option<Xml<'a>>,
}

impl<'a> Reading<'a> {
    /// Follows the sources of a controller to its geometry. More than one skin or morph is told.
    pub fn chain(&mut self, controller: Xml<'a>) -> Option<Chain<'a>> {
        let (mut morph, mut skin) = (None, None);
        let mut at = controller;
        for _ in 0..MOST_CHAINED {
            let own = ["skin", "morph"].iter().find_map(|name| child(at, name))?;
            let slot = match own.tag_name().name() {
                "skin" => &mut skin,
                _ => &mut morph,
            };
            match slot {
                None => *slot = Some(own),
                Some(_) => {
                    let place = ("控制器", title(at));
                    let place = (place.0, place.1.as_str(), 0);
                    self.counts.losses.add(Loss::Chained, place, "");
                }
            }
            let source = own
                .attribute("source")
                .or_else(|| child(own, "source")?.attribute("url"));
            let id = local(source?)?;
            match self.ids.get(id).copied() {
                Some(next) if next.tag_name().name() == "controller" => at = next,
                _ => {
                    return Some(Chain {
                        geometry: id,
                        morph,
                        skin,
                    });
                }
            }
        }
        None
    }

    /// A new mesh of a geometry, with one material for each part and the targets of a morph.
    pub fn shaped(
        &mut self,
        id: &'a str,
        materials: &[Option<u32>],
        morph: Option<Xml<'a>>,
        ctx: &Ctx,
    ) -> Result<Option<Mesh>> {
        let Some(geometry) = self.geometries.get(id) else {
            return Ok(None);
        };
        let mut mesh = Mesh {
            name: geometry.name.clone(),
            ..Mesh::default()
        };
        for (part, material) in geometry.parts.iter().zip(materials) {
            let mut primitive = part.primitive.clone();
            primitive.material = *material;
            mesh.primitives.push(primitive);
        }
        if let Some(morph) = morph {
            self.morph(&mut mesh, morph, id, ctx)?;
        }
        Ok(Some(mesh))
    }

    fn morph(&mut self, mesh: &mut Mesh, morph: Xml<'a>, id: &'a str, ctx: &Ctx) -> Result<()> {
        let Some(table) = child(morph, "targets") else {
            return Ok(());
        };
        let ids = input_source(&self.ids, table, "MORPH_TARGET").map_or(Vec::new(), names);
        let weights = input_source(&self.ids, table, "MORPH_WEIGHT");
        let weights = weights.and_then(|source| Rows::read(&self.ids, source));
        let is_relative = morph.attribute("method") == Some("RELATIVE");
        let mut shapes: HashMap<&str, Option<(Rows, [f64; 3])>> = HashMap::new();
        for (i, word) in ids.into_iter().enumerate() {
            let target = local(word).unwrap_or(word);
            let here: usize = mesh.primitives.iter().map(|p| p.positions.len()).sum();
            self.counts.vertices += here;
            Limits::check("顶点", self.counts.vertices, ctx.limits.vertices)?;
            let shape = shapes
                .entry(target)
                .or_insert_with(|| self.positions(target));
            if shape.is_none() {
                let place = ("网格", mesh.name.as_str(), 0);
                self.counts.losses.add(Loss::Target, place, target);
            }
            self.displaced(mesh, id, shape.as_ref(), is_relative);
            if !is_relative {
                self.turned(mesh, id, target, ctx)?;
            }
            let weight = weights.as_ref().and_then(|w| w.get::<1>(i, 0.0));
            let weight = weight.map_or(0.0, |[w]| w);
            mesh.weights
                .push(if weight.is_finite() { weight } else { 0.0 });
            let name = self.ids.get(target).copied().map_or(String::new(), title);
            mesh.target_names.push(name);
        }
        Ok(())
    }

    /// Adds a target to every primitive. Its positions are displacements already if they are relative.
    fn displaced(
        &self,
        mesh: &mut Mesh,
        id: &str,
        shape: Option<&(Rows, [f64; 3])>,
        is_relative: bool,
    ) {
        let Some(geometry) = self.geometries.get(id) else {
            return;
        };
        for (part, primitive) in geometry.parts.iter().zip(&mut mesh.primitives) {
            let moved = |(source, base): (&u32, &[f32; 3])| -> [f32; 3] {
                let Some((rows, origin)) = shape else {
                    return [0.0; 3];
                };
                let Some(place) = rows.get::<3>(*source as usize, 0.0) else {
                    return [0.0; 3];
                };
                let delta: [f64; 3] = std::array::from_fn(|k| match is_relative {
                    true => f64::from(place[k]) + origin[k],
                    false => {
                        f64::from(place[k]) - f64::from(base[k]) + origin[k] - geometry.origin[k]
                    }
                });
                match delta.iter().all(|v| v.is_finite()) {
                    true => delta.map(|v| v as f32),
                    false => [0.0; 3],
                }
            };
            let positions = part.origin.iter().zip(&primitive.positions).map(moved);
            let positions = positions.collect();
            primitive.targets.push(MorphTarget {
                positions,
                ..MorphTarget::default()
            });
        }
    }

    /// Adds the turns of normals to the last target, if its geometry has the same corners.
    fn turned(&mut self, mesh: &mut Mesh, id: &str, target: &'a str, ctx: &Ctx) -> Result<()> {
        self.geometry(target, ctx)?;
        let (Some(base), Some(shape)) = (self.geometries.get(id), self.geometries.get(target))
        else {
            return Ok(());
        };
        let same = |(a, b): (&super::geometry::Part, &super::geometry::Part)| {
            a.origin == b.origin && a.primitive.indices == b.primitive.indices
        };
        if base.parts.len() != shape.parts.len() || !base.parts.iter().zip(&shape.parts).all(same) {
            return Ok(());
        }
        for (primitive, part) in mesh.primitives.iter_mut().zip(&shape.parts) {
            let pairs = primitive.normals.iter().zip(&part.primitive.normals);
            let turns = pairs.map(|(a, b)| [b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
            let turns = turns.collect();
            if let Some(last) = primitive.targets.last_mut() {
                last.normals = turns;
            }
        }
        Ok(())
    }
}
