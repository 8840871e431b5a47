//! The check-up of a file.

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::check_log::CheckLog;
use super::pictures::Picture;
use super::{JobError, OUTCOME};
use crate::Process;
use crate::engine::{self, Line};
use crate::entity::check_message;
use crate::entity::check_message::CheckStatus;
use crate::entity::file::{self, Status};
use crate::entity::job::{self, State};

/// Outcome of a check-up.
struct Outcome {
    report: serde_json::Value,
    preview_key: String,
    /// Copied from an identical file; empty if it must still be drawn.
    thumb_key: String,
    /// Empty if the preview is small enough.
    proxy_key: String,
    turntable_key: String,
}

impl Process {
    pub(super) async fn run_check(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let file = self.source_of(job).await?.ok_or(JobError::Gone)?;
        let file = self.claim(file).await?;
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let work = async {
            match self.known_report(&file).await? {
                Some(outcome) => Ok(outcome),
                None => self.examine(job, &file, sender, stop).await,
            }
        };
        // `work` owns the sender: the log ends with it.
        let mut log = CheckLog::new(self, job, &file);
        let (outcome, ()) = tokio::join!(work, log.listen(&mut lines));
        match outcome {
            Ok(outcome) => {
                let finished = self.finish_check(job, &file, outcome, log);
                self.context.ask_database(OUTCOME, finished).await?
            }
            Err(error) => {
                log.flush().await;
                Err(error)
            }
        }
    }

    async fn examine(
        &self,
        job: &job::Model,
        file: &file::Model,
        lines: mpsc::Sender<Line>,
        stop: &CancellationToken,
    ) -> Result<Outcome, JobError> {
        let folder = self.job_folder()?;
        let source = folder.path().join(format!("source.{}", file.format));
        let preview = folder.path().join("preview.glb");
        let proxy = folder.path().join("proxy.glb");
        self.fetch_source(file, &source, stop).await?;
        self.verify(file, &source).await?;
        let arguments = vec![
            "check".into(),
            source.into(),
            "--name".into(),
            file.file_name.clone().into(),
            "--preview".into(),
            preview.clone().into(),
            "--proxy".into(),
            proxy.clone().into(),
        ];
        let limits = self.config.check_limits(file.is_scene(), file.file_size);
        let limits = limits.at(job.priority);
        let report =
            engine::run(&self.config, limits, folder.path(), arguments, lines, stop).await?;
        let preview_key = preview_key(file);
        self.context
            .objects
            .put_file(&preview_key, &preview, "model/gltf-binary")
            .await?;
        let mut proxy_key = String::new();
        if proxy.exists() {
            proxy_key = proxy_key_of(file);
            self.context
                .objects
                .put_file(&proxy_key, &proxy, "model/gltf-binary")
                .await?;
        }
        Ok(Outcome {
            report,
            preview_key,
            thumb_key: String::new(),
            proxy_key,
            turntable_key: String::new(),
        })
    }

    /// Reuses the report of an identical file of the same owner that the same engine checked.
    async fn known_report(&self, file: &file::Model) -> Result<Option<Outcome>, JobError> {
        if file.sha256.is_empty() {
            return Ok(None);
        }
        let twin = file::Entity::find_own(&file.owner)
            .filter(file::Column::Sha256.eq(&file.sha256))
            .filter(file::Column::Format.eq(&file.format))
            .filter(file::Column::Status.eq(Status::Ready))
            .filter(file::Column::Deleted.eq(false))
            .filter(file::Column::Id.ne(&file.id))
            .one(&self.context.db);
        let twin = self.context.ask_database("known report", twin).await??;
        let Some(twin) = twin else { return Ok(None) };
        let Ok(report) = serde_json::from_str::<serde_json::Value>(&twin.report) else {
            return Ok(None);
        };
        let engine = self.engine_version().await;
        if report.get("engine").and_then(|engine| engine.as_str()) != Some(engine.as_str()) {
            return Ok(None);
        }
        let preview_key = preview_key(file);
        if self
            .context
            .objects
            .copy(&twin.preview_key, &preview_key)
            .await
            .is_err()
        {
            // The identical file is being deleted.
            return Ok(None);
        }
        let mut proxy_key = String::new();
        if !twin.proxy_key.is_empty() {
            let key = proxy_key_of(file);
            let copied = self.context.objects.copy(&twin.proxy_key, &key).await;
            proxy_key = copied.map_or(String::new(), |_| key);
        }
        Ok(Some(Outcome {
            report,
            preview_key,
            thumb_key: self.known_picture(Picture::Thumbnail, &twin, file).await,
            proxy_key,
            turntable_key: self.known_picture(Picture::Turntable, &twin, file).await,
        }))
    }

