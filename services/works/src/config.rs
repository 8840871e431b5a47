//! The section `[works]`.

use serde::Deserialize;

/// Settings of the service.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    /// Whether an operator decides on what is handed in; else it is shown at once.
    pub review: bool,
    /// Works that one author may have.
    pub works_per_author: u64,
    /// Minutes within which a further look of the same person or browser does not count.
    pub view_minutes: i64,
    /// Minutes in which a comment can be changed.
    pub edit_minutes: i64,
    /// Shares that one author may have open.
    pub shares_per_author: u64,
    /// Days that a share of somebody who is no member lasts at most.
    pub free_share_days: i64,
    /// Path of further forbidden words; empty: none.
    pub words_file: String,
}
