//! Rate limits: per address before anything expensive, and per user once the token identifies the caller.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Duration;

use chassis::Cache;
use proto::catalogue::Rate;

use crate::config::{ClassConfig, RateConfig};
use crate::refused::Refused;

/// The limits of each class.
#[derive(Debug, Clone)]
pub struct Limits {
    normal: ClassConfig,
    sign_in: ClassConfig,
    sms: ClassConfig,
    heavy: ClassConfig,
}

impl Limits {
    pub fn new(config: &RateConfig) -> Self {
        Self {
            normal: config.normal,
            sign_in: config.sign_in,
            sms: config.sms,
            heavy: config.heavy,
        }
    }

    fn of(&self, rate: Rate) -> (&'static str, ClassConfig) {
        match rate {
            Rate::Normal => ("normal", self.normal),
            Rate::SignIn => ("sign_in", self.sign_in),
            Rate::Sms => ("sms", self.sms),
            Rate::Heavy => ("heavy", self.heavy),
        }
    }
}

/// Counts calls in fixed windows, in the cache or in this process.
pub struct RateLimiter {
    cache: Cache,
    local: LocalCounters,
}

impl RateLimiter {
    pub fn new(cache: &Cache) -> Self {
        Self {
            cache: cache.scoped("gw:rate"),
            local: LocalCounters::default(),
        }
    }

    /// Counts a call from an address.
    pub async fn address(
        &self,
        limits: &Limits,
        rate: Rate,
        address: IpAddr,
        now_ms: i64,
    ) -> Result<(), Refused> {
        let (name, class) = limits.of(rate);
        let who = Who::Address(peers::subscriber(address));
        self.count(name, class, class.address, who, now_ms).await
    }

    /// Counts a call of a signed-in user.
    pub async fn user(
        &self,
        limits: &Limits,
        rate: Rate,
        login_id: &str,
        now_ms: i64,
    ) -> Result<(), Refused> {
        let (name, class) = limits.of(rate);
        self.count(name, class, class.user, Who::User(login_id), now_ms)
            .await
    }

    async fn count(
        &self,
        name: &'static str,
        class: ClassConfig,
        limit: u32,
        who: Who<'_>,
        now_ms: i64,
    ) -> Result<(), Refused> {
        if limit == 0 || class.window_s == 0 {
            return Ok(());
        }
        let window_ms = i64::from(class.window_s) * 1000;
        let window = now_ms / window_ms;
        let count = if class.shared {
            let key = match &who {
                Who::Address(address) => format!("{name}:a:{address}:{window}"),
                Who::User(user) => format!("{name}:u:{user}:{window}"),
            };
            let life = Duration::from_secs(u64::from(class.window_s) + 1);
            match self.cache.count(&key, life).await {
                Ok(count) => count,
                // If the cache is unavailable each gateway counts for itself: looser, but still limited.
                Err(_) => self.local.count(name, &who, window),
            }
        } else {
            self.local.count(name, &who, window)
        };
        if count > i64::from(limit) {
            let left_ms = (window + 1) * window_ms - now_ms;
            let retry_after_s = (left_ms as u64).div_ceil(1000).max(1);
            return Err(Refused::TooMany { retry_after_s });
        }
        Ok(())
    }
}

enum Who<'a> {
    Address(IpAddr),
    User(&'a str),
}

const SHARDS: usize = 16;
/// Most counters per shard; when full, counters of past windows are dropped first, then all.
const SHARD_LIMIT: usize = 20_000;

/// Counters in this process, by a hash of class and caller.
struct LocalCounters {
    shards: [Mutex<HashMap<u64, Counter>>; SHARDS],
    hasher: std::hash::RandomState,
}

#[derive(Clone, Copy)]
struct Counter {
    window: i64,
    count: i64,
}

impl Default for LocalCounters {
    fn default() -> Self {
        Self {
            shards: std::array::from_fn(|_| Mutex::new(HashMap::new())),
            hasher: std::hash::RandomState::new(),
        }
    }
}

impl LocalCounters {
    fn count(&self, name: &str, who: &Who, window: i64) -> i64 {
        use std::hash::BuildHasher;
        let hash = match who {
            Who::Address(address) => self.hasher.hash_one((name, address)),
            Who::User(user) => self.hasher.hash_one((name, user)),
        };
        let Some(shard) = self.shards.get(hash as usize % SHARDS) else {
            return 1;
        };
        let mut shard = match shard.lock() {
            Ok(shard) => shard,
            // A counter is always in a valid state.
            Err(poisoned) => poisoned.into_inner(),
        };
        if shard.len() >= SHARD_LIMIT && !shard.contains_key(&hash) {
            shard.retain(|_, counter| counter.window >= window);
            if shard.len() >= SHARD_LIMIT {
                shard.clear();
            }
        }
        let counter = shard.entry(hash).or_insert(Counter { window, count: 0 });
        if counter.window != window {
            *counter = Counter { window, count: 0 };
        }
        counter.count += 1;
        counter.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(shared: bool) -> Limits {
        let class = ClassConfig {
            window_s: 10,
            address: 3,
            user: 2,
            shared,
        };
        Limits {
            normal: class,
            sign_in: class,
            sms: class,
            heavy: class,
        }
    }

    #[tokio::test]
    async fn a_window_lets_so_many_through() {
        for shared in [false, true] {
            let limiter = RateLimiter::new(&Cache::in_memory("t"));
            let limits = limits(shared);
            let one: IpAddr = "203.0.113.1".parse().unwrap();
            for _ in 0..3 {
                limiter
                    .address(&limits, Rate::Sms, one, 12_000)
                    .await
                    .unwrap();
            }
            let refused = limiter.address(&limits, Rate::Sms, one, 12_001).await;
            assert_eq!(refused, Err(Refused::TooMany { retry_after_s: 8 }));
            let other = "203.0.113.2".parse().unwrap();
            limiter
                .address(&limits, Rate::Sms, other, 12_001)
                .await
                .unwrap();
            limiter
                .address(&limits, Rate::Normal, one, 12_001)
                .await
                .unwrap();
            limiter
                .address(&limits, Rate::Sms, one, 20_000)
                .await
                .unwrap();
        }
    }

    #[tokio::test]
    async fn an_address_of_ipv6_is_its_network() {
        let limiter = RateLimiter::new(&Cache::in_memory("t"));
        let limits = limits(false);
        for host in 1..=3 {
            let address = format!("2001:db8::{host}").parse().unwrap();
            limiter
                .address(&limits, Rate::Sms, address, 0)
                .await
                .unwrap();
        }
        let same = "2001:db8::ffff".parse().unwrap();
        assert!(limiter.address(&limits, Rate::Sms, same, 0).await.is_err());
        let other = "2001:db8:0:1::1".parse().unwrap();
        assert!(limiter.address(&limits, Rate::Sms, other, 0).await.is_ok());
    }
}
