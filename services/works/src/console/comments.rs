//! Comments: searched, hidden with a reason, restored.

use std::collections::HashMap;

use chassis::db::states::Transition;
use chassis::db::{List, contains};
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::works::v1::{
    CommentActRequest, CommentItem, CommentSearchReply, CommentSearchRequest, WorkComment,
    WorkReport,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, Set};
use serde_json::json;

use crate::entity::comment::{ActiveModel, Column, Entity, State};
use crate::notify::Notification;
use crate::state::conflict;
use crate::{Works, report, scene};

/// Limits of reports shown per comment, and read per page.
const MOST_REPORTS: usize = 10;
const MOST_READ: u64 = 500;

impl Works {
    pub(super) async fn search_comments(
        &self,
        form: &CommentSearchRequest,
    ) -> Result<CommentSearchReply, ServiceError> {
        let db = &self.context.db;
        let rows = match form.state.as_str() {
            "" => Entity::find_any(),
            "reported" => Entity::find_any().filter(Column::Reports.gt(0)),
            state => {
                let state = State::of(state);
                let state = state.ok_or_else(|| BusinessError::invalid("没有这种状态"))?;
                Entity::find_any().filter(Column::State.eq(state))
            }
        };
        let rows = match form.text.trim() {
            "" => rows,
            text => rows.filter(
                Condition::any()
                    .add(contains(Column::Content, text))
                    .add(Column::Id.eq(text))
                    .add(Column::WorkId.eq(text))
                    .add(Column::Owner.eq(text)),
            ),
        };
        let found = List::of(rows)
            .newest_first(Column::CreatedAt, Column::Id)
            .following(form, db)
            .await?;
        let works = self
            .works_of(found.rows.iter().map(|one| one.work_id.as_str()))
            .await?;
        let ids: Vec<&str> = found.rows.iter().map(|one| one.id.as_str()).collect();
        let mut reported: HashMap<String, Vec<WorkReport>> = HashMap::new();
        for one in report::open_of(db, &ids, MOST_READ).await? {
            let shown = reported.entry(one.thing_id.clone()).or_default();
            if shown.len() < MOST_REPORTS {
                shown.push(report::view(one));
            }
        }
        let authors = found.rows.iter().map(|one| one.owner.as_str());
        let people = self.people.appearances(self.now(), authors).await;
        Ok(found.reply(|row| {
            let appears = people.get(&row.owner).cloned().unwrap_or_default();
            let work = works.get(&row.work_id);
            CommentItem {
                works_id: row.work_id.clone(),
                works_name: work.map(|work| work.known_name()).unwrap_or_default(),
                reason: row.reason,
                reports: row.reports,
                reported: reported.remove(&row.id).unwrap_or_default(),
                comment: Some(WorkComment {
                    by_author: work.is_some_and(|work| work.owner == row.owner),
                    comment_id: row.id,
                    root_id: row.root_id,
                    parent_id: row.parent_id,
                    user_id: row.owner,
                    nickname: appears.nickname,
                    avatar: appears.avatar,
                    content: row.content,
                    state: row.state.name().to_owned(),
                    pin: scene::pin_view(&row.pin, row.bundle),
                    created_at: row.created_at,
                    edited_at: row.edited_at,
                    reply_count: row.replies,
                    ..Default::default()
                }),
            }
        }))
    }

    pub(super) async fn hide_comment(
        &self,
        operator: &Operator,
        form: &CommentActRequest,
        hidden: bool,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let (work, comment) = self.hold_comment(&transaction, &form.comment_id).await?;
        let (next, by, refused) = match hidden {
            true => (State::Hidden, -1, "这条评论没有在展示"),
            false => (State::Shown, 1, "这条评论没有被隐藏"),
        };
        let moved = Transition::to(next)
            .set(ActiveModel {
                reason: Set(if hidden { reason } else { "" }.to_owned()),
                ..Default::default()
            })
            .only(Column::Id.eq(&comment.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(refused));
        }
        self.weigh(&transaction, &comment, by).await?;
        if hidden {
            self.close_reports(&transaction, &comment.id).await?;
            let notification =
                Notification::new("commentHidden", &comment.owner, &comment.id, &work);
            self.notify(&transaction, notification.because(reason))
                .await?;
        }
        let change = (
            json!({"state": comment.state.name()}),
            json!({"state": next.name()}),
        );
        self.audit(&transaction, operator, &comment.id, change, reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
