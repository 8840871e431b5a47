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

use super::connection::{Broker, RECONNECT};
use super::dead as letters;
use super::link::{Link, timed_out};
use super::message::{event_of, number_header};
use crate::bus::dead::{self, pause_after};
use crate::bus::subscription::{BusError, EVENT_LIMIT, Subscription};
use crate::limit;
use crate::messaging::{Event, inbox};

/// Messages a consumer holds at a time.
const PREFETCH: u16 = 32;
/// Messages a consumer handles at a time: half of the connections that a service has to its database. Those of one
/// aggregate share a lane and so keep their order.
const LANES: usize = 4;

/// How often it is asked how many dead letters a consumer has, and the longest time that may take.
const LETTERS_PERIOD: Duration = Duration::from_secs(15);
const LETTERS_LIMIT: Duration = Duration::from_secs(10);

/// Delivers the consumer's events to its handler until the process ends, and reports how many dead letters it has.
pub(super) fn spawn(broker: Broker, subscription: Subscription) {
    let consumer = subscription.consumer;
    let here = broker.clone();
    let measure = move || {
        let broker = here.clone();
        async move {
            let count = letters::count(&broker, consumer).await?;
            dead::record(consumer, count.into());
            Ok::<(), BusError>(())
        }
    };
    broker.shutdown().every_within(
        LETTERS_PERIOD,
        LETTERS_LIMIT,
        "measure of dead letters",
        measure,
    );
    limit::announce(consumer);
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
    let link = &channel.link;
    link.ask(channel.basic_qos(PREFETCH, BasicQosOptions::default()))
        .await?;
    let queue = broker.queue(subscription.consumer);
    let consume = channel.basic_consume(
        queue.into(),
        "".into(),
        BasicConsumeOptions::default(),
        FieldTable::default(),
    );
    let mut deliveries = link.ask(consume).await?;
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..LANES)
        .map(|_| mpsc::channel::<(Event, Delivery)>(usize::from(PREFETCH)))
        .unzip();
    let lanes = receivers
        .into_iter()
        .map(|lane| work(broker, link, subscription, lane));
    let dispatch = async {
        // Owned here: the lanes end when nothing more is given out.
        let senders = senders;
        loop {
            let delivery = tokio::select! {
                _ = broker.shutdown().requested() => return Ok(()),
                _ = link.lost() => return Err(timed_out()),
                delivery = deliveries.next() => delivery,
            };
            let Some(delivery) = delivery else {
                return Ok(());
            };
            let delivery = delivery?;
            let event = event_of(&delivery);
            // A lane that has ended could not acknowledge: its error is returned below.
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
    link: &Link,
    subscription: &Subscription,
    mut lane: mpsc::Receiver<(Event, Delivery)>,
) -> Result<(), lapin::Error> {
    while let Some((event, delivery)) = lane.recv().await {
        // What has not begun goes back to the queue with the channel.
        if broker.shutdown().is_requested() || !link.is_usable() {
            return Ok(());
        }
        handle(link, subscription, &event, delivery).await?;
    }
    Ok(())
}

async fn handle(
    link: &Link,
    subscription: &Subscription,
    event: &Event,
    delivery: Delivery,
) -> Result<(), lapin::Error> {
    let Subscription {
        consumer,
        outbox,
        handler,
    } = subscription;
    let handled = inbox::handle_once(outbox, consumer, handler.as_ref(), event);
    let error = match limit::within(consumer, EVENT_LIMIT, handled).await {
        Ok(Ok(_)) => {
            let ack = delivery.ack(BasicAckOptions::default());
            link.unless_lost(ack).await?;
            return Ok(());
        }
        Ok(Err(error)) => error,
        Err(error) => error.into(),
    };
    let tried = delivery_count(&delivery.properties);
    dead::not_handled(consumer, event, tried, &error);
    // The queue has no delay of its own: the wait before giving back is the delay.
    tokio::time::sleep(pause_after(tried)).await;
    let back = BasicNackOptions {
        requeue: true,
        ..Default::default()
    };
    link.unless_lost(delivery.nack(back)).await?;
    Ok(())
}

/// How often a quorum queue has delivered the message before.
fn delivery_count(properties: &BasicProperties) -> i64 {
    number_header(properties.headers(), "x-delivery-count")
}
