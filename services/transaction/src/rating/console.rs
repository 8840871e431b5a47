//! Reviews as operators have them: searched, hidden for a reason, shown again.

use chassis::db::list::choice;
use chassis::db::{self, List, contains};
use chassis::{Operator, ServiceError};
use proto::transaction::v1::{
    ModelReviewActRequest, ModelReviewSearchReply, ModelReviewSearchRequest, RatingConsoleCalls,
};
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, Set};
use serde_json::json;

use super::{hold, item, no_such_review};
use crate::Mall;
use crate::entity::rating::{ActiveModel, Column, Entity};
use crate::listing::{conflict, no_such_listing};
use crate::notify::Notification;

impl RatingConsoleCalls<ServiceError> for Mall {
    async fn model_review_search(
        &self,
        _: &Operator,
        form: ModelReviewSearchRequest,
    ) -> Result<ModelReviewSearchReply, ServiceError> {
        let hidden = |state: &str| match state {
            "shown" => Some(false),
            "hidden" => Some(true),
            _ => None,
        };
        let mut list = List::of(Entity::find_any())
            .when(Column::Hidden, choice(&form.state, hidden, "没有这种状态")?)
            .when(Column::Stars, (form.stars > 0).then_some(form.stars));
        let text = form.text.trim();
        if !text.is_empty() {
            list = list.filter(
                Condition::any()
                    .add(contains(Column::Content, text))
                    .add(Column::Id.eq(text))
                    .add(Column::ListingId.eq(text))
                    .add(Column::Owner.eq(text)),
            );
        }
        let found = list
            .newest_first(Column::CreatedAt, Column::Id)
            .following(&form, &self.context.db)
            .await?;
        let ids = found.rows.iter().map(|row| &row.listing_id);
        let listings = self.listings(&self.context.db, ids).await?;
        Ok(found.reply(|row| item(row, &listings)))
    }

    async fn model_review_hide(
        &self,
        operator: &Operator,
        form: ModelReviewActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_review(operator, &form, true).await
    }

    async fn model_review_restore(
        &self,
        operator: &Operator,
        form: ModelReviewActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_review(operator, &form, false).await
    }
}

impl Mall {
    async fn hide_review(
        &self,
        operator: &Operator,
        form: &ModelReviewActRequest,
        hidden: bool,
    ) -> Result<(), ServiceError> {
        let reason = form.reason.trim();
        let transaction = db::begin_write(&self.context.db).await?;
        let found = Entity::find_any_by_id(&form.review_id)
            .one(&transaction)
            .await?;
        let review = found.ok_or_else(no_such_review)?;
        let listing = hold(&transaction, &review.listing_id).await?;
        let listing = listing.ok_or_else(no_such_listing)?;
        let moved = Entity::update_any()
            .set(ActiveModel {
                hidden: Set(hidden),
                hidden_reason: Set(if hidden { reason } else { "" }.to_owned()),
                ..Default::default()
            })
            .filter(Column::Id.eq(&review.id))
            .filter(Column::Hidden.eq(!hidden))
            .exec(&transaction)
            .await?;
        if moved.rows_affected == 0 {
            return Err(conflict(match hidden {
                true => "这条评价已被隐藏",
                false => "这条评价没有被隐藏",
            }));
        }
        // As it is now that the listing is locked.
        let found = Entity::find_any_by_id(&form.review_id)
            .one(&transaction)
            .await?;
        let review = found.ok_or_else(no_such_review)?;
        let sign = if hidden { -1 } else { 1 };
        self.weigh(&transaction, &listing.id, sign * review.stars, sign.into())
            .await?;
        let change = (json!({"hidden": !hidden}), json!({"hidden": hidden}));
        self.audit(&transaction, operator, &review.id, change, reason)
            .await?;
        if hidden {
            let notification =
                Notification::new("reviewHidden", &review.owner, &review.id, &listing);
            self.notify(&transaction, notification.because(reason))
                .await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
