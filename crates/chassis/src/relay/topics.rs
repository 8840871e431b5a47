//! From the outbox to Kafka, by one leader per service.
//!
//! Rows go in the order in which they were written (`position`). Those of one aggregate are written under the lock of its
//! row, so their order is the order of the facts.

use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Expr;
use sea_orm::{Condition, DbBackend, QueryOrder, QuerySelect};
use tokio::sync::watch;

use super::rounds::Rounds;
use crate::Context;
use crate::db::migration::STREAM_LEASE;
use crate::messaging::Event;
use crate::messaging::outbox::{self, event_of, row};
use crate::stream::kafka::Producer;
use crate::stream::{Message, Stream, topics};

/// Events carried in one go.
const BATCH: u64 = 500;
/// A leader that says nothing for so long is followed by another one.
const LEASE_MS: i64 = 20_000;
/// How often a leader says so.
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

/// Starts the relay of a service; `committed` tells of new events.
pub(super) fn spawn(context: &Context, committed: watch::Receiver<u64>) {
    let mut relay = Relay {
        context: context.clone(),
        holder: uuid::Uuid::now_v7().simple().to_string(),
        held_until: 0,
        producer: None,
    };
    let stop = context.shutdown.clone();
    let mut rounds = Rounds::new(committed, stop.clone());
    context.shutdown.spawn(async move {
        loop {
            match relay.round().await {
                Ok(carried) if carried == BATCH && !stop.is_requested() => continue,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "stream waits");
                    // A producer that has failed may never work again.
                    relay.producer = None;
                }
            }
            if !rounds.next().await {
                return relay.resign().await;
            }
        }
    });
}

impl Relay {
    /// Carries one batch when this is the leader; answers how many.
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
        let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
        let mut messages = Vec::with_capacity(rows.len());
        for event in rows.into_iter().map(event_of) {
            messages.push(message_of(stream, &event)?);
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
        Ok(ids.len() as u64)
    }

    async fn waiting(&self) -> Result<Vec<row::Model>, DbErr> {
        let written = match self.context.db.get_database_backend() {
            DbBackend::Sqlite => "rowid",
            _ => "position",
        };
        let keys = topics::of_service(self.context.service).map(|routed| routed.key);
        row::Entity::find()
            .filter(row::Column::StreamedAt.is_null())
            .filter(row::Column::EventKey.is_in(keys))
            .order_by_asc(Expr::cust(written))
            .limit(BATCH)
            .all(&self.context.db)
            .await
    }

    /// Whether this relay leads, taking the lead where nobody does.
    async fn leads(&mut self) -> Result<bool, DbErr> {
        let now = self.context.clock.now_ms();
        if self.held_until - now > LEASE_MS - RENEW_MS && self.held_until - now <= LEASE_MS {
            return Ok(true);
        }
        let mut take = lease::Entity::update_many()
            .col_expr(lease::Column::Holder, Expr::value(self.holder.as_str()))
            .col_expr(lease::Column::ExpiresAt, Expr::value(now + LEASE_MS))
            .filter(lease::Column::Name.eq(STREAM_LEASE));
        // A file belongs to one process: whoever held the lease before is gone.
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

fn message_of(stream: &Stream, event: &Event) -> anyhow::Result<Message> {
    Message::of(stream, event)?.ok_or_else(|| anyhow::anyhow!("{} has no topic", event.key))
}
