//! The bus between services: events that are never lost, commands that are replied to or sent again, and pushes to
//! browsers that may be lost.

#[cfg(feature = "servers")]
pub mod amqp;
mod command;
pub mod dead;
mod memory;
pub(crate) mod retrying;
mod subscription;

use std::sync::Arc;
use std::time::Duration;

use prost::Message;
use proto::commands::{Requester, Server};
use proto::common::v1::Push;
use proto::pushes::{self, ForPages, ForProcesses, Pushed};
use serde::Deserialize;
use tokio::sync::broadcast;

use crate::messaging::undelivered::Held;
use crate::messaging::{Event, Outbox};
use crate::{ServiceError, Shutdown};
#[cfg(feature = "servers")]
use amqp::AmqpBus;
#[cfg(feature = "servers")]
use amqp::dead::BrokerLetters;
pub use memory::Hold;
pub use retrying::Retried;
pub use subscription::{BusError, Subscription};

/// The section `[bus]`.
#[derive(Debug, Clone, Deserialize)]
pub struct BusConfig {
    /// `memory:` or `amqp://…`.
    pub url: String,
    /// Starts the names on a broker, so that several installations can share one.
    pub namespace: String,
    #[cfg(feature = "servers")]
    #[serde(flatten)]
    limits: amqp::LinkLimits,
}

/// Of events that were to be carried, those that were.
#[derive(Default)]
pub(crate) struct Taken {
    pub ids: Vec<String>,
    /// What counts as carried once it is held for its consumer in the database of the outbox.
    pub held: Vec<Held>,
    /// Why some were not.
    pub error: Option<BusError>,
}

#[derive(Clone)]
enum Carrier {
    Memory(memory::MemoryBus, command::MemoryCommands),
    #[cfg(feature = "servers")]
    Amqp(AmqpBus),
}

/// What carries the events of one outbox.
pub(crate) enum Carriage {
    Memory(memory::Lanes),
    #[cfg(feature = "servers")]
    Amqp(AmqpBus),
}

impl Carriage {
    /// Goes on with what is held for consumers within this process.
    pub(crate) async fn go_on(&mut self) -> Result<(), sea_orm::DbErr> {
        match self {
            Self::Memory(lanes) => lanes.go_on().await,
            #[cfg(feature = "servers")]
            Self::Amqp(_) => Ok(()),
        }
    }

    /// Carries events in order; answers which of them are safe there.
    pub(crate) async fn carry(&mut self, events: Vec<Event>) -> Taken {
        match self {
            Self::Memory(lanes) => lanes.carry(events).await,
            #[cfg(feature = "servers")]
            Self::Amqp(bus) => {
                let ids = events.iter().map(|event| event.id.clone()).collect();
                match bus.publisher.publish(events).await {
                    Ok(()) => Taken {
                        ids,
                        ..Taken::default()
                    },
                    Err(error) => Taken {
                        error: Some(error),
                        ..Taken::default()
                    },
                }
            }
        }
    }
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
    /// Opens the configured bus. A broker that is away is no error: work waits for it.
    pub fn open(config: &BusConfig, shutdown: &Shutdown) -> Result<Self, BusError> {
        let (pushes, _) = broadcast::channel(PUSH_BUFFER);
        let url = &config.url;
        let carrier = if url.starts_with("memory:") {
            Carrier::Memory(memory::MemoryBus::new(shutdown), Default::default())
        } else if url.starts_with("amqp:") || url.starts_with("amqps:") {
            #[cfg(not(feature = "servers"))]
            return Err(BusError::Unavailable("built without RabbitMQ".to_owned()));
            #[cfg(feature = "servers")]
            Carrier::Amqp(AmqpBus::open(config, pushes.clone(), shutdown)?)
        } else {
            return Err(BusError::Address(url.to_owned()));
        };
        Ok(Self { carrier, pushes })
    }

    /// The bus within this process, for a program that needs no other.
    pub fn within_process(shutdown: &Shutdown) -> Self {
        Self {
            carrier: Carrier::Memory(memory::MemoryBus::new(shutdown), Default::default()),
            pushes: broadcast::channel(PUSH_BUFFER).0,
        }
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

    /// What carries the events of an outbox, for its relay. `wait`: longest wait for the database of the outbox.
    pub(crate) fn carriage(&self, outbox: &Outbox, wait: Duration) -> Carriage {
        match &self.carrier {
            Carrier::Memory(bus, _) => Carriage::Memory(bus.lanes(outbox, wait)),
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => Carriage::Amqp(bus.clone()),
        }
    }

    /// Publishes events past any outbox: for tests.
    #[cfg(feature = "testing")]
    pub async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        match &self.carrier {
            Carrier::Memory(bus, _) => bus.publish(events).await,
            Carrier::Amqp(bus) => bus.publisher.publish(events).await,
        }
    }

    /// Handles commands from now on. `server` is a generated one, for example `proto::order::v1::OrderCommandsServer`,
    /// around the service's handlers.
    pub fn serve<S: Server<ServiceError> + 'static>(&self, server: S) {
        command::announce();
        let responder = Arc::new(command::Typed(server));
        match &self.carrier {
            Carrier::Memory(_, commands) => commands.serve(S::SERVICE, responder),
            #[cfg(feature = "servers")]
            Carrier::Amqp(bus) => bus.commands.serve(S::SERVICE, responder),
        }
    }

    /// Sends a push to a user's pages. It may be lost, and waits for nothing: pages ask for the state where it matters.
    pub fn push<P: ForPages>(&self, login_id: &str, push: &P) {
        self.send(login_id, push);
    }

    /// Sends a push to all pages.
    pub fn push_to_everybody<P: ForPages>(&self, push: &P) {
        self.send(pushes::EVERYBODY, push);
    }

    /// Sends a push to the processes that read it.
    pub fn notify<P: ForProcesses>(&self, push: &P) {
        self.send(P::ADDRESS, push);
    }

    fn send<P: Pushed>(&self, address: &str, push: &P) {
        match pushes::write(push) {
            Ok(json) => self.send_text(address, json),
            Err(error) => tracing::error!(%error, kind = P::TYPE, "a push has no JSON"),
        }
    }

    /// Sends any text to any address: for tests.
    #[cfg(feature = "testing")]
    pub fn push_text(&self, address: &str, json: String) {
        self.send_text(address, json);
    }

    fn send_text(&self, address: &str, json: String) {
        let push = Push {
            user_id: address.to_owned(),
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

    /// The dead letters on a broker; within one process each consumer's database has its own.
    #[cfg(feature = "servers")]
    pub(crate) fn broker_letters(&self) -> Option<BrokerLetters> {
        match &self.carrier {
            Carrier::Memory(..) => None,
            Carrier::Amqp(bus) => Some(BrokerLetters::new(bus.broker.clone())),
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
