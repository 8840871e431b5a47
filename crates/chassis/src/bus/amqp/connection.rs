//! The connection of one process to RabbitMQ, and the topology on the broker: exchanges, queues and bindings.

use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::uri::AMQPUri;
use lapin::{Channel, Connection, ConnectionProperties, ExchangeKind};
use proto::events::CONSUMERS;
use tokio::sync::Mutex;

use super::link::{self, Link, LinkChannel, LinkLimits, bury, timed_out};
use super::message::text;
use crate::Shutdown;
use crate::bus::BusConfig;
use crate::bus::dead::DELIVERY_LIMIT;
use crate::bus::subscription::BusError;

/// Pause before a role whose channel has failed starts over.
pub(super) const RECONNECT: Duration = Duration::from_secs(1);
/// Longest time a connection may take to come about: a broker that hangs counts as away.
const OPEN_WAIT: Duration = Duration::from_secs(8);

/// Handle of the connection; clones share it.
#[derive(Clone)]
pub(crate) struct Broker {
    inner: Arc<Inner>,
}

struct Inner {
    uri: AMQPUri,
    limits: LinkLimits,
    names: Names,
    /// Held while a connection is made, so that all roles wait for the same.
    connection: Mutex<Option<(Connection, Link)>>,
    /// The link of that connection, for readers of its state.
    link: StdMutex<Option<Link>>,
    shutdown: Shutdown,
}

impl Broker {
    /// Errors: the address is not understood.
    pub(super) fn open(config: &BusConfig, shutdown: &Shutdown) -> Result<Self, BusError> {
        let mut uri: AMQPUri = config
            .url
            .parse()
            .map_err(|_| BusError::Address("amqp://…".to_owned()))?;
        let heartbeat = config.limits.heartbeat_seconds;
        uri.query.heartbeat.get_or_insert(heartbeat);
        let inner = Arc::new(Inner {
            uri,
            limits: config.limits.clone(),
            names: Names::new(&config.namespace),
            connection: Mutex::new(None),
            link: StdMutex::new(None),
            shutdown: shutdown.clone(),
        });
        let broker = Self { inner };
        link::announce();
        let watcher = broker.clone();
        shutdown.spawn(async move { watcher.watch().await });
        Ok(broker)
    }

