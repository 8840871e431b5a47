//! Events consumed by the service.

use chassis::rights;
use proto::@name@::v1::@Name@Events;
use proto::auth::v1::AccountClosed;
use sea_orm::DatabaseTransaction;

use crate::@Name@;

/// Handles events of other services.
pub(crate) struct Consumer(pub @Name@);

impl @Name@Events<DatabaseTransaction> for Consumer {
    async fn auth_account_closed(
        &self,
        transaction: &DatabaseTransaction,
        event: AccountClosed,
    ) -> anyhow::Result<()> {
        Ok(rights::note(&self.0.context, transaction, event).await?)
    }
}
