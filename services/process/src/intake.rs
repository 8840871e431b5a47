//! Takes in uploaded objects: validates them, creates the file and queues its check-up.

use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use facts::MB;
use objectstore::ObjectMeta;
use proto::code;
use proto::process::v1::ModelCheckingRequest;
use sea_orm::entity::prelude::*;
use sea_orm::{ConnectionTrait, DatabaseTransaction, QueryOrder, Set};

use crate::Process;
use crate::entity::check_message::CheckStatus;
use crate::entity::file::Status;
use crate::entity::job::Kind;
use crate::entity::{check_message, file};
use crate::files::{no_such_file, store_away};
use crate::names::{self, extension};

impl Process {
    /// Takes in an uploaded object and queues its check-up. Idempotent: the same object returns the same file.
    pub(crate) async fn check_model(
        &self,
        owner: &str,
        request: ModelCheckingRequest,
    ) -> Result<String, ServiceError> {
        let key = self.object_key(owner, &request)?;
        let known = file::Entity::find_own(owner)
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
        let limit = self
            .size_limit(owner, request.model_type == file::SCENE)
            .await?;
        let format = self.checked_format(&request, limit)?;
        let meta = self.uploaded_object(&key, &request).await?;
        let storage_gb = self.storage_gb(owner).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        // Concurrent uploads of one user wait here, so that the second one counts the first.
        let mut usage = self.lock_usage(&transaction, owner).await?;
        self.check_storage(owner, usage.bytes(), request.file_size, storage_gb)?;
        let file = self.new_file(owner, key.clone(), format, &request, meta);
        if !db::insert_new(file.clone(), &transaction).await? {
            // A concurrent call took in the same object.
            transaction.rollback().await?;
            let known = file::Entity::find_own(owner)
                .filter(file::Column::ObjectKey.eq(&key))
                .one(&self.context.db)
                .await?;
            return known.map(|file| file.id).ok_or_else(no_such_file);
        }
        self.queue_check(&transaction, &file, "文件已上传，排队等待体检")
            .await?;
        self.publish_uploaded(&transaction, &file).await?;
        usage.add_file(&file);
        self.publish_usage(&transaction, usage).await?;
        let message = self.last_message(&transaction, &file.id).await?;
        transaction.commit().await?;
        self.push_message(owner, message);
        self.committed(true);
        Ok(file.id)
    }

    pub(crate) async fn last_message(
        &self,
        transaction: &impl ConnectionTrait,
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
    ) -> Result<String, ServiceError> {
        self.add_message(transaction, file, CheckStatus::Begin, tips)
            .await?;
        self.queue_job(transaction, Kind::Check, &file.owner, &file.id, "")
            .await
    }

    /// Restarts the check-up of a failed file.
    pub(crate) async fn retry_check(&self, owner: &str, id: &str) -> Result<String, ServiceError> {
        let file = self.own_file(owner, id).await?;
        let transaction = db::begin_write(&self.context.db).await?;
        // Of concurrent retries each counts the open jobs of those before it.
        self.lock_user(&transaction, owner).await?;
        self.check_anew(&transaction, &file).await?;
        let message = self.last_message(&transaction, id).await?;
        transaction.commit().await?;
        self.push_message(owner, message);
        self.committed(true);
        Ok(file.id)
    }

    /// Queues the check-up of a failed file again; returns the job's id. Errors: the file has not failed; the caller must roll
    /// back.
    pub(crate) async fn check_anew(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
    ) -> Result<String, ServiceError> {
        let turned = Transition::to(Status::Checking)
            .set(file::ActiveModel {
                tips: Set(String::new()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(file::Column::Id.eq(&file.id))
            .only(file::Column::Deleted.eq(false))
            .apply(transaction);
        if !turned.await? {
            let text = "只有体检未通过的文件可以重新体检";
            return Err(BusinessError::new(code::CONFLICT, text).into());
        }
        self.queue_check(transaction, file, "重新开始体检").await
    }

    /// The key in the private bucket, below the caller's prefix.
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
        match chassis::uploads::is_own(owner, key) {
            true => Ok(key.to_owned()),
            false => Err(wrong().into()),
        }
    }

    fn checked_format(
        &self,
        request: &ModelCheckingRequest,
        limit: i64,
    ) -> Result<String, ServiceError> {
        let name = names::check_file(&request.file_name)?;
        let scene = request.model_type == file::SCENE;
        let format = extension(name);
        let named = request.format.trim().trim_start_matches('.').to_lowercase();
        let accepted = self.uploads.accepted(scene).any(|known| known == format);
        if !accepted || (!named.is_empty() && named != format) {
            return Err(BusinessError::invalid("格式不支持").into());
        }
        if request.file_size <= 0 {
            return Err(BusinessError::invalid("文件选择错误，请联系管理员").into());
        }
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
        let announced = request.sha256.trim().to_lowercase();
        let differs = meta.sha256.as_deref().is_some_and(|real| real != announced);
        if !announced.is_empty() && differs {
            return Err(BusinessError::invalid("上传的文件内容校验不符，请重新上传").into());
        }
        Ok(meta)
    }

    fn check_storage(
        &self,
        owner: &str,
        used: i64,
        more: i64,
        storage_gb: i64,
    ) -> Result<(), ServiceError> {
        if self.uploads.is_unlimited(owner) {
            return Ok(());
        }
        if used.saturating_add(more) > storage_gb * 1024 * MB {
            let text = format!("存储空间不足：共 {storage_gb} GB，请先删除不用的文件");
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
            kept_key: String::new(),
            etag: meta.etag,
            sha256: meta.sha256.unwrap_or_default(),
            model_name: names::default_name(request.file_name.trim()),
            file_name: request.file_name.trim().to_owned(),
            format,
            file_size: request.file_size,
            model_type: match request.model_type {
                file::SCENE => file::SCENE,
                _ => file::MODEL,
            },
            file_source: request.file_source.chars().take(64).collect(),
            origin: i32::from(request.origin == 1),
            status: Status::Checking,
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
            turntable_key: String::new(),
            proxy_key: String::new(),
            created_at: now,
            updated_at: now,
            deleted: false,
            version: 1,
        }
    }
}
