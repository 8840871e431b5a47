//! Helpers for the XML tree.

use crate::read::{encoding, text};
use std::collections::HashMap;

pub type Xml<'a> = roxmltree::Node<'a, 'a>;

/// First child element with that name, in any namespace.
pub fn child<'a>(node: Xml<'a>, name: &str) -> Option<Xml<'a>> {
    node.children().find(|c| c.tag_name().name() == name)
}

/// The element at the end of a path of first children.
pub fn path<'a>(node: Xml<'a>, names: &[&str]) -> Option<Xml<'a>> {
    names.iter().try_fold(node, |at, name| child(at, name))
}

/// Child elements with that name.
pub fn named<'a>(node: Xml<'a>, name: &'static str) -> impl Iterator<Item = Xml<'a>> {
    node.children().filter(move |c| c.tag_name().name() == name)
}

/// Elements by `id`; of equal ones the first.
pub fn ids(root: Xml<'_>) -> HashMap<&str, Xml<'_>> {
    let mut ids = HashMap::new();
    for node in root.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert(node);
        }
    }
    ids
}

/// The id in `#id`; `None` for references into other files.
pub fn local(url: &str) -> Option<&str> {
    url.trim().strip_prefix('#')
}

/// Numbers of an element's text; an invalid one becomes NaN, so that positions stay right.
pub fn floats(node: Xml<'_>) -> impl Iterator<Item = f32> {
    doubles(node).map(|value| value as f32)
}

/// The same in double precision, for places.
pub fn doubles(node: Xml<'_>) -> impl Iterator<Item = f64> {
    let words = node.text().unwrap_or("").split_ascii_whitespace();
    words.map(|word| text::parse_f64(word.as_bytes()).unwrap_or(f64::NAN))
}

/// Integers of an element's text; an invalid one (also -1) becomes `u32::MAX`.
pub fn indices(node: Xml<'_>) -> impl Iterator<Item = u32> {
    let words = node.text().unwrap_or("").split_ascii_whitespace();
    words.map(|word| word.parse().unwrap_or(u32::MAX))
}

/// An attribute as a number.
pub fn number(node: Xml<'_>, name: &str) -> Option<usize> {
    node.attribute(name)?.trim().parse().ok()
}

/// `name`, else `id`, shortened and without control characters.
pub fn title(node: Xml<'_>) -> String {
    let name = node.attribute("name").or_else(|| node.attribute("id"));
    encoding::clean(name.unwrap_or("").trim())
}
