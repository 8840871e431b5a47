//! Events that a consumer could not take where no broker keeps them: they wait in the consumer's own database for their next
//! try, behind the earlier ones of their aggregate, until they are handled or given up. Where that database takes nothing, they
//! are held in the publisher's, in a lane for the consumer, until the consumer has handled or kept them.

use std::collections::BTreeMap;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Alias, OnConflict, Query};
use sea_orm::{
    Condition, ConnectionTrait, ExprTrait, FromQueryResult, QueryOrder, QuerySelect, Set,
    TransactionSession, TransactionTrait,
};

use super::Event;

pub(crate) mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "undelivered")]
    pub struct Model {
        /// The order in which they came.
        #[sea_orm(primary_key)]
        pub position: i64,
        pub consumer: String,
        pub event_id: String,
        pub event_key: String,
        pub aggregate: String,
        pub version: i64,
        pub body: Vec<u8>,
        pub traceparent: String,
        pub created_at: i64,
        pub tries: i32,
        /// When it is tried again.
        pub due_at: i64,
        /// When it was given up: a dead letter.
        pub given_up_at: Option<i64>,
        /// The last error.
        pub reason: String,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Longest text kept of an error.
const REASON_CHARS: usize = 500;

impl row::Model {
    pub(crate) fn event(&self) -> Event {
        Event {
            id: self.event_id.clone(),
            key: self.event_key.clone(),
            aggregate: self.aggregate.clone(),
            version: self.version,
            time_ms: self.created_at,
            traceparent: self.traceparent.clone(),
            body: self.body.clone(),
        }
    }
}

fn waiting(consumer: &str) -> Select<row::Entity> {
    row::Entity::find()
        .filter(row::Column::Consumer.eq(consumer))
        .filter(row::Column::GivenUpAt.is_null())
}

/// An event to be held in a lane of the publisher's.
#[derive(Clone)]
pub(crate) struct Held {
    pub lane: String,
    pub event: Event,
}

/// How the names of lanes begin, in the place of a consumer's.
pub(crate) const LANE: &str = "for ";

/// The lane in which a publisher's database holds events for a consumer. Not the consumer's own name: some services consume
/// their own events.
pub(crate) fn lane(consumer: &str) -> String {
    format!("{LANE}{consumer}")
}

/// Holds events, due at once. Those that are held already stay as they are.
pub(crate) async fn hold(
    connection: &impl TransactionTrait,
    held: Vec<Held>,
    now: i64,
) -> Result<(), DbErr> {
    if held.is_empty() {
        return Ok(());
    }
    // One commit for all: some databases wait for the disk.
    let transaction = connection.begin().await?;
    for Held { lane, event } in held {
        put(&transaction, kept(&lane, &event, 0, now, "")).await?;
    }
    transaction.commit().await
}

/// Keeps an event until `due_at`. One that is kept already stays as it is.
pub(crate) async fn keep(
    db: &DatabaseConnection,
    consumer: &str,
    event: &Event,
    tries: i32,
    due_at: i64,
    reason: &str,
) -> Result<(), DbErr> {
    put(db, kept(consumer, event, tries, due_at, reason)).await
}

fn kept(consumer: &str, event: &Event, tries: i32, due_at: i64, reason: &str) -> row::ActiveModel {
    row::ActiveModel {
        consumer: Set(consumer.to_owned()),
        event_id: Set(event.id.clone()),
        event_key: Set(event.key.clone()),
        aggregate: Set(event.aggregate.clone()),
        version: Set(event.version),
        body: Set(event.body.clone()),
        traceparent: Set(event.traceparent.clone()),
        created_at: Set(event.time_ms),
        tries: Set(tries),
        due_at: Set(due_at),
        given_up_at: Set(None),
        reason: Set(shortened(reason)),
        ..Default::default()
    }
}

async fn put(connection: &impl ConnectionTrait, kept: row::ActiveModel) -> Result<(), DbErr> {
    row::Entity::insert(kept)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(connection)
        .await?;
    Ok(())
}

/// PostgreSQL has no texts with NUL.
fn shortened(reason: &str) -> String {
    let shown = reason.chars().filter(|char| *char != '\0');
    shown.take(REASON_CHARS).collect()
}

/// Whether an event of the aggregate waits, or any at all.
pub(crate) async fn holds(
    db: &DatabaseConnection,
    consumer: &str,
    aggregate: Option<&str>,
) -> Result<bool, DbErr> {
    let mut found = waiting(consumer);
    if let Some(aggregate) = aggregate {
        found = found.filter(row::Column::Aggregate.eq(aggregate));
    }
    Ok(found.limit(1).count(db).await? > 0)
}

/// How many events a consumer keeps, and how many of them were given up.
#[derive(Clone, Copy, Default, FromQueryResult)]
pub(crate) struct Counts {
    all: i64,
    dead: i64,
}

impl Counts {
    pub(crate) fn waiting(&self) -> u64 {
        (self.all - self.dead).unsigned_abs()
    }

    pub(crate) fn waits(&self) -> bool {
        self.all > self.dead
    }

    pub(crate) fn dead(&self) -> u64 {
        self.dead.unsigned_abs()
    }
}

/// Both in one query: each consumer asks now and then, though it hardly ever keeps any.
pub(crate) async fn counts(db: &DatabaseConnection, consumer: &str) -> Result<Counts, DbErr> {
    let found = row::Entity::find()
        .select_only()
        .column_as(row::Column::Position.count(), "all")
        .column_as(row::Column::GivenUpAt.count(), "dead")
        .filter(row::Column::Consumer.eq(consumer))
        .into_model()
        .one(db)
        .await?;
    Ok(found.unwrap_or_default())
}

/// By consumer or lane, those that have any.
pub(crate) async fn counts_of_all(
    db: &DatabaseConnection,
) -> Result<BTreeMap<String, Counts>, DbErr> {
    let found: Vec<(String, i64, i64)> = row::Entity::find()
        .select_only()
        .column(row::Column::Consumer)
        .column_as(row::Column::Position.count(), "all")
        .column_as(row::Column::GivenUpAt.count(), "dead")
        .group_by(row::Column::Consumer)
        .into_tuple()
        .all(db)
        .await?;
    let counts = |(of, all, dead)| (of, Counts { all, dead });
    Ok(found.into_iter().map(counts).collect())
}

/// Those whose time has come, at most `most`: of each aggregate the first that waits.
pub(crate) async fn due(
    db: &DatabaseConnection,
    consumer: &str,
    now: i64,
    most: u64,
) -> Result<Vec<row::Model>, DbErr> {
    let earlier = Alias::new("earlier");
    let of = |column: row::Column| Expr::col((earlier.clone(), column));
    let here = |column: row::Column| Expr::col((row::Entity, column));
    let before_it = Query::select()
        .expr(Expr::val(1))
        .from_as(row::Entity, earlier.clone())
        .and_where(of(row::Column::Consumer).eq(consumer))
        .and_where(of(row::Column::Aggregate).eq(here(row::Column::Aggregate)))
        .and_where(of(row::Column::GivenUpAt).is_null())
        .and_where(of(row::Column::Position).lt(here(row::Column::Position)))
        .to_owned();
    waiting(consumer)
        .filter(row::Column::DueAt.lte(now))
        .filter(Condition::all().not().add(Expr::exists(before_it)))
        .order_by_asc(row::Column::Position)
        .limit(most)
        .all(db)
        .await
}

/// It has been handled, or dropped.
pub(crate) async fn forget(db: &DatabaseConnection, position: i64) -> Result<(), DbErr> {
    row::Entity::delete_by_id(position).exec(db).await?;
    Ok(())
}

/// They have been taken.
pub(crate) async fn forget_all(db: &DatabaseConnection, positions: Vec<i64>) -> Result<(), DbErr> {
    if !positions.is_empty() {
        row::Entity::delete_many()
            .filter(row::Column::Position.is_in(positions))
            .exec(db)
            .await?;
    }
    Ok(())
}

/// A try more has failed: it is due again at `due_at`, or given up.
pub(crate) async fn failed(
    db: &DatabaseConnection,
    position: i64,
    tries: i32,
    due_at: i64,
    given_up_at: Option<i64>,
    reason: &str,
) -> Result<(), DbErr> {
    let change = row::ActiveModel {
        tries: Set(tries),
        due_at: Set(due_at),
        given_up_at: Set(given_up_at),
        reason: Set(shortened(reason)),
        ..Default::default()
    };
    row::Entity::update_many()
        .set(change)
        .filter(row::Column::Position.eq(position))
        .exec(db)
        .await?;
    Ok(())
}

fn dead(consumer: &str) -> Select<row::Entity> {
    row::Entity::find()
        .filter(row::Column::Consumer.eq(consumer))
        .filter(row::Column::GivenUpAt.is_not_null())
}

/// Those that were given up, the oldest first.
pub(crate) async fn all_dead(
    db: &DatabaseConnection,
    consumer: &str,
    most: u64,
) -> Result<Vec<row::Model>, DbErr> {
    dead(consumer)
        .order_by_asc(row::Column::Position)
        .limit(most)
        .all(db)
        .await
}

#[cfg(feature = "testing")]
pub(crate) async fn bury(
    connection: &impl ConnectionTrait,
    consumer: &str,
    event: &Event,
    now: i64,
) -> Result<(), DbErr> {
    let buried = row::ActiveModel {
        given_up_at: Set(Some(now)),
        ..kept(consumer, event, 20, now, "refused")
    };
    put(connection, buried).await
}

/// Has one that was given up tried again, as often as a new one.
pub(crate) async fn revive(db: &DatabaseConnection, position: i64) -> Result<(), DbErr> {
    failed(db, position, 0, 0, None, "").await
}
