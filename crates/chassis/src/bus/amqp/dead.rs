//! Dead letters: messages that a consumer has refused as often as its queue allows. Each consumer has a queue of them;
//! here they are looked at, delivered to the consumer again, or dropped, with nothing but AMQP.

use lapin::options::{
    BasicAckOptions, BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions,
    QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Confirmation};
use proto::events::CONSUMERS;
use serde::Serialize;

use super::connection::{Broker, away};
use super::message::event_of;
use crate::bus::subscription::BusError;
use crate::messaging::Event;

/// What is done with a dead letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// The consumer gets it again; what it has handled already it recognises.
    Replay,
    /// It is gone.
    Drop,
}

/// A dead letter, its body aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadLetter {
    pub id: String,
    pub key: String,
    /// Id of the thing it is about.
    pub aggregate: String,
    pub version: i64,
    /// When the event happened, Unix milliseconds.
    pub time_ms: i64,
    /// When it was given up, Unix milliseconds; 0 where the broker did not say.
    pub died_at_ms: i64,
    /// Trace of whoever caused it.
    pub traceparent: String,
    /// Size of its body.
    pub bytes: usize,
}

/// The dead letters of all consumers of one installation.
pub struct DeadLetters {
    broker: Broker,
}

impl DeadLetters {
    pub(crate) fn new(broker: Broker) -> Self {
        Self { broker }
    }

    /// The consumer that a name means: its own, or that of its queue or of the queue of its dead letters.
    pub fn consumer(&self, name: &str) -> Option<&'static str> {
        let named = |consumer: &str| {
            let queue = self.broker.queue(consumer);
            name == consumer || name == queue || name == self.broker.dead_queue(consumer)
        };
        let found = CONSUMERS.iter().find(|consumer| named(consumer.name));
        found.map(|consumer| consumer.name)
    }

    /// How many each consumer has.
    pub async fn counts(&self) -> Result<Vec<(&'static str, u32)>, BusError> {
        let channel = self.broker.channel().await.map_err(away)?;
        let mut all = Vec::with_capacity(CONSUMERS.len());
        for consumer in CONSUMERS {
            let queue = self.broker.dead_queue(consumer.name);
            all.push((consumer.name, waiting(&channel, &queue).await?));
        }
        Ok(all)
    }

    /// Asks `judge` about each dead letter of a consumer, the oldest first and at most `most` of them, and does as it says.
    /// Answers how many it was asked about.
    ///
    /// A letter leaves the queue only after the broker has confirmed its copy, so none is ever lost: who is killed in
    /// between leaves one twice. What is kept goes to the end of the queue (after all of them the order is what it was),
    /// for giving it back would count as one more delivery.
    pub async fn go_through(
        &self,
        consumer: &str,
        most: u32,
        mut judge: impl FnMut(&DeadLetter) -> Verdict,
    ) -> Result<u32, BusError> {
        let queue = self.broker.queue(consumer);
        let dead = self.broker.dead_queue(consumer);
        let channel = self.broker.channel().await.map_err(away)?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await
            .map_err(away)?;
        let mut seen = 0;
        for _ in 0..waiting(&channel, &dead).await?.min(most) {
            let got = channel
                .basic_get(dead.as_str().into(), BasicGetOptions::default())
                .await
                .map_err(away)?;
            let Some(got) = got else { break };
            let delivery = got.delivery;
            seen += 1;
            let verdict = judge(&letter_of(&delivery));
            let properties = delivery.properties.clone();
            match verdict {
                Verdict::Keep => copy(&channel, &dead, &delivery.data, properties).await?,
                Verdict::Replay => {
                    copy(&channel, &queue, &delivery.data, reborn(properties)).await?;
                }
                Verdict::Drop => {}
            }
            delivery
                .ack(BasicAckOptions::default())
                .await
                .map_err(away)?;
        }
        Ok(seen)
    }
}

async fn waiting(channel: &Channel, queue: &str) -> Result<u32, BusError> {
    let options = QueueDeclareOptions {
        passive: true,
        ..Default::default()
    };
    let declared = channel
        .queue_declare(queue.into(), options, FieldTable::default())
        .await
        .map_err(away)?;
    Ok(declared.message_count())
}

/// Puts a message into one queue, past all exchanges that have others behind them, and waits until it is safe there.
async fn copy(
    channel: &Channel,
    queue: &str,
    body: &[u8],
    properties: BasicProperties,
) -> Result<(), BusError> {
    let options = BasicPublishOptions {
        mandatory: true,
        ..Default::default()
    };
    let confirm = channel
        .basic_publish("".into(), queue.into(), options, body, properties)
        .await
        .map_err(away)?;
    match confirm.await.map_err(away)? {
        Confirmation::Ack(None) => Ok(()),
        _ => Err(BusError::Unavailable(format!(
            "{queue} did not take a message"
        ))),
    }
}

/// The properties without what the broker wrote about the death.
fn reborn(properties: BasicProperties) -> BasicProperties {
    let mut headers = FieldTable::default();
    for (name, value) in properties.headers().iter().flat_map(FieldTable::inner) {
        let of_death = ["x-death", "x-first-death-", "x-last-death-"];
        let name_text = name.as_str();
        let written = of_death.iter().any(|start| name_text.starts_with(start));
        if !written && name_text != "x-delivery-count" {
            headers.insert(name.clone(), value.clone());
        }
    }
    properties.with_headers(headers)
}

fn letter_of(delivery: &lapin::message::Delivery) -> DeadLetter {
    let Event {
        id,
        key,
        aggregate,
        version,
        time_ms,
        traceparent,
        body,
    } = event_of(delivery);
    DeadLetter {
        id,
        key,
        aggregate,
        version,
        time_ms,
        traceparent,
        died_at_ms: died_at_ms(&delivery.properties),
        bytes: body.len(),
    }
}

/// The time in the newest entry of `x-death`.
fn died_at_ms(properties: &BasicProperties) -> i64 {
    let deaths = properties
        .headers()
        .as_ref()
        .and_then(|headers| headers.inner().get("x-death"));
    let Some(AMQPValue::FieldArray(deaths)) = deaths else {
        return 0;
    };
    let Some(AMQPValue::FieldTable(newest)) = deaths.as_slice().first() else {
        return 0;
    };
    match newest.inner().get("time") {
        Some(AMQPValue::Timestamp(seconds)) => {
            i64::try_from(*seconds).map_or(0, |seconds| seconds.saturating_mul(1000))
        }
        _ => 0,
    }
}
