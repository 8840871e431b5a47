//! Reports of processes. Each that serves writes into the cache now and then how it is; the operators' console reads them, since it
//! cannot reach every replica of every service.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use objectstore::ObjectStore;
use serde::{Deserialize, Serialize};

use super::{Health, ServiceHealth};
use crate::bus::{Bus, Retried, retrying};
use crate::cache::CacheError;
use crate::disk::Disk;
use crate::{Cache, Clock, Shutdown, limit};

const PERIOD: Duration = Duration::from_secs(10);
/// Longest time that one report may take, and that the object store may take to answer for it.
const LIMIT: Duration = Duration::from_secs(8);
const OBJECTS_LIMIT: Duration = Duration::from_secs(3);
/// A process that has not reported for so long no longer serves, or cannot be seen.
pub const SILENT_MS: i64 = 35_000;
/// How long the last report of a process that was not ended in order is kept.
const KEPT: Duration = Duration::from_secs(600);
const GROUP: &str = "health";
const TASK: &str = "report of this process";

/// How a process is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Machine and process id.
    pub process: String,
    pub version: String,
    /// Times are Unix milliseconds.
    pub started_at_ms: i64,
    pub at_ms: i64,
    /// By name.
    pub services: BTreeMap<String, ServiceReport>,
    pub bus: bool,
    pub objects: bool,
    /// Its disk has room.
    pub disk: bool,
    /// What its consumers could not handle and try again.
    pub retrying: Vec<Retried>,
}

/// How a service is in a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceReport {
    #[serde(flatten)]
    pub health: ServiceHealth,
    /// Events that it has not published yet.
    pub unsent: u64,
    /// How long the oldest of them has waited.
    pub unsent_ms: u64,
}

impl Report {
    /// Whether the process was heard of lately.
    pub fn is_heard(&self, now_ms: i64) -> bool {
        now_ms - self.at_ms < SILENT_MS
    }

    /// How a service is in it, if it serves that.
    pub fn service(&self, name: &str) -> Option<&ServiceReport> {
        self.services.get(name)
    }

    /// Writes it where [`all`] finds it.
    pub async fn publish(&self, cache: &Cache) -> anyhow::Result<()> {
        let text = serde_json::to_vec(self)?;
        cache.put_member(GROUP, &self.process, &text, KEPT).await?;
        Ok(())
    }
}

/// What a report is about. Clones share it.
#[derive(Clone)]
pub struct Reporter {
    pub(crate) health: Health,
    pub(crate) bus: Bus,
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) disk: Disk,
    pub(crate) cache: Cache,
    pub(crate) clock: Clock,
}

impl Reporter {
    /// How this process is now.
    pub async fn report(&self) -> Report {
        let store = tokio::time::timeout(OBJECTS_LIMIT, self.objects.ping());
        let (known, store) = tokio::join!(self.health.services(), store);
        let objects = match store {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::warn!(%error, "object store away");
                false
            }
            Err(_) => {
                tracing::warn!("object store silent");
                false
            }
        };
        let now_ms = self.clock.now_ms();
        let mut services = BTreeMap::new();
        for (name, health) in known {
            let waiting = self.health.waiting(name);
            let report = ServiceReport {
                health,
                unsent: waiting.events,
                unsent_ms: waiting.oldest_ms,
            };
            services.insert(name.to_owned(), report);
        }
        for name in self.health.fronts() {
            let health = ServiceHealth {
                database: true,
                relay: true,
                outbox: true,
            };
            let report = ServiceReport {
                health,
                unsent: 0,
                unsent_ms: 0,
            };
            services.insert(name.to_owned(), report);
        }
        Report {
            process: PROCESS.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at_ms: started_at_ms(now_ms),
            at_ms: now_ms,
            services,
            bus: self.bus.is_connected(),
            objects,
            disk: !self.disk.is_full(),
            retrying: retrying::of_this_process(now_ms),
        }
    }
}

static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let system = rustix::system::uname();
    let machine = system.nodename().to_string_lossy();
    format!("{machine}-{}", std::process::id())
});

fn started_at_ms(now_ms: i64) -> i64 {
    static STARTED: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    now_ms - STARTED.elapsed().as_millis() as i64
}

/// The last report of each process that was heard of within ten minutes, by process. What is older is forgotten.
pub async fn all(cache: &Cache, now_ms: i64) -> Result<Vec<Report>, CacheError> {
    let mut reports = Vec::new();
    let mut gone = Vec::new();
    for (process, text) in cache.members(GROUP).await? {
        match serde_json::from_slice::<Report>(&text) {
            Ok(Report { at_ms, .. }) if now_ms - at_ms >= KEPT.as_millis() as i64 => {
                gone.push(process);
            }
            Ok(report) => reports.push(report),
            Err(_) => gone.push(process),
        }
    }
    cache.remove_members(GROUP, &gone).await?;
    Ok(reports)
}

/// Reports this process until it ends, and then takes its report back.
pub(crate) fn spawn(reporter: Reporter, shutdown: &Shutdown) {
    // The time counts from here.
    started_at_ms(0);
    limit::announce(TASK);
    let ends = shutdown.clone();
    shutdown.spawn(async move {
        let cache = &reporter.cache;
        while !ends.is_requested() {
            let told = async { reporter.report().await.publish(cache).await };
            // A report that was given up is logged by `within`.
            if let Ok(Err(error)) = limit::within(TASK, LIMIT, told).await {
                tracing::warn!(error = format!("{error:#}"), "the process is not reported");
            }
            tokio::select! {
                _ = ends.requested() => {}
                _ = tokio::time::sleep(PERIOD) => {}
            }
        }
        let own = std::slice::from_ref(&*PROCESS);
        let taken_back = cache.remove_members(GROUP, own);
        if let Ok(Err(error)) = limit::within(TASK, LIMIT, taken_back).await {
            tracing::debug!(%error, "the report is not taken back");
        }
    });
}
