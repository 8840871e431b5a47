//! Runs the services on a file: lightweighting, conversion, tiling and packages.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chassis::db::states::Transition;
use chassis::{ServiceError, db};
use sea_orm::entity::prelude::*;
use sea_orm::{DatabaseTransaction, Set, SqlErr};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{JobError, OUTCOME};
use crate::Process;
use crate::engine::{self, EngineError, Line};
use crate::entity::file;
use crate::entity::job::{self, State};
use crate::entity::result::{self, Status};
use crate::params::{Params, ServiceType};
use crate::results::fingerprint;

/// Minimum interval between stored and pushed progress reports.
const PROGRESS_PERIOD: Duration = Duration::from_millis(400);

struct Outcome {
    report: serde_json::Value,
    object_key: String,
    preview_key: String,
    /// Bytes.
    size: i64,
}

impl Process {
    pub(super) async fn run_service(
        &self,
        job: &job::Model,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        let result =
            result::Entity::find_own_by_id(&job.owner, &job.result_id).one(&self.context.db);
        let result = self
            .context
            .ask_database("result of a job", result)
            .await??;
        let result = result.ok_or(JobError::Gone)?;
        let file = self.source_of(job).await?.ok_or(JobError::Gone)?;
        let service = result.service_type;
        let params = Params::parse(service, &result.params)
            .map_err(|error| JobError::Engine(EngineError::BadInput(error.message)))?;
        self.name_after_engine(&result, &file, &params).await?;
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let work = self.make(&file, &result, service, &params, sender, stop);
        let progress = async {
            let mut reported_at = Instant::now() - PROGRESS_PERIOD;
            let mut current = result.clone();
            while let Some(line) = lines.recv().await {
                let Line::Progress {
                    percent,
                    stage,
                    message,
                } = line
                else {
                    continue;
                };
                if reported_at.elapsed() < PROGRESS_PERIOD {
                    continue;
                }
                reported_at = Instant::now();
                current.status = Status::Running;
                // The engine's 100 % is followed by storing and committing.
                current.percent = (percent * 0.98).clamp(0.0, 98.0) as i32;
                current.stage = stage.chars().take(64).collect();
                current.tips = message.chars().take(200).collect();
                let kept = self.keep_progress(job, &current);
                let kept = self.context.ask_database("progress of a job", kept).await;
                if let Err(error) = kept.flatten() {
                    tracing::warn!(%error, "progress not kept");
                }
            }
        };
        let (outcome, ()) = tokio::join!(work, progress);
        let finished = self.finish_service(job, result, outcome?);
        self.context.ask_database(OUTCOME, finished).await?
    }

