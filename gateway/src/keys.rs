//! The client's keys: the current one and, for a while after a change, the previous one.

use chassis::Settings;
use serde::Deserialize;

use crate::config::ClientConfig;

#[derive(Clone)]
pub struct Key {
    pub kid: String,
    pub secret: String,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Key({})", self.kid)
    }
}

#[derive(Debug, Clone)]
pub struct ClientKeys {
    pub client_id: String,
    pub current: Key,
    /// With the Unix time in milliseconds until which it is valid.
    previous: Option<(Key, i64)>,
}

/// File of the generated secret.
const SECRET: &str = "client.secret";

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
}

impl ClientKeys {
    /// Whether the secret existed before this start.
    pub fn exist(config: &ClientConfig, settings: &Settings) -> anyhow::Result<bool> {
        let data: DataConfig = settings.section("data")?;
        let kept = chassis::config_files::is_kept(&data.dir, SECRET);
        Ok(kept || !config.secret.is_empty())
    }

    pub fn read(config: &ClientConfig, settings: &Settings) -> anyhow::Result<Self> {
        let secret = if config.secret.is_empty() {
            let data: DataConfig = settings.section("data")?;
            chassis::config_files::kept_secret(&data.dir, SECRET)?
        } else {
            config.secret.clone()
        };
        let previous = if config.previous_kid.is_empty() || config.previous_secret.is_empty() {
            None
        } else {
            let key = Key {
                kid: config.previous_kid.clone(),
                secret: config.previous_secret.clone(),
            };
            Some((key, config.previous_until_ms))
        };
        anyhow::ensure!(
            !config.id.is_empty() && !config.kid.is_empty(),
            "[gateway.client] needs id and kid"
        );
        Ok(Self {
            client_id: config.id.clone(),
            current: Key {
                kid: config.kid.clone(),
                secret,
            },
            previous,
        })
    }

    /// The key with id `kid`, if it is valid at `now_ms`.
    pub fn find(&self, kid: &str, now_ms: i64) -> Option<&Key> {
        self.good(now_ms).find(|key| key.kid == kid)
    }

    /// Whether any valid key has this secret; each is compared in constant time.
    pub fn knows_secret(&self, secret: &str, now_ms: i64) -> bool {
        let mut known = false;
        for key in self.good(now_ms) {
            known |= d3sig::same(&key.secret, secret);
        }
        known
    }

    fn good(&self, now_ms: i64) -> impl Iterator<Item = &Key> {
        let previous = self.previous.iter().filter(move |(_, end)| now_ms < *end);
        std::iter::once(&self.current).chain(previous.map(|(key, _)| key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_previous_key_is_good_until_its_end() {
        let key = |kid: &str| Key {
            kid: kid.into(),
            secret: format!("secret of {kid}"),
        };
        let keys = ClientKeys {
            client_id: "web".into(),
            current: key("k2"),
            previous: Some((key("k1"), 1000)),
        };
        assert!(keys.find("k1", 999).is_some());
        assert!(keys.find("k1", 1000).is_none());
        assert!(keys.find("k2", 5000).is_some());
        assert!(keys.knows_secret("secret of k1", 0));
        assert!(!keys.knows_secret("secret of k1", 1000));
        assert!(!keys.knows_secret("", 0));
    }
}
