//! Everything the gateway serves besides calls: the browser's configuration, the contract, health, metrics, the
//! frontend.

pub mod files;
pub mod health;
pub mod info;
mod policy;

use bytes::Bytes;
use chassis::Settings;

use crate::config::{GatewayConfig, SiteConfig};
use files::Folder;

/// Loaded once at start.
pub struct Site {
    pub config: SiteConfig,
    pub frontend: Option<Folder>,
    pub demo: Option<Folder>,
    /// The published contract.
    pub openapi: Bytes,
    /// Value of Content-Security-Policy for pages.
    pub policy: String,
    /// The same for pages that other sites may embed.
    pub embed_policy: String,
}

impl Site {
    /// Errors: a configured folder that does not exist.
    pub fn open(settings: &Settings, config: &GatewayConfig) -> anyhow::Result<Self> {
        let site: SiteConfig = settings.section("site")?;
        let origins = policy::origins(settings, config, &site)?;
        Ok(Self {
            frontend: Folder::open(&config.static_dir)?,
            demo: Folder::open(&config.demo_dir)?,
            openapi: Bytes::from(proto::openapi::document()),
            policy: policy::write(&origins, "'self'", &site.sandbox),
            embed_policy: policy::write(&origins, "*", &site.sandbox),
            config: site,
        })
    }
}
