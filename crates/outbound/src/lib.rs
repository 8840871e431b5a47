//! HTTP to third-party servers: plain or TLS, every answer bounded in size and time, redirects never followed.

mod reach;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

pub use reach::is_public;
use reach::{Resolver, forbidden_literal};

/// Which servers a client may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Any: the operator configured the address.
    Any,
    /// Addresses of the public internet, whatever a name resolves to: the address was not configured by the operator.
    Public,
}

/// What bounds a client.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Longest time until a whole answer is there.
    pub wait: Duration,
    /// Largest body of an answer in bytes.
    pub most: usize,
    pub reach: Reach,
}

/// A whole answer.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Bytes,
}

#[derive(Debug, thiserror::Error)]
pub enum OutboundError {
    /// The server may have got the request, and done it.
    #[error("{0}")]
    NoAnswer(String),
    #[error("this address may not be connected to")]
    Forbidden,
}

/// A client; clones share its connections.
#[derive(Clone)]
pub struct Http {
    client: Client<HttpsConnector<HttpConnector<Resolver>>, Full<Bytes>>,
    bounds: Bounds,
}

impl Http {
    /// `tls`: whether an address is https, which needs the root certificates of the system.
    pub fn open(tls: bool, bounds: Bounds) -> anyhow::Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?;
        let config = match tls {
            true => config.with_native_roots()?,
            false => config.with_root_certificates(rustls::RootCertStore::empty()),
        };
        let mut http = HttpConnector::new_with_resolver(Resolver(bounds.reach));
        http.enforce_http(false);
        http.set_connect_timeout(Some(bounds.wait));
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(config.with_no_client_auth())
            .https_or_http()
            .enable_http1()
            .wrap_connector(http);
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .build(connector);
        Ok(Self { client, bounds })
    }

    pub async fn send(&self, request: Request<Full<Bytes>>) -> Result<Answer, OutboundError> {
        if self.bounds.reach == Reach::Public && forbidden_literal(request.uri()) {
            return Err(OutboundError::Forbidden);
        }
        match tokio::time::timeout(self.bounds.wait, self.exchange(request)).await {
            Ok(answer) => answer,
            Err(_) => Err(OutboundError::NoAnswer("none in time".to_owned())),
        }
    }

    pub async fn get(&self, address: Uri) -> Result<Answer, OutboundError> {
        let mut request = Request::new(Full::default());
        *request.uri_mut() = address;
        self.send(request).await
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Answer, OutboundError> {
        // Addresses may hold secrets in their query: none of these errors names one.
        let answer = self.client.request(request).await;
        let answer = answer.map_err(|error| OutboundError::NoAnswer(cause(&error)))?;
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, self.bounds.most).collect().await;
        let body = body.map_err(|error| OutboundError::NoAnswer(error.to_string()))?;
        let headers = head.headers.iter().filter_map(|(name, value)| {
            let value = value.to_str().ok()?;
            Some((name.as_str().to_owned(), value.to_owned()))
        });
        Ok(Answer {
            status: head.status.as_u16(),
            headers: headers.collect(),
            body: body.to_bytes(),
        })
    }
}

/// The error with what lies under it: the outermost says only that connecting failed.
fn cause(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut inner = error.source();
    while let Some(error) = inner {
        text.push_str(": ");
        text.push_str(&error.to_string());
        inner = error.source();
    }
    text
}
