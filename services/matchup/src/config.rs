//! The section `[matchup]`.

use serde::Deserialize;

/// Settings of the service.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    /// Whether submitted needs require an operator's review.
    pub review: bool,
    /// Maximum number of needs per user.
    pub demands_per_person: u64,
    /// Maximum number of these in review or open at a time.
    pub open_per_person: u64,
    /// Maximum number of pending offers per user.
    pub offers_per_person: u64,
    /// Whether to create the examples at start.
    pub examples: bool,
    /// Path of additional forbidden words; empty: none.
    pub words_file: String,
}
