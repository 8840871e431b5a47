//! Giving back what was bought and never downloaded.

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use proto::payment::v1::RefundSucceeded;
use proto::transaction::v1::{ReturnReply, ReturnRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};

use crate::Mall;
use crate::cart;
use crate::entity::grant::{ActiveModel, Column, Entity, Model, State};

/// Nothing was granted, or it was taken away.
const NONE: &str = "none";
const DOWNLOADED: &str = "downloaded";

/// What is said of a grant that did not move.
fn standing(row: &Model) -> &'static str {
    match row.state {
        State::Active => DOWNLOADED,
        State::Returning | State::Returned => row.state.name(),
        State::Revoked => NONE,
    }
}

impl Mall {
    /// Blocks the download of an item from now on, unless it was downloaded before.
    pub(crate) async fn give_back(
        &self,
        request: &ReturnRequest,
    ) -> Result<ReturnReply, ServiceError> {
        if request.order_id.is_empty() || request.item_id.is_empty() {
            return Ok(ReturnReply {
                state: NONE.to_owned(),
                owner: String::new(),
            });
        }
        let transaction = db::begin_write(&self.context.db).await?;
        Transition::to(State::Returning)
            .set(ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::OrderId.eq(&request.order_id))
            .only(Column::ItemId.eq(&request.item_id))
            .only(Column::FirstDownloadAt.eq(0))
            .apply(&transaction)
            .await?;
        let row = Entity::find_any()
            .filter(Column::OrderId.eq(&request.order_id))
            .filter(Column::ItemId.eq(&request.item_id))
            .one(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(ReturnReply {
            state: row.as_ref().map_or(NONE, standing).to_owned(),
            owner: row.map(|row| row.owner).unwrap_or_default(),
        })
    }

    /// The price of an item is back with its buyer, who has it no more. A refund of an item has the item's id.
    pub(crate) async fn returned(
        &self,
        transaction: &DatabaseTransaction,
        refund: &RefundSucceeded,
    ) -> anyhow::Result<()> {
        let row = Entity::find_any()
            .filter(Column::OrderId.eq(&refund.order_id))
            .filter(Column::ItemId.eq(&refund.refund_id))
            .one(transaction)
            .await?;
        let Some(row) = row else { return Ok(()) };
        // What an operator gave back was not blocked before.
        let state = match row.state {
            State::Returning => State::Returned,
            _ => State::Revoked,
        };
        let ended = Transition::to(state)
            .set(ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(&row.id))
            .apply(transaction);
        if !ended.await? {
            return Ok(());
        }
        let revision = cart::lock(transaction, &row.owner).await?;
        self.tell_purchases(transaction, &row.owner, revision).await
    }
}
