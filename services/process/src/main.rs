//! The process service by itself. `xuanlan-process modelkit …` becomes the engine, a program of its own beside it, so
//! that `engine = ""` means the same as in a standalone.

use std::os::unix::process::CommandExt;

use chassis::{Alone, alone::Arguments};
use clap::Parser;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == "modelkit") {
        let engine = std::env::current_exe()?.with_file_name("modelkit");
        let error = std::process::Command::new(&engine).args(arguments).exec();
        anyhow::bail!("{}: {error}", engine.display());
    }
    serve()
}

#[tokio::main]
async fn serve() -> anyhow::Result<()> {
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
