//! What a carrier of events needs to know of a consumer, and how it fails.

use std::sync::Arc;

use crate::messaging::{Handler, Outbox};

/// Who wants which events.
#[derive(Clone)]
pub struct Subscription {
    /// Name of the consumer in [`super::topology::CONSUMERS`], which says what it gets; on RabbitMQ the name of its queue.
    pub consumer: &'static str,
    /// The consumer's own outbox: its database holds the inbox too, and what the handler adds is carried once the
    /// transaction has committed.
    pub outbox: Outbox,
    pub handler: Arc<dyn Handler>,
}

#[derive(Debug, thiserror::Error)]
pub enum BusError {
    #[error("bus address {0} is not understood")]
    Address(String),
    #[error("bus is not available: {0}")]
    Unavailable(String),
    #[error("consumer {consumer} did not take event {event}: {cause:#}")]
    Consumer {
        consumer: &'static str,
        event: String,
        cause: anyhow::Error,
    },
}
