//! A worker's request to the queue.

use std::time::Duration;

use crate::entity::job::Priority;

/// Which jobs a worker accepts.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Offer {
    /// Only jobs of a higher priority than this.
    pub before: Option<Priority>,
    /// Only jobs that have waited at least this long.
    pub waited: Duration,
    /// No job that may take an hour.
    pub without_long: bool,
    /// No job of this owner.
    pub not_of: Option<String>,
}
