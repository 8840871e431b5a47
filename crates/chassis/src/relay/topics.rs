//! From the outbox to Kafka, by one leader per service.
//!
//! Rows go in the order in which they were written (`position`). Those of one aggregate are written under the lock of its
//! row, so their order is the order of the facts.
//!
//! An event that has no JSON is set aside, or it would hold up all events of its service for ever.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Expr;
use sea_orm::{Condition, DbBackend, QueryOrder, QuerySelect};
use tokio::sync::watch;

use super::rounds::Rounds;
use crate::db::migration::STREAM_LEASE;
use crate::messaging::outbox::{self, SET_ASIDE, event_of, row};
use crate::panics::caught;
use crate::stream::Message;
use crate::stream::kafka::Producer;
use crate::{Context, limit};

/// Events carried in one go.
const BATCH: u64 = 500;
/// Time limits of one round, and of the leader's resignation.
const ROUND_LIMIT: Duration = Duration::from_secs(60);
const RESIGN_LIMIT: Duration = Duration::from_secs(5);
const TASK: &str = "relay to topics";
const RESIGNATION: &str = "end of the lead";
/// Lease of the leader; unless renewed, another one takes over.
const LEASE_MS: i64 = 20_000;
/// How often the leader renews it.
const RENEW_MS: i64 = 5_000;

mod lease {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "stream_lease")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub name: String,
        pub holder: String,
        pub expires_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

struct Relay {
    context: Context,
    /// This relay, for the lease.
    holder: String,
    /// Until when the lease is held at least; 0: not.
    held_until: i64,
    producer: Option<Producer>,
}

/// Counts events that were set aside.
fn count_set_aside(service: &'static str, count: u64) {
    metrics::counter!("xuanlan_stream_set_aside_total", "service" => service).increment(count);
}

/// Starts the relay of a service; `committed` changes with new events.
pub(super) fn spawn(context: &Context, committed: watch::Receiver<u64>) {
    let mut relay = Relay::new(context);
    // From the start on: the rate of a counter that appears with its first event is not known.
    count_set_aside(context.service, 0);
    limit::announce(TASK);
    limit::announce(RESIGNATION);
    let stop = context.shutdown.clone();
    let mut rounds = Rounds::new(committed, stop.clone());
    context.shutdown.spawn(async move {
        loop {
            // A producer that has failed, or was given up, is not used again: the round has taken it.
            let round = async {
                let carried = caught(relay.round()).await;
                carried.unwrap_or_else(|panic| Err(panic.into()))
            };
            match limit::within(TASK, ROUND_LIMIT, round).await {
                Ok(Ok(carried)) if carried == BATCH && !stop.is_requested() => continue,
                Ok(Ok(_)) => {}
                Ok(Err(error)) => {
                    tracing::warn!(error = format!("{error:#}"), "stream waits");
                    relay.producer = None;
                }
                Err(_) => {
                    relay.producer = None;
                    // Another leader may have taken over while this one hung.
                    relay.held_until = 0;
                }
            }
            if !rounds.next().await {
                let resigned = limit::within(RESIGNATION, RESIGN_LIMIT, relay.resign());
                return resigned.await.unwrap_or_default();
            }
        }
    });
}

impl Relay {
    fn new(context: &Context) -> Self {
        Self {
            context: context.clone(),
            holder: uuid::Uuid::now_v7().simple().to_string(),
            held_until: 0,
            producer: None,
        }
    }

    /// Carries one batch when this is the leader; returns how many events it had.
    async fn round(&mut self) -> anyhow::Result<u64> {
        if !self.leads().await? {
            return Ok(0);
        }
        let service = self.context.service;
        let stream = &self.context.stream;
        let rows = self.waiting().await?;
        if rows.is_empty() {
            return Ok(0);
        }
        let count = rows.len() as u64;
        let (ids, messages) = self.messages_of(rows).await?;
        if messages.is_empty() {
            return Ok(count);
        }
        let producer = match self.producer.take() {
            Some(producer) => producer,
            None => Producer::open(stream, service).await?,
        };
        let sent = producer.send(&messages).await;
        self.context.fail.at("stream.acknowledged")?;
        let acknowledged = sent.acknowledged.iter().map(|at| ids[*at].clone());
        let now = self.context.clock.now_ms();
        outbox::mark(
            &self.context.db,
            row::Column::StreamedAt,
            acknowledged.collect(),
            now,
        )
        .await?;
        if let Some(error) = sent.error {
            return Err(error.into());
        }
        self.producer = Some(producer);
        Ok(count)
    }

