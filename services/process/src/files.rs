//! Source files: taken in from the object store, listed, renamed, released, deleted. Every query filters by owner.

use std::time::Duration;

use chassis::db::List;
use chassis::garbage::discard;
use chassis::{BusinessError, Grantee, ServiceError, db};
use objectstore::StoreError;
use proto::code;
use proto::process::v1::{
    ListFilesReply, ListFilesRequest, ModelReleaseRequest, SourceFile, UpdateModelFileRequest,
};
use sea_orm::Set;
use sea_orm::entity::prelude::*;

use crate::Process;
use crate::entity::file;
use crate::names::{self};

/// Life of the signed addresses of pictures and previews.
const VIEW_LIFE: Duration = Duration::from_secs(3600);

pub(crate) fn no_such_file() -> ServiceError {
    BusinessError::not_found("文件不存在或已被删除").into()
}

/// Reports a store error as unavailable; the cause is logged.
pub(crate) fn store_away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "object store");
    ServiceError::Unavailable("object store")
}

async fn file_of(
    owner: &str,
    id: &str,
    db: &impl ConnectionTrait,
) -> Result<file::Model, ServiceError> {
    let found = file::Entity::find_own_by_id(owner, id)
        .filter(file::Column::Deleted.eq(false))
        .one(db)
        .await?;
    found.ok_or_else(no_such_file)
}

impl Process {
    /// The caller's file; deleted files and those of other users are not found.
    pub(crate) async fn own_file(
        &self,
        owner: &str,
        id: &str,
    ) -> Result<file::Model, ServiceError> {
        file_of(owner, id, &self.context.db).await
    }

    /// Changes name and labels.
    pub(crate) async fn update_file(
        &self,
        owner: &str,
        request: UpdateModelFileRequest,
    ) -> Result<(), ServiceError> {
        let file = self.own_file(owner, &request.file_id).await?;
        let mut change = <file::ActiveModel as Default>::default();
        if let Some(name) = &request.model_name {
            change.model_name = Set(names::check(name, self.words.scanner().await?.as_ref())?);
        }
        if let Some(ids) = &request.label_ids {
            let ids = facts::labels::parse(ids)
                .ok_or_else(|| BusinessError::invalid("标签不正确，最多选择 10 个"))?;
            change.label_ids = Set(ids.join(","));
        }
        change.updated_at = Set(self.now());
        file::Entity::update_own(owner)
            .set(change)
            .filter(file::Column::Id.eq(&file.id))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    /// Ends the upload wizard: the file becomes a model of its owner.
    pub(crate) async fn release(
        &self,
        owner: &str,
        request: ModelReleaseRequest,
    ) -> Result<String, ServiceError> {
        let name = names::check(&request.model_name, self.words.scanner().await?.as_ref())?;
        let transaction = db::begin_write(&self.context.db).await?;
        let mut usage = self.lock_usage(&transaction, owner).await?;
        let file = file_of(owner, &request.file_id, &transaction).await?;
        let released = file::Entity::update_own(owner)
            .set(file::ActiveModel {
                model_name: Set(name),
                released: Set(true),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Status.ne(file::Status::Failed))
            .exec(&transaction)
            .await?;
        if released.rows_affected == 0 {
            transaction.rollback().await?;
            return Err(
                BusinessError::new(code::CONFLICT, "体检未通过的文件不能保存为模型").into(),
            );
        }
        self.publish_released(&transaction, &file).await?;
        if !file.released {
            usage.release();
        }
        self.publish_usage(&transaction, usage).await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(file.id)
    }

    /// Deletes a file, its objects and its check-up; a running check-up is cancelled. Results stay. Idempotent: a caller that lost
    /// the reply may retry.
    pub(crate) async fn delete_file(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let file = file::Entity::find_own_by_id(owner, id)
            .one(&self.context.db)
            .await?
            .ok_or_else(no_such_file)?;
        if file.deleted {
            return Ok(());
        }
        let transaction = db::begin_write(&self.context.db).await?;
        let mut usage = self.lock_usage(&transaction, owner).await?;
        let deleted = file::Entity::update_own(owner)
            .set(file::ActiveModel {
                deleted: Set(true),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .exec_with_returning(&transaction)
            .await?;
        let Some(file) = deleted.first() else {
            // A concurrent call was quicker.
            transaction.rollback().await?;
            return Ok(());
        };
        self.cancel_jobs(&transaction, owner, crate::jobs::Of::File(&file.id))
            .await?;
        let objects = [
            &file.object_key,
            &file.kept_key,
            &file.preview_key,
            &file.thumb_key,
            &file.turntable_key,
            &file.proxy_key,
        ];
        discard(&transaction, self.now(), objects).await?;
        usage.remove_file(file);
        self.publish_usage(&transaction, usage).await?;
        transaction.commit().await?;
        self.committed(false);
        Ok(())
    }

    /// A page of the caller's files, newest first.
    pub(crate) async fn list_files(
        &self,
        to: &Grantee<'_>,
        request: ListFilesRequest,
    ) -> Result<ListFilesReply, ServiceError> {
        let model_type = (request.model_type != 0).then_some(request.model_type);
        let named = [file::Column::ModelName, file::Column::FileName];
        let page = List::<file::Entity>::own(to.user)
            .filter(file::Column::Deleted.eq(false))
            .when(file::Column::Status, &request.status)
            .when(file::Column::ModelType, model_type)
            .search(&request.keyword, named)
            .newest_first(file::Column::CreatedAt, file::Column::Id)
            .page(&request, &self.context.db)
            .await?;
        Ok(page.reply(|file| self.describe_file(to, file, false)))
    }

    /// A file as shown on pages; with the report only on request.
    pub(crate) fn describe_file(
        &self,
        to: &Grantee<'_>,
        file: file::Model,
        with_report: bool,
    ) -> SourceFile {
        let report = if with_report {
            chassis::json::object_of(&file.report)
        } else {
            None
        };
        SourceFile {
            preview_url: self.view_address(to, &file.preview_key),
            thumb_url: self.view_address(to, &file.thumb_key),
            turntable_url: self.view_address(to, &file.turntable_key),
            proxy_url: self.view_address(to, &file.proxy_key).unwrap_or_default(),
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
            status: file.status.name().to_owned(),
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

    /// A signed address for the caller's pages; none if there is no object.
    pub(crate) fn view_address(&self, to: &Grantee<'_>, key: &str) -> Option<String> {
        if key.is_empty() {
            return None;
        }
        let objects = &self.context.objects;
        match objects.presign_get_for(to, key, VIEW_LIFE, None, None) {
            Ok(address) => Some(address),
            Err(error) => {
                tracing::warn!(%error, "no address for an object");
                None
            }
        }
    }
}
