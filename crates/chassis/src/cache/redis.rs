//! The cache in Redis.

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use deadpool_redis::redis::aio::MultiplexedConnection;
use deadpool_redis::redis::{self, AsyncCommands};

use super::CacheError;

/// Longest time a call waits for Redis.
const WAIT: Duration = Duration::from_millis(800);
/// Connections to Redis at most.
const SLOTS: usize = 16;

/// Connections that many calls share: what several tasks of a thread ask at once crosses the wire together. Taking one
/// out of the pool for each call would cost a second round trip, since the pool asks a connection whether it lives.
pub(super) struct Redis {
    pool: deadpool_redis::Pool,
    /// By thread: the task that drives a connection then lives beside those that use it.
    slots: [Mutex<Option<MultiplexedConnection>>; SLOTS],
}

impl Redis {
    /// Errors: the address is not understood. A Redis that is away is no error.
    pub(super) fn open(url: &str) -> Result<Self, CacheError> {
        let mut config = deadpool_redis::Config::from_url(url);
        let mut pool = deadpool_redis::PoolConfig::new(32);
        pool.timeouts.wait = Some(WAIT);
        pool.timeouts.create = Some(WAIT);
        pool.timeouts.recycle = Some(WAIT);
        config.pool = Some(pool);
        let pool = config
            .create_pool(Some(deadpool_redis::Runtime::Tokio1))
            .map_err(|e| CacheError::Address(e.to_string()))?;
        Ok(Self {
            pool,
            slots: std::array::from_fn(|_| Mutex::new(None)),
        })
    }

    pub(super) async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        self.call(async |c| c.get(key).await).await
    }

    pub(super) async fn put(
        &self,
        key: &str,
        value: &[u8],
        life_ms: u64,
    ) -> Result<(), CacheError> {
        self.call(async |c| c.pset_ex(key, value, life_ms).await)
            .await
    }

    /// Whether the key was absent, and the value was put.
    pub(super) async fn put_new(
        &self,
        key: &str,
        value: &[u8],
        life_ms: u64,
    ) -> Result<bool, CacheError> {
        let mut command = redis::cmd("SET");
        command.arg(key).arg(value).arg("NX").arg("PX").arg(life_ms);
        let reply: Option<String> = self.call(async |c| command.query_async(c).await).await?;
        Ok(reply.is_some())
    }

    pub(super) async fn take(&self, key: &str) -> Result<Option<Vec<u8>>, CacheError> {
        self.call(async |c| c.get_del(key).await).await
    }

    pub(super) async fn count(&self, key: &str, life_ms: u64) -> Result<i64, CacheError> {
        // In one transaction, so that a counter without a life cannot be left behind.
        let mut steps = redis::pipe();
        steps.atomic();
        steps
            .cmd("SET")
            .arg(key)
            .arg(0)
            .arg("NX")
            .arg("PX")
            .arg(life_ms)
            .ignore();
        steps.cmd("INCR").arg(key);
        let (count,): (i64,) = self.call(async |c| steps.query_async(c).await).await?;
        Ok(count)
    }

    /// Makes a call, in time or not at all. A connection that failed is replaced by the next call.
    async fn call<T>(
        &self,
        call: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, redis::RedisError>,
    ) -> Result<T, CacheError> {
        let slot = self.slot();
        let asked = tokio::time::timeout(WAIT, async {
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
