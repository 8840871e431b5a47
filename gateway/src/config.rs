//! Configuration of the gateway: sections `[gateway]` and `[site]`; default.toml documents each key.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use chassis::Settings;
use serde::Deserialize;

use crate::keys::ClientKeys;
use crate::stages::rate::Limits;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AccessLog {
    All,
    Failed,
    None,
}

/// Section `[gateway]`.
#[derive(Debug, Clone, Deserialize)]
pub struct GatewayConfig {
    pub listen: String,
    pub workers: usize,
    pub static_dir: String,
    pub demo_dir: String,
    pub trusted_proxies: Vec<String>,
    pub cors_origins: Vec<String>,
    pub connect_origins: Vec<String>,
    /// Bytes.
    pub body_limit: usize,
    pub body_wait_ms: u64,
    pub call_wait_ms: u64,
    pub strict_transport_s: u32,
    pub drain_wait_ms: u64,
    pub drain_limit_s: u64,
    pub access_log: AccessLog,
    pub metrics_public: bool,
    pub client: ClientConfig,
    pub rate: RateConfig,
    pub upstreams: BTreeMap<String, String>,
    pub console: ConsoleConfig,
    pub embed: EmbedConfig,
}

/// Section `[gateway.console]`.
#[derive(Debug, Clone, Deserialize)]
pub struct ConsoleConfig {
    pub listen: String,
    pub public_address: String,
    pub networks: Vec<String>,
}

/// Section `[gateway.embed]`.
#[derive(Debug, Clone, Deserialize)]
pub struct EmbedConfig {
    pub listen: String,
    pub public_address: String,
    pub site_origins: Vec<String>,
}

/// Section `[gateway.client]`.
#[derive(Debug, Clone, Deserialize)]
pub struct ClientConfig {
    pub id: String,
    pub kid: String,
    pub secret: String,
    pub previous_kid: String,
    pub previous_secret: String,
    pub previous_until_ms: i64,
}

/// Sections `[gateway.rate.*]`.
#[derive(Debug, Clone, Deserialize)]
pub struct RateConfig {
    pub normal: ClassConfig,
    pub sign_in: ClassConfig,
    pub sms: ClassConfig,
    pub heavy: ClassConfig,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ClassConfig {
    pub window_s: u32,
    pub address: u32,
    pub user: u32,
    pub shared: bool,
}

/// Section `[site]`.
#[derive(Debug, Clone, Deserialize)]
pub struct SiteConfig {
    pub analytics_host: String,
    pub sandbox: String,
    pub login_url: String,
    pub cookie_domain: String,
    pub hotline: String,
    pub mall_url: String,
    pub mobile_url: String,
    pub qq_consult_url: String,
    pub wechat_consult_url: String,
    pub chat_url: String,
    pub contact_email: String,
    pub contact_address: String,
    pub icp: String,
    pub wechat_app_id: String,
    pub qq_app_id: String,
}

/// Source for reloading the configuration while the gateway runs.
#[derive(Clone)]
pub struct ConfigSource {
    /// Watched for changes.
    pub file: Option<PathBuf>,
    /// Reads all settings like at process start.
    pub load: Arc<dyn Fn() -> anyhow::Result<Settings> + Send + Sync>,
}

/// The settings that can change while the gateway runs.
#[derive(Debug)]
pub struct LiveConfig {
    pub keys: ClientKeys,
    pub limits: Limits,
}

impl LiveConfig {
    pub fn read(settings: &Settings) -> anyhow::Result<Self> {
        let config: GatewayConfig = settings.section("gateway")?;
        Ok(Self {
            keys: ClientKeys::read(&config.client, settings)?,
            limits: Limits::new(&config.rate),
        })
    }
}

/// The current [`LiveConfig`].
#[derive(Debug)]
pub struct Live {
    current: RwLock<Arc<LiveConfig>>,
}

impl Live {
    pub fn new(config: LiveConfig) -> Self {
        Self {
            current: RwLock::new(Arc::new(config)),
        }
    }

    pub fn get(&self) -> Arc<LiveConfig> {
        match self.current.read() {
            Ok(current) => current.clone(),
            // Only ever replaced as a whole, so a poisoned lock still holds a valid value.
            Err(poisoned) => poisoned.into_inner().clone(),
        }
    }

    pub fn set(&self, config: LiveConfig) {
        let config = Arc::new(config);
        match self.current.write() {
            Ok(mut current) => *current = config,
            Err(poisoned) => *poisoned.into_inner() = config,
        }
    }
}
