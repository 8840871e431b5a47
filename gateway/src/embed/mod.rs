//! Shared works for other sites: a separate listener and origin that serves the page of a share, the script for pages on other
//! sites, and nothing else. It reads and sets no cookies, and serves no user calls.

mod page;
mod policy;
pub(crate) mod share;

use crate::config::EmbedConfig;

/// Settings of the listener.
pub struct Embed {
    /// Its public address; empty: no listener.
    pub address: String,
    /// Origins of the site's own pages.
    site: Vec<String>,
    /// Origin of the object store.
    store: String,
}

/// The listener's public address; empty: no listener.
pub fn address_of(config: &EmbedConfig) -> String {
    match config.public_address.trim_end_matches('/') {
        "" if config.listen.is_empty() => String::new(),
        "" => format!("http://{}", config.listen),
        address => address.to_owned(),
    }
}

impl Embed {
    pub fn new(config: &EmbedConfig, store: &str) -> Self {
        let plain = |origin: &String| origin.trim_end_matches('/').to_ascii_lowercase();
        Self {
            address: address_of(config),
            site: config.site_origins.iter().map(plain).collect(),
            store: store.to_owned(),
        }
    }

    fn is_own_site(&self, origin: &str) -> bool {
        self.site.iter().any(|own| own == origin)
    }
}

/// Whether a path of the frontend's folder belongs to this listener.
pub fn is_own(path: &str) -> bool {
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let mut parts = decoded.split('/').filter(|part| !part.is_empty());
    parts.next() == Some("embed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_files_are_known_however_they_are_written() {
        for path in ["/embed/a.js", "//embed/page.html", "/%65mbed", "/embed"] {
            assert!(is_own(path), "{path}");
        }
        for path in ["/", "/embedded", "/a/embed", "/e/1"] {
            assert!(!is_own(path), "{path}");
        }
    }
}
