//! Tries of codes that are counted together, within the same quarter of an hour.

use std::time::Duration;

use chassis::{Cache, ServiceError};

/// Tries within a quarter of an hour.
pub const MOST: i64 = 5;
const QUARTER_MS: i64 = 15 * 60_000;

pub struct Tries {
    cache: Cache,
    of: String,
}

impl Tries {
    /// Those of `of` in a scope of the cache.
    pub fn new(cache: &Cache, scope: &str, of: &str, now_ms: i64) -> Self {
        let quarter = now_ms.div_euclid(QUARTER_MS);
        Self {
            cache: cache.scoped(scope),
            of: format!("{of}:{quarter}"),
        }
    }

    /// Counts a try before it is checked, so that concurrent ones all count. `false`: there were too many.
    pub async fn one_more(&self) -> Result<bool, ServiceError> {
        let pause = Duration::from_millis(QUARTER_MS as u64);
        let tried = self.cache.count(&self.of, pause).await;
        Ok(tried.map_err(anyhow::Error::from)? <= MOST)
    }

    pub async fn forget(&self) -> Result<(), ServiceError> {
        let gone = self.cache.remove(&self.of).await;
        Ok(gone.map_err(anyhow::Error::from)?)
    }
}
