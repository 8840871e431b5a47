//! Events that the service consumes and publishes.

use chassis::ServiceError;
use proto::auth::v1::AccountClosed;
use proto::order::v1::OrderPaid;
use proto::payment::v1::RefundSucceeded;
use proto::personal::v1::WordsChanged;
use proto::process::v1::{FileReleased, ShowcaseFinished};
use proto::transaction::v1::{ListingChanged, TransactionEvents};
use sea_orm::DatabaseTransaction;

use crate::Mall;
use crate::entity::listing;

/// Handles the events of others.
pub(crate) struct Consumer(pub Mall);

impl TransactionEvents<DatabaseTransaction> for Consumer {
    async fn process_file_released(
        &self,
        transaction: &DatabaseTransaction,
        event: FileReleased,
    ) -> anyhow::Result<()> {
        Ok(self.0.take_released(transaction, event).await?)
    }

    async fn process_showcase_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: ShowcaseFinished,
    ) -> anyhow::Result<()> {
        Ok(self.0.take_showcase(transaction, event).await?)
    }

    async fn order_order_paid(
        &self,
        transaction: &DatabaseTransaction,
        event: OrderPaid,
    ) -> anyhow::Result<()> {
        self.0.take_paid(transaction, event).await
    }

    async fn payment_refund_succeeded(
        &self,
        transaction: &DatabaseTransaction,
        event: RefundSucceeded,
    ) -> anyhow::Result<()> {
        self.0.returned(transaction, &event).await
    }

    async fn personal_words_changed(
        &self,
        transaction: &DatabaseTransaction,
        event: WordsChanged,
    ) -> anyhow::Result<()> {
        chassis::words::changed(transaction, event).await
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(chassis::rights::note(&self.0.context, transaction, event).await?)
    }
}

impl Mall {
    /// Publishes that the mall shows something else of a listing, or shows it no more; `listing` as it is after the change.
    pub(crate) async fn publish_changed(
        &self,
        transaction: &DatabaseTransaction,
        listing: &listing::Model,
    ) -> Result<(), ServiceError> {
        let event = ListingChanged {
            listing_id: listing.id.clone(),
            version: listing.revision,
            state: listing.outward().name().to_owned(),
            seller: listing.seller.clone(),
            name: listing.name.clone(),
            price: listing.price,
            license: listing.license.name().to_owned(),
            category_id: listing.category_id.clone(),
            changed_at_ms: self.now(),
        };
        self.outbox
            .add_streamed(transaction, &listing.id, listing.revision, &event)
            .await?;
        Ok(())
    }
}
