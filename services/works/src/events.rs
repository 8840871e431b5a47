//! Events consumed by the service.

use proto::auth::v1::AccountClosed;
use proto::personal::v1::WordsChanged;
use proto::works::v1::WorksEvents;
use sea_orm::DatabaseTransaction;

use crate::Works;

/// Handles events of other services.
pub(crate) struct Consumer(pub Works);

impl WorksEvents<DatabaseTransaction> for Consumer {
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
