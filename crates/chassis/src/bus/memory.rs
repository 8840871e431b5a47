//! The bus within one process. It confirms an event only when every subscriber's inbox has committed, so that the
//! outbox keeps what somebody could not take.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use super::subscription::{BusError, Subscription};
use crate::messaging::{Event, inbox};

#[derive(Clone, Default)]
pub(super) struct MemoryBus {
    subscriptions: Arc<RwLock<Vec<Subscription>>>,
    holds: Arc<AtomicUsize>,
}

/// While one of these lives, nothing is carried: see [`super::Bus::hold`].
pub struct Hold(Arc<AtomicUsize>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl MemoryBus {
    pub(super) fn hold(&self) -> Hold {
        self.holds.fetch_add(1, Ordering::SeqCst);
        Hold(self.holds.clone())
    }

    pub(super) fn subscribe(&self, subscription: Subscription) {
        let mut all = self
            .subscriptions
            .write()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        all.push(subscription);
    }

    pub(super) async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        if self.holds.load(Ordering::SeqCst) > 0 {
            return Err(BusError::Unavailable("services are starting".into()));
        }
        let subscriptions = {
            let all = self
                .subscriptions
                .read()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            all.clone()
        };
        for event in &events {
            for subscription in &subscriptions {
                if !subscription.takes(&event.key) {
                    continue;
                }
                let Subscription {
                    consumer,
                    outbox,
                    handler,
                } = subscription;
                inbox::handle_once(outbox, consumer, handler.as_ref(), event)
                    .await
                    .map_err(|cause| BusError::Consumer {
                        consumer,
                        event: event.id.clone(),
                        cause,
                    })?;
            }
        }
        Ok(())
    }
}
