//! Dead letters on a broker: each consumer has a queue of them. Here they are looked at, delivered to the consumer again, or
//! dropped, with nothing but AMQP.

use lapin::options::{
    BasicAckOptions, BasicGetOptions, BasicPublishOptions, ConfirmSelectOptions,
    QueueDeclareOptions,
};
use lapin::types::{AMQPValue, FieldTable};
use lapin::{BasicProperties, Channel, Confirmation};
use proto::events::CONSUMERS;

use super::connection::{Broker, away};
use super::link::LinkChannel;
use super::message::event_of;
use crate::bus::dead::{Backlog, DeadLetter, Unhandled, Verdict};
use crate::bus::subscription::BusError;
use crate::messaging::Event;

/// The dead letters of all consumers of one installation.
pub(crate) struct BrokerLetters {
    broker: Broker,
}

impl BrokerLetters {
    pub(crate) fn new(broker: Broker) -> Self {
        Self { broker }
    }

    pub(crate) async fn backlogs(&self) -> Result<Vec<Backlog>, BusError> {
        let channel = self.broker.channel().await.map_err(away)?;
        let mut all = Vec::with_capacity(CONSUMERS.len());
        for consumer in CONSUMERS {
            let queue = self.broker.queue(consumer.name);
            let dead = self.broker.dead_queue(consumer.name);
            let counts = Unhandled {
                waiting: waiting(&channel, &queue).await?.into(),
                dead: waiting(&channel, &dead).await?.into(),
            };
            all.push(Backlog {
                consumer: consumer.name,
                counts: Some(counts),
            });
        }
        Ok(all)
    }

    /// A channel on which the broker confirms what is published.
    async fn confirming(&self) -> Result<LinkChannel, BusError> {
        let channel = self.broker.channel().await.map_err(away)?;
        channel
            .confirm_select(ConfirmSelectOptions::default())
            .await
            .map_err(away)?;
        Ok(channel)
    }

    #[cfg(feature = "testing")]
    pub(crate) async fn bury(&self, consumer: &str, event: &Event) -> Result<(), BusError> {
        let dead = self.broker.dead_queue(consumer);
        let channel = self.confirming().await?;
        let properties = super::message::properties_of(event);
        copy(&channel, &dead, &event.body, properties).await
    }

    /// Goes through them as [`crate::dead_letters::DeadLetters::go_through`] says.
    ///
    /// A letter leaves the queue only after the broker has confirmed its copy, so none is ever lost: a kill in between leaves
    /// one twice. What is kept goes to the end of the queue (after all of them the order is what it was), for giving it back
    /// would count as one more delivery.
    pub(crate) async fn go_through(
        &self,
        consumer: &str,
        most: u32,
        mut judge: impl FnMut(&DeadLetter) -> Verdict,
    ) -> Result<u32, BusError> {
        let queue = self.broker.queue(consumer);
        let dead = self.broker.dead_queue(consumer);
        let channel = self.confirming().await?;
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
        reason: String::new(),
    }
}

/// How many a consumer has.
pub(super) async fn count(broker: &Broker, consumer: &str) -> Result<u32, BusError> {
    let channel = broker.channel().await.map_err(away)?;
    waiting(&channel, &broker.dead_queue(consumer)).await
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
