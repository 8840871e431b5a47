//! Jobs: rows that a worker holds by a lease.
//!
//! `queued → running → done | failed`, `queued | running → cancelled`. A worker takes a job by compare-and-set and gets
//! a fencing token; all it writes later is written only while the token still stands, so that a worker which was
//! thought dead and comes back changes nothing.

use chassis::ServiceError;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Expr;
use sea_orm::{Condition, ConnectionTrait, DatabaseTransaction, QueryOrder, QuerySelect, Set};

use crate::Process;
use crate::entity::job;
use crate::state::new_id;

/// Kind of the job that turns a file's preview; an ornament, so all others go before it.
pub(crate) const TURNTABLE: &str = "turntable";

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
        kind: &str,
        owner: &str,
        file_id: &str,
        result_id: &str,
    ) -> Result<(), ServiceError> {
        let now = self.now();
        let row = job::ActiveModel {
            id: Set(new_id()),
            kind: Set(kind.to_owned()),
            owner: Set(owner.to_owned()),
            file_id: Set(file_id.to_owned()),
            result_id: Set(result_id.to_owned()),
            state: Set("queued".to_owned()),
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
            .add(job::Column::State.eq("running"))
            .add(job::Column::LeaseUntil.lt(now));
        let mut waiting = job::Entity::find();
        if !ornaments {
            waiting = waiting.filter(job::Column::Kind.ne(TURNTABLE));
        }
        // A few candidates: others may be taking the first at this moment.
        let candidates = waiting
            .filter(
                Condition::any()
                    .add(job::Column::State.eq("queued"))
                    .add(silent),
            )
            .order_by_asc(job::Column::Kind.eq(TURNTABLE))
            .order_by_asc(job::Column::CreatedAt)
            .order_by_asc(job::Column::Id)
            .limit(8)
            .all(&self.context.db)
            .await?;
        for candidate in candidates {
            let lease = new_id();
            let taken = job::Entity::update_many()
                .col_expr(job::Column::State, Expr::value("running"))
                .col_expr(job::Column::Lease, Expr::value(lease.clone()))
                .col_expr(job::Column::LeaseUntil, Expr::value(self.lease_end()))
                .col_expr(job::Column::Attempts, Expr::value(candidate.attempts + 1))
                .col_expr(job::Column::UpdatedAt, Expr::value(now))
                .filter(job::Column::Id.eq(&candidate.id))
                .filter(job::Column::State.eq(&candidate.state))
                .filter(job::Column::Lease.eq(&candidate.lease))
                .filter(job::Column::LeaseUntil.eq(candidate.lease_until))
                .exec(&self.context.db)
                .await?;
            if taken.rows_affected == 1 {
                let attempts = candidate.attempts + 1;
                return Ok(Some(job::Model {
                    lease,
                    attempts,
                    state: "running".to_owned(),
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
            .col_expr(job::Column::LeaseUntil, Expr::value(self.lease_end()))
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
        state: &str,
    ) -> Result<bool, ServiceError> {
        let ended = job::Entity::update_many()
            .col_expr(job::Column::State, Expr::value(state))
            .col_expr(job::Column::UpdatedAt, Expr::value(self.now()))
            .filter(held(job))
            .exec(transaction)
            .await?;
        Ok(ended.rows_affected == 1)
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
        job::Entity::update_many()
            .col_expr(job::Column::State, Expr::value("queued"))
            .col_expr(job::Column::Lease, Expr::value(""))
            .col_expr(job::Column::LeaseUntil, Expr::value(0))
            .col_expr(job::Column::Attempts, Expr::value(job.attempts - 1))
            .filter(held(job))
            .exec(&self.context.db)
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
                .add(job::Column::Kind.is_in(["check", TURNTABLE])),
            Of::Result(id) => Condition::all().add(job::Column::ResultId.eq(id)),
        };
        job::Entity::update_many()
            .col_expr(job::Column::State, Expr::value("cancelled"))
            .col_expr(job::Column::UpdatedAt, Expr::value(self.now()))
            .filter(job::Column::Owner.eq(owner))
            .filter(which)
            .filter(job::Column::State.is_in(["queued", "running"]))
            .exec(transaction)
            .await?;
        Ok(())
    }

    /// On an embedded database this process is the only one: whatever is still marked as running died with the last one.
    pub(crate) async fn take_back_all(&self) -> Result<u64, ServiceError> {
        let freed = job::Entity::update_many()
            .col_expr(job::Column::State, Expr::value("queued"))
            .col_expr(job::Column::LeaseUntil, Expr::value(0))
            .filter(job::Column::State.eq("running"))
            .exec(&self.context.db)
            .await?;
        Ok(freed.rows_affected)
    }
}

fn held(job: &job::Model) -> Condition {
    Condition::all()
        .add(job::Column::Id.eq(&job.id))
        .add(job::Column::State.eq("running"))
        .add(job::Column::Lease.eq(&job.lease))
}
