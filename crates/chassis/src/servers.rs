//! Addresses of servers outside, where the program was built without what speaks to them.

use crate::Settings;

/// A setting names a server outside that this build cannot speak to.
#[derive(Debug, thiserror::Error)]
#[error(
    "{setting} = {address}：这个程序只含内置部件（scripts/run 的快速构建），要连接外部的 PostgreSQL、Redis、RabbitMQ、Kafka 或 OTLP，请改用完整构建：cargo build --release --bin xuanlan"
)]
pub struct NotBuilt {
    setting: &'static str,
    address: String,
}

impl NotBuilt {
    pub fn new(setting: &'static str, address: impl Into<String>) -> Self {
        Self {
            setting,
            address: address.into(),
        }
    }
}

/// Settings that may name a server outside: section, key, and the scheme of what is embedded (empty: nothing is).
const PLACES: [(&str, &str, &str, &str); 5] = [
    ("database", "url", "sqlite:", "database.url"),
    ("cache", "url", "memory:", "cache.url"),
    ("bus", "url", "memory:", "bus.url"),
    ("stream", "url", "memory:", "stream.url"),
    ("telemetry", "otlp", "", "telemetry.otlp"),
];

/// Errors when a setting names a server that this build cannot speak to; never in a build with the feature `servers`.
pub fn check(settings: &Settings) -> anyhow::Result<()> {
    if cfg!(feature = "servers") {
        return Ok(());
    }
    match named(settings)? {
        Some(outside) => Err(outside.into()),
        None => Ok(()),
    }
}

/// The first setting that names a server outside.
fn named(settings: &Settings) -> anyhow::Result<Option<NotBuilt>> {
    for (section, key, embedded, setting) in PLACES {
        let table: toml::Table = settings.section(section)?;
        let Some(address) = table.get(key).and_then(toml::Value::as_str) else {
            continue;
        };
        let inside = match embedded {
            "" => address.is_empty(),
            scheme => address.starts_with(scheme),
        };
        if !inside {
            return Ok(Some(NotBuilt::new(setting, without_password(address))));
        }
    }
    Ok(None)
}

/// An address as it may be shown.
fn without_password(address: &str) -> String {
    match (address.find("://"), address.rfind('@')) {
        (Some(scheme), Some(at)) if at > scheme => {
            format!("{}://…{}", &address[..scheme], &address[at..])
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(section: &str, key: &str, value: &str) -> Settings {
        let name = format!(
            "XUANLAN__{}__{}",
            section.to_uppercase(),
            key.to_uppercase()
        );
        Settings::load_from(&[], None, [(name, value.to_owned())]).expect("settings load")
    }

    #[test]
    fn the_defaults_need_no_server() {
        let defaults = Settings::load_from(&[], None, []).expect("settings load");
        assert!(named(&defaults).expect("defaults").is_none());
    }

    #[test]
    fn each_server_outside_is_named_without_its_password() {
        for (section, key, address) in [
            ("database", "url", "postgres://me:secret@db:5432/{service}"),
            ("cache", "url", "redis://:secret@cache:6379/0"),
            ("bus", "url", "amqp://me:secret@rabbit:5672"),
            ("stream", "url", "kafka://kafka:9092"),
            ("telemetry", "otlp", "http://collector:4317"),
        ] {
            let outside = named(&settings(section, key, address)).expect("settings");
            let text = outside.expect("named").to_string();
            assert!(text.contains(&format!("{section}.{key}")), "{text}");
            assert!(!text.contains("secret"), "{text}");
            assert!(text.contains("cargo build --release --bin xuanlan"));
        }
    }
}
