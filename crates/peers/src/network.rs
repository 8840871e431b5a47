//! Networks given as `10.0.0.0/8` or as single addresses.

use std::net::IpAddr;

#[derive(Debug, Clone, Default)]
pub struct Networks {
    all: Vec<(u128, u32)>,
}

impl Networks {
    /// Errors: a text that is neither an address nor a network.
    pub fn read(texts: &[String]) -> anyhow::Result<Self> {
        let mut all = Vec::new();
        for text in texts {
            let (address, length) = match text.split_once('/') {
                Some((address, length)) => (address, Some(length.parse::<u32>()?)),
                None => (text.as_str(), None),
            };
            let address: IpAddr = address.parse()?;
            // IPv4 maps to the last 32 bits of ::ffff:0:0/96.
            let offset = if address.is_ipv4() { 96 } else { 0 };
            let length = length.map_or(128, |length| length + offset);
            anyhow::ensure!(length <= 128, "network {text} is too long");
            all.push((bits(address), length));
        }
        Ok(Self { all })
    }

    pub fn contain(&self, address: IpAddr) -> bool {
        let address = bits(address);
        self.all.iter().any(|(network, length)| {
            let shift = 128 - length;
            // Shifting out all bits is only defined up to 127.
            shift == 128 || (network >> shift) == (address >> shift)
        })
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().to_bits(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_and_addresses() {
        let networks = Networks::read(&["10.0.0.0/8".into(), "::1".into()]).unwrap();
        let contains = |text: &str| networks.contain(text.parse().unwrap());
        assert!(contains("10.200.3.4") && contains("::1") && contains("::ffff:10.1.1.1"));
        assert!(!contains("11.0.0.1") && !contains("::2"));
        assert!(
            Networks::read(&["0.0.0.0/0".into()])
                .unwrap()
                .contain("1.2.3.4".parse().unwrap())
        );
        assert!(Networks::read(&["10.0.0.0/40".into()]).is_err());
        assert!(Networks::read(&["proxy".into()]).is_err());
    }
}
