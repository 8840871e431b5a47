//! Events: message, routing key, consumers and topic of each. Generated from the option `event` of the messages in `events.proto`.

use prost::Message;
use serde_json::{Value, json};

/// A message that its service publishes.
pub trait Published: Message + Default {
    /// Routing key on the bus; the CloudEvents `type`.
    const KEY: &'static str;
}

/// An event that stays within the system. If its order matters, its message has a version.
pub trait Internal: Published {}

/// An event that is exported to a topic, with the version of the object it is about.
pub trait Streamed: Published {}

/// Handles the events that name a service as a consumer: implemented by the generated `…Consumer`, which decodes an event and calls
/// its method. `Transaction` is the consumer's own type.
pub trait Consumer<Transaction>: Send + Sync {
    /// Name of the consumer, which is that of the service; part of its queue's name on RabbitMQ.
    const NAME: &'static str;

    /// Handles an event; ignores one that is not routed to this consumer.
    fn handle(
        &self,
        transaction: &Transaction,
        key: &str,
        body: &[u8],
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}

/// Metadata of an event, for carriers that do not know its message.
#[derive(Debug)]
pub struct EventInfo {
    pub key: &'static str,
    /// Full name of the message, for example `xuanlan.order.v1.OrderPaid`.
    pub message: &'static str,
    pub publisher: &'static str,
    /// Kafka topic, without the installation's namespace; `None` if the event stays within the system.
    pub topic: Option<&'static str>,
    pub consumers: &'static [&'static str],
}

/// A consumer and its exact routing keys.
#[derive(Debug)]
pub struct ConsumerInfo {
    pub name: &'static str,
    pub keys: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/events.rs"));

/// The consumer of this name.
pub fn consumer(name: &str) -> Option<&'static ConsumerInfo> {
    CONSUMERS.iter().find(|consumer| consumer.name == name)
}

/// The event with this key.
pub fn of_key(key: &str) -> Option<&'static EventInfo> {
    EVENTS.iter().find(|event| event.key == key)
}

/// Events of a service that are exported to topics.
pub fn streamed_by(service: &str) -> impl Iterator<Item = &'static EventInfo> {
    EVENTS
        .iter()
        .filter(move |event| event.publisher == service && event.topic.is_some())
}

/// The table of all events as JSON, for programs in other languages.
pub fn document() -> String {
    let event = |event: &EventInfo| {
        json!({
            "key": event.key,
            "message": event.message,
            "publisher": event.publisher,
            "topic": event.topic,
            "consumers": event.consumers,
        })
    };
    let all = Value::Array(EVENTS.iter().map(event).collect());
    // Serialising a Value cannot fail.
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}
