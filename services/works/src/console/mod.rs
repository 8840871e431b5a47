//! Works and comments for operators. Effect and audit entry are one transaction.

mod categories;
mod comments;
mod works;

use chassis::audit::{self, Deed};
use chassis::{BusinessError, Operator, ServiceError, db};
use proto::works::v1::{
    AuditRecorded, CommentActRequest, CommentSearchReply, CommentSearchRequest, ManagedCategory,
    ReportsDismissRequest, WorkActRequest, WorkCategoryListReply, WorkCategoryListRequest,
    WorkCategorySaveRequest, WorkConsoleCalls, WorkDecideRequest, WorkRecommendRequest,
    WorkSearchReply, WorkSearchRequest, WorkShowReply, WorkShowRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::{Value, json};

use crate::Works;
use crate::entity::{comment, report, work};

impl Works {
    /// Writes the audit entry of an operator's action on `target`.
    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        target: &str,
        (before, after): (Value, Value),
        reason: &str,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            before,
            after,
            reason,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(
            &self.outbox,
            transaction,
            crate::NAME,
            operator,
            deed,
            event,
        )
        .await
    }

    /// Closes the reports of a work or comment: it was acted on, or nothing is wrong.
    async fn close_reports(
        &self,
        transaction: &DatabaseTransaction,
        thing: &str,
    ) -> Result<u64, DbErr> {
        let closed = report::Entity::update_any()
            .set(report::ActiveModel {
                open: Set(false),
                ..Default::default()
            })
            .filter(report::Column::ThingId.eq(thing))
            .filter(report::Column::Open.eq(true))
            .exec(transaction)
            .await?;
        work::Entity::update_any()
            .set(work::ActiveModel {
                reports: Set(0),
                ..Default::default()
            })
            .filter(work::Column::Id.eq(thing))
            .exec(transaction)
            .await?;
        comment::Entity::update_any()
            .set(comment::ActiveModel {
                reports: Set(0),
                ..Default::default()
            })
            .filter(comment::Column::Id.eq(thing))
            .exec(transaction)
            .await?;
        Ok(closed.rows_affected)
    }
}

impl WorkConsoleCalls<ServiceError> for Works {
    async fn work_search(
        &self,
        _: &Operator,
        form: WorkSearchRequest,
    ) -> Result<WorkSearchReply, ServiceError> {
        self.search_works(&form).await
    }

    async fn work_show(
        &self,
        _: &Operator,
        form: WorkShowRequest,
    ) -> Result<WorkShowReply, ServiceError> {
        self.show_work(&form.works_id).await
    }

    async fn work_decide(
        &self,
        operator: &Operator,
        form: WorkDecideRequest,
    ) -> Result<(), ServiceError> {
        self.decide(operator, &form).await
    }

    async fn work_hide(
        &self,
        operator: &Operator,
        form: WorkActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_work(operator, &form, true).await
    }

    async fn work_restore(
        &self,
        operator: &Operator,
        form: WorkActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_work(operator, &form, false).await
    }

    async fn work_recommend(
        &self,
        operator: &Operator,
        form: WorkRecommendRequest,
    ) -> Result<(), ServiceError> {
        self.recommend(operator, &form).await
    }

    async fn work_category_list(
        &self,
        _: &Operator,
        form: WorkCategoryListRequest,
    ) -> Result<WorkCategoryListReply, ServiceError> {
        self.list_categories(&form).await
    }

    async fn work_category_save(
        &self,
        operator: &Operator,
        form: WorkCategorySaveRequest,
    ) -> Result<ManagedCategory, ServiceError> {
        self.save_category(operator, form).await
    }

    async fn comment_search(
        &self,
        _: &Operator,
        form: CommentSearchRequest,
    ) -> Result<CommentSearchReply, ServiceError> {
        self.search_comments(&form).await
    }

    async fn comment_hide(
        &self,
        operator: &Operator,
        form: CommentActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_comment(operator, &form, true).await
    }

    async fn comment_restore(
        &self,
        operator: &Operator,
        form: CommentActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_comment(operator, &form, false).await
    }

    async fn reports_dismiss(
        &self,
        operator: &Operator,
        form: ReportsDismissRequest,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        // Reporting locks the work too, so no report can come in between.
        let thing = &form.thing_id;
        if self.hold(&transaction, thing).await?.is_none() {
            self.hold_comment(&transaction, thing).await?;
        }
        let closed = self.close_reports(&transaction, thing).await?;
        if closed == 0 {
            return Err(BusinessError::not_found("没有待处理的举报").into());
        }
        let change = (json!({"reports": closed}), json!({"reports": 0}));
        self.audit(&transaction, operator, thing, change, &form.reason)
            .await?;
        transaction.commit().await?;
        self.outbox.wake();
        Ok(())
    }
}
