//! The bus between services: events that are never lost, commands that are answered or asked again, and pushes to
//! browsers that may be lost.

mod amqp;
mod amqp_command;
mod amqp_consumer;
pub mod command;
pub mod dead;
mod memory;
pub mod topology;

use std::sync::Arc;

use prost::Message;
use proto::common::v1::Push;
use sea_orm::DatabaseTransaction;
use tokio::sync::broadcast;

use crate::db::outbox::Outbox;
use crate::{ServiceError, Shutdown};
use command::Responder;
use dead::DeadLetters;
pub use memory::Hold;

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
    /// W3C trace context of whoever caused it; empty without one.
    pub traceparent: String,
    /// The encoded message of the service's `events.proto`.
    pub body: Vec<u8>,
}

/// Handles events inside the transaction that marks them as handled.
#[async_trait::async_trait]
pub trait Handler: Send + Sync {
    /// An error rolls everything back; the event comes again.
    async fn handle(&self, transaction: &DatabaseTransaction, event: &Event) -> anyhow::Result<()>;
}

/// Who wants which events.
#[derive(Clone)]
pub struct Subscription {
    /// Name of the consumer in [`topology::CONSUMERS`], which says what it gets; on RabbitMQ the name of its queue.
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

#[derive(Clone)]
enum Carrier {
    Memory(memory::MemoryBus, command::MemoryCommands),
    Amqp(amqp::AmqpBus, amqp_command::AmqpCommands),
}

/// Handle of the bus; clones share it.
#[derive(Clone)]
pub struct Bus {
    carrier: Carrier,
    pushes: broadcast::Sender<Push>,
}

/// Pushes a slow reader may lag behind before it loses the oldest.
const PUSH_BUFFER: usize = 4096;

impl Bus {
    /// Opens the bus a URL names: `memory:` or `amqp://…`. A broker that is away is no error: work waits for it.
    ///
    /// `namespace` starts the names on a broker, so that several installations can share one.
    pub async fn open(url: &str, namespace: &str, shutdown: &Shutdown) -> Result<Self, BusError> {
        let (pushes, _) = broadcast::channel(PUSH_BUFFER);
        let carrier = if url.starts_with("memory:") {
            Carrier::Memory(Default::default(), Default::default())
        } else if url.starts_with("amqp:") || url.starts_with("amqps:") {
            let bus = amqp::AmqpBus::open(url, namespace, pushes.clone(), shutdown);
            Carrier::Amqp(bus.clone(), amqp_command::AmqpCommands::new(bus))
        } else {
            return Err(BusError::Address(url.to_owned()));
        };
        Ok(Self { carrier, pushes })
    }

    /// Lets events wait in their outboxes while the answer lives: for the start of several services in one process, where
    /// what a killed process left must not be carried past a consumer that has not subscribed yet. A broker has a queue
    /// for each consumer and needs none of it.
    pub fn hold(&self) -> Option<Hold> {
        match &self.carrier {
            Carrier::Memory(bus, _) => Some(bus.hold()),
            Carrier::Amqp(..) => None,
        }
    }

    /// Delivers the consumer's events to its handler, each once, from now on and as long as the bus lives.
    pub fn subscribe(&self, subscription: Subscription) {
        match &self.carrier {
            Carrier::Memory(bus, _) => bus.subscribe(subscription),
            Carrier::Amqp(bus, _) => bus.subscribe(subscription),
        }
    }

    /// Publishes events in order; returns when all are confirmed. Called by the outbox relay only.
    pub async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        match &self.carrier {
            Carrier::Memory(bus, _) => bus.publish(events).await,
            Carrier::Amqp(bus, _) => bus.publish(events).await,
        }
    }

    /// Answers the commands of `service` from now on.
    pub fn serve(&self, service: &'static str, responder: Arc<dyn Responder>) {
        match &self.carrier {
            Carrier::Memory(_, commands) => commands.serve(service, responder),
            Carrier::Amqp(_, commands) => commands.serve(service, responder),
        }
    }

    /// Asks a service. Errors: what it refuses with; `Unavailable` when no answer came, which leaves open whether the
    /// command was carried out: ask again with the same key.
    pub async fn ask<A: Message + Default>(
        &self,
        service: &str,
        command: &str,
        question: &impl Message,
    ) -> Result<A, ServiceError> {
        let question = question.encode_to_vec();
        let reply = match &self.carrier {
            Carrier::Memory(_, commands) => commands.ask(service, command, &question).await?,
            Carrier::Amqp(_, commands) => commands.ask(service, command, &question).await?,
        };
        command::answer_of(reply)
    }

    /// Sends a message to a user's browsers. May be lost; never waits for anybody.
    pub fn push(&self, user_id: &str, json: String) {
        let push = Push {
            user_id: user_id.to_owned(),
            json,
            traceparent: crate::telemetry::traceparent(),
        };
        match &self.carrier {
            // No receiver means that no browser is listening.
            Carrier::Memory(..) => drop(self.pushes.send(push)),
            Carrier::Amqp(bus, _) => bus.push(push),
        }
    }

    /// All pushes from now on: for the gateway.
    pub fn pushes(&self) -> broadcast::Receiver<Push> {
        if let Carrier::Amqp(bus, _) = &self.carrier {
            bus.listen_to_pushes();
        }
        self.pushes.subscribe()
    }

    /// The dead letters; none within one process, where an event waits in its outbox until it has been handled.
    pub fn dead_letters(&self) -> Option<DeadLetters> {
        match &self.carrier {
            Carrier::Memory(..) => None,
            Carrier::Amqp(bus, _) => Some(DeadLetters::new(bus.clone())),
        }
    }

    /// Whether the carrier answers.
    pub fn is_connected(&self) -> bool {
        match &self.carrier {
            Carrier::Memory(..) => true,
            Carrier::Amqp(bus, _) => bus.is_connected(),
        }
    }
}
