//! One consumer within this process: it handles an event, or keeps it in its own database and tries it again later, as often as
//! a broker's queue would.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sea_orm::DbErr;
use tokio::time::Instant;

use crate::bus::dead::{self, DELIVERY_LIMIT, pause_after};
use crate::bus::subscription::{EVENT_LIMIT, Subscription};
use crate::messaging::{Event, inbox, undelivered};
use crate::panics::caught;
use crate::{Shutdown, limit};

/// How often a consumer looks for events to be tried again, and where it has seen none: operators revive dead letters from
/// another process.
const RETRY_PERIOD: Duration = Duration::from_millis(100);
const QUIET_PERIOD: Duration = Duration::from_secs(5);
/// Events tried again in one go, and the longest time they may take together.
const RETRIES: u64 = 100;
const RETRY_LIMIT: Duration = Duration::from_secs(120);
const RETRIED: &str = "events tried again";
/// Longest time until an event is handled or kept.
const RECEIPT_LIMIT: Duration = Duration::from_secs(45);
const RECEIVED: &str = "receipt of an event";
/// Events in a row that are neither handled nor kept before the rest is not even offered: a single one may be at fault itself.
const FAILURES: u32 = 3;
/// Shortest and longest pause of a consumer whose database takes nothing.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// Pauses between tries, each twice as long as the one before.
#[derive(Default)]
struct Backoff {
    until: Option<Instant>,
    pause: Duration,
}

impl Backoff {
    fn is_away(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| now < until)
    }

    /// Begins the next pause and returns its length; none during one, for those who failed together count as one.
    fn fail(&mut self, now: Instant) -> Option<Duration> {
        if self.is_away(now) {
            return None;
        }
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        self.until = Some(now + self.pause);
        Some(self.pause)
    }
}

/// A subscription, whether its consumer may be keeping events, and whether its database takes any.
#[derive(Clone)]
pub(super) struct Receiver {
    pub(super) subscription: Subscription,
    keeps: Arc<AtomicBool>,
    backoff: Arc<Mutex<Backoff>>,
}

impl Receiver {
    pub(super) fn new(subscription: Subscription) -> Self {
        for task in [subscription.consumer, RECEIVED, RETRIED] {
            limit::announce(task);
        }
        Self {
            subscription,
            // What another run has left is found by the first look.
            keeps: Arc::new(AtomicBool::new(true)),
            backoff: Arc::default(),
        }
    }

    fn backoff(&self) -> MutexGuard<'_, Backoff> {
        self.backoff.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether its database has taken nothing lately, so that it is left alone for a while.
    pub(super) fn is_away(&self) -> bool {
        self.backoff().is_away(Instant::now())
    }

    /// Offers events in order while `goes_on`, and tells `taken` of each that was handled or kept. Those that follow on the
    /// aggregate of one that was not are left out. Returns those that it could not take, with the reason; the consumer may be
    /// away then.
    pub(super) async fn receive_all<'a>(
        &self,
        events: Vec<&'a Event>,
        goes_on: impl Fn() -> bool,
        mut taken: impl FnMut(&'a Event),
    ) -> Vec<(&'a Event, anyhow::Error)> {
        let mut failed = Vec::new();
        let mut stuck = HashSet::new();
        let mut in_a_row = 0;
        for event in events {
            if in_a_row == FAILURES || !goes_on() {
                break;
            }
            if stuck.contains(&event.aggregate) {
                continue;
            }
            match self.receive(event).await {
                Ok(()) => {
                    in_a_row = 0;
                    *self.backoff() = Backoff::default();
                    taken(event);
                }
                Err(error) => {
                    in_a_row += 1;
                    stuck.insert(&event.aggregate);
                    failed.push((event, error));
                }
            }
        }
        if in_a_row > 0
            && let Some((event, error)) = failed.last()
            && let Some(pause) = self.backoff().fail(Instant::now())
        {
            let consumer = self.subscription.consumer;
            let error = format!("{error:#}");
            tracing::error!(
                consumer,
                event = event.id,
                ?pause,
                error,
                "consumer takes nothing"
            );
        }
        failed
    }

    /// Handles an event, or keeps it. Errors: its database takes neither.
    pub(super) async fn receive(&self, event: &Event) -> anyhow::Result<()> {
        let received = Box::pin(self.handle_or_keep(event));
        limit::within(RECEIVED, RECEIPT_LIMIT, received).await?
    }

    async fn handle_or_keep(&self, event: &Event) -> anyhow::Result<()> {
        let Subscription {
            consumer, outbox, ..
        } = &self.subscription;
        let now = outbox.now_ms();
        let behind = self.keeps.load(Ordering::SeqCst)
            && undelivered::holds(outbox.db(), consumer, Some(&event.aggregate)).await?;
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

    /// Tries again what it keeps, until the process ends; not while `is_held`.
    pub(super) async fn retry_until_the_end(
        &self,
        shutdown: &Shutdown,
        is_held: impl Fn() -> bool,
    ) {
        let mut backoff = Backoff::default();
        while !shutdown.is_requested() {
            if !is_held() && !backoff.is_away(Instant::now()) {
                let retried = caught(self.retry(shutdown));
                let error = match limit::within(RETRIED, RETRY_LIMIT, retried).await {
                    Ok(Ok(Ok(()))) => None,
                    Ok(Ok(Err(error))) => Some(error.to_string()),
                    Ok(Err(panic)) => Some(panic.to_string()),
                    Err(error) => Some(error.to_string()),
                };
                match error {
                    None => backoff = Backoff::default(),
                    Some(error) => {
                        let pause = backoff.fail(Instant::now());
                        let consumer = self.subscription.consumer;
                        tracing::warn!(consumer, ?pause, error, "events wait to be tried again");
                    }
                }
            }
            let period = match self.keeps.load(Ordering::SeqCst) {
                true => RETRY_PERIOD,
                false => QUIET_PERIOD,
            };
            tokio::select! {
                _ = shutdown.requested() => {}
                _ = tokio::time::sleep(period) => {}
            }
        }
    }

    /// Tries those again whose time has come, and looks whether any are left.
    async fn retry(&self, shutdown: &Shutdown) -> Result<(), DbErr> {
        let Subscription {
            consumer, outbox, ..
        } = &self.subscription;
        if self.keeps.load(Ordering::SeqCst) {
            self.try_due(shutdown).await?;
        }
        // Cleared before the question: what is kept meanwhile sets it again.
        self.keeps.store(false, Ordering::SeqCst);
        let kept = undelivered::counts(outbox.db(), consumer).await?;
        if kept.waits() {
            self.keeps.store(true, Ordering::SeqCst);
        }
        dead::record(consumer, kept.dead());
        Ok(())
    }

    async fn try_due(&self, shutdown: &Shutdown) -> Result<(), DbErr> {
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

pub(super) fn pause_ms(tries: i32) -> i64 {
    pause_after(tries.into()).as_millis() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_failures_within_one_count_once() {
        let (mut backoff, mut now) = (Backoff::default(), Instant::now());
        assert!(!backoff.is_away(now));
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let pause = Duration::from_secs(seconds);
            assert_eq!(backoff.fail(now), Some(pause));
            assert!(backoff.is_away(now) && backoff.fail(now).is_none());
            now += pause;
            assert!(!backoff.is_away(now));
        }
    }
}
