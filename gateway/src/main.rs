//! The gateway as a process of its own: its services run elsewhere (`[gateway.upstreams]`).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chassis::{Parts, Settings, Shutdown};
use clap::{Parser, Subcommand};
use gateway::{ConfigSource, Options, Upstreams};

/// API gateway of Xuanlan.
#[derive(Parser)]
struct Arguments {
    /// Configuration file, laid over the built-in defaults.
    #[arg(long, env = "XUANLAN_CONFIG")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
    /// Makes a key pair for `[principal]` and prints it: the seed is the gateway's alone, the public key everybody's.
    NewKeys,
}

/// Time that everything together may take to end.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let arguments = Arguments::parse();
    if let Some(Command::NewKeys) = arguments.command {
        let (seed, public) = chassis::principal::new_keys();
        println!("seed = \"{seed}\"\npublic_keys = [\"{public}\"]");
        return Ok(());
    }
    let file = arguments.config.clone();
    let load = move || anyhow::Ok(Settings::load(&[gateway::DEFAULTS], file.as_deref())?);
    let settings = load()?;
    let telemetry = chassis::telemetry::init(&settings, "gateway")?;
    let shutdown = Shutdown::new();
    let parts = Parts::open(settings, shutdown.clone()).await?;
    let upstreams = Upstreams::new().configured(&parts.settings)?;
    let options = Options {
        listener: None,
        metrics: telemetry.metrics_handle(),
        source: Some(ConfigSource {
            file: arguments.config,
            load: Arc::new(load),
        }),
    };
    gateway::start(parts, upstreams, options).await?;
    Shutdown::signal().await;
    if !shutdown.finish(PATIENCE).await {
        tracing::warn!("some work did not end in time");
    }
    Ok(())
}
