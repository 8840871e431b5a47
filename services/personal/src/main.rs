//! The personal service by itself.

use chassis::{Alone, alone::Arguments};
use clap::Parser;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    Alone::run(
        Arguments::parse(),
        xl_personal::NAME,
        xl_personal::DEFAULTS,
        xl_personal::migrate,
        xl_personal::start,
    )
    .await
}
