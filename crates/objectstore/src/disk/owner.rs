//! What is counted of an owner, the user or the part of our software to whom objects belong.

/// The part of a key that identifies its owner: `u/{userId}/`, `s/{userId}/`, or the text before the first slash.
pub(super) fn owner_prefix(key: &str) -> &str {
    let of_user = key.starts_with("u/") || key.starts_with("s/");
    let slashes = if of_user { 2 } else { 1 };
    match key.match_indices('/').nth(slashes - 1) {
        Some((at, _)) => &key[..=at],
        None => key,
    }
}

/// What uploads are and hold. Of one upload, or of all of an owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Begun and neither completed nor aborted.
    pub open: usize,
    /// Completed, and remembered for a while, in case the completion is sent again.
    pub completed: usize,
    /// Bytes of parts.
    pub bytes: u64,
    /// Parts so small that the storage of their owner hardly limits their number.
    pub small_parts: usize,
}

impl Counts {
    pub(super) const COMPLETED: Self = Self {
        open: 0,
        completed: 1,
        bytes: 0,
        small_parts: 0,
    };

    pub(super) fn add(&mut self, more: Self) {
        self.open += more.open;
        self.completed += more.completed;
        self.bytes += more.bytes;
        self.small_parts += more.small_parts;
    }

    pub(super) fn take(&mut self, less: Self) {
        self.open -= less.open;
        self.completed -= less.completed;
        self.bytes -= less.bytes;
        self.small_parts -= less.small_parts;
    }

    /// Entries of the disk that these uploads have, roughly.
    pub(super) fn entries(self) -> usize {
        self.open + self.completed + self.small_parts
    }
}

/// Bytes that are arriving, and the objects, uploads and small parts that they become.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coming {
    pub(super) bytes: u64,
    pub(super) entries: usize,
}
