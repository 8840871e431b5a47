//! The process service by itself.

use chassis::{Alone, alone::Arguments};
use clap::Parser;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    chassis::prepare_process();
    Alone::run(
        Arguments::parse(),
        xl_process::NAME,
        xl_process::DEFAULTS,
        xl_process::migrate,
        xl_process::start,
    )
    .await
}
