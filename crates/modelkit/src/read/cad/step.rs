//! What the engine itself reads of a STEP file, and how it rewrites what OCCT would misunderstand (`cad/step.hpp` has
//! the marks): styles that hold in one instance only, tessellated geometry, the headers of data sections.

pub mod part21;
mod tessellated;

use part21::{Entity, Parameters, entity, keyword, statements, string};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use tessellated::Tessellated;
pub use tessellated::Triangles;

/// In front of the numbers of a style's context.
const IN_CONTEXT: &str = "@context";
/// In front of the name of what stands for tessellated geometry.
const TESSELLATED: &str = "@tessellated ";

/// Bytes of the text, and what is put in their place.
type Edit = (Range<usize>, Vec<u8>);

/// A file's text, and what is to be put in place of some of it.
pub struct Step<'a> {
    text: Cow<'a, [u8]>,
    /// In the order of their places, which do not overlap.
    edits: Vec<Edit>,
    tessellated: Tessellated,
}

impl<'a> Step<'a> {
    /// `text` is UTF-8.
    pub fn new(text: Cow<'a, [u8]>) -> Step<'a> {
        let mut scan = Scan::new(&text);
        scan.run();
        let (edits, tessellated) = scan.finish();
        Step {
            text,
            edits,
            tessellated,
        }
    }

    /// A file that is sent as it is.
    pub fn untouched(text: Cow<'a, [u8]>) -> Step<'a> {
        Step {
            text,
            edits: Vec::new(),
            tessellated: Tessellated::default(),
        }
    }

    /// The text for OCCT, in pieces.
    pub fn pieces(&self) -> Vec<&[u8]> {
        let mut pieces = Vec::new();
        let mut at = 0;
        for (range, instead) in &self.edits {
            pieces.push(&self.text[at..range.start]);
            pieces.push(instead);
            at = range.end;
        }
        pieces.push(&self.text[at..]);
        pieces
    }

    /// The length of all pieces.
    pub fn length(&self) -> u64 {
        let pieces = self.pieces();
        pieces.iter().map(|piece| piece.len() as u64).sum()
    }

    /// Whether anything was replaced by a placeholder.
    pub fn has_triangles(&self) -> bool {
        !self.tessellated.is_empty()
    }

    /// The triangles of an entity that was replaced by a placeholder.
    pub fn triangles(
        &self,
        number: u32,
        limits: &crate::limits::Limits,
    ) -> crate::Result<Triangles> {
        self.tessellated.triangles(&self.text, number, limits)
    }
}

/// Names of the files that a text refers to, in any of the places in use; some are names of documents.
pub fn references(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    for statement in statements(text) {
        let Some(entity) = entity(text, statement) else {
            continue;
        };
        if matches!(
            &text[entity.keyword.clone()],
            b"DOCUMENT_FILE" | b"DOCUMENT" | b"APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT"
        ) {
            let mut parameters = Parameters::new(text, entity.parameters);
            let names = [parameters.skip(), parameters.skip()].into_iter().flatten();
            found.extend(
                names
                    .filter_map(|name| string(&text[name]))
                    .filter(|name| !name.is_empty()),
            );
        }
    }
    found
}

struct Scan<'a> {
    text: &'a [u8],
    edits: Vec<Edit>,
    tessellated: Tessellated,
    /// Representations of tessellated items.
    shapes: Vec<Entity>,
    /// Statements of tessellated items, by their numbers.
    items: HashMap<u32, Entity>,
    /// Styles by context: the statement, and the number of the context.
    by_context: HashMap<u32, (Entity, u32)>,
    /// Entities that stand for an instance.
    instances: HashSet<u32>,
    highest: u32,
    /// The end of the last section, and how many data sections there were.
    section_end: Option<Range<usize>>,
    data_sections: usize,
}

impl<'a> Scan<'a> {
    fn new(text: &'a [u8]) -> Scan<'a> {
        Scan {
            text,
            edits: Vec::new(),
            tessellated: Tessellated::default(),
            shapes: Vec::new(),
            items: HashMap::new(),
            by_context: HashMap::new(),
            instances: HashSet::new(),
            highest: 0,
            section_end: None,
            data_sections: 0,
        }
    }

    fn run(&mut self) {
        for statement in statements(self.text) {
            match self.text.get(statement.start) {
                Some(b'#') => self.numbered(statement),
                _ => self.section(statement),
            }
        }
    }

    /// Data sections of edition 2 and 3 have names and schemas, and there may be several. OCCT knows one without.
    fn section(&mut self, statement: Range<usize>) {
        let keyword = keyword(self.text, statement.start);
        match &self.text[keyword.clone()] {
            b"ENDSEC" => self.section_end = Some(statement.start..statement.end + 1),
            b"DATA" => {
                self.data_sections += 1;
                match self.section_end.take() {
                    Some(end) if self.data_sections > 1 => {
                        self.edits.push((end.start..statement.end + 1, Vec::new()));
                    }
                    _ if keyword.end < statement.end => {
                        self.edits.push((keyword.end..statement.end, Vec::new()));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn numbered(&mut self, statement: Range<usize>) {
        let Some(found) = entity(self.text, statement.clone()) else {
            // Relations with a transformation are complex entities.
            if self.text[statement.clone()]
                .windows(27)
                .any(|part| part == b"REPRESENTATION_RELATIONSHIP")
            {
                self.instances.extend(number_of(self.text, &statement));
            }
            return;
        };
        self.highest = self.highest.max(found.number);
        match &self.text[found.keyword.clone()] {
            b"CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM" => self.override_in_context(&found),
            b"CONTEXT_DEPENDENT_SHAPE_REPRESENTATION" | b"NEXT_ASSEMBLY_USAGE_OCCURRENCE" => {
                self.instances.insert(found.number);
            }
            b"PRESENTATION_STYLE_BY_CONTEXT" => {
                let mut parameters = Parameters::new(self.text, found.parameters.clone());
                parameters.skip();
                if let Some(context) = parameters.reference() {
                    self.by_context.insert(found.number, (found, context));
                }
            }
            b"TESSELLATED_SHAPE_REPRESENTATION"
            | b"TESSELLATED_SHAPE_REPRESENTATION_WITH_ACCURACY_PARAMETERS" => {
                self.shapes.push(found);
            }
            keyword if is_tessellated(keyword) => {
                self.tessellated.note(self.text, &found);
                self.items.insert(found.number, found);
            }
            _ => {}
        }
    }

    /// OCCT knows no contexts of styles but representations, so they are named in the item's name.
    fn override_in_context(&mut self, found: &Entity) {
        let mut parameters = Parameters::new(self.text, found.parameters.clone());
        parameters.skip();
        let read = (|| {
            let styles = parameters.skip()?;
            let item = parameters.skip()?;
            let overridden = parameters.skip()?;
            Some((styles.start..item.end, overridden, parameters.references()?))
        })();
        if let Some((kept, overridden, context)) = read {
            let mut instead =
                format!("OVER_RIDING_STYLED_ITEM('{}',", context_name(&context)).into_bytes();
            instead.extend_from_slice(&self.text[kept]);
            instead.push(b',');
            instead.extend_from_slice(&self.text[overridden]);
            instead.push(b')');
            self.edits
                .push((found.keyword.start..found.statement.end, instead));
        }
    }

    fn finish(mut self) -> (Vec<Edit>, Tessellated) {
        let instances = &self.instances;
        self.by_context
            .retain(|_, (_, context)| instances.contains(context));
        if !self.by_context.is_empty() {
            self.style_by_context();
        }
        let mut replaced = HashSet::new();
        for shape in std::mem::take(&mut self.shapes) {
            self.stand_for(&shape, &mut replaced);
        }
        self.edits
            .sort_by_key(|(range, _)| (range.start, range.end));
        // None overlap in a file that is sound.
        let mut end = 0;
        self.edits.retain(|(range, _)| {
            let apart = range.start >= end;
            end = if apart { range.end } else { end };
            apart
        });
        (self.edits, self.tessellated)
    }

    /// A style by context becomes a plain one, and the items that have it name the context.
    fn style_by_context(&mut self) {
        for (found, _) in self.by_context.values() {
            let mut parameters = Parameters::new(self.text, found.parameters.clone());
            if let Some(styles) = parameters.skip() {
                let mut instead = b"PRESENTATION_STYLE_ASSIGNMENT(".to_vec();
                instead.extend_from_slice(&self.text[styles]);
                instead.push(b')');
                self.edits
                    .push((found.keyword.start..found.statement.end, instead));
            }
        }
        for statement in statements(self.text) {
            let Some(found) = entity(self.text, statement) else {
                continue;
            };
            if !matches!(
                &self.text[found.keyword.clone()],
                b"STYLED_ITEM" | b"OVER_RIDING_STYLED_ITEM"
            ) {
                continue;
            }
            let mut parameters = Parameters::new(self.text, found.parameters.clone());
            let (name, styles) = (parameters.skip(), parameters.references());
            let context = styles
                .unwrap_or_default()
                .iter()
                .find_map(|style| Some(self.by_context.get(style)?.1));
            if let (Some(name), Some(context)) = (name, context) {
                let instead = format!("'{}'", context_name(&[context])).into_bytes();
                self.edits.push((name, instead));
            }
        }
    }

    /// Puts a point in place of each item of a tessellated shape, so that OCCT keeps the part and its styles.
    fn stand_for(&mut self, shape: &Entity, replaced: &mut HashSet<u32>) {
        let mut parameters = Parameters::new(self.text, shape.parameters.clone());
        let read = (|| {
            Some((
                parameters.skip()?,
                parameters.references()?,
                parameters.skip()?,
            ))
        })();
        let Some((name, items, context)) = read else {
            return;
        };
        let mut kept = Vec::new();
        let mut stands = false;
        for item in items {
            match self.items.get(&item) {
                None => kept.push(item),
                Some(found) if self.tessellated.is_shown(self.text, item) => {
                    stands = true;
                    kept.push(item);
                    if replaced.insert(item) {
                        let edit = self.placeholder(found);
                        self.highest = self.highest.saturating_add(1);
                        self.edits.extend(edit);
                    }
                }
                Some(_) => {}
            }
        }
        if stands {
            let kept: Vec<String> = kept.iter().map(|item| format!("#{item}")).collect();
            let mut instead = b"SHAPE_REPRESENTATION(".to_vec();
            instead.extend_from_slice(&self.text[name]);
            instead.extend_from_slice(format!(",({}),", kept.join(",")).as_bytes());
            instead.extend_from_slice(&self.text[context]);
            instead.push(b')');
            self.edits
                .push((shape.keyword.start..shape.statement.end, instead));
        }
    }

    fn placeholder(&self, item: &Entity) -> Option<Edit> {
        let point = self.highest.checked_add(1)?;
        let name = Parameters::new(self.text, item.parameters.clone()).skip()?;
        let name = self.text[name].strip_prefix(b"'")?;
        let mut instead = format!(
            "#{point}=CARTESIAN_POINT('',(1.,0.,0.));#{}=GEOMETRIC_SET('{TESSELLATED}",
            item.number
        )
        .into_bytes();
        instead.extend_from_slice(name);
        instead.extend_from_slice(format!(",(#{point}))").as_bytes());
        Some((item.statement.clone(), instead))
    }
}

fn context_name(context: &[u32]) -> String {
    let numbers = context.iter().map(|number| format!(" {number}"));
    std::iter::once(IN_CONTEXT.to_owned())
        .chain(numbers)
        .collect()
}

fn is_tessellated(keyword: &[u8]) -> bool {
    keyword == b"COORDINATES_LIST"
        || [
            &b"TESSELLATED_"[..],
            b"TRIANGULATED_",
            b"COMPLEX_TRIANGULATED_",
        ]
        .iter()
        .any(|start| keyword.starts_with(start))
}

fn number_of(text: &[u8], statement: &Range<usize>) -> Option<u32> {
    let digits = text.get(statement.start + 1..statement.end)?;
    let count = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    std::str::from_utf8(&digits[..count]).ok()?.parse().ok()
}
