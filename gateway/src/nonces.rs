//! Detects replayed signatures, exactly, for as long as a signature is valid; in this process, or for all gateways in
//! Redis.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use chassis::bus::Bus;
use chassis::{Cache, Clock, Parts, Shutdown};
use d3sig::Salt;
use proto::gateway::v1::SignaturesUsedAhead;
use tokio::sync::mpsc;

/// How long a nonce is remembered: twice the validity of a signature, plus a margin.
pub const LIFE_MS: i64 = 660_000;
const GENERATION_MS: i64 = LIFE_MS / 2;
const SHARDS: usize = 16;
/// Most nonces per shard and generation (about 100 MB in total if all are full).
const SHARD_LIMIT: usize = 120_000;

/// The other gateways are told of signatures dated ahead by more than this: most clocks differ by less.
const TOLD_MS: i64 = 1000;
/// Most that they have not been told yet; beyond that some are left out.
const UNTOLD: usize = 10_000;
/// Most told at once, and the pause until more are.
const TOLD_AT_ONCE: usize = 1000;
const TOLD_PAUSE: Duration = Duration::from_millis(100);

/// Result of looking up a nonce.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    New,
    Before,
    /// Signed before the memory began, so a previous use cannot be ruled out.
    Forgotten,
    /// The store is unavailable or full.
    Unknown,
}

/// Local for a single gateway process: an exact set costs less than a cache and evicts nothing under pressure.
pub enum Nonces {
    Local {
        used: Box<LocalNonces>,
        since_ms: i64,
    },
    Shared {
        cache: Cache,
        /// Signatures dated ahead of our clock that were used here, or at another gateway that told it: "before the memory
        /// began" does not cover them.
        ahead: Box<LocalNonces>,
        untold: mpsc::Sender<Salt>,
        clock: Clock,
    },
}

impl Nonces {
    /// `since_ms`: signatures made before are missing in the memory of this process.
    pub fn open(cache_url: &str, parts: &Parts, since_ms: i64) -> Self {
        if cache_url.starts_with("memory:") {
            return Self::Local {
                used: Box::default(),
                since_ms,
            };
        }
        let (untold, gathered) = mpsc::channel(UNTOLD);
        let shutdown = parts.shutdown.clone();
        parts
            .shutdown
            .spawn(tell(parts.bus.clone(), gathered, shutdown));
        Self::Shared {
            cache: parts.cache.scoped("gw:nonce"),
            ahead: Box::default(),
            untold,
            clock: parts.clock.clone(),
        }
    }

    /// Records what another gateway has accepted.
    pub fn hear(&self, told: &SignaturesUsedAhead) {
        let Self::Shared { ahead, clock, .. } = self else {
            return;
        };
        for text in &told.nonces {
            let mut nonce = Salt::default();
            if hex::decode_to_slice(text, &mut nonce).is_ok() {
                ahead.take(&nonce, clock.now_ms());
            }
        }
    }

    /// Starts the shared memory if it is empty, so that the first call is not signed before it began.
    pub async fn begin(&self, now_ms: i64) {
        if let Self::Shared { cache, .. } = self {
            shared(cache, &d3sig::fresh_salt(), now_ms, now_ms).await;
        }
    }

    /// Records the nonce of a signature made at `signed_ms` by the client's clock, and reports whether it was used.
    pub async fn take(&self, nonce: &Salt, signed_ms: i64, now_ms: i64) -> Seen {
        match self {
            Self::Local { since_ms, .. } if signed_ms < *since_ms => Seen::Forgotten,
            Self::Local { used, .. } => used.take(nonce, now_ms),
            Self::Shared {
                cache,
                ahead,
                untold,
                ..
            } => {
                if signed_ms > now_ms {
                    match ahead.take(nonce, now_ms) {
                        Seen::New => {}
                        known => return known,
                    }
                } else if ahead.knows(nonce, now_ms) {
                    // Dated ahead when it was used.
                    return Seen::Before;
                }
                if signed_ms > now_ms + TOLD_MS && untold.try_send(*nonce).is_err() {
                    metrics::counter!("gateway_nonces_untold_total").increment(1);
                }
                shared(cache, nonce, signed_ms, now_ms).await
            }
        }
    }
}

