//! Source files: taken in from object storage, listed, renamed, released, deleted. Every query names the owner.

use std::time::Duration;

use chassis::{BusinessError, ServiceError, db};
use objectstore::{ObjectMeta, StoreError};
use proto::code;
use proto::process::v1::{
    ListFilesReply, ListFilesRequest, ModelCheckingRequest, ModelReleaseRequest, SourceFile,
    UpdateModelFileRequest,
};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ActiveValue, DatabaseTransaction, IntoActiveModel, QueryOrder, QuerySelect, Set};

use crate::config::MB;
use crate::entity::{check_message, file};
use crate::messages::CheckStatus;
use crate::names::{self, extension};
use crate::state::new_id;
use crate::{Process, labels};

/// Life of addresses that pages show pictures and previews by.
const VIEW_LIFE: Duration = Duration::from_secs(3600);
const MAX_PAGE_SIZE: i32 = 200;
const DEFAULT_PAGE_SIZE: i32 = 20;

pub(crate) fn no_such_file() -> ServiceError {
    BusinessError::not_found("文件不存在或已被删除").into()
}

/// Page number from 0 and page size of a request.
pub(crate) fn page(number: i32, size: i32) -> (u64, u64) {
    let size = if size <= 0 {
        DEFAULT_PAGE_SIZE
    } else {
        size.min(MAX_PAGE_SIZE)
    };
    (i64::from(number.max(1) - 1) as u64, size as u64)
}

/// A store that fails is away for the caller; the cause goes to the log.
pub(crate) fn store_away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "object store");
    ServiceError::Unavailable("object store")
}

