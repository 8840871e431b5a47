//! Workers: take jobs, run the engine, store the outcome. Each write applies only while the worker holds the job. [`slots`] decides
//! which running job is stopped for a waiting one.

mod check;
mod check_log;
mod claim;
mod failure;
mod pictures;
pub(crate) use pictures::thumbnail_key;
mod service;
mod showcase;
mod slots;

use std::path::Path;
use std::time::{Duration, Instant};

use chassis::shutdown::Pauses;
use chassis::telemetry::{self, SPANS};
use chassis::{ServiceError, limit};
use proto::process::v1::JobQueued;
use proto::pushes::ForProcesses;
use sea_orm::DbBackend;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::Process;
use crate::engine::EngineError;
use crate::entity::file;
use crate::entity::job::{self, Kind, State};
pub(crate) use failure::JobError;
use scratch::Folder;
pub(crate) use slots::Slots;
use slots::{Place, Stop, Vacancy};

/// Kind of the folders of jobs.
const JOBS: &str = "xuanlan-job-";
/// Pause after a dependency (database, store) was unavailable.
const PAUSE: Duration = Duration::from_secs(2);

/// Maximum time that work may continue after a stop request.
const STOP_LIMIT: Duration = Duration::from_secs(60);
/// The step that stores what a job has made, and ends it.
const OUTCOME: &str = "outcome of a job";
const DATABASE_AWAY: ServiceError = ServiceError::Unavailable("database");

/// How long a job may wait for disk space; one that fits on no disk must not wait forever.
const ROOM_WAIT_MS: i64 = 3_600_000;
/// How long a job may wait for an unavailable dependency: a single object refused by the store looks the same.
const AWAY_WAIT_MS: i64 = 24 * 3_600_000;
/// Limit of worker deaths, as a multiple of `max_attempts`: when a machine dies, jobs that are not the cause count one too.
const DEATHS: i32 = 2;

/// Starts the workers.
pub(crate) async fn spawn(process: &Process) -> anyhow::Result<()> {
    if process.context.db.get_database_backend() == DbBackend::Sqlite {
        let count = process.take_back_all().await?;
        if count > 0 {
            tracing::info!(count, "jobs of the last run are taken up again");
        }
    }
    let left = scratch::sweep(&process.config.temp_dir, JOBS);
    if left > 0 {
        tracing::info!(left, "folders of jobs whose process is gone were removed");
    }
    let worker = process.clone();
    process
        .context
        .shutdown
        .spawn(async move { worker.work().await });
    let listener = process.clone();
    process
        .context
        .shutdown
        .spawn(async move { listener.listen().await });
    Ok(())
}

/// Resolves when work has continued for too long after `stop`.
async fn overdue(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(STOP_LIMIT).await;
}

impl Process {
    /// Forwards the wake-ups of other processes.
    async fn listen(&self) {
        let mut pushes = self.context.bus.pushes();
        loop {
            tokio::select! {
                _ = self.context.shutdown.requested() => return,
                push = pushes.recv() => match push {
                    Ok(push) if push.user_id == JobQueued::ADDRESS => self.wake.notify_one(),
                    Ok(_) | Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                }
            }
        }
    }

