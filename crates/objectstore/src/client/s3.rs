//! Any S3-compatible store over HTTP.

use super::Connection;
use crate::config::ClientConfig;
use crate::error::{Result, StoreError};

pub(super) fn connect(_config: &ClientConfig, endpoint: &str) -> Result<Connection> {
    Err(StoreError::Connection(endpoint.to_owned()))
}
