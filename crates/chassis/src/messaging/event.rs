//! An event as it travels, and what handles one.

use sea_orm::DatabaseTransaction;

/// A fact, as it travels. CloudEvents attributes: id, type (`key`), subject (`aggregate`), time.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: String,
    /// Routing key `<service>.<thing>.<fact>`.
    pub key: String,
    /// Id of the thing the fact is about.
    pub aggregate: String,
    /// Version of the thing after the fact.
    pub version: i64,
    /// Unix time in milliseconds.
    pub time_ms: i64,
    /// W3C trace context of its cause; empty without one.
    pub traceparent: String,
    /// The encoded message of the publisher's `events.proto`.
    pub body: Vec<u8>,
}

/// Handles events inside the transaction that marks them as handled.
#[async_trait::async_trait]
pub trait Handler: Send + Sync {
    /// An error rolls everything back; the event comes again.
    async fn handle(&self, transaction: &DatabaseTransaction, event: &Event) -> anyhow::Result<()>;
}
