//! The outbox: events are written in the business transaction; [`crate::relay`] carries them from here.

use std::sync::Arc;

use proto::events::{Internal, Published, Streamed};
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseConnection, Set};
use tokio::sync::watch;

use super::Event;
use crate::Clock;

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

/// In the place of the time in `streamed_at`: this event has no JSON. It is kept and not tried again until an operator sets the
/// column to null.
pub(crate) const SET_ASIDE: i64 = -1;

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

    /// Writes an event into the transaction. `aggregate` is the id of the object it is about.
    pub async fn add<E: Internal>(
        &self,
        transaction: &impl ConnectionTrait,
        aggregate: &str,
        event: &E,
    ) -> Result<(), DbErr> {
        self.write(transaction, aggregate, 0, event).await
    }

    /// Writes an event that leaves for a topic. `version`: of the object, after the change.
    pub async fn add_streamed<E: Streamed>(
        &self,
        transaction: &impl ConnectionTrait,
        aggregate: &str,
        version: i64,
        event: &E,
    ) -> Result<(), DbErr> {
        self.write(transaction, aggregate, version, event).await
    }

    async fn write<E: Published>(
        &self,
        transaction: &impl ConnectionTrait,
        aggregate: &str,
        version: i64,
        event: &E,
    ) -> Result<(), DbErr> {
        let row = row::ActiveModel {
            id: Set(uuid::Uuid::now_v7().to_string()),
            event_key: Set(E::KEY.to_owned()),
            aggregate: Set(aggregate.to_owned()),
            version: Set(version),
            body: Set(event.encode_to_vec()),
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

    /// Wakes the relays: a transaction with events has been committed.
    pub fn wake(&self) {
        self.committed
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The database this outbox lies in.
    pub(crate) fn db(&self) -> &DatabaseConnection {
        &self.db
    }

    /// Changes with every commit of this process that wrote events.
    pub fn commits(&self) -> watch::Receiver<u64> {
        self.committed.subscribe()
    }

    /// Events not yet confirmed by the bus.
    pub async fn waiting(&self) -> Result<u64, DbErr> {
        row::Entity::find()
            .filter(row::Column::SentAt.is_null())
            .count(&self.db)
            .await
    }
}

/// Sets `column` (`sent_at` or `streamed_at`) of these rows.
pub(crate) async fn mark(
    connection: &impl ConnectionTrait,
    column: row::Column,
    mut ids: Vec<String>,
    value: i64,
) -> Result<(), DbErr> {
    let Some(last) = ids.last().cloned() else {
        return Ok(());
    };
    // A statement of its own for every number of rows would drive all others out of the connection's prepared ones.
    ids.resize(ids.len().next_power_of_two(), last);
    row::Entity::update_many()
        .col_expr(column, Expr::value(value))
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
