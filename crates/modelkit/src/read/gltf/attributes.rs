//! Attributes of the vertices of a glTF. Only positions are essential: others that are unusable are left out and told.

use super::accessor::Accessors;
use super::json::Attributes;
use super::lost::{Loss, reason};
use crate::scene::{Custom, MorphTarget, Primitive, SkinSet};
use crate::{Error, Result};

/// Sets of texture coordinates and of joints that are read.
pub const UV_SETS: u32 = 8;
pub const SKIN_SETS: u32 = 4;

pub struct Reader<'a> {
    pub accessors: &'a Accessors<'a>,
    /// Rows of the positions in the file.
    pub count: usize,
    pub lost: &'a mut dyn FnMut(Loss, &str),
}

impl Reader<'_> {
    pub fn read(&mut self, attributes: &Attributes, primitive: &mut Primitive) -> Result<()> {
        let floats3 = |a: &Accessors, i| a.floats::<3>(i);
        let floats4 = |a: &Accessors, i| a.floats::<4>(i);
        primitive.normals = self.column(attributes, "NORMAL", floats3)?;
        primitive.tangents = self.column(attributes, "TANGENT", floats4)?;
        primitive.colors = self.column(attributes, "COLOR_0", colors)?;
        self.uvs(attributes, primitive)?;
        self.skin_sets(attributes, primitive)?;
        self.custom(attributes, primitive)
    }

    pub fn morph_target(&mut self, json: &Attributes) -> Result<MorphTarget> {
        let floats = |a: &Accessors, i| a.floats::<3>(i);
        Ok(MorphTarget {
            positions: self.column(json, "POSITION", floats)?,
            normals: self.column(json, "NORMAL", floats)?,
            tangents: self.column(json, "TANGENT", floats)?,
        })
    }

    /// The rows of an attribute; none if there are none or they are unusable.
    fn column<T>(
        &mut self,
        attributes: &Attributes,
        name: &str,
        read: impl Fn(&Accessors, u32) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        match attributes.get(name) {
            Some(i) => Ok(self.usable(name, i, read)?.unwrap_or_default()),
            None => Ok(Vec::new()),
        }
    }

    /// The data of an accessor with a row for each vertex; `None`, and told, if it is unusable.
    fn usable<T>(
        &mut self,
        name: &str,
        index: u32,
        read: impl Fn(&Accessors, u32) -> Result<T>,
    ) -> Result<Option<T>> {
        let rows = self.accessors.count(index);
        let why = match rows.and_then(|rows| Ok((rows, read(self.accessors, index)?))) {
            Ok((rows, data)) if rows == self.count => return Ok(Some(data)),
            Ok((rows, _)) => format!("有 {rows} 行，顶点却有 {} 个", self.count),
            Err(Error::Corrupt(why)) => reason(&why).to_owned(),
            Err(other) => return Err(other),
        };
        (self.lost)(Loss::Unusable, &format!("{name}（{why}）"));
        Ok(None)
    }

    fn uvs(&mut self, attributes: &Attributes, primitive: &mut Primitive) -> Result<()> {
        let mut sets = Vec::new();
        for set in 0..UV_SETS {
            let name = format!("TEXCOORD_{set}");
            let Some(i) = attributes.get(&name) else {
                break;
            };
            sets.push(self.usable(&name, i, |a, i| a.floats::<2>(i))?);
        }
        while sets.pop_if(|set| set.is_none()).is_some() {}
        // Materials refer to sets by number: one that is unusable keeps its place.
        let rows = primitive.positions.len();
        let sets = sets.into_iter();
        primitive.uvs = sets
            .map(|set| set.unwrap_or_else(|| vec![[0.0; 2]; rows]))
            .collect();
        Ok(())
    }

    fn skin_sets(&mut self, attributes: &Attributes, primitive: &mut Primitive) -> Result<()> {
        for set in 0..SKIN_SETS {
            let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
            let both = attributes.get(&joints).zip(attributes.get(&weights));
            let Some((at_joints, at_weights)) = both else {
                break;
            };
            let found = self.usable(&joints, at_joints, |a, i| a.integers::<4>(i))?;
            let weights = self.usable(&weights, at_weights, |a, i| a.floats::<4>(i))?;
            let (Some(found), Some(weights)) = (found, weights) else {
                break;
            };
            let narrow = |j: u32| u16::try_from(j).unwrap_or(u16::MAX);
            let joints = found.into_iter().map(|row| row.map(narrow)).collect();
            primitive.skin_sets.push(SkinSet { joints, weights });
        }
        Ok(())
    }

    fn custom(&mut self, attributes: &Attributes, primitive: &mut Primitive) -> Result<()> {
        for (name, i) in attributes.iter().filter(|(n, _)| n.starts_with('_')) {
            if self.accessors.is_matrix(i) {
                continue;
            }
            if let Some((values, width)) = self.usable(name, i, |a, i| a.flat(i))? {
                let name = name.to_owned();
                primitive.custom.push(Custom {
                    name,
                    width,
                    values,
                });
            }
        }
        Ok(())
    }
}

fn colors(accessors: &Accessors, index: u32) -> Result<Vec<[f32; 4]>> {
    if accessors.width(index)? == 3 {
        let rows = accessors.floats::<3>(index)?;
        return Ok(rows.into_iter().map(|[r, g, b]| [r, g, b, 1.0]).collect());
    }
    accessors.floats::<4>(index)
}
