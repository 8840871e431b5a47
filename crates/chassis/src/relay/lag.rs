//! How much waits in a service's outbox, and for how long: asked by the service itself, now and then.

use std::time::Duration;

use sea_orm::sea_query::{Expr, Query, SelectStatement};
use sea_orm::{ConnectionTrait, DbErr, ExprTrait};

use crate::Context;
use crate::messaging::outbox::row;

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

async fn measure(context: &Context, streams: bool) -> Result<(), DbErr> {
    let service = context.service;
    let unsent = Expr::col(row::Column::SentAt).is_null();
    let (pending, age) = ask(context, unsent).await?;
    metrics::gauge!("xuanlan_outbox_pending", "service" => service).set(pending);
    metrics::gauge!("xuanlan_outbox_oldest_seconds", "service" => service).set(age);
    if streams {
        let keys = proto::events::streamed_by(service).map(|event| event.key);
        let unsent = Expr::col(row::Column::StreamedAt)
            .is_null()
            .and(Expr::col(row::Column::EventKey).is_in(keys));
        let (pending, age) = ask(context, unsent).await?;
        metrics::gauge!("xuanlan_stream_pending", "service" => service).set(pending);
        metrics::gauge!("xuanlan_stream_oldest_seconds", "service" => service).set(age);
    }
    Ok(())
}

/// Rows, and the age of the oldest in seconds; 0 where there is none.
async fn ask(context: &Context, which: Expr) -> Result<(f64, f64), DbErr> {
    let waiting: SelectStatement = Query::select()
        .column(row::Column::CreatedAt)
        .from(row::Entity)
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
    use crate::messaging::Outbox;
    use crate::relay::Tables;
    use crate::testing::{TestParts, every_shape};

    #[tokio::test]
    async fn what_waits_is_counted_with_the_age_of_the_oldest() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |_| {}).await;
            let context = test.context("order").await;
            crate::db::migrate::<Tables>(&context.db).await.unwrap();
            let unsent = || Expr::col(row::Column::SentAt).is_null();
            assert_eq!(ask(&context, unsent()).await.unwrap(), (0.0, 0.0));
            let outbox = Outbox::new(context.db.clone(), context.clock.clone());
            for id in ["o1", "o2"] {
                let body = proto::order::v1::OrderEnded::default();
                let added = outbox.add_streamed(&context.db, id, 1, &body);
                added.await.unwrap();
                context.clock.advance_ms(30_000);
            }
            let (pending, age) = ask(&context, unsent()).await.unwrap();
            assert_eq!((pending, age), (2.0, 60.0));
            measure(&context, true).await.unwrap();
            test.finish().await;
        }
    }
}
