//! Service results: submitted, listed, viewed, downloaded, deleted. Every query filters by owner.

use std::time::Duration;

use chassis::db::List;
use chassis::garbage::discard;
use chassis::ids::new_id;
use chassis::{BusinessError, Grantee, ServiceError, db};
use proto::code;
use proto::process::v1::{
    CardListReply, CardListRequest, DownloadRequest, ResultAdvanced, ResultProgress, ServiceResult,
    SubmitRequest,
};
use sea_orm::entity::prelude::*;
use sha2::{Digest, Sha256};

use crate::Process;
use crate::entity::result::Status;
use crate::entity::{file, result};
use crate::files::store_away;
use crate::jobs::Of;
use crate::params::{Params, ServiceType};

/// Life of a download address.
const DOWNLOAD_LIFE: Duration = Duration::from_secs(600);

const GB: i64 = 1024 * facts::MB;

fn no_such_result() -> ServiceError {
    BusinessError::not_found("处理结果不存在或已被删除").into()
}

impl Process {
    pub(crate) async fn own_result(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<result::Model, ServiceError> {
        let found = result::Entity::find_own_by_id(owner, id)
            .one(&self.context.db)
            .await?;
        found.ok_or_else(no_such_result)
    }

    /// Queues a service on a file. Idempotent: the same request on the same bytes returns the same result.
    pub(crate) async fn submit(
        &self,
        owner: &str,
        request: SubmitRequest,
    ) -> Result<String, ServiceError> {
        let service = ServiceType::parse(&request.service_type)?;
        let params = Params::parse(service, &request.params)?;
        let file = self.own_file(owner, &request.file_id).await?;
        if file.status != file::Status::Ready {
            return Err(BusinessError::new(code::CONFLICT, "模型体检通过后才能处理").into());
        }
        if file.is_scene() && !service.takes_scenes() {
            return Err(BusinessError::invalid("倾斜摄影模型请使用三维瓦片服务").into());
        }
        let engine = self.engine_version().await;
        let fingerprint = fingerprint(&file, service, &params, &engine);
        let result = self.new_result(&file, service, &params, fingerprint.clone());
        let limit_gb = self.result_limit_gb(owner).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        // Concurrent requests of one user wait here, so that the second one counts the first.
        let mut usage = self.lock_usage(&transaction, owner).await?;
        // A failed result is replaced by the new attempt.
        let replaced = result::Entity::delete_own(owner)
            .filter(result::Column::Fingerprint.eq(&fingerprint))
            .filter(result::Column::Status.eq(Status::Failed))
            .exec(&transaction)
            .await?;
        if !db::insert_new(result.clone(), &transaction).await? {
            transaction.rollback().await?;
            let known = result::Entity::find_own(owner)
                .filter(result::Column::Fingerprint.eq(&fingerprint))
                .one(&self.context.db)
                .await?;
            return known.map(|result| result.id).ok_or_else(no_such_result);
        }
        if usage.result_bytes() >= limit_gb.saturating_mul(GB) {
            let text = format!("处理结果已占满 {limit_gb} GB，请先删除不用的处理结果");
            return Err(BusinessError::new(code::QUOTA, text).into());
        }
        self.queue_job(&transaction, service.into(), owner, &file.id, &result.id)
            .await?;
        usage.change_results(service, 1 - replaced.rows_affected as i64);
        self.publish_usage(&transaction, usage).await?;
        transaction.commit().await?;
        self.push_result(&result);
        self.committed(true);
        Ok(result.id)
    }

    /// GB that finished results of a user may take before no further one is begun; those under way may go beyond it.
    async fn result_limit_gb(&self, owner: &str) -> Result<i64, ServiceError> {
        if self.uploads.is_unlimited(owner) {
            return Ok(i64::MAX);
        }
        let storage_gb = self.storage_gb(owner).await?;
        Ok(storage_gb.saturating_mul(self.config.results_per_storage))
    }

    fn new_result(
        &self,
        file: &file::Model,
        service: ServiceType,
        params: &Params,
        fingerprint: String,
    ) -> result::Model {
        result::Model {
            id: new_id(),
            owner: file.owner.clone(),
            file_id: file.id.clone(),
            service_type: service,
            params: params.canonical(),
            fingerprint,
            status: Status::Queued,
            percent: 0,
            stage: "queued".to_owned(),
            tips: "排队中".to_owned(),
            model_name: file.model_name.clone(),
            file_name: file.file_name.clone(),
            format: params.format().to_owned(),
            object_key: String::new(),
            preview_key: String::new(),
            file_size: 0,
            source_size: file.file_size,
            report: String::new(),
            created_at: self.now(),
            finished_at: None,
        }
    }

    /// Pushes the state of a result to its owner's browser.
    pub(crate) fn push_result(&self, result: &result::Model) {
        let advanced = ResultAdvanced {
            id: result.id.clone(),
            file_id: result.file_id.clone(),
            service_type: result.service_type.name().to_owned(),
            status: result.status.name().to_owned(),
            percent: result.percent,
            stage: result.stage.clone(),
            tips: result.tips.clone(),
        };
        self.context.bus.push(&result.owner, &advanced);
    }

    pub(crate) async fn list_results(
        &self,
        to: &Grantee<'_>,
        request: CardListRequest,
    ) -> Result<CardListReply, ServiceError> {
        let owner = to.user;
        let page = List::<result::Entity>::own(owner)
            .when(result::Column::ServiceType, &request.service_type)
            .when(result::Column::Status, &request.status)
            .when(result::Column::FileId, &request.file_id)
            .newest_first(result::Column::CreatedAt, result::Column::Id)
            .page(&request, &self.context.db)
            .await?;
        let ids: Vec<&String> = page.rows.iter().map(|result| &result.file_id).collect();
        let files = file::Entity::find_own(owner)
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?;
        Ok(page.reply(|result| {
            let source = files.iter().find(|file| file.id == result.file_id);
            self.describe_result(to, result, source, false)
        }))
    }

    pub(crate) async fn result_detail(
        &self,
        to: &Grantee<'_>,
        id: &str,
    ) -> Result<ServiceResult, ServiceError> {
        let owner = to.user;
        let result = self.own_result(owner, id).await?;
        let source = file::Entity::find_own_by_id(owner, &result.file_id)
            .filter(file::Column::Deleted.eq(false))
            .one(&self.context.db)
            .await?;
        Ok(self.describe_result(to, result, source.as_ref(), true))
    }

    fn describe_result(
        &self,
        to: &Grantee<'_>,
        result: result::Model,
        source: Option<&file::Model>,
        with_report: bool,
    ) -> ServiceResult {
        let report = if with_report {
            chassis::json::object_of(&result.report)
        } else {
            None
        };
        ServiceResult {
            preview_url: self.view_address(to, &result.preview_key),
            source_preview_url: source.and_then(|file| self.view_address(to, &file.preview_key)),
            thumb_url: source.and_then(|file| self.view_address(to, &file.thumb_key)),
            result_id: result.id,
            file_id: result.file_id,
            service_type: result.service_type.name().to_owned(),
            status: result.status.name().to_owned(),
            percent: result.percent,
            stage: result.stage,
            tips: result.tips,
            params: result.params,
            model_name: source.map_or(result.model_name, |file| file.model_name.clone()),
            file_name: result.file_name,
            file_size: result.file_size,
            source_size: result.source_size,
            format: result.format,
            create_time: result.created_at,
            finish_time: result.finished_at,
            report,
        }
    }

    pub(crate) async fn result_progress(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<ResultProgress, ServiceError> {
        let result = self.own_result(owner, id).await?;
        Ok(ResultProgress {
            status: result.status.name().to_owned(),
            percent: result.percent,
            stage: result.stage,
            tips: result.tips,
        })
    }

    /// Deletes a result and its objects; a running job is cancelled.
    pub(crate) async fn delete_result(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        self.own_result(owner, id).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let mut usage = self.lock_usage(&transaction, owner).await?;
        // As it is now: it may have been finished meanwhile, and have objects.
        let result = result::Entity::find_own_by_id(owner, id)
            .one(&transaction)
            .await?;
        let Some(result) = result else {
            // A concurrent call was quicker.
            transaction.rollback().await?;
            return Ok(());
        };
        result::Entity::delete_own(owner)
            .filter(result::Column::Id.eq(&result.id))
            .exec(&transaction)
            .await?;
        self.cancel_jobs(&transaction, owner, Of::Result(&result.id))
            .await?;
        discard(
            &transaction,
            self.now(),
            [&result.object_key, &result.preview_key],
        )
        .await?;
        usage.remove_result(&result);
        self.publish_usage(&transaction, usage).await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(())
    }

    /// A signed address of a result or of a source file.
    pub(crate) async fn download(
        &self,
        to: &Grantee<'_>,
        request: DownloadRequest,
    ) -> Result<String, ServiceError> {
        let owner = to.user;
        let (key, name) = match (request.result_id.as_deref(), request.file_id.as_deref()) {
            (Some(id), _) if !id.is_empty() => {
                let result = self.own_result(owner, id).await?;
                if result.status != Status::Done {
                    return Err(BusinessError::new(code::CONFLICT, "处理完成后才能下载").into());
                }
                let name = download_name(&result);
                (result.object_key, name)
            }
            (_, Some(id)) if !id.is_empty() => {
                let file = self.own_file(owner, id).await?;
                (file.stored_key().to_owned(), file.file_name)
            }
            _ => return Err(BusinessError::invalid("请指定要下载的文件").into()),
        };
        let address =
            self.context
                .objects
                .presign_get_for(to, &key, DOWNLOAD_LIFE, Some(&name), None);
        address.map_err(store_away)
    }
}

/// `齿轮-轻量化.glb`
fn download_name(result: &result::Model) -> String {
    let what = result.service_type.title();
    let extension = result
        .object_key
        .rsplit_once('.')
        .map_or("bin", |(_, extension)| extension);
    format!("{}-{what}.{extension}", result.model_name)
}

/// Digest of bytes, service, parameters and engine.
pub(crate) fn fingerprint(
    file: &file::Model,
    service: ServiceType,
    params: &Params,
    engine: &str,
) -> String {
    let bytes = if file.sha256.is_empty() {
        format!("{}/{}", file.object_key, file.etag)
    } else {
        file.sha256.clone()
    };
    let mut hash = Sha256::new();
    for part in [
        bytes.as_str(),
        &file.format,
        service.name(),
        &params.canonical(),
        engine,
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hex::encode(hash.finalize())
}
