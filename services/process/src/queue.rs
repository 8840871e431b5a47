//! Maintains the queue: measures waiting and running jobs and the age of the oldest, requeues jobs of silent workers, and moves up
//! thumbnails that have waited long.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::{FromQueryResult, QuerySelect};

use crate::Process;
use crate::entity::job::{self, Priority, State};

/// Period of the measurement.
const PERIOD: Duration = Duration::from_secs(10);
/// Timeout of each task.
const LIMIT: Duration = Duration::from_secs(30);
/// Period of the queue's maintenance.
const ORDER_PERIOD: Duration = Duration::from_secs(1);
/// States of open jobs.
const OPEN: [State; 2] = [State::Queued, State::Running];

#[derive(FromQueryResult)]
struct Counted {
    state: State,
    jobs: i64,
    oldest: i64,
}

/// Starts the maintenance of the queue and the gauges `xuanlan_jobs` and `xuanlan_jobs_oldest_seconds`; all replicas report the
/// same values.
pub(crate) fn spawn(process: &Process) {
    let shutdown = process.context.shutdown.clone();
    let process = process.clone();
    let keeper = process.clone();
    shutdown.every_within(ORDER_PERIOD, LIMIT, "order of the queue", move || {
        let process = keeper.clone();
        async move { process.order_queue().await }
    });
    shutdown.every_within(PERIOD, LIMIT, "measure of the queue", move || {
        let process = process.clone();
        async move { process.measure_queue().await }
    });
}

impl Process {
    async fn order_queue(&self) -> Result<bool, DbErr> {
        let silent = self.take_back_silent().await?;
        if silent > 0 {
            tracing::warn!(silent, "jobs whose worker fell silent are taken up again");
            self.wake.notify_one();
        }
        let moved = self.move_thumbnails_up().await?;
        Ok(silent > 0 || moved)
    }

    async fn measure_queue(&self) -> Result<(), DbErr> {
        let found = job::Entity::find_any()
            .select_only()
            .column(job::Column::State)
            .column_as(job::Column::Id.count(), "jobs")
            .column_as(job::Column::CreatedAt.min(), "oldest")
            .filter(job::Column::State.is_in(OPEN))
            // Turntable previews are excluded: they may wait long, and no user waits for them.
            .filter(job::Column::Priority.lt(Priority::Turntable))
            .group_by(job::Column::State)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await?;
        for state in OPEN {
            let counted = found.iter().find(|counted| counted.state == state);
            let jobs = counted.map_or(0, |counted| counted.jobs);
            let age = counted.map_or(0, |counted| (self.now() - counted.oldest).max(0));
            metrics::gauge!("xuanlan_jobs", "state" => state.name()).set(jobs as f64);
            metrics::gauge!("xuanlan_jobs_oldest_seconds", "state" => state.name())
                .set(age as f64 / 1000.0);
        }
        Ok(())
    }
}
