//! The operators' console: a listener of its own that serves its page, what the page needs, and `/api-console`. Nothing of it is
//! found on the site's listener, and nothing of the site here.
//!
//! Its calls are JSON by POST with the operator's token in the header Authorization. They need no signature: no cookie and
//! nothing else that a browser sends by itself counts, JSON and the header cannot be sent by a page of another origin without
//! being asked first, and the answer to that question is always no.

pub(crate) mod calls;

use actix_web::http::header::HeaderValue;
use peers::Networks;

use crate::config::ConsoleConfig;
use crate::routes::RouteTable;
use crate::stages::request_id::Origin;

/// Styles are inserted by the component library at run time; pictures that only a reviewer may see come inside answers, those of
/// listings from the object store by signed addresses.
fn policy(store: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; \
         img-src 'self' data: blob: {store}; connect-src 'self'; worker-src 'self'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
}

/// What the console's listener needs beside the gateway.
pub struct Console {
    routes: RouteTable,
    /// `None`: whoever reaches the listener.
    networks: Option<Networks>,
    /// Content-Security-Policy of its pages.
    policy: HeaderValue,
}

impl Console {
    /// `store`: origin of the object store as browsers see it. Errors: what is no network in the configuration.
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
    // As the file system will see it.
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
