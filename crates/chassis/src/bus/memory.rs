//! The bus within one process. It takes an event when every subscriber has handled it, keeps it in its own database, or has it
//! held for it in that of the outbox ([`crate::messaging::undelivered`]): what one consumer cannot handle is tried again later,
//! as often as a broker's queue would, and given up then, while everything else passes. Events of one aggregate keep their
//! order for each consumer.

mod lanes;
mod receiver;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

#[cfg(feature = "testing")]
use super::subscription::BusError;
use super::subscription::Subscription;
use crate::Shutdown;
#[cfg(feature = "testing")]
use crate::messaging::Event;
use crate::messaging::Outbox;
pub(crate) use lanes::Lanes;
use receiver::Receiver;

#[derive(Clone)]
pub(super) struct MemoryBus {
    receivers: Arc<RwLock<Vec<Receiver>>>,
    holds: Arc<AtomicUsize>,
    shutdown: Shutdown,
}

/// While one of these lives, nothing is carried: see [`super::Bus::hold`].
pub struct Hold(Arc<AtomicUsize>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl MemoryBus {
    pub(super) fn new(shutdown: &Shutdown) -> Self {
        Self {
            receivers: Arc::default(),
            holds: Arc::default(),
            shutdown: shutdown.clone(),
        }
    }

    pub(super) fn hold(&self) -> Hold {
        self.holds.fetch_add(1, Ordering::SeqCst);
        Hold(self.holds.clone())
    }

    pub(super) fn subscribe(&self, subscription: Subscription) {
        let receiver = Receiver::new(subscription);
        let (retrying, bus) = (receiver.clone(), self.clone());
        self.shutdown.spawn(async move {
            let is_held = || bus.is_held();
            retrying.retry_until_the_end(&bus.shutdown, is_held).await;
        });
        let mut all = self
            .receivers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        all.push(receiver);
    }

    fn is_held(&self) -> bool {
        self.holds.load(Ordering::SeqCst) > 0
    }

    fn receivers(&self) -> Vec<Receiver> {
        let all = self
            .receivers
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        all.clone()
    }

    /// What carries the events of an outbox.
    pub(super) fn lanes(&self, outbox: &Outbox, wait: Duration) -> Lanes {
        Lanes::new(self, outbox, wait)
    }

    /// Delivers events one by one, without an outbox. Errors: a consumer could neither handle nor keep one.
    #[cfg(feature = "testing")]
    pub(super) async fn publish(&self, events: Vec<Event>) -> Result<(), BusError> {
        for event in events {
            for receiver in self.receivers() {
                let subscription = &receiver.subscription;
                if !subscription.takes(&event.key) {
                    continue;
                }
                let received = receiver.receive(&event).await;
                received.map_err(|cause| BusError::Consumer {
                    consumer: subscription.consumer,
                    event: event.id.clone(),
                    cause,
                })?;
            }
        }
        Ok(())
    }
}
