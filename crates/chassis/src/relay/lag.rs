//! How much waits in a service's outbox, and for how long: asked by the service itself, now and then.

use std::time::Duration;

use sea_orm::sea_query::{Expr, IntoTableRef, Query, SelectStatement};
use sea_orm::{ConnectionTrait, DbErr, ExprTrait};

use super::Waiting;
use crate::Context;
use crate::messaging::outbox::row;
use crate::messaging::undelivered;

/// How often it is asked.
const PERIOD: Duration = Duration::from_secs(10);
/// Longest time that the question may take.
const LIMIT: Duration = Duration::from_secs(30);
/// Rows counted at most, so that the question stays cheap when a lot waits.
const MOST: u64 = 10_000;

/// Starts to measure: `xuanlan_outbox_pending` and `xuanlan_outbox_oldest_seconds` of the service, and with `streams` the
/// same of `xuanlan_stream_…`. Every replica reports the same of their one database.
pub(super) fn spawn(context: &Context, streams: bool) {
    let here = context.clone();
    let shutdown = context.shutdown.clone();
    shutdown.every_within(PERIOD, LIMIT, "measure of the outbox", move || {
        let here = here.clone();
        async move { measure(&here, streams).await }
    });
}

/// Whether anything waits.
async fn measure(context: &Context, streams: bool) -> Result<bool, DbErr> {
    let service = context.service;
    let (pending, age) = uncarried(context).await?;
    context.relay.measured(Waiting {
        events: pending as u64,
        oldest_ms: (age * 1000.0) as u64,
    });
    let mut waits = pending > 0.0;
    metrics::gauge!("xuanlan_outbox_pending", "service" => service).set(pending);
    metrics::gauge!("xuanlan_outbox_oldest_seconds", "service" => service).set(age);
    if streams {
        let keys = proto::events::streamed_by(service).map(|event| event.key);
        let unsent = Expr::col(row::Column::StreamedAt)
            .is_null()
            .and(Expr::col(row::Column::EventKey).is_in(keys));
        let (pending, age) = ask(context, row::Entity, unsent).await?;
        waits |= pending > 0.0;
        metrics::gauge!("xuanlan_stream_pending", "service" => service).set(pending);
        metrics::gauge!("xuanlan_stream_oldest_seconds", "service" => service).set(age);
    }
    Ok(waits)
}

/// Events that have not come to all of their consumers, or are not kept for them there.
async fn uncarried(context: &Context) -> Result<(f64, f64), DbErr> {
    let unsent = Expr::col(row::Column::SentAt).is_null();
    let waiting = ask(context, row::Entity, unsent).await?;
    let lanes =
        Expr::col(undelivered::row::Column::Consumer).like(format!("{}%", undelivered::LANE));
    let held = ask(context, undelivered::row::Entity, lanes).await?;
    Ok((waiting.0 + held.0, waiting.1.max(held.1)))
}

/// Rows, and the age of the oldest in seconds; 0 where there is none.
async fn ask(
    context: &Context,
    table: impl IntoTableRef,
    which: Expr,
) -> Result<(f64, f64), DbErr> {
    let waiting: SelectStatement = Query::select()
        .column(row::Column::CreatedAt)
        .from(table)
        .and_where(which)
        .order_by(row::Column::CreatedAt, sea_orm::Order::Asc)
        .limit(MOST)
        .to_owned();
    let created = Expr::col("created_at");
    let asked = Query::select()
        .expr_as(Expr::cust("COUNT(*)"), "pending")
        .expr_as(created.min(), "oldest")
        .from_subquery(waiting, "waiting")
        .to_owned();
    let Some(row) = context.db.query_one(&asked).await? else {
        return Ok((0.0, 0.0));
    };
    let pending: i64 = row.try_get("", "pending")?;
    let oldest: Option<i64> = row.try_get("", "oldest")?;
    let age = oldest.map_or(0, |oldest| {
        std::cmp::max(context.clock.now_ms() - oldest, 0)
    });
    Ok((pending as f64, age as f64 / 1000.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::undelivered::Held;
    use crate::messaging::{Event, Outbox};
    use crate::relay::Tables;
    use crate::testing::{TestParts, every_shape};

    #[tokio::test]
    async fn what_waits_is_counted_with_the_age_of_the_oldest() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |_| {}).await;
            let context = test.context("order").await;
            crate::db::migrate::<Tables>(&context.db).await.unwrap();
            assert_eq!(uncarried(&context).await.unwrap(), (0.0, 0.0));
            let outbox = Outbox::new(context.db.clone(), context.clock.clone());
            let began = context.clock.now_ms();
            for id in ["o1", "o2"] {
                let body = proto::order::v1::OrderEnded::default();
                let added = outbox.add_streamed(&context.db, id, 1, &body);
                added.await.unwrap();
                context.clock.advance_ms(30_000);
            }
            assert_eq!(uncarried(&context).await.unwrap(), (2.0, 60.0));
            let event = Event {
                id: "held".to_owned(),
                key: "order.order.ended".to_owned(),
                aggregate: "o0".to_owned(),
                version: 1,
                time_ms: began - 30_000,
                traceparent: String::new(),
                body: Vec::new(),
            };
            let lane = undelivered::lane("personal");
            let held = vec![Held {
                lane,
                event: event.clone(),
            }];
            undelivered::hold(&context.db, held, began).await.unwrap();
            // What a consumer keeps itself has been carried.
            let kept = undelivered::keep(&context.db, "order", &event, 1, began, "");
            kept.await.unwrap();
            assert_eq!(uncarried(&context).await.unwrap(), (3.0, 90.0));
            measure(&context, true).await.unwrap();
            let told = Waiting {
                events: 3,
                oldest_ms: 90_000,
            };
            assert_eq!(context.relay.waiting(), told);
            test.finish().await;
        }
    }
}
