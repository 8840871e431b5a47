//! What the mall shows of a file: a job copies the file out of its owner's reach and makes a stand-in, pictures and facts from the
//! copy. They are stored below `m/{listing}/{version}/`, and stay when the file or account is deleted.

use chassis::rights::export;
use chassis::{ServiceError, db};
use proto::common::v1::{ExportPage, ExportPageRequest};
use proto::process::v1::{
    BundleReply, BundleRequest, ProcessCommandsHandler, ShowcaseFinished, ShowcaseReply,
    ShowcaseRequest,
};
use sea_orm::DatabaseTransaction;
use sea_orm::entity::prelude::*;

use crate::Process;
use crate::entity::file;
use crate::entity::job::{self, Kind, State};
use crate::rights::Part;

/// States in which a job need not be queued again.
const STANDING: [State; 3] = [State::Queued, State::Running, State::Done];
const GONE: &str = "源文件已被删除，请重新上传后再提交";
const UNCHECKED: &str = "模型还没有通过体检，请先完成体检再提交";

/// Handles the commands of process.
pub(crate) struct Commands(pub Process);

impl ProcessCommandsHandler<ServiceError> for Commands {
    async fn showcase(&self, request: ShowcaseRequest) -> Result<ShowcaseReply, ServiceError> {
        let Some(subject) = Subject::of(&request.listing_id, request.version) else {
            return Ok(refusal("商品编号或版本不正确"));
        };
        self.0.ask_for_showcase(&request, &subject).await
    }

    async fn bundle(&self, request: BundleRequest) -> Result<BundleReply, ServiceError> {
        self.0.bundle(&request).await
    }

    async fn export_page(&self, request: ExportPageRequest) -> Result<ExportPage, ServiceError> {
        export::page(&Part(self.0.clone()), &self.0.context.db, &request).await
    }
}

fn refusal(reason: &str) -> ShowcaseReply {
    ShowcaseReply {
        job_id: String::new(),
        reason: reason.to_owned(),
    }
}

/// The listing's version a job is for.
pub(crate) struct Subject {
    pub listing: String,
    pub version: i32,
}

impl Subject {
    fn of(listing: &str, version: i32) -> Option<Self> {
        let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        let usable = (1..=48).contains(&listing.len()) && listing.bytes().all(letter);
        (usable && version > 0).then(|| Self {
            listing: listing.to_owned(),
            version,
        })
    }

    /// Name stored in the job.
    fn name(&self) -> String {
        format!("{}/{}", self.listing, self.version)
    }

    pub(crate) fn of_job(job: &job::Model) -> Option<Self> {
        let (listing, version) = job.result_id.rsplit_once('/')?;
        Self::of(listing, version.parse().ok()?)
    }

    pub(crate) fn key(&self, name: &str) -> String {
        format!("m/{}/{}/{name}", self.listing, self.version)
    }
}

impl Process {
    async fn ask_for_showcase(
        &self,
        request: &ShowcaseRequest,
        subject: &Subject,
    ) -> Result<ShowcaseReply, ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        // Of concurrent requests the second one finds the first's job.
        self.lock_user(&transaction, &request.owner).await?;
        let standing = job::Entity::find_own(&request.owner)
            .filter(job::Column::FileId.eq(&request.file_id))
            .filter(job::Column::Kind.eq(Kind::Showcase))
            .filter(job::Column::ResultId.eq(subject.name()))
            .filter(job::Column::State.is_in(STANDING))
            .one(&transaction)
            .await?;
        if let Some(job) = standing {
            transaction.rollback().await?;
            return Ok(ShowcaseReply {
                job_id: job.id,
                reason: String::new(),
            });
        }
        let file = file::Entity::find_own_by_id(&request.owner, &request.file_id)
            .filter(file::Column::Deleted.eq(false))
            .one(&transaction)
            .await?;
        let reason = match &file {
            None => Some(GONE),
            Some(file) if file.status != file::Status::Ready => Some(UNCHECKED),
            Some(_) => None,
        };
        if let Some(reason) = reason {
            transaction.rollback().await?;
            return Ok(refusal(reason));
        }
        let job_id = self
            .queue_job(
                &transaction,
                Kind::Showcase,
                &request.owner,
                &request.file_id,
                &subject.name(),
            )
            .await?;
        transaction.commit().await?;
        self.committed(true);
        Ok(ShowcaseReply {
            job_id,
            reason: String::new(),
        })
    }

    /// Publishes that a version cannot be shown, and why.
    pub(crate) async fn publish_showcase_failed(
        &self,
        transaction: &DatabaseTransaction,
        job: &job::Model,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let Some(subject) = Subject::of_job(job) else {
            return Ok(());
        };
        let event = ShowcaseFinished {
            listing_id: subject.listing,
            version: subject.version,
            status: "failed".to_owned(),
            reason: reason.to_owned(),
            ..Default::default()
        };
        self.outbox
            .add(transaction, &event.listing_id, &event)
            .await?;
        Ok(())
    }
}
