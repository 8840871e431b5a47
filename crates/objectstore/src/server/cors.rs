//! CORS: preflight responses, and the headers of every other response.

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Response, StatusCode};
use s3s::Body;

/// Response headers a page may read.
const EXPOSED: &str = "ETag, Content-Length, Content-Range, Accept-Ranges, Last-Modified, Content-Disposition, \
    x-amz-request-id, x-amz-meta-sha256, x-amz-checksum-sha256, x-amz-checksum-crc32, x-amz-checksum-type, \
    x-amz-version-id, Location, Date";

/// Request headers allowed when a preflight names none.
const DEFAULT_REQUEST_HEADERS: &str = "*";

/// Origins whose pages may use the store.
#[derive(Debug, Clone)]
pub(super) struct Cors {
    any: bool,
    origins: Vec<String>,
}

impl Cors {
    pub(super) fn new(origins: &[String]) -> Self {
        let origins: Vec<String> = origins
            .iter()
            .map(|origin| origin.trim_end_matches('/').to_owned())
            .collect();
        Self {
            any: origins.iter().any(|origin| origin == "*"),
            origins,
        }
    }

    /// The value of `Access-Control-Allow-Origin` for a request, if its origin is allowed.
    fn allowed(&self, request: &HeaderMap) -> Option<HeaderValue> {
        let origin = request.get(header::ORIGIN)?;
        if self.any {
            return Some(HeaderValue::from_static("*"));
        }
        let text = origin.to_str().ok()?;
        self.origins
            .iter()
            .any(|allowed| allowed == text)
            .then(|| origin.clone())
    }

    /// Header lines of a response to a request that has not been read, whose origin is unknown.
    pub(super) fn of_strangers(&self) -> &'static str {
        match self.any {
            true => "access-control-allow-origin: *\r\n",
            false => "",
        }
    }

    /// The response to an `OPTIONS` request.
    pub(super) fn preflight(&self, request: &HeaderMap) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NO_CONTENT;
        let Some(origin) = self.allowed(request) else {
            *response.status_mut() = StatusCode::FORBIDDEN;
            return response;
        };
        let wanted = request.get(header::ACCESS_CONTROL_REQUEST_HEADERS).cloned();
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static("GET, HEAD, PUT, POST, DELETE, OPTIONS"),
        );
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            wanted.unwrap_or(HeaderValue::from_static(DEFAULT_REQUEST_HEADERS)),
        );
        headers.insert(
            header::ACCESS_CONTROL_MAX_AGE,
            HeaderValue::from_static("86400"),
        );
        // Sent by pages on a public address that reach a store on a private one.
        if request.contains_key("access-control-request-private-network") {
            headers.insert(
                "access-control-allow-private-network",
                HeaderValue::from_static("true"),
            );
        }
        headers.insert(
            header::VARY,
            HeaderValue::from_static("Origin, Access-Control-Request-Headers"),
        );
        response
    }

    /// Adds the headers common to all responses.
    pub(super) fn decorate(&self, request: &HeaderMap, response: &mut Response<Body>) {
        let allowed = self.allowed(request);
        let headers = response.headers_mut();
        if let Some(origin) = allowed {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            headers.insert(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(EXPOSED),
            );
        }
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
        // Uploads are untrusted files: a browser must neither sniff their type nor run them.
        headers.insert(
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        );
        let policy = HeaderValue::from_static("default-src 'none'; sandbox");
        headers.insert(HeaderName::from_static("content-security-policy"), policy);
    }
}

/// Whether a request is a preflight, which never reaches the store.
pub(super) fn is_preflight(method: &Method) -> bool {
    method == Method::OPTIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(origin: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::ORIGIN, HeaderValue::from_static(origin))])
    }

    #[test]
    fn only_configured_origins_are_allowed() {
        let cors = Cors::new(&["https://xuanlan.example/".to_owned()]);
        let good = cors.preflight(&request("https://xuanlan.example"));
        assert_eq!(good.status(), StatusCode::NO_CONTENT);
        assert_eq!(
            good.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN],
            "https://xuanlan.example"
        );
        let bad = cors.preflight(&request("https://other.example"));
        assert_eq!(bad.status(), StatusCode::FORBIDDEN);
        assert!(
            !bad.headers()
                .contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN)
        );
    }

    #[test]
    fn a_preflight_allows_the_headers_it_names() {
        let mut asked = request("http://a");
        asked.insert(
            header::ACCESS_CONTROL_REQUEST_HEADERS,
            HeaderValue::from_static("x-amz-date,authorization"),
        );
        let answer = Cors::new(&["*".to_owned()]).preflight(&asked);
        assert_eq!(
            answer.headers()[header::ACCESS_CONTROL_ALLOW_HEADERS],
            "x-amz-date,authorization"
        );
        assert_eq!(answer.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
    }
}
