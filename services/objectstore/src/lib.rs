//! The embedded object store as a process of its own, for installations that have no S3-compatible store yet.

use std::path::PathBuf;
use std::time::Duration;

use chassis::{Settings, Shutdown};
use clap::{Args, Subcommand};
use objectstore::{EmbeddedStore, StoreConfig, server};

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
    let config: StoreConfig = settings.section("objectstore")?;
    let listener = tokio::net::TcpListener::bind(&config.listen).await?;
    // Held for as long as it runs: a folder has one process.
    let _store = EmbeddedStore::open(config.clone()).await?;
    tracing::info!(address = %listener.local_addr()?, "serving");
    let shutdown = Shutdown::new();
    chassis::ops::serve_beside(&settings, telemetry.metrics_handle(), &shutdown).await?;
    let stop = shutdown.token();
    let server = tokio::spawn(server::serve(config, listener, stop));
    Shutdown::signal().await;
    shutdown.request();
    tokio::time::timeout(PATIENCE, server).await???;
    shutdown.finish(PATIENCE).await;
    Ok(())
}
