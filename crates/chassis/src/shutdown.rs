//! Orderly end: a signal asks, background tasks finish what they hold, then the process ends.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::limit;
use crate::panics::caught;

/// Longest time that one round of [`Shutdown::every`] may take. A round that hangs would otherwise end the task for good.
const ROUND_LIMIT: Duration = Duration::from_secs(300);

/// Shared by everything that runs in one process.
#[derive(Clone, Default)]
pub struct Shutdown {
    token: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    pub fn new() -> Self {
        Self::default()
    }

    /// Resolves when the process is asked to end.
    pub async fn requested(&self) {
        self.token.cancelled().await;
    }

    pub fn is_requested(&self) -> bool {
        self.token.is_cancelled()
    }

    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Asks everything to end.
    pub fn request(&self) {
        self.token.cancel();
    }

    /// Runs a task that [`Shutdown::finish`] waits for. The task has to watch [`Shutdown::requested`].
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.spawn(task);
    }

    /// Runs `round` now and then again each `period` after it has ended, until the process is asked to end.
    ///
    /// A round that fails, panics, or takes longer than five minutes is logged under `name`, and the next one comes all the
    /// same. A round under way at the end is finished.
    pub fn every<R, F, E>(&self, period: Duration, name: &'static str, round: R)
    where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<(), E>> + Send,
        E: Display,
    {
        self.every_or_woken(period, Arc::default(), name, round);
    }

    /// As [`Shutdown::every`]; `woken` ends the pause before its time.
    pub fn every_or_woken<R, F, E>(
        &self,
        period: Duration,
        woken: Arc<Notify>,
        name: &'static str,
        round: R,
    ) where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<(), E>> + Send,
        E: Display,
    {
        self.rounds((period, woken), ROUND_LIMIT, name, round);
    }

    /// As [`Shutdown::every`], with a limit of its own for each round: for rounds that ask no more than a database.
    pub fn every_within<R, F, E>(
        &self,
        period: Duration,
        limit: Duration,
        name: &'static str,
        round: R,
    ) where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<(), E>> + Send,
        E: Display,
    {
        self.rounds((period, Arc::default()), limit, name, round);
    }

    fn rounds<R, F, E>(
        &self,
        (period, woken): (Duration, Arc<Notify>),
        limit: Duration,
        name: &'static str,
        mut round: R,
    ) where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<(), E>> + Send,
        E: Display,
    {
        let stop = self.token();
        limit::announce(name);
        self.spawn(async move {
            loop {
                // The panic can come from the call as from the future.
                let one = caught(async { round().await });
                // A round that was given up is logged by `within`.
                match limit::within(name, limit, one).await {
                    Ok(Ok(Ok(()))) | Err(_) => {}
                    Ok(Ok(Err(error))) => {
                        tracing::warn!(task = name, error = format!("{error:#}"), "round failed");
                    }
                    Ok(Err(panic)) => tracing::error!(task = name, error = %panic, "round failed"),
                }
                tokio::select! {
                    _ = tokio::time::sleep(period) => {}
                    _ = woken.notified() => {}
                    _ = stop.cancelled() => return,
                }
            }
        });
    }

    /// Asks everything to end and waits for the tasks, at most `patience`; `false` if some did not end in time.
    pub async fn finish(&self, patience: Duration) -> bool {
        self.request();
        self.tasks.close();
        tokio::time::timeout(patience, self.tasks.wait())
            .await
            .is_ok()
    }

    /// Resolves on SIGTERM or SIGINT.
    pub async fn signal() {
        use tokio::signal::unix::{SignalKind, signal};
        let terminate = signal(SignalKind::terminate());
        let interrupt = signal(SignalKind::interrupt());
        match (terminate, interrupt) {
            (Ok(mut terminate), Ok(mut interrupt)) => {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            }
            // Without handlers the default action ends the process anyway.
            _ => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const PERIOD: Duration = Duration::from_millis(5);

    async fn reaches(count: &AtomicU32, wanted: u32) {
        let enough = async {
            while count.load(Ordering::SeqCst) < wanted {
                tokio::time::sleep(PERIOD).await;
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(10), enough).await;
        assert!(waited.is_ok(), "no {wanted} rounds");
    }

    #[tokio::test]
    async fn rounds_that_fail_panic_or_hang_are_followed_by_the_next() {
        let shutdown = Shutdown::new();
        let count = Arc::new(AtomicU32::new(0));
        let counted = count.clone();
        shutdown.every_within(PERIOD, Duration::from_millis(50), "test", move || {
            let round = counted.fetch_add(1, Ordering::SeqCst);
            async move {
                match round {
                    0 => Err("failed"),
                    1 => panic!("one of the rounds of this test"),
                    2 => std::future::pending().await,
                    _ => Ok(()),
                }
            }
        });
        reaches(&count, 5).await;
        assert!(shutdown.finish(Duration::from_secs(10)).await);
        let ended = count.load(Ordering::SeqCst);
        tokio::time::sleep(PERIOD * 10).await;
        assert_eq!(count.load(Ordering::SeqCst), ended);
    }

    #[tokio::test]
    async fn a_round_that_panics_before_its_first_await_is_followed_by_the_next() {
        let shutdown = Shutdown::new();
        let count = Arc::new(AtomicU32::new(0));
        let counted = count.clone();
        shutdown.every(PERIOD, "test", move || {
            assert!(
                counted.fetch_add(1, Ordering::SeqCst) > 0,
                "the first round"
            );
            async { Ok::<(), String>(()) }
        });
        reaches(&count, 3).await;
        shutdown.finish(Duration::from_secs(10)).await;
    }

    #[tokio::test]
    async fn a_round_that_is_woken_does_not_wait_for_its_period() {
        let shutdown = Shutdown::new();
        let count = Arc::new(AtomicU32::new(0));
        let (counted, woken) = (count.clone(), Arc::new(Notify::new()));
        shutdown.every_or_woken(Duration::from_secs(600), woken.clone(), "test", move || {
            counted.fetch_add(1, Ordering::SeqCst);
            async { Ok::<(), &str>(()) }
        });
        reaches(&count, 1).await;
        woken.notify_one();
        reaches(&count, 2).await;
        shutdown.finish(Duration::from_secs(10)).await;
    }
}
