//! The words of an article, for the search.

use super::{Block, Content, Inline};

/// Every visible text, one line per block.
pub fn plain(content: &Content) -> String {
    let mut out = String::new();
    for block in content.each() {
        let mut add = |text: &str| {
            out.push_str(text);
            out.push('\n');
        };
        match block {
            Block::Code { text, .. } => add(text),
            Block::Picture { alt, .. } => add(alt),
            Block::Model { note, .. } | Block::Compare { note, .. } => add(note),
            Block::Action { label, .. } => add(label),
            Block::Figure {
                value,
                note,
                source,
            } => add(&format!("{value} {note} {source}")),
            Block::Questions { items } => items.iter().for_each(|item| add(&item.question)),
            Block::Steps { items } => items.iter().for_each(|item| add(&item.title)),
            _ => block
                .inlines()
                .into_iter()
                .for_each(|text| add(&joined(text))),
        }
    }
    out
}

/// Its text without its styles.
pub(crate) fn joined(text: &[Inline]) -> String {
    text.iter().map(|one| one.text.as_str()).collect()
}
