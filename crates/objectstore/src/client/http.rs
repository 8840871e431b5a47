//! HTTP to an external store: one pooled client, plain or TLS.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, Request, Response};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_rustls::{ConfigBuilderExt, HttpsConnector};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde::Deserialize;
use time::OffsetDateTime;

use crate::error::{Result, StoreError};
use crate::sign::{Signer, ToSign, encode_path, encode_query, host_of};

/// Largest response read into memory, objects excepted: listings, errors.
pub(crate) const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// Timeout for the response headers once the request is sent.
const HEAD_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) type RequestBody = BoxBody<Bytes, std::io::Error>;

pub(crate) fn whole(bytes: Bytes) -> RequestBody {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}

/// One endpoint and its signer.
#[derive(Clone)]
pub(crate) struct Endpoint {
    client: Client<HttpsConnector<HttpConnector>, RequestBody>,
    pub signer: Signer,
    /// Scheme, host and port.
    pub base: String,
}

/// One request.
pub(crate) struct Call<'a> {
    pub method: Method,
    pub path: &'a str,
    pub query: &'a [(&'a str, &'a str)],
    /// Signed headers; names in lower case.
    pub headers: &'a [(&'a str, &'a str)],
    pub payload: &'a str,
    pub body: RequestBody,
    /// Bytes that the store itself has to move before it answers: many get a longer timeout.
    pub moves: u64,
    /// Length of the body in bytes: a large one gets a longer timeout.
    pub length: u64,
}

impl Endpoint {
    pub(crate) fn new(base: &str, signer: Signer) -> Result<Self> {
        let base = base.trim_end_matches('/').to_owned();
        host_of(&base)?;
        // An explicit provider: does not depend on a process-wide one having been installed.
        let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| StoreError::Config(e.to_string()))?;
        // The system's root certificates: private stores often use a private CA. Plain HTTP needs none.
        let tls = if base.starts_with("https://") {
            tls.with_native_roots()
                .map_err(|e| StoreError::Config(format!("no certificate authorities: {e}")))?
        } else {
            tls.with_root_certificates(rustls::RootCertStore::empty())
        };
        let tls = tls.with_no_client_auth();
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1();
        let client = Client::builder(TokioExecutor::new())
            .pool_idle_timeout(Duration::from_secs(8))
            .build(connector.build());
        Ok(Self {
            client,
            signer,
            base,
        })
    }

    /// Signs and sends. A non-2xx response becomes an error; `404` on an object becomes `NoSuchKey` with `path`.
    pub(crate) async fn send(&self, call: Call<'_>) -> Result<Response<Incoming>> {
        let to_sign = ToSign {
            method: call.method.as_str(),
            host: host_of(&self.base)?,
            path: call.path,
            query: call.query,
            headers: call.headers,
            payload: call.payload,
        };
        let added = self.signer.sign(&to_sign, OffsetDateTime::now_utc())?;
        let mut uri = format!("{}{}", self.base, encode_path(call.path));
        if !call.query.is_empty() {
            uri = format!("{uri}?{}", encode_query(call.query));
        }
        let mut request = Request::builder()
            .method(call.method)
            .uri(uri)
            .header("content-length", call.length);
        for (name, value) in call.headers {
            request = request.header(*name, *value);
        }
        for (name, value) in added {
            request = request.header(name, value);
        }
        let mut request = request
            .body(call.body)
            .map_err(|e| StoreError::InvalidArgument(e.to_string()))?;
        crate::trace::pass_on(request.headers_mut());
        let patience =
            HEAD_TIMEOUT + Duration::from_secs((call.length + call.moves) / (256 * 1024));
        let response = tokio::time::timeout(patience, self.client.request(request))
            .await
            .map_err(|_| StoreError::Connection("no answer in time".into()))?
            .map_err(|e| StoreError::Connection(describe(&e)))?;
        if response.status().is_success() {
            return Ok(response);
        }
        Err(error_of(response).await)
    }
}

fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// Reads a response into memory, at most [`MAX_ANSWER_BYTES`].
pub(crate) async fn read_answer(response: Response<Incoming>) -> Result<Bytes> {
    let mut body = response.into_body();
    let mut content = BytesMut::new();
    while let Some(chunk) = next_chunk(&mut body).await? {
        if content.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(StoreError::Connection("the answer is too long".into()));
        }
        content.extend_from_slice(&chunk);
    }
    Ok(content.freeze())
}

/// The next bytes of a response; times out when the store stops sending.
pub(crate) async fn next_chunk(body: &mut Incoming) -> Result<Option<Bytes>> {
    loop {
        let frame = tokio::time::timeout(HEAD_TIMEOUT, body.frame())
            .await
            .map_err(|_| StoreError::Connection("the store went silent".into()))?;
        match frame {
            None => return Ok(None),
            Some(Err(error)) => return Err(StoreError::Connection(error.to_string())),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

/// Error responses of S3 and STS.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    #[serde(rename = "Code")]
    code: String,
    #[serde(rename = "Message")]
    message: String,
    /// STS nests the error.
    #[serde(rename = "Error")]
    error: Option<Box<ErrorBody>>,
}

async fn error_of(response: Response<Incoming>) -> StoreError {
    let status = response.status().as_u16();
    let body = read_answer(response).await.unwrap_or_default();
    error_from_body(status, &body)
}

pub(crate) fn error_from_body(status: u16, body: &[u8]) -> StoreError {
    let text = String::from_utf8_lossy(body);
    let parsed: ErrorBody = quick_xml::de::from_str(&text).unwrap_or_default();
    let parsed = match parsed.error {
        Some(inner) => *inner,
        None => parsed,
    };
    let message: String = parsed.message.chars().take(500).collect();
    StoreError::Remote {
        status,
        code: parsed.code,
        message,
    }
}

pub(crate) fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}
