//! The bus on RabbitMQ.
//!
//! Events: topic exchange, one quorum queue per consumer with a delivery limit and at-least-once dead-lettering;
//! publishers wait for confirms. Pushes: a fanout exchange, one exclusive queue per listening process.
//! Every role has its own channel and starts over when that fails; the broker may be away at any time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::StreamExt;
use lapin::options::{
    BasicConsumeOptions, BasicPublishOptions, ConfirmSelectOptions, ExchangeDeclareOptions,
    QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties, ExchangeKind};
use prost::Message;
use proto::common::v1::Push;
use tokio::sync::{Mutex, broadcast, mpsc};

use super::dead::dead_queue;
use super::topology::{self, CONSUMERS};
use super::{BusError, Event, Subscription, amqp_consumer};
use crate::Shutdown;

/// Deliveries of one message before it goes to the dead letters.
pub(super) const DELIVERY_LIMIT: i32 = 20;
pub(super) const RECONNECT: Duration = Duration::from_secs(1);
/// Longest time a connection or channel may take to come about: a broker that stands still counts as away.
const OPEN_WAIT: Duration = Duration::from_secs(8);
/// Longest time a batch waits for its confirms.
const CONFIRM_WAIT: Duration = Duration::from_secs(20);
/// Pushes that wait for the broker; beyond it they are dropped.
const PUSH_QUEUE: usize = 10_000;

#[derive(Clone)]
pub(super) struct AmqpBus {
    inner: Arc<Inner>,
}

struct Inner {
    url: String,
    names: Names,
    connection: Mutex<Option<Connection>>,
    /// Channel of the publisher, in confirm mode; `None` after a failure.
    publisher: Mutex<Option<Channel>>,
    outgoing_pushes: mpsc::Sender<Push>,
    incoming_pushes: broadcast::Sender<Push>,
    listening: AtomicBool,
    connected: AtomicBool,
    shutdown: Shutdown,
}

