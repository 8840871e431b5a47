//! A small cache with expiry: in this process, or Redis. What it holds may vanish at any time except as stated.

#[cfg(feature = "servers")]
mod redis;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use moka::Expiry;
use moka::ops::compute::Op;

#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    #[error("cache address {0} is not understood")]
    Address(String),
    #[error("cache is not available: {0}")]
    Unavailable(String),
}

impl From<CacheError> for crate::ServiceError {
    fn from(error: CacheError) -> Self {
        tracing::warn!(%error, "cache away");
        Self::Unavailable("cache")
    }
}

/// Entries the in-process cache keeps at most; beyond it the least recently used go.
const MEMORY_ENTRIES: u64 = 500_000;

#[derive(Clone)]
struct Entry {
    value: Vec<u8>,
    life: Duration,
}

struct ByEntry;

impl Expiry<String, Entry> for ByEntry {
    fn expire_after_create(&self, _: &String, entry: &Entry, _: Instant) -> Option<Duration> {
        Some(entry.life)
    }
    fn expire_after_update(
        &self,
        _: &String,
        entry: &Entry,
        _: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        Some(entry.life)
    }
}

#[derive(Clone)]
enum Backend {
    Memory(moka::sync::Cache<String, Entry>),
    #[cfg(feature = "servers")]
    Redis(Arc<redis::Redis>),
}

/// The section `[cache]`.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct CacheConfig {
    /// `memory:` or `redis://host:port/db`.
    pub url: String,
    /// Starts every key, so that several installations can share one Redis.
    pub namespace: String,
    /// Longest time in milliseconds that a call waits for Redis.
    pub wait_ms: u64,
    /// Milliseconds after which a connection that has been silent is asked whether it lives before it is used.
    pub trusted_ms: u64,
}

/// Handle of the cache; clones share it.
#[derive(Clone)]
pub struct Cache {
    backend: Backend,
    prefix: Arc<str>,
    /// When this process's memory began: `now_ms` of the first call that asked.
    born_ms: Arc<OnceLock<i64>>,
}

impl Cache {
    /// Opens the cache that its section names. A Redis that is away is no error here.
    pub fn open(config: &CacheConfig) -> Result<Self, CacheError> {
        match config.url.split(':').next() {
            Some("memory") => Ok(Self::in_memory(&config.namespace)),
            #[cfg(feature = "servers")]
            Some("redis" | "rediss") => {
                let redis = Arc::new(redis::Redis::open(config)?);
                Ok(Self::with(Backend::Redis(redis), &config.namespace))
            }
            _ => Err(CacheError::Address(config.url.clone())),
        }
    }

    /// The cache of one process.
    pub fn in_memory(namespace: &str) -> Self {
        let cache = moka::sync::Cache::builder()
            .max_capacity(MEMORY_ENTRIES)
            .expire_after(ByEntry)
            .build();
        Self::with(Backend::Memory(cache), namespace)
    }

    fn with(backend: Backend, namespace: &str) -> Self {
        Self {
            backend,
            prefix: Arc::from(format!("{namespace}:")),
            born_ms: Arc::default(),
        }
    }

