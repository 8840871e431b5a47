//! Encodings that a client accepts, and gzip for responses made per request.

use std::io::Write;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::http::header::{self, HeaderMap, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Below this, in bytes, a response fits into one packet anyway.
const LEAST: usize = 1400;

/// Whether `Accept-Encoding` names this encoding and does not refuse it.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|v| v.to_str().ok()).unwrap_or_default();
    accepted.split(',').any(|part| {
        let mut parts = part.split(';');
        let name = parts.next().unwrap_or_default().trim();
        let refused = parts
            .next()
            .is_some_and(|q| matches!(q.trim(), "q=0" | "q=0.0"));
        name == encoding && !refused
    })
}

/// Compresses the body with gzip where worthwhile. The size leaks no secret to a page of another site: it cannot sign a call, and
/// reads none of these responses.
pub fn pack(request: &HttpRequest, mut response: HttpResponse) -> HttpResponse {
    response
        .headers_mut()
        .append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if !accepts(request.headers(), "gzip") {
        return response;
    }
    response.map_body(|head, body| {
        let bytes = match body.try_into_bytes() {
            Ok(bytes) => bytes,
            Err(body) => return body,
        };
        match (bytes.len() >= LEAST).then(|| gzip(&bytes)) {
            Some(Ok(packed)) => {
                let gzip = HeaderValue::from_static("gzip");
                head.headers_mut().insert(header::CONTENT_ENCODING, gzip);
                BoxBody::new(packed)
            }
            _ => BoxBody::new(bytes),
        }
    })
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::fast());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_taken_by_its_name_and_weight() {
        let asks = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(value));
            accepts(&headers, "gzip")
        };
        assert!(asks("gzip, br"));
        assert!(asks("br;q=1.0, gzip;q=0.5"));
        assert!(!asks("br"));
        assert!(!asks("gzip;q=0, br"));
        assert!(!accepts(&HeaderMap::new(), "gzip"));
    }
}
