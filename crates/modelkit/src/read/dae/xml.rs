//! Helpers for the XML tree.

use crate::read::names::percent_decoded;
use crate::read::{encoding, text};
use std::collections::HashMap;

pub type Xml<'a> = roxmltree::Node<'a, 'a>;

/// Elements by the names that references know them by.
pub type Ids<'a> = HashMap<&'a str, Xml<'a>>;

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

/// Elements by `id`, of equal ones the first; and by the escaped spelling of an id in a URI (RFC 3986, 2.1).
pub fn ids(root: Xml<'_>) -> Ids<'_> {
    let mut ids = HashMap::new();
    let mut escaped = Vec::new();
    for node in root.descendants() {
        for attribute in node.attributes() {
            let value = attribute.value();
            if attribute.name() == "id" {
                ids.entry(value).or_insert(node);
            } else if value.contains('%') {
                escaped.extend(local(value));
            }
        }
    }
    for url in escaped {
        if let Some(node) = ids.get(percent_decoded(url).as_str()).copied() {
            ids.entry(url).or_insert(node);
        }
    }
    ids
}

/// The id in `#id`, or in `id` as some exporters write it; `None` for references into other files.
pub fn local(url: &str) -> Option<&str> {
    let url = url.trim();
    match url.strip_prefix('#') {
        Some(id) => Some(id),
        None => (!url.is_empty() && !url.contains(['#', ':', '/', '\\'])).then_some(url),
    }
}

/// The words of an element's text, which comments may divide.
pub fn words<'a>(node: Xml<'a>) -> impl Iterator<Item = &'a str> {
    let texts = node.children().filter(|c| c.is_text());
    let texts = texts.filter_map(|c| c.text());
    texts.flat_map(str::split_ascii_whitespace)
}

/// An element's text: the first part of it that is not blank.
pub fn content<'a>(node: Xml<'a>) -> Option<&'a str> {
    let texts = node.children().filter(|c| c.is_text());
    let mut texts = texts.filter_map(|c| c.text()).map(str::trim);
    texts.find(|text| !text.is_empty())
}

/// Numbers of an element's text; an invalid one becomes NaN, so that positions stay right.
pub fn floats<'a>(node: Xml<'a>) -> impl Iterator<Item = f32> + 'a {
    doubles(node).map(|value| value as f32)
}

/// The same in double precision, for places.
pub fn doubles<'a>(node: Xml<'a>) -> impl Iterator<Item = f64> + 'a {
    words(node).map(|word| text::parse_f64(word.as_bytes()).unwrap_or(f64::NAN))
}

/// Integers of an element's text; an invalid one (also -1) becomes `u32::MAX`.
pub fn indices<'a>(node: Xml<'a>) -> impl Iterator<Item = u32> + 'a {
    words(node).map(|word| word.parse().unwrap_or(u32::MAX))
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