    /// Takes jobs while there is a free slot, and jobs that replace a running one.
    async fn work(&self) {
        let mut pauses = Pauses::of(slots::PERIOD);
        while !self.context.shutdown.is_requested() {
            let Vacancy {
                offer,
                instead_of,
                again,
                pause,
            } = self.slots.vacancy(Instant::now());
            if let Some(offer) = offer {
                let claim = self.claim_job(offer);
                let claim = self.context.ask_database("claim of a job", claim).await;
                match claim.flatten() {
                    Ok(Some(job)) => {
                        pauses.shorten();
                        self.start(job, instead_of.as_deref());
                        continue;
                    }
                    Ok(None) => {}
                    Err(error) => {
                        tracing::warn!(%error, "no jobs to be had");
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            }
            let again = again.unwrap_or_else(|| pauses.after(false));
            tokio::select! {
                _ = self.wake.notified() => {
                    pauses.shorten();
                    tokio::time::sleep(pause).await;
                }
                _ = tokio::time::sleep(again) => {}
                _ = self.context.shutdown.requested() => {}
            }
        }
    }

    fn start(&self, job: job::Model, instead_of: Option<&str>) {
        let stop = Stop::default();
        let place = self.slots.enter(&job, instead_of, stop.clone());
        let worker = self.clone();
        self.context.shutdown.spawn(async move {
            worker.run_job(job, stop, place).await;
            worker.wake.notify_one();
        });
    }

    /// Runs a job in the trace of the request that queued it.
    async fn run_job(&self, job: job::Model, stop: Stop, place: Place) {
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
        self.work_on(job, stop).instrument(span).await;
        drop(place);
    }

    async fn work_on(&self, job: job::Model, stop: Stop) {
        if job.attempts > self.config.max_attempts * DEATHS {
            let cause = "its workers died".to_owned();
            return self.settle(&job, JobError::Fault(cause)).await;
        }
        let began = Instant::now();
        if job.attempts == 1 {
            let waited = (self.now() - job.created_at).max(0) as f64 / 1000.0;
            metrics::histogram!("process_job_wait_seconds", "kind" => job.kind.name())
                .record(waited);
        }
        metrics::gauge!("process_workers_busy").increment(1.0);
        let heart = self.beat(&job, &stop.any);
        let work = async {
            let outcome = match self.slots.begin().await {
                Some(_place) => self.run_kind(&job, &stop.any).await,
                None => Err(JobError::Lost),
            };
            let outcome = match outcome {
                Err(JobError::Lost) if stop.yielding.is_cancelled() => Err(JobError::Yielded),
                outcome => outcome,
            };
            stop.any.cancel();
            outcome
        };
        // Work that hangs on a remote call does not notice the stop request.
        let work = async {
            tokio::select! {
                outcome = work => outcome,
                _ = overdue(&stop.any) => Err(JobError::Away("the work did not stop".to_owned())),
            }
        };
        let (outcome, ()) = tokio::join!(work, heart);
        let result = match &outcome {
            Ok(()) => "done",
            Err(JobError::Lost) => "lost",
            Err(JobError::Gone) => "gone",
            Err(JobError::Yielded) => "yielded",
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

    async fn run_kind(&self, job: &job::Model, stop: &CancellationToken) -> Result<(), JobError> {
        match job.kind {
            Kind::Check => self.run_check(job, stop).await,
            Kind::Thumbnail | Kind::Turntable => self.run_picture(job, stop).await,
            Kind::Lightweight | Kind::Convert | Kind::Tile | Kind::Amrt | Kind::Offline => {
                self.run_service(job, stop).await
            }
            Kind::Showcase => self.run_showcase(job, stop).await,
        }
    }

    /// Renews the lease until `stop`; stops the work when the job is lost or the process shuts down.
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
            let renewal = limit::within("renewal of a lease", period, self.renew_lease(job));
            match renewal.await.unwrap_or(Err(DATABASE_AWAY)) {
                Ok(true) => failures = 0,
                Ok(false) => {
                    stop.cancel();
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "lease not renewed");
                    failures += 1;
                    // The lease has expired by now: another worker may hold the job.
                    if failures >= 4 {
                        stop.cancel();
                        return;
                    }
                }
            }
        }
    }

    /// Settles a job that was not completed.
    async fn settle(&self, job: &job::Model, error: JobError) {
        let ended = self.end_with(job, error);
        let ended = self.context.ask_database("end of a job", ended).await;
        // Where it was given up, the lease expires.
        ended.unwrap_or_default();
    }

    async fn end_with(&self, job: &job::Model, error: JobError) {
        if let Err(unnoted) = self.note_error(job, &error).await {
            tracing::warn!(error = %unnoted, "cause of a job's failure not kept");
        }
        let outcome = match error {
            JobError::Lost => {
                // On shutdown the lease is still held and is released; otherwise no row matches.
                self.give_back(job).await
            }
            JobError::Gone => {
                tracing::info!("the file or result of the job is gone");
                self.end_in_vain(job).await
            }
            JobError::Yielded => {
                tracing::info!("another job goes first");
                self.yield_job(job).await
            }
            JobError::Away(cause) if self.may_wait(job, AWAY_WAIT_MS) => {
                self.put_off(job, &cause).await
            }
            JobError::Engine(EngineError::NoRoom(cause)) if self.may_wait(job, ROOM_WAIT_MS) => {
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
            JobError::Away(cause)
            | JobError::Fault(cause)
            | JobError::Engine(EngineError::Fell(cause) | EngineError::NoRoom(cause)) => {
                tracing::error!(cause, "the job is given up");
                self.give_up(job, "处理时发生异常，请稍后重试").await
            }
            JobError::Engine(reply) => self.give_up(job, &reply.to_string()).await,
        };
        if let Err(error) = outcome {
            // The lease expires and another worker takes the job.
            tracing::warn!(%error, "job not settled");
        }
    }

    /// Ends a job that has nothing left to work on; otherwise it would come again at once.
    async fn end_in_vain(&self, job: &job::Model) -> Result<(), ServiceError> {
        let transaction = chassis::db::begin_write(&self.context.db).await?;
        self.end_job(&transaction, job, State::Cancelled).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn give_up(&self, job: &job::Model, tips: &str) -> Result<(), ServiceError> {
        match job.kind {
            Kind::Check => self.fail_check(job, tips).await,
            Kind::Thumbnail | Kind::Turntable => self.fail_picture(job, tips).await,
            Kind::Lightweight | Kind::Convert | Kind::Tile | Kind::Amrt | Kind::Offline => {
                self.fail_service(job, tips).await
            }
            Kind::Showcase => self.fail_showcase(job, tips).await,
        }
    }

    /// Whether a postponed job may wait longer.
    fn may_wait(&self, job: &job::Model, most_ms: i64) -> bool {
        job.put_off_at == 0 || self.now() - job.put_off_at < most_ms
    }

    /// Postpones a job because a dependency is unavailable, and pauses.
    async fn put_off(&self, job: &job::Model, cause: &str) -> Result<(), ServiceError> {
        tracing::warn!(cause, "job waits");
        let given = self.put_back_later(job).await;
        tokio::time::sleep(PAUSE).await;
        given
    }

    /// The file of a job, which may be deleted. `None`: the owner's data was erased.
    async fn source_of(&self, job: &job::Model) -> Result<Option<file::Model>, JobError> {
        let file = file::Entity::find_own_by_id(&job.owner, &job.file_id).one(&self.context.db);
        Ok(self.context.ask_database("file of a job", file).await??)
    }

    fn job_folder(&self) -> Result<Folder, JobError> {
        Ok(Folder::new(&self.config.temp_dir, JOBS)?)
    }

    /// Fetches the source; refuses one that changed after it was taken in.
    async fn fetch_source(
        &self,
        file: &file::Model,
        path: &Path,
        stop: &CancellationToken,
    ) -> Result<(), JobError> {
        // A large source takes longer than a waiting job should wait.
        let meta = tokio::select! {
            meta = self.context.objects.get_to_file(file.stored_key(), path) => meta?,
            _ = stop.cancelled() => return Err(JobError::Lost),
        };
        if meta.etag != file.etag || meta.size != file.file_size as u64 {
            let text = "上传的文件在体检前被改动，请重新上传".to_owned();
            return Err(JobError::Engine(EngineError::BadInput(text)));
        }
        Ok(())
    }
}
