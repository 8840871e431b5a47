//! Configuration of the gateway: sections `[gateway]` and `[site]`; default.toml documents each key.

use std::collections::BTreeMap;

use serde::Deserialize;

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
