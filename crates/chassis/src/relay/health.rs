//! Whether the relay of a service's outbox makes its rounds: reported by [`crate::ops`].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;

/// The section `[outbox]`.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct OutboxConfig {
    round_seconds: u64,
    late_seconds: u64,
}

#[derive(Clone, Copy)]
struct Beats {
    /// When a round ended by itself, with an error or not.
    ended: Instant,
    /// When one ended well.
    succeeded: Instant,
}

/// What an outbox holds that its consumers do not have yet, as measured last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Waiting {
    pub events: u64,
    /// How long the oldest has waited.
    pub oldest_ms: u64,
}

/// What the relay has managed lately; clones share it.
#[derive(Clone)]
pub struct RelayHealth {
    config: OutboxConfig,
    /// `None` until the relay starts: there may be none.
    beats: Arc<Mutex<Option<Beats>>>,
    waiting: Arc<Mutex<Waiting>>,
}

impl RelayHealth {
    pub(crate) fn new(config: OutboxConfig) -> Self {
        Self {
            config,
            beats: Arc::default(),
            waiting: Arc::default(),
        }
    }

    pub(super) fn measured(&self, waiting: Waiting) {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }

    pub fn waiting(&self) -> Waiting {
        *self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Longest time that one round may take.
    pub(super) fn round_limit(&self) -> Duration {
        Duration::from_secs(self.config.round_seconds)
    }

    pub(super) fn started(&self) {
        self.ended(true);
    }

    /// A round has ended by itself.
    pub(super) fn ended(&self, well: bool) {
        let now = Instant::now();
        let mut beats = self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        let before = beats.map_or(now, |beats| beats.succeeded);
        *beats = Some(Beats {
            ended: now,
            succeeded: if well { now } else { before },
        });
    }

    fn in_time(&self, which: impl FnOnce(Beats) -> Instant) -> bool {
        let beats = *self.beats.lock().unwrap_or_else(PoisonError::into_inner);
        let late = Duration::from_secs(self.config.late_seconds);
        beats.is_none_or(|beats| which(beats).elapsed() < late)
    }

    /// Whether events leave: a round has succeeded lately.
    pub fn carries(&self) -> bool {
        self.in_time(|beats| beats.succeeded)
    }

    /// Whether rounds come to an end, be it an error. Only what hangs here is a reason to prefer another replica; a bus that
    /// is away is the same for all.
    pub fn turns(&self) -> bool {
        self.in_time(|beats| beats.ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_that_fail_turn_without_carrying_and_those_that_hang_do_not_turn() {
        let health = RelayHealth::new(OutboxConfig {
            round_seconds: 1,
            late_seconds: 0,
        });
        assert!(health.turns() && health.carries(), "none has started");
        health.started();
        assert!(!health.turns() && !health.carries(), "nothing for 0 s");
        let health = RelayHealth::new(OutboxConfig {
            round_seconds: 1,
            late_seconds: 60,
        });
        health.started();
        let before = Instant::now() - Duration::from_secs(90);
        *health.beats.lock().unwrap() = Some(Beats {
            ended: before,
            succeeded: before,
        });
        health.ended(false);
        assert!(health.turns() && !health.carries());
        health.ended(true);
        assert!(health.carries());
    }
}
