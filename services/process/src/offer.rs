//! What a worker asks the queue for.

use std::time::Duration;

use crate::entity::job::{Kind, Priority};

/// What a worker is ready to take.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Offer {
    /// Only jobs of a higher priority than this.
    pub before: Option<Priority>,
    /// Only jobs that have waited so long.
    pub waited: Duration,
    pub without_tiles: bool,
}

impl Offer {
    /// Kinds that only a later version knows are left to it.
    pub fn kinds(self) -> impl Iterator<Item = Kind> {
        let known = Kind::ALL.iter().copied();
        known.filter(move |kind| !(self.without_tiles && *kind == Kind::Tile))
    }
}
