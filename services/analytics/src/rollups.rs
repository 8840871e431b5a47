//! Counts by hour and day, recomputed for the current and the last period, and removal of old rows.
//!
//! A day begins at midnight in China, whose clock has no summer time.

use std::time::Duration;

use chassis::db;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, OnConflict};
use sea_orm::{ConnectionTrait, FromQueryResult, Order, QueryOrder, QuerySelect, Select, Set};

use crate::Analytics;
use crate::entity::rollup::Period;
use crate::entity::{action, page_view, rollup, support_click, user_visit, visit};

const ROUND: Duration = Duration::from_secs(60);
const CLEANING: Duration = Duration::from_secs(3600);
pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const DAY: i64 = 24 * HOUR;
/// China's clock before UTC.
const OFFSET: i64 = 8 * HOUR;
/// A visit without a beacon for so long has ended; its browser could not report it.
const SILENT: i64 = DAY;
/// Most names counted per metric and period: a visitor may invent any number.
const NAMES: u64 = 200;

/// Counts of the funnel, in the order of its steps.
pub(crate) const FUNNEL: &str = "funnel";

/// Where the period around a time begins.
pub(crate) fn start_of(period: Period, at_ms: i64) -> i64 {
    match period {
        Period::Hour => at_ms.div_euclid(HOUR) * HOUR,
        Period::Day => (at_ms + OFFSET).div_euclid(DAY) * DAY - OFFSET,
    }
}

/// Milliseconds of a period.
pub(crate) fn length(period: Period) -> i64 {
    match period {
        Period::Hour => HOUR,
        Period::Day => DAY,
    }
}

/// Starts the tasks that count and clean up.
pub(crate) fn spawn(analytics: &Analytics) {
    let shutdown = &analytics.context.shutdown;
    let counting = analytics.clone();
    shutdown.every(ROUND, "counts of visits", move || {
        let analytics = counting.clone();
        async move { analytics.count_visits().await }
    });
    let cleaning = analytics.clone();
    shutdown.every(CLEANING, "old visits", move || {
        let analytics = cleaning.clone();
        async move { analytics.forget_old().await }
    });
}

/// One more step of the funnel on the day of `at_ms`.
pub(crate) async fn step(
    connection: &impl ConnectionTrait,
    name: &str,
    at_ms: i64,
) -> Result<(), DbErr> {
    let row = rollup::Model {
        period: Period::Day,
        start: start_of(Period::Day, at_ms),
        metric: FUNNEL.to_owned(),
        name: name.to_owned(),
        count: 1,
    };
    db::count_version(row, rollup::Column::Count, connection).await?;
    Ok(())
}

#[derive(FromQueryResult)]
struct Named {
    name: String,
    count: i64,
}

/// Rows by a column's value, the most frequent first.
async fn by_name<E: EntityTrait>(
    rows: Select<E>,
    name: E::Column,
    db: &DatabaseConnection,
) -> Result<Vec<Named>, DbErr> {
    rows.select_only()
        .column_as(name, "name")
        .column_as(Expr::val(1).count(), "count")
        .group_by(name)
        .order_by(Expr::val(1).count(), Order::Desc)
        .order_by_asc(name)
        .limit(NAMES)
        .into_model::<Named>()
        .all(db)
        .await
}

impl Analytics {
    /// Recomputes the counts of the current and the last hour and day.
    pub(crate) async fn count_visits(&self) -> Result<(), DbErr> {
        let now = self.now();
        for period in [Period::Hour, Period::Day] {
            let present = start_of(period, now);
            for start in [present - length(period), present] {
                self.count_period(period, start).await?;
            }
        }
        Ok(())
    }

