//! The consumed events: how attempts ended, what was delivered, who is a member.

use chassis::rights;
use proto::auth::v1::AccountClosed;
use proto::order::v1::OrderEvents;
use proto::payment::v1::{AttemptFailed, AttemptSucceeded, RefundSucceeded};
use proto::personal::v1::MembershipChanged;
use proto::{payment, personal, transaction};
use sea_orm::DatabaseTransaction;

use crate::Orders;
use crate::entity::purchase;

/// Handles the events of order.
pub(crate) struct Consumer(pub Orders);

impl OrderEvents<DatabaseTransaction> for Consumer {
    async fn payment_attempt_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: AttemptSucceeded,
    ) -> anyhow::Result<()> {
        self.0.succeeded(transaction, &event).await?;
        self.0.context.fail.at("order.paid.before_commit")
    }

    async fn payment_attempt_failed(
        &self,
        transaction: &DatabaseTransaction,
        event: AttemptFailed,
    ) -> anyhow::Result<()> {
        self.0.failed(transaction, &event).await
    }

    async fn payment_order_fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        event: payment::v1::OrderFulfilled,
    ) -> anyhow::Result<()> {
        let (order, at) = (event.order_id, event.fulfilled_at_ms);
        self.0.fulfilled(transaction, &order, at).await
    }

    async fn personal_order_fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        event: personal::v1::OrderFulfilled,
    ) -> anyhow::Result<()> {
        let (order, at) = (event.order_id, event.fulfilled_at_ms);
        self.0.fulfilled(transaction, &order, at).await
    }

    async fn transaction_order_fulfilled(
        &self,
        transaction: &DatabaseTransaction,
        event: transaction::v1::OrderFulfilled,
    ) -> anyhow::Result<()> {
        let (id, at) = (event.order_id, event.fulfilled_at_ms);
        self.0.fulfilled(transaction, &id, at).await?;
        let order = purchase::Entity::find_any_by_id(&id)
            .one(transaction)
            .await?;
        match order {
            Some(order) => {
                let had = &event.had_item_ids;
                self.0.items_granted(transaction, &order, had).await
            }
            None => Ok(()),
        }
    }

    async fn payment_refund_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: RefundSucceeded,
    ) -> anyhow::Result<()> {
        let (refund, order) = (&event.refund_id, &event.order_id);
        self.0.item_refunded(transaction, refund, order).await
    }

    async fn personal_membership_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: MembershipChanged,
    ) -> anyhow::Result<()> {
        crate::membership::changed(transaction, event).await
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}
