//! A worker's request to the queue.

use std::time::Duration;

use crate::entity::job::{Kind, Priority};

/// Which jobs a worker accepts.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Offer {
    /// Only jobs of a higher priority than this.
    pub before: Option<Priority>,
    /// Only jobs that have waited at least this long.
    pub waited: Duration,
    pub without_tiles: bool,
}

impl Offer {
    /// Kinds added by a later version are left to it.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        let known = Kind::ALL.iter().copied();
        known.filter(move |kind| !(self.without_tiles && *kind == Kind::Tile))
    }
}
