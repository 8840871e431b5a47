//! Publishes scheduled articles and deletes expired previews. Pages do not depend on it: they compare with the clock. Gateways
//! are notified when the time of an article has come.

use std::time::Duration;

use chassis::ServiceError;
use chassis::db::states::Transition;
use sea_orm::entity::prelude::*;

use crate::Library;
use crate::entity::article::{Column, State};
use crate::entity::preview;

const PERIOD: Duration = Duration::from_secs(1);

pub(crate) fn spawn(library: &Library) {
    let library = library.clone();
    let shutdown = library.context.shutdown.clone();
    shutdown.every(PERIOD, "scheduled articles", move || {
        let library = library.clone();
        async move { library.sweep().await }
    });
}

impl Library {
    async fn sweep(&self) -> Result<bool, ServiceError> {
        let now = self.now();
        // Of several replicas one moves a row and notifies.
        let moved = Transition::to(State::Published)
            .from_only(&[State::Scheduled])
            .only(Column::PublishedAt.lte(now))
            .count(&self.context.db)
            .await?;
        if moved > 0 {
            tracing::info!(moved, "scheduled articles are shown");
            self.tell_gateways();
        }
        let removed = preview::Entity::delete_many()
            .filter(preview::Column::ExpiresAt.lte(now))
            .exec(&self.context.db)
            .await?;
        Ok(moved > 0 || removed.rows_affected > 0)
    }
}
