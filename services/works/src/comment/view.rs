//! Comments as shown on pages.

use std::collections::HashMap;

use chassis::{ServiceError, people};
use proto::personal::v1::Appearance;
use proto::works::v1::WorkComment;
use sea_orm::entity::prelude::*;

use crate::entity::comment::{Column, Entity, Model, State};
use crate::entity::work;
use crate::{Works, scene};

/// Data shown with comments.
pub(super) struct Around {
    people: HashMap<String, Appearance>,
    /// Answered comments by id.
    parents: HashMap<String, Model>,
}

impl Around {
    fn name(&self, id: &str) -> String {
        let known = self.people.get(id);
        known.map(|one| one.nickname.clone()).unwrap_or_default()
    }

    pub(super) fn parent(&self, comment: &Model) -> Option<&Model> {
        let parent = self.parents.get(&comment.parent_id);
        parent.filter(|one| one.state == State::Shown)
    }
}

impl Works {
    /// Loads authors and answered comments.
    pub(super) async fn around(&self, comments: &[&Model]) -> Result<Around, ServiceError> {
        let answered = comments.iter().map(|one| one.parent_id.as_str());
        let answered: Vec<&str> = answered.filter(|id| !id.is_empty()).collect();
        let mut parents = HashMap::new();
        if !answered.is_empty() {
            let rows = Entity::find_any()
                .filter(Column::Id.is_in(answered))
                .all(&self.context.db)
                .await?;
            parents.extend(rows.into_iter().map(|one| (one.id.clone(), one)));
        }
        let authors = comments.iter().map(|one| one.owner.as_str());
        let answered = parents.values().map(|one: &Model| one.owner.as_str());
        let people = self
            .people
            .appearances(self.now(), authors.chain(answered))
            .await;
        Ok(Around { people, parents })
    }

    /// Removed comments are shown as placeholders; operators read hidden texts elsewhere.
    pub(super) fn comment_view(
        &self,
        viewer: &str,
        author: &str,
        comment: &Model,
        around: &Around,
    ) -> WorkComment {
        let mut view = WorkComment {
            comment_id: comment.id.clone(),
            root_id: comment.root_id.clone(),
            parent_id: comment.parent_id.clone(),
            state: comment.state.name().to_owned(),
            created_at: comment.created_at,
            reply_count: comment.replies,
            ..Default::default()
        };
        if let Some(parent) = around.parent(comment) {
            view.parent_nickname = around.name(&parent.owner);
        }
        if comment.state != State::Shown {
            return view;
        }
        let appears = around.people.get(&comment.owner);
        let appears = appears.cloned().unwrap_or_default();
        view.user_id = comment.owner.clone();
        view.certified = people::mark_of(&appears);
        view.nickname = appears.nickname;
        view.avatar = appears.avatar;
        view.content = comment.content.clone();
        view.pin = scene::pin_view(&comment.pin, comment.bundle);
        view.edited_at = comment.edited_at;
        view.mine = !viewer.is_empty() && comment.owner == viewer;
        view.editable = view.mine && self.may_edit(viewer, comment);
        view.by_author = comment.owner == author;
        view
    }

    pub(super) async fn one_view(
        &self,
        viewer: &str,
        work: &work::Model,
        comment: Model,
    ) -> Result<WorkComment, ServiceError> {
        let around = self.around(&[&comment]).await?;
        Ok(self.comment_view(viewer, &work.owner, &comment, &around))
    }
}
