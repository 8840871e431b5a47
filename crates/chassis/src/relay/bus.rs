//! From the outbox to the bus. Every replica relays; delivered rows are deleted after a day.

use proto::events::EVENTS;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{Condition, ConnectionTrait, DbBackend, QueryOrder, QuerySelect, TransactionTrait};

use super::rounds::Rounds;
use crate::bus::Carriage;
use crate::messaging::outbox::{Outbox, SET_ASIDE, event_of, mark, row};
use crate::messaging::{inbox, undelivered};
use crate::panics::caught;
use crate::{Context, limit};

/// Events carried in one go.
const BATCH: u64 = 100;
/// Sent rows are kept this long, for looking at them.
const KEEP_MS: i64 = 24 * 3600 * 1000;
/// Longest time that removing old rows may take.
const CLEANING_LIMIT: std::time::Duration = std::time::Duration::from_secs(120);
/// How often old rows are looked for.
const CLEANING_MS: i64 = 3_600_000;

const TASK: &str = "relay of the outbox";
const CLEANING: &str = "cleaning of the outbox";

/// Starts the relay. `streams`: whether events of the service also leave for topics.
pub(super) fn spawn(outbox: Outbox, context: &Context, streams: bool) {
    let mut carriage = context.bus.carriage(&outbox, context.database_wait());
    let health = context.relay.clone();
    let mut rounds = Rounds::new(outbox.commits(), context.shutdown.clone());
    let stop = context.shutdown.clone();
    limit::announce(TASK);
    limit::announce(CLEANING);
    health.started();
    context.shutdown.spawn(async move {
        let mut cleaned_at = 0;
        loop {
            // One that is given up drops its transaction, and the pool the connection that did not answer.
            let round = caught(carry(&outbox, &mut carriage));
            let round = limit::within(TASK, health.round_limit(), round).await;
            let round = round.map(|ended| ended.unwrap_or_else(|panic| Err(panic.into())));
            if let Ok(ended) = &round {
                health.ended(ended.is_ok());
            }
            match round {
                // A full batch: more may be waiting.
                Ok(Ok(Carried::More)) if !stop.is_requested() => continue,
                Ok(Ok(_)) | Err(_) => {}
                Ok(Err(error)) => tracing::warn!(error = format!("{error:#}"), "outbox waits"),
            }
            let now = outbox.now_ms();
            if now - cleaned_at > CLEANING_MS {
                cleaned_at = now;
                let cleaning = clean(outbox.db(), now, streams);
                match limit::within(CLEANING, CLEANING_LIMIT, caught(cleaning)).await {
                    Ok(Ok(Ok(()))) | Err(_) => {}
                    Ok(Ok(Err(error))) => tracing::warn!(%error, "outbox not cleaned"),
                    Ok(Err(panic)) => tracing::error!(error = %panic, "outbox not cleaned"),
                }
            }
            if !rounds.next().await {
                return;
            }
        }
    });
}

/// What a round has left behind.
#[derive(Debug, PartialEq, Eq)]
enum Carried {
    /// Nothing that it saw.
    All,
    /// The batch was full.
    More,
}

/// Carries one batch to the bus.
async fn carry(outbox: &Outbox, carriage: &mut Carriage) -> anyhow::Result<Carried> {
    let db = outbox.db();
    carriage.go_on().await?;
    if db.get_database_backend() == DbBackend::Sqlite {
        // One process owns the file: no lock is needed, and none may be held while handlers write to it.
        let rows = unsent(db, false).await?;
        return publish(carriage, rows, db, outbox.now_ms()).await;
    }
    // Several replicas may relay: the rows are locked while they travel.
    let transaction = db.begin().await?;
    let rows = unsent(&transaction, true).await?;
    let carried = publish(carriage, rows, &transaction, outbox.now_ms()).await;
    // What was carried before an error stays so.
    transaction.commit().await?;
    carried
}

async fn unsent(connection: &impl ConnectionTrait, lock: bool) -> Result<Vec<row::Model>, DbErr> {
    let mut query = row::Entity::find()
        .filter(row::Column::SentAt.is_null())
        .order_by_asc(row::Column::CreatedAt)
        .order_by_asc(row::Column::Id)
        .limit(BATCH);
    if lock {
        query = query.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
    }
    query.all(connection).await
}

async fn publish(
    carriage: &mut Carriage,
    rows: Vec<row::Model>,
    connection: &(impl ConnectionTrait + TransactionTrait),
    now: i64,
) -> anyhow::Result<Carried> {
    if rows.is_empty() {
        return Ok(Carried::All);
    }
    let full = rows.len() as u64 == BATCH;
    let events = rows.into_iter().map(event_of).collect();
    let taken = carriage.carry(events).await;
    // Before the mark: after a kill in between they come again, and are held or handled already.
    undelivered::hold(connection, taken.held, now).await?;
    mark(connection, row::Column::SentAt, taken.ids, now).await?;
    match taken.error {
        Some(error) => Err(error.into()),
        None if full => Ok(Carried::More),
        None => Ok(Carried::All),
    }
}

/// Deletes rows that were delivered long ago, and old marks of the inbox. With `streams` a row of a topic stays until it has
/// left; one that was set aside stays.
pub(super) async fn clean(db: &DatabaseConnection, now: i64, streams: bool) -> Result<(), DbErr> {
    let mut old = row::Entity::delete_many()
        .filter(row::Column::SentAt.is_not_null())
        .filter(row::Column::SentAt.lt(now - KEEP_MS));
    if streams {
        let streamed = EVENTS.iter().filter(|event| event.topic.is_some());
        let keys = streamed.map(|event| event.key);
        old = old.filter(
            Condition::any()
                .add(row::Column::StreamedAt.gt(SET_ASIDE))
                .add(row::Column::EventKey.is_not_in(keys)),
        );
    }
    old.exec(db).await?;
    inbox::forget(db, now).await
}