    async fn count_period(&self, period: Period, start: i64) -> Result<(), DbErr> {
        let (db, end) = (&self.context.db, start + length(period));
        let visits = || {
            visit::Entity::find()
                .filter(visit::Column::BeganAt.gte(start))
                .filter(visit::Column::BeganAt.lt(end))
        };
        let pages = page_view::Entity::find()
            .filter(page_view::Column::At.gte(start))
            .filter(page_view::Column::At.lt(end));
        let support = support_click::Entity::find()
            .filter(support_click::Column::At.gte(start))
            .filter(support_click::Column::At.lt(end));
        let actions = action::Entity::find()
            .filter(action::Column::At.gte(start))
            .filter(action::Column::At.lt(end));
        let total = i64::try_from(visits().count(db).await?).unwrap_or(i64::MAX);
        let all = |count| {
            vec![Named {
                name: String::new(),
                count,
            }]
        };
        let counted = [
            ("visits", all(total)),
            ("visitors", all(self.visitors(visits()).await?)),
            (
                "source",
                by_name(visits(), visit::Column::Source, db).await?,
            ),
            (
                "host",
                by_name(visits(), visit::Column::SourceHost, db).await?,
            ),
            (
                "entrance",
                by_name(visits(), visit::Column::Entrance, db).await?,
            ),
            ("dap", by_name(visits(), visit::Column::Dap, db).await?),
            ("page", by_name(pages, page_view::Column::Path, db).await?),
            (
                "support",
                by_name(support, support_click::Column::Item, db).await?,
            ),
            ("action", by_name(actions, action::Column::Tag, db).await?),
        ];
        for (metric, rows) in counted {
            self.keep_counts(period, start, metric, rows).await?;
        }
        Ok(())
    }

    async fn visitors(&self, visits: Select<visit::Entity>) -> Result<i64, DbErr> {
        let distinct = Expr::col(visit::Column::Visitor).count_distinct();
        let found: Option<i64> = visits
            .select_only()
            .column_as(distinct, "count")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(found.unwrap_or_default())
    }

    async fn keep_counts(
        &self,
        period: Period,
        start: i64,
        metric: &str,
        rows: Vec<Named>,
    ) -> Result<(), DbErr> {
        use rollup::Column::{Count, Metric, Name, Period, Start};
        let db = &self.context.db;
        let rows: Vec<Named> = rows.into_iter().filter(|row| row.count > 0).collect();
        // Deletes names that are no longer among the most frequent, or whose rows are gone: a period has no more than are counted.
        rollup::Entity::delete_many()
            .filter(Period.eq(period))
            .filter(Start.eq(start))
            .filter(Metric.eq(metric))
            .filter(Name.is_not_in(rows.iter().map(|row| row.name.as_str())))
            .exec(db)
            .await?;
        let rows: Vec<rollup::ActiveModel> = rows
            .into_iter()
            .map(|row| rollup::ActiveModel {
                period: Set(period),
                start: Set(start),
                metric: Set(metric.to_owned()),
                name: Set(row.name),
                count: Set(row.count),
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        // Replicas count the same rows: the later one writes what the earlier one wrote.
        let again = OnConflict::columns([Period, Start, Metric, Name])
            .update_column(Count)
            .to_owned();
        rollup::Entity::insert_many(rows)
            .on_conflict(again)
            .exec_without_returning(db)
            .await?;
        Ok(())
    }

    /// Ends silent visits, and deletes rows past their retention.
    pub(crate) async fn forget_old(&self) -> Result<(), DbErr> {
        let (db, now) = (&self.context.db, self.now());
        visit::Entity::update_many()
            .col_expr(visit::Column::EndedAt, Expr::col(visit::Column::SeenAt))
            .filter(visit::Column::EndedAt.is_null())
            .filter(visit::Column::SeenAt.lt(now - SILENT))
            .exec(db)
            .await?;
        let raw = now - i64::from(self.config.raw_days) * DAY;
        older::<visit::Entity>(visit::Column::BeganAt, raw, db).await?;
        older::<page_view::Entity>(page_view::Column::At, raw, db).await?;
        older::<support_click::Entity>(support_click::Column::At, raw, db).await?;
        older::<action::Entity>(action::Column::At, raw, db).await?;
        older::<user_visit::Entity>(user_visit::Column::At, raw, db).await?;
        let counts = now - i64::from(self.config.rollup_days) * DAY;
        older::<rollup::Entity>(rollup::Column::Start, counts, db).await
    }
}

async fn older<E: EntityTrait>(
    column: E::Column,
    before: i64,
    db: &DatabaseConnection,
) -> Result<(), DbErr> {
    E::delete_many().filter(column.lt(before)).exec(db).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_midnight_in_china() {
        // 2026-11-23 00:30 in Beijing.
        let at = 1_795_365_000_000;
        assert_eq!(start_of(Period::Day, at), at - HOUR / 2);
        assert_eq!(start_of(Period::Day, at - HOUR), at - HOUR / 2 - DAY);
        assert_eq!(start_of(Period::Hour, at), at - HOUR / 2);
    }
}
