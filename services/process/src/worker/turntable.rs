//! The turned preview of a file: an ornament made from the preview after the check-up. Nothing waits for it, and nothing
//! fails with it.

use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::JobError;
use crate::Process;
use crate::engine::{self, Line};
use crate::entity::file;
use crate::entity::job::{self, Kind, State};

/// Side of a frame in pixels: twice the largest size it is shown in.
const SIDE: u32 = 320;

impl Process {
    /// Queues the turning of a file that passed its check-up.
    pub(super) async fn queue_turntable(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
    ) -> Result<(), ServiceError> {
        if self.config.turntable_frames < 2 {
            return Ok(());
        }
        self.queue_job(transaction, Kind::Turntable, &file.owner, &file.id, "")
            .await
    }

    /// The turned preview of a file with the same bytes, copied; empty when there is none.
    pub(super) async fn known_turntable(&self, twin: &file::Model, file: &file::Model) -> String {
        if twin.turntable_key.is_empty() {
            return String::new();
        }
        let key = key_of(file);
        match self.context.objects.copy(&twin.turntable_key, &key).await {
            Ok(_) => key,
            // It is made anew.
            Err(_) => String::new(),
        }
    }

    pub(super) async fn run_turntable(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let file = file::Entity::find_by_id(&job.file_id)
            .filter(file::Column::Deleted.eq(false))
            .one(&self.context.db)
            .await?
            .filter(|file| !file.preview_key.is_empty())
            .ok_or(JobError::Lost)?;
        let folder = self.job_folder()?;
        let preview = folder.path().join("preview.glb");
        let made = folder.path().join("turntable.webp");
        self.context
            .objects
            .get_to_file(&file.preview_key, &preview)
            .await?;
        let arguments = vec![
            "render".into(),
            preview.into(),
            made.clone().into(),
            "--turntable".into(),
            self.config.turntable_frames.to_string().into(),
            "--size".into(),
            SIDE.to_string().into(),
        ];
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let limits = self.config.time_limits(false);
        let run = engine::run(&self.config, limits, folder.path(), arguments, sender, stop);
        let drain = async { while lines.recv().await.is_some() {} };
        let (outcome, ()) = tokio::join!(run, drain);
        outcome?;
        let key = key_of(&file);
        self.context
            .objects
            .put_file(&key, &made, "image/webp")
            .await?;
        self.finish_turntable(job, &file, &key).await
    }

    async fn finish_turntable(
        &self,
        job: &job::Model,
        file: &file::Model,
        key: &str,
    ) -> Result<(), JobError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let held = self.end_job(&transaction, job, State::Done).await?;
        let kept = file::Entity::update_many()
            .set(file::ActiveModel {
                turntable_key: Set(key.to_owned()),
                ..Default::default()
            })
            .filter(file::Column::Id.eq(&file.id))
            .filter(file::Column::Deleted.eq(false))
            .exec(&transaction)
            .await?;
        if held && kept.rows_affected == 1 {
            transaction.commit().await?;
            return Ok(());
        }
        transaction.rollback().await?;
        self.forget_unless_kept(file, key).await?;
        Err(JobError::Lost)
    }

    /// The file was deleted, or another worker took over, while the picture was on its way: what nobody names goes.
    async fn forget_unless_kept(&self, file: &file::Model, key: &str) -> Result<(), JobError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let alive = file::Entity::find_by_id(&file.id)
            .filter(file::Column::Deleted.eq(false))
            .count(&transaction)
            .await?;
        if alive == 0 {
            self.discard(&transaction, [&key.to_owned()]).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The file stays as it is, without a turned preview.
    pub(super) async fn fail_turntable(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        tracing::info!(file = %job.file_id, tips, "no turned preview");
        let transaction = db::begin_write(&self.context.db).await?;
        self.end_job(&transaction, job, State::Failed).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Beside the preview and the thumbnail.
fn key_of(file: &file::Model) -> String {
    format!("d/{}/{}/turntable.webp", file.owner, file.id)
}
