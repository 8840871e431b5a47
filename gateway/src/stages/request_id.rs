//! Assigns each request an id, and determines its source address.

use std::net::IpAddr;

use actix_web::HttpRequest;
use chassis::telemetry;

use peers::Networks;

/// Longest request id accepted from a trusted proxy.
const MAX_ID: usize = 64;

/// Longest User-Agent that is passed on, in characters.
const MAX_AGENT: usize = 256;

/// A request's source address and its id in logs.
#[derive(Debug, Clone)]
pub struct Origin {
    pub request_id: String,
    pub address: IpAddr,
    /// Its trace, 32 hex digits: from the request's trace context, else the request id.
    pub trace_id: String,
    /// W3C trace context of the request; empty if there is none.
    pub traceparent: String,
    /// The User-Agent, truncated; empty if there is none.
    pub user_agent: String,
}

impl Origin {
    /// The trace context passed to a service when this process records no spans.
    pub fn passed_on(&self) -> String {
        match self.traceparent.is_empty() {
            true => telemetry::new_traceparent(&self.trace_id),
            false => self.traceparent.clone(),
        }
    }
}

/// Determines the origin. `X-Forwarded-For` and `X-Request-Id` are only accepted from trusted proxies. A trace context is accepted
/// from all callers: it only groups the caller's calls, and decides whether they are sampled.
pub fn origin(request: &HttpRequest, trusted: &Networks) -> Origin {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
    let mut origin = Origin {
        request_id: String::new(),
        address: peer,
        trace_id: String::new(),
        traceparent: String::new(),
        user_agent: header(request, "user-agent")
            .map_or_else(String::new, |name| name.chars().take(MAX_AGENT).collect()),
    };
    if trusted.contain(peer) {
        let chain = request.headers().get_all("x-forwarded-for");
        let chain = chain.map(|value| value.to_str().unwrap_or_default());
        origin.address = peers::forwarded_for(peer, chain, trusted);
        if let Some(id) = header(request, "x-request-id").filter(|id| is_id(id)) {
            origin.request_id = id.to_owned();
        }
    }
    if let Some(trace) = header(request, "traceparent").filter(|t| telemetry::is_traceparent(t)) {
        origin.traceparent = trace.to_owned();
    }
    if origin.request_id.is_empty() {
        origin.request_id = number();
    }
    origin.trace_id = match origin.traceparent.split('-').nth(1) {
        Some(trace) => trace.to_owned(),
        None if is_trace(&origin.request_id) => origin.request_id.clone(),
        None => number(),
    };
    origin
}

fn number() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}

fn is_trace(text: &str) -> bool {
    text.len() == 32
        && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && text.bytes().any(|b| b != b'0')
}

fn header<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

fn is_id(text: &str) -> bool {
    (8..=MAX_ID).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn from(peer: &str, chain: &str) -> Origin {
        let request = TestRequest::default()
            .peer_addr(format!("{peer}:1000").parse().unwrap())
            .insert_header(("x-forwarded-for", chain))
            .insert_header(("x-request-id", "outer-number-1"))
            .to_http_request();
        origin(&request, &Networks::read(&["10.0.0.0/8".into()]).unwrap())
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let direct = from("203.0.113.9", "198.51.100.1");
        assert_eq!(direct.address.to_string(), "203.0.113.9");
        assert_ne!(direct.request_id, "outer-number-1");
        let proxied = from("10.0.0.1", "1.2.3.4, 198.51.100.1, 10.9.9.9");
        assert_eq!(proxied.address.to_string(), "198.51.100.1");
        assert_eq!(proxied.request_id, "outer-number-1");
    }

    #[test]
    fn a_trace_is_continued_or_begun_with_the_number_of_the_request() {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let of = |value: &str| {
            let request = TestRequest::default()
                .insert_header(("traceparent", value))
                .to_http_request();
            origin(&request, &Networks::default())
        };
        assert_eq!(of(trace).passed_on(), trace);
        assert_eq!(of(trace).trace_id, "0af7651916cd43dd8448eb211c80319c");
        let begun = of("00-x");
        assert_eq!(begun.trace_id, begun.request_id);
        assert!(telemetry::is_traceparent(&begun.passed_on()));
        // A proxy's request id need not be a valid trace id.
        let named = from("10.0.0.1", "");
        assert_eq!(named.request_id, "outer-number-1");
        assert!(telemetry::is_traceparent(&named.passed_on()));
    }
}
