//! Which addresses belong to the public internet. The resolver filters what a name resolves to at the moment of connecting, so
//! that a name cannot resolve to something else after it was checked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};

use http::Uri;
use hyper_util::client::legacy::connect::dns::Name;
use tower::Service;

use crate::Reach;

/// Whether an address is one of the public internet: not of this machine, its networks, or a special purpose.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = a == 0
        || (a == 100 && b & 0xc0 == 64)
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && b & 0xfe == 18)
        || a >= 224;
    !(special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let [first, second, ..] = address.segments();
    // 2000::/3 is what is given out; tunnels and documentation inside it lead elsewhere.
    first & 0xe000 == 0x2000
        && first != 0x2002
        && !(first == 0x2001 && (second < 0x200 || second == 0xdb8))
}

/// Whether the host is written as an address that is not public: those never reach the resolver.
pub(crate) fn forbidden_literal(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.parse().is_ok_and(|address| !is_public(address))
}

/// Resolves by the system; of a public reach only public addresses remain.
#[derive(Clone)]
pub(crate) struct Resolver(pub(crate) Reach);

type Found = std::vec::IntoIter<SocketAddr>;

impl Service<Name> for Resolver {
    type Response = Found;
    type Error = std::io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Found, std::io::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed: Vec<SocketAddr> = found
                .filter(|address| reach == Reach::Any || is_public(address.ip()))
                .collect();
            if allowed.is_empty() {
                return Err(std::io::Error::other(
                    "the name has no address that may be connected to",
                ));
            }
            Ok(allowed.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_public_internet_is_public() {
        for public in ["1.1.1.1", "223.5.5.5", "240e::1", "2400:3200::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for other in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "ff02::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
        ] {
            assert!(!is_public(other.parse().unwrap()), "{other}");
        }
    }

    #[tokio::test]
    async fn names_of_this_machine_are_not_resolved_for_a_public_reach() {
        let name = || "localhost".parse::<Name>().unwrap();
        assert!(Resolver(Reach::Public).call(name()).await.is_err());
        assert!(Resolver(Reach::Any).call(name()).await.is_ok());
        for literal in ["http://127.0.0.1:1/", "http://[::1]/"] {
            assert!(forbidden_literal(&literal.parse().unwrap()), "{literal}");
        }
    }
}