    /// The messages of events with their ids. Events that cannot be written are set aside.
    async fn messages_of(
        &self,
        rows: Vec<row::Model>,
    ) -> anyhow::Result<(Vec<String>, Vec<Message>)> {
        let (mut ids, mut messages) = (Vec::new(), Vec::new());
        let mut unwritable = Vec::new();
        for event in rows.into_iter().map(event_of) {
            match Message::of(&self.context.stream, &event) {
                Ok(Some(message)) => {
                    ids.push(event.id);
                    messages.push(message);
                }
                Ok(None) => anyhow::bail!("{} has no topic", event.key),
                Err(error) => {
                    tracing::error!(event = event.id, key = event.key, %error, "event set aside");
                    unwritable.push(event.id);
                }
            }
        }
        let count = unwritable.len() as u64;
        let db = &self.context.db;
        outbox::mark(db, row::Column::StreamedAt, unwritable, SET_ASIDE).await?;
        count_set_aside(self.context.service, count);
        Ok((ids, messages))
    }

    async fn waiting(&self) -> Result<Vec<row::Model>, DbErr> {
        let written = match self.context.db.get_database_backend() {
            DbBackend::Sqlite => "rowid",
            _ => "position",
        };
        let keys = proto::events::streamed_by(self.context.service).map(|event| event.key);
        row::Entity::find()
            .filter(row::Column::StreamedAt.is_null())
            .filter(row::Column::EventKey.is_in(keys))
            .order_by_asc(Expr::cust(written))
            .limit(BATCH)
            .all(&self.context.db)
            .await
    }

    /// Whether this relay leads; takes the lead where it is free.
    async fn leads(&mut self) -> Result<bool, DbErr> {
        let now = self.context.clock.now_ms();
        if self.held_until - now > LEASE_MS - RENEW_MS && self.held_until - now <= LEASE_MS {
            return Ok(true);
        }
        let mut take = lease::Entity::update_many()
            .col_expr(lease::Column::Holder, Expr::value(self.holder.as_str()))
            .col_expr(lease::Column::ExpiresAt, Expr::value(now + LEASE_MS))
            .filter(lease::Column::Name.eq(STREAM_LEASE));
        // A file belongs to one process: the former holder of the lease is gone.
        if self.context.db.get_database_backend() != DbBackend::Sqlite {
            let free = Condition::any()
                .add(lease::Column::Holder.eq(&self.holder))
                .add(lease::Column::ExpiresAt.lt(now));
            take = take.filter(free);
        }
        let taken = take.exec(&self.context.db).await?.rows_affected == 1;
        self.held_until = if taken { now + LEASE_MS } else { 0 };
        Ok(taken)
    }

    /// Lets another one lead at once.
    async fn resign(self) {
        let resigned = lease::Entity::update_many()
            .col_expr(lease::Column::ExpiresAt, Expr::value(0))
            .filter(lease::Column::Name.eq(STREAM_LEASE))
            .filter(lease::Column::Holder.eq(&self.holder))
            .exec(&self.context.db)
            .await;
        if let Err(error) = resigned {
            tracing::warn!(%error, "the stream's lease runs out by itself");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::Outbox;
    use crate::relay::Tables;
    use crate::testing::{TestParts, every_shape};

    /// Nothing listens here: no producer may be needed.
    const NOWHERE: &str = "kafka://127.0.0.1:1";

    #[tokio::test]
    async fn an_event_without_json_is_set_aside_and_kept() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |settings| {
                settings.set("stream", "url", NOWHERE)
            })
            .await;
            let context = test.context("order").await;
            crate::db::migrate::<Tables>(&context.db).await.unwrap();
            let outbox = Outbox::new(context.db.clone(), context.clock.clone());
            let event = proto::order::v1::OrderEnded::default();
            outbox
                .add_streamed(&context.db, "o1", 1, &event)
                .await
                .unwrap();
            row::Entity::update_many()
                .col_expr(row::Column::Body, Expr::value(vec![0xff_u8]))
                .col_expr(row::Column::SentAt, Expr::value(1))
                .exec(&context.db)
                .await
                .unwrap();
            let mut relay = Relay::new(&context);
            assert_eq!(relay.round().await.unwrap(), 1);
            assert_eq!(relay.round().await.unwrap(), 0);
            super::super::bus::clean(&context.db, context.clock.now_ms(), true)
                .await
                .unwrap();
            let row = row::Entity::find().one(&context.db).await.unwrap().unwrap();
            assert_eq!(row.streamed_at, Some(SET_ASIDE));
            // The cause has been removed: it is tried again.
            row::Entity::update_many()
                .col_expr(row::Column::Body, Expr::value(Vec::<u8>::new()))
                .col_expr(row::Column::StreamedAt, Expr::value(None::<i64>))
                .exec(&context.db)
                .await
                .unwrap();
            assert_eq!(relay.waiting().await.unwrap().len(), 1);
            test.finish().await;
        }
    }
}
