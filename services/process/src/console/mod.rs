//! Jobs in the operator console, and operator actions on them.

mod act;
mod feedback;

use std::collections::HashMap;

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{BusinessError, Operator, ServiceError};
use proto::common::v1::Empty;
use proto::process::v1::*;
use sea_orm::entity::prelude::*;
use sea_orm::{FromQueryResult, QuerySelect};

use crate::Process;
use crate::entity::job::{self, Column, Kind, State};
use crate::entity::{file, result};

const DAY_MS: i64 = 24 * 3_600_000;

fn item(job: job::Model) -> JobItem {
    JobItem {
        id: job.id,
        kind: job.kind.name().to_owned(),
        state: job.state.name().to_owned(),
        owner: job.owner,
        file_id: job.file_id,
        result_id: job.result_id,
        attempts: job.attempts,
        created_at: job.created_at,
        updated_at: job.updated_at,
        error: job.error,
    }
}

fn is_picture(kind: Kind) -> bool {
    matches!(kind, Kind::Thumbnail | Kind::Turntable)
}

/// What a job works on, if it still exists.
struct Subject {
    file: Option<file::Model>,
    result: Option<result::Model>,
}

impl Subject {
    fn tips(&self, kind: Kind) -> String {
        let tips = match kind {
            Kind::Thumbnail | Kind::Turntable => None,
            Kind::Check => self.file.as_ref().map(|file| &file.tips),
            _ => self.result.as_ref().map(|result| &result.tips),
        };
        tips.cloned().unwrap_or_default()
    }

    /// Whether the output of a failed job is still missing.
    fn is_missing(&self, kind: Kind) -> bool {
        let Some(file) = &self.file else { return false };
        match kind {
            Kind::Check => file.status == file::Status::Failed,
            Kind::Thumbnail => file.thumb_key.is_empty(),
            Kind::Turntable => file.turntable_key.is_empty(),
            _ => {
                let status = self.result.as_ref().map(|result| result.status);
                status == Some(result::Status::Failed)
            }
        }
    }
}

#[derive(FromQueryResult)]
struct Counted {
    kind: Kind,
    state: State,
    jobs: i64,
    oldest: i64,
}

impl Process {
    async fn job(&self, id: &str) -> Result<job::Model, ServiceError> {
        let found = job::Entity::find_any_by_id(id)
            .filter(Column::Kind.is_in(Kind::ALL.iter().copied()))
            .one(&self.context.db)
            .await?;
        found.ok_or_else(|| BusinessError::not_found("没有这个任务").into())
    }

    async fn subject(&self, job: &job::Model) -> Result<Subject, ServiceError> {
        let db = &self.context.db;
        let file = file::Entity::find_own_by_id(&job.owner, &job.file_id)
            .filter(file::Column::Deleted.eq(false))
            .one(db)
            .await?;
        let result = match job.result_id.as_str() {
            "" => None,
            id => {
                let found = result::Entity::find_own_by_id(&job.owner, id);
                found.one(db).await?
            }
        };
        Ok(Subject { file, result })
    }
}

impl JobConsoleCalls<ServiceError> for Process {
    async fn job_search(
        &self,
        _: &Operator,
        form: JobSearchRequest,
    ) -> Result<JobSearchReply, ServiceError> {
        let state = choice(&form.state, State::of, "没有这种任务状态")?;
        // Kinds added by a later version are left to it.
        let kinds = match choice(&form.kind, Kind::of, "没有这种任务类型")? {
            Some(kind) => vec![kind],
            None => Kind::ALL.to_vec(),
        };
        let found = List::of(job::Entity::find_any())
            .when(Column::State, state)
            .filter(Column::Kind.is_in(kinds))
            .when(Column::Owner, &form.owner)
            .between(Column::CreatedAt, form.from, form.to)
            .newest_first(Column::CreatedAt, Column::Id)
            .following(&form, &self.context.db)
            .await?;
        Ok(found.reply(item))
    }

    async fn job_show(
        &self,
        _: &Operator,
        form: JobShowRequest,
    ) -> Result<JobDetail, ServiceError> {
        let job = self.job(&form.id).await?;
        let subject = self.subject(&job).await?;
        let file = subject.file.as_ref();
        Ok(JobDetail {
            file_name: file.map(|file| file.file_name.clone()).unwrap_or_default(),
            file_size: file.map_or(0, |file| file.file_size),
            tips: subject.tips(job.kind),
            max_attempts: self.config.max_attempts,
            yields: job.yields,
            put_off_at: job.put_off_at,
            lease_until: job.lease_until,
            can_retry: job.state == State::Failed && subject.is_missing(job.kind),
            can_cancel: job.state == State::Queued,
            trace_id: trace_id(&job.traceparent).to_owned(),
            job: Some(item(job)),
        })
    }

    async fn job_queues(&self, _: &Operator, _: Empty) -> Result<JobQueuesReply, ServiceError> {
        let (db, now) = (&self.context.db, self.now());
        let counted = || {
            job::Entity::find_any()
                .select_only()
                .column(Column::Kind)
                .column(Column::State)
                .column_as(Column::Id.count(), "jobs")
                .column_as(Column::CreatedAt.min(), "oldest")
                .filter(Column::Kind.is_in(Kind::ALL.iter().copied()))
                .group_by(Column::Kind)
                .group_by(Column::State)
        };
        let open = counted().filter(Column::State.is_in([State::Queued, State::Running]));
        let failed = counted()
            .filter(Column::State.eq(State::Failed))
            .filter(Column::CreatedAt.gte(now - DAY_MS));
        let mut all = open.into_model::<Counted>().all(db).await?;
        all.extend(failed.into_model::<Counted>().all(db).await?);
        let of: HashMap<(Kind, State), (i64, i64)> = all
            .into_iter()
            .map(|one| ((one.kind, one.state), (one.jobs, one.oldest)))
            .collect();
        let queue = |kind: &Kind| {
            let jobs = |state| of.get(&(*kind, state)).map_or(0, |(jobs, _)| *jobs);
            let oldest = of.get(&(*kind, State::Queued));
            JobQueue {
                kind: kind.name().to_owned(),
                queued: jobs(State::Queued),
                running: jobs(State::Running),
                oldest_seconds: oldest.map_or(0, |(_, at)| (now - at).max(0) / 1000),
                failed: jobs(State::Failed),
            }
        };
        let mut kinds = Kind::ALL.to_vec();
        kinds.sort_by_key(|kind| kind.priority());
        let engine = Some(self.engine_version().await);
        Ok(JobQueuesReply {
            queues: kinds.iter().map(queue).collect(),
            workers: i32::try_from(self.config.workers).unwrap_or(i32::MAX),
            engine: engine
                .filter(|text| !text.starts_with("unknown "))
                .unwrap_or_default(),
        })
    }

    async fn job_retry(
        &self,
        operator: &Operator,
        form: JobActRequest,
    ) -> Result<JobRetryReply, ServiceError> {
        let id = self.retry_job(operator, &form).await?;
        Ok(JobRetryReply { id })
    }

    async fn job_cancel(
        &self,
        operator: &Operator,
        form: JobActRequest,
    ) -> Result<(), ServiceError> {
        self.cancel_job(operator, &form).await
    }
}

/// The trace of a W3C trace context: `00-<trace>-<span>-<flags>`.
fn trace_id(traceparent: &str) -> &str {
    traceparent.split('-').nth(1).unwrap_or_default()
}
