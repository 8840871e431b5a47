//! Everything the gateway serves besides calls: the browser's configuration, the contract, health, metrics, the
//! frontend.

pub mod feeds;
pub mod files;
pub mod folder;
pub mod frontend;
pub mod heads;
pub mod health;
pub mod info;
pub mod packing;
mod pages;
pub mod policy;
pub(crate) mod shell;
mod shown;

use bytes::Bytes;
use chassis::Settings;

use crate::config::{GatewayConfig, SiteConfig};
use crate::embed::address_of;
use folder::Folder;
use pages::Pages;

/// Loaded once at start.
pub struct Site {
    pub config: SiteConfig,
    pub frontend: Option<Folder>,
    pub pages: Pages,
    pub demo: Option<Folder>,
    /// The published contract.
    pub openapi: Bytes,
    /// Value of Content-Security-Policy for pages.
    pub policy: String,
}

impl Site {
    /// Errors: a configured folder that does not exist, or a frontend whose list of pages cannot be read.
    pub fn open(settings: &Settings, config: &GatewayConfig) -> anyhow::Result<Self> {
        let site: SiteConfig = settings.section("site")?;
        let origins = policy::origins(settings, config, &site)?;
        let frontend = Folder::open(&config.static_dir)?;
        Ok(Self {
            pages: Pages::open(frontend.as_ref())?,
            frontend,
            demo: Folder::open(&config.demo_dir)?,
            openapi: Bytes::from(proto::openapi::document()),
            policy: policy::write(&origins, &address_of(&config.embed), &site.sandbox),
            config: site,
        })
    }
}
