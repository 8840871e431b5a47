//! Time as the product sees it: tests and sandboxes can move it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A clock that can be moved; clones move together.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    offset_ms: Arc<AtomicI64>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    /// Unix time in milliseconds.
    pub fn now_ms(&self) -> i64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        since.as_millis() as i64 + self.offset_ms.load(Ordering::Relaxed)
    }

    /// Moves the clock forward (or back, for negative milliseconds).
    pub fn advance_ms(&self, milliseconds: i64) {
        self.offset_ms.fetch_add(milliseconds, Ordering::Relaxed);
    }
}
