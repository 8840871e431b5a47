//! The bus within one process. It takes an event when every subscriber has either handled it or keeps it
//! ([`crate::messaging::undelivered`]): what one consumer cannot handle is tried again later, as often as a broker's queue
//! would, and given up then, while everything else passes. Events of one aggregate keep their order for each consumer.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::Taken;
use super::dead::{self, DELIVERY_LIMIT, pause_after};
use super::subscription::{BusError, EVENT_LIMIT, Subscription};
use crate::messaging::{Event, inbox, undelivered};
use crate::{Shutdown, limit};

/// A batch ends after so long, so that what was handled is marked.
const BATCH_TIME: Duration = Duration::from_secs(5);
/// How often a consumer looks for events to be tried again, and where it has seen none: operators revive dead letters from
/// another process.
const RETRY_PERIOD: Duration = Duration::from_millis(100);
const QUIET_PERIOD: Duration = Duration::from_secs(5);
/// Events tried again in one go, and the longest time they may take together.
const RETRIES: u64 = 100;
const RETRY_LIMIT: Duration = Duration::from_secs(120);
const TASK: &str = "events tried again";

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
        let receiver = Receiver {
            subscription,
            // What another run has left is found by the first look.
            keeps: Arc::new(AtomicBool::new(true)),
        };
        let retrying = receiver.clone();
        let bus = self.clone();
        self.shutdown
            .spawn(async move { retrying.retry_until_the_end(&bus).await });
        let mut all = self
            .receivers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        all.push(receiver);
    }

    fn is_held(&self) -> bool {
        self.holds.load(Ordering::SeqCst) > 0
    }

    /// Delivers events one by one. One that a consumer can neither handle nor keep stays with the caller, and with it what
    /// follows on its aggregate.
    pub(super) async fn carry(&self, events: Vec<Event>) -> Taken {
        let mut taken = Taken::default();
        if self.is_held() {
            taken.error = Some(BusError::Unavailable("services are starting".into()));
            return taken;
        }
        let receivers = {
            let all = self
                .receivers
                .read()
                .unwrap_or_else(PoisonError::into_inner);
            all.clone()
        };
        let began = Instant::now();
        let mut stuck = HashSet::new();
        for event in events {
            if began.elapsed() > BATCH_TIME {
                break;
            }
            if stuck.contains(&event.aggregate) {
                continue;
            }
            match deliver(&receivers, &event).await {
                Ok(()) => taken.ids.push(event.id),
                Err(error) => {
                    stuck.insert(event.aggregate);
                    taken.error = Some(error);
                }
            }
        }
        taken
    }
}

async fn deliver(receivers: &[Receiver], event: &Event) -> Result<(), BusError> {
    for receiver in receivers {
        let subscription = &receiver.subscription;
        if !subscription.takes(&event.key) {
            continue;
        }
        receiver
            .receive(event)
            .await
            .map_err(|cause| BusError::Consumer {
                consumer: subscription.consumer,
                event: event.id.clone(),
                cause,
            })?;
    }
    Ok(())
}

/// A subscription, and whether its consumer may be keeping events.
#[derive(Clone)]
struct Receiver {
    subscription: Subscription,
    keeps: Arc<AtomicBool>,
}

impl Receiver {
    /// Handles an event, or keeps it. Errors: its database takes neither.
    async fn receive(&self, event: &Event) -> anyhow::Result<()> {
        let Subscription {
            consumer, outbox, ..
        } = &self.subscription;
        let now = outbox.now_ms();
        let behind = self.keeps.load(Ordering::SeqCst)
            && undelivered::holds(outbox.db(), consumer, &event.aggregate).await?;
        let (tries, due_at, reason) = match behind {
            true => (0, now, String::new()),
            false => match self.handle(event).await {
                Ok(()) => return Ok(()),
                Err(error) => (
                    1,
                    now + pause_ms(1),
                    dead::not_handled(consumer, event, 1, &error),
                ),
            },
        };
        undelivered::keep(outbox.db(), consumer, event, tries, due_at, &reason).await?;
        self.keeps.store(true, Ordering::SeqCst);
        Ok(())
    }

    async fn handle(&self, event: &Event) -> anyhow::Result<()> {
        let Subscription {
            consumer,
            outbox,
            handler,
        } = &self.subscription;
        let handled = inbox::handle_once(outbox, consumer, handler.as_ref(), event);
        limit::within(consumer, EVENT_LIMIT, handled).await??;
        Ok(())
    }

    async fn retry_until_the_end(&self, bus: &MemoryBus) {
        limit::announce(TASK);
        while !bus.shutdown.is_requested() {
            if !bus.is_held() {
                match limit::within(TASK, RETRY_LIMIT, self.retry(&bus.shutdown)).await {
                    Ok(Ok(())) | Err(_) => {}
                    Ok(Err(error)) => {
                        let consumer = self.subscription.consumer;
                        tracing::warn!(consumer, %error, "events wait to be tried again");
                    }
                }
            }
            let period = match self.keeps.load(Ordering::SeqCst) {
                true => RETRY_PERIOD,
                false => QUIET_PERIOD,
            };
            tokio::select! {
                _ = bus.shutdown.requested() => {}
                _ = tokio::time::sleep(period) => {}
            }
        }
    }

    /// Tries those again whose time has come, and looks whether any are left.
    async fn retry(&self, shutdown: &Shutdown) -> Result<(), sea_orm::DbErr> {
        let Subscription {
            consumer, outbox, ..
        } = &self.subscription;
        if self.keeps.load(Ordering::SeqCst) {
            self.try_due(shutdown).await?;
        }
        // Cleared before the question: what is kept meanwhile sets it again.
        self.keeps.store(false, Ordering::SeqCst);
        let kept = undelivered::kept(outbox.db(), consumer).await?;
        if kept.waits() {
            self.keeps.store(true, Ordering::SeqCst);
        }
        dead::record(consumer, kept.dead());
        Ok(())
    }

    async fn try_due(&self, shutdown: &Shutdown) -> Result<(), sea_orm::DbErr> {
        let Subscription {
            consumer, outbox, ..
        } = &self.subscription;
        let db = outbox.db();
        let due = undelivered::due(db, consumer, outbox.now_ms(), RETRIES).await?;
        for kept in due {
            if shutdown.is_requested() {
                return Ok(());
            }
            let event = kept.event();
            let Err(error) = self.handle(&event).await else {
                undelivered::forget(db, kept.position).await?;
                continue;
            };
            let (now, tries) = (outbox.now_ms(), kept.tries + 1);
            let reason = dead::not_handled(consumer, &event, tries.into(), &error);
            let given_up_at = (tries >= DELIVERY_LIMIT).then_some(now);
            let due_at = now + pause_ms(tries);
            undelivered::failed(db, kept.position, tries, due_at, given_up_at, &reason).await?;
        }
        Ok(())
    }
}

fn pause_ms(tries: i32) -> i64 {
    pause_after(tries.into()).as_millis() as i64
}
