//! What a service gets to work with.

use std::sync::Arc;

use objectstore::{CredentialIssuer, ObjectStore};
use sea_orm::DatabaseConnection;
use serde::Deserialize;

use crate::bus::Bus;
use crate::{Cache, Clock, FailPoints, Principals, Settings, Shutdown, Stream, db};

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
    pub fail: FailPoints,
    pub shutdown: Shutdown,
}

#[derive(Deserialize)]
struct UrlConfig {
    url: String,
    namespace: String,
}

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
}

impl Parts {
    /// Opens cache, bus and object store as configured.
    pub async fn open(settings: Settings, shutdown: Shutdown) -> anyhow::Result<Self> {
        crate::servers::check(&settings)?;
        let client: objectstore::ClientConfig = settings.section("objects")?;
        let embedded: objectstore::StoreConfig = settings.section("objectstore")?;
        let store = objectstore::connect(&client, &embedded).await?;
        let clock = Clock::system();
        let data: DataConfig = settings.section("data")?;
        let cache: UrlConfig = settings.section("cache")?;
        let bus: UrlConfig = settings.section("bus")?;
        Ok(Self {
            cache: Cache::open(&cache.url, &cache.namespace)?,
            bus: Bus::open(&bus.url, &bus.namespace, &shutdown).await?,
            stream: Stream::open(&settings)?,
            principals: Principals::load(&settings, &data.dir, clock.clone())?,
            fail: FailPoints::from_environment(&settings)?,
            settings,
            clock,
            objects: store.store,
            issuer: store.issuer,
            shutdown,
        })
    }

    /// The context of one service: its own database, opened; its migrations are run by the service.
    pub async fn context(&self, service: &'static str) -> anyhow::Result<Context> {
        Ok(Context {
            service,
            db: db::open(&self.settings, service).await?,
            parts: self.clone(),
        })
    }
}

/// What one service gets. Clones share everything.
#[derive(Clone)]
pub struct Context {
    /// For example `auth`.
    pub service: &'static str,
    /// The service's own database; nobody else reads it.
    pub db: DatabaseConnection,
    pub parts: Parts,
}

impl std::ops::Deref for Context {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
