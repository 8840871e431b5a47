//! Dead letters: events that a consumer has refused as often as it may. They block nothing; operators look at them, have
//! them delivered again, or drop them ([`crate::dead_letters`]).

use serde::Serialize;

use super::retrying;
use crate::messaging::{Event, inbox};

/// Deliveries of one event before it is given up.
pub(super) const DELIVERY_LIMIT: i32 = 20;

/// Pause before an event that was tried so often is delivered again.
pub(super) fn pause_after(tries: i64) -> std::time::Duration {
    std::time::Duration::from_millis(100 << tries.clamp(0, 6))
}

/// Reports that an event was not handled after so many tries, and whether it is given up now; returns the reason.
pub(super) fn not_handled(
    consumer: &'static str,
    event: &Event,
    tries: i64,
    error: &anyhow::Error,
) -> String {
    let error = format!("{error:#}");
    let (id, key) = (&event.id, &event.key);
    match tries >= i64::from(DELIVERY_LIMIT) {
        true => {
            retrying::settled(consumer, id);
            inbox::count(consumer, "dead");
            tracing::error!(
                consumer,
                event = id,
                key,
                tries,
                error,
                "event given up: a dead letter"
            );
        }
        false => {
            retrying::failed_once_more(consumer, event, tries, &error);
            tracing::warn!(consumer, event = id, key, tries, error, "event not handled");
        }
    }
    error
}

/// What is done with a dead letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It stays.
    Keep,
    /// The consumer gets it again; what it has handled already it recognises.
    Replay,
    /// It is gone.
    Drop,
}

/// A dead letter, its body aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadLetter {
    pub id: String,
    pub key: String,
    /// Id of the thing it is about.
    pub aggregate: String,
    pub version: i64,
    /// When the event happened, Unix milliseconds.
    pub time_ms: i64,
    /// When it was given up, Unix milliseconds; 0 where the broker did not say.
    pub died_at_ms: i64,
    /// Trace of its cause.
    pub traceparent: String,
    /// Size of its body.
    pub bytes: usize,
    /// The last error, where it is kept with the letter; else it is in the consumer's log.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// What a consumer has not handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    pub consumer: &'static str,
    /// None: where they are kept does not answer.
    pub counts: Option<Unhandled>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unhandled {
    /// Events that wait for their first or next delivery.
    pub waiting: u64,
    /// Dead letters.
    pub dead: u64,
}

/// Publishes how many dead letters a consumer has.
pub(crate) fn record(consumer: &'static str, count: u64) {
    metrics::gauge!("xuanlan_dead_letters", "consumer" => consumer).set(count as f64);
}
