//! Visits as operators see them: counts of hours and days, which are kept for 13 months, and lines of the action log.

mod export;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use chassis::db::List;
use chassis::{BusinessError, Operator, ServiceError};
use proto::analytics::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Alias, ExprTrait};
use sea_orm::{FromQueryResult, Order, QueryOrder, QuerySelect, Select};

use crate::Analytics;
use crate::entity::action;
use crate::entity::rollup::{Column, Entity, Period};
use crate::rollups::{DAY, FUNNEL, HOUR, length, start_of};

/// Longest ranges: 13 months by day, and as many hours as one page can draw.
const MOST_DAYS: i64 = 397;
const MOST_HOURS: i64 = 31 * 24;

/// What a range is broken down by; the names that roll-ups have for it.
const METRICS: [&str; 7] = [
    "source", "host", "entrance", "dap", "page", "support", "action",
];

/// Values that are listed without a number.
const LISTED: u64 = 10;

/// From an account to a payment.
const STEPS: [&str; 5] = ["registered", "uploaded", "checked", "lightened", "paid"];

/// Whole hours or days.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    period: Period,
    from: i64,
    /// Not included.
    to: i64,
}

impl Range {
    /// Errors: no such period, an end before the beginning, or more than may be asked for at once.
    fn read(period: &str, from: i64, to: i64, now: i64) -> Result<Self, ServiceError> {
        let period = match period {
            "" => Period::Day,
            name => {
                Period::of(name).ok_or_else(|| BusinessError::invalid("周期应为 hour 或 day"))?
            }
        };
        let (most, usual, words) = match period {
            Period::Hour => (MOST_HOURS * HOUR, DAY, "按小时最多查询 31 天"),
            Period::Day => (MOST_DAYS * DAY, 30 * DAY, "按天最多查询 13 个月"),
        };
        // Nothing is counted ahead of time.
        let to = if to == 0 {
            now
        } else {
            Ord::min(to, now + DAY)
        };
        let from = match from {
            0 => to.saturating_sub(usual),
            from => from,
        };
        if from < 0 || to <= from {
            return Err(BusinessError::invalid("结束时间应晚于开始时间").into());
        }
        let from = start_of(period, from);
        if to - from > most {
            return Err(BusinessError::invalid(words).into());
        }
        Ok(Self { period, from, to })
    }

    fn rows(self, metric: &str) -> Select<Entity> {
        Entity::find()
            .filter(Column::Period.eq(self.period))
            .filter(Column::Metric.eq(metric))
            .filter(Column::Start.gte(self.from))
            .filter(Column::Start.lt(self.to))
    }

    fn starts(self) -> impl Iterator<Item = i64> {
        let step = length(self.period);
        (0..)
            .map(move |number| self.from + number * step)
            .take_while(move |start| *start < self.to)
    }
}

#[derive(FromQueryResult)]
struct Named {
    name: String,
    count: i64,
}

/// Counts by name over a range, the largest first.
fn summed(rows: Select<Entity>) -> Select<Entity> {
    // PostgreSQL adds whole numbers up to a number of another type.
    let sum = || Expr::col(Column::Count).sum().cast_as(Alias::new("BIGINT"));
    rows.select_only()
        .column(Column::Name)
        .column_as(sum(), "count")
        .group_by(Column::Name)
        .order_by(sum(), Order::Desc)
        .order_by_asc(Column::Name)
}

impl Analytics {
    fn range(&self, form: &VisitRange) -> Result<Range, ServiceError> {
        Range::read(&form.period, form.from, form.to, self.now())
    }

