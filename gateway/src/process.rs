//! The gateway as a process of its own: its services run elsewhere (`[gateway.upstreams]`).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chassis::{Parts, Settings, Shutdown};
use clap::{Args, Subcommand};

use crate::{ConfigSource, DEFAULTS, Options, Upstreams};

/// Its command line.
#[derive(Args)]
pub struct Arguments {
    /// Configuration file, laid over the built-in defaults.
    #[arg(long, env = "XUANLAN_CONFIG", global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Serves (the default).
    Serve,
    /// Makes a key pair for `[principal]` and prints it: the seed is for the gateway only, the public key for every service.
    NewKeys,
}

/// Time limit for the whole shutdown.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the command; serves until SIGTERM or SIGINT.
pub async fn run(arguments: Arguments) -> anyhow::Result<()> {
    if let Some(Command::NewKeys) = arguments.command {
        let (seed, public) = chassis::principal::new_keys();
        println!("seed = \"{seed}\"\npublic_keys = [\"{public}\"]");
        return Ok(());
    }
    let file = arguments.config.clone();
    let load = move || anyhow::Ok(Settings::load(&[DEFAULTS], file.as_deref())?);
    let settings = load()?;
    let telemetry = chassis::telemetry::init(&settings, "gateway")?;
    let shutdown = Shutdown::new();
    let parts = Parts::open(settings, shutdown.clone()).await?;
    let upstreams = Upstreams::new().configured(&parts.settings)?;
    let options = Options {
        listener: None,
        console: None,
        embed: None,
        metrics: telemetry.metrics_handle(),
        source: Some(ConfigSource {
            file: arguments.config,
            load: Arc::new(load),
        }),
    };
    crate::start(parts, upstreams, options).await?;
    Shutdown::signal().await;
    if !shutdown.finish(PATIENCE).await {
        tracing::warn!("some work did not end in time");
    }
    Ok(())
}
