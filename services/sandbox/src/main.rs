//! The sandbox as a process of its own.

use std::path::PathBuf;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::{Clock, Settings, Shutdown};
use clap::Parser;
use serde::Deserialize;

#[derive(Parser)]
#[command(
    name = "xuanlan-sandbox",
    about = "SMS inbox, slider answers and payment providers, for trying Xuanlan out"
)]
struct Cli {
    /// Configuration file laid over the defaults.
    #[arg(long)]
    config: Option<PathBuf>,
}

#[derive(Deserialize)]
struct BusConfig {
    url: String,
    namespace: String,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let cli = Cli::parse();
    let settings = Settings::load(&[sandbox::DEFAULTS], cli.config.as_deref())?;
    let _telemetry = chassis::telemetry::init(&settings, "sandbox")?;
    let shutdown = Shutdown::new();
    let bus: BusConfig = settings.section("bus")?;
    let bus = Bus::open(&bus.url, &bus.namespace, &shutdown).await?;
    if sandbox::start(&settings, &bus, Clock::system(), &shutdown)
        .await?
        .is_none()
    {
        anyhow::bail!("the sandbox is switched off: set sandbox.enabled = true");
    }
    Shutdown::signal().await;
    shutdown.finish(Duration::from_secs(10)).await;
    Ok(())
}
