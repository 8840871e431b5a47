//! The sections `[auth.third_party]`, `[auth.wechat]` and `[auth.qq]`.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct ThirdPartyConfig {
    /// Origins of pages that providers may redirect to; empty: the one of `site.public_address`.
    pub site_origins: Vec<String>,
    pub wait_ms: u64,
}

/// Our application at a provider; without an id it is not offered.
#[derive(Debug, Clone, Deserialize)]
pub struct ApplicationConfig {
    pub app_id: String,
    pub secret: String,
    pub secret_file: String,
    pub authorize_url: String,
    pub api: String,
    pub picture_hosts: Vec<String>,
}

/// A secret given directly or in a file; empty when neither is.
pub fn secret(name: &str, text: &str, file: &str) -> anyhow::Result<String> {
    if !text.is_empty() || file.is_empty() {
        return Ok(text.to_owned());
    }
    let text = std::fs::read_to_string(Path::new(file))
        .with_context(|| format!("{name}_file {file} cannot be read"))?;
    Ok(text.trim().to_owned())
}
