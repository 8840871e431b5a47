//! Workers: take jobs, run the engine, write what came of it. Each write stands only while the worker holds the job.

mod check;
mod failure;
mod folder;
mod service;
mod turntable;

use std::path::Path;
use std::time::{Duration, Instant};

use chassis::ServiceError;
use chassis::telemetry::{self, SPANS};
use sea_orm::DbBackend;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::Process;
use crate::engine::EngineError;
use crate::entity::file;
use crate::entity::job::{self, Kind};
use failure::JobError;
use folder::JobFolder;

/// User id of the push that wakes workers in other processes; no account can have it.
pub(crate) const WAKE: &str = "#process";

/// How often a worker looks for jobs without being woken.
const PERIOD: Duration = Duration::from_secs(1);
/// Pause after a part (database, store) was away.
const PAUSE: Duration = Duration::from_secs(2);

/// A job whose disk is full waits so long; one that fits on no disk must not wait for ever.
const ROOM_WAIT_MS: i64 = 3_600_000;

/// Starts the workers.
pub(crate) async fn spawn(process: &Process) -> anyhow::Result<()> {
    if process.context.db.get_database_backend() == DbBackend::Sqlite {
        let count = process.take_back_all().await?;
        if count > 0 {
            tracing::info!(count, "jobs of the last run are taken up again");
        }
    }
    let left = folder::sweep(&process.config.temp_dir);
    if left > 0 {
        tracing::info!(left, "folders of jobs whose process is gone were removed");
    }
    for _ in 0..process.config.workers.max(1) {
        let worker = process.clone();
        process
            .context
            .shutdown
            .spawn(async move { worker.work().await });
    }
    let listener = process.clone();
    process
        .context
        .shutdown
        .spawn(async move { listener.listen().await });
    Ok(())
}

impl Process {
    /// Passes on the wake-up calls of other processes.
    async fn listen(&self) {
        let mut pushes = self.context.bus.pushes();
        loop {
            tokio::select! {
                _ = self.context.shutdown.requested() => return,
                push = pushes.recv() => match push {
                    Ok(push) if push.user_id == WAKE => self.wake.notify_one(),
                    Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                }
            }
        }
    }

    async fn work(&self) {
        while !self.context.shutdown.is_requested() {
            // One worker at most turns previews: the others stay free for what people wait for.
            let turning = self.turning.try_acquire().ok();
            match self.claim_job(turning.is_some()).await {
                Ok(Some(job)) => {
                    let _turning = turning.filter(|_| job.kind == Kind::Turntable);
                    // More may be waiting for the other workers.
                    self.wake.notify_one();
                    self.run_job(job).await;
                    continue;
                }
                Ok(None) => drop(turning),
                Err(error) => {
                    tracing::warn!(%error, "no jobs to be had");
                    tokio::time::sleep(PAUSE).await;
                }
            }
            tokio::select! {
                _ = self.wake.notified() => {}
                _ = tokio::time::sleep(PERIOD) => {}
                _ = self.context.shutdown.requested() => {}
            }
        }
    }

    /// Runs a job in the trace of whoever asked for it.
    async fn run_job(&self, job: job::Model) {
        let span = tracing::info_span!(
            target: SPANS,
            "job",
            otel.name = format!("job {}", job.kind),
            otel.kind = "consumer",
            job = job.id,
            kind = job.kind.name(),
            attempt = job.attempts,
            result = tracing::field::Empty,
        );
        telemetry::continue_trace(&span, &job.traceparent);
        self.work_on(job).instrument(span).await;
    }

    async fn work_on(&self, job: job::Model) {
        let began = Instant::now();
        if job.attempts == 1 {
            let waited = (self.now() - job.created_at).max(0) as f64 / 1000.0;
            metrics::histogram!("process_job_wait_seconds", "kind" => job.kind.name())
                .record(waited);
        }
        metrics::gauge!("process_workers_busy").increment(1.0);
        let stop = CancellationToken::new();
        let heart = self.beat(&job, &stop);
        let work = async {
            let outcome = match job.kind {
                Kind::Check => self.run_check(&job, &stop).await,
                Kind::Turntable => self.run_turntable(&job, &stop).await,
                Kind::Lightweight | Kind::Convert | Kind::Tile | Kind::Amrt | Kind::Offline => {
                    self.run_service(&job, &stop).await
                }
            };
            stop.cancel();
            outcome
        };
        let (outcome, ()) = tokio::join!(work, heart);
        let result = match &outcome {
            Ok(()) => "done",
            Err(JobError::Lost) => "lost",
            Err(JobError::Away(_) | JobError::Engine(EngineError::NoRoom(_))) => "away",
            Err(JobError::Engine(_) | JobError::Fault(_)) => "failed",
        };
        metrics::gauge!("process_workers_busy").decrement(1.0);
        tracing::Span::current().record("result", result);
        tracing::info!(seconds = began.elapsed().as_secs_f64(), "job ended");
        let labels = [("kind", job.kind.name()), ("result", result)];
        metrics::counter!("process_jobs_total", &labels).increment(1);
        metrics::histogram!("process_job_seconds", &labels).record(began.elapsed().as_secs_f64());
        if let Err(error) = outcome {
            self.settle(&job, error).await;
        }
    }