    /// While two versions run side by side, the engine that makes a result need not be that of the process which took the request:
    /// the result must not stand for the other engine's.
    async fn name_after_engine(
        &self,
        result: &result::Model,
        file: &file::Model,
        params: &Params,
    ) -> Result<(), JobError> {
        let engine = self.engine_version().await;
        let made = fingerprint(file, result.service_type, params, &engine);
        if made == result.fingerprint {
            return Ok(());
        }
        let named = result::Entity::update_own(&result.owner)
            .col_expr(result::Column::Fingerprint, made.into())
            .filter(result::Column::Id.eq(&result.id))
            .exec(&self.context.db);
        match self.context.ask_database("result of a job", named).await? {
            // This engine has made it before.
            Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
                Ok(())
            }
            named => Ok(named.map(|_| ())?),
        }
    }

    async fn keep_progress(
        &self,
        job: &job::Model,
        result: &result::Model,
    ) -> Result<(), ServiceError> {
        if !self.holds_job(&self.context.db, job).await? {
            return Ok(());
        }
        Transition::to(Status::Running)
            .set(result::ActiveModel {
                percent: Set(result.percent),
                stage: Set(result.stage.clone()),
                tips: Set(result.tips.clone()),
                ..Default::default()
            })
            .only(result::Column::Id.eq(&result.id))
            .apply(&self.context.db)
            .await?;
        self.push_result(result);
        Ok(())
    }

    async fn make(
        &self,
        file: &file::Model,
        result: &result::Model,
        service: ServiceType,
        params: &Params,
        lines: mpsc::Sender<Line>,
        stop: &CancellationToken,
    ) -> Result<Outcome, JobError> {
        let folder = self.job_folder()?;
        let source = folder.path().join(format!("source.{}", file.format));
        self.fetch_source(file, &source, stop).await?;
        // A separate folder, as result and source may have the same extension.
        let out = folder.path().join("out");
        std::fs::create_dir_all(&out)?;
        let output = out.join(format!("model.{}", params.extension()));
        let mut arguments = vec![service.verb().into(), source.into(), output.clone().into()];
        arguments.push("--name".into());
        arguments.push(file.file_name.clone().into());
        arguments.extend(params.engine_arguments());
        let beside = params
            .preview_extension()
            .map(|extension| folder.path().join(format!("preview.{extension}")));
        if let Some(beside) = &beside {
            arguments.extend(["--preview".into(), beside.clone().into()]);
        }
        let limits = self.config.service_limits(file.is_scene());
        let report =
            engine::run(&self.config, limits, folder.path(), arguments, lines, stop).await?;
        let preview = match beside {
            Some(beside) => Some(beside),
            None => {
                self.preview_of(folder.path(), &output, params, stop)
                    .await?
            }
        };
        let base = format!("d/{}/r/{}", result.owner, result.id);
        let object_key = format!("{base}/model.{}", params.extension());
        let meta = self
            .context
            .objects
            .put_file(&object_key, &output, media_type(params.extension()))
            .await?;
        let preview_key = match &preview {
            None => object_key.clone(),
            Some(path) => {
                let extension = params.preview_extension().unwrap_or("glb");
                let key = format!("{base}/preview.{extension}");
                self.context
                    .objects
                    .put_file(&key, path, media_type(extension))
                    .await?;
                key
            }
        };
        Ok(Outcome {
            report,
            object_key,
            preview_key,
            size: meta.size as i64,
        })
    }

    /// A GLB preview of the result for the viewer; `None` if the result is viewable itself.
    async fn preview_of(
        &self,
        folder: &Path,
        output: &Path,
        params: &Params,
        stop: &CancellationToken,
    ) -> Result<Option<PathBuf>, JobError> {
        if params.is_viewable() {
            return Ok(None);
        }
        let preview = folder.join("preview.glb");
        let arguments = vec!["convert".into(), output.into(), preview.clone().into()];
        let (sender, mut lines) = mpsc::channel::<Line>(64);
        let limits = self.config.service_limits(false);
        let run = engine::run(&self.config, limits, folder, arguments, sender, stop);
        let drain = async { while lines.recv().await.is_some() {} };
        let (made, ()) = tokio::join!(run, drain);
        made?;
        Ok(Some(preview))
    }

    async fn finish_service(
        &self,
        job: &job::Model,
        mut result: result::Model,
        outcome: Outcome,
    ) -> Result<(), JobError> {
        let now = self.now();
        result.status = Status::Done;
        result.percent = 100;
        result.stage = "done".to_owned();
        result.tips = "处理完成".to_owned();
        let transaction = db::begin_write(&self.context.db).await?;
        // The user before the job, as whoever deletes the result does.
        let more = outcome.size - result.file_size;
        self.add_result_bytes(&transaction, &result.owner, more)
            .await?;
        if !self.end_job(&transaction, job, State::Done).await? {
            transaction.rollback().await?;
            return Err(JobError::Lost);
        }
        Transition::to(result.status)
            .set(result::ActiveModel {
                percent: Set(result.percent),
                stage: Set(result.stage.clone()),
                tips: Set(result.tips.clone()),
                object_key: Set(outcome.object_key),
                preview_key: Set(outcome.preview_key),
                file_size: Set(outcome.size),
                report: Set(outcome.report.to_string()),
                finished_at: Set(Some(now)),
                ..Default::default()
            })
            .only(result::Column::Id.eq(&result.id))
            .apply(&transaction)
            .await?;
        self.publish_result_finished(&transaction, &result).await?;
        transaction.commit().await?;
        self.push_result(&result);
        self.committed(false);
        Ok(())
    }

    pub(super) async fn fail_service(
        &self,
        job: &job::Model,
        tips: &str,
    ) -> Result<(), ServiceError> {
        let Some(result) = result::Entity::find_own_by_id(&job.owner, &job.result_id)
            .one(&self.context.db)
            .await?
        else {
            return Ok(());
        };
        let transaction = db::begin_write(&self.context.db).await?;
        if !self.end_job(&transaction, job, State::Failed).await? {
            transaction.rollback().await?;
            return Ok(());
        }
        let result = self.end_making(&transaction, result, tips).await?;
        transaction.commit().await?;
        self.push_result(&result);
        self.committed(false);
        Ok(())
    }

    /// Ends a result as failed; returns it, to be pushed after the commit.
    pub(crate) async fn end_making(
        &self,
        transaction: &DatabaseTransaction,
        mut result: result::Model,
        tips: &str,
    ) -> Result<result::Model, ServiceError> {
        result.status = Status::Failed;
        result.stage = "failed".to_owned();
        result.tips = tips.to_owned();
        Transition::to(result.status)
            .set(result::ActiveModel {
                stage: Set(result.stage.clone()),
                tips: Set(result.tips.clone()),
                finished_at: Set(Some(self.now())),
                ..Default::default()
            })
            .only(result::Column::Id.eq(&result.id))
            .apply(transaction)
            .await?;
        self.publish_result_finished(transaction, &result).await?;
        Ok(result)
    }
}

fn media_type(extension: &str) -> &'static str {
    match extension {
        "glb" => "model/gltf-binary",
        "zip" => "application/zip",
        "stl" => "model/stl",
        "amrt" => "application/vnd.xuanlan.amrt",
        _ => "application/octet-stream",
    }
}
