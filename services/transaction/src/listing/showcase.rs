//! Pictures of what is handed in: process is asked for them until it reports the outcome.

use std::time::Duration;

use chassis::garbage::discard;
use chassis::{ServiceError, db};
use futures::{StreamExt, stream};
use proto::process::v1::{ProcessCommands, ShowcaseFinished, ShowcaseRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, IntoActiveModel, QueryOrder, QuerySelect, Set};

use super::{Change, Picture};
use crate::Mall;
use crate::entity::approval::Action;
use crate::entity::listing::{self, State};
use crate::entity::version;

const PERIOD: Duration = Duration::from_secs(5);
/// Versions that one round asks for.
const BATCH: u64 = 50;
/// Asked for at a time.
const AT_ONCE: usize = 4;
/// A question without an answer is put again after so long.
const SOON_MS: i64 = 60_000;
/// One that was taken and not reported is asked for again: what was asked for twice is made once.
const AGAIN_MS: i64 = 10 * 60_000;

const MAKING: &[version::State] = &[version::State::Making];

/// Starts to ask for pictures.
pub(crate) fn spawn(mall: &Mall) {
    let woken = mall.ask.clone();
    let mall = mall.clone();
    let shutdown = mall.context.shutdown.clone();
    shutdown.every_or_woken(PERIOD, woken, "pictures of listings", move || {
        let mall = mall.clone();
        async move { mall.ask_for_pictures().await }
    });
}

impl Mall {
    async fn ask_for_pictures(&self) -> Result<bool, ServiceError> {
        let due = version::Entity::find()
            .filter(version::Column::AskAt.gt(0))
            .filter(version::Column::AskAt.lte(self.now()))
            .order_by_asc(version::Column::AskAt)
            .limit(BATCH)
            .all(&self.context.db)
            .await?;
        let found = !due.is_empty();
        stream::iter(due)
            .for_each_concurrent(AT_ONCE, |version| async move {
                if let Err(error) = self.ask_for(&version).await {
                    let (listing, number) = (&version.listing_id, version.number);
                    tracing::warn!(%error, listing, number, "no pictures yet");
                }
            })
            .await;
        Ok(found)
    }

    async fn ask_for(&self, version: &version::Model) -> Result<(), ServiceError> {
        let soon = self.now() + SOON_MS;
        if !self.ask_again_at(version, version.ask_at, soon).await? {
            return Ok(());
        }
        let listing = listing::Entity::find_any_by_id(&version.listing_id)
            .one(&self.context.db)
            .await?;
        let Some(listing) = listing else {
            return Ok(());
        };
        let request = ShowcaseRequest {
            listing_id: version.listing_id.clone(),
            version: version.number,
            file_id: version.file_id.clone(),
            owner: listing.seller,
        };
        let reply = ProcessCommands::showcase(&self.context.bus, &request).await?;
        if reply.job_id.is_empty() {
            let transaction = db::begin_write(&self.context.db).await?;
            self.lock(&transaction, &version.listing_id).await?;
            self.no_pictures(&transaction, version, &reply.reason)
                .await?;
            transaction.commit().await?;
            return Ok(());
        }
        self.ask_again_at(version, soon, self.now() + AGAIN_MS)
            .await?;
        Ok(())
    }

    /// Puts the next question off; `false`: another replica has it, or it need not be put any more.
    async fn ask_again_at(
        &self,
        version: &version::Model,
        seen: i64,
        until: i64,
    ) -> Result<bool, DbErr> {
        let moved = db::lease::<version::Entity>(version::Column::AskAt, seen, until)
            .filter(version::Column::ListingId.eq(&version.listing_id))
            .filter(version::Column::Number.eq(version.number))
            .exec(&self.context.db)
            .await?;
        Ok(moved.rows_affected == 1)
    }

    /// Takes over what process made. Of a listing that was deleted meanwhile it goes.
    pub(crate) async fn take_showcase(
        &self,
        transaction: &DatabaseTransaction,
        event: ShowcaseFinished,
    ) -> Result<(), ServiceError> {
        let Some(listing) = self.lock(transaction, &event.listing_id).await? else {
            let all = format!("m/{}/", event.listing_id);
            return Ok(discard(transaction, self.now(), [&all]).await?);
        };
        let key = (event.listing_id.clone(), event.version);
        let version = version::Entity::find_by_id(key).one(transaction).await?;
        let Some(version) = version.filter(|one| one.source_key.is_empty()) else {
            return Ok(());
        };
        // Given up meanwhile.
        if version.state == version::State::Discarded {
            return Ok(self.discard_made(transaction, &version).await?);
        }
        if event.status != "ready" {
            return self.no_pictures(transaction, &version, &event.reason).await;
        }
        let pictures: Vec<Picture> = event
            .pictures
            .into_iter()
            .map(|one| Picture {
                kind: one.kind,
                key: one.key,
                title: one.title,
            })
            .collect();
        let mut row = version.clone().into_active_model();
        row.source_key = Set(event.source_key);
        row.proxy_key = Set(event.proxy_key);
        row.pictures = Set(serde_json::to_string(&pictures).map_err(anyhow::Error::from)?);
        row.facts = Set(event.facts);
        row.descriptor = Set(event.descriptor);
        row.sha256 = Set(event.sha256);
        row.bytes = Set(event.bytes);
        row.ask_at = Set(0);
        row.update(transaction).await?;
        let moved = self
            .move_version(
                transaction,
                &version,
                (MAKING, version::State::Submitted),
                |_| {},
            )
            .await?;
        // Withdrawn meanwhile: what was made is kept for the next time.
        if !moved {
            return Ok(());
        }
        self.move_listing(transaction, &listing, State::Submitted)
            .await?;
        if !self.config.review {
            self.approve(transaction, &listing.id, version.number)
                .await?;
        }
        Ok(())
    }

    /// The pictures cannot be made: the maker reads why.
    async fn no_pictures(
        &self,
        transaction: &DatabaseTransaction,
        version: &version::Model,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let moved = self
            .move_version(
                transaction,
                version,
                (MAKING, version::State::Failed),
                |row| {
                    row.reason = Set(reason.to_owned());
                    row.ask_at = Set(0);
                },
            )
            .await?;
        if !moved {
            return Ok(());
        }
        let failed = Change {
            action: Action::Failed,
            version: version.number,
            reason,
        };
        self.note(transaction, &version.listing_id, failed).await?;
        let listing = listing::Entity::find_any_by_id(&version.listing_id)
            .one(transaction)
            .await?;
        let Some(listing) = listing else {
            return Ok(());
        };
        if listing.listed_at == 0 {
            self.move_listing(transaction, &listing, State::Rejected)
                .await?;
        }
        self.tell_maker(
            transaction,
            &listing,
            ("listingFailed", version.number),
            reason,
        )
        .await?;
        Ok(())
    }
}
