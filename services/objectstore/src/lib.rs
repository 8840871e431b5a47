//! The embedded object store as a process of its own, for installations that have no S3-compatible store yet.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use chassis::{Settings, Shutdown};
use clap::{Args, Subcommand};
use metrics_exporter_prometheus::PrometheusHandle;
use objectstore::{EmbeddedStore, StoreConfig, server};
use tokio::task::JoinHandle;

/// Its command line.
#[derive(Args)]
pub struct Arguments {
    /// Configuration file laid over the defaults.
    #[arg(long, env = "XUANLAN_CONFIG", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
}

/// Time that transfers under way may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Serves until SIGTERM or SIGINT.
pub async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(&[], arguments.config.as_deref())?;
    let telemetry = chassis::telemetry::init(&settings, "objectstore")?;
    let shutdown = Shutdown::new();
    let running = start(&settings, telemetry.metrics_handle(), &shutdown).await?;
    Shutdown::signal().await;
    shutdown.request();
    tokio::time::timeout(PATIENCE, running.server).await???;
    shutdown.finish(PATIENCE).await;
    Ok(())
}

/// A store that serves until its shutdown.
pub struct Running {
    /// Where it speaks S3.
    pub address: SocketAddr,
    /// Where health and metrics are; `None`: nowhere.
    pub ops: Option<SocketAddr>,
    /// Ends after the requests under way have.
    pub server: JoinHandle<objectstore::Result<()>>,
}

/// Opens the store and serves it. Errors: the folder is in use, an address is taken.
pub async fn start(
    settings: &Settings,
    metrics: Option<PrometheusHandle>,
    shutdown: &Shutdown,
) -> anyhow::Result<Running> {
    let config: StoreConfig = settings.section("objectstore")?;
    let listener = tokio::net::TcpListener::bind(&config.listen).await?;
    let address = listener.local_addr()?;
    // Held by the probe for as long as it runs: a folder has one process.
    let store = EmbeddedStore::open(config.clone()).await?;
    let has_room = move || store.has_room();
    let ops = chassis::ops::serve_beside(settings, metrics, shutdown, has_room).await?;
    let server = tokio::spawn(server::serve(config, listener, shutdown.token()));
    tracing::info!(%address, "serving");
    Ok(Running {
        address,
        ops,
        server,
    })
}
