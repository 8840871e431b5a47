//! Deletes records that were never submitted, and pictures that are no longer needed.

use std::time::Duration;

use chassis::ServiceError;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Condition;
use sea_orm::{QuerySelect, Set};

use super::{Certifications, pictures};
use crate::entity::certification::{self, State};

/// Longest time of preparing; the gateway has given up the call long before.
const PREPARING_MS: i64 = 10 * 60_000;
const PERIOD: Duration = Duration::from_secs(120);
/// Most records per round.
const ROUND: u64 = 200;

/// Starts the sweeper.
pub fn spawn(certifications: &Certifications) {
    let here = certifications.clone();
    let shutdown = certifications.context.shutdown.clone();
    shutdown.every(PERIOD, "pictures of certifications", move || {
        let here = here.clone();
        async move { sweep(&here).await }
    });
}

/// One round. A record that fails is logged and does not hold up the others.
pub async fn sweep(certifications: &Certifications) -> Result<(), ServiceError> {
    let now_ms = certifications.now_ms();
    let given_up = Condition::all()
        .add(certification::Column::State.eq(State::Preparing))
        .add(certification::Column::CreatedAt.lt(now_ms - PREPARING_MS));
    let served = certification::Column::PicturesDue.lte(now_ms);
    let due = certification::Entity::find_any()
        .filter(Condition::any().add(given_up).add(served))
        .limit(ROUND)
        .all(&certifications.context.db)
        .await?;
    for record in due {
        let removed = match record.state {
            State::Preparing => certifications.discard(&record.login_id, &record.id).await,
            _ => {
                let (login_id, id) = (&record.login_id, &record.id);
                certifications.remove_pictures(login_id, id).await
            }
        };
        if let Err(error) = removed {
            tracing::warn!(certification = record.id, %error, "what is due was not removed");
        }
    }
    Ok(())
}

impl Certifications {
    /// Deletes a record that was not submitted, and its pictures. It is marked as abandoned first: from then on it cannot be
    /// submitted, and the sweeper retries what fails below. No transaction waits for the store.
    pub(super) async fn discard(&self, login_id: &str, id: &str) -> Result<(), ServiceError> {
        let given_up = certification::Entity::update_own(login_id)
            .set(certification::ActiveModel {
                pictures_due: Set(Some(self.now_ms())),
                ..Default::default()
            })
            .filter(certification::Column::Id.eq(id))
            .filter(certification::Column::State.eq(State::Preparing))
            .exec(&self.context.db)
            .await?;
        if given_up.rows_affected == 0 {
            return Ok(());
        }
        pictures::remove(&*self.context.objects, id).await?;
        certification::Entity::delete_own(login_id)
            .filter(certification::Column::Id.eq(id))
            .filter(certification::Column::State.eq(State::Preparing))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    /// Deletes the pictures of a record when they are due.
    pub(super) async fn remove_pictures(
        &self,
        login_id: &str,
        id: &str,
    ) -> Result<(), ServiceError> {
        pictures::remove(&*self.context.objects, id).await?;
        certification::Entity::update_own(login_id)
            .set(certification::ActiveModel {
                pictures_due: Set(None),
                ..Default::default()
            })
            .filter(certification::Column::Id.eq(id))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }
}
