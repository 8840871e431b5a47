//! Sessions that have ended: the object store is asked to refuse their credentials and links. They are noted first, so that
//! neither a store that is away nor a process that dies loses one, and no event waits for the store.

use std::time::Duration;

use chassis::{ServiceError, db};
use proto::auth::v1::SessionRevoked;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};

use crate::Personal;
use crate::entity::ended_session::{Column, Entity, Model};
use crate::pictures::away;

/// How soon a store that was away is asked again.
const PERIOD: Duration = Duration::from_secs(1);
/// Sessions in one request.
const ROUND: u64 = 500;

impl Personal {
    /// Notes the sessions; the store hears of them once that is committed.
    pub(crate) async fn note_ended(
        &self,
        transaction: &DatabaseTransaction,
        event: SessionRevoked,
    ) -> anyhow::Result<()> {
        let ended_at = self.context.clock.now_ms();
        for session_id in event.session_ids {
            let row = Model {
                session_id,
                ended_at,
            };
            db::insert_new(row, transaction).await?;
        }
        let wake = self.ended.clone();
        db::after_commit(move || wake.notify_one());
        Ok(())
    }

    pub(crate) fn spawn_revoking(&self) {
        let (here, woken) = (self.clone(), self.ended.clone());
        let shutdown = &self.context.shutdown;
        shutdown.every_or_woken(PERIOD, woken, "ended sessions", move || {
            let here = here.clone();
            async move { here.revoke_ended().await }
        });
    }

    /// Reports what is noted; whether there was any. Replicas may report the same session: the store takes it once.
    async fn revoke_ended(&self) -> Result<bool, ServiceError> {
        let mut found = false;
        loop {
            let noted: Vec<String> = Entity::find()
                .select_only()
                .column(Column::SessionId)
                .order_by_asc(Column::EndedAt)
                .limit(ROUND)
                .into_tuple()
                .all(&self.context.db)
                .await?;
            if noted.is_empty() {
                return Ok(found);
            }
            found = true;
            self.context.issuer.revoke(&noted).await.map_err(away)?;
            Entity::delete_many()
                .filter(Column::SessionId.is_in(noted))
                .exec(&self.context.db)
                .await?;
        }
    }
}
