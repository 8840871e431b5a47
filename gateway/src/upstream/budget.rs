//! The retry budget: a tenth of the calls, so that retries do not overload a service in trouble.

use std::sync::atomic::{AtomicU32, Ordering};

/// What one call adds, and what one retry costs.
const DEPOSIT: u32 = 1;
const COST: u32 = 10;
/// Upper limit of the budget: 50 consecutive retries.
const LIMIT: u32 = 500;

#[derive(Debug)]
pub struct Budget {
    saved: AtomicU32,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            saved: AtomicU32::new(LIMIT / 2),
        }
    }
}

impl Budget {
    pub fn deposit(&self) {
        let add = |saved: u32| (saved < LIMIT).then_some(saved + DEPOSIT);
        // An error only means that the budget is full.
        let _ = self
            .saved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Takes the cost of one retry; `false` if the budget is exhausted.
    pub fn withdraw(&self) -> bool {
        self.saved
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |saved| {
                saved.checked_sub(COST)
            })
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_calls_is_retried_in_the_long_run() {
        let budget = Budget::default();
        while budget.withdraw() {}
        let mut retried = 0;
        for _ in 0..1000 {
            budget.deposit();
            if budget.withdraw() {
                retried += 1;
            }
        }
        assert_eq!(retried, 100);
    }
}
