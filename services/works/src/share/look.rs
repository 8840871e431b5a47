//! How long shares were viewed, and the deletion of old rows.

use std::time::Duration;

use chassis::ServiceError;
use proto::works::v1::ShareLookedRequest;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;

use super::{DAY_MS, is_secret, remove};
use crate::Works;
use crate::entity::share;
use crate::entity::share_look::{ActiveModel, Column, Entity};

const PERIOD: Duration = Duration::from_secs(3_600);
/// Retention of views, and of shares that have expired or were revoked.
const KEPT_MS: i64 = 90 * DAY_MS;
const LONGEST_S: i32 = 86_400;
const AHEAD_MS: i64 = 60_000;

impl Works {
    pub(super) async fn looked(&self, asked: &ShareLookedRequest) -> Result<(), ServiceError> {
        let known = is_secret(&asked.share_id) && is_secret(&asked.look_id);
        if !known || !(1..=LONGEST_S).contains(&asked.seconds) {
            return Ok(());
        }
        let row = ActiveModel {
            seconds: sea_orm::Set(asked.seconds),
            ..Default::default()
        };
        Entity::update_many()
            .set(row)
            .filter(Column::Id.eq(&asked.look_id))
            .filter(Column::ShareId.eq(&asked.share_id))
            .filter(Column::Seconds.lt(asked.seconds))
            .filter(Column::At.gt(self.now() - DAY_MS))
            // Ignores a duration longer than the time since the share was opened.
            .filter(Column::At.lte(self.now() - i64::from(asked.seconds) * 1000 + AHEAD_MS))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    async fn forget_old_shares(&self) -> Result<(), DbErr> {
        let (db, before) = (&self.context.db, self.now() - KEPT_MS);
        Entity::delete_many()
            .filter(Column::At.lt(before))
            .exec(db)
            .await?;
        let over = |column: share::Column| column.gt(0).and(column.lt(before));
        let ended = over(share::Column::EndsAt).or(over(share::Column::RevokedAt));
        remove(db, ended).await
    }
}

/// Starts the sweeper of old rows.
pub(crate) fn spawn(works: &Works) {
    let works = works.clone();
    let shutdown = works.context.shutdown.clone();
    shutdown.every(PERIOD, "old shares", move || {
        let works = works.clone();
        async move { works.forget_old_shares().await }
    });
}
