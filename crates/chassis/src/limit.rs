//! Work that waits for a server has a limit: a connection may go silent without breaking, and who reads from it would wait for
//! ever.

use std::sync::LazyLock;
use std::time::Duration;

/// The limit was reached; the work was dropped where it waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{task} took longer than {limit:?} and was given up")]
pub struct GivenUp {
    task: &'static str,
    limit: Duration,
}

/// Makes the counter of `task` known before it counts: the rate of one that appears with its first event is not known.
pub(crate) fn announce(task: &'static str) {
    count(task, 0);
}

fn count(task: &'static str, times: u64) {
    metrics::counter!("xuanlan_given_up_total", "task" => task).increment(times);
}

/// How long an answer waits for what it can do without, times `XUANLAN_PATIENCE` (a whole number): for machines, and tests on them,
/// that are slow at times.
pub fn patient(wait: Duration) -> Duration {
    static FACTOR: LazyLock<u32> = LazyLock::new(|| {
        let stated = std::env::var("XUANLAN_PATIENCE").ok();
        stated
            .and_then(|text| text.parse().ok())
            .unwrap_or(1)
            .max(1)
    });
    wait.saturating_mul(*FACTOR)
}

/// Does `work`, or gives it up after `limit`, which is logged and counted under `task`.
pub async fn within<T>(
    task: &'static str,
    limit: Duration,
    work: impl Future<Output = T>,
) -> Result<T, GivenUp> {
    announce(task);
    match tokio::time::timeout(limit, work).await {
        Ok(done) => Ok(done),
        Err(_) => {
            tracing::error!(task, ?limit, "took too long, given up");
            count(task, 1);
            Err(GivenUp { task, limit })
        }
    }
}
