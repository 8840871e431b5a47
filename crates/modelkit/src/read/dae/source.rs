//! `<source>` elements: arrays divided into rows.

use super::xml::{Ids, Xml, child, doubles, floats, local, named, number, path, words};
use crate::read::origin;
use crate::scene::FAR;
use std::collections::HashMap;

/// Rows of floats.
#[derive(Default)]
pub struct Rows {
    values: Vec<f32>,
    stride: usize,
    offset: usize,
    count: usize,
}

/// How an accessor divides its array.
struct Layout {
    stride: usize,
    offset: usize,
    count: Option<usize>,
    /// The values of a row that its parameters name, if some have no name: such are not to be read.
    named: Option<Vec<usize>>,
}

impl Layout {
    fn of(source: Xml<'_>) -> Layout {
        let accessor = path(source, &["technique_common", "accessor"]);
        let attribute = |name: &str| accessor.and_then(|a| number(a, name));
        let params = accessor.into_iter().flat_map(|a| named(a, "param"));
        let has_name = |p: Xml| p.attribute("name").is_some_and(|name| !name.is_empty());
        let stride = attribute("stride").unwrap_or(1).max(1);
        let has_names: Vec<bool> = params.take(stride).map(has_name).collect();
        let places = (0..has_names.len()).filter(|k| has_names[*k]);
        let named: Vec<usize> = places.collect();
        Layout {
            stride,
            offset: attribute("offset").unwrap_or(0),
            count: attribute("count"),
            named: (!named.is_empty() && named.len() < has_names.len()).then_some(named),
        }
    }

    /// Leaves out what has no name.
    fn pick<T: Copy>(&self, values: Vec<T>) -> Vec<T> {
        let Some(named) = &self.named else {
            return values;
        };
        let start = self.offset.min(values.len());
        let rows = values[start..].chunks(self.stride);
        rows.flat_map(|row| named.iter().filter_map(|k| row.get(*k).copied()))
            .collect()
    }

    fn rows(&self, values: Vec<f32>) -> Rows {
        let there = values.len().saturating_sub(self.offset) / self.stride;
        let (stride, offset) = match &self.named {
            Some(named) => (named.len(), 0),
            None => (self.stride, self.offset),
        };
        Rows {
            values: self.pick(values),
            stride,
            offset,
            // The declared count can only reduce the number of rows.
            count: self.count.unwrap_or(there).min(there),
        }
    }
}

/// The array of numbers that a source's accessor refers to, which may be another source's.
fn array<'a>(ids: &Ids<'a>, source: Xml<'a>) -> Option<Xml<'a>> {
    let is_array = |node: &Xml| {
        let name = node.tag_name().name();
        matches!(name, "float_array" | "int_array")
    };
    let own = source.children().find(is_array);
    own.or_else(|| {
        let accessor = path(source, &["technique_common", "accessor"])?;
        let id = local(accessor.attribute("source")?)?;
        ids.get(id).copied().filter(is_array)
    })
}

impl Rows {
    /// A `<source>` with numbers.
    pub fn read<'a>(ids: &Ids<'a>, source: Xml<'a>) -> Option<Rows> {
        let values = floats(array(ids, source)?).collect();
        Some(Layout::of(source).rows(values))
    }

    /// A `<source>` of positions, and the origin that they count from. `metres` is the length of a unit.
    pub fn places<'a>(ids: &Ids<'a>, source: Xml<'a>, metres: f64) -> Option<(Rows, [f64; 3])> {
        let array = array(ids, source)?;
        let layout = Layout::of(source);
        let rows = layout.rows(floats(array).collect());
        let far = rows.values.iter().any(|v| f64::from(v.abs()) >= FAR);
        if !far || rows.count == 0 {
            return Some((rows, [0.0; 3]));
        }
        let exact: Vec<f64> = layout.pick(doubles(array).collect());
        let body = exact.get(rows.offset..)?;
        let place = |row: &[f64]| -> Option<[f64; 3]> { row.get(..3)?.try_into().ok() };
        let places = body.chunks(rows.stride).take(rows.count);
        let origin = origin::middle_of(places.filter_map(place), metres);
        let mut axis = 0;
        let near = |v: &f64| {
            let base = origin.get(axis).copied().unwrap_or(0.0);
            axis = if axis + 1 == rows.stride { 0 } else { axis + 1 };
            (v - base) as f32
        };
        let rows = Rows {
            values: body.iter().map(near).collect(),
            offset: 0,
            ..rows
        };
        Some((rows, origin))
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Numbers of a row.
    pub fn width(&self) -> usize {
        self.stride
    }

    /// Row `index`, all its components.
    pub fn row(&self, index: usize) -> Option<&[f32]> {
        if index >= self.count {
            return None;
        }
        // Within the values, as the count was held against them.
        let start = index.checked_mul(self.stride)?.checked_add(self.offset)?;
        self.values.get(start..start.checked_add(self.stride)?)
    }

    /// The first `N` components of row `index`; missing ones are `fill`.
    pub fn get<const N: usize>(&self, index: usize, fill: f32) -> Option<[f32; N]> {
        let row = self.row(index)?;
        let mut out = [fill; N];
        for (to, from) in out.iter_mut().zip(row) {
            *to = *from;
        }
        Some(out)
    }
}

/// Names of a `<Name_array>`, `<IDREF_array>` or, of 1.5, `<SIDREF_array>`.
pub fn names<'a>(source: Xml<'a>) -> Vec<&'a str> {
    let arrays = ["Name_array", "IDREF_array", "SIDREF_array"];
    let array = arrays.iter().find_map(|name| child(source, name));
    array.into_iter().flat_map(words).collect()
}

/// An `<input>`: its semantic, its source, and its offset within a corner.
#[derive(Clone, Copy)]
pub struct Wire<'a> {
    pub semantic: &'a str,
    pub source: &'a str,
    pub offset: usize,
    pub set: usize,
}

pub fn inputs<'a>(node: Xml<'a>) -> impl Iterator<Item = Wire<'a>> {
    named(node, "input").filter_map(|input| {
        Some(Wire {
            semantic: input.attribute("semantic")?,
            source: local(input.attribute("source")?)?,
            offset: number(input, "offset").unwrap_or(0),
            set: number(input, "set").unwrap_or(0),
        })
    })
}

/// The `<source>` that an element's input with this semantic refers to.
pub fn input_source<'a>(ids: &Ids<'a>, node: Xml<'a>, semantic: &str) -> Option<Xml<'a>> {
    let wire = inputs(node).find(|wire| wire.semantic == semantic)?;
    ids.get(wire.source).copied()
}

/// The sources of one group of polygons.
pub struct Wires<'a> {
    pub stride: usize,
    pub position: (&'a str, usize),
    pub normal: Option<(&'a str, usize)>,
    pub color: Option<(&'a str, usize)>,
    pub uvs: Vec<(&'a str, usize)>,
    /// Numbers of the UV sets.
    pub sets: Vec<usize>,
}

/// Arrays of one mesh by source id.
pub type Sources<'a> = HashMap<&'a str, Rows>;

impl<'a> Wires<'a> {
    pub fn sources(&self) -> impl Iterator<Item = &'a str> {
        let single = [Some(self.position), self.normal, self.color];
        let all = single.into_iter().flatten().chain(self.uvs.iter().copied());
        all.map(|(source, _)| source)
    }
}
