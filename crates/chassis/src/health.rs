//! Whether the services of this process work: each has a database that answers and a relay of its outbox that makes its rounds.
//! One answer for `/readyz` of a service by itself ([`crate::ops`]) and of the gateway that has all of them in its process.

pub mod report;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use sea_orm::DatabaseConnection;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::relay::{RelayHealth, Waiting};
use crate::{Settings, db};

/// An answer serves all who ask within this time: anybody may ask, and each question takes a connection of every pool.
const FRESH: Duration = Duration::from_millis(250);

#[derive(Deserialize)]
struct OpsConfig {
    /// Time the databases have to answer whether they are there.
    wait_ms: u64,
}

#[derive(Clone)]
struct Part {
    db: DatabaseConnection,
    relay: RelayHealth,
}

/// How one service is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceHealth {
    /// Its database answers.
    pub database: bool,
    /// Rounds of the relay come to an end, be it an error.
    pub relay: bool,
    /// Its events leave.
    pub outbox: bool,
}

impl ServiceHealth {
    /// Whether it should get work. An outbox whose events the bus does not take is no reason: calls that read still work.
    pub fn is_ready(&self) -> bool {
        self.database && self.relay
    }
}

type Services = BTreeMap<&'static str, ServiceHealth>;

/// The services of one process. Clones share them.
#[derive(Clone)]
pub struct Health {
    wait: Duration,
    parts: Arc<Mutex<BTreeMap<&'static str, Part>>>,
    fronts: Arc<Mutex<BTreeSet<&'static str>>>,
    seen: Arc<tokio::sync::Mutex<Option<(Instant, Services)>>>,
}

impl Health {
    pub(crate) fn new(settings: &Settings) -> anyhow::Result<Self> {
        let OpsConfig { wait_ms } = settings.section("ops")?;
        Ok(Self {
            wait: Duration::from_millis(wait_ms),
            parts: Arc::default(),
            fronts: Arc::default(),
            seen: Arc::default(),
        })
    }

    /// Adds a service, in the place of one with the same name.
    pub(crate) fn add(&self, service: &'static str, db: DatabaseConnection, relay: RelayHealth) {
        self.parts().insert(service, Part { db, relay });
    }

    /// Adds a program of this process that has no database, such as the gateway: it is reported to work while the process lives.
    pub fn add_front(&self, name: &'static str) {
        let mut fronts = self.fronts.lock().unwrap_or_else(PoisonError::into_inner);
        fronts.insert(name);
    }

    fn fronts(&self) -> BTreeSet<&'static str> {
        let fronts = self.fronts.lock().unwrap_or_else(PoisonError::into_inner);
        fronts.clone()
    }

    fn parts(&self) -> MutexGuard<'_, BTreeMap<&'static str, Part>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn waiting(&self, service: &str) -> Waiting {
        let parts = self.parts();
        let part = parts.get(service);
        part.map(|part| part.relay.waiting()).unwrap_or_default()
    }

    /// How each service is, by name, after `ops.wait_ms` at the latest.
    pub async fn services(&self) -> Services {
        let mut seen = self.seen.lock().await;
        // A service may have been added since.
        let known = self.parts().len();
        if let Some((at, services)) = seen.as_ref()
            && at.elapsed() < FRESH
            && services.len() == known
        {
            return services.clone();
        }
        let services = self.look().await;
        *seen = Some((Instant::now(), services.clone()));
        services
    }

    async fn look(&self) -> Services {
        let parts = self.parts().clone();
        let asked = parts
            .into_iter()
            .map(|(service, Part { db, relay })| async move {
                let answer = tokio::time::timeout(self.wait, db::ping(&db)).await;
                let health = ServiceHealth {
                    database: answer.unwrap_or(false),
                    relay: relay.turns(),
                    outbox: relay.carries(),
                };
                (service, health)
            });
        join_all(asked).await.into_iter().collect()
    }
}
