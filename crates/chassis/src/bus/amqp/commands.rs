//! Commands on RabbitMQ: a queue for each service that its replicas share, direct reply-to for the replies. A request
//! expires with its deadline and is mandatory: without a queue it comes back at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::{Duration, Instant};

use futures::StreamExt;
use lapin::options::{
    BasicAckOptions, BasicCancelOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Confirmation, Consumer};
use prost::Message;
use proto::commands::is_read;
use proto::common::v1::CommandReply;
use tokio::sync::{Mutex, Semaphore, oneshot};

use super::connection::{Broker, RECONNECT};
use super::link::{Link, LinkChannel, timed_out};
use super::message::{text, text_header};
use crate::ServiceError;
use crate::bus::command::{Responder, reply_of};

/// The pseudo-queue of direct reply-to.
const REPLY_TO: &str = "amq.rabbitmq.reply-to";
/// Removes a queue without consumers after this time: it outlived a restart of the broker, and its service.
const UNUSED_MS: i32 = 60_000;
/// The pause between two tries to reach a service without a consumer.
const NOBODY_PAUSE: Duration = Duration::from_millis(100);
/// Requests that one process works on at a time: twice as many as a service has connections to its database, for some wait for
/// other services. A process that freezes keeps so many from the other replicas until the broker misses its heartbeats.
const AT_A_TIME: u16 = 16;
/// Requests of one process that are out once more: what is slow everywhere is not made slower by them.
const AGAIN_AT_A_TIME: usize = 16;

type Waiting = Arc<StdMutex<HashMap<String, oneshot::Sender<CommandReply>>>>;

/// Sends and handles commands; clones share the requesting channel.
#[derive(Clone)]
pub(crate) struct Commands {
    broker: Broker,
    channel: Arc<Mutex<Option<LinkChannel>>>,
    waiting: Waiting,
    next: Arc<AtomicU64>,
    again: Arc<Semaphore>,
}

/// Removes a request from the list when its caller stops waiting for the reply.
struct Waits<'a> {
    waiting: &'a Waiting,
    id: String,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.remove(&self.id);
    }
}

impl Commands {
    pub(super) fn new(broker: Broker) -> Self {
        Self {
            broker,
            channel: Arc::default(),
            waiting: Waiting::default(),
            next: Arc::default(),
            again: Arc::new(Semaphore::new(AGAIN_AT_A_TIME)),
        }
    }

    pub(crate) async fn request(
        &self,
        service: &str,
        command: &str,
        request: &[u8],
    ) -> Result<CommandReply, ServiceError> {
        let away = || ServiceError::Unavailable("service");
        let heard = async {
            tokio::select! {
                heard = self.send_until_heard(service, command, request) => heard,
                reply = self.ask_again(service, command, request) => Ok(Some(reply)),
            }
        };
        match tokio::time::timeout(self.broker.limits().reply_wait(), heard).await {
            Ok(Ok(Some(reply))) => Ok(reply),
            Ok(Ok(None)) => Err(away()),
            Ok(Err(error)) => {
                tracing::warn!(to = service, command, %error, "command not sent");
                Err(away())
            }
            Err(_) => {
                tracing::warn!(to = service, command, "no reply in time");
                Err(away())
            }
        }
    }

    /// Sends a command that changes nothing once more, and again, while its reply takes long: the replica that has it may be
    /// frozen. Resolves with a reply only.
    async fn ask_again(&self, service: &str, command: &str, request: &[u8]) -> CommandReply {
        let pause = self.broker.limits().ask_again();
        if !is_read(service, command) {
            return std::future::pending().await;
        }
        loop {
            tokio::time::sleep(pause).await;
            let Ok(_place) = self.again.try_acquire() else {
                continue;
            };
            tracing::info!(to = service, command, "no reply yet, asked again");
            let sent = self.send(service, command, request, pause);
            if let Ok(Ok(Some(reply))) = tokio::time::timeout(pause, sent).await {
                return reply;
            }
        }
    }

