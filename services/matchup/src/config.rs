//! The section `[matchup]`.

use serde::Deserialize;

/// Settings of the service.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    /// Whether an operator decides on needs that are handed in.
    pub review: bool,
    /// Needs that one person may have.
    pub demands_per_person: u64,
    /// Those of them that may wait or be open at a time.
    pub open_per_person: u64,
    /// Offers of one person that wait for a choice.
    pub offers_per_person: u64,
    /// Whether the first start makes examples.
    pub examples: bool,
    /// Path of further forbidden words; empty: none.
    pub words_file: String,
}
