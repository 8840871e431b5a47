//! The check-up of a file.

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use sea_orm::Set;
use sea_orm::entity::prelude::*;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::JobError;
use crate::Process;
use crate::engine::{self, Line};
use crate::entity::file::{self, Status};
use crate::entity::job::{self, State};
use crate::messages::CheckStatus;

/// What a check-up gives.
struct Outcome {
    report: serde_json::Value,
    preview_key: String,
    thumb_key: String,
    /// A twin's; empty when it is still to be made.
    turntable_key: String,
}

impl Process {
    pub(super) async fn run_check(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let Some(file) = file::Entity::find_by_id(&job.file_id)
            .one(&self.context.db)
            .await?
        else {
            return Err(JobError::Lost);
        };
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let work = async {
            match self.known_report(&file).await? {
                Some(outcome) => Ok(outcome),
                None => self.examine(&file, sender, stop).await,
            }
        };
        let log = async {
            while let Some(line) = lines.recv().await {
                if let Line::Log { message } = line
                    && let Err(error) = self.log_line(job, &file, &message).await
                {
                    tracing::warn!(%error, "log line not kept");
                }
            }
        };
        // `work` owns the sender: the log ends with it.
        let (outcome, ()) = tokio::join!(work, log);
        self.finish_check(job, file, outcome?).await
    }

