//! The operators' console: a separate listener that serves its page, the page's files, and `/api-console`. The site's listener
//! serves none of it, and this one nothing of the site.
//!
//! Its calls are JSON by POST with the operator's token in the header Authorization. They need no signature: no cookie or other
//! credential that a browser sends by itself counts, and a page of another origin cannot send JSON or the header without a
//! preflight, which is always refused.

pub(crate) mod calls;

use actix_web::http::header::HeaderValue;
use peers::Networks;

use crate::config::ConsoleConfig;
use crate::routes::RouteTable;
use crate::stages::request_id::Origin;

/// Styles are inserted by the component library at run time; pictures that only a reviewer may see are sent inside answers, those
/// of listings come from the object store by signed addresses.
fn policy(store: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; \
         img-src 'self' data: blob: {store}; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

/// State of the console's listener.
pub struct Console {
    routes: RouteTable,
    /// `None`: all networks.
    networks: Option<Networks>,
    /// Content-Security-Policy of its pages.
    policy: HeaderValue,
}

impl Console {
    /// `store`: origin of the object store as seen by browsers. Errors: an invalid network in the configuration.
    pub fn open(config: &ConsoleConfig, store: &str) -> anyhow::Result<Self> {
        let networks = Networks::read(&config.networks)?;
        Ok(Self {
            routes: RouteTable::console()?,
            networks: (!config.networks.is_empty()).then_some(networks),
            policy: HeaderValue::from_str(&policy(store))?,
        })
    }

    fn admits(&self, origin: &Origin) -> bool {
        let networks = self.networks.as_ref();
        networks.is_none_or(|networks| networks.contain(origin.address))
    }
}

/// Whether a path of the frontend's folder belongs to the console.
pub fn is_own(path: &str) -> bool {
    // As the file system reads it.
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let mut parts = decoded.split('/').filter(|part| !part.is_empty());
    parts
        .next()
        .is_some_and(|first| first == "console" || first.starts_with("console."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_consoles_files_are_known_however_they_are_written() {
        for path in [
            "/console.html",
            "/console",
            "/console/a.js",
            "//console/a.js",
            "/%63onsole.html",
            "/console.html.br",
        ] {
            assert!(is_own(path), "{path}");
        }
        for path in ["/", "/consoles", "/a/console.html", "/assets/console.js"] {
            assert!(!is_own(path), "{path}");
        }
    }
}
