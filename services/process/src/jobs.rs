//! Jobs: rows that a worker holds by a lease.
//!
//! `queued → running → done | failed`, `queued | running → cancelled`. A worker takes a job by compare-and-set and gets
//! a fencing token; all it writes later is written only while the token still stands, so that a worker which was
//! thought dead and comes back changes nothing.

use chassis::ServiceError;
use chassis::db::states::Transition;
use chassis::ids::new_id;
use sea_orm::entity::prelude::*;
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};

use crate::Process;
use crate::entity::job::{self, Kind, State};

/// Whose jobs to cancel.
#[derive(Clone, Copy)]
pub(crate) enum Of<'a> {
    /// The check-up of a file and its turned preview.
    File(&'a str),
    /// The making of a result.
    Result(&'a str),
}

impl Process {
    pub(crate) async fn queue_job(
        &self,
        transaction: &DatabaseTransaction,
        kind: Kind,
        owner: &str,
        file_id: &str,
        result_id: &str,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        let row = job::ActiveModel {
            id: Set(new_id()),
            kind: Set(kind),
            owner: Set(owner.to_owned()),
            file_id: Set(file_id.to_owned()),
            result_id: Set(result_id.to_owned()),
            state: Set(State::Queued),
            attempts: Set(0),
            lease: Set(String::new()),
            lease_until: Set(0),
            created_at: Set(now),
            updated_at: Set(now),
            traceparent: Set(chassis::telemetry::traceparent()),
        };
        job::Entity::insert(row)
            .exec_without_returning(transaction)
            .await?;
        Ok(())
    }

    /// Takes the oldest job that waits, or whose worker fell silent; one that nobody waits for only when there is no
    /// other, and only with `ornaments`. `None`: there is nothing to do.
    pub(crate) async fn claim_job(
        &self,
        ornaments: bool,
    ) -> Result<Option<job::Model>, ServiceError> {
        let now = self.now();
        let silent = Condition::all()
            .add(job::Column::State.eq(State::Running))
            .add(job::Column::LeaseUntil.lt(now));
        // Kinds that only a later version knows are left to it.
        let known = Kind::ALL.iter().copied();
        let mut waiting = job::Entity::find().filter(job::Column::Kind.is_in(known));
        if !ornaments {
            waiting = waiting.filter(job::Column::Kind.ne(Kind::Turntable));
        }
        // A few candidates: others may be taking the first at this moment.
        let candidates = waiting
            .filter(
                Condition::any()
                    .add(job::Column::State.eq(State::Queued))
                    .add(silent),
            )
            .order_by_asc(job::Column::Kind.eq(Kind::Turntable))
            .order_by_asc(job::Column::CreatedAt)
            .order_by_asc(job::Column::Id)
            .limit(8)
            .all(&self.context.db)
            .await?;
        for candidate in candidates {
            let lease = new_id();
            let attempts = candidate.attempts + 1;
            let taken = Transition::to(State::Running)
                .from_only(&[candidate.state])
                .set(job::ActiveModel {
                    lease: Set(lease.clone()),
                    lease_until: Set(self.lease_end()),
                    attempts: Set(attempts),
                    updated_at: Set(now),
                    ..Default::default()
                })
                .only(job::Column::Id.eq(&candidate.id))
                .only(job::Column::Lease.eq(&candidate.lease))
                .only(job::Column::LeaseUntil.eq(candidate.lease_until))
                .apply(&self.context.db);
            if taken.await? {
                return Ok(Some(job::Model {
                    lease,
                    attempts,
                    state: State::Running,
                    ..candidate
                }));
            }
        }
        Ok(None)
    }

    fn lease_end(&self) -> i64 {
        self.now() + self.config.lease_seconds * 1000
    }

    /// Makes the lease longer; `false` if the job is no longer this worker's.
    pub(crate) async fn renew_lease(&self, job: &job::Model) -> Result<bool, ServiceError> {
        let renewed = job::Entity::update_many()
            .set(job::ActiveModel {
                lease_until: Set(self.lease_end()),
                ..Default::default()
            })
            .filter(held(job))
            .exec(&self.context.db)
            .await?;
        Ok(renewed.rows_affected == 1)
    }

    /// Ends a job inside the transaction that writes its outcome; `false` if it is no longer this worker's, and then the
    /// transaction has to be rolled back.
    pub(crate) async fn end_job(
        &self,
        transaction: &DatabaseTransaction,
        job: &job::Model,
        state: State,
    ) -> Result<bool, ServiceError> {
        let ended = Transition::to(state)
            .set(self.touched())
            .only(held(job))
            .apply(transaction);
        Ok(ended.await?)
    }

    /// Whether the job is still this worker's, asked inside a transaction.
    pub(crate) async fn holds_job(
        &self,
        connection: &impl ConnectionTrait,
        job: &job::Model,
    ) -> Result<bool, ServiceError> {
        Ok(job::Entity::find()
            .filter(held(job))
            .count(connection)
            .await?
            == 1)
    }

    /// Gives a job back, for example because the process is ending; the try does not count.
    pub(crate) async fn give_back(&self, job: &job::Model) -> Result<(), ServiceError> {
        self.back_to_queue(job, job.attempts - 1).await
    }

    /// Puts a job back into the queue, and the try counts.
    pub(crate) async fn try_again(&self, job: &job::Model) -> Result<(), ServiceError> {
        self.back_to_queue(job, job.attempts).await
    }

    async fn back_to_queue(&self, job: &job::Model, attempts: i32) -> Result<(), ServiceError> {
        Transition::to(State::Queued)
            .set(job::ActiveModel {
                lease: Set(String::new()),
                lease_until: Set(0),
                attempts: Set(attempts),
                ..Default::default()
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
                .add(job::Column::Kind.is_in([Kind::Check, Kind::Turntable])),
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

    /// On an embedded database this process is the only one: whatever is still marked as running died with the last one.
    pub(crate) async fn take_back_all(&self) -> Result<u64, ServiceError> {
        let freed = Transition::to(State::Queued)
            .set(job::ActiveModel {
                lease_until: Set(0),
                ..Default::default()
            })
            .count(&self.context.db);
        Ok(freed.await?)
    }

    fn touched(&self) -> job::ActiveModel {
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