    /// Sends again for a while where no replica consumes: one is just starting, or both change places.
    async fn send_until_heard(
        &self,
        service: &str,
        command: &str,
        request: &[u8],
    ) -> Result<Option<CommandReply>, lapin::Error> {
        let limits = self.broker.limits();
        let until = Instant::now() + limits.nobody_wait();
        loop {
            let reply = self.send(service, command, request, limits.reply_wait());
            let reply = reply.await?;
            if reply.is_some() || Instant::now() > until {
                return Ok(reply);
            }
            tokio::time::sleep(NOBODY_PAUSE).await;
        }
    }

    /// `None`: no replica consumes. After `expires` none begins with it.
    async fn send(
        &self,
        service: &str,
        command: &str,
        request: &[u8],
        expires: Duration,
    ) -> Result<Option<CommandReply>, lapin::Error> {
        let channel = self.request_channel().await?;
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let (sender, receiver) = oneshot::channel();
        self.waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), sender);
        let waits = Waits {
            waiting: &self.waiting,
            id,
        };
        let mut headers = FieldTable::default();
        headers.insert("traceparent".into(), text(&crate::telemetry::traceparent()));
        let properties = BasicProperties::default()
            .with_headers(headers)
            .with_type(command.into())
            .with_reply_to(REPLY_TO.into())
            .with_correlation_id(waits.id.as_str().into())
            .with_expiration(expires.as_millis().to_string().into());
        let options = BasicPublishOptions {
            mandatory: true,
            ..Default::default()
        };
        let queue = self.broker.command_queue(service);
        let publishing = async {
            let sent = channel.basic_publish("".into(), queue.into(), options, request, properties);
            sent.await?.await
        };
        let confirmed = channel.link.ask(publishing).await?;
        if !matches!(confirmed, Confirmation::Ack(None)) {
            return Ok(None);
        }
        // The reply comes back on the same connection.
        tokio::select! {
            reply = receiver => Ok(reply.ok()),
            _ = channel.link.lost() => Err(timed_out()),
        }
    }

    /// The channel that requests leave on and replies come back on: the broker ties the two together.
    async fn request_channel(&self) -> Result<LinkChannel, lapin::Error> {
        let mut held = self.channel.lock().await;
        if let Some(channel) = held.as_ref()
            && channel.is_usable()
        {
            return Ok(channel.clone());
        }
        let channel = self.broker.channel().await?;
        let link = &channel.link;
        link.ask(channel.confirm_select(ConfirmSelectOptions::default()))
            .await?;
        let options = BasicConsumeOptions {
            no_ack: true,
            ..Default::default()
        };
        let consume =
            channel.basic_consume(REPLY_TO.into(), "".into(), options, FieldTable::default());
        let replies = link.ask(consume).await?;
        // Not ended by a shutdown: calls that are being finished still wait for replies.
        tokio::spawn(hand_out(replies, link.clone(), self.waiting.clone()));
        *held = Some(channel.clone());
        Ok(channel)
    }

    pub(crate) fn serve(&self, service: &'static str, responder: Arc<dyn Responder>) {
        let commands = self.clone();
        self.broker.shutdown().spawn(async move {
            while !commands.broker.shutdown().is_requested() {
                if let Err(error) = commands.serve_all(service, &responder).await {
                    tracing::warn!(%error, "serving commands starts over");
                }
                tokio::select! {
                    _ = commands.broker.shutdown().requested() => {}
                    _ = tokio::time::sleep(RECONNECT) => {}
                }
            }
        });
    }

    /// A channel, with the queue declared. A queue made by another version is used as it is: declaring it otherwise is refused
    /// while that version runs beside this one.
    async fn channel_with(&self, queue: &str) -> Result<LinkChannel, lapin::Error> {
        let channel = self.broker.channel().await?;
        // Deleted with its last consumer, so that requests come back at once instead of waiting. Durable, because RabbitMQ 4
        // gives up queues that are neither durable nor exclusive; the requests in it are not.
        let options = QueueDeclareOptions {
            durable: true,
            auto_delete: true,
            ..Default::default()
        };
        let mut arguments = FieldTable::default();
        arguments.insert("x-expires".into(), AMQPValue::LongInt(UNUSED_MS));
        let made = channel.queue_declare(queue.into(), options, arguments);
        if channel.link.ask(made).await.is_ok() {
            return Ok(channel);
        }
        // The refusal has closed the channel.
        let channel = self.broker.channel().await?;
        let known = QueueDeclareOptions {
            passive: true,
            ..Default::default()
        };
        let declared = channel.queue_declare(queue.into(), known, FieldTable::default());
        channel.link.ask(declared).await?;
        Ok(channel)
    }

    async fn serve_all(
        &self,
        service: &'static str,
        responder: &Arc<dyn Responder>,
    ) -> Result<(), lapin::Error> {
        let queue = self.broker.command_queue(service);
        let channel = self.channel_with(&queue).await?;
        let link = &channel.link;
        link.ask(channel.basic_qos(AT_A_TIME, BasicQosOptions::default()))
            .await?;
        let consume = channel.basic_consume(
            queue.as_str().into(),
            "".into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        );
        let mut requests = link.ask(consume).await?;
        let mut ending = false;
        loop {
            let delivery = tokio::select! {
                _ = self.broker.shutdown().requested(), if !ending => {
                    // Requests go to other replicas from now on; those that have arrived are handled.
                    ending = true;
                    let name = requests.tag();
                    link.ask(channel.basic_cancel(name, BasicCancelOptions::default())).await?;
                    continue;
                }
                _ = link.lost() => return Err(timed_out()),
                delivery = requests.next() => delivery,
            };
            let Some(delivery) = delivery else {
                return Ok(());
            };
            let delivery = delivery?;
            let (channel, responder) = (channel.clone(), responder.clone());
            self.broker.shutdown().spawn(async move {
                if let Err(error) = reply(&channel, responder.as_ref(), delivery).await {
                    tracing::warn!(%error, "reply not sent");
                }
            });
        }
    }
}

