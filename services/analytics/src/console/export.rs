//! CSV exports for operators, each recorded in the audit log.

use chassis::audit::{self, Deed};
use chassis::console::{MOST_EXPORTED, csv, moment};
use chassis::db::begin_write;
use chassis::{Operator, ServiceError};
use proto::analytics::v1::{AuditRecorded, VisitExportRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect};
use serde_json::json;

use super::Range;
use crate::Analytics;
use crate::entity::action;

impl Analytics {
    pub(super) async fn visit_export(
        &self,
        operator: &Operator,
        form: &VisitExportRequest,
    ) -> Result<String, ServiceError> {
        let range = Range::read(&form.period, form.from, form.to, self.now())?;
        let text = match form.what.as_str() {
            "figures" => self.figures_csv(range).await?,
            "actions" => self.actions_csv(range).await?,
            metric => self.metric_csv(range, metric).await?,
        };
        let transaction = begin_write(&self.context.db).await?;
        let deed = Deed {
            target: &form.what,
            after: json!({"from": range.from, "to": range.to, "period": range.period.name()}),
            ..Deed::default()
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        let outbox = &self.outbox;
        audit::record(outbox, &transaction, crate::NAME, operator, deed, event).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(text)
    }

    async fn figures_csv(&self, range: Range) -> Result<String, ServiceError> {
        let points = self.visit_figures(range).await?.points;
        let rows = points.into_iter().map(|point| {
            [
                moment(point.start),
                point.visits.to_string(),
                point.visitors.to_string(),
            ]
        });
        Ok(csv(["开始时间", "访问", "访客"], rows))
    }

    async fn metric_csv(&self, range: Range, metric: &str) -> Result<String, ServiceError> {
        let top = self.visit_top(range, metric, MOST_EXPORTED).await?;
        let rows = top.rows.into_iter();
        let rows = rows.map(|row| [row.name, row.count.to_string()]);
        Ok(csv(["名称", "次数"], rows))
    }

    async fn actions_csv(&self, range: Range) -> Result<String, ServiceError> {
        let lines = action::Entity::find()
            .filter(action::Column::At.gte(range.from))
            .filter(action::Column::At.lt(range.to))
            .order_by_desc(action::Column::At)
            .order_by_desc(action::Column::Id)
            .limit(MOST_EXPORTED)
            .all(&self.context.db)
            .await?;
        let rows = lines.into_iter().map(|line| {
            [
                moment(line.at),
                line.source,
                line.visitor,
                line.user_claim,
                line.template,
                line.tag,
                line.location,
                line.node,
            ]
        });
        let headings = [
            "时间",
            "来源",
            "访客",
            "自称用户",
            "模板",
            "标签",
            "位置",
            "节点",
        ];
        Ok(csv(headings, rows))
    }
}
