//! Time as the product sees it: tests and sandboxes can move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock that can be moved and stopped; clones move together.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    offset_ms: AtomicI64,
    /// The Unix time in milliseconds at which it was stopped; 0: it runs.
    stopped_ms: AtomicI64,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    /// Unix time in milliseconds.
    pub fn now_ms(&self) -> i64 {
        let base = match self.shared.stopped_ms.load(Ordering::Relaxed) {
            0 => system_ms(),
            stopped => stopped,
        };
        base + self.shared.offset_ms.load(Ordering::Relaxed)
    }

    /// Stops it at a Unix time in milliseconds: from now on only [`Clock::advance_ms`] moves it. For tests, so that no verdict
    /// depends on how quick they are or on the day they run.
    pub fn stop_at(&self, now_ms: i64) {
        self.shared.offset_ms.store(0, Ordering::Relaxed);
        self.shared.stopped_ms.store(now_ms, Ordering::Relaxed);
    }

    /// Lets it go by the machine's time, as a new one does.
    pub fn reset(&self) {
        self.shared.offset_ms.store(0, Ordering::Relaxed);
        self.shared.stopped_ms.store(0, Ordering::Relaxed);
    }

    /// Lets a stopped clock run on from its time.
    pub fn run(&self) {
        let behind_ms = self.now_ms() - system_ms();
        self.shared.offset_ms.store(behind_ms, Ordering::Relaxed);
        self.shared.stopped_ms.store(0, Ordering::Relaxed);
    }

    /// Moves the clock forward (or back, for negative milliseconds).
    pub fn advance_ms(&self, milliseconds: i64) {
        self.shared
            .offset_ms
            .fetch_add(milliseconds, Ordering::Relaxed);
    }
}

fn system_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    since.as_millis() as i64
}
