//! The section `[works]`.

use serde::Deserialize;

/// Settings of the service.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    /// Whether submitted works need an operator's review; otherwise they are published at once.
    pub review: bool,
    /// Maximum number of works per author.
    pub works_per_author: u64,
    /// Minutes within which further views by the same user or browser are not counted.
    pub view_minutes: i64,
    /// Minutes during which a comment can be edited.
    pub edit_minutes: i64,
    /// Maximum number of open shares per author.
    pub shares_per_author: u64,
    /// Maximum life in days of a non-member's share.
    pub free_share_days: i64,
    /// Path of additional forbidden words; empty: none.
    pub words_file: String,
}