    async fn finish_check(
        &self,
        job: &job::Model,
        file: &file::Model,
        outcome: Outcome,
        log: CheckLog<'_>,
    ) -> Result<(), JobError> {
        let report = &outcome.report;
        let mut file = file.clone();
        file.triangles = integer(report, "/statistics/triangles");
        file.animation = report
            .get("hasAnimation")
            .and_then(|v| v.as_bool())
            .unwrap_or(false);
        file.model_num = integer(report, "/modelNum").clamp(0, i64::from(i32::MAX)) as i32;
        file.score = integer(report, "/score").clamp(0, 100) as i32;
        let text = report
            .pointer("/recommendation/text")
            .and_then(|v| v.as_str());
        let tips = text.unwrap_or("体检完成").to_owned();
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
                thumb_key: Set(outcome.thumb_key.clone()),
                proxy_key: Set(outcome.proxy_key),
                turntable_key: Set(outcome.turntable_key.clone()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(file::Column::Id.eq(&file.id))
            .apply(&transaction)
            .await?;
        let last = self.message_of(&file, CheckStatus::Success, &tips);
        let messages = log.close(&transaction, last).await?;
        for (picture, key) in [
            (Picture::Thumbnail, &outcome.thumb_key),
            (Picture::Turntable, &outcome.turntable_key),
        ] {
            if key.is_empty() {
                self.queue_picture(&transaction, &file, picture).await?;
            }
        }
        self.publish_check_finished(&transaction, &file, Status::Ready)
            .await?;
        self.publish_released(&transaction, &file).await?;
        transaction.commit().await?;
        for message in messages {
            self.push_message(&file.owner, Some(message));
        }
        self.committed(true);
        Ok(())
    }

    pub(super) async fn fail_check(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        let Some(file) = file::Entity::find_own_by_id(&job.owner, &job.file_id)
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
        let message = self
            .end_check_up(&transaction, &file, reason, &tips)
            .await?;
        transaction.commit().await?;
        self.push_message(&file.owner, message);
        self.committed(false);
        Ok(())
    }

    /// Ends a failed check-up; returns the message for the owner, to be pushed after the commit.
    pub(crate) async fn end_check_up(
        &self,
        transaction: &DatabaseTransaction,
        file: &file::Model,
        reason: &str,
        tips: &str,
    ) -> Result<Option<check_message::Model>, ServiceError> {
        Transition::to(Status::Failed)
            .from_only(&[Status::Checking])
            .set(file::ActiveModel {
                tips: Set(reason.to_owned()),
                updated_at: Set(self.now()),
                ..Default::default()
            })
            .only(file::Column::Id.eq(&file.id))
            .apply(transaction)
            .await?;
        let message = self
            .add_message(transaction, file, CheckStatus::Error, tips)
            .await?;
        self.publish_check_finished(transaction, file, Status::Failed)
            .await?;
        Ok(message)
    }
}

/// Key of the preview, outside of the owner's prefix so that no upload can replace it.
fn preview_key(file: &file::Model) -> String {
    format!("d/{}/{}/preview.glb", file.owner, file.id)
}

/// Next to the preview.
fn proxy_key_of(file: &file::Model) -> String {
    format!("d/{}/{}/proxy.glb", file.owner, file.id)
}

fn integer(report: &serde_json::Value, pointer: &str) -> i64 {
    report
        .pointer(pointer)
        .and_then(|value| value.as_i64())
        .unwrap_or(0)
}
