//! Pushes to browsers: a fanout exchange, one exclusive queue for each process that listens.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::StreamExt;
use lapin::BasicProperties;
use lapin::options::{
    BasicConsumeOptions, BasicPublishOptions, QueueBindOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use prost::Message;
use proto::common::v1::Push;
use tokio::sync::{broadcast, mpsc};

use super::connection::{Broker, RECONNECT};
use super::link::{LinkChannel, timed_out};

/// Pushes that wait for the broker; beyond it they are dropped.
const WAITING: usize = 10_000;

/// Clones share the queue and the one listener of the process.
#[derive(Clone)]
pub(crate) struct Pushes {
    broker: Broker,
    outgoing: mpsc::Sender<Push>,
    incoming: broadcast::Sender<Push>,
    listening: Arc<AtomicBool>,
}

impl Pushes {
    pub(super) fn new(broker: Broker, incoming: broadcast::Sender<Push>) -> Self {
        let (outgoing, queue) = mpsc::channel(WAITING);
        let pushes = Self {
            broker,
            outgoing,
            incoming,
            listening: Arc::default(),
        };
        let sender = pushes.clone();
        pushes
            .broker
            .shutdown()
            .spawn(async move { sender.send_all(queue).await });
        pushes
    }

    /// Never waits; a push may be lost.
    pub(crate) fn send(&self, push: Push) {
        // A full queue means a broker away for long: pushes may be lost.
        let _ = self.outgoing.try_send(push);
    }

    async fn send_all(&self, mut queue: mpsc::Receiver<Push>) {
        let mut channel: Option<LinkChannel> = None;
        loop {
            let push = tokio::select! {
                _ = self.broker.shutdown().requested() => return,
                push = queue.recv() => push,
            };
            let Some(push) = push else { return };
            if channel.as_ref().is_none_or(|c| !c.is_usable()) {
                channel = self.broker.channel().await.ok();
            }
            let Some(open) = &channel else { continue };
            let body = push.encode_to_vec();
            let sent = open.basic_publish(
                self.broker.pushes().into(),
                "".into(),
                BasicPublishOptions::default(),
                &body,
                BasicProperties::default().with_expiration("30000".into()),
            );
            if open.link.unless_lost(sent).await.is_err() {
                channel = None;
            }
        }
    }

    /// Starts the process's one listener to pushes, once.
    pub(crate) fn listen(&self) {
        if self.listening.swap(true, Ordering::SeqCst) {
            return;
        }
        let pushes = self.clone();
        self.broker.shutdown().spawn(async move {
            while !pushes.broker.shutdown().is_requested() {
                if let Err(error) = pushes.receive().await {
                    tracing::warn!(%error, "push listener starts over");
                }
                tokio::select! {
                    _ = pushes.broker.shutdown().requested() => {}
                    _ = tokio::time::sleep(RECONNECT) => {}
                }
            }
        });
    }

    async fn receive(&self) -> Result<(), lapin::Error> {
        let channel = self.broker.channel().await?;
        let mut arguments = FieldTable::default();
        // A listener that hangs must not fill the broker.
        arguments.insert("x-max-length".into(), AMQPValue::LongInt(100_000));
        let options = QueueDeclareOptions {
            exclusive: true,
            auto_delete: true,
            ..Default::default()
        };
        let link = &channel.link;
        let declared = channel.queue_declare("".into(), options, arguments);
        let queue = link.ask(declared).await?;
        let name = queue.name().clone();
        let bound = channel.queue_bind(
            name.clone(),
            self.broker.pushes().into(),
            "".into(),
            QueueBindOptions::default(),
            FieldTable::default(),
        );
        link.ask(bound).await?;
        let options = BasicConsumeOptions {
            no_ack: true,
            ..Default::default()
        };
        let consume = channel.basic_consume(name, "".into(), options, FieldTable::default());
        let mut deliveries = link.ask(consume).await?;
        loop {
            let delivery = tokio::select! {
                _ = self.broker.shutdown().requested() => return Ok(()),
                _ = link.lost() => return Err(timed_out()),
                delivery = deliveries.next() => delivery,
            };
            let Some(delivery) = delivery else {
                return Ok(());
            };
            if let Ok(push) = Push::decode(delivery?.data.as_slice()) {
                // No receiver: no client is connected.
                let _ = self.incoming.send(push);
            }
        }
    }
}