    async fn visit_figures(&self, range: Range) -> Result<VisitFiguresReply, ServiceError> {
        let mut by_start: HashMap<&str, HashMap<i64, i64>> = HashMap::new();
        for metric in ["visits", "visitors"] {
            let rows = range.rows(metric).all(&self.context.db).await?;
            let counts = rows.into_iter().map(|row| (row.start, row.count));
            by_start.insert(metric, counts.collect());
        }
        let count = |metric, start| by_start[metric].get(&start).copied().unwrap_or_default();
        let points: Vec<VisitPoint> = range
            .starts()
            .map(|start| VisitPoint {
                start,
                visits: count("visits", start),
                visitors: count("visitors", start),
            })
            .collect();
        Ok(VisitFiguresReply {
            visits: points.iter().map(|point| point.visits).sum(),
            visitors: points.iter().map(|point| point.visitors).sum(),
            points,
        })
    }

    async fn visit_top(
        &self,
        range: Range,
        metric: &str,
        size: u64,
    ) -> Result<VisitTopReply, ServiceError> {
        if !METRICS.contains(&metric) {
            return Err(BusinessError::invalid("没有这种统计").into());
        }
        let rows = summed(range.rows(metric))
            .limit(size)
            .into_model::<Named>()
            .all(&self.context.db)
            .await?;
        let sum = Expr::col(Column::Count).sum().cast_as(Alias::new("BIGINT"));
        let total: Option<Option<i64>> = range
            .rows(metric)
            .select_only()
            .column_as(sum, "total")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(VisitTopReply {
            rows: rows
                .into_iter()
                .map(|Named { name, count }| VisitNamed { name, count })
                .collect(),
            total: total.flatten().unwrap_or_default(),
        })
    }
}

impl VisitConsoleCalls<ServiceError> for Analytics {
    async fn visit_figures(
        &self,
        _: &Operator,
        form: VisitRange,
    ) -> Result<VisitFiguresReply, ServiceError> {
        Analytics::visit_figures(self, self.range(&form)?).await
    }

    async fn visit_top(
        &self,
        _: &Operator,
        form: VisitTopRequest,
    ) -> Result<VisitTopReply, ServiceError> {
        let range = Range::read(&form.period, form.from, form.to, self.now())?;
        let size = match form.size {
            0 => LISTED,
            asked => asked as u64,
        };
        Analytics::visit_top(self, range, &form.metric, size).await
    }

    async fn visit_funnel(
        &self,
        _: &Operator,
        form: VisitRange,
    ) -> Result<VisitFunnelReply, ServiceError> {
        let range = self.range(&form)?;
        // Steps are counted by day alone.
        let days = Range {
            period: Period::Day,
            from: start_of(Period::Day, range.from),
            ..range
        };
        let rows = summed(days.rows(FUNNEL))
            .into_model::<Named>()
            .all(&self.context.db)
            .await?;
        let count = |step| rows.iter().find(|row| row.name == step);
        let steps = STEPS.map(|step| VisitStep {
            name: step.to_owned(),
            count: count(step).map_or(0, |row| row.count),
        });
        Ok(VisitFunnelReply {
            steps: steps.into(),
        })
    }

    async fn visit_actions(
        &self,
        _: &Operator,
        form: VisitActionsRequest,
    ) -> Result<VisitActionsReply, ServiceError> {
        let found = List::of(action::Entity::find())
            .when(action::Column::Tag, &form.tag)
            .when(action::Column::Visitor, &form.visitor)
            .between(action::Column::At, form.from, form.to)
            .newest_first(action::Column::At, action::Column::Id)
            .following(&form, &self.context.db)
            .await?;
        Ok(VisitActionsReply {
            actions: found.rows.into_iter().map(line).collect(),
            next: found.next,
            kept_days: i32::try_from(self.config.raw_days).unwrap_or(i32::MAX),
        })
    }

    async fn visit_export(
        &self,
        operator: &Operator,
        form: VisitExportRequest,
    ) -> Result<VisitExportReply, ServiceError> {
        let csv = Analytics::visit_export(self, operator, &form).await?;
        Ok(VisitExportReply { csv })
    }
}

fn line(row: action::Model) -> VisitAction {
    VisitAction {
        id: row.id,
        at: row.at,
        source: row.source,
        visitor: row.visitor,
        user_claim: row.user_claim,
        template: row.template,
        tag: row.tag,
        location: row.location,
        node: row.node,
    }
}
