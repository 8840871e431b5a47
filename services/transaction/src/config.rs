//! The section `[transaction]`.

use serde::Deserialize;

/// Settings of the mall.
#[derive(Debug, Clone, Deserialize)]
pub struct Config {
    /// Whether an operator decides on what is handed in; else it is shown at once.
    pub review: bool,
    /// Listings that one maker may have, those ended for good left out.
    pub listings_per_maker: u64,
    /// Seconds between two comparisons of the search's index with the database.
    pub compare_seconds: u64,
    /// Parent of the index's folder; empty: the system's temporary folder.
    pub index_dir: String,
    /// Share of a maker in what is paid for a model, in ten-thousandths.
    pub maker_share_bp: i32,
    /// Path of further forbidden words; empty: none.
    pub words_file: String,
}
