//! What the consumers of this process could not handle and try again: reported with the health of the process, so that operators
//! see a consumer in trouble before its events become dead letters.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::messaging::Event;

/// How long a failed try is remembered: longer than the longest pause before the next one. What another process has handled
/// since is forgotten so.
const MEMORY: Duration = Duration::from_secs(60);
/// Most of them remembered; a consumer that can handle nothing has any number.
const MOST: usize = 100;
/// Longest text of an error.
const ERROR_CHARS: usize = 300;

/// A failed try.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    pub consumer: String,
    /// Id of the event.
    pub id: String,
    pub key: String,
    pub error: String,
    /// Tries so far.
    pub tries: i64,
    /// Unix milliseconds.
    pub at_ms: i64,
}

struct Failed {
    key: String,
    error: String,
    tries: i64,
    at: Instant,
}

/// By consumer and id.
static FAILED: Mutex<BTreeMap<(&'static str, String), Failed>> = Mutex::new(BTreeMap::new());

fn failed() -> MutexGuard<'static, BTreeMap<(&'static str, String), Failed>> {
    FAILED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An event was not handled and comes again.
pub(super) fn failed_once_more(consumer: &'static str, event: &Event, tries: i64, error: &str) {
    let mut all = failed();
    all.retain(|_, failed| failed.at.elapsed() < MEMORY);
    let key = (consumer, event.id.clone());
    if all.len() >= MOST && !all.contains_key(&key) {
        return;
    }
    let failed = Failed {
        key: event.key.clone(),
        error: error.chars().take(ERROR_CHARS).collect(),
        tries,
        at: Instant::now(),
    };
    all.insert(key, failed);
}

/// An event was handled, or given up.
pub(crate) fn settled(consumer: &'static str, id: &str) {
    let mut all = failed();
    if !all.is_empty() {
        all.remove(&(consumer, id.to_owned()));
    }
}

/// Those of the last minute. `now_ms`: the clock's time, Unix milliseconds.
pub(crate) fn of_this_process(now_ms: i64) -> Vec<Retried> {
    let mut all = failed();
    all.retain(|_, failed| failed.at.elapsed() < MEMORY);
    let retried = all.iter().map(|((consumer, id), failed)| Retried {
        consumer: (*consumer).to_owned(),
        id: id.clone(),
        key: failed.key.clone(),
        error: failed.error.clone(),
        tries: failed.tries,
        at_ms: now_ms - failed.at.elapsed().as_millis() as i64,
    });
    retried.collect()
}
