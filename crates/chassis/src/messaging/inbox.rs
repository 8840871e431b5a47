//! The inbox: a consumer handles each message once, however often it arrives.

use std::time::Instant;

use sea_orm::Set;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use tracing::Instrument;

use super::{Event, Handler, Outbox};
use crate::bus::retrying;
use crate::db;
use crate::panics::caught;
use crate::telemetry::{self, SPANS};

mod row {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "inbox")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub consumer: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub message_id: String,
        pub received_at: i64,
    }

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Handles an event in one transaction with the mark that it was handled; `false` if it had been handled before. It
/// belongs to the trace of the event's cause. A handler that panics has failed like any other.
pub async fn handle_once(
    outbox: &Outbox,
    consumer: &'static str,
    handler: &dyn Handler,
    event: &Event,
) -> anyhow::Result<bool> {
    let span = tracing::info_span!(
        target: SPANS,
        "consume",
        otel.name = format!("{consumer} consumes {}", event.key),
        otel.kind = "consumer",
        consumer,
        event = event.id,
        key = event.key,
    );
    telemetry::continue_trace(&span, &event.traceparent);
    let began = Instant::now();
    let handled = marked(outbox, consumer, handler, event);
    let outcome = caught(db::committing(handled)).instrument(span).await;
    let outcome = outcome.unwrap_or_else(|panic| Err(anyhow::anyhow!("handler {panic}")));
    metrics::histogram!("bus_event_seconds", "consumer" => consumer)
        .record(began.elapsed().as_secs_f64());
    if outcome.is_ok() {
        retrying::settled(consumer, &event.id);
    }
    let result = match &outcome {
        Ok(true) => "handled",
        Ok(false) => "again",
        Err(_) => "failed",
    };
    count(consumer, result);
    outcome
}

/// Counts what became of a delivery: `handled`, `again` (it had been), `failed` (it comes back), `dead` (it does not).
pub(crate) fn count(consumer: &'static str, result: &'static str) {
    metrics::counter!("bus_events_total", "consumer" => consumer, "result" => result).increment(1);
}

/// Marks are kept this long: an event that was handled comes again within minutes, or never.
const KEEP_MS: i64 = 30 * 24 * 3600 * 1000;

/// Deletes the marks of events that are no longer delivered.
pub(crate) async fn forget(db: &DatabaseConnection, now: i64) -> Result<(), DbErr> {
    row::Entity::delete_many()
        .filter(row::Column::ReceivedAt.lt(now - KEEP_MS))
        .exec(db)
        .await?;
    Ok(())
}

async fn marked(
    outbox: &Outbox,
    consumer: &str,
    handler: &dyn Handler,
    event: &Event,
) -> anyhow::Result<bool> {
    let transaction = db::begin_write(outbox.db()).await?;
    let mark = row::ActiveModel {
        consumer: Set(consumer.to_owned()),
        message_id: Set(event.id.clone()),
        received_at: Set(outbox.now_ms()),
    };
    let inserted = row::Entity::insert(mark)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&transaction)
        .await?;
    if inserted == 0 {
        transaction.rollback().await?;
        return Ok(false);
    }
    handler.handle(&transaction, event).await?;
    transaction.commit().await?;
    // Not before: the relay would look, find nothing, and look again only after its period.
    outbox.wake();
    Ok(true)
}
