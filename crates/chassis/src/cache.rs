//! A small cache with expiry: in this process, or Redis. What it holds may vanish at any time except as stated.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_redis::redis::aio::MultiplexedConnection;
use deadpool_redis::redis::{self, AsyncCommands};
use moka::Expiry;

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
/// Longest time a call waits for Redis.
const REDIS_WAIT: Duration = Duration::from_millis(800);
/// Connections to Redis at most.
const SLOTS: usize = 16;

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

/// Connections that many calls share: what several tasks of a thread ask at once crosses the wire together. Taking one
/// out of the pool for each call would cost a second round trip, since the pool asks a connection whether it lives.
struct Redis {
    pool: deadpool_redis::Pool,
    /// By thread: the task that drives a connection then lives beside those that use it.
    slots: [Mutex<Option<MultiplexedConnection>>; SLOTS],
}

impl Redis {
    fn new(pool: deadpool_redis::Pool) -> Self {
        Self {
            pool,
            slots: std::array::from_fn(|_| Mutex::new(None)),
        }
    }

    /// Makes a call, in time or not at all. A connection that failed is replaced by the next call.
    async fn call<T>(
        &self,
        call: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, redis::RedisError>,
    ) -> Result<T, CacheError> {
        let slot = self.slot();
        let asked = tokio::time::timeout(REDIS_WAIT, async {
            let mut connection = self.connection(slot).await?;
            call(&mut connection).await.map_err(|error| {
                if error.is_unrecoverable_error() {
                    *lock(slot) = None;
                }
                CacheError::Unavailable(error.to_string())
            })
        });
        match asked.await {
            Ok(answer) => answer,
            Err(_) => {
                *lock(slot) = None;
                Err(CacheError::Unavailable("no answer in time".into()))
            }
        }
    }

    fn slot(&self) -> &Mutex<Option<MultiplexedConnection>> {
        let mut hasher = std::hash::DefaultHasher::new();
        std::thread::current().id().hash(&mut hasher);
        &self.slots[hasher.finish() as usize % SLOTS]
    }

    async fn connection(
        &self,
        slot: &Mutex<Option<MultiplexedConnection>>,
    ) -> Result<MultiplexedConnection, CacheError> {
        if let Some(connection) = lock(slot).clone() {
            return Ok(connection);
        }
        let made = self.pool.get().await;
        let made = made.map_err(|error| CacheError::Unavailable(error.to_string()))?;
        let connection = deadpool_redis::Connection::take(made);
        // Several that found it empty each made one; the last stays, the others end with their calls.
        *lock(slot) = Some(connection.clone());
        Ok(connection)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A connection is good at any time.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone)]
enum Backend {
    Memory(moka::sync::Cache<String, Entry>),
    Redis(Arc<Redis>),
}

/// Handle of the cache; clones share it.
#[derive(Clone)]
pub struct Cache {
    backend: Backend,
    prefix: Arc<str>,
}

impl Cache {
    /// Opens the cache a URL names: `memory:` or `redis://host:port/db`. A Redis that is away is no error here.
    ///
    /// `namespace` starts every key, so that several installations can share one Redis.
    pub fn open(url: &str, namespace: &str) -> Result<Self, CacheError> {
        let backend = if url.starts_with("memory:") {
            let cache = moka::sync::Cache::builder()
                .max_capacity(MEMORY_ENTRIES)
                .expire_after(ByEntry)
                .build();
            Backend::Memory(cache)
        } else if url.starts_with("redis:") || url.starts_with("rediss:") {
            let mut config = deadpool_redis::Config::from_url(url);
            let mut pool = deadpool_redis::PoolConfig::new(32);
            pool.timeouts.wait = Some(REDIS_WAIT);
            pool.timeouts.create = Some(REDIS_WAIT);
            pool.timeouts.recycle = Some(REDIS_WAIT);
            config.pool = Some(pool);
            let pool = config
                .create_pool(Some(deadpool_redis::Runtime::Tokio1))
                .map_err(|e| CacheError::Address(e.to_string()))?;
            Backend::Redis(Arc::new(Redis::new(pool)))
        } else {
            return Err(CacheError::Address(url.to_owned()));
        };
        Ok(Self {
            backend,
            prefix: Arc::from(format!("{namespace}:")),
        })
    }

    /// The same cache with further text before each key.
    pub fn scoped(&self, scope: &str) -> Self {
        Self {
            backend: self.backend.clone(),
            prefix: Arc::from(format!("{}{scope}:", self.prefix)),
        }
    }

    fn key(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    pub async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => Ok(cache.get(&key).map(|entry| entry.value)),
            Backend::Redis(redis) => redis.call(async |c| c.get(key).await).await,
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
            Backend::Redis(redis) => {
                redis
                    .call(async |c| c.pset_ex(key, value, milliseconds(life)).await)
                    .await
            }
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
            Backend::Redis(redis) => {
                let mut command = redis::cmd("SET");
                command
                    .arg(key)
                    .arg(value)
                    .arg("NX")
                    .arg("PX")
                    .arg(milliseconds(life));
                let answer: Option<String> =
                    redis.call(async |c| command.query_async(c).await).await?;
                Ok(answer.is_some())
            }
        }
    }

    /// Takes the value out: of several callers at once one gets it.
    pub async fn take(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        let key = self.key(key);
        match &self.backend {
            Backend::Memory(cache) => Ok(cache.remove(&key).map(|entry| entry.value)),
            Backend::Redis(redis) => redis.call(async |c| c.get_del(key).await).await,
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
            Backend::Redis(redis) => {
                // In one transaction, so that a counter without a life cannot be left behind.
                let mut steps = redis::pipe();
                steps.atomic();
                steps
                    .cmd("SET")
                    .arg(&key)
                    .arg(0)
                    .arg("NX")
                    .arg("PX")
                    .arg(milliseconds(life))
                    .ignore();
                steps.cmd("INCR").arg(&key);
                let (count,): (i64,) = redis.call(async |c| steps.query_async(c).await).await?;
                Ok(count)
            }
        }
    }

    /// Whether the cache answers.
    pub async fn ping(&self) -> bool {
        self.get("ping").await.is_ok()
    }
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
