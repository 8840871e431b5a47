//! How many jobs wait and run, and for how long the oldest has been there: asked now and then.

use std::time::Duration;

use sea_orm::entity::prelude::*;
use sea_orm::{FromQueryResult, QuerySelect};

use crate::Process;
use crate::entity::job;

/// How often it is asked.
const PERIOD: Duration = Duration::from_secs(10);
/// States of jobs that are not at their end.
const OPEN: [&str; 2] = ["queued", "running"];

#[derive(FromQueryResult)]
struct Counted {
    state: String,
    jobs: i64,
    oldest: i64,
}

/// Starts to measure `xuanlan_jobs` and `xuanlan_jobs_oldest_seconds`; every replica tells the same of their one queue.
pub(crate) fn spawn(process: &Process) {
    let here = process.clone();
    process.context.shutdown.spawn(async move {
        loop {
            if let Err(error) = here.measure_queue().await {
                tracing::debug!(%error, "the queue is not measured");
            }
            tokio::select! {
                _ = tokio::time::sleep(PERIOD) => {}
                _ = here.context.shutdown.requested() => return,
            }
        }
    });
}

impl Process {
    async fn measure_queue(&self) -> Result<(), DbErr> {
        let found = job::Entity::find()
            .select_only()
            .column(job::Column::State)
            .column_as(job::Column::Id.count(), "jobs")
            .column_as(job::Column::CreatedAt.min(), "oldest")
            .filter(job::Column::State.is_in(OPEN))
            .group_by(job::Column::State)
            .into_model::<Counted>()
            .all(&self.context.db)
            .await?;
        for state in OPEN {
            let counted = found.iter().find(|counted| counted.state == state);
            let jobs = counted.map_or(0, |counted| counted.jobs);
            let age = counted.map_or(0, |counted| (self.now() - counted.oldest).max(0));
            metrics::gauge!("xuanlan_jobs", "state" => state).set(jobs as f64);
            metrics::gauge!("xuanlan_jobs_oldest_seconds", "state" => state)
                .set(age as f64 / 1000.0);
        }
        Ok(())
    }
}
