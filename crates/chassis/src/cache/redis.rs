//! The cache in Redis.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use deadpool_redis::redis::aio::MultiplexedConnection;
use deadpool_redis::redis::{self, AsyncCommands};

use super::{CacheConfig, CacheError};

/// Connections to Redis at most.
const SLOTS: usize = 16;

/// A connection, and the run of the server that it reaches.
#[derive(Clone)]
struct Link {
    connection: MultiplexedConnection,
    run: Arc<str>,
    /// When the server answered last.
    heard: Arc<Mutex<Instant>>,
}

/// Connections that many calls share: what several tasks of a thread ask at once crosses the wire together. Taking one
/// out of the pool for each call would cost a second round trip, since the pool asks a connection whether it lives.
pub(super) struct Redis {
    pool: deadpool_redis::Pool,
    /// Longest time of a call.
    wait: Duration,
    /// A connection that has been silent for so long is asked whether it lives before a call uses it.
    trusted: Duration,
    /// By thread: the task that drives a connection then lives beside those that use it.
    slots: [Mutex<Option<Link>>; SLOTS],
}

impl Redis {
    /// Errors: the address is not understood. A Redis that is away is no error.
    pub(super) fn open(config: &CacheConfig) -> Result<Self, CacheError> {
        let wait = Duration::from_millis(config.wait_ms);
        let trusted = Duration::from_millis(config.trusted_ms);
        let mut config = deadpool_redis::Config::from_url(&config.url);
        let mut pool = deadpool_redis::PoolConfig::new(32);
        pool.timeouts.wait = Some(wait);
        pool.timeouts.create = Some(wait);
        pool.timeouts.recycle = Some(wait);
        config.pool = Some(pool);
        let pool = config
            .create_pool(Some(deadpool_redis::Runtime::Tokio1))
            .map_err(|e| CacheError::Address(e.to_string()))?;
        Ok(Self {
            pool,
            wait,
            trusted,
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

    /// Whether the key was absent and was put, and since when this Redis remembers: `now_ms` if it does not know.
    pub(super) async fn put_new_since(
        &self,
        key: &str,
        life_ms: u64,
        since: &str,
        now_ms: i64,
    ) -> Result<(bool, i64), CacheError> {
        let asked = self.call_at(async |c, server| {
            // A Redis that was restarted, or the replica that took over, may have lost the last writes and yet have this key.
            let since = format!("{since}:{server}");
            // In one transaction, so that it cannot be emptied in between.
            let mut steps = redis::pipe();
            steps.atomic();
            steps.cmd("SET").arg(&since).arg(now_ms).arg("NX").ignore();
            steps.cmd("GET").arg(&since);
            let put = steps.cmd("SET").arg(key).arg(1);
            put.arg("NX").arg("PX").arg(life_ms);
            steps.query_async(c).await
        });
        let (since, put): (i64, Option<String>) = asked.await?;
        Ok((put.is_some(), since))
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

    pub(super) async fn put_member(
        &self,
        group: &str,
        member: &str,
        value: &[u8],
        life_ms: u64,
    ) -> Result<(), CacheError> {
        // In one transaction, so that a group without a life cannot be left behind.
        let mut steps = redis::pipe();
        steps.atomic();
        steps.cmd("HSET").arg(group).arg(member).arg(value).ignore();
        steps.cmd("PEXPIRE").arg(group).arg(life_ms).ignore();
        self.call(async |c| steps.query_async(c).await).await
    }

    pub(super) async fn members(
        &self,
        group: &str,
    ) -> Result<BTreeMap<String, Vec<u8>>, CacheError> {
        self.call(async |c| c.hgetall(group).await).await
    }

    pub(super) async fn remove_members(
        &self,
        group: &str,
        gone: &[String],
    ) -> Result<(), CacheError> {
        if gone.is_empty() {
            return Ok(());
        }
        self.call(async |c| c.hdel(group, gone).await).await
    }

    /// Makes a call, in time or not at all. A connection that failed is replaced by the next call.
    async fn call<T>(
        &self,
        call: impl AsyncFnOnce(&mut MultiplexedConnection) -> Result<T, redis::RedisError>,
    ) -> Result<T, CacheError> {
        self.call_at(async |connection, _| call(connection).await)
            .await
    }

    /// Like [`Redis::call`]; the call learns which run of the server it reaches.
    async fn call_at<T>(
        &self,
        call: impl AsyncFnOnce(&mut MultiplexedConnection, &str) -> Result<T, redis::RedisError>,
    ) -> Result<T, CacheError> {
        let slot = self.slot();
        let asked = tokio::time::timeout(self.wait, async {
            let mut link = self.connection(slot).await?;
            let answer = call(&mut link.connection, &link.run).await;
            answer.inspect(|_| link.answered()).map_err(|error| {
                // One that leaves a question without an answer may never answer again.
                if error.is_unrecoverable_error() || error.is_io_error() || error.is_timeout() {
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

    fn slot(&self) -> &Mutex<Option<Link>> {
        let mut hasher = std::hash::DefaultHasher::new();
        std::thread::current().id().hash(&mut hasher);
        &self.slots[hasher.finish() as usize % SLOTS]
    }

    async fn connection(&self, slot: &Mutex<Option<Link>>) -> Result<Link, CacheError> {
        let known = lock(slot).clone();
        if let Some(link) = known
            && self.lives(&link).await
        {
            return Ok(link);
        }
        let away = |error: String| CacheError::Unavailable(error);
        let made = self.pool.get().await.map_err(|e| away(e.to_string()))?;
        let mut connection = deadpool_redis::Connection::take(made);
        let run = run_of(&mut connection).await;
        let run = run.map_err(|error| away(error.to_string()))?;
        let link = Link {
            connection,
            run,
            heard: Arc::new(Mutex::new(Instant::now())),
        };
        // Several that found it empty each made one; the last stays, the others end with their calls.
        *lock(slot) = Some(link.clone());
        Ok(link)
    }

    /// Whether a connection answers, if there is reason to ask: one that a failover or a firewall has cut in silence says
    /// nothing for ever, and would cost each thread a call. A part of the call's time, so that a new one can be made.
    async fn lives(&self, link: &Link) -> bool {
        if lock(&link.heard).elapsed() < self.trusted {
            return true;
        }
        let mut connection = link.connection.clone();
        let ping = redis::cmd("PING");
        let asked = tokio::time::timeout(self.wait / 4, ping.query_async::<()>(&mut connection));
        let lives = matches!(asked.await, Ok(Ok(())));
        if lives {
            link.answered();
        }
        lives
    }
}

impl Link {
    fn answered(&self) {
        *lock(&self.heard) = Instant::now();
    }
}

/// The id of the server's run, new with each start; empty where the server may not be asked.
async fn run_of(connection: &mut MultiplexedConnection) -> Result<Arc<str>, redis::RedisError> {
    let info: Result<String, _> = redis::cmd("INFO")
        .arg("server")
        .query_async(connection)
        .await;
    let info = match info {
        Ok(info) => info,
        Err(error) if error.is_unrecoverable_error() => return Err(error),
        Err(_) => String::new(),
    };
    let run = info.lines().find_map(|line| line.strip_prefix("run_id:"));
    Ok(run.unwrap_or_default().trim().into())
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A connection is good at any time.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
