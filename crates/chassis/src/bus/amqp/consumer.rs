//! A consumer of events on RabbitMQ: takes deliveries, handles them in lanes, acknowledges what is committed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use futures::StreamExt;
use futures::future::join_all;
use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::options::{BasicAckOptions, BasicConsumeOptions, BasicNackOptions, BasicQosOptions};
use lapin::types::FieldTable;
use tokio::sync::mpsc;

use super::connection::{Broker, DELIVERY_LIMIT, RECONNECT};
use super::message::{event_of, number_header};
use crate::bus::subscription::Subscription;
use crate::messaging::{Event, inbox};

/// Messages a consumer holds at a time.
const PREFETCH: u16 = 32;
/// Messages a consumer handles at a time: half of the connections that a service has to its database. Those of one
/// aggregate share a lane and so keep their order.
const LANES: usize = 4;

/// Delivers the consumer's events to its handler until the process ends.
pub(super) fn spawn(broker: Broker, subscription: Subscription) {
    let stop = broker.shutdown().clone();
    broker.shutdown().clone().spawn(async move {
        while !stop.is_requested() {
            if let Err(error) = consume(&broker, &subscription).await {
                tracing::warn!(consumer = subscription.consumer, %error, "consumer starts over");
            }
            tokio::select! {
                _ = stop.requested() => {}
                _ = tokio::time::sleep(RECONNECT) => {}
            }
        }
    });
}

/// Takes events until the connection fails or the process ends.
async fn consume(broker: &Broker, subscription: &Subscription) -> Result<(), lapin::Error> {
    let channel = broker.channel().await?;
    channel
        .basic_qos(PREFETCH, BasicQosOptions::default())
        .await?;
    let queue = broker.queue(subscription.consumer);
    let mut deliveries = channel
        .basic_consume(
            queue.into(),
            "".into(),
            BasicConsumeOptions::default(),
            FieldTable::default(),
        )
        .await?;
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..LANES)
        .map(|_| mpsc::channel::<(Event, Delivery)>(usize::from(PREFETCH)))
        .unzip();
    let lanes = receivers
        .into_iter()
        .map(|lane| work(broker, subscription, lane));
    let dispatch = async {
        // Owned here: the lanes end when nothing more is given out.
        let senders = senders;
        loop {
            let delivery = tokio::select! {
                _ = broker.shutdown().requested() => return Ok(()),
                delivery = deliveries.next() => delivery,
            };
            let Some(delivery) = delivery else {
                return Ok(());
            };
            let delivery = delivery?;
            let event = event_of(&delivery);
            // A lane that has ended could not acknowledge: its error is told below.
            if senders[lane_of(&event)]
                .send((event, delivery))
                .await
                .is_err()
            {
                return Ok(());
            }
        }
    };
    // What is being handled is finished, whatever happens to the connection meanwhile.
    let (dispatched, worked) = tokio::join!(dispatch, join_all(lanes));
    worked.into_iter().fold(dispatched, Result::and)
}

fn lane_of(event: &Event) -> usize {
    let mut hasher = DefaultHasher::new();
    event.aggregate.hash(&mut hasher);
    (hasher.finish() % LANES as u64) as usize
}

async fn work(
    broker: &Broker,
    subscription: &Subscription,
    mut lane: mpsc::Receiver<(Event, Delivery)>,
) -> Result<(), lapin::Error> {
    while let Some((event, delivery)) = lane.recv().await {
        // What has not begun goes back to the queue with the channel.
        if broker.shutdown().is_requested() {
            return Ok(());
        }
        handle(subscription, &event, delivery).await?;
    }
    Ok(())
}

async fn handle(
    subscription: &Subscription,
    event: &Event,
    delivery: Delivery,
) -> Result<(), lapin::Error> {
    let Subscription {
        consumer,
        outbox,
        handler,
    } = subscription;
    let error = match inbox::handle_once(outbox, consumer, handler.as_ref(), event).await {
        Ok(_) => {
            delivery.ack(BasicAckOptions::default()).await?;
            return Ok(());
        }
        Err(error) => error,
    };
    let tried = delivery_count(&delivery.properties);
    tracing::warn!(
        consumer,
        event = event.id,
        tried,
        error = format!("{error:#}"),
        "event not handled"
    );
    if tried >= i64::from(DELIVERY_LIMIT) {
        inbox::count(consumer, "dead");
    }
    // The queue has no delay of its own: the wait before giving back is the delay.
    tokio::time::sleep(Duration::from_millis(100 << tried.min(6))).await;
    let back = BasicNackOptions {
        requeue: true,
        ..Default::default()
    };
    delivery.nack(back).await?;
    Ok(())
}

/// How often a quorum queue has delivered the message before.
fn delivery_count(properties: &BasicProperties) -> i64 {
    number_header(properties.headers(), "x-delivery-count")
}
