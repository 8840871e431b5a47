//! The bus on RabbitMQ.
//!
//! Events: topic exchange, one quorum queue per consumer with a delivery limit and at-least-once dead-lettering;
//! publishers wait for confirms. Pushes: a fanout exchange, one exclusive queue per listening process. Commands: a queue for
//! each service, direct reply-to. Every role has its own channel and starts over when that fails; the broker may be away at
//! any time.

mod commands;
mod connection;
mod consumer;
pub(crate) mod dead;
mod link;
mod message;
mod publisher;
mod pushes;

use proto::common::v1::Push;
use tokio::sync::broadcast;

use super::BusConfig;
use super::subscription::{BusError, Subscription};
use crate::Shutdown;
use commands::Commands;
use connection::Broker;
pub(super) use link::LinkLimits;
use publisher::Publisher;
use pushes::Pushes;

/// All roles of one process at the broker; clones share them.
#[derive(Clone)]
pub(crate) struct AmqpBus {
    pub(super) broker: Broker,
    pub(super) publisher: Publisher,
    pub(super) pushes: Pushes,
    pub(super) commands: Commands,
}

impl AmqpBus {
    pub(super) fn open(
        config: &BusConfig,
        pushes: broadcast::Sender<Push>,
        shutdown: &Shutdown,
    ) -> Result<Self, BusError> {
        let broker = Broker::open(config, shutdown)?;
        Ok(Self {
            publisher: Publisher::new(broker.clone()),
            pushes: Pushes::new(broker.clone(), pushes),
            commands: Commands::new(broker.clone()),
            broker,
        })
    }

    pub(super) fn subscribe(&self, subscription: Subscription) {
        consumer::spawn(self.broker.clone(), subscription);
    }
}