impl Process {
    /// The caller's file; deleted ones and other people's do not exist.
    pub(crate) async fn own_file(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<file::Model, ServiceError> {
        let found = file::Entity::find_by_id(id)
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false))
            .one(&self.context.db)
            .await?;
        found.ok_or_else(no_such_file)
    }

    /// Takes an uploaded object in and queues its check-up; the same object answers the same file.
    pub(crate) async fn check_model(
        &self,
        owner: &str,
        request: ModelCheckingRequest,
    ) -> Result<String, ServiceError> {
        let key = self.object_key(owner, &request)?;
        let known = file::Entity::find()
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::ObjectKey.eq(&key))
            .one(&self.context.db)
            .await?;
        if let Some(known) = known {
            return if known.deleted {
                Err(no_such_file())
            } else {
                Ok(known.id)
            };
        }
        let format = self.checked_format(owner, &request)?;
        let meta = self.uploaded_object(&key, &request).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        self.check_storage(&transaction, owner, request.file_size)
            .await?;
        let file = self.new_file(owner, key.clone(), format, &request, meta);
        let inserted = file::Entity::insert(file.clone().into_active_model())
            .on_conflict(
                sea_orm::sea_query::OnConflict::columns([
                    file::Column::Owner,
                    file::Column::ObjectKey,
                ])
                .do_nothing()
                .to_owned(),
            )
            .exec_without_returning(&transaction)
            .await?;
        if inserted == 0 {
            // Somebody asked the same at the same moment.
            transaction.rollback().await?;
            let known = file::Entity::find()
                .filter(file::Column::Owner.eq(owner))
                .filter(file::Column::ObjectKey.eq(&key))
                .one(&self.context.db)
                .await?;
            return known.map(|file| file.id).ok_or_else(no_such_file);
        }
        self.queue_check(&transaction, &file, "文件已上传，排队等待体检")
            .await?;
        self.publish_statistics(&transaction, owner).await?;
        let message = self.last_message(&transaction, &file.id).await?;
        transaction.commit().await?;
        self.push_message(owner, message);
        self.committed(true);
        Ok(file.id)
    }

    async fn last_message(
        &self,
        transaction: &DatabaseTransaction,
        file_id: &str,
    ) -> Result<Option<check_message::Model>, ServiceError> {
        let newest = check_message::Entity::find()
            .filter(check_message::Column::FileId.eq(file_id))
            .order_by_desc(check_message::Column::Seq)
            .one(transaction)
            .await?;
        Ok(newest)
    }

    async fn queue_check(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        self.add_message(transaction, file, CheckStatus::Begin, tips)
            .await?;
        self.queue_job(transaction, "check", &file.owner, &file.id, "")
            .await
    }

    /// Starts the check-up of a failed file anew.
    pub(crate) async fn retry_check(&self, owner: &str, id: &str) -> Result<String, ServiceError> {
        let file = self.own_file(owner, id).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let turned = file::Entity::update_many()
            .col_expr(file::Column::Status, Expr::value("checking"))
            .col_expr(file::Column::Tips, Expr::value(""))
            .col_expr(file::Column::UpdatedAt, Expr::value(self.now()))
            .filter(file::Column::Id.eq(id))
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Status.eq("failed"))
            .exec(&transaction)
            .await?;
        if turned.rows_affected == 0 {
            transaction.rollback().await?;
            return Err(
                BusinessError::new(code::CONFLICT, "只有体检未通过的文件可以重新体检").into(),
            );
        }
        self.queue_check(&transaction, &file, "重新开始体检")
            .await?;
        let message = self.last_message(&transaction, id).await?;
        transaction.commit().await?;
        self.push_message(owner, message);
        self.committed(true);
        Ok(file.id)
    }

    /// The key inside the private bucket, below the caller's own prefix.
    fn object_key(
        &self,
        owner: &str,
        request: &ModelCheckingRequest,
    ) -> Result<String, ServiceError> {
        let wrong = || BusinessError::invalid("文件地址不正确，请重新上传");
        let bucket = self.context.objects.bucket();
        let (named, key) = request.file_url.split_once('/').ok_or_else(wrong)?;
        if named != bucket || (!request.bucket_name.is_empty() && request.bucket_name != bucket) {
            return Err(wrong().into());
        }
        let prefix = objectstore::user_prefix(owner).map_err(|_| wrong())?;
        let inside = key.strip_prefix(&prefix).ok_or_else(wrong)?;
        let odd = |part: &str| part.is_empty() || part == "." || part == "..";
        if key.len() > 1024 || inside.split('/').any(odd) || key.chars().any(char::is_control) {
            return Err(wrong().into());
        }
        Ok(key.to_owned())
    }

    fn checked_format(
        &self,
        owner: &str,
        request: &ModelCheckingRequest,
    ) -> Result<String, ServiceError> {
        let name = request.file_name.trim();
        if name.is_empty() || name.len() > 255 || name.chars().any(char::is_control) {
            return Err(BusinessError::invalid("文件名不正确，最长 255 字节").into());
        }
        if request.model_type == 2 {
            return Err(BusinessError::new(code::NOT_OPEN, "倾斜摄影模型的处理尚未开放").into());
        }
        let format = extension(name);
        let named = request.format.trim().trim_start_matches('.').to_lowercase();
        if !self.config.takes(&format) || (!named.is_empty() && named != format) {
            return Err(BusinessError::invalid("格式不支持").into());
        }
        if request.file_size <= 0 {
            return Err(BusinessError::invalid("文件选择错误，请联系管理员").into());
        }
        let limit = self.config.size_limit(owner);
        if request.file_size > limit {
            let text = format!("{format}文件大小不得超过{}MB", limit / MB);
            return Err(BusinessError::invalid(text).into());
        }
        Ok(format)
    }

    async fn uploaded_object(
        &self,
        key: &str,
        request: &ModelCheckingRequest,
    ) -> Result<ObjectMeta, ServiceError> {
        let Some(meta) = self.context.objects.head(key).await.map_err(store_away)? else {
            return Err(BusinessError::not_found("没有找到上传的文件，请重新上传").into());
        };
        if meta.size != request.file_size as u64 {
            return Err(BusinessError::invalid("上传的文件大小与实际不符，请重新上传").into());
        }
        let told = request.sha256.trim().to_lowercase();
        let differs = meta.sha256.as_deref().is_some_and(|real| real != told);
        if !told.is_empty() && differs {
            return Err(BusinessError::invalid("上传的文件内容校验不符，请重新上传").into());
        }
        Ok(meta)
    }

    async fn check_storage(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        more: i64,
    ) -> Result<(), ServiceError> {
        if self
            .config
            .unlimited_accounts
            .iter()
            .any(|account| account == owner)
        {
            return Ok(());
        }
        // Counted one by one in SQL: SUM of 64-bit integers is a decimal on PostgreSQL.
        let sizes: Vec<i64> = file::Entity::find()
            .select_only()
            .column(file::Column::FileSize)
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false))
            .into_tuple()
            .all(transaction)
            .await?;
        let used: i64 = sizes.iter().sum();
        if used.saturating_add(more) > self.config.storage_gb * 1024 * MB {
            let text = format!(
                "存储空间不足：共 {} GB，请先删除不用的文件",
                self.config.storage_gb
            );
            return Err(BusinessError::new(code::QUOTA, text).into());
        }
        Ok(())
    }

    fn new_file(
        &self,
        owner: &str,
        object_key: String,
        format: String,
        request: &ModelCheckingRequest,
        meta: ObjectMeta,
    ) -> file::Model {
        let now = self.now();
        file::Model {
            id: new_id(),
            owner: owner.to_owned(),
            object_key,
            etag: meta.etag,
            sha256: meta.sha256.unwrap_or_default(),
            model_name: names::default_name(request.file_name.trim()),
            file_name: request.file_name.trim().to_owned(),
            format,
            file_size: request.file_size,
            model_type: 1,
            file_source: request.file_source.chars().take(64).collect(),
            origin: i32::from(request.origin == 1),
            status: "checking".to_owned(),
            tips: String::new(),
            released: false,
            label_ids: String::new(),
            triangles: 0,
            animation: false,
            model_num: 0,
            score: 0,
            report: String::new(),
            preview_key: String::new(),
            thumb_key: String::new(),
            created_at: now,
            updated_at: now,
            deleted: false,
        }
    }

    /// Changes name and labels.
    pub(crate) async fn update_file(
        &self,
        owner: &str,
        request: UpdateModelFileRequest,
    ) -> Result<(), ServiceError> {
        let file = self.own_file(owner, &request.file_id).await?;
        let mut change = file::ActiveModel {
            id: ActiveValue::Unchanged(file.id),
            ..Default::default()
        };
        if let Some(name) = &request.model_name {
            change.model_name = Set(names::check(name, &self.scanner)?);
        }
        if let Some(ids) = &request.label_ids {
            let ids = labels::parse(ids)
                .ok_or_else(|| BusinessError::invalid("标签不正确，最多选择 10 个"))?;
            change.label_ids = Set(ids.join(","));
        }
        change.updated_at = Set(self.now());
        change.update(&self.context.db).await?;
        Ok(())
    }

    /// Ends the upload wizard: the file becomes a model of its owner.
    pub(crate) async fn release(
        &self,
        owner: &str,
        request: ModelReleaseRequest,
    ) -> Result<String, ServiceError> {
        let name = names::check(&request.model_name, &self.scanner)?;
        let file = self.own_file(owner, &request.file_id).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let released = file::Entity::update_many()
            .col_expr(file::Column::ModelName, Expr::value(name))
            .col_expr(file::Column::Released, Expr::value(true))
            .col_expr(file::Column::UpdatedAt, Expr::value(self.now()))
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Status.ne("failed"))
            .exec(&transaction)
            .await?;
        if released.rows_affected == 0 {
            transaction.rollback().await?;
            return Err(
                BusinessError::new(code::CONFLICT, "体检未通过的文件不能保存为模型").into(),
            );
        }
        self.publish_statistics(&transaction, owner).await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(file.id)
    }

    /// Removes a file, its objects and its check-up; a running check is cancelled. Results stay.
    pub(crate) async fn delete_file(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let file = self.own_file(owner, id).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        let deleted = file::Entity::update_many()
            .col_expr(file::Column::Deleted, Expr::value(true))
            .col_expr(file::Column::UpdatedAt, Expr::value(self.now()))
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false))
            .exec(&transaction)
            .await?;
        if deleted.rows_affected == 1 {
            self.cancel_jobs(&transaction, owner, crate::jobs::Of::File(&file.id))
                .await?;
            self.discard(
                &transaction,
                [&file.object_key, &file.preview_key, &file.thumb_key],
            )
            .await?;
            self.publish_statistics(&transaction, owner).await?;
        }
        transaction.commit().await?;
        self.committed(false);
        Ok(())
    }

    /// A page of the caller's files, newest first.
    pub(crate) async fn list_files(
        &self,
        owner: &str,
        request: ListFilesRequest,
    ) -> Result<ListFilesReply, ServiceError> {
        let mut query = file::Entity::find()
            .filter(file::Column::Owner.eq(owner))
            .filter(file::Column::Deleted.eq(false));
        if !request.status.is_empty() {
            query = query.filter(file::Column::Status.eq(&request.status));
        }
        if request.model_type != 0 {
            query = query.filter(file::Column::ModelType.eq(request.model_type));
        }
        let keyword: String = request.keyword.trim().chars().take(64).collect();
        if !keyword.is_empty() {
            let name = file::Column::ModelName.contains(&keyword);
            query = query.filter(name.or(file::Column::FileName.contains(&keyword)));
        }
        let (number, size) = page(request.page_no, request.page_size);
        let total = query.clone().count(&self.context.db).await?;
        let files = query
            .order_by_desc(file::Column::CreatedAt)
            .order_by_desc(file::Column::Id)
            .offset(number.saturating_mul(size))
            .limit(size)
            .all(&self.context.db)
            .await?;
        let results = files
            .into_iter()
            .map(|file| self.describe_file(file, false))
            .collect();
        Ok(ListFilesReply {
            total_count: total as i64,
            results,
        })
    }

    /// What a page shows of a file; the report only where it is asked for.
    pub(crate) fn describe_file(&self, file: file::Model, with_report: bool) -> SourceFile {
        let report = if with_report {
            crate::grpc::json_object(&file.report)
        } else {
            None
        };
        SourceFile {
            preview_url: self.view_address(&file.preview_key),
            thumb_url: self.view_address(&file.thumb_key),
            tips: Some(file.tips).filter(|tips| !tips.is_empty()),
            label_ids: file
                .label_ids
                .split(',')
                .filter(|id| !id.is_empty())
                .map(str::to_owned)
                .collect(),
            file_id: file.id,
            file_name: file.file_name,
            model_name: file.model_name,
            format: file.format,
            file_size: file.file_size,
            model_type: file.model_type,
            status: file.status,
            released: file.released,
            create_time: file.created_at,
            triangles: file.triangles,
            animation: file.animation,
            model_num: file.model_num,
            report,
            sha256: file.sha256,
            score: file.score,
        }
    }

    /// A signed address a page may show; none for an object that is not there.
    pub(crate) fn view_address(&self, key: &str) -> Option<String> {
        if key.is_empty() {
            return None;
        }
        match self.context.objects.presign_get(key, VIEW_LIFE, None, None) {
            Ok(address) => Some(address),
            Err(error) => {
                tracing::warn!(%error, "no address for an object");
                None
            }
        }
    }
}
