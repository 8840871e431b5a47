//! From one outbox to the consumers within this process, each in a lane of its own.
//!
//! What a consumer can neither handle nor keep, because its database takes nothing, is held in the database of the outbox
//! instead, behind what is held of its lane already. The event counts as carried then, and nobody else waits.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use sea_orm::DbErr;
use tokio::sync::{Mutex, OwnedMutexGuard, mpsc};
use tokio::time::Instant;

use super::MemoryBus;
use super::receiver::{Receiver, pause_ms};
use crate::bus::Taken;
use crate::bus::subscription::BusError;
use crate::messaging::undelivered::{self, Held};
use crate::messaging::{Event, Outbox};
use crate::panics::caught;
use crate::{Shutdown, limit};

/// A batch is waited for so long; what a slow lane has not taken by then it takes from what is held.
const BATCH_TIME: Duration = Duration::from_secs(5);
/// Held events that are offered in one go.
const PAGE: u64 = 100;
const FOLLOWED: &str = "held events";

/// The lanes of one outbox.
pub(crate) struct Lanes {
    bus: MemoryBus,
    outbox: Outbox,
    /// Longest wait for the database while held events are offered.
    wait: Duration,
    lanes: Vec<Lane>,
}

struct Lane {
    receiver: Receiver,
    /// Whether events may be held for it. All that follow are held too, so that none overtakes another.
    behind: bool,
    /// Held by the task that delivers.
    turn: Arc<Mutex<()>>,
}

impl Lanes {
    pub(super) fn new(bus: &MemoryBus, outbox: &Outbox, wait: Duration) -> Self {
        Self {
            bus: bus.clone(),
            outbox: outbox.clone(),
            wait,
            lanes: Vec::new(),
        }
    }

    /// Has the lanes that are behind go on with what is held for them, beside the caller.
    pub(crate) async fn go_on(&mut self) -> Result<(), DbErr> {
        if self.bus.is_held() {
            return Ok(());
        }
        // A consumer that has subscribed stays.
        let new = self.bus.receivers().split_off(self.lanes.len());
        self.lanes.extend(new.into_iter().map(Lane::new));
        for lane in self.lanes.iter_mut().filter(|lane| lane.behind) {
            let Ok(turn) = lane.turn.clone().try_lock_owned() else {
                continue;
            };
            let consumer = lane.receiver.subscription.consumer;
            if !undelivered::holds(self.outbox.db(), &undelivered::lane(consumer), None).await? {
                lane.behind = false;
            } else if !lane.receiver.is_away() {
                let (receiver, outbox) = (lane.receiver.clone(), self.outbox.clone());
                let stop = self.bus.shutdown.clone();
                let follow = follow(turn, receiver, outbox, self.wait, stop.clone());
                stop.spawn(follow);
            }
        }
        Ok(())
    }

    /// Offers events to all lanes side by side. The caller stores what is to be held, then marks all of them as sent.
    pub(crate) async fn carry(&mut self, events: Vec<Event>) -> Taken {
        let mut taken = Taken::default();
        if self.bus.is_held() {
            taken.error = Some(BusError::Unavailable("services are starting".into()));
            return taken;
        }
        let events: Arc<[Event]> = events.into();
        let until = Instant::now() + BATCH_TIME;
        let stop = &self.bus.shutdown;
        let lanes = self.lanes.iter_mut();
        let left = futures::future::join_all(lanes.map(|lane| lane.carry(&events, until, stop)));
        taken.held = left.await.concat();
        taken.ids = events.iter().map(|event| event.id.clone()).collect();
        taken
    }
}

impl Lane {
    fn new(receiver: Receiver) -> Self {
        Self {
            receiver,
            // What another run has left is found by the first look.
            behind: true,
            turn: Arc::default(),
        }
    }

