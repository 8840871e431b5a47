//! The order service by itself.

use chassis::{Alone, alone::Arguments};
use clap::Parser;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    Alone::run(
        Arguments::parse(),
        xl_order::NAME,
        xl_order::DEFAULTS,
        xl_order::migrate,
        xl_order::start,
    )
    .await
}
