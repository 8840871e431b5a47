//! Comments on a work.

use std::collections::HashMap;

use chassis::ServiceError;
use chassis::db::List;
use proto::works::v1::{CommentListRequest, CommentPage};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Query, SelectStatement};
use sea_orm::{Condition, QueryOrder, QuerySelect};

use super::no_such_comment;
use crate::Works;
use crate::entity::comment::{Column, Entity, Model, State};

const PAGE: i32 = 10;
const LARGEST_PAGE: i32 = 50;
/// Answers shown with a comment.
const FIRST_ANSWERS: u64 = 3;

/// Ids of the comments below a root that shown comments answer.
fn answered_below(root: &str) -> SelectStatement {
    Query::select()
        .column(Column::ParentId)
        .from(Entity)
        .and_where(Column::RootId.eq(root))
        .and_where(Column::State.eq(State::Shown))
        .to_owned()
}

/// Answers below a comment, oldest first; a removed one keeps its place while it has answers.
fn answers(root: &str) -> Select<Entity> {
    let kept = Condition::any()
        .add(Column::State.eq(State::Shown))
        .add(Column::Id.in_subquery(answered_below(root)));
    Entity::find_any()
        .filter(Column::RootId.eq(root))
        .filter(kept)
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
}

impl Works {
    pub(super) async fn comments(
        &self,
        viewer: &str,
        form: &CommentListRequest,
    ) -> Result<CommentPage, ServiceError> {
        let db = &self.context.db;
        let work = self.open_work(db, viewer, &form.works_id).await?;
        let of_work = Entity::find_any().filter(Column::WorkId.eq(&work.id));
        let rows = match form.root_id.as_str() {
            "" => {
                let kept = Condition::any()
                    .add(Column::State.eq(State::Shown))
                    .add(Column::Replies.gt(0));
                of_work
                    .filter(Column::RootId.eq(""))
                    .filter(kept)
                    .order_by_desc(Column::CreatedAt)
                    .order_by_desc(Column::Id)
            }
            root => {
                let known = of_work.filter(Column::Id.eq(root)).one(db).await?;
                known.ok_or_else(no_such_comment)?;
                answers(root)
            }
        };
        let page = List::of_few(rows)
            .sizes(PAGE, LARGEST_PAGE)
            .page(form, db)
            .await?;
        let found = &page.rows;
        let mut below: HashMap<String, Vec<Model>> = HashMap::new();
        if form.root_id.is_empty() {
            for root in found.iter().filter(|one| one.replies > 0) {
                let first = answers(&root.id).limit(FIRST_ANSWERS).all(db).await?;
                below.insert(root.id.clone(), first);
            }
        }
        let all: Vec<&Model> = found.iter().chain(below.values().flatten()).collect();
        let around = self.around(&all).await?;
        let view = |comment: &Model| self.comment_view(viewer, &work.owner, comment, &around);
        let results = found.iter().map(|comment| {
            let mut shown = view(comment);
            let answers = below.get(&comment.id).into_iter().flatten();
            shown.replies = answers.map(view).collect();
            shown
        });
        Ok(CommentPage {
            total_count: page.total_count,
            results: results.collect(),
            comment_number: work.comments,
        })
    }
}
