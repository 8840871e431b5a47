//! From the outbox to the bus. Every replica relays; what everybody has had is forgotten after a day.

use proto::events::EVENTS;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{LockBehavior, LockType};
use sea_orm::{Condition, ConnectionTrait, DbBackend, QueryOrder, QuerySelect, TransactionTrait};

use super::rounds::Rounds;
use crate::Context;
use crate::bus::Bus;
use crate::messaging::inbox;
use crate::messaging::outbox::{Outbox, SET_ASIDE, event_of, mark, row};

/// Events carried in one go.
const BATCH: u64 = 100;
/// Sent rows are kept this long, for looking at them.
const KEEP_MS: i64 = 24 * 3600 * 1000;
/// How often old rows are looked for.
const CLEANING_MS: i64 = 3_600_000;

/// Starts the relay. `streams`: whether events of the service also leave for topics.
pub(super) fn spawn(outbox: Outbox, context: &Context, streams: bool) {
    let bus = context.bus.clone();
    let mut rounds = Rounds::new(outbox.commits(), context.shutdown.clone());
    context.shutdown.spawn(async move {
        let mut cleaned_at = 0;
        loop {
            match carry(&outbox, &bus).await {
                // A full batch: more may be waiting.
                Ok(carried) if carried == BATCH => continue,
                Ok(_) => {}
                Err(error) => tracing::warn!(error = format!("{error:#}"), "outbox waits"),
            }
            let now = outbox.now_ms();
            if now - cleaned_at > CLEANING_MS {
                cleaned_at = now;
                if let Err(error) = clean(outbox.db(), now, streams).await {
                    tracing::warn!(%error, "outbox not cleaned");
                }
            }
            if !rounds.next().await {
                return;
            }
        }
    });
}

/// Carries one batch to the bus; returns how many events it had.
async fn carry(outbox: &Outbox, bus: &Bus) -> anyhow::Result<u64> {
    let db = outbox.db();
    if db.get_database_backend() == DbBackend::Sqlite {
        // One process owns the file: no lock is needed, and none may be held while handlers write to it.
        let rows = unsent(db, false).await?;
        let count = rows.len() as u64;
        return publish(bus, rows, db, outbox.now_ms())
            .await
            .map(|()| count);
    }
    // Several replicas may relay: the rows are locked while they travel.
    let transaction = db.begin().await?;
    let rows = unsent(&transaction, true).await?;
    let count = rows.len() as u64;
    publish(bus, rows, &transaction, outbox.now_ms()).await?;
    transaction.commit().await?;
    Ok(count)
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
    bus: &Bus,
    rows: Vec<row::Model>,
    connection: &impl ConnectionTrait,
    now: i64,
) -> anyhow::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    let events = rows.into_iter().map(event_of).collect();
    bus.publish(events).await?;
    mark(connection, row::Column::SentAt, ids, now).await?;
    Ok(())
}

/// Removes what everybody has had for long, and old marks of the inbox. With `streams` a row of a topic stays until it has
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
