//! A circuit breaker: after consecutive failures nothing is sent for a while, then one trial call.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Consecutive failures that open it.
const FAILURES: u32 = 10;
/// How long it stays open.
const PAUSE: Duration = Duration::from_secs(3);

#[derive(Debug, Clone, Copy)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// A trial call is in flight; if it does not return, the next one may be sent at `until`.
    Trying {
        until: Instant,
    },
}

#[derive(Debug)]
pub struct Breaker {
    state: Mutex<State>,
}

impl Default for Breaker {
    fn default() -> Self {
        Self {
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }
}

impl Breaker {
    /// Whether a call may be sent now.
    pub fn lets_through(&self, now: Instant) -> bool {
        let mut state = self.lock();
        match *state {
            State::Closed { .. } => true,
            State::Open { until } | State::Trying { until } if now < until => false,
            State::Open { .. } | State::Trying { .. } => {
                *state = State::Trying { until: now + PAUSE };
                true
            }
        }
    }

    /// Records the outcome of a call that was let through.
    pub fn record(&self, good: bool, now: Instant) {
        let mut state = self.lock();
        *state = match *state {
            _ if good => State::Closed { failures: 0 },
            State::Closed { failures } if failures + 1 < FAILURES => State::Closed {
                failures: failures + 1,
            },
            State::Closed { .. } | State::Trying { .. } => State::Open { until: now + PAUSE },
            State::Open { until } => State::Open { until },
        };
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        match self.state.lock() {
            Ok(guard) => guard,
            // The state is a plain value and always valid.
            Err(poisoned) => poisoned.into_inner(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_after_failures_in_a_row_and_tries_with_one_call() {
        let breaker = Breaker::default();
        let start = Instant::now();
        for _ in 0..FAILURES - 1 {
            breaker.record(false, start);
        }
        breaker.record(true, start);
        assert!(breaker.lets_through(start));
        for _ in 0..FAILURES {
            breaker.record(false, start);
        }
        assert!(!breaker.lets_through(start));
        let later = start + PAUSE;
        assert!(breaker.lets_through(later));
        assert!(!breaker.lets_through(later));
        breaker.record(false, later);
        assert!(!breaker.lets_through(later + PAUSE / 2));
        assert!(breaker.lets_through(later + PAUSE));
        breaker.record(true, later + PAUSE);
        assert!(breaker.lets_through(later + PAUSE));
    }
}
