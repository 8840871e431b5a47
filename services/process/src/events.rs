//! Events published by the service.

use chassis::ServiceError;
use proto::process::v1::{CheckFinished, FileReleased, FileUploaded, ResultFinished};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, QuerySelect};

use crate::Process;
use crate::entity::{file, result};

impl Process {
    pub(crate) async fn publish_uploaded(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        let event = FileUploaded {
            file_id: file.id.clone(),
            login_id: file.owner.clone(),
            uploaded_at_ms: now,
        };
        self.outbox.add(transaction, &file.id, &event).await?;
        Ok(())
    }

    pub(crate) async fn publish_check_finished(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
        status: file::Status,
    ) -> Result<(), ServiceError> {
        let event = CheckFinished {
            file_id: file.id.clone(),
            login_id: file.owner.clone(),
            status: status.name().to_owned(),
            format: file.format.clone(),
            file_size: file.file_size,
            triangles: file.triangles,
            score: file.score,
            finished_at_ms: self.now(),
            file_name: file.file_name.clone(),
        };
        // `file` was read before the transition, so the version is read again.
        let version: Option<i64> = file::Entity::find_own_by_id(&file.owner, &file.id)
            .select_only()
            .column(file::Column::Version)
            .into_tuple()
            .one(transaction)
            .await?;
        self.outbox
            .add_streamed(transaction, &file.id, version.unwrap_or_default(), &event)
            .await?;
        Ok(())
    }

    /// Publishes a file once it is released and has passed its check-up, whichever comes last. Scenes are not offered.
    pub(crate) async fn publish_released(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
    ) -> Result<(), ServiceError> {
        let file = file::Entity::find_own_by_id(&file.owner, &file.id)
            .filter(file::Column::Released.eq(true))
            .filter(file::Column::Status.eq(file::Status::Ready))
            .filter(file::Column::ModelType.eq(file::MODEL))
            .one(transaction)
            .await?;
        let Some(file) = file else {
            return Ok(());
        };
        let event = FileReleased {
            thumb_key: crate::worker::thumbnail_key(&file),
            file_id: file.id.clone(),
            login_id: file.owner,
            model_name: file.model_name,
            format: file.format,
            file_size: file.file_size,
            sha256: file.sha256,
            triangles: file.triangles,
            animation: file.animation,
            score: file.score,
            label_ids: facts::labels::parse(&file.label_ids).unwrap_or_default(),
            released_at_ms: self.now(),
        };
        self.outbox.add(transaction, &file.id, &event).await?;
        Ok(())
    }

    pub(crate) async fn publish_result_finished(
        &self,
        transaction: &DatabaseTransaction,
        result: &result::Model,
    ) -> Result<(), ServiceError> {
        let event = ResultFinished {
            result_id: result.id.clone(),
            file_id: result.file_id.clone(),
            login_id: result.owner.clone(),
            service_type: result.service_type.name().to_owned(),
            status: result.status.name().to_owned(),
            finished_at_ms: self.now(),
            file_name: result.file_name.clone(),
        };
        self.outbox.add(transaction, &result.id, &event).await?;
        Ok(())
    }
}
