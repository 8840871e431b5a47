//! The command `dead` of every service: dead letters seen, delivered again, dropped.

#[cfg(feature = "servers")]
mod broker;

use crate::Context;

#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Says how many each consumer has; with a queue, shows them.
    List {
        /// A consumer (order), its queue (xuanlan.order) or that of its dead letters (xuanlan.order.dead).
        queue: Option<String>,
        #[arg(long)]
        json: bool,
    },
    /// Gives them to their consumer again: all, or those named. What it has handled already it recognises.
    Replay {
        queue: String,
        /// A message; may be repeated.
        #[arg(long)]
        id: Vec<String>,
    },
    /// Drops the messages named, or all: their events are never handled.
    Drop {
        queue: String,
        /// A message; may be repeated.
        #[arg(long, required_unless_present = "all", conflicts_with = "all")]
        id: Vec<String>,
        #[arg(long)]
        all: bool,
    },
}

/// Does what the command line asks for and prints what came of it. Errors: there is no broker, it is away, no such queue, or
/// a message that was named is not there.
pub async fn run(context: &Context, command: Command) -> anyhow::Result<()> {
    #[cfg(feature = "servers")]
    if let Some(letters) = context.bus.dead_letters() {
        return broker::run(&letters, command).await;
    }
    let _ = (context, command);
    anyhow::bail!("there is no broker here: events wait in their outboxes until they are handled")
}
