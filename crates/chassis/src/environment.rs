//! The kind of this installation, so that what is meant for trying things out cannot be switched on in production.

use std::net::{IpAddr, Ipv6Addr};

use serde::Deserialize;

use crate::Settings;
use crate::config::ConfigError;

#[derive(Debug, thiserror::Error)]
pub enum EnvironmentError {
    #[error(
        "{what} shows every code to whoever asks and is refused: {reason} \
         (set {key} = true if that is really meant)"
    )]
    Refused {
        what: String,
        reason: NotPrivate,
        key: String,
    },
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Why an installation is not one for trials that only its own machine or private network reaches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotPrivate {
    #[error("site.environment is {0:?}")]
    Environment(String),
    #[error("neither site.public_address nor the gateway's address is known")]
    NoAddress,
    #[error("the address {0:?} is not a private one")]
    Address(String),
}

#[derive(Deserialize)]
struct SiteConfig {
    #[serde(default)]
    environment: String,
    #[serde(default)]
    public_address: String,
}

#[derive(Deserialize)]
struct GatewayAddress {
    #[serde(default)]
    public_address: String,
    #[serde(default)]
    listen: String,
}

/// Refuses `what` unless this is a development or test installation that only this machine or its private network
/// reaches. `key` is the setting that overrules the refusal, `overruled` its value.
pub fn refuse_outside_development(
    settings: &Settings,
    what: &str,
    key: &str,
    overruled: bool,
) -> Result<(), EnvironmentError> {
    if overruled {
        tracing::warn!("{what} is on although it shows every code: {key} says so");
        return Ok(());
    }
    let Some(reason) = not_private(settings)? else {
        return Ok(());
    };
    Err(EnvironmentError::Refused {
        what: what.to_owned(),
        reason,
        key: key.to_owned(),
    })
}

/// Why this is not a development or test installation that only this machine or its private network reaches; `None` if it is:
/// there, and only there, may be what shows codes, and accounts whose passwords are published.
pub fn not_private(settings: &Settings) -> Result<Option<NotPrivate>, ConfigError> {
    let site: SiteConfig = settings.section("site")?;
    let gateway: GatewayAddress = settings.section("gateway")?;
    if !matches!(site.environment.as_str(), "development" | "test") {
        return Ok(Some(NotPrivate::Environment(site.environment)));
    }
    Ok(open_address(&site, &gateway))
}

fn open_address(site: &SiteConfig, gateway: &GatewayAddress) -> Option<NotPrivate> {
    let mut stated = Vec::new();
    for address in [&site.public_address, &gateway.public_address] {
        if !address.is_empty() {
            stated.push(address.as_str());
        }
    }
    // Without a stated address people come to where the gateway listens.
    if stated.is_empty() && !gateway.listen.is_empty() {
        stated.push(&gateway.listen);
    }
    if stated.is_empty() {
        return Some(NotPrivate::NoAddress);
    }
    let open = stated.into_iter().find(|address| !is_private(address))?;
    Some(NotPrivate::Address(open.to_owned()))
}

/// Names that mean something in a private network only: RFC 6761, 6762, 8375, and the one that ICANN keeps free for it.
const LOCAL_NAMES: [&str; 4] = [".localhost", ".local", ".home.arpa", ".internal"];

/// Whether an address (`host`, `host:port` or a URL) can be reached from this machine or its private network only.
pub fn is_private(address: &str) -> bool {
    let host = host_of(address);
    let is_local = |name: &str| LOCAL_NAMES.iter().any(|local| name.ends_with(local));
    if host == "localhost" || is_local(host) {
        return true;
    }
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => ip.is_loopback() || ip.is_private(),
        Ok(IpAddr::V6(ip)) => ip == Ipv6Addr::LOCALHOST || ip.is_unique_local(),
        Err(_) => false,
    }
}

fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    if let Some(inner) = authority.strip_prefix('[') {
        return inner.split(']').next().unwrap_or_default();
    }
    // An IPv6 address without brackets has several colons and no port.
    if authority.matches(':').count() > 1 {
        return authority;
    }
    authority.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_and_private_addresses_are_private() {
        for address in [
            "127.0.0.1:8080",
            "http://localhost:8080/",
            "[::1]:80",
            "::1",
            "http://192.168.1.4",
            "10.0.0.1",
            "http://a.localhost",
            "http://box.local:8080",
        ] {
            assert!(is_private(address), "{address}");
        }
        for address in [
            "0.0.0.0:8080",
            "https://xuanlan.example",
            "http://8.8.8.8",
            "[::]:80",
            "http://127.0.0.1@evil.example/",
            "http://localhost.evil.example",
            "http://box.local.evil.example",
            "",
        ] {
            assert!(!is_private(address), "{address}");
        }
    }

    fn allowed(text: &str) -> bool {
        let settings = Settings::load_from(&[text], None, Vec::new()).unwrap();
        refuse_outside_development(&settings, "the sandbox", "x.y", false).is_ok()
    }

    #[test]
    fn production_and_open_addresses_are_refused() {
        let near = "public_address = \"http://127.0.0.1:8080\"";
        assert!(allowed(&format!(
            "[site]\nenvironment = \"development\"\n{near}"
        )));
        assert!(allowed(
            "[site]\nenvironment = \"test\"\n[gateway]\nlisten = \"127.0.0.1:8080\""
        ));
        assert!(!allowed(&format!(
            "[site]\nenvironment = \"production\"\n{near}"
        )));
        assert!(!allowed(&format!("[site]\nenvironment = \"prod\"\n{near}")));
        assert!(!allowed("[site]\nenvironment = \"development\""));
        assert!(!allowed(
            "[site]\nenvironment = \"development\"\n[gateway]\nlisten = \"0.0.0.0:8080\""
        ));
        assert!(!allowed(&format!(
            "[site]\nenvironment = \"development\"\n{near}\n[gateway]\npublic_address = \"https://x.example\""
        )));
    }

    #[test]
    fn what_is_not_a_trial_is_production() {
        for (environment, expected) in [
            ("development", false),
            ("test", false),
            ("production", true),
            ("prod", true),
            ("", true),
        ] {
            let text = format!(
                "[site]\nenvironment = \"{environment}\"\npublic_address = \"http://127.0.0.1:1\""
            );
            let settings = Settings::load_from(&[&text], None, Vec::new()).unwrap();
            let reason = expected.then(|| NotPrivate::Environment(environment.to_owned()));
            assert_eq!(not_private(&settings).unwrap(), reason, "{environment}");
        }
    }

    #[test]
    fn an_override_is_needed_and_enough() {
        let settings = Settings::load_from(
            &["[site]\nenvironment = \"production\""],
            None,
            Vec::<(String, String)>::new(),
        )
        .unwrap();
        assert!(refuse_outside_development(&settings, "it", "x.y", false).is_err());
        assert!(refuse_outside_development(&settings, "it", "x.y", true).is_ok());
    }
}