    /// Keeps the lease alive until `stop`; asks the work to stop when the job is lost or the process ends.
    async fn beat(&self, job: &job::Model, stop: &CancellationToken) {
        let period = Duration::from_millis((self.config.lease_seconds.max(3) as u64) * 1000 / 4);
        let mut failures = 0;
        loop {
            tokio::select! {
                _ = stop.cancelled() => return,
                _ = self.context.shutdown.requested() => {
                    stop.cancel();
                    return;
                }
                _ = tokio::time::sleep(period) => {}
            }
            match self.renew_lease(job).await {
                Ok(true) => failures = 0,
                Ok(false) => {
                    stop.cancel();
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "lease not renewed");
                    failures += 1;
                    // The lease has run out by now: another worker may have the job.
                    if failures >= 4 {
                        stop.cancel();
                        return;
                    }
                }
            }
        }
    }

    /// What becomes of a job that did not reach its end.
    async fn settle(&self, job: &job::Model, error: JobError) {
        let outcome = match error {
            JobError::Lost => {
                // Ours while the process is ending; nobody's loss otherwise.
                self.give_back(job).await
            }
            JobError::Away(cause) => self.put_off(job, &cause).await,
            JobError::Engine(EngineError::NoRoom(cause))
                if self.now() - job.created_at < ROOM_WAIT_MS =>
            {
                self.put_off(job, &cause).await
            }
            JobError::Engine(EngineError::Fell(cause))
                if job.attempts < self.config.max_attempts =>
            {
                tracing::warn!(cause, "engine fell, the job is tried again");
                self.try_again(job).await
            }
            JobError::Fault(cause) if job.attempts < self.config.max_attempts => {
                tracing::error!(cause, "job failed, it is tried again");
                let queued = self.try_again(job).await;
                tokio::time::sleep(PAUSE).await;
                queued
            }
            JobError::Fault(cause)
            | JobError::Engine(EngineError::Fell(cause) | EngineError::NoRoom(cause)) => {
                tracing::error!(cause, "the job is given up");
                self.give_up(job, "处理时发生异常，请稍后重试").await
            }
            JobError::Engine(told) => self.give_up(job, &told.to_string()).await,
        };
        if let Err(error) = outcome {
            // The lease runs out and the job is taken over.
            tracing::warn!(%error, "job not settled");
        }
    }

    async fn give_up(&self, job: &job::Model, tips: &str) -> Result<(), ServiceError> {
        match job.kind {
            Kind::Check => self.fail_check(job, tips).await,
            Kind::Turntable => self.fail_turntable(job, tips).await,
            Kind::Lightweight | Kind::Convert | Kind::Tile | Kind::Amrt | Kind::Offline => {
                self.fail_service(job, tips).await
            }
        }
    }

    /// Gives a job back because of a part that is away, and gives the part a little time.
    async fn put_off(&self, job: &job::Model, cause: &str) -> Result<(), ServiceError> {
        tracing::warn!(cause, "job waits");
        let given = self.give_back(job).await;
        tokio::time::sleep(PAUSE).await;
        given
    }

    fn job_folder(&self) -> Result<JobFolder, JobError> {
        Ok(JobFolder::new(&self.config.temp_dir)?)
    }

    /// Fetches the source; refuses one that was changed after the upload was taken in.
    async fn fetch_source(&self, file: &file::Model, path: &Path) -> Result<(), JobError> {
        let meta = self
            .context
            .objects
            .get_to_file(&file.object_key, path)
            .await?;
        if meta.etag != file.etag || meta.size != file.file_size as u64 {
            let text = "上传的文件在体检前被改动，请重新上传".to_owned();
            return Err(JobError::Engine(EngineError::BadInput(text)));
        }
        Ok(())
    }
}
