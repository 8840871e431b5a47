//! Topics for readers outside this system: events that name a topic in their `events.proto` leave their outbox for Kafka
//! too, in order per key and at least once. Off (`memory:`) unless a broker is configured.

#[cfg(feature = "servers")]
pub(crate) mod kafka;
#[cfg(feature = "servers")]
mod message;

use std::sync::Arc;

use serde::Deserialize;

use crate::Settings;
use crate::config::ConfigError;
#[cfg(feature = "servers")]
pub(crate) use message::Message;

/// The section `[stream]`.
#[derive(Debug, Clone, Deserialize)]
pub struct StreamConfig {
    /// `memory:` (nothing leaves) or `kafka://host:port`, several brokers separated by commas.
    pub url: String,
    /// Starts the names of topics.
    pub namespace: String,
    /// Of a topic that is made.
    pub partitions: i32,
    /// Copies of a topic that is made; -1: as the broker says.
    pub replication: i32,
}

#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    #[error("stream address {0} is not understood")]
    Address(String),
    #[cfg(feature = "servers")]
    #[error("broker: {0}")]
    Broker(#[from] rdkafka::error::KafkaError),
    #[error("event {id} cannot be written as JSON: {cause}")]
    Event {
        id: String,
        cause: proto::json::JsonError,
    },
    #[error(transparent)]
    Config(#[from] ConfigError),
}

/// Handle of the stream; clones share it.
#[derive(Debug, Clone)]
pub struct Stream {
    config: Arc<StreamConfig>,
}

impl Stream {
    pub fn open(settings: &Settings) -> Result<Self, StreamError> {
        let config: StreamConfig = settings.section("stream")?;
        let known = config.url.starts_with("memory:")
            || config
                .url
                .strip_prefix("kafka://")
                .is_some_and(|brokers| !brokers.is_empty());
        if !known {
            return Err(StreamError::Address(config.url));
        }
        Ok(Self {
            config: Arc::new(config),
        })
    }

    /// Whether events of `service` leave.
    pub(crate) fn carries(&self, service: &str) -> bool {
        self.brokers().is_some() && proto::events::streamed_by(service).next().is_some()
    }

    /// `host:port,…`; none when nothing leaves.
    fn brokers(&self) -> Option<&str> {
        self.config.url.strip_prefix("kafka://")
    }

    #[cfg(feature = "servers")]
    fn topic(&self, name: &str) -> String {
        format!("{}.{name}", self.config.namespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(url: &str) -> Result<Stream, StreamError> {
        let text = format!("[stream]\nurl = \"{url}\"");
        Stream::open(&Settings::load_from(&[&text], None, Vec::new()).unwrap())
    }

    #[test]
    fn an_address_is_off_or_names_brokers() {
        assert!(!stream("memory:").unwrap().carries("order"));
        assert!(stream("kafka://a:1,b:2").unwrap().carries("order"));
        assert!(!stream("kafka://a:1").unwrap().carries("auth"));
        for wrong in ["kafka://", "amqp://a", ""] {
            assert!(stream(wrong).is_err(), "{wrong}");
        }
    }
}
