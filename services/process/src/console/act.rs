//! Operator actions on jobs. Effect and audit entry are one transaction.

use chassis::audit::{self, Deed};
use chassis::db::begin_write;
use chassis::db::states::Transition;
use chassis::{BusinessError, Operator, ServiceError};
use proto::code;
use proto::process::v1::{AuditRecorded, JobActRequest};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use serde_json::json;

use super::{Subject, is_picture};
use crate::Process;
use crate::entity::job::{self, Kind, State};
use crate::entity::{check_message, file, result};

const TAKEN_OUT: &str = "任务已由平台取消";

/// What is pushed to the owner's browser after the commit.
#[derive(Default)]
struct News {
    message: Option<check_message::Model>,
    result: Option<result::Model>,
}

impl Process {
    /// Queues a failed job's work again; returns the new job's id.
    pub(super) async fn retry_job(
        &self,
        operator: &Operator,
        form: &JobActRequest,
    ) -> Result<String, ServiceError> {
        let job = self.job(&form.id).await?;
        if job.state != State::Failed {
            return conflict("只有失败的任务可以重试");
        }
        let Subject { file, result } = self.subject(&job).await?;
        let Some(file) = file else {
            return conflict("文件已被删除，任务不能重试");
        };
        let transaction = begin_write(&self.context.db).await?;
        // Of concurrent retries each counts the open jobs of those before it.
        self.lock_user(&transaction, &job.owner).await?;
        let mut news = News::default();
        let id = match job.kind {
            Kind::Check => {
                let id = self.check_anew(&transaction, &file).await?;
                news.message = self.last_message(&transaction, &file.id).await?;
                id
            }
            Kind::Thumbnail | Kind::Turntable => self.draw_anew(&transaction, &job, &file).await?,
            _ => {
                let result = self.make_anew(&transaction, result).await?;
                news.result = Some(result);
                self.queue_job(
                    &transaction,
                    job.kind,
                    &job.owner,
                    &job.file_id,
                    &job.result_id,
                )
                .await?
            }
        };
        let (before, after) = (json!({"state": State::Failed.name()}), json!({"job": id}));
        self.audit(&transaction, operator, form, before, after)
            .await?;
        transaction.commit().await?;
        self.push(&job.owner, news);
        self.committed(true);
        Ok(id)
    }

    /// Removes a waiting job from the queue. Its owner sees a failed check-up or result and may retry.
    pub(super) async fn cancel_job(
        &self,
        operator: &Operator,
        form: &JobActRequest,
    ) -> Result<(), ServiceError> {
        let job = self.job(&form.id).await?;
        let Subject { file, result } = self.subject(&job).await?;
        let transaction = begin_write(&self.context.db).await?;
        let cancelled = Transition::to(State::Cancelled)
            .from_only(&[State::Queued])
            .set(self.touched())
            .only(job::Column::Id.eq(&job.id))
            .apply(&transaction)
            .await?;
        if !cancelled {
            return conflict("只有排队中的任务可以取消");
        }
        let mut news = News::default();
        match job.kind {
            Kind::Check => {
                if let Some(file) = &file {
                    let tips = format!("{TAKEN_OUT}。可以重新体检；如有疑问请联系客服。");
                    let ended = self.end_check_up(&transaction, file, TAKEN_OUT, &tips);
                    news.message = ended.await?;
                }
            }
            kind if is_picture(kind) => {}
            Kind::Showcase => {
                self.publish_showcase_failed(&transaction, &job, TAKEN_OUT)
                    .await?;
            }
            _ => {
                if let Some(result) = result {
                    let tips = "任务已由平台取消，可以重新提交";
                    news.result = Some(self.end_making(&transaction, result, tips).await?);
                }
            }
        }
        let before =
            json!({"state": State::Queued.name(), "kind": job.kind.name(), "owner": job.owner});
        let after = json!({"state": State::Cancelled.name()});
        self.audit(&transaction, operator, form, before, after)
            .await?;
        transaction.commit().await?;
        self.push(&job.owner, news);
        self.committed(false);
        Ok(())
    }

    async fn draw_anew(
        &self,
        transaction: &DatabaseTransaction,
        job: &job::Model,
        file: &file::Model,
    ) -> Result<String, ServiceError> {
        let drawn = match job.kind {
            Kind::Thumbnail => file::Column::ThumbKey,
            _ => file::Column::TurntableKey,
        };
        // Locks the row: of two retries the second sees the first's job, and a deletion of the file finds the new job.
        let held = file::Entity::update_own(&file.owner)
            .col_expr(file::Column::Deleted, Expr::col(file::Column::Deleted))
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Status.eq(file::Status::Ready))
            .filter(drawn.eq(""))
            .exec(transaction)
            .await?;
        let open = job::Entity::find_own(&file.owner)
            .filter(job::Column::FileId.eq(&file.id))
            .filter(job::Column::Kind.eq(job.kind))
            .filter(job::Column::State.is_in([State::Queued, State::Running]))
            .count(transaction)
            .await?;
        if open > 0 || held.rows_affected == 0 {
            return conflict("该图片已生成、正在生成，或文件未通过体检");
        }
        self.queue_job(transaction, job.kind, &job.owner, &file.id, "")
            .await
    }

    async fn make_anew(
        &self,
        transaction: &DatabaseTransaction,
        result: Option<result::Model>,
    ) -> Result<result::Model, ServiceError> {
        let Some(mut result) = result else {
            return conflict("结果已被删除，任务不能重试");
        };
        result.status = result::Status::Queued;
        result.stage = "queued".to_owned();
        result.tips = "排队中".to_owned();
        result.percent = 0;
        result.finished_at = None;
        let turned = Transition::to(result.status)
            .set(result::ActiveModel {
                stage: Set(result.stage.clone()),
                tips: Set(result.tips.clone()),
                percent: Set(result.percent),
                finished_at: Set(result.finished_at),
                ..Default::default()
            })
            .only(result::Column::Id.eq(&result.id))
            .apply(transaction);
        match turned.await? {
            true => Ok(result),
            false => conflict("该任务已重新提交"),
        }
    }

    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        form: &JobActRequest,
        before: serde_json::Value,
        after: serde_json::Value,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target: &form.id,
            before,
            after,
            reason: &form.reason,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        let outbox = &self.outbox;
        audit::record(outbox, transaction, crate::NAME, operator, deed, event).await
    }

    fn push(&self, owner: &str, news: News) {
        self.push_message(owner, news.message);
        if let Some(result) = &news.result {
            self.push_result(result);
        }
    }
}

fn conflict<T>(text: &str) -> Result<T, ServiceError> {
    Err(BusinessError::new(code::CONFLICT, text).into())
}
