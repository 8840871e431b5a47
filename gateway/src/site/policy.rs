//! Content-Security-Policy of the pages.

use chassis::Settings;
use serde::Deserialize;

use crate::config::{GatewayConfig, SiteConfig};

#[derive(Deserialize)]
struct ObjectsConfig {
    url: String,
    public_address: String,
}

#[derive(Deserialize)]
struct StoreConfig {
    listen: String,
    public_address: String,
}

/// Other origins that the pages may fetch from: the object store, the analytics host, and configured ones.
pub fn origins(
    settings: &Settings,
    config: &GatewayConfig,
    site: &SiteConfig,
) -> anyhow::Result<Vec<String>> {
    let mut origins = config.connect_origins.clone();
    origins.push(store_address(settings)?);
    origins.push(site.analytics_host.clone());
    let mut clean: Vec<String> = Vec::new();
    for origin in origins {
        if let Some(origin) = plain_origin(&origin).filter(|origin| !clean.contains(origin)) {
            clean.push(origin);
        }
    }
    Ok(clean)
}

/// Origin of the object store as seen by browsers; empty if a directive cannot name it.
pub fn store(settings: &Settings) -> anyhow::Result<String> {
    Ok(plain_origin(&store_address(settings)?).unwrap_or_default())
}

fn store_address(settings: &Settings) -> anyhow::Result<String> {
    let objects: ObjectsConfig = settings.section("objects")?;
    let store: StoreConfig = settings.section("objectstore")?;
    Ok(match objects.url.strip_prefix("s3:") {
        Some(address) => first_of(&objects.public_address, address.to_owned()),
        None => first_of(&store.public_address, format!("http://{}", store.listen)),
    })
}

/// `None`: not an origin, or one that would end the directive or the header.
fn plain_origin(address: &str) -> Option<String> {
    let plain = !address.contains([';', ',', ' ', '\n', '\r']);
    origin_of(address).filter(|_| plain)
}

fn first_of(configured: &str, otherwise: String) -> String {
    if configured.is_empty() {
        otherwise
    } else {
        configured.to_owned()
    }
}

/// Scheme, host and port of a URL.
fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split('/').next()?;
    Some(format!("{scheme}://{host}"))
}

/// The header's value. `embed`: address of shared works, which are previewed in a frame; empty: none.
/// `sandbox`: its URL, empty if it is off; its cashier may be served without TLS.
pub fn write(origins: &[String], embed: &str, sandbox: &str) -> String {
    let others = origins.join(" ");
    let shared = plain_origin(embed).unwrap_or_default();
    let cashier = origin_of(sandbox).unwrap_or_default();
    // Styles are inserted by the component library at run time; decoders of meshes and textures are WebAssembly in
    // workers; payment forms post to other hosts.
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; \
         style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data: blob: {others}; \
         media-src 'self' blob: {others}; connect-src 'self' data: blob: {others}; object-src 'none'; \
         base-uri 'self'; form-action 'self' https: {cashier}; frame-src 'self' {shared}; frame-ancestors 'self'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_cut_out_of_addresses() {
        assert_eq!(
            origin_of("https://obs.example.test:9000/bucket").as_deref(),
            Some("https://obs.example.test:9000")
        );
        assert_eq!(origin_of("memory:"), None);
    }
}
