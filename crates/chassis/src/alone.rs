//! One service as a process of its own: the same start, serving and end for each of them.

use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::telemetry::{self, Telemetry};
use crate::{Context, Parts, Service, Settings, Shutdown, dead_letters, ops, rpc};

/// Time that background work may take to end.
const PATIENCE: Duration = Duration::from_secs(20);

/// The command line of a service without commands of its own.
#[derive(clap::Parser)]
pub struct Arguments {
    /// Configuration file laid over the defaults.
    #[arg(long, env = "XUANLAN_CONFIG", global = true)]
    config: Option<std::path::PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
    /// Applies the migrations of the service's database and ends.
    Migrate,
    /// Looks after messages that a consumer could not handle.
    #[command(subcommand)]
    Dead(dead_letters::Command),
}

#[derive(Deserialize)]
struct Listen {
    listen: String,
}

/// A process that holds one service. Its section of the configuration has the service's name.
pub struct Alone {
    pub context: Context,
    // Dropped last: sends what is left of the traces.
    telemetry: Telemetry,
}

impl Alone {
    /// Reads the configuration, `file` laid over the service's defaults, and opens the parts that it names.
    pub async fn open(
        service: &'static str,
        defaults: &str,
        file: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let settings = Settings::load(&[defaults], file)?;
        let telemetry = telemetry::init(&settings, service)?;
        let parts = Parts::open(settings, Shutdown::new()).await?;
        Ok(Self {
            context: parts.context(service).await?,
            telemetry,
        })
    }

    /// What the command line of a service without commands of its own asks for: serve, or only apply its migrations.
    pub async fn run<F>(
        arguments: Arguments,
        service: &'static str,
        defaults: &str,
        migrate: impl AsyncFnOnce(&Context) -> anyhow::Result<()>,
        start: impl FnOnce(Context) -> F,
    ) -> anyhow::Result<()>
    where
        F: Future<Output = anyhow::Result<Service>>,
    {
        let alone = Self::open(service, defaults, arguments.config.as_deref()).await?;
        match arguments.command.unwrap_or(Command::Serve) {
            Command::Serve => alone.serve(start).await,
            Command::Migrate => {
                let outcome = migrate(&alone.context).await;
                alone.end().await;
                outcome
            }
            Command::Dead(command) => alone.dead(command).await,
        }
    }

    /// The command `dead`, see [`dead_letters`].
    pub async fn dead(self, command: dead_letters::Command) -> anyhow::Result<()> {
        let outcome = dead_letters::run(&self.context, command).await;
        self.end().await;
        outcome
    }

    /// Starts the service and serves it on its `listen`, with [`ops`] beside it, until SIGTERM or SIGINT; calls in flight
    /// and background work are finished.
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
            Ok(mut service) => {
                let (context, metrics) = (self.context.clone(), self.telemetry.metrics_handle());
                service.routes = ops::with_ops(service.routes, context, metrics);
                rpc::serve(service, address, shutdown).await
            }
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
