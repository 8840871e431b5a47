//! The personal service by itself.

use chassis::{Parts, Settings, Shutdown};
use clap::Parser;

#[derive(Parser)]
struct Arguments {
    /// Configuration file laid over the defaults.
    #[arg(long, env = "XUANLAN_CONFIG")]
    config: Option<std::path::PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    let arguments = Arguments::parse();
    let settings = Settings::load(&[xl_personal::DEFAULTS], arguments.config.as_deref())?;
    let _telemetry = chassis::telemetry::init(&settings, xl_personal::NAME)?;
    let config: xl_personal::config::PersonalConfig = settings.section("personal")?;
    let address = config.listen.parse()?;
    let shutdown = Shutdown::new();
    let parts = Parts::open(settings, shutdown.clone()).await?;
    let service = xl_personal::start(parts.context(xl_personal::NAME).await?).await?;
    let stop = shutdown.clone();
    tokio::spawn(async move {
        Shutdown::signal().await;
        stop.request();
    });
    chassis::rpc::serve(service, address, shutdown.clone()).await?;
    shutdown.finish(std::time::Duration::from_secs(20)).await;
    Ok(())
}