    /// The same cache with further text before each key.
    pub fn scoped(&self, scope: &str) -> Self {
        Self {
            backend: self.backend.clone(),
            prefix: Arc::from(format!("{}{scope}:", self.prefix)),
            born_ms: self.born_ms.clone(),
        }
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => Ok(cache.get(&key).map(|entry| entry.value)),
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.get(&key).await,
        }
    }

    pub async fn put(&self, key: &str, value: &[u8], life: Duration) -> Result<(), CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => {
                cache.insert(
                    key,
                    Entry {
                        value: value.to_vec(),
                        life,
                    },
                );
                Ok(())
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.put(&key, value, milliseconds(life)).await,
        }
    }

    /// Puts the value only if the key is absent, in one step; `true` if it was put.
    pub async fn put_new(
        &self,
        key: &str,
        value: &[u8],
        life: Duration,
    ) -> Result<bool, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => {
                let entry = cache.entry(key).or_insert_with(|| Entry {
                    value: value.to_vec(),
                    life,
                });
                Ok(entry.is_fresh())
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.put_new(&key, value, milliseconds(life)).await,
        }
    }

    /// Like [`Cache::put_new`], for what must not be forgotten unnoticed: also returns since when the cache remembers,
    /// in milliseconds since 1970 by the first `now_ms`. Redis begins anew when it was emptied, restarted or replaced.
    pub async fn put_new_since(
        &self,
        key: &str,
        life: Duration,
        now_ms: i64,
    ) -> Result<(bool, i64), CacheError> {
        let key = self.key(key);
        match &self.backend {
            // As old as this process, the only one that uses it.
            Backend::Memory(cache) => {
                let value = b"1".to_vec();
                let entry = cache.entry(key).or_insert_with(|| Entry { value, life });
                let since = *self.born_ms.get_or_init(|| now_ms);
                Ok((entry.is_fresh(), since))
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => {
                let since = self.key("since");
                redis
                    .put_new_since(&key, milliseconds(life), &since, now_ms)
                    .await
            }
        }
    }

    /// Takes the value out: of several callers at once one gets it.
    pub async fn take(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => Ok(cache.remove(&key).map(|entry| entry.value)),
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.take(&key).await,
        }
    }

    pub async fn remove(&self, key: &str) -> Result<(), CacheError> {
        self.take(key).await.map(|_| ())
    }

    /// Adds one and answers the new count; the life begins with the first one.
    pub async fn count(&self, key: &str, life: Duration) -> Result<i64, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => {
                let born = Instant::now();
                let entry = cache.entry(key).and_upsert_with(|old| match old {
                    None => counted(1, born, life),
                    Some(old) => next_count(&old.into_value(), born, life),
                });
                Ok(count_of(&entry.into_value().value).0)
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.count(&key, milliseconds(life)).await,
        }
    }

    /// Puts a value into a group, in the place of the one that `member` had. The group lives as long as something is put into it.
    pub async fn put_member(
        &self,
        group: &str,
        member: &str,
        value: &[u8],
        life: Duration,
    ) -> Result<(), CacheError> {
        let key = self.key(group);
        match &self.backend {
            Backend::Memory(cache) => {
                cache.entry(key).and_upsert_with(|old| {
                    let mut members = members_of(old.map(|old| old.into_value()).as_ref());
                    members.insert(member.to_owned(), value.to_vec());
                    group_of(&members, life)
                });
                Ok(())
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => {
                let life_ms = milliseconds(life);
                redis.put_member(&key, member, value, life_ms).await
            }
        }
    }

    /// The values of a group by member.
    pub async fn members(&self, group: &str) -> Result<BTreeMap<String, Vec<u8>>, CacheError> {
        let key = self.key(group);
        match &self.backend {
            Backend::Memory(cache) => Ok(members_of(cache.get(&key).as_ref())),
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.members(&key).await,
        }
    }

    /// Takes members out of a group.
    pub async fn remove_members(&self, group: &str, gone: &[String]) -> Result<(), CacheError> {
        let key = self.key(group);
        match &self.backend {
            Backend::Memory(cache) => {
                cache.entry(key).and_compute_with(|old| {
                    let Some(old) = old.map(|old| old.into_value()) else {
                        return Op::Nop;
                    };
                    let mut members = members_of(Some(&old));
                    members.retain(|member, _| !gone.contains(member));
                    Op::Put(group_of(&members, old.life))
                });
                Ok(())
            }
            #[cfg(feature = "servers")]
            Backend::Redis(redis) => redis.remove_members(&key, gone).await,
        }
    }

    /// Whether the cache answers.
    pub async fn ping(&self) -> bool {
        self.get("ping").await.is_ok()
    }
}

/// A group in memory is one entry.
fn group_of(members: &BTreeMap<String, Vec<u8>>, life: Duration) -> Entry {
    Entry {
        value: serde_json::to_vec(members).unwrap_or_default(),
        life,
    }
}

fn members_of(group: Option<&Entry>) -> BTreeMap<String, Vec<u8>> {
    let read = group.and_then(|group| serde_json::from_slice(&group.value).ok());
    read.unwrap_or_default()
}

/// A counter in memory keeps the instant its window ends, since every update starts the entry's life anew.
fn counted(count: i64, born: Instant, life: Duration) -> Entry {
    let end = process_ms(born) + milliseconds(life);
    let mut value = count.to_le_bytes().to_vec();
    value.extend_from_slice(&end.to_le_bytes());
    Entry { value, life }
}

fn next_count(old: &Entry, now: Instant, life: Duration) -> Entry {
    let (count, end) = count_of(&old.value);
    let now_ms = process_ms(now);
    if now_ms >= end {
        return counted(1, now, life);
    }
    counted(count + 1, now, Duration::from_millis(end - now_ms))
}

fn count_of(value: &[u8]) -> (i64, u64) {
    let count = value
        .get(..8)
        .and_then(|b| b.try_into().ok())
        .map_or(0, i64::from_le_bytes);
    let end = value
        .get(8..16)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_le_bytes);
    (count, end)
}

fn process_ms(at: Instant) -> u64 {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    at.saturating_duration_since(*START).as_millis() as u64
}

fn milliseconds(life: Duration) -> u64 {
    (life.as_millis() as u64).max(1)
}
