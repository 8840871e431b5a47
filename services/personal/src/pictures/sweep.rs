//! Removes objects that no row refers to. Each object is listed in `object_due` before it is stored, and taken off the list in
//! the transaction that refers to it: after a failure in between the sweeper removes it.

use std::time::Duration;

use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::away;
use crate::Personal;
use crate::entity::object_due;

/// How long open pages may still show a replaced picture.
pub(crate) const REPLACED_MS: i64 = 24 * 3_600_000;
/// How long reviewers can view a decided picture.
pub(crate) const DECIDED_MS: i64 = 30 * 24 * 3_600_000;
const PERIOD: Duration = Duration::from_secs(600);
/// Objects per round.
const ROUND: u64 = 500;

/// The key in the address of a public picture; none for other addresses.
pub fn public_key_in(address: &str) -> Option<&str> {
    let prefix = format!("/{}", objectstore::PUBLIC_PREFIX);
    let at = address.rfind(&prefix)?;
    address.get(at + 1..)
}

/// Lists an object for removal at `at`.
pub(crate) async fn due(
    connection: &impl ConnectionTrait,
    key: &str,
    at: i64,
) -> Result<(), DbErr> {
    let row = object_due::Model {
        object_key: key.to_owned(),
        due_at: at,
    };
    db::upsert(row, [object_due::Column::DueAt], connection).await
}

/// Takes an object off the list: a row refers to it now. Returns whether it was listed; otherwise it may have been removed.
pub(crate) async fn keep(connection: &impl ConnectionTrait, key: &str) -> Result<bool, DbErr> {
    let struck = object_due::Entity::delete_by_id(key)
        .exec(connection)
        .await?;
    Ok(struck.rows_affected > 0)
}

impl Personal {
    /// Starts the sweeper.
    pub(crate) fn spawn_sweep(&self) {
        let here = self.clone();
        self.context
            .shutdown
            .every(PERIOD, "objects that nothing names", move || {
                let here = here.clone();
                async move { here.sweep_objects().await }
            });
    }

    /// One round. A failed object is logged and does not block the others.
    pub async fn sweep_objects(&self) -> Result<(), ServiceError> {
        let due = object_due::Entity::find()
            .filter(object_due::Column::DueAt.lte(self.context.clock.now_ms()))
            .order_by_asc(object_due::Column::DueAt)
            .limit(ROUND)
            .all(&self.context.db)
            .await?;
        for row in due {
            if let Err(error) = self.remove_object(&row.object_key).await {
                tracing::warn!(key = row.object_key, %error, "an object that is due was not removed");
            }
        }
        Ok(())
    }

    async fn remove_object(&self, key: &str) -> Result<(), ServiceError> {
        self.context.objects.delete(key).await.map_err(away)?;
        keep(&self.context.db, key).await?;
        Ok(())
    }
}
