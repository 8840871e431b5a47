//! What every operation of the server works on.

use std::sync::Arc;

use s3s::S3Result;

use crate::disk::{Bucket, Disk, joined};
use crate::error::Result;

/// The implementation of `s3s`'s trait.
#[derive(Clone)]
pub(super) struct Service {
    pub disk: Arc<Disk>,
}

/// Runs disk work on the blocking pool.
pub(super) async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> S3Result<T> {
    Ok(joined(tokio::task::spawn_blocking(work)).await?)
}

impl Service {
    pub(super) fn bucket(&self, name: &str) -> S3Result<Arc<Bucket>> {
        Ok(self.disk.bucket(name)?)
    }
}
