//! The publisher of events: a channel in confirm mode, a whole batch confirmed together.

use std::sync::Arc;
use std::time::Duration;

use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use tokio::sync::Mutex;

use super::connection::{Broker, away};
use super::link::LinkChannel;
use super::message::properties_of;
use crate::bus::subscription::BusError;
use crate::messaging::Event;

/// Longest time a batch waits for its confirms: its rows are locked meanwhile.
const CONFIRM_WAIT: Duration = Duration::from_secs(10);

/// Clones share the channel.
#[derive(Clone)]
pub(crate) struct Publisher {
    broker: Broker,
    /// `None` after a failure.
    held: Arc<Mutex<Option<LinkChannel>>>,
}

impl Publisher {
    pub(super) fn new(broker: Broker) -> Self {
        Self {
            broker,
            held: Arc::default(),
        }
    }

    /// Publishes events in order; returns when all are confirmed.
    pub(crate) async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        let mut held = self.held.lock().await;
        let answer = self.publish_on(&mut held, events).await;
        if answer.is_err() {
            *held = None;
        }
        answer
    }

    async fn publish_on(
        &self,
        held: &mut Option<LinkChannel>,
        events: Vec<Event>,
    ) -> Result<(), BusError> {
        let channel = match held.take().filter(LinkChannel::is_usable) {
            Some(channel) => channel,
            None => self.confirming_channel().await.map_err(away)?,
        };
        let channel = held.insert(channel);
        let confirmed = channel
            .link
            .ask_for(CONFIRM_WAIT, self.send(channel, events));
        match confirmed.await.map_err(away)? {
            true => Ok(()),
            false => Err(BusError::Unavailable("the broker refused an event".into())),
        }
    }

    async fn confirming_channel(&self) -> Result<LinkChannel, lapin::Error> {
        let channel = self.broker.channel().await?;
        let select = channel.confirm_select(ConfirmSelectOptions::default());
        channel.link.ask(select).await?;
        Ok(channel)
    }

    /// Whether all were acknowledged.
    async fn send(&self, channel: &LinkChannel, events: Vec<Event>) -> Result<bool, lapin::Error> {
        // The whole batch is the window: sent first, confirmed together.
        let mut confirms = Vec::with_capacity(events.len());
        for event in events {
            let properties = properties_of(&event);
            let confirm = channel
                .basic_publish(
                    self.broker.events().into(),
                    event.key.as_str().into(),
                    BasicPublishOptions::default(),
                    &event.body,
                    properties,
                )
                .await?;
            confirms.push(confirm);
        }
        for confirm in confirms {
            if !confirm.await?.is_ack() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
