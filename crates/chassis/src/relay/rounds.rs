//! When a relay of the outbox looks: at once after a commit, and now and then without one.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::Shutdown;

/// How soon a relay looks without being woken after a commit, and how soon at last where there has been none for a while: what
/// other processes commit wakes nobody here.
const PERIOD: Duration = Duration::from_millis(500);
const QUIET_PERIOD: Duration = Duration::from_secs(5);
/// A round begins so long after the one before at least: what is committed meanwhile travels together, since a round costs
/// the same for one event as for many. A commit after a quiet moment does not wait.
const SPACING: Duration = Duration::from_millis(20);

/// The rounds of one relay.
pub(super) struct Rounds {
    committed: watch::Receiver<u64>,
    stop: Shutdown,
    began: Instant,
    /// The pause before the next look that nothing wakes.
    pause: Duration,
}

impl Rounds {
    /// The first round is due at once. `committed` changes with every commit.
    pub(super) fn new(committed: watch::Receiver<u64>, stop: Shutdown) -> Self {
        Self {
            committed,
            stop,
            began: Instant::now(),
            pause: PERIOD,
        }
    }

    /// Waits until a round is due; `false` when the process ends.
    pub(super) async fn next(&mut self) -> bool {
        let due = tokio::time::sleep_until(self.began + SPACING);
        let quiet = self.pause;
        let woken = async {
            let pause = tokio::select! {
                _ = self.committed.changed() => PERIOD,
                _ = tokio::time::sleep(quiet) => (quiet * 2).min(QUIET_PERIOD),
            };
            due.await;
            pause
        };
        self.pause = tokio::select! {
            pause = woken => pause,
            _ = self.stop.requested() => return false,
        };
        self.committed.mark_unchanged();
        self.began = Instant::now();
        true
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_commit_after_a_quiet_moment_is_seen_at_once_and_those_that_follow_together() {
        let commits = watch::Sender::new(0_u64);
        let mut rounds = Rounds::new(commits.subscribe(), Shutdown::new());
        tokio::time::sleep(SPACING).await;
        commits.send_modify(|count| *count += 1);
        assert_eq!(rounds.next().now_or_never(), Some(true));
        let before = rounds.began;
        commits.send_modify(|count| *count += 1);
        commits.send_modify(|count| *count += 1);
        assert!(rounds.next().await);
        assert!(rounds.began - before >= SPACING);
        assert!(!rounds.committed.has_changed().unwrap());
        // Nothing has been committed: it looks all the same, and the next time later, until something is.
        assert!(rounds.next().await);
        assert_eq!(rounds.pause, PERIOD * 2);
        commits.send_modify(|count| *count += 1);
        assert!(rounds.next().await);
        assert_eq!(rounds.pause, PERIOD);
    }

    #[tokio::test]
    async fn the_end_is_not_waited_for() {
        let stop = Shutdown::new();
        let commits = watch::Sender::new(0_u64);
        let mut rounds = Rounds::new(commits.subscribe(), stop.clone());
        stop.request();
        assert_eq!(rounds.next().now_or_never(), Some(false));
    }
}
