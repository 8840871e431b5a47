//! The connection of one process to RabbitMQ, and what stands on the broker: exchanges, queues and bindings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lapin::options::{ExchangeDeclareOptions, QueueBindOptions, QueueDeclareOptions};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{Channel, Connection, ConnectionProperties, ExchangeKind};
use proto::events::CONSUMERS;
use tokio::sync::Mutex;

use super::message::text;
use crate::Shutdown;
use crate::bus::subscription::BusError;

/// Deliveries of one message before it goes to the dead letters.
pub(super) const DELIVERY_LIMIT: i32 = 20;
/// Pause before a role whose channel has failed starts over.
pub(super) const RECONNECT: Duration = Duration::from_secs(1);
/// Longest time a connection or channel may take to come about: a broker that stands still counts as away.
const OPEN_WAIT: Duration = Duration::from_secs(8);

/// Handle of the connection; clones share it.
#[derive(Clone)]
pub(crate) struct Broker {
    inner: Arc<Inner>,
}

struct Inner {
    url: String,
    names: Names,
    connection: Mutex<Option<Connection>>,
    connected: AtomicBool,
    shutdown: Shutdown,
}

impl Broker {
    pub(super) fn open(url: &str, namespace: &str, shutdown: &Shutdown) -> Self {
        let inner = Arc::new(Inner {
            url: url.to_owned(),
            names: Names::new(namespace),
            connection: Mutex::new(None),
            connected: AtomicBool::new(false),
            shutdown: shutdown.clone(),
        });
        let broker = Self { inner };
        let watcher = broker.clone();
        shutdown.spawn(async move { watcher.watch().await });
        broker
    }

    /// Keeps the connection up even while nobody uses it, so that readiness tells the truth.
    async fn watch(&self) {
        while !self.inner.shutdown.is_requested() {
            if let Err(error) = self.channel().await {
                tracing::warn!(%error, "bus is away");
            }
            tokio::select! {
                _ = self.inner.shutdown.requested() => {}
                _ = tokio::time::sleep(RECONNECT * 2) => {}
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

    pub(super) fn shutdown(&self) -> &Shutdown {
        &self.inner.shutdown
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.inner.connected.load(Ordering::Relaxed)
    }

    /// A fresh channel; connects, and declares the topology, when there is no connection.
    pub(super) async fn channel(&self) -> Result<Channel, lapin::Error> {
        let mut held = self.inner.connection.lock().await;
        if let Some(connection) = held.as_ref()
            && connection.status().connected()
        {
            match in_time(connection.create_channel()).await {
                Ok(channel) => return Ok(channel),
                Err(error) => tracing::warn!(%error, "bus connection lost"),
            }
        }
        *held = None;
        self.inner.connected.store(false, Ordering::Relaxed);
        let properties = ConnectionProperties::default().with_connection_name("xuanlan".into());
        let made = in_time(async {
            let connection = Connection::connect(&self.inner.url, properties).await?;
            let channel = connection.create_channel().await?;
            declare(&channel, &self.inner.names).await?;
            Ok((connection, channel))
        });
        let (connection, channel) = made.await?;
        *held = Some(connection);
        self.inner.connected.store(true, Ordering::Relaxed);
        Ok(channel)
    }
}

/// What the broker answers, unless it takes too long.
async fn in_time<T>(
    work: impl Future<Output = Result<T, lapin::Error>>,
) -> Result<T, lapin::Error> {
    match tokio::time::timeout(OPEN_WAIT, work).await {
        Ok(answer) => answer,
        Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
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
