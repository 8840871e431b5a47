//! What a service gets to work with.

use std::sync::Arc;
use std::time::Duration;

use objectstore::{CredentialIssuer, ObjectStore};
use sea_orm::DatabaseConnection;
use serde::Deserialize;
use tokio::sync::Notify;

use crate::bus::{Bus, BusConfig};
use crate::disk::Disk;
use crate::health::report::{self, Report, Reporter};
use crate::relay::RelayHealth;
use crate::{
    Cache, CacheConfig, Clock, FailPoints, Health, Principals, ServiceError, Settings, Shutdown,
    Stream, closed_store, db, limit,
};

/// The parts that all services of one process share.
#[derive(Clone)]
pub struct Parts {
    pub settings: Settings,
    pub clock: Clock,
    pub cache: Cache,
    pub bus: Bus,
    /// Topics for readers outside.
    pub stream: Stream,
    pub objects: Arc<dyn ObjectStore>,
    /// Makes temporary credentials for users of the same store.
    pub issuer: Arc<dyn CredentialIssuer>,
    pub principals: Principals,
    /// The disk of the data folder.
    pub disk: Disk,
    /// How the services of this process are: those with a context.
    pub health: Health,
    pub fail: FailPoints,
    pub shutdown: Shutdown,
}

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
}

impl Parts {
    /// Opens cache, bus and object store as configured, for a process that serves: it reports how it is from now on.
    pub async fn open(settings: Settings, shutdown: Shutdown) -> anyhow::Result<Self> {
        let client: objectstore::ClientConfig = settings.section("objects")?;
        let embedded: objectstore::StoreConfig = settings.section("objectstore")?;
        let store = objectstore::connect(&client, &embedded).await?;
        let parts = Self::around(settings, shutdown, store)?;
        report::spawn(parts.reporter(), &parts.shutdown);
        Ok(parts)
    }

    /// As [`Parts::open`], for the command of an operator, which may run beside a process that holds the embedded object
    /// store: that one stays closed, and reading or writing objects is an error.
    pub async fn open_beside(settings: Settings, shutdown: Shutdown) -> anyhow::Result<Self> {
        let client: objectstore::ClientConfig = settings.section("objects")?;
        if !client.url.starts_with("file:") {
            return Self::open(settings, shutdown).await;
        }
        Self::around(settings, shutdown, closed_store::connection(&client.bucket))
    }

    fn around(
        settings: Settings,
        shutdown: Shutdown,
        store: objectstore::Connection,
    ) -> anyhow::Result<Self> {
        crate::servers::check(&settings)?;
        let clock = Clock::system();
        let data: DataConfig = settings.section("data")?;
        let cache: CacheConfig = settings.section("cache")?;
        let bus: BusConfig = settings.section("bus")?;
        Ok(Self {
            cache: Cache::open(&cache)?,
            bus: Bus::open(&bus, &shutdown)?,
            stream: Stream::open(&settings)?,
            disk: Disk::watch(&settings, &shutdown)?,
            health: Health::new(&settings)?,
            principals: Principals::load(&settings, &data.dir, clock.clone())?,
            fail: FailPoints::from_environment(&settings)?,
            settings,
            clock,
            objects: store.store,
            issuer: store.issuer,
            shutdown,
        })
    }

    fn reporter(&self) -> Reporter {
        Reporter {
            health: self.health.clone(),
            bus: self.bus.clone(),
            objects: self.objects.clone(),
            disk: self.disk.clone(),
            cache: self.cache.clone(),
            clock: self.clock.clone(),
        }
    }

    /// How this process is now.
    pub async fn report(&self) -> Report {
        self.reporter().report().await
    }

    /// The context of one service: its own database, opened; its migrations are run by the service.
    pub async fn context(&self, service: &'static str) -> anyhow::Result<Context> {
        let db = db::open(&self.settings, service).await?;
        let relay = RelayHealth::new(self.settings.section("outbox")?);
        self.health.add(service, db.clone(), relay.clone());
        Ok(Context {
            service,
            db,
            relay,
            erasures: Arc::default(),
            database_wait: db::longest_wait(&self.settings)?,
            parts: self.clone(),
        })
    }
}

/// What one service gets. Clones share everything.
#[derive(Clone)]
pub struct Context {
    /// For example `auth`.
    pub service: &'static str,
    /// The service's own database; no other service reads it.
    pub db: DatabaseConnection,
    /// Whether the relay of the service's outbox makes its rounds.
    pub relay: RelayHealth,
    /// Wakes the worker that erases closed accounts.
    pub(crate) erasures: Arc<Notify>,
    database_wait: Duration,
    pub parts: Parts,
}

impl Context {
    /// Longest time that a step of background work waits for the database.
    pub fn database_wait(&self) -> Duration {
        self.database_wait
    }

    /// Does one step of background work, which asks nothing but the database, or gives it up after
    /// [`Context::database_wait`], which is logged and counted under `task`: calls, commands and events have limits of their
    /// own, and a connection may go silent without breaking. What is asked next gets another connection.
    ///
    /// Errors: [`ServiceError::Unavailable`] where it was given up; its outcome is not known then.
    pub async fn ask_database<T>(
        &self,
        task: &'static str,
        step: impl Future<Output = T>,
    ) -> Result<T, ServiceError> {
        let asked = limit::within(task, self.database_wait, step).await;
        asked.map_err(|_| ServiceError::Unavailable("database"))
    }
}

impl std::ops::Deref for Context {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
