//! Who is at the other end of a connection: trusted proxies, and the address a trusted proxy forwards for. The gateway
//! and the object store limit callers by address, and must agree on what a caller's address is.

mod network;

use std::net::{IpAddr, Ipv6Addr};

pub use network::Networks;

/// The last address of an `X-Forwarded-For` chain that is not one of our proxies: the ones before it may be forged. `values`
/// are the header's values in order. Without a chain: `peer`.
pub fn forwarded_for<'a>(
    peer: IpAddr,
    values: impl IntoIterator<Item = &'a str>,
    trusted: &Networks,
) -> IpAddr {
    let chain: Vec<&str> = values
        .into_iter()
        .flat_map(|value| value.split(','))
        .collect();
    let mut address = peer;
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

/// What counts as one caller: one IPv6 subscriber has a whole /64.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_foreign_hop_is_the_caller() {
        let trusted = Networks::read(&["10.0.0.0/8".into()]).unwrap();
        let peer = "10.0.0.1".parse().unwrap();
        let of =
            |values: &[&str]| forwarded_for(peer, values.iter().copied(), &trusted).to_string();
        assert_eq!(of(&["1.2.3.4, 198.51.100.1, 10.9.9.9"]), "198.51.100.1");
        assert_eq!(of(&["1.2.3.4", "::ffff:198.51.100.2"]), "198.51.100.2");
        assert_eq!(of(&["nonsense"]), "10.0.0.1");
        assert_eq!(of(&[]), "10.0.0.1");
    }
}
