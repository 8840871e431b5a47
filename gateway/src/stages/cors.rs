//! Which other origins may call from a browser. By default none: the product's own pages need no permission.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

#[derive(Debug, Clone)]
pub struct Cors {
    origins: Vec<String>,
    any: bool,
}

impl Cors {
    pub fn new(origins: &[String]) -> Self {
        Self {
            origins: origins.to_vec(),
            any: origins.iter().any(|o| o == "*"),
        }
    }

    /// The request's origin, if it is configured as allowed.
    pub fn allowed(&self, request: &HttpRequest) -> Option<HeaderValue> {
        if self.origins.is_empty() {
            return None;
        }
        let origin = request.headers().get(header::ORIGIN)?;
        let known = self.any
            || self
                .origins
                .iter()
                .any(|o| o.as_bytes() == origin.as_bytes());
        known.then(|| origin.clone())
    }
}

/// Whether a request is a preflight.
pub fn is_preflight(request: &HttpRequest) -> bool {
    request.method() == actix_web::http::Method::OPTIONS
}

/// Lets the page of `origin` read a response. Nothing here uses cookies, so credentials stay off.
pub fn mark(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    let expose = HeaderValue::from_static("x-request-id, x-trace-id, retry-after, date");
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, expose);
}

/// The headers of the response to a preflight.
pub fn preflight_headers() -> [(HeaderName, HeaderValue); 3] {
    [
        (
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, POST"),
        ),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            HeaderValue::from_static(
                "authorization, client-id, client-secret, content-type, md5, traceparent",
            ),
        ),
        (
            header::ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static("7200"),
        ),
    ]
}
