//! Transitions of an article's state: review, publication at once or at a time, withdrawal.

use chassis::audit::Deed;
use chassis::db::states::Transition;
use chassis::{Operator, ServiceError, db};
use proto::content::v1::{
    ArticleArchiveRequest, ArticlePublishRequest, ArticleReviewRequest, ArticleStateReply,
};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::json;

use super::hold;
use crate::Library;
use crate::draft::Draft;
use crate::entity::article::{ActiveModel, Column, Entity, Model, State};
use crate::entity::revision;
use crate::shown;
use crate::state::{conflict, invalid, missing};

/// Furthest time that can be scheduled.
const FURTHEST_MS: i64 = 2 * 366 * 86_400_000;

impl Library {
    pub(super) async fn review(
        &self,
        operator: &Operator,
        form: &ArticleReviewRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let of = hold(&transaction, &form.id, now).await?;
        let (next, from) = match form.back {
            true => (State::Draft, State::Review),
            false => (State::Review, State::Draft),
        };
        let moved = Transition::to(next)
            .from_only(&[from])
            .only(Column::Id.eq(&of.id))
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict(match form.back {
                true => "这篇内容不在审核中",
                false => "只有草稿可以提交审核",
            }));
        }
        let deed = Deed {
            target: &of.id,
            before: json!({"state": of.state}),
            after: json!({"state": next}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        self.finish(transaction, &of.id, false).await
    }

    pub(super) async fn publish(
        &self,
        operator: &Operator,
        form: &ArticlePublishRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        let now = self.now();
        if form.at < 0 || form.at > now + FURTHEST_MS {
            return Err(invalid("时间应在两年之内"));
        }
        // A time that has passed means now.
        let later = form.at > now;
        let transaction = db::begin_write(&self.context.db).await?;
        let of = hold(&transaction, &form.id, now).await?;
        if of.latest_revision != form.revision {
            return Err(conflict("内容已被他人更改，请刷新后重试"));
        }
        let is_shown = of.is_shown(now);
        if is_shown && of.published_revision == form.revision {
            return Err(conflict("这个版本已发布"));
        }
        if is_shown && later {
            return Err(conflict("已发布的内容不能定时，请直接发布新版本"));
        }
        let text = self.text(&transaction, &of.id, form.revision).await?;
        let draft: Draft = serde_json::from_str(&text).map_err(anyhow::Error::from)?;
        let next = if later {
            State::Scheduled
        } else {
            State::Published
        };
        let at = match (later, is_shown) {
            (true, _) => form.at,
            // A change keeps the article's place among the others.
            (false, true) => of.published_at,
            (false, false) => now,
        };
        let moved = Transition::to(next)
            .only(Column::Id.eq(&of.id))
            .set(ActiveModel {
                published_revision: Set(form.revision),
                published_at: Set(at),
                shown_changed_at: Set(if later { form.at } else { now }),
                ..shown::columns(&draft)
            })
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict("这篇内容现在不能发布"));
        }
        mark(&transaction, &of, form.revision, at).await?;
        let deed = Deed {
            target: &of.id,
            before: json!({"state": of.outward(now), "revision": of.published_revision}),
            after: json!({"state": next, "revision": form.revision, "at": at}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        self.finish(transaction, &of.id, true).await
    }

    pub(super) async fn archive(
        &self,
        operator: &Operator,
        form: &ArticleArchiveRequest,
    ) -> Result<ArticleStateReply, ServiceError> {
        let now = self.now();
        let transaction = db::begin_write(&self.context.db).await?;
        let of = hold(&transaction, &form.id, now).await?;
        let own = || Column::Id.eq(&of.id);
        if of.state == State::Scheduled && of.is_shown(now) {
            // Its time has come but the sweeper has not run yet.
            Transition::to(State::Published)
                .only(own())
                .apply(&transaction)
                .await?;
        }
        let (next, from) = match of.outward(now) {
            State::Scheduled => (State::Draft, State::Scheduled),
            _ => (State::Archived, State::Published),
        };
        let moved = Transition::to(next)
            .from_only(&[from])
            .only(own())
            .apply(&transaction)
            .await?;
        if !moved {
            return Err(conflict("这篇内容没有发布，或已下架"));
        }
        let deed = Deed {
            target: &of.id,
            before: json!({"state": of.outward(now), "revision": of.published_revision}),
            after: json!({"state": next}),
            reason: &form.reason,
        };
        self.audit(&transaction, operator, deed).await?;
        self.finish(transaction, &of.id, true).await
    }

    /// Commits; if the shown content may have changed, gateways drop what they have cached.
    async fn finish(
        &self,
        transaction: DatabaseTransaction,
        id: &str,
        changed: bool,
    ) -> Result<ArticleStateReply, ServiceError> {
        let row = Entity::find_by_id(id).one(&transaction).await?;
        let article = self.item(&transaction, row.ok_or_else(missing)?).await?;
        transaction.commit().await?;
        self.outbox.wake();
        if changed {
            self.tell_gateways();
        }
        Ok(ArticleStateReply {
            article: Some(article),
        })
    }
}

/// Records when a revision was first published.
async fn mark(
    transaction: &DatabaseTransaction,
    of: &Model,
    number: i64,
    at: i64,
) -> Result<(), DbErr> {
    revision::Entity::update_many()
        .set(revision::ActiveModel {
            published_at: Set(at),
            ..Default::default()
        })
        .filter(revision::Column::ArticleId.eq(&of.id))
        .filter(revision::Column::Number.eq(number))
        .filter(revision::Column::PublishedAt.eq(0))
        .exec(transaction)
        .await?;
    Ok(())
}
