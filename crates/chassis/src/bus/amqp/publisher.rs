//! The publisher of events: a channel in confirm mode, a whole batch confirmed together.

use std::sync::Arc;
use std::time::Duration;

use lapin::Channel;
use lapin::options::{BasicPublishOptions, ConfirmSelectOptions};
use tokio::sync::Mutex;

use super::connection::{Broker, away};
use super::message::properties_of;
use crate::bus::subscription::BusError;
use crate::messaging::Event;

/// Longest time a batch waits for its confirms.
const CONFIRM_WAIT: Duration = Duration::from_secs(20);

/// Clones share the channel.
#[derive(Clone)]
pub(crate) struct Publisher {
    broker: Broker,
    /// `None` after a failure.
    held: Arc<Mutex<Option<Channel>>>,
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
            let channel = self.broker.channel().await.map_err(away)?;
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
                    self.broker.events().into(),
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
}