    /// Keeps the connection up even while it is idle, and probes the broker now and then, so that readiness is accurate and a
    /// dead connection is replaced.
    async fn watch(&self) {
        while !self.inner.shutdown.is_requested() {
            if let Err(error) = self.channel().await {
                tracing::warn!(%error, "bus is away");
            }
            let link = self.link();
            let lost = async {
                match link {
                    Some(link) => link.lost().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = self.inner.shutdown.requested() => {}
                _ = tokio::time::sleep(RECONNECT * 2) => {}
                _ = lost => {}
            }
        }
    }

    /// Name of a consumer's queue.
    pub(super) fn queue(&self, consumer: &str) -> String {
        self.inner.names.queue(consumer)
    }

    /// Name of the queue of a consumer's dead letters.
    pub(super) fn dead_queue(&self, consumer: &str) -> String {
        dead_queue(&self.queue(consumer))
    }

    /// Name of the exchange that events are published to.
    pub(super) fn events(&self) -> &str {
        &self.inner.names.events
    }

    /// Name of the exchange that pushes are published to.
    pub(super) fn pushes(&self) -> &str {
        &self.inner.names.pushes
    }

    /// Name of the queue that a service's commands go to.
    pub(super) fn command_queue(&self, service: &str) -> String {
        self.inner.names.queue(&format!("commands.{service}"))
    }

    pub(super) fn limits(&self) -> &LinkLimits {
        &self.inner.limits
    }

    pub(super) fn shutdown(&self) -> &Shutdown {
        &self.inner.shutdown
    }

    fn link(&self) -> Option<Link> {
        let link = self.inner.link.lock();
        link.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set_link(&self, link: Option<Link>) {
        let mut held = self
            .inner
            .link
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *held = link;
    }

    /// Whether there is a connection that has answered the last question.
    pub(crate) fn is_connected(&self) -> bool {
        self.link().is_some_and(|link| link.answers())
    }

    /// A fresh channel; connects, and declares the topology, when there is no connection.
    pub(super) async fn channel(&self) -> Result<LinkChannel, lapin::Error> {
        let mut held = self.inner.connection.lock().await;
        if let Some((connection, link)) = held.as_ref()
            && link.is_usable()
        {
            match link.ask(connection.create_channel()).await {
                Ok(channel) => return Ok(LinkChannel::new(channel, link.clone())),
                // Slow, or dead: known after some questions more.
                Err(error) if link.is_usable() => return Err(error),
                Err(error) => tracing::warn!(%error, "bus connection lost"),
            }
        }
        self.set_link(None);
        if let Some((connection, link)) = held.take() {
            // Every role starts over on the next one.
            link.give_up();
            tokio::spawn(bury(connection, self.inner.uri.query.heartbeat));
        }
        let made = tokio::time::timeout(OPEN_WAIT, self.connect()).await;
        let (connection, channel) = made.unwrap_or_else(|_| Err(timed_out()))?;
        let link = Link::new(connection.status().clone(), &self.inner.limits);
        self.set_link(Some(link.clone()));
        *held = Some((connection, link.clone()));
        Ok(LinkChannel::new(channel, link))
    }

    async fn connect(&self) -> Result<(Connection, Channel), lapin::Error> {
        let properties = ConnectionProperties::default().with_connection_name("xuanlan".into());
        let connection = Connection::connect_uri(self.inner.uri.clone(), properties).await?;
        let channel = connection.create_channel().await?;
        declare(&channel, &self.inner.names).await?;
        Ok((connection, channel))
    }
}

/// Names on the broker, so that several installations can share one.
struct Names {
    namespace: String,
    events: String,
    dead: String,
    pushes: String,
}

impl Names {
    fn new(namespace: &str) -> Self {
        Self {
            namespace: namespace.to_owned(),
            events: format!("{namespace}.events"),
            dead: format!("{namespace}.dead"),
            pushes: format!("{namespace}.pushes"),
        }
    }

    fn queue(&self, consumer: &str) -> String {
        format!("{}.{consumer}", self.namespace)
    }
}

fn dead_queue(queue: &str) -> String {
    format!("{queue}.dead")
}

async fn declare(channel: &Channel, names: &Names) -> Result<(), lapin::Error> {
    let durable = ExchangeDeclareOptions {
        durable: true,
        ..Default::default()
    };
    let exchanges = [
        (&names.events, ExchangeKind::Topic),
        (&names.dead, ExchangeKind::Direct),
        (&names.pushes, ExchangeKind::Fanout),
    ];
    for (name, kind) in exchanges {
        channel
            .exchange_declare(name.as_str().into(), kind, durable, FieldTable::default())
            .await?;
    }
    for consumer in CONSUMERS {
        let queue = names.queue(consumer.name);
        let dead = dead_queue(&queue);
        declare_quorum(channel, &dead, FieldTable::default()).await?;
        bind(channel, &dead, &names.dead, &queue).await?;
        let mut arguments = FieldTable::default();
        arguments.insert(
            "x-delivery-limit".into(),
            AMQPValue::LongInt(DELIVERY_LIMIT),
        );
        arguments.insert("x-dead-letter-exchange".into(), text(&names.dead));
        arguments.insert("x-dead-letter-routing-key".into(), text(&queue));
        arguments.insert("x-dead-letter-strategy".into(), text("at-least-once"));
        arguments.insert("x-overflow".into(), text("reject-publish"));
        declare_quorum(channel, &queue, arguments).await?;
        for key in consumer.keys {
            bind(channel, &queue, &names.events, key).await?;
        }
    }
    Ok(())
}

async fn declare_quorum(
    channel: &Channel,
    name: &str,
    mut arguments: FieldTable,
) -> Result<(), lapin::Error> {
    arguments.insert("x-queue-type".into(), text("quorum"));
    channel
        .queue_declare(name.into(), QueueDeclareOptions::durable(), arguments)
        .await?;
    Ok(())
}

async fn bind(
    channel: &Channel,
    queue: &str,
    exchange: &str,
    key: &str,
) -> Result<(), lapin::Error> {
    channel
        .queue_bind(
            queue.into(),
            exchange.into(),
            key.into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        )
        .await
}

pub(super) fn away(error: lapin::Error) -> BusError {
    BusError::Unavailable(error.to_string())
}
