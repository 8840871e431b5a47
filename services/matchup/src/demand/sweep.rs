//! Expires needs whose deadline has passed.

use std::time::Duration;

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect, Set};

use crate::Matchup;
use crate::entity::demand::{ActiveModel, Column, Entity, State};
use crate::notify::Notification;

const PERIOD: Duration = Duration::from_secs(5);
const BATCH: u64 = 50;

pub(crate) fn spawn(matchup: &Matchup) {
    let swept = matchup.clone();
    let shutdown = &matchup.context.shutdown;
    shutdown.every(PERIOD, "needs whose time is over", move || {
        let matchup = swept.clone();
        async move { matchup.expire().await }
    });
}

impl Matchup {
    async fn expire(&self) -> anyhow::Result<bool> {
        let due: Vec<String> = Entity::find_any()
            .select_only()
            .column(Column::Id)
            .filter(Column::State.eq(State::Open))
            .filter(Column::Until.gt(0))
            .filter(Column::Until.lte(self.now()))
            .order_by_asc(Column::Until)
            .limit(BATCH)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for id in due {
            if let Err(error) = self.expire_one(&id).await {
                tracing::warn!(demand = id, error = format!("{error:#}"), "not ended yet");
            }
        }
        Ok(found)
    }

    async fn expire_one(&self, id: &str) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let demand = self.hold(&transaction, id).await?;
        if demand.until > self.now() {
            return Ok(());
        }
        let moved = Transition::to(State::Expired)
            .set(ActiveModel {
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(Column::Id.eq(id))
            .apply(&transaction)
            .await?;
        if moved {
            self.lose_offers(&transaction, &demand, "offerEnded")
                .await?;
            let notification = Notification::of_demand("demandExpired", &demand.owner, id, &demand);
            self.notify(&transaction, notification).await?;
        }
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
