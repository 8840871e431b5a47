//! Categories and labels of models, as offered by pages.

use facts::labels::{CATEGORIES, Category};
use proto::process::v1::Label;

/// The categories. There is only one kind of category, so every `cateType` gets all of them.
pub fn categories() -> Vec<Label> {
    let to_label = |c: &Category| label(c.id, c.name, "0");
    CATEGORIES.iter().map(to_label).collect()
}

/// The labels of a category; none for an unknown one.
pub fn of_category(parent: &str) -> Vec<Label> {
    let Some(category) = CATEGORIES.iter().find(|c| c.id == parent) else {
        return Vec::new();
    };
    category
        .labels
        .iter()
        .map(|(id, name)| label(id, name, category.id))
        .collect()
}

fn label(id: &str, name: &str, parent: &str) -> Label {
    Label {
        id: id.to_owned(),
        name: name.to_owned(),
        parent_id: parent.to_owned(),
    }
}
