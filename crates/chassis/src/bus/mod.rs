//! The bus between services: events that are never lost, commands that are replied to or sent again, and pushes to
//! browsers that may be lost.

#[cfg(feature = "servers")]
pub mod amqp;
mod command;
mod memory;
mod subscription;

use std::sync::Arc;

use prost::Message;
use proto::commands::{Requester, Server};
use proto::common::v1::Push;
use tokio::sync::broadcast;

use crate::messaging::Event;
use crate::{ServiceError, Shutdown};
#[cfg(feature = "servers")]
use amqp::AmqpBus;
#[cfg(feature = "servers")]
use amqp::dead::DeadLetters;
pub use memory::Hold;
pub use subscription::{BusError, Subscription};

#[derive(Clone)]
enum Carrier {
    Memory(memory::MemoryBus, command::MemoryCommands),
    #[cfg(feature = "servers")]
    Amqp(AmqpBus),
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
        #[cfg(not(feature = "servers"))]
        let _ = shutdown;
        let carrier = if url.starts_with("memory:") {
            Carrier::Memory(Default::default(), Default::default())
        } else if url.starts_with("amqp:") || url.starts_with("amqps:") {
            #[cfg(not(feature = "servers"))]
            return Err(BusError::Unavailable(format!(
                "{namespace}: built without RabbitMQ"
            )));
            #[cfg(feature = "servers")]
            Carrier::Amqp(AmqpBus::open(url, namespace, pushes.clone(), shutdown))
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
            #[cfg(feature = "servers")]
            Carrier::Amqp(_) => None,
        }
    }

    /// Delivers the consumer's events to its handler, each once, from now on and as long as the bus lives.
    pub fn subscribe(&self, subscription: Subscription) {
        match &self.carrier {
            Carrier::Memory(bus, _) => bus.subscribe(subscription),
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.subscribe(subscription),
        }
    }

    /// Publishes events in order; returns when all are confirmed. Called by the outbox relay only.
    pub async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        match &self.carrier {
            Carrier::Memory(bus, _) => bus.publish(events).await,
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.publisher.publish(events).await,
        }
    }

    /// Handles commands from now on. `server` is a generated one, for example `proto::order::v1::OrderCommandsServer`,
    /// around the service's handlers.
    pub fn serve<S: Server<ServiceError> + 'static>(&self, server: S) {
        let responder = Arc::new(command::Typed(server));
        match &self.carrier {
            Carrier::Memory(_, commands) => commands.serve(S::SERVICE, responder),
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.commands.serve(S::SERVICE, responder),
        }
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
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.pushes.send(push),
        }
    }

    /// All pushes from now on: for the gateway.
    pub fn pushes(&self) -> broadcast::Receiver<Push> {
        #[cfg(feature = "servers")]
        if let Carrier::Amqp(bus) = &self.carrier {
            bus.pushes.listen();
        }
        self.pushes.subscribe()
    }

    /// The dead letters; none within one process, where an event waits in its outbox until it has been handled.
    #[cfg(feature = "servers")]
    pub fn dead_letters(&self) -> Option<DeadLetters> {
        match &self.carrier {
            Carrier::Memory(..) => None,
            Carrier::Amqp(bus) => Some(DeadLetters::new(bus.broker.clone())),
        }
    }

    /// Whether the carrier answers.
    pub fn is_connected(&self) -> bool {
        match &self.carrier {
            Carrier::Memory(..) => true,
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.broker.is_connected(),
        }
    }
}

/// Used by the generated functions, for example `OrderCommands::begin(&bus, &request)`.
///
/// Errors: what the service refuses with; `Unavailable` when no reply came, which leaves open whether the command was
/// carried out: send it again with the same key.
impl Requester for Bus {
    type Error = ServiceError;

    async fn request<Reply: Message + Default>(
        &self,
        service: &str,
        command: &str,
        request: &impl Message,
    ) -> Result<Reply, ServiceError> {
        let request = request.encode_to_vec();
        let reply = match &self.carrier {
            Carrier::Memory(_, commands) => commands.request(service, command, &request).await?,
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.commands.request(service, command, &request).await?,
        };
        command::message_of(reply)
    }
}
