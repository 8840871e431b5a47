//! HTTP to a provider: plain or TLS, every answer bounded in size and time.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{ConfigBuilderExt, HttpsConnector};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use payprotocol::wechat::merchant::Answer;

use crate::provider::ProviderError;

/// Largest answer.
const MAX_ANSWER: usize = 256 * 1024;

#[derive(Clone)]
pub(super) struct Http {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    wait: Duration,
}

impl Http {
    /// `wait`: longest time until a whole answer is there.
    pub(super) fn open(address: &str, wait: Duration) -> anyhow::Result<Self> {
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?;
        let tls = match address.starts_with("https://") {
            true => tls.with_native_roots()?,
            false => tls.with_root_certificates(rustls::RootCertStore::empty()),
        };
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls.with_no_client_auth())
            .https_or_http()
            .enable_http1();
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .build(connector.build());
        Ok(Self { client, wait })
    }

    /// Sends. Whatever goes wrong is unclear: the provider may have done it.
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Answer, ProviderError> {
        let unclear = |what: String| ProviderError::Unclear(what);
        let work = async {
            let answer = self
                .client
                .request(request)
                .await
                .map_err(|error| unclear(error.to_string()))?;
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, MAX_ANSWER)
                .collect()
                .await
                .map_err(|error| unclear(error.to_string()))?;
            let headers = head.headers.iter().filter_map(|(name, value)| {
                let value = value.to_str().ok()?;
                Some((name.as_str().to_owned(), value.to_owned()))
            });
            Ok(Answer {
                status: head.status.as_u16(),
                headers: headers.collect(),
                body: body.to_bytes().to_vec(),
            })
        };
        match tokio::time::timeout(self.wait, work).await {
            Ok(answer) => answer,
            Err(_) => Err(unclear("no answer in time".to_owned())),
        }
    }
}