impl AmqpBus {
    pub(super) fn open(
        url: &str,
        namespace: &str,
        pushes: broadcast::Sender<Push>,
        shutdown: &Shutdown,
    ) -> Self {
        let (outgoing, queue) = mpsc::channel(PUSH_QUEUE);
        let inner = Arc::new(Inner {
            url: url.to_owned(),
            names: Names::new(namespace),
            connection: Mutex::new(None),
            publisher: Mutex::new(None),
            outgoing_pushes: outgoing,
            incoming_pushes: pushes,
            listening: AtomicBool::new(false),
            connected: AtomicBool::new(false),
            shutdown: shutdown.clone(),
        });
        let bus = Self { inner };
        let sender = bus.clone();
        shutdown.spawn(async move { sender.send_pushes(queue).await });
        let watcher = bus.clone();
        shutdown.spawn(async move { watcher.watch().await });
        bus
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

    /// Name of the queue that a service's commands go to.
    pub(super) fn command_queue(&self, service: &str) -> String {
        self.inner.names.queue(&format!("commands.{service}"))
    }

    pub(super) fn shutdown(&self) -> &Shutdown {
        &self.inner.shutdown
    }

    pub(super) fn is_connected(&self) -> bool {
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

    pub(super) async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        let mut held = self.inner.publisher.lock().await;
        let answer =
            match tokio::time::timeout(CONFIRM_WAIT, self.publish_on(&mut held, events)).await {
                Ok(answer) => answer,
                Err(_) => Err(BusError::Unavailable("no confirm in time".into())),
            };
        if answer.is_err() {
            *held = None;
        }
        answer
    }

    async fn publish_on(
        &self,
        held: &mut Option<Channel>,
        events: Vec<Event>,
    ) -> Result<(), BusError> {
        if held
            .as_ref()
            .is_none_or(|channel| !channel.status().connected())
        {
            let channel = self.channel().await.map_err(away)?;
            channel
                .confirm_select(ConfirmSelectOptions::default())
                .await
                .map_err(away)?;
            *held = Some(channel);
        }
        let Some(channel) = held.as_ref() else {
            return Err(BusError::Unavailable("no channel".into()));
        };
        // The whole batch is the window: sent first, confirmed together.
        let mut confirms = Vec::with_capacity(events.len());
        for event in events {
            let properties = properties_of(&event);
            let confirm = channel
                .basic_publish(
                    self.inner.names.events.as_str().into(),
                    event.key.as_str().into(),
                    BasicPublishOptions::default(),
                    &event.body,
                    properties,
                )
                .await
                .map_err(away)?;
            confirms.push(confirm);
        }
        for confirm in confirms {
            if !confirm.await.map_err(away)?.is_ack() {
                return Err(BusError::Unavailable("the broker refused an event".into()));
            }
        }
        Ok(())
    }

    pub(super) fn subscribe(&self, subscription: Subscription) {
        let bus = self.clone();
        self.inner.shutdown.spawn(async move {
            while !bus.inner.shutdown.is_requested() {
                if let Err(error) = amqp_consumer::consume(&bus, &subscription).await {
                    tracing::warn!(consumer = subscription.consumer, %error, "consumer starts over");
                }
                tokio::select! {
                    _ = bus.inner.shutdown.requested() => {}
                    _ = tokio::time::sleep(RECONNECT) => {}
                }
            }
        });
    }

    pub(super) fn push(&self, push: Push) {
        // A full queue means a broker away for long: pushes may be lost.
        let _ = self.inner.outgoing_pushes.try_send(push);
    }

    async fn send_pushes(&self, mut queue: mpsc::Receiver<Push>) {
        let mut channel: Option<Channel> = None;
        loop {
            let push = tokio::select! {
                _ = self.inner.shutdown.requested() => return,
                push = queue.recv() => push,
            };
            let Some(push) = push else { return };
            if channel.as_ref().is_none_or(|c| !c.status().connected()) {
                channel = self.channel().await.ok();
            }
            let Some(open) = &channel else { continue };
            let sent = open
                .basic_publish(
                    self.inner.names.pushes.as_str().into(),
                    "".into(),
                    BasicPublishOptions::default(),
                    &push.encode_to_vec(),
                    BasicProperties::default().with_expiration("30000".into()),
                )
                .await;
            if sent.is_err() {
                channel = None;
            }
        }
    }

    /// Starts the process's one listener to pushes, once.
    pub(super) fn listen_to_pushes(&self) {
        if self.inner.listening.swap(true, Ordering::SeqCst) {
            return;
        }
        let bus = self.clone();
        self.inner.shutdown.spawn(async move {
            while !bus.inner.shutdown.is_requested() {
                if let Err(error) = bus.receive_pushes().await {
                    tracing::warn!(%error, "push listener starts over");
                }
                tokio::select! {
                    _ = bus.inner.shutdown.requested() => {}
                    _ = tokio::time::sleep(RECONNECT) => {}
                }
            }
        });
    }

    async fn receive_pushes(&self) -> Result<(), lapin::Error> {
        let channel = self.channel().await?;
        let mut arguments = FieldTable::default();
        // A listener that stands still must not fill the broker.
        arguments.insert("x-max-length".into(), AMQPValue::LongInt(100_000));
        let options = QueueDeclareOptions {
            exclusive: true,
            auto_delete: true,
            ..Default::default()
        };
        let queue = channel.queue_declare("".into(), options, arguments).await?;
        let name = queue.name().clone();
        channel
            .queue_bind(
                name.clone(),
                self.inner.names.pushes.as_str().into(),
                "".into(),
                QueueBindOptions::default(),
                FieldTable::default(),
            )
            .await?;
        let options = BasicConsumeOptions {
            no_ack: true,
            ..Default::default()
        };
        let mut deliveries = channel
            .basic_consume(name, "".into(), options, FieldTable::default())
            .await?;
        loop {
            let delivery = tokio::select! {
                _ = self.inner.shutdown.requested() => return Ok(()),
                delivery = deliveries.next() => delivery,
            };
            let Some(delivery) = delivery else {
                return Ok(());
            };
            if let Ok(push) = Push::decode(delivery?.data.as_slice()) {
                // No receiver: nobody is connected.
                let _ = self.inner.incoming_pushes.send(push);
            }
        }
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
        for key in topology::keys_of(consumer.name) {
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

pub(super) fn text(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}

pub(super) fn away(error: lapin::Error) -> BusError {
    BusError::Unavailable(error.to_string())
}

/// CloudEvents attributes as headers (AMQP binding), and the trace context.
fn properties_of(event: &Event) -> BasicProperties {
    let mut headers = FieldTable::default();
    headers.insert("cloudEvents:specversion".into(), text("1.0"));
    headers.insert("cloudEvents:id".into(), text(&event.id));
    headers.insert("cloudEvents:type".into(), text(&event.key));
    headers.insert("cloudEvents:source".into(), text("xuanlan"));
    headers.insert("cloudEvents:subject".into(), text(&event.aggregate));
    headers.insert(
        "cloudEvents:time".into(),
        AMQPValue::LongLongInt(event.time_ms),
    );
    headers.insert(
        "aggregateversion".into(),
        AMQPValue::LongLongInt(event.version),
    );
    headers.insert("traceparent".into(), text(&event.traceparent));
    BasicProperties::default()
        .with_delivery_mode(2)
        .with_content_type("application/protobuf".into())
        .with_message_id(event.id.as_str().into())
        .with_headers(headers)
}