    /// Returns what is to be held.
    async fn carry(&mut self, events: &Arc<[Event]>, until: Instant, stop: &Shutdown) -> Vec<Held> {
        let subscription = &self.receiver.subscription;
        let takes = |at: &usize| subscription.takes(&events[*at].key);
        let mut left: BTreeSet<usize> = (0..events.len()).filter(takes).collect();
        if left.is_empty() {
            return Vec::new();
        }
        if !self.behind
            && !self.receiver.is_away()
            && let Ok(turn) = self.turn.clone().try_lock_owned()
        {
            let (sender, mut taken) = mpsc::unbounded_channel();
            let batch = left.iter().copied().collect();
            let (receiver, events) = (self.receiver.clone(), events.clone());
            // A task of its own: a handler that takes longer is not interrupted, and does not hold up the others.
            stop.spawn(offer(sender, receiver, events, batch, until, turn));
            let heard = async {
                while let Some(at) = taken.recv().await {
                    left.remove(&at);
                }
            };
            // What is taken later is recognised when it comes again.
            let _ = tokio::time::timeout_at(until, heard).await;
        }
        self.behind |= !left.is_empty();
        let consumer = self.receiver.subscription.consumer;
        let held = left.into_iter().map(|at| Held {
            lane: undelivered::lane(consumer),
            event: events[at].clone(),
        });
        held.collect()
    }
}

/// Offers a batch until `until`. The turn is dropped before `taken`: who hears the end of the one has the other.
async fn offer(
    taken: mpsc::UnboundedSender<usize>,
    receiver: Receiver,
    events: Arc<[Event]>,
    batch: Vec<usize>,
    until: Instant,
    _turn: OwnedMutexGuard<()>,
) {
    let places = batch.iter().map(|at| (events[*at].id.as_str(), *at));
    let places: HashMap<&str, usize> = places.collect();
    let offered = batch.iter().map(|at| &events[*at]).collect();
    let goes_on = || Instant::now() < until;
    let told = |event: &Event| {
        // Nobody hears what is taken too late.
        let _ = taken.send(places[event.id.as_str()]);
    };
    receiver.receive_all(offered, goes_on, told).await;
}

/// Offers what is held until nothing is due, or the consumer is away again.
async fn follow(
    _turn: OwnedMutexGuard<()>,
    receiver: Receiver,
    outbox: Outbox,
    wait: Duration,
    stop: Shutdown,
) {
    let error = match caught(offer_held(&receiver, &outbox, wait, &stop)).await {
        Ok(Ok(())) => return,
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic.to_string(),
    };
    let consumer = receiver.subscription.consumer;
    tracing::warn!(consumer, error, "held events wait");
}

async fn offer_held(
    receiver: &Receiver,
    outbox: &Outbox,
    wait: Duration,
    stop: &Shutdown,
) -> anyhow::Result<()> {
    let (db, lane) = (
        outbox.db(),
        undelivered::lane(receiver.subscription.consumer),
    );
    while !stop.is_requested() {
        let rows = limit::within(
            FOLLOWED,
            wait,
            undelivered::due(db, &lane, outbox.now_ms(), PAGE),
        )
        .await??;
        if rows.is_empty() {
            break;
        }
        let events: Vec<Event> = rows.iter().map(|row| row.event()).collect();
        let row_of = |event: &Event| rows.iter().find(|row| row.event_id == event.id);
        let mut taken = Vec::new();
        let goes_on = || !stop.is_requested();
        let told = |event: &Event| taken.extend(row_of(event).map(|row| row.position));
        let failed = receiver
            .receive_all(events.iter().collect(), goes_on, told)
            .await;
        limit::within(FOLLOWED, wait, undelivered::forget_all(db, taken)).await??;
        if receiver.is_away() {
            break;
        }
        // The fault is that of the event: the others of the lane pass it.
        for (event, error) in failed {
            let Some(row) = row_of(event) else { continue };
            let (tries, reason) = (row.tries.saturating_add(1), format!("{error:#}"));
            let due_at = outbox.now_ms() + pause_ms(tries);
            let noted = undelivered::failed(db, row.position, tries, due_at, None, &reason);
            limit::within(FOLLOWED, wait, noted).await??;
        }
    }
    Ok(())
}
