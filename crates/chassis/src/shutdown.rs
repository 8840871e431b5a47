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

/// Rounds that find nothing come less and less often, at last this many periods apart.
const QUIET_PERIODS: u32 = 5;

/// What a round says of itself: `()` nothing, so that the next one comes after its period; `false` that there was nothing to do.
pub trait Found {
    fn is_something(&self) -> bool;
}

impl Found for () {
    fn is_something(&self) -> bool {
        true
    }
}

impl Found for bool {
    fn is_something(&self) -> bool {
        *self
    }
}

/// How rounds follow each other.
pub struct Pace {
    period: Duration,
    limit: Duration,
    woken: Arc<Notify>,
}

impl Pace {
    pub fn each(period: Duration) -> Self {
        Self {
            period,
            limit: ROUND_LIMIT,
            woken: Arc::default(),
        }
    }

    /// The longest time that one round may take.
    pub fn within(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// What ends a pause before its time.
    pub fn woken(self, woken: Arc<Notify>) -> Self {
        Self { woken, ..self }
    }
}

/// The pauses between rounds, for a task that makes its own: each as long as the period, longer while nothing is found.
pub struct Pauses {
    period: Duration,
    next: Duration,
}

impl Pauses {
    pub fn of(period: Duration) -> Self {
        Self {
            period,
            next: period,
        }
    }

    /// The one after a round that found something, or nothing.
    pub fn after(&mut self, found: bool) -> Duration {
        if found {
            self.shorten();
            return self.period;
        }
        let pause = self.next;
        self.next = (pause * 2).min(self.period * QUIET_PERIODS);
        pause
    }

    /// Something has come: the next one is as long as the period.
    pub fn shorten(&mut self) {
        self.next = self.period;
    }
}

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
    /// same. A round under way at the end is finished. One that says that it has found nothing ([`Found`]) is followed later.
    pub fn every<R, F, T, E>(&self, period: Duration, name: &'static str, round: R)
    where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + Send,
        T: Found,
        E: Display,
    {
        self.rounds(Pace::each(period), name, round);
    }

    /// As [`Shutdown::every`]; `woken` ends the pause before its time.
    pub fn every_or_woken<R, F, T, E>(
        &self,
        period: Duration,
        woken: Arc<Notify>,
        name: &'static str,
        round: R,
    ) where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + Send,
        T: Found,
        E: Display,
    {
        self.rounds(Pace::each(period).woken(woken), name, round);
    }

    /// As [`Shutdown::every`], with a limit of its own for each round: for rounds that ask no more than a database.
    pub fn every_within<R, F, T, E>(
        &self,
        period: Duration,
        limit: Duration,
        name: &'static str,
        round: R,
    ) where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + Send,
        T: Found,
        E: Display,
    {
        self.rounds(Pace::each(period).within(limit), name, round);
    }

    /// As [`Shutdown::every`], at this pace.
    pub fn rounds<R, F, T, E>(&self, pace: Pace, name: &'static str, mut round: R)
    where
        R: FnMut() -> F + Send + 'static,
        F: Future<Output = Result<T, E>> + Send,
        T: Found,
        E: Display,
    {
        let stop = self.token();
        limit::announce(name);
        self.spawn(async move {
            let mut pauses = Pauses::of(pace.period);
            loop {
                // The panic can come from the call as from the future.
                let one = caught(async { round().await });
                // A round that was given up is logged by `within`.
                let found = match limit::within(name, pace.limit, one).await {
                    Ok(Ok(Ok(found))) => found.is_something(),
                    Err(_) => true,
                    Ok(Ok(Err(error))) => {
                        tracing::warn!(task = name, error = format!("{error:#}"), "round failed");
                        true
                    }
                    Ok(Err(panic)) => {
                        tracing::error!(task = name, error = %panic, "round failed");
                        true
                    }
                };
                tokio::select! {
                    _ = tokio::time::sleep(pauses.after(found)) => {}
                    _ = pace.woken.notified() => pauses.shorten(),
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

    #[test]
    fn pauses_grow_while_nothing_is_found_and_are_short_again_after_it_is() {
        let mut pauses = Pauses::of(Duration::from_secs(1));
        let mut after = |found| pauses.after(found).as_secs();
        let quiet: Vec<u64> = (0..5).map(|_| after(false)).collect();
        assert_eq!(quiet, [1, 2, 4, 5, 5]);
        assert_eq!([after(true), after(true), after(false)], [1, 1, 1]);
        assert_eq!(after(false), 2);
        pauses.shorten();
        assert_eq!(pauses.after(false).as_secs(), 1);
    }
}