/// Delivers replies to the requests that wait for them.
async fn hand_out(mut replies: Consumer, link: Link, waiting: Waiting) {
    loop {
        let delivery = tokio::select! {
            delivery = replies.next() => delivery,
            _ = link.lost() => return,
        };
        let Some(Ok(delivery)) = delivery else { return };
        let id = delivery.properties.correlation_id().as_ref();
        let Some(id) = id.map(|id| id.as_str().to_owned()) else {
            continue;
        };
        let sender = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
        if let (Some(sender), Ok(reply)) = (sender, CommandReply::decode(delivery.data.as_slice()))
        {
            // The requester may have given up.
            let _ = sender.send(reply);
        }
    }
}

async fn reply(
    channel: &LinkChannel,
    responder: &dyn Responder,
    delivery: lapin::message::Delivery,
) -> Result<(), lapin::Error> {
    let properties = &delivery.properties;
    let command = properties.kind().as_ref().map(|kind| kind.as_str());
    let trace = text_header(properties.headers(), "traceparent");
    let command = command.unwrap_or_default();
    let reply = reply_of(responder, command, &delivery.data, &trace).await;
    let to = properties.reply_to().as_ref().map(|to| to.as_str());
    let id = properties.correlation_id().as_ref().map(|id| id.as_str());
    let link = &channel.link;
    if let (Some(to), Some(id)) = (to, id) {
        let body = reply.encode_to_vec();
        let sent = channel.basic_publish(
            "".into(),
            to.into(),
            BasicPublishOptions::default(),
            &body,
            BasicProperties::default().with_correlation_id(id.into()),
        );
        link.unless_lost(sent).await?;
    }
    link.unless_lost(delivery.ack(BasicAckOptions::default()))
        .await?;
    Ok(())
}
