//! The section `[payment]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct PaymentConfig {
    pub listen: String,
    pub sweep_ms: u64,
    pub abandoned_s: i64,
    pub retry_s: i64,
    pub retry_longest_s: i64,
}

impl PaymentConfig {
    /// Milliseconds until the next try after `tries` of them.
    pub fn wait_ms(&self, tries: i32) -> i64 {
        let doubled = self
            .retry_s
            .saturating_mul(1_i64 << u32::try_from(tries).unwrap_or(0).min(20));
        doubled.min(self.retry_longest_s).saturating_mul(1000)
    }
}
