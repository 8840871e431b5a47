//! The order service by itself.

use chassis::Alone;
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
    let file = Arguments::parse().config;
    Alone::open(xl_order::NAME, xl_order::DEFAULTS, file.as_deref())
        .await?
        .serve(xl_order::start)
        .await
}
