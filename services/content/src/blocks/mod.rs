//! The content of an article: blocks, never HTML. `blocks.schema.json` is the same for other programs; a test compares the two.

mod check;
pub mod html;
mod text;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use check::{Wrong, check};
pub(crate) use check::{is_name, is_site_path};
pub(crate) use text::joined;
pub use text::plain;

/// The version that this program writes.
pub const VERSION: u32 = 1;

/// An article's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Content {
    pub version: u32,
    pub blocks: Vec<Block>,
}

pub type Inlines = Vec<Inline>;
pub type Params = BTreeMap<String, String>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Block {
    Heading {
        level: u8,
        /// Anchor, once in an article.
        id: String,
        text: Inlines,
    },
    Text {
        text: Inlines,
    },
    List {
        ordered: bool,
        items: Vec<Inlines>,
    },
    Table {
        head: Vec<Inlines>,
        rows: Vec<Vec<Inlines>>,
    },
    Code {
        language: String,
        text: String,
    },
    /// A picture that the product renders of a generated model.
    Picture {
        sample: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        params: Params,
        view: String,
        alt: String,
    },
    /// A generated model that the reader can rotate.
    Model {
        sample: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        params: Params,
        note: String,
    },
    /// A generated model before and after lightening.
    Compare {
        sample: String,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        params: Params,
        note: String,
    },
    Action {
        path: String,
        label: String,
    },
    Figure {
        value: String,
        /// The run it comes from.
        source: String,
        note: String,
    },
    Questions {
        items: Vec<Question>,
    },
    Steps {
        items: Vec<Step>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub question: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inline {
    pub text: String,
    #[serde(default, skip_serializing_if = "is_false")]
    pub bold: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub code: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Content {
    pub fn new(blocks: Vec<Block>) -> Self {
        Self {
            version: VERSION,
            blocks,
        }
    }

    /// Steps of a course or a how-to.
    pub fn steps(&self) -> usize {
        let steps = self.blocks.iter().map(|block| match block {
            Block::Steps { items } => items.len(),
            _ => 0,
        });
        steps.sum()
    }

    /// Every block, those of steps and answers included.
    pub fn each(&self) -> impl Iterator<Item = &Block> {
        let mut all = Vec::new();
        for block in &self.blocks {
            flatten(block, &mut all);
        }
        all.into_iter()
    }

    /// Addresses that its texts and calls link to.
    pub fn links(&self) -> Vec<&str> {
        let mut links = Vec::new();
        for block in self.each() {
            if let Block::Action { path, .. } = block {
                links.push(path.as_str());
            }
            for inlines in block.inlines() {
                links.extend(inlines.iter().filter_map(|one| one.href.as_deref()));
            }
        }
        links
    }

    /// Anchors of its headings.
    pub fn anchors(&self) -> Vec<&str> {
        let ids = self.blocks.iter().filter_map(|block| match block {
            Block::Heading { id, .. } => Some(id.as_str()),
            _ => None,
        });
        ids.collect()
    }
}

fn flatten<'a>(block: &'a Block, all: &mut Vec<&'a Block>) {
    all.push(block);
    let inner: Vec<&'a Vec<Block>> = match block {
        Block::Questions { items } => items.iter().map(|item| &item.blocks).collect(),
        Block::Steps { items } => items.iter().map(|item| &item.blocks).collect(),
        _ => Vec::new(),
    };
    for block in inner.into_iter().flatten() {
        flatten(block, all);
    }
}

impl Block {
    /// Its own texts, not those of blocks in it.
    pub fn inlines(&self) -> Vec<&Inlines> {
        match self {
            Self::Heading { text, .. } | Self::Text { text } => vec![text],
            Self::List { items, .. } => items.iter().collect(),
            Self::Table { head, rows } => head.iter().chain(rows.iter().flatten()).collect(),
            _ => Vec::new(),
        }
    }
}
