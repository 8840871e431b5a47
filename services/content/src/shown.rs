//! The columns of an article that pages show, derived from the published revision.

use sea_orm::Set;

use crate::blocks;
use crate::draft::Draft;
use crate::entity::article::ActiveModel;
use crate::words;

/// The columns of a draft that pages show; the caller sets the others.
pub(crate) fn columns(draft: &Draft) -> ActiveModel {
    let cover = draft.cover.as_ref().map(serde_json::to_string);
    ActiveModel {
        category_id: Set(draft.category_id.clone()),
        position: Set(draft.order),
        title: Set(draft.title.clone()),
        summary: Set(draft.summary.clone()),
        date: Set(draft.date.clone()),
        cover: Set(cover.and_then(Result::ok).unwrap_or_default()),
        steps: Set(draft.content.steps() as i32),
        search: Set(search(draft)),
        ..Default::default()
    }
}

fn search(draft: &Draft) -> String {
    let text = blocks::plain(&draft.content);
    words::normal(&format!("{}\n{}\n{text}", draft.title, draft.summary))
}
