//! Whether a connection to the broker lives. One may go silent without breaking (a failover, a lost entry of a NAT): lapin
//! knows it from the heartbeat alone, and until then everything sent on it waits. So questions without an answer are counted.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use lapin::{Channel, Connection, ConnectionStatus};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

/// Questions in a row that a connection may leave without an answer.
const UNANSWERED: u32 = 3;
/// What a connection that lives may take to be closed.
const CLOSING: Duration = Duration::from_secs(5);

/// The limits of the section `[bus]`.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::bus) struct LinkLimits {
    pub(super) heartbeat_seconds: u16,
    pub(super) answer_seconds: u64,
    reply_wait_ms: u64,
    ask_again_ms: u64,
    nobody_wait_ms: u64,
}

impl LinkLimits {
    /// Longest time that the reply to a command is waited for.
    pub(super) fn reply_wait(&self) -> Duration {
        Duration::from_millis(self.reply_wait_ms)
    }

    /// How long the reply to a command that changes nothing may take before it is asked once more.
    pub(super) fn ask_again(&self) -> Duration {
        Duration::from_millis(self.ask_again_ms)
    }

    /// Longest time that a service without a consumer is waited for.
    pub(super) fn nobody_wait(&self) -> Duration {
        Duration::from_millis(self.nobody_wait_ms)
    }
}

/// The state of one connection; clones share it.
#[derive(Clone)]
pub(super) struct Link {
    inner: Arc<Inner>,
}

struct Inner {
    status: ConnectionStatus,
    wait: Duration,
    unanswered: AtomicU32,
    given_up: CancellationToken,
}

impl Link {
    pub(super) fn new(status: ConnectionStatus, limits: &LinkLimits) -> Self {
        Self {
            inner: Arc::new(Inner {
                status,
                wait: Duration::from_secs(limits.answer_seconds),
                unanswered: AtomicU32::new(0),
                given_up: CancellationToken::new(),
            }),
        }
    }

    /// Whether it may be used: it is not known to be broken.
    pub(super) fn is_usable(&self) -> bool {
        self.inner.status.connected() && !self.inner.given_up.is_cancelled()
    }

    /// Whether it is usable and the last question was answered.
    pub(super) fn answers(&self) -> bool {
        self.is_usable() && self.inner.unanswered.load(Ordering::Relaxed) == 0
    }

    /// Resolves when it is given up.
    pub(super) async fn lost(&self) {
        self.inner.given_up.cancelled().await;
    }

    pub(super) fn give_up(&self) {
        self.inner.given_up.cancel();
    }

    /// What the broker answers, in time. A question without an answer counts against the connection.
    pub(super) async fn ask<T>(
        &self,
        question: impl Future<Output = Result<T, lapin::Error>>,
    ) -> Result<T, lapin::Error> {
        self.ask_for(self.inner.wait, question).await
    }

    /// As [`Link::ask`], where the answer may take longer.
    pub(super) async fn ask_for<T>(
        &self,
        wait: Duration,
        question: impl Future<Output = Result<T, lapin::Error>>,
    ) -> Result<T, lapin::Error> {
        let asked = tokio::time::timeout(wait, self.unless_lost(question));
        match asked.await {
            Ok(answer) => {
                if answer.is_ok() {
                    self.inner.unanswered.store(0, Ordering::Relaxed);
                }
                answer
            }
            Err(_) => {
                self.unanswered();
                Err(timed_out())
            }
        }
    }

    fn unanswered(&self) {
        let before = self.inner.unanswered.fetch_add(1, Ordering::Relaxed);
        if before + 1 < UNANSWERED || self.inner.given_up.is_cancelled() {
            return;
        }
        tracing::error!("the broker does not answer: the connection is given up");
        count(1);
        self.give_up();
    }

    /// Does what has no answer of its own, such as an acknowledgement, unless the connection is given up meanwhile.
    pub(super) async fn unless_lost<T>(
        &self,
        work: impl Future<Output = Result<T, lapin::Error>>,
    ) -> Result<T, lapin::Error> {
        tokio::select! {
            done = work => done,
            _ = self.lost() => Err(timed_out()),
        }
    }
}

/// Makes the counter known before it counts.
pub(super) fn announce() {
    count(0);
}

fn count(times: u64) {
    metrics::counter!("xuanlan_bus_given_up_total").increment(times);
}

pub(super) fn timed_out() -> lapin::Error {
    std::io::Error::from(std::io::ErrorKind::TimedOut).into()
}

/// A channel with the link that it belongs to.
#[derive(Clone)]
pub(super) struct LinkChannel {
    channel: Channel,
    pub(super) link: Link,
}

impl LinkChannel {
    pub(super) fn new(channel: Channel, link: Link) -> Self {
        Self { channel, link }
    }

    pub(super) fn is_usable(&self) -> bool {
        self.channel.status().connected() && self.link.is_usable()
    }
}

impl Deref for LinkChannel {
    type Target = Channel;
    fn deref(&self) -> &Channel {
        &self.channel
    }
}

/// Closes a replaced connection. One that is dead ends by its heartbeat: closing it would stop that, and its thread would wait
/// for the broker's answer for ever. One that was only slow still lives after that, and is closed.
pub(super) async fn bury(connection: Connection, heartbeat: Option<u16>) {
    let until = tokio::time::Instant::now()
        + Duration::from_secs(3 * u64::from(heartbeat.unwrap_or_default()) + 1);
    while connection.status().connected() {
        if tokio::time::Instant::now() > until {
            // Its answer does not matter.
            let closed =
                connection.close(lapin::types::ReplyCode::from(200_u16), "replaced".into());
            let _ = tokio::time::timeout(CLOSING, closed).await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
