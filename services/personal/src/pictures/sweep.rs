//! Objects that nothing names any more. Each is noted before it is put, and struck off in the transaction that names it: whatever
//! fails in between leaves a note, and the sweep removes the object.

use std::time::Duration;

use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};

use super::away;
use crate::Personal;
use crate::entity::object_due;

/// How long pages that are open may still show a picture that was replaced.
pub(crate) const REPLACED_MS: i64 = 24 * 3_600_000;
/// How long reviewers can look at a picture that was decided.
pub(crate) const DECIDED_MS: i64 = 30 * 24 * 3_600_000;
const PERIOD: Duration = Duration::from_secs(600);
/// Objects of one round.
const ROUND: u64 = 500;

/// The key in the address of a public picture; none of what is no address of ours.
pub fn public_key_in(address: &str) -> Option<&str> {
    let prefix = format!("/{}", objectstore::PUBLIC_PREFIX);
    let at = address.rfind(&prefix)?;
    address.get(at + 1..)
}

/// Notes that an object is to be removed then.
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

/// Strikes an object off: it is named now. Returns whether it was noted; one that was not may be gone.
pub(crate) async fn keep(connection: &impl ConnectionTrait, key: &str) -> Result<bool, DbErr> {
    let struck = object_due::Entity::delete_by_id(key)
        .exec(connection)
        .await?;
    Ok(struck.rows_affected > 0)
}

impl Personal {
    /// Starts the rounds.
    pub(crate) fn spawn_sweep(&self) {
        let here = self.clone();
        self.context
            .shutdown
            .every(PERIOD, "objects that nothing names", move || {
                let here = here.clone();
                async move { here.sweep_objects().await }
            });
    }

    /// One round. An object that fails is named in the log and does not keep the others waiting.
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
