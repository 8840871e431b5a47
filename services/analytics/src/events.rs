//! What the service consumes: the steps from an account to a payment, counted by day.

use chassis::rights;
use proto::analytics::v1::AnalyticsEvents;
use proto::auth::v1::{AccountClosed, AccountRegistered};
use proto::order::v1::OrderPaid;
use proto::process::v1::{CheckFinished, FileUploaded, ResultFinished};
use sea_orm::DatabaseTransaction;

use crate::{Analytics, rollups};

/// Handles the events of analytics.
pub(crate) struct Consumer(pub Analytics);

impl AnalyticsEvents<DatabaseTransaction> for Consumer {
    async fn auth_account_registered(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountRegistered,
    ) -> anyhow::Result<()> {
        Ok(rollups::step(transaction, "registered", event.registered_at_ms).await?)
    }

    async fn process_file_uploaded(
        &self,
        transaction: &DatabaseTransaction,
        event: FileUploaded,
    ) -> anyhow::Result<()> {
        Ok(rollups::step(transaction, "uploaded", event.uploaded_at_ms).await?)
    }

    async fn process_check_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: CheckFinished,
    ) -> anyhow::Result<()> {
        if event.status == "ready" {
            rollups::step(transaction, "checked", event.finished_at_ms).await?;
        }
        Ok(())
    }

    async fn process_result_finished(
        &self,
        transaction: &DatabaseTransaction,
        event: ResultFinished,
    ) -> anyhow::Result<()> {
        if event.status == "done" {
            rollups::step(transaction, "processed", event.finished_at_ms).await?;
            if event.service_type == "lightweight" {
                rollups::step(transaction, "lightened", event.finished_at_ms).await?;
            }
        }
        Ok(())
    }

    async fn order_order_paid(
        &self,
        transaction: &DatabaseTransaction,
        event: OrderPaid,
    ) -> anyhow::Result<()> {
        Ok(rollups::step(transaction, "paid", event.paid_at_ms).await?)
    }

    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}
