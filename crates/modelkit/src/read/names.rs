//! Names by which files refer to others: how they are compared, in which readings, and which file they mean. All
//! formats and all places to look in (archives, folders, deliveries) use this.

use super::encoding::{self, Encoding};
use std::cmp::Reverse;
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// A name for comparison: without case, canonically composed (Unicode, UAX #15).
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let folded = name.nfc().flat_map(char::to_uppercase);
    folded.flat_map(char::to_lowercase).nfc().collect()
}

/// Path components of a name as authors write it: both slashes separate; `.`, `..` and drive letters are dropped.
pub fn clean_parts(name: &str) -> Vec<&str> {
    let parts = unquoted(name).split(['/', '\\']);
    parts
        .filter(|p| !p.is_empty() && *p != "." && *p != ".." && !p.ends_with(':'))
        .collect()
}

/// A name without the whitespace and quotation marks around it.
pub fn unquoted(name: &str) -> &str {
    name.trim().trim_matches('"').trim()
}

/// Decodes `%20` and the like; invalid escapes stay as they are. The bytes are UTF-8
/// (RFC 3987), of old writers their system's code page.
pub fn percent_decoded(text: &str) -> String {
    let bytes = percent_bytes(text);
    Encoding::stated(&bytes).decode(&bytes).into_owned()
}

/// The bytes behind `%20` and the like.
pub fn percent_bytes(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escape = bytes
            .get(at + 1..at + 3)
            .and_then(|h| std::str::from_utf8(h).ok());
        match (
            bytes[at],
            escape.and_then(|h| u8::from_str_radix(h, 16).ok()),
        ) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
            }
            (other, _) => {
                out.push(other);
                at += 1;
            }
        }
    }
    out
}

/// What a name may mean, as written first: the other readings are those of writers that encode names as in URIs, and of
/// names that were garbled on their way here.
pub fn readings(name: &str) -> Vec<String> {
    let written = unquoted(name);
    let mut all = vec![written.to_owned()];
    let mut add = |reading: String| {
        if !reading.is_empty() && !all.contains(&reading) {
            all.push(reading);
        }
    };
    if written.contains('%') {
        add(percent_decoded(written));
    }
    if let Some((path, _)) = written.split_once(['?', '#']) {
        add(percent_decoded(path));
    }
    for reading in encoding::regarbled(written) {
        add(reading);
    }
    all
}

/// Extensions of pictures, the preferred first.
const READ: [&str; 9] = [
    "png", "jpg", "jpeg", "webp", "tga", "bmp", "gif", "ktx2", "tif",
];
/// Those of pictures that are not read, or have another extension too.
const OTHERS: [&str; 7] = ["tiff", "psd", "dds", "exr", "hdr", "tx", "iff"];

/// Where a file referred to may lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Anywhere,
    /// At its place, or in the referring file's folder and below.
    Below,
}

/// Files by their paths.
#[derive(Default)]
pub struct Index {
    paths: Vec<Known>,
    by_name: HashMap<String, Vec<usize>>,
}

struct Known {
    written: String,
    parts: Vec<String>,
}

impl Index {
    /// Paths with `/` between folders, in an order that breaks ties.
    pub fn new<'a>(paths: impl Iterator<Item = &'a str>) -> Index {
        let mut index = Index::default();
        for path in paths {
            let known = Known {
                written: path.to_owned(),
                parts: parts(path),
            };
            if let Some(name) = known.parts.last() {
                let same = index.by_name.entry(name.clone()).or_default();
                same.push(index.paths.len());
            }
            index.paths.push(known);
        }
        index
    }

    /// The file that a file in `folder` calls `name`: in the first reading that has one, at its place relative to the
    /// folder, else by the longest matching end of its path. Of names that differ in case or composition only, the
    /// exact one is preferred.
    pub fn find(&self, folder: &str, name: &str, reach: Reach) -> Option<usize> {
        let folder = parts(folder);
        let mut readings = readings(name).into_iter();
        readings
            .find_map(|reading| self.find_reading(&folder, &reading, reach))
            .or_else(|| self.find_short(&folder, unquoted(name), reach))
            .or_else(|| self.find_converted(&folder, name, reach))
    }

    fn find_reading(&self, folder: &[String], reading: &str, reach: Reach) -> Option<usize> {
        let wanted = parts(reading);
        let places = self.by_name.get(wanted.last()?)?;
        let exact = resolve(folder, &wanted);
        let written = reading.rsplit(['/', '\\']).next();
        // Preference: exact place, longer match, closer to the model, exact name, first.
        let score = |&i: &usize| {
            let known = &self.paths[i];
            let in_place = known.parts == exact;
            if reach == Reach::Below && !in_place && !known.parts.starts_with(folder) {
                return None;
            }
            let fits = common(known.parts.iter().rev(), wanted.iter().rev());
            let near = common(known.parts.iter(), folder.iter());
            let same = known.written.rsplit('/').next() == written;
            Some((in_place, fits, near, same, Reverse(i)))
        };
        let best = places.iter().filter_map(score).max();
        best.map(|(.., Reverse(i))| i)
    }

    /// The same picture in another format: shops and converters save textures anew and leave the model as it was.
    fn find_converted(&self, folder: &[String], name: &str, reach: Reach) -> Option<usize> {
        readings(name).iter().find_map(|reading| {
            let (stem, extension) = reading.rsplit_once('.')?;
            let extension = extension.to_ascii_lowercase();
            let known = READ.iter().chain(&OTHERS);
            if !known.clone().any(|known| *known == extension) {
                return None;
            }
            let mut converted = READ.iter().filter(|read| **read != extension);
            converted.find_map(|read| self.find_reading(folder, &format!("{stem}.{read}"), reach))
        })
    }

    /// The file of a name that DOS shortened (`BRICKF~1.JPG`), if there is only one that it can be.
    fn find_short(&self, folder: &[String], name: &str, reach: Reach) -> Option<usize> {
        let wanted = parts(name);
        let (stem, extension) = wanted.last()?.rsplit_once('.')?;
        let (start, number) = stem.rsplit_once('~')?;
        if start.is_empty() || number.parse::<u8>().is_err() {
            return None;
        }
        let fits = |(_, known): &(usize, &Known)| {
            let own = known.parts.last().and_then(|own| own.rsplit_once('.'));
            // DOS drops spaces, and cuts the extension.
            let own = own.map(|(stem, extension)| (stem.replace(' ', ""), extension));
            let reached = reach == Reach::Anywhere || known.parts.starts_with(folder);
            reached && own.is_some_and(|(s, e)| s.starts_with(start) && e.starts_with(extension))
        };
        let mut found = self.paths.iter().enumerate().filter(fits);
        match (found.next(), found.next()) {
            (Some((only, _)), None) => Some(only),
            _ => None,
        }
    }
}

fn parts(path: &str) -> Vec<String> {
    let parts = path.split(['/', '\\']).filter(|part| !part.is_empty());
    parts.map(fold).collect()
}

/// `wanted` from `folder`.
fn resolve(folder: &[String], wanted: &[String]) -> Vec<String> {
    let mut path = folder.to_vec();
    for part in wanted {
        match part.as_str() {
            "." => {}
            ".." => {
                path.pop();
            }
            _ => path.push(part.clone()),
        }
    }
    path
}

fn common<'a>(a: impl Iterator<Item = &'a String>, b: impl Iterator<Item = &'a String>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}
