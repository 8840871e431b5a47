//! The sandbox as a process of its own.

use std::path::PathBuf;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::{Clock, Settings, Shutdown};
use clap::{Args, Subcommand};

use crate::config::SandboxConfig;
use crate::pay::identity::Identity;

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
    /// Prints the sections of payment's configuration for the channels that the sandbox plays; makes the keys when they
    /// are missing.
    Keys {
        /// Address under which payment reaches the sandbox.
        #[arg(long)]
        address: String,
    },
}

fn print_keys(settings: &Settings, address: &str) -> anyhow::Result<()> {
    let Some(config) = SandboxConfig::allowed(settings)? else {
        anyhow::bail!("the sandbox is switched off: set sandbox.enabled = true");
    };
    let identity = Identity::open(&config.pay.folder, Clock::system().now_ms())?;
    let keys = identity.merchant_keys()?;
    let address = address.trim_end_matches('/');
    let channels = toml::Table::from_iter([
        ("alipay".to_owned(), keys.alipay(address).into()),
        ("wechat".to_owned(), keys.wechat(address).into()),
    ]);
    let sections = toml::Table::from_iter([("payment".to_owned(), channels.into())]);
    print!("{}", toml::to_string(&sections)?);
    Ok(())
}

/// Does what the command line asks for; serves until SIGTERM or SIGINT.
pub async fn run(arguments: Arguments) -> anyhow::Result<()> {
    let settings = Settings::load(&[crate::DEFAULTS], arguments.config.as_deref())?;
    if let Some(Command::Keys { address }) = &arguments.command {
        return print_keys(&settings, address);
    }
    let telemetry = chassis::telemetry::init(&settings, "sandbox")?;
    let shutdown = Shutdown::new();
    let bus: chassis::bus::BusConfig = settings.section("bus")?;
    let bus = Bus::open(&bus, &shutdown)?;
    if crate::start_alone(
        &settings,
        &bus,
        telemetry.metrics_handle(),
        Clock::system(),
        &shutdown,
    )
    .await?
    .is_none()
    {
        anyhow::bail!("the sandbox is switched off: set sandbox.enabled = true");
    }
    Shutdown::signal().await;
    shutdown.finish(Duration::from_secs(10)).await;
    Ok(())
}
