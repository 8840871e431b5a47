//! The audit log for operators.

use chassis::audit::Deed;
use chassis::console::{self, MOST_EXPORTED};
use chassis::db::list::behind;
use chassis::db::{List, begin_write};
use chassis::{Operator, ServiceError};
use proto::auth::v1::{
    AuditConsoleCalls, AuditExportReply, AuditItem, AuditSearchReply, AuditSearchRequest,
    AuditVerifyReply,
};
use proto::common::v1::Empty;
use sea_orm::entity::prelude::*;
use sea_orm::{Order, QueryOrder, QuerySelect, Select};
use serde_json::json;

use super::chain;
use super::chain::link::{Column, Entity, Model};
use crate::operator::Operators;

fn asked(form: &AuditSearchRequest) -> Select<Entity> {
    let mut rows = Entity::find();
    for (column, text) in [
        (Column::OperatorName, &form.operator),
        (Column::Call, &form.call),
        (Column::Service, &form.service),
        (Column::Target, &form.target),
    ] {
        if !text.is_empty() {
            rows = rows.filter(column.eq(text.trim()));
        }
    }
    if form.from > 0 {
        rows = rows.filter(Column::At.gte(form.from));
    }
    if form.to > 0 {
        rows = rows.filter(Column::At.lt(form.to));
    }
    rows
}

fn item(row: Model) -> AuditItem {
    AuditItem {
        number: row.number,
        id: row.id,
        at: row.at,
        service: row.service,
        call: row.call,
        permission: row.permission,
        operator_id: row.operator_id,
        operator: row.operator_name,
        target: row.target,
        before: row.before,
        after: row.after,
        reason: row.reason,
        request_id: row.request_id,
        remote_addr: row.remote_addr,
        hash: row.hash,
    }
}

/// Column headings of the exported log.
const HEADINGS: [&str; 13] = [
    "序号",
    "时间",
    "服务",
    "接口",
    "权限",
    "操作人",
    "对象",
    "变更前",
    "变更后",
    "原因",
    "请求编号",
    "地址",
    "校验值",
];

fn csv(rows: Vec<Model>) -> String {
    let cells = rows.into_iter().map(|row| {
        [
            row.number.to_string(),
            console::moment(row.at),
            row.service,
            row.call,
            row.permission,
            row.operator_name,
            row.target,
            row.before,
            row.after,
            row.reason,
            row.request_id,
            row.remote_addr,
            row.hash,
        ]
    });
    console::csv(HEADINGS, cells)
}

impl AuditConsoleCalls<ServiceError> for Operators {
    async fn audit_search(
        &self,
        _: &Operator,
        request: AuditSearchRequest,
    ) -> Result<AuditSearchReply, ServiceError> {
        let found = List::of(asked(&request))
            .newest_first(Column::Number, Column::Id)
            .following(&request, &self.context.db)
            .await?;
        Ok(found.reply(item))
    }

    async fn audit_export(
        &self,
        operator: &Operator,
        request: AuditSearchRequest,
    ) -> Result<AuditExportReply, ServiceError> {
        let (number, id) = (Column::Number, Column::Id);
        let rows = behind(asked(&request), number, id, &request.after, Order::Desc)?
            .order_by_desc(number)
            .limit(MOST_EXPORTED)
            .all(&self.context.db)
            .await?;
        let transaction = begin_write(&self.context.db).await?;
        let deed = Deed {
            target: "audit",
            after: json!({"entries": rows.len()}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(AuditExportReply { csv: csv(rows) })
    }

    async fn audit_verify(&self, _: &Operator, _: Empty) -> Result<AuditVerifyReply, ServiceError> {
        let verdict = chain::verify(&self.vault, &self.context.db, None, self.now_ms()).await?;
        let (broken_at, problem) = verdict.broken.unwrap_or_default();
        Ok(AuditVerifyReply {
            sound: verdict.broken.is_none(),
            entries: verdict.entries,
            broken_at,
            problem: problem.to_owned(),
            unkeyed: verdict.unkeyed,
            hash: verdict.hash,
        })
    }
}
