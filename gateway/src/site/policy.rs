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
    let objects: ObjectsConfig = settings.section("objects")?;
    let store: StoreConfig = settings.section("objectstore")?;
    let mut origins = config.connect_origins.clone();
    if let Some(address) = objects.url.strip_prefix("s3:") {
        origins.push(first_of(&objects.public_address, address.to_owned()));
    } else {
        let listen = format!("http://{}", store.listen);
        origins.push(first_of(&store.public_address, listen));
    }
    origins.push(site.analytics_host.clone());
    let mut clean: Vec<String> = Vec::new();
    for origin in origins {
        // Drops origins that would end the directive or the header.
        let plain = !origin.is_empty() && !origin.contains([';', ',', ' ', '\n', '\r']);
        if let Some(origin) = origin_of(&origin).filter(|o| plain && !clean.contains(o)) {
            clean.push(origin);
        }
    }
    Ok(clean)
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

/// The header's value; `ancestors` lists the pages that may embed this one in a frame.
/// `sandbox`: its URL, empty if it is off; its cashier may be served without TLS.
pub fn write(origins: &[String], ancestors: &str, sandbox: &str) -> String {
    let others = origins.join(" ");
    let cashier = origin_of(sandbox).unwrap_or_default();
    // Styles are inserted by the component library at run time; decoders of meshes and textures are WebAssembly in
    // workers; payment forms post to other hosts.
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval' blob:; worker-src 'self' blob:; \
         style-src 'self' 'unsafe-inline'; font-src 'self' data:; img-src 'self' data: blob: {others}; \
         media-src 'self' blob: {others}; connect-src 'self' data: blob: {others}; object-src 'none'; \
         base-uri 'self'; form-action 'self' https: {cashier}; frame-src 'self'; frame-ancestors {ancestors}"
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
