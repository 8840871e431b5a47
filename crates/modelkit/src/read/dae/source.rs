//! `<source>` elements: arrays divided into rows.

use super::xml::{Xml, child, doubles, floats, local, named, number, path};
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

impl Rows {
    /// A `<source>` with a `<float_array>`.
    pub fn read(source: Xml<'_>) -> Option<Rows> {
        let array = child(source, "float_array")?;
        let values: Vec<f32> = floats(array).collect();
        let accessor = path(source, &["technique_common", "accessor"]);
        let stride = accessor
            .and_then(|a| number(a, "stride"))
            .unwrap_or(1)
            .max(1);
        let offset = accessor.and_then(|a| number(a, "offset")).unwrap_or(0);
        // The declared count can only reduce the number of rows.
        let there = values.len().saturating_sub(offset) / stride;
        let count = accessor.and_then(|a| number(a, "count")).unwrap_or(there);
        Some(Rows {
            values,
            stride,
            offset,
            count: count.min(there),
        })
    }

    /// A `<source>` of positions, and the origin that they count from. `metres` is the length of a unit.
    pub fn places(source: Xml<'_>, metres: f64) -> Option<(Rows, [f64; 3])> {
        let rows = Rows::read(source)?;
        if !rows.values.iter().any(|v| f64::from(v.abs()) >= FAR) {
            return Some((rows, [0.0; 3]));
        }
        let array = child(source, "float_array")?;
        let exact: Vec<f64> = doubles(array).collect();
        let place = |index: usize| -> Option<[f64; 3]> {
            let start = rows.offset + index * rows.stride;
            exact.get(start..start + 3)?.try_into().ok()
        };
        let origin = origin::middle_of((0..rows.count).filter_map(place), metres);
        let values = exact.iter().enumerate().map(|(i, v)| {
            let axis = (i + rows.stride - rows.offset % rows.stride) % rows.stride;
            (v - origin.get(axis).unwrap_or(&0.0)) as f32
        });
        let values = values.collect();
        Some((Rows { values, ..rows }, origin))
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn width(&self) -> usize {
        self.stride
    }

    /// Row `index`, all its components.
    pub fn row(&self, index: usize) -> Option<&[f32]> {
        let start = self.offset + index.checked_mul(self.stride)?;
        let within = index < self.count;
        within.then(|| self.values.get(start..start + self.stride))?
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

/// Names of a `<Name_array>` or `<IDREF_array>`.
pub fn names(source: Xml<'_>) -> Vec<&str> {
    let array = child(source, "Name_array").or_else(|| child(source, "IDREF_array"));
    let text = array.and_then(|a| a.text()).unwrap_or("");
    text.split_ascii_whitespace().collect()
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
pub fn input_source<'a>(
    ids: &HashMap<&'a str, Xml<'a>>,
    node: Xml<'a>,
    semantic: &str,
) -> Option<Xml<'a>> {
    let wire = inputs(node).find(|wire| wire.semantic == semantic)?;
    ids.get(wire.source).copied()
}
