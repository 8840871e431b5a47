//! Headers of every response: page security, and the end of connections while draining.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest};

use crate::state::Gateway;

pub const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// Adds them to every response of the application.
pub async fn add<B: MessageBody>(
    gateway: Data<Gateway>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let encrypted = came_encrypted(request.request(), &gateway);
    let mut response = next.call(request).await?;
    let headers = response.headers_mut();
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    // Payment and sign-in with a third party open windows that must keep their opener.
    let opener = HeaderValue::from_static("same-origin-allow-popups");
    if !headers.contains_key(&OPENER_POLICY) {
        headers.insert(OPENER_POLICY, opener);
    }
    if encrypted && let Some(policy) = &gateway.strict_transport {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, policy.clone());
    }
    // A client that keeps an idle connection to a process that ends would lose its next call. An upgraded connection is
    // closed by its own protocol.
    if gateway.is_draining() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}

/// Whether the browser's connection is encrypted, as reported by the proxy that terminates it, which must be trusted.
pub(crate) fn came_encrypted(request: &HttpRequest, gateway: &Gateway) -> bool {
    let trusted = request
        .peer_addr()
        .is_some_and(|peer| gateway.trusted.contain(peer.ip().to_canonical()));
    let scheme = request.headers().get("x-forwarded-proto");
    let scheme = scheme.and_then(|value| value.to_str().ok());
    trusted && scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

pub(crate) fn text_header<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}
