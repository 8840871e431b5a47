//! One service as a process of its own: the same start, serving and end for each of them.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::telemetry::{self, Telemetry};
use crate::{Context, Parts, Service, Settings, Shutdown, rpc};

/// Time that background work may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
struct Listen {
    listen: String,
}

/// A process that holds one service. Its section of the configuration has the service's name.
pub struct Alone {
    pub context: Context,
    // Dropped last: sends what is left of the traces.
    _telemetry: Telemetry,
}

impl Alone {
    /// Reads the configuration, `file` laid over the service's defaults, and opens the parts that it names.
    pub async fn open(
        service: &'static str,
        defaults: &str,
        file: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let settings = Settings::load(&[defaults], file)?;
        let _telemetry = telemetry::init(&settings, service)?;
        let parts = Parts::open(settings, Shutdown::new()).await?;
        Ok(Self {
            context: parts.context(service).await?,
            _telemetry,
        })
    }

    /// Starts the service and serves it on its `listen` until SIGTERM or SIGINT; calls in flight and background work
    /// are finished.
    pub async fn serve<F>(self, start: impl FnOnce(Context) -> F) -> anyhow::Result<()>
    where
        F: Future<Output = anyhow::Result<Service>>,
    {
        let Listen { listen } = self.context.settings.section(self.context.service)?;
        let address = listen.parse()?;
        let shutdown = self.context.shutdown.clone();
        let stop = shutdown.clone();
        tokio::spawn(async move {
            Shutdown::signal().await;
            stop.request();
        });
        let served = match start(self.context.clone()).await {
            Ok(service) => rpc::serve(service, address, shutdown).await,
            Err(error) => Err(error),
        };
        self.end().await;
        served
    }

    /// Ends background work; what [`Alone::serve`] does by itself, for commands that serve nothing.
    pub async fn end(self) {
        if !self.context.shutdown.finish(PATIENCE).await {
            tracing::warn!("some work did not end in time");
        }
    }
}
