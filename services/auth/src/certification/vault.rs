//! The keys under which certifications and second factors are encrypted.

use anyhow::Context as _;
use chassis::Settings;
pub use chassis::vault::{RecordKey, Vault, Wrapped};

use crate::config::CertificationConfig;

/// The configured keys. A process of its own refuses to start without them.
pub fn load(settings: &Settings, config: &CertificationConfig) -> anyhow::Result<Vault> {
    let keys = chassis::vault::Keys {
        section: "auth.certification",
        file: "certification",
        key_id: &config.key_id,
        key: &config.key,
        previous_keys: &config.previous_keys,
        index_key: &config.index_key,
    };
    Vault::open(settings, &keys)?
        .context("auth.certification.key and auth.certification.index_key are not set")
}
