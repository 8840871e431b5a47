//! Jobs: rows that a worker holds by a lease.
//!
//! `queued → running → done | failed`, `queued | running → cancelled`. A worker takes a job ([`crate::schedule`]) and gets a
//! fencing token. Its later writes apply only while the token is unchanged, so a worker that was presumed dead changes nothing.

use chassis::ServiceError;
use chassis::db::states::Transition;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction, Set};

use crate::Process;
use crate::entity::job::{self, Kind, State};
use crate::worker::JobError;

/// Delay before a postponed job may start again; other jobs may not need the unavailable dependency. Where that lasts, as a
/// full disk does, the delay is as long as the job has been put off, or each would run in vain all the time.
const PUT_OFF_MS: i64 = 5_000;
/// Longest delay of a job that a user waits for, and of one that nobody waits for.
const LONGEST_PUT_OFF_MS: i64 = 60_000;
const LONGEST_PREVIEW_PUT_OFF_MS: i64 = 600_000;

/// Maximum length of a stored cause.
const LONGEST_ERROR: usize = 1000;

/// Whose jobs to cancel.
#[derive(Clone, Copy)]
pub(crate) enum Of<'a> {
    /// A file's check-up and pictures.
    File(&'a str),
    /// The job of a result.
    Result(&'a str),
}

impl Process {
    pub(crate) fn lease_end(&self) -> i64 {
        self.now() + self.config.lease_seconds * 1000
    }

    /// Extends the lease; `false` if this worker has lost the job.
    pub(crate) async fn renew_lease(&self, job: &job::Model) -> Result<bool, ServiceError> {
        let renewed = job::Entity::update_any()
            .set(job::ActiveModel {
                lease_until: Set(self.lease_end()),
                ..Default::default()
            })
            .filter(held(job))
            .exec(&self.context.db)
            .await?;
        Ok(renewed.rows_affected == 1)
    }

    /// Ends a job in the transaction that writes its outcome; `false` if this worker has lost it, and then the caller must roll
    /// back.
    pub(crate) async fn end_job(
        &self,
        transaction: &DatabaseTransaction,
        job: &job::Model,
        state: State,
    ) -> Result<bool, ServiceError> {
        let mut change = self.touched();
        if state == State::Done {
            change.error = Set(String::new());
        }
        let ended = Transition::to(state)
            .set(change)
            .only(held(job))
            .apply(transaction);
        Ok(ended.await?)
    }

    /// Whether this worker still holds the job, checked in a transaction.
    pub(crate) async fn holds_job(
        &self,
        connection: &impl ConnectionTrait,
        job: &job::Model,
    ) -> Result<bool, ServiceError> {
        Ok(job::Entity::find_any()
            .filter(held(job))
            .count(connection)
            .await?
            == 1)
    }

    /// Releases a job on shutdown; the attempt does not count.
    pub(crate) async fn give_back(&self, job: &job::Model) -> Result<(), ServiceError> {
        let back = job::ActiveModel {
            attempts: Set(job.attempts - 1),
            ..Default::default()
        };
        self.back_to_queue(job, back).await
    }

    /// Releases a job for one of a higher priority; the attempt does not count.
    pub(crate) async fn yield_job(&self, job: &job::Model) -> Result<(), ServiceError> {
        let back = job::ActiveModel {
            attempts: Set(job.attempts - 1),
            yields: Set(job.yields + 1),
            ..Default::default()
        };
        self.back_to_queue(job, back).await
    }

    /// Postpones a job because a dependency is unavailable; the attempt does not count.
    pub(crate) async fn put_back_later(&self, job: &job::Model) -> Result<(), ServiceError> {
        let now = self.now();
        let since = if job.put_off_at == 0 {
            now
        } else {
            job.put_off_at
        };
        let longest = match job.priority.is_preview() {
            true => LONGEST_PREVIEW_PUT_OFF_MS,
            false => LONGEST_PUT_OFF_MS,
        };
        let delay = (now - since).clamp(PUT_OFF_MS, longest);
        let back = job::ActiveModel {
            attempts: Set(job.attempts - 1),
            ready_at: Set(now + delay),
            put_off_at: Set(since),
            ..Default::default()
        };
        self.back_to_queue(job, back).await
    }

    /// Requeues a job; the attempt counts.
    pub(crate) async fn try_again(&self, job: &job::Model) -> Result<(), ServiceError> {
        let back = job::ActiveModel {
            attempts: Set(job.attempts),
            ..Default::default()
        };
        self.back_to_queue(job, back).await
    }

    async fn back_to_queue(
        &self,
        job: &job::Model,
        back: job::ActiveModel,
    ) -> Result<(), ServiceError> {
        Transition::to(State::Queued)
            .set(job::ActiveModel {
                lease: Set(String::new()),
                lease_until: Set(0),
                ..back
            })
            .only(held(job))
            .apply(&self.context.db)
            .await?;
        Ok(())
    }

    pub(crate) async fn cancel_jobs(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        of: Of<'_>,
    ) -> Result<(), ServiceError> {
        let which = match of {
            Of::File(id) => Condition::all()
                .add(job::Column::FileId.eq(id))
                .add(job::Column::Kind.is_in([Kind::Check, Kind::Thumbnail, Kind::Turntable])),
            Of::Result(id) => Condition::all().add(job::Column::ResultId.eq(id)),
        };
        Transition::to(State::Cancelled)
            .set(self.touched())
            .only(job::Column::Owner.eq(owner))
            .only(which)
            .apply(transaction)
            .await?;
        Ok(())
    }

    /// With an embedded database this process is the only one: jobs still marked as running were left by the previous run.
    pub(crate) async fn take_back_all(&self) -> Result<u64, ServiceError> {
        let freed = Transition::to(State::Queued)
            .set(job::ActiveModel {
                lease_until: Set(0),
                ..Default::default()
            })
            .count(&self.context.db);
        Ok(freed.await?)
    }

    /// Stores for operators why an attempt failed.
    pub(crate) async fn note_error(
        &self,
        job: &job::Model,
        error: &JobError,
    ) -> Result<(), ServiceError> {
        if matches!(error, JobError::Lost | JobError::Yielded) {
            return Ok(());
        }
        job::Entity::update_any()
            .set(job::ActiveModel {
                error: Set(error.to_string().chars().take(LONGEST_ERROR).collect()),
                ..Default::default()
            })
            .filter(held(job))
            .exec(&self.context.db)
            .await?;
        Ok(())
    }

    pub(crate) fn touched(&self) -> job::ActiveModel {
        job::ActiveModel {
            updated_at: Set(self.now()),
            ..Default::default()
        }
    }
}

fn held(job: &job::Model) -> Condition {
    Condition::all()
        .add(job::Column::Id.eq(&job.id))
        .add(job::Column::State.eq(State::Running))
        .add(job::Column::Lease.eq(&job.lease))
}
