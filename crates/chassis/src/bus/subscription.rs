//! What a carrier of events needs to know of a consumer, and how it fails.

use std::sync::Arc;
use std::time::Duration;

use proto::events::Consumer;
use sea_orm::DatabaseTransaction;

use crate::messaging::{Event, Handler, Outbox};

/// Longest time that a consumer may take to handle one event.
pub(super) const EVENT_LIMIT: Duration = Duration::from_secs(20);

/// A consumer with what handles its events.
#[derive(Clone)]
pub struct Subscription {
    /// On RabbitMQ the name of its queue.
    pub(super) consumer: &'static str,
    /// The consumer's own outbox: its database holds the inbox too, and what the handler adds is carried once the
    /// transaction has committed.
    pub(super) outbox: Outbox,
    pub(super) handler: Arc<dyn Handler>,
}

impl Subscription {
    /// `consumer` is a generated one, for example `proto::order::v1::OrderConsumer`, around the service's handlers.
    pub fn new<C: Consumer<DatabaseTransaction> + 'static>(outbox: Outbox, consumer: C) -> Self {
        Self {
            consumer: C::NAME,
            outbox,
            handler: Arc::new(Typed(consumer)),
        }
    }

    /// One that gets whole events in the place of a service: for tests. Panics when no event names this consumer.
    #[cfg(feature = "testing")]
    pub fn observing(consumer: &'static str, outbox: Outbox, handler: Arc<dyn Handler>) -> Self {
        assert!(
            proto::events::consumer(consumer).is_some(),
            "{consumer} consumes nothing"
        );
        Self {
            consumer,
            outbox,
            handler,
        }
    }

    /// Whether events with this key are routed to the consumer.
    pub(super) fn takes(&self, key: &str) -> bool {
        proto::events::consumer(self.consumer).is_some_and(|known| known.keys.contains(&key))
    }
}

struct Typed<C>(C);

#[async_trait::async_trait]
impl<C: Consumer<DatabaseTransaction>> Handler for Typed<C> {
    async fn handle(&self, transaction: &DatabaseTransaction, event: &Event) -> anyhow::Result<()> {
        self.0.handle(transaction, &event.key, &event.body).await
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BusError {
    #[error("bus address {0} is not understood")]
    Address(String),
    #[error("bus is not available: {0}")]
    Unavailable(String),
    #[cfg(feature = "testing")]
    #[error("consumer {consumer} did not take event {event}: {cause:#}")]
    Consumer {
        consumer: &'static str,
        event: String,
        cause: anyhow::Error,
    },
}
