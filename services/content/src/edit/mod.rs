//! What operators do: write, publish, schedule, take back, restore. Each is a transaction with its audit entry.

mod calls;
mod categories;
mod list;
mod preview;
mod redirects;
mod save;
mod standing;

use chassis::ServiceError;
use proto::content::v1::{ArticleDraft, ContentCover};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{DatabaseTransaction, Set};

use crate::blocks::Content;
use crate::draft::{Cover, Draft};
use crate::entity::article::{ActiveModel, Column, Entity, Model};
use crate::read::cover_view;
use crate::state::{invalid, missing};

pub(crate) use preview::ticket_hash;

/// Locks an article until the transaction ends, and reads its current state.
async fn hold(
    transaction: &DatabaseTransaction,
    id: &str,
    now: i64,
) -> Result<Model, ServiceError> {
    let held = Entity::update_many()
        .set(ActiveModel {
            updated_at: Set(now),
            ..Default::default()
        })
        .col_expr(Column::Version, Expr::col(Column::Version).add(1))
        .filter(Column::Id.eq(id))
        .exec(transaction)
        .await?;
    if held.rows_affected == 0 {
        return Err(missing());
    }
    let found = Entity::find_by_id(id).one(transaction).await?;
    found.ok_or_else(missing)
}

/// Reads an operator's draft. Errors: it breaks a rule.
fn read(form: ArticleDraft) -> Result<Draft, ServiceError> {
    let content = form.content.ok_or_else(|| invalid("没有正文"))?;
    let json = chassis::json::value_of(content);
    let content: Content = serde_json::from_value(json).map_err(|error| {
        tracing::debug!(%error, "blocks not understood");
        invalid("正文的格式不正确")
    })?;
    let draft = Draft {
        title: form.title.trim().to_owned(),
        summary: form.summary.trim().to_owned(),
        category_id: form.category_id,
        order: form.order,
        date: form.date,
        cover: form.cover.map(cover),
        related: form.related,
        content,
    };
    draft.check().map_err(|wrong| invalid(wrong.0))?;
    Ok(draft)
}

fn cover(form: ContentCover) -> Cover {
    Cover {
        sample: form.sample,
        view: form.view,
        alt: form.alt,
    }
}

/// A revision's text, for the console.
fn draft_of(text: &str) -> Result<ArticleDraft, ServiceError> {
    let draft: Draft = serde_json::from_str(text).map_err(anyhow::Error::from)?;
    let content = serde_json::to_string(&draft.content).map_err(anyhow::Error::from)?;
    Ok(ArticleDraft {
        title: draft.title,
        summary: draft.summary,
        category_id: draft.category_id,
        order: draft.order,
        date: draft.date,
        cover: draft.cover.map(cover_view),
        related: draft.related,
        content: chassis::json::object_of(&content),
    })
}
