//! Works and comments as operators have them. Effect and audit entry are one transaction.

mod categories;
mod comments;
mod grpc;
mod works;

use chassis::audit::{self, Deed};
use chassis::{BusinessError, Caller, ServiceError, db};
use proto::works::v1::{AuditRecorded, ReportsDismissRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::{Value, json};

use crate::Works;
use crate::entity::{comment, report, work};

impl Works {
    /// Writes the entry of what `caller` does to `target`.
    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        caller: &Caller,
        target: &str,
        (before, after): (Value, Value),
        reason: &str,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            before,
            after,
            reason,
            by: None,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(&self.outbox, transaction, crate::NAME, caller, deed, event).await
    }

    /// Reports of a thing have been looked into: by a deed against it, or because nothing is wrong.
    async fn close_reports(
        &self,
        transaction: &DatabaseTransaction,
        thing: &str,
    ) -> Result<u64, DbErr> {
        let closed = report::Entity::update_many()
            .set(report::ActiveModel {
                open: Set(false),
                ..Default::default()
            })
            .filter(report::Column::ThingId.eq(thing))
            .filter(report::Column::Open.eq(true))
            .exec(transaction)
            .await?;
        work::Entity::update_many()
            .set(work::ActiveModel {
                reports: Set(0),
                ..Default::default()
            })
            .filter(work::Column::Id.eq(thing))
            .exec(transaction)
            .await?;
        comment::Entity::update_many()
            .set(comment::ActiveModel {
                reports: Set(0),
                ..Default::default()
            })
            .filter(comment::Column::Id.eq(thing))
            .exec(transaction)
            .await?;
        Ok(closed.rows_affected)
    }

    async fn dismiss(
        &self,
        caller: &Caller,
        form: &ReportsDismissRequest,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        // Whoever reports locks the work first, so that no report comes between.
        let thing = &form.thing_id;
        if self.hold(&transaction, thing).await?.is_none() {
            self.hold_comment(&transaction, thing).await?;
        }
        let closed = self.close_reports(&transaction, thing).await?;
        if closed == 0 {
            return Err(BusinessError::not_found("没有待处理的举报").into());
        }
        let told = (json!({"reports": closed}), json!({"reports": 0}));
        self.audit(&transaction, caller, thing, told, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
