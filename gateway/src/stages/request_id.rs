//! Stage 1: each request gets a number, and the address it comes from is made out.

use std::net::IpAddr;

use actix_web::HttpRequest;

use crate::network::Networks;

/// Longest number of a trusted proxy that is taken over.
const MAX_ID: usize = 64;

/// Where a request comes from and what it is called in logs.
#[derive(Debug, Clone)]
pub struct Origin {
    pub request_id: String,
    pub address: IpAddr,
    /// W3C trace context that came along; empty without one.
    pub traceparent: String,
}

/// Makes out the origin. `X-Forwarded-For`, `X-Request-Id` and `traceparent` are believed from trusted proxies only.
pub fn origin(request: &HttpRequest, trusted: &Networks) -> Origin {
    let peer = request
        .peer_addr()
        .map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
    let mut origin = Origin {
        request_id: String::new(),
        address: peer,
        traceparent: String::new(),
    };
    if trusted.contain(peer) {
        origin.address = forwarded_for(request, peer, trusted);
        if let Some(id) = header(request, "x-request-id").filter(|id| is_id(id)) {
            origin.request_id = id.to_owned();
        }
        if let Some(trace) = header(request, "traceparent").filter(|t| t.len() <= MAX_ID) {
            origin.traceparent = trace.to_owned();
        }
    }
    if origin.request_id.is_empty() {
        origin.request_id = uuid::Uuid::now_v7().simple().to_string();
    }
    origin
}

/// The last address of the chain that is not one of our proxies: what stands before it anybody may have written.
fn forwarded_for(request: &HttpRequest, peer: IpAddr, trusted: &Networks) -> IpAddr {
    let mut address = peer;
    let mut chain: Vec<&str> = Vec::new();
    for value in request.headers().get_all("x-forwarded-for") {
        chain.extend(value.to_str().unwrap_or_default().split(','));
    }
    for text in chain.into_iter().rev() {
        let Ok(hop) = text.trim().parse::<IpAddr>() else {
            break;
        };
        address = hop.to_canonical();
        if !trusted.contain(address) {
            break;
        }
    }
    address
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
}