    async fn log_line(
        &self,
        job: &job::Model,
        file: &file::Model,
        message: &str,
    ) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.holds_job(&transaction, job).await? {
            transaction.rollback().await?;
            return Ok(());
        }
        let message = self
            .add_message(&transaction, file, CheckStatus::Normal, message)
            .await?;
        transaction.commit().await?;
        self.push_message(&file.owner, message);
        Ok(())
    }

    async fn examine(
        &self,
        file: &file::Model,
        lines: mpsc::Sender<Line>,
        stop: &CancellationToken,
    ) -> Result<Outcome, JobError> {
        let folder = self.job_folder()?;
        let source = folder.path().join(format!("source.{}", file.format));
        let preview = folder.path().join("preview.glb");
        let thumb = folder.path().join("thumb.png");
        self.fetch_source(file, &source).await?;
        let arguments = vec![
            "check".into(),
            source.into(),
            "--name".into(),
            file.file_name.clone().into(),
            "--preview".into(),
            preview.clone().into(),
            "--thumb".into(),
            thumb.clone().into(),
        ];
        let limits = self.config.time_limits(file.is_scene());
        let report =
            engine::run(&self.config, limits, folder.path(), arguments, lines, stop).await?;
        let (preview_key, thumb_key) = derived_keys(file);
        self.context
            .objects
            .put_file(&preview_key, &preview, "model/gltf-binary")
            .await?;
        let has_thumb = thumb.exists();
        if has_thumb {
            self.context
                .objects
                .put_file(&thumb_key, &thumb, "image/png")
                .await?;
        }
        let thumb_key = if has_thumb { thumb_key } else { String::new() };
        Ok(Outcome {
            report,
            preview_key,
            thumb_key,
            turntable_key: String::new(),
        })
    }

    /// The same bytes of the same owner were examined by the same engine: the report is taken over.
    async fn known_report(&self, file: &file::Model) -> Result<Option<Outcome>, JobError> {
        if file.sha256.is_empty() {
            return Ok(None);
        }
        let twin = file::Entity::find()
            .filter(file::Column::Owner.eq(&file.owner))
            .filter(file::Column::Sha256.eq(&file.sha256))
            .filter(file::Column::Format.eq(&file.format))
            .filter(file::Column::Status.eq(Status::Ready))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Id.ne(&file.id))
            .one(&self.context.db)
            .await?;
        let Some(twin) = twin else { return Ok(None) };
        let Ok(report) = serde_json::from_str::<serde_json::Value>(&twin.report) else {
            return Ok(None);
        };
        if report.get("engine").and_then(|engine| engine.as_str()) != Some(engine::VERSION) {
            return Ok(None);
        }
        let (preview_key, thumb_key) = derived_keys(file);
        if self
            .context
            .objects
            .copy(&twin.preview_key, &preview_key)
            .await
            .is_err()
        {
            // The twin is being deleted at this moment.
            return Ok(None);
        }
        let thumb_key = match self.context.objects.copy(&twin.thumb_key, &thumb_key).await {
            Ok(_) if !twin.thumb_key.is_empty() => thumb_key,
            _ => String::new(),
        };
        let turntable_key = self.known_turntable(&twin, file).await;
        Ok(Some(Outcome {
            report,
            preview_key,
            thumb_key,
            turntable_key,
        }))
    }

    async fn finish_check(
        &self,
        job: &job::Model,
        mut file: file::Model,
        outcome: Outcome,
    ) -> Result<(), JobError> {
        let report = &outcome.report;
        file.triangles = integer(report, "/statistics/triangles");
        file.animation = report
            .get("hasAnimation")
            .and_then(|v| v.as_bool())
            .unwrap_or(false);
        file.model_num = integer(report, "/modelNum").clamp(0, i64::from(i32::MAX)) as i32;
        file.score = integer(report, "/score").clamp(0, 100) as i32;
        let told = report
            .pointer("/recommendation/text")
            .and_then(|v| v.as_str());
        let tips = told.unwrap_or("体检完成").to_owned();
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.end_job(&transaction, job, State::Done).await? {
            transaction.rollback().await?;
            return Err(JobError::Lost);
        }
        Transition::to(Status::Ready)
            .set(file::ActiveModel {
                triangles: Set(file.triangles),
                animation: Set(file.animation),
                model_num: Set(file.model_num),
                score: Set(file.score),
                report: Set(report.to_string()),
                preview_key: Set(outcome.preview_key),
                thumb_key: Set(outcome.thumb_key),
                turntable_key: Set(outcome.turntable_key.clone()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(file::Column::Id.eq(&file.id))
            .apply(&transaction)
            .await?;
        let message = self
            .add_message(&transaction, &file, CheckStatus::Success, &tips)
            .await?;
        if outcome.turntable_key.is_empty() {
            self.queue_turntable(&transaction, &file).await?;
        }
        self.publish_check_finished(&transaction, &file, Status::Ready)
            .await?;
        transaction.commit().await?;
        self.push_message(&file.owner, message);
        self.committed(false);
        Ok(())
    }

    pub(super) async fn fail_check(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        let Some(file) = file::Entity::find_by_id(&job.file_id)
            .one(&self.context.db)
            .await?
        else {
            return Ok(());
        };
        let reason = tips.trim_end_matches('。');
        let tips = format!("{reason}。可以查看支持的格式后重新上传；如有疑问请申诉或联系客服。");
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.end_job(&transaction, job, State::Failed).await? {
            transaction.rollback().await?;
            return Ok(());
        }
        Transition::to(Status::Failed)
            .set(file::ActiveModel {
                tips: Set(reason.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(file::Column::Id.eq(&file.id))
            .apply(&transaction)
            .await?;
        let message = self
            .add_message(&transaction, &file, CheckStatus::Error, &tips)
            .await?;
        self.publish_check_finished(&transaction, &file, Status::Failed)
            .await?;
        transaction.commit().await?;
        self.push_message(&file.owner, message);
        self.committed(false);
        Ok(())
    }
}

/// Keys of preview and thumbnail: outside the owner's own prefix, so that no upload can replace them.
fn derived_keys(file: &file::Model) -> (String, String) {
    let folder = format!("d/{}/{}", file.owner, file.id);
    (
        format!("{folder}/preview.glb"),
        format!("{folder}/thumb.png"),
    )
}

fn integer(report: &serde_json::Value, pointer: &str) -> i64 {
    report
        .pointer(pointer)
        .and_then(|value| value.as_i64())
        .unwrap_or(0)
}
