//! The outbox: events are written in the business transaction and carried to the bus by a relay.
//!
//! The relay looks for rows without `sent_at`, never for ids past a cursor: transactions do not commit in the order of
//! their ids. A row is marked only after the bus has confirmed it, so an event is published at least once.

use std::sync::Arc;

use prost::Message;
use sea_orm::entity::prelude::*;
use sea_orm::{
    Condition, ConnectionTrait, DatabaseConnection, DbBackend, QueryOrder, QuerySelect, Set,
    TransactionTrait,
};
use tokio::sync::watch;

use super::inbox;
use super::rounds::Rounds;
use crate::bus::{Bus, Event};
use crate::stream::{self, topics};
use crate::{Clock, Context};

pub(crate) mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "outbox")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub event_key: String,
        pub aggregate: String,
        pub version: i64,
        pub body: Vec<u8>,
        pub traceparent: String,
        pub created_at: i64,
        /// When the bus confirmed it.
        pub sent_at: Option<i64>,
        /// When Kafka acknowledged it, for those that leave.
        pub streamed_at: Option<i64>,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Events carried in one go.
const BATCH: u64 = 100;
/// Sent rows are kept this long, for looking at them.
const KEEP_MS: i64 = 24 * 3600 * 1000;

/// Handle of a service's outbox; clones share it.
#[derive(Clone)]
pub struct Outbox {
    db: DatabaseConnection,
    clock: Clock,
    /// Counts commits; every relay of this outbox watches.
    committed: Arc<watch::Sender<u64>>,
}

impl Outbox {
    pub fn new(db: DatabaseConnection, clock: Clock) -> Self {
        Self {
            db,
            clock,
            committed: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Writes an event into the transaction. `key` is the routing key `<service>.<thing>.<fact>`, `aggregate` the id of
    /// the thing, `version` its version after the change.
    pub async fn add(
        &self,
        transaction: &impl ConnectionTrait,
        key: &str,
        aggregate: &str,
        version: i64,
        body: &impl Message,
    ) -> Result<(), DbErr> {
        let row = row::ActiveModel {
            id: Set(uuid::Uuid::now_v7().to_string()),
            event_key: Set(key.to_owned()),
            aggregate: Set(aggregate.to_owned()),
            version: Set(version),
            body: Set(body.encode_to_vec()),
            traceparent: Set(crate::telemetry::traceparent()),
            created_at: Set(self.clock.now_ms()),
            sent_at: Set(None),
            streamed_at: Set(None),
        };
        row::Entity::insert(row)
            .exec_without_returning(transaction)
            .await?;
        Ok(())
    }

    /// Tells the relays that a transaction with events has been committed.
    pub fn wake(&self) {
        self.committed
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The database this outbox lies in.
    pub(crate) fn db(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Starts the relay of this outbox to the bus, and the one to the topics where the service has some.
    pub fn spawn_relays(&self, context: &Context) {
        let streams = context.stream.carries(context.service);
        if streams {
            stream::spawn(context, self.committed.subscribe());
        }
        super::lag::spawn(context, streams);
        let outbox = self.clone();
        let bus = context.bus.clone();
        let mut rounds = Rounds::new(self.committed.subscribe(), context.shutdown.clone());
        context.shutdown.spawn(async move {
            let mut cleaned_at = 0;
            loop {
                match outbox.carry(&bus).await {
                    // A full batch: more may be waiting.
                    Ok(carried) if carried == BATCH => continue,
                    Ok(_) => {}
                    Err(error) => tracing::warn!(error = format!("{error:#}"), "outbox waits"),
                }
                let now = outbox.clock.now_ms();
                if now - cleaned_at > 3_600_000 {
                    cleaned_at = now;
                    if let Err(error) = outbox.clean(now, streams).await {
                        tracing::warn!(%error, "outbox not cleaned");
                    }
                }
                if !rounds.next().await {
                    return;
                }
            }
        });
    }

    /// Carries one batch to the bus; answers how many.
    async fn carry(&self, bus: &Bus) -> anyhow::Result<u64> {
        if self.db.get_database_backend() == DbBackend::Sqlite {
            // One process owns the file: no lock is needed, and none may be held while handlers write to it.
            let rows = self.unsent(&self.db, false).await?;
            let count = rows.len() as u64;
            return self.publish(bus, rows, &self.db).await.map(|()| count);
        }
        // Several replicas may relay: the rows are locked while they travel.
        let transaction = self.db.begin().await?;
        let rows = self.unsent(&transaction, true).await?;
        let count = rows.len() as u64;
        self.publish(bus, rows, &transaction).await?;
        transaction.commit().await?;
        Ok(count)
    }

    async fn unsent(
        &self,
        connection: &impl ConnectionTrait,
        lock: bool,
    ) -> Result<Vec<row::Model>, DbErr> {
        let mut query = row::Entity::find()
            .filter(row::Column::SentAt.is_null())
            .order_by_asc(row::Column::CreatedAt)
            .order_by_asc(row::Column::Id)
            .limit(BATCH);
        if lock {
            query = query.lock_with_behavior(
                sea_orm::sea_query::LockType::Update,
                sea_orm::sea_query::LockBehavior::SkipLocked,
            );
        }
        query.all(connection).await
    }

    async fn publish(
        &self,
        bus: &Bus,
        rows: Vec<row::Model>,
        connection: &impl ConnectionTrait,
    ) -> anyhow::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
        let events = rows.into_iter().map(event_of).collect();
        bus.publish(events).await?;
        let now = self.clock.now_ms();
        mark(connection, row::Column::SentAt, ids, now).await?;
        Ok(())
    }

    /// Forgets what everybody has had for long, and what has come in long ago: with `streams` also what leaves has to have left.
    async fn clean(&self, now: i64, streams: bool) -> Result<(), DbErr> {
        let mut old = row::Entity::delete_many()
            .filter(row::Column::SentAt.is_not_null())
            .filter(row::Column::SentAt.lt(now - KEEP_MS));
        if streams {
            let keys = topics::ROUTED.iter().map(|routed| routed.key);
            old = old.filter(
                Condition::any()
                    .add(row::Column::StreamedAt.is_not_null())
                    .add(row::Column::EventKey.is_not_in(keys)),
            );
        }
        old.exec(&self.db).await?;
        inbox::forget(&self.db, now).await
    }

    /// Events not yet confirmed by the bus.
    pub async fn waiting(&self) -> Result<u64, DbErr> {
        row::Entity::find()
            .filter(row::Column::SentAt.is_null())
            .count(&self.db)
            .await
    }
}

/// Writes into `column` of the rows that they have been where it says at `now`.
pub(crate) async fn mark(
    connection: &impl ConnectionTrait,
    column: row::Column,
    mut ids: Vec<String>,
    now: i64,
) -> Result<(), DbErr> {
    let Some(last) = ids.last().cloned() else {
        return Ok(());
    };
    // A statement of its own for every number of rows would drive all others out of the connection's prepared ones.
    ids.resize(ids.len().next_power_of_two(), last);
    row::Entity::update_many()
        .col_expr(column, Expr::value(now))
        .filter(row::Column::Id.is_in(ids))
        .exec(connection)
        .await?;
    Ok(())
}

pub(crate) fn event_of(row: row::Model) -> Event {
    Event {
        id: row.id,
        key: row.event_key,
        aggregate: row.aggregate,
        version: row.version,
        time_ms: row.created_at,
        traceparent: row.traceparent,
        body: row.body,
    }
}
