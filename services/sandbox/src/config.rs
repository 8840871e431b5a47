//! The section `[sandbox]`.

use std::path::PathBuf;

use chassis::Settings;
use chassis::environment::{EnvironmentError, refuse_outside_development};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct SandboxConfig {
    pub enabled: bool,
    pub i_know_this_shows_every_code: bool,
    pub listen: String,
    pub public_address: String,
    pub mail_listen: String,
    pub pay: PayConfig,
}

/// Section `[sandbox.pay]`: Alipay and WeChat Pay.
#[derive(Debug, Clone, Deserialize)]
pub struct PayConfig {
    pub enabled: bool,
    pub folder: PathBuf,
    pub retry_factor: f64,
}

impl SandboxConfig {
    /// The section, if the sandbox is enabled and allowed.
    /// Errors: it is enabled in production or on a public address.
    pub fn allowed(settings: &Settings) -> Result<Option<Self>, EnvironmentError> {
        let config: Self = settings.section("sandbox")?;
        if !config.enabled {
            return Ok(None);
        }
        refuse_outside_development(
            settings,
            "the sandbox",
            "sandbox.i_know_this_shows_every_code",
            config.i_know_this_shows_every_code,
        )?;
        Ok(Some(config))
    }
}