/// Tells the other gateways what was accepted here, until the process is asked to end.
async fn tell(bus: Bus, mut gathered: mpsc::Receiver<Salt>, shutdown: Shutdown) {
    let mut some = Vec::new();
    let telling = async {
        while gathered.recv_many(&mut some, TOLD_AT_ONCE).await > 0 {
            let nonces = some.drain(..).map(hex::encode).collect();
            bus.notify(&SignaturesUsedAhead { nonces });
            tokio::time::sleep(TOLD_PAUSE).await;
        }
    };
    tokio::select! {
        () = shutdown.requested() => {}
        () = telling => {}
    }
}

async fn shared(cache: &Cache, nonce: &Salt, signed_ms: i64, now_ms: i64) -> Seen {
    let life = Duration::from_millis(LIFE_MS as u64);
    let key = hex::encode(nonce);
    match cache.put_new_since(&key, life, now_ms).await {
        Ok((_, since_ms)) if signed_ms < since_ms => Seen::Forgotten,
        Ok((true, _)) => Seen::New,
        Ok((false, _)) => Seen::Before,
        Err(error) => {
            tracing::warn!(%error, "nonces cannot be remembered");
            Seen::Unknown
        }
    }
}

/// Sets of nonces by generation: an entry stays for at least one whole generation after its own.
pub struct LocalNonces {
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    generation: i64,
    current: HashSet<Salt>,
    last: HashSet<Salt>,
    before_last: HashSet<Salt>,
}

impl Default for LocalNonces {
    fn default() -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::new(Shard::default())),
        }
    }
}

impl LocalNonces {
    fn knows(&self, nonce: &Salt, now_ms: i64) -> bool {
        let Some(mut shard) = self.shard(nonce) else {
            return false;
        };
        shard.turn(now_ms / GENERATION_MS);
        let sets = [&shard.current, &shard.last, &shard.before_last];
        sets.iter().any(|set| set.contains(nonce))
    }

    fn shard(&self, nonce: &Salt) -> Option<MutexGuard<'_, Shard>> {
        let shard = self.shards.get(usize::from(nonce[0]) % SHARDS)?;
        Some(match shard.lock() {
            Ok(shard) => shard,
            // A set is always in a valid state.
            Err(poisoned) => poisoned.into_inner(),
        })
    }

    fn take(&self, nonce: &Salt, now_ms: i64) -> Seen {
        let Some(mut shard) = self.shard(nonce) else {
            return Seen::Unknown;
        };
        shard.turn(now_ms / GENERATION_MS);
        if shard.last.contains(nonce) || shard.before_last.contains(nonce) {
            return Seen::Before;
        }
        if shard.current.len() >= SHARD_LIMIT && !shard.current.contains(nonce) {
            return Seen::Unknown;
        }
        if shard.current.insert(*nonce) {
            Seen::New
        } else {
            Seen::Before
        }
    }
}

impl Shard {
    fn turn(&mut self, generation: i64) {
        let steps = generation - self.generation;
        if steps <= 0 {
            return;
        }
        self.generation = generation;
        for _ in 0..steps.min(3) {
            let older = std::mem::replace(&mut self.last, std::mem::take(&mut self.current));
            self.before_last = older;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_remembered_for_its_life() {
        let nonces = LocalNonces::default();
        // Recorded at the very end of a generation, which is the worst case.
        let start = 10 * GENERATION_MS - 1;
        assert_eq!(nonces.take(&[7; 16], start), Seen::New);
        for later in [0, 1, GENERATION_MS, LIFE_MS - 1, LIFE_MS] {
            assert_eq!(
                nonces.take(&[7; 16], start + later),
                Seen::Before,
                "{later}"
            );
        }
        assert_eq!(nonces.take(&[8; 16], start), Seen::New);
        assert_eq!(nonces.take(&[7; 16], start + 3 * LIFE_MS), Seen::New);
    }

    #[test]
    fn when_full_the_result_is_unknown() {
        let nonces = LocalNonces::default();
        for number in 0..SHARD_LIMIT as u128 {
            let nonce = (number << 8).to_le_bytes();
            assert_eq!(nonces.take(&nonce, 0), Seen::New);
        }
        let fresh = ((SHARD_LIMIT as u128) << 8).to_le_bytes();
        assert_eq!(nonces.take(&fresh, 0), Seen::Unknown);
        assert_eq!(nonces.take(&[0; 16], 0), Seen::Before);
    }
}
