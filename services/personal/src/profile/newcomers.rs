//! Nickname and picture from WeChat and QQ for accounts created through them. They are judged like user input, outside of the
//! event's handler: nothing waits for it, and refused values are dropped. Values set by the user meanwhile stay.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use chassis::ServiceError;
use chassis::db::{self, begin_write, lease};
use proto::auth::v1::IdentityRegistered;
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect, Set};

use super::edit::{NICKNAME, NICKNAME_MAX};
use crate::Personal;
use crate::entity::{newcomer, profile};
use crate::pictures::{AVATAR_MB, Verdict};

const EVERY: Duration = Duration::from_secs(2);
/// Retry delay after a failed attempt.
const AGAIN_MS: i64 = 30_000;
/// After that the account keeps the defaults.
const LIFE_MS: i64 = 24 * 3_600_000;
/// Newcomers per round.
const ROUND: u64 = 50;

/// Stores a new user's nickname and picture from the provider. Idempotent.
pub(crate) async fn note(
    transaction: &DatabaseTransaction,
    event: IdentityRegistered,
    now: i64,
) -> anyhow::Result<()> {
    let row = newcomer::Model {
        login_id: event.login_id,
        nickname: event.nickname,
        picture: STANDARD.encode(event.picture),
        created_at: now,
        due_at: now,
    };
    db::insert_new(row, transaction).await?;
    Ok(())
}

/// None: refused. Errors: no check could decide.
fn unless_refused<T>(outcome: Result<T, ServiceError>) -> Result<Option<T>, ServiceError> {
    match outcome {
        Ok(accepted) => Ok(Some(accepted)),
        Err(ServiceError::Business(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Personal {
    pub(crate) fn spawn_newcomers(&self) {
        let here = self.clone();
        self.context.shutdown.every(EVERY, "newcomers", move || {
            let here = here.clone();
            async move { here.greet_newcomers().await }
        });
    }

    async fn greet_newcomers(&self) -> Result<bool, ServiceError> {
        let now = self.context.clock.now_ms();
        let due = newcomer::Entity::find()
            .filter(newcomer::Column::DueAt.lte(now))
            .order_by_asc(newcomer::Column::DueAt)
            .limit(ROUND)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        for row in due {
            let until = now + AGAIN_MS;
            let taken = lease::<newcomer::Entity>(newcomer::Column::DueAt, row.due_at, until)
                .filter(newcomer::Column::LoginId.eq(&row.login_id))
                .exec(&self.context.db)
                .await?;
            if taken.rows_affected == 0 {
                continue;
            }
            if let Err(error) = self.greet(&row, now).await {
                tracing::warn!(%error, "how a newcomer appears is looked at again");
            }
        }
        Ok(found)
    }

    async fn greet(&self, row: &newcomer::Model, now: i64) -> Result<(), ServiceError> {
        let known = profile::Entity::find_by_id(&row.login_id)
            .one(&self.context.db)
            .await?;
        // The registration event may arrive later.
        if known.is_none() && now < row.created_at + LIFE_MS {
            let soon = now + EVERY.as_millis() as i64;
            lease::<newcomer::Entity>(newcomer::Column::DueAt, now + AGAIN_MS, soon)
                .filter(newcomer::Column::LoginId.eq(&row.login_id))
                .exec(&self.context.db)
                .await?;
            return Ok(());
        }
        let outcome = match now < row.created_at + LIFE_MS {
            true => (self.their_name(row).await?, self.their_picture(row).await?),
            false => (None, None),
        };
        let transaction = begin_write(&self.context.db).await?;
        let now = profile::Entity::find_by_id(&row.login_id)
            .lock_exclusive()
            .one(&transaction)
            .await?;
        let mut changes = false;
        if let Some(now) = now {
            let mut change = <profile::ActiveModel as Default>::default();
            let (nickname, avatar) = outcome;
            if now.nickname.is_none() && nickname.is_some() {
                change.nickname = Set(nickname);
                changes = true;
            }
            if now.avatar.is_none() && avatar.is_some() {
                change.avatar = Set(avatar);
                changes = true;
            }
            if changes {
                self.write_profile(&row.login_id, change, &transaction)
                    .await?;
            }
        }
        newcomer::Entity::delete_by_id(&row.login_id)
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        if changes {
            self.outbox.wake();
            self.push_profile(&row.login_id);
        }
        Ok(())
    }

    async fn their_name(&self, row: &newcomer::Model) -> Result<Option<String>, ServiceError> {
        let plain = row.nickname.chars().filter(|c| !c.is_control());
        let text: String = plain.collect();
        let text: String = text.trim().chars().take(NICKNAME_MAX).collect();
        if text.is_empty() {
            return Ok(None);
        }
        let accepted = self.accept_text(&row.login_id, NICKNAME, text.trim_end());
        let accepted = unless_refused(accepted.await)?;
        Ok(accepted.map(|text| text.chars().take(NICKNAME_MAX).collect()))
    }

    async fn their_picture(&self, row: &newcomer::Model) -> Result<Option<String>, ServiceError> {
        let bytes = STANDARD.decode(&row.picture).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(None);
        }
        let judged = self.judge_bytes(&row.login_id, Bytes::from(bytes), AVATAR_MB);
        match unless_refused(judged.await)? {
            Some(checked) if checked.verdict == Verdict::Passed => {
                Ok(Some(self.publish_avatar(&checked).await?))
            }
            _ => Ok(None),
        }
    }
}
