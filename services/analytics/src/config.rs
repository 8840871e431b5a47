//! Settings.

use peers::Networks;
use serde::Deserialize;

/// Section `[analytics]`.
#[derive(Debug, Clone, Deserialize)]
pub struct AnalyticsConfig {
    pub raw_days: u32,
    pub rollup_days: u32,
    pub beacons: BeaconsConfig,
}

/// Section `[analytics.beacons]`.
#[derive(Debug, Clone, Deserialize)]
pub struct BeaconsConfig {
    pub listen: String,
    pub origins: Vec<String>,
    pub trusted_proxies: Vec<String>,
    pub per_minute: u32,
}

impl BeaconsConfig {
    /// Errors: an entry is no network.
    pub(crate) fn trusted(&self) -> anyhow::Result<Networks> {
        Networks::read(&self.trusted_proxies)
    }
}
